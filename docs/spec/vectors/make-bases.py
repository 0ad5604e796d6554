#!/usr/bin/env python3
"""Makes the catalogues of the vectors' packed libraries anew in the schema of another catalogue, row by row.

make-bases.py VECTORS CATALOGUE [TABLE.NAME=FROM…]   VECTORS is docs/spec/vectors, CATALOGUE the library.sqlite that a run
has made: its tables, indexes and views are taken, and none of its rows. Columns are NULL where the old catalogue lacks
them, or have the values of the column FROM. Everything but `library.sqlite` of bases/*.tar.gz stays; the offset of
library-bad-catalogue-row is found anew, and SHA256SUMS has the new digests. Rows, digests and sums follow
docs/spec/catalogue.md, section 4."""
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


def remade(data, schema, sources):
    """The bytes of a catalogue with its rows in another schema."""
    with tempfile.TemporaryDirectory() as folder:
        old_path, new_path = folder + "/old", folder + "/new"
        with open(old_path, "wb") as file: file.write(data)
        old, new = sqlite3.connect(f"file:{old_path}?immutable=1", uri=True), sqlite3.connect(new_path, isolation_level=None)
        old.text_factory = new.text_factory = Text
        value = lambda name: old.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("page_size", "application_id", "user_version"): new.execute(f"PRAGMA {name} = {value(name)}")
        new.execute("BEGIN")
        has_sequence = any(name == "sqlite_sequence" for _, name, _ in schema)
        for _, name, sql in schema:
            if sql is not None and name != "sqlite_sequence": new.execute(sql)
        tables = {bytes(row[0]).decode() for row in old.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        sums = {}
        for kind, name, sql in schema:
            if kind != "table" or name in ("sqlite_sequence", "tableSums"): continue
            now = [bytes(row[1]).decode() for row in new.execute(f"PRAGMA table_info({name})")]
            counted, hashes = [one for one in now if one != "digest"], []
            without = "WITHOUT ROWID" in sql
            columns = [bytes(row[1]).decode() for row in old.execute(f"PRAGMA table_info({name})")]
            rows = f"SELECT {'' if without else 'rowid, '}{', '.join(columns)} FROM {name}" + ("" if without else " ORDER BY rowid")
            for row in old.execute(rows).fetchall() if name in tables else []:
                number, values = (None, row) if without else (row[0], row[1:])
                values = dict(zip(columns, values))
                for column in now:
                    if f"{name}.{column}" in sources: values[column] = values[sources[f"{name}.{column}"]]
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
        for name in sorted(sums): new.execute("INSERT INTO tableSums VALUES (?, ?, ?)", (name, *sums[name]))
        new.execute("COMMIT")
        new.execute("VACUUM")
        new.close()
        with open(new_path, "rb") as file: made = bytearray(file.read())
        made[18:20] = data[18:20]
        return bytes(made)


def main():
    vectors, catalogue, *words = sys.argv[1:]
    sources = dict(word.split("=") for word in words)
    with sqlite3.connect(f"file:{catalogue}?mode=ro", uri=True) as model:
        schema = model.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY rowid").fetchall()
    for base in sorted(os.listdir(vectors + "/bases")):
        path, buffer = f"{vectors}/bases/{base}", io.BytesIO()
        with tarfile.open(path) as old, tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as new:
            for member in old:
                data = old.extractfile(member).read() if member.isfile() else b""
                if member.name == "library.sqlite":
                    before, data = data, remade(data, schema, sources)
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


if __name__ == "__main__": main()
