#!/usr/bin/env python3
"""Makes the catalogues of the vectors' packed libraries anew with more columns, row by row.

make-bases.py VECTORS TABLE:AFTER:NAME:TYPE[:FROM]… NAME:OLD=>NEW…   VECTORS is docs/spec/vectors; a word adds a column behind
another one, with the values of the column FROM, or changes the text of a table, an index or a view.
Everything but `library.sqlite` of bases/*.tar.gz stays; the offset of library-bad-catalogue-row is found anew, and
SHA256SUMS has the new digests. Rows, digests and sums follow docs/spec/catalogue.md, section 4."""
import gzip, hashlib, io, json, os, sqlite3, struct, sys, tarfile, tempfile


class Text(bytes): pass


def row_hash(table, values):
    parts = [table.encode()]
    for column, value in enumerate(values):
        if isinstance(value, bytes): kind, number, data = 3 if isinstance(value, Text) else 4, len(value), value
        elif isinstance(value, int): kind, number, data = 1, value, b""
        elif value is not None: kind, number, data = 2, struct.unpack("<q", struct.pack("<d", value))[0], b""
        if value is not None: parts.append(struct.pack("<BBBq", 0, column & 255, kind, number) + data)
    return hashlib.sha256(b"".join(parts)).digest()


def sum_of(hashes):
    count, words = 0, (0, 0, 0, 0)
    for one in hashes: count, words = count + 1, [(a + b) % 2**64 for a, b in zip(words, struct.unpack("<4Q", one))]
    return count, struct.pack("<4Q", *words)


def plain(values): return [value.decode() if isinstance(value, Text) else value for value in values]


def remade(data, additions, changes):
    """The bytes of a catalogue with more columns, and texts of its schema that were changed."""
    with tempfile.TemporaryDirectory() as folder:
        old_path, new_path = folder + "/old", folder + "/new"
        with open(old_path, "wb") as file: file.write(data)
        old, new = sqlite3.connect(f"file:{old_path}?immutable=1", uri=True), sqlite3.connect(new_path, isolation_level=None)
        old.text_factory = new.text_factory = Text
        value = lambda name: old.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("page_size", "application_id", "user_version"): new.execute(f"PRAGMA {name} = {value(name)}")
        schema = [plain(row) for row in old.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY rowid")]
        later, has_sequence = [], False
        new.execute("BEGIN")
        for kind, name, sql in schema:
            if name == "sqlite_sequence": has_sequence = True
            if sql is None or name == "sqlite_sequence": continue
            for changed, old_text, new_text in changes:
                if changed != name: continue
                assert old_text in sql, (name, old_text)
                sql = sql.replace(old_text, new_text)
            if kind != "table":
                later.append(sql)
                continue
            for table, after, column, type, *_ in additions:
                if table != name: continue
                lines = sql.split("\n")
                at = [n for n, line in enumerate(lines) if line.split()[:1] == [after]]
                assert len(at) == 1, (table, after)
                line = f"  {column} {type}"
                if lines[at[0]].endswith(","): lines.insert(at[0] + 1, line + ",")
                else: lines[at[0]:at[0] + 1] = [lines[at[0]] + ",", line]
                sql = "\n".join(lines)
            new.execute(sql)
        # The order of the schema is that of the program: indexes stand behind their tables, views last.
        for sql in later: new.execute(sql)
        sums = {}
        for kind, name, sql in schema:
            if kind != "table" or name in ("sqlite_sequence", "tableSums"): continue
            columns = [bytes(row[1]).decode() for row in old.execute(f"PRAGMA table_info({name})")]
            now = [bytes(row[1]).decode() for row in new.execute(f"PRAGMA table_info({name})")]
            counted, hashes = [one for one in now if one != "digest"], []
            without = "WITHOUT ROWID" in sql
            order = "" if without else " ORDER BY rowid"
            for row in old.execute(f"SELECT {'' if without else 'rowid, '}{', '.join(columns)} FROM {name}{order}").fetchall():
                number, values = (None, row) if without else (row[0], row[1:])
                values = dict(zip(columns, values))
                for table, _, column, _, *source in additions:
                    if table == name and source: values[column] = values[source[0]]
                values = {one: values.get(one) for one in now}
                if "digest" in now:
                    hashed = row_hash(name, [values[one] for one in counted])
                    hashes.append(hashed)
                    values["digest"] = struct.unpack("<q", hashed[:8])[0]
                names = ([] if without else ["rowid"]) + now
                new.execute(f"INSERT INTO {name} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",
                    plain(([] if without else [number]) + list(values.values())))
            if "digest" in now: sums[name] = sum_of(hashes)
        if has_sequence:
            new.execute("DELETE FROM sqlite_sequence")
            for row in old.execute("SELECT name, seq FROM sqlite_sequence"): new.execute("INSERT INTO sqlite_sequence VALUES (?, ?)", plain(row))
            sums["sqlite_sequence"] = sum_of(row_hash("sqlite_sequence", row) for row in new.execute("SELECT name, seq FROM sqlite_sequence"))
        header = [new.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version", "encoding", "auto_vacuum")]
        rows = [("sqlite_schema", row) for row in new.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema")]
        sums["sqlite_schema"] = sum_of(row_hash(*pair) for pair in [("header", header), *rows])
        known = {bytes(row[0]).decode() for row in old.execute("SELECT name FROM tableSums")}
        assert known == set(sums), known ^ set(sums)
        for name in sorted(sums): new.execute("INSERT INTO tableSums VALUES (?, ?, ?)", (name, *sums[name]))
        new.execute("COMMIT")
        new.execute("VACUUM")
        new.close()
        with open(new_path, "rb") as file: made = bytearray(file.read())
        made[18:20] = data[18:20]
        return bytes(made)


def main():
    vectors, *words = sys.argv[1:]
    additions = [word.split(":") for word in words if "=>" not in word]
    changes = [(word.split(":")[0], *word.split(":", 1)[1].split("=>")) for word in words if "=>" in word]
    for base in sorted(os.listdir(vectors + "/bases")):
        path, buffer = f"{vectors}/bases/{base}", io.BytesIO()
        with tarfile.open(path) as old, tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as new:
            for member in old:
                data = old.extractfile(member).read() if member.isfile() else b""
                if member.name == "library.sqlite":
                    before, data = data, remade(data, additions, changes)
                    member.size = len(data)
                    if base == "strip.tar.gz": strip = before, data
                new.addfile(member, io.BytesIO(data))
        with open(path, "wb") as file: file.write(gzip.compress(buffer.getvalue(), 9, mtime=0))
    path = vectors + "/library-bad-catalogue-row/expected.json"
    with open(path) as file: text = file.read()
    patch = json.loads(text)["changes"]["patch"][0]
    before, after = strip
    # The letter stands behind the identifier and the time of its asset.
    context = before[patch["offset"] - 30:patch["offset"] + 4]
    assert after.count(context) == 1, after.count(context)
    offset = after.index(context) + 30
    with open(path, "w") as file: file.write(text.replace(f'"offset": {patch["offset"]}', f'"offset": {offset}'))
    sums = []
    for line in open(vectors + "/SHA256SUMS"):
        name = line[66:].rstrip("\n")
        if name.startswith("bases/") or name == "library-bad-catalogue-row/expected.json":
            with open(f"{vectors}/{name}", "rb") as file: line = f"{hashlib.sha256(file.read()).hexdigest()}  {name}\n"
        sums.append(line)
    with open(vectors + "/SHA256SUMS", "w") as file: file.writelines(sums)


main()
