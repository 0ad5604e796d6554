#!/usr/bin/env python3
"""Makes the vectors of a library with two sources of a kind, of the packed library `keep`, by the specification alone.

make-names.py VECTORS   VECTORS is docs/spec/vectors; each run makes the same bytes. Needs openssl, which signs. Of the one
source of `keep` it makes two, which share a path: their names are in the log, whose chain, tree and head are made anew, and
in the catalogue, whose rows, digests and sums are."""
import gzip, hashlib, importlib.util, io, json, os, shutil, sqlite3, struct, sys, tarfile, tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
# The source and the path of each file of `keep` now.
FILES = {"1.jpg": ("Card A", "1.jpg"), "2.jpg": ("Card A", "2.jpg"), "3.jpg": ("Card B", "1.jpg"), "notes.txt": ("Card B", "notes.txt")}


def module(name):
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), f"{HERE}/{name}.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


BASES, LOGS = module("make-bases"), module("make-logs")


def renamed(records):
    """The records of the log, with a decision and a listing of each source."""
    for record in records:
        if record["event"] in ("decision", "source"):
            for name in ("Card A", "Card B"):
                one = record | {"sourceName": name}
                if record["event"] == "source": one |= {"path": name, "resolvedPath": f"/home/somebody/{name}"}
                yield one
        elif "path" in record:
            name, path = FILES[record["path"]]
            yield record | {"sourceName": name, "path": path}
        else: yield record


def catalogue(data, log, tree):
    """The bytes of the catalogue with the sources, and with the log's end; and the digest of its content."""
    with tempfile.TemporaryDirectory() as folder:
        path = folder + "/library.sqlite"
        with open(path, "wb") as file: file.write(data)
        db = sqlite3.connect(path, isolation_level=None)
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("BEGIN")
        for old, (name, new) in FILES.items():
            old, new = old.encode(), new.encode()
            db.execute("UPDATE assets SET sourceName = ? WHERE id IN (SELECT asset FROM resources WHERE sourcePath = ?)", (name, old))
        for table, column in (("resources", "sourcePath"), ("items", "path")):
            for old, (name, new) in FILES.items():
                db.execute(f"UPDATE {table} SET sourceName = ?, {column} = ? WHERE {column} = ? AND sourceName = 'camera'", (name, new.encode(), old.encode()))
        if log:
            db.execute("UPDATE runs SET auditRecords = ?, auditBytes = ?, auditHead = ?, auditSize = ?, auditRoot = ?, auditTree = ?", log)
            db.execute("UPDATE batches SET firstAccess = 7")
        for table, in db.execute("SELECT name FROM tableSums").fetchall():
            columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
            if "digest" not in columns: continue
            counted = [one for one in columns if one != "digest"]
            keys = [row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[5]] or ["rowid"]
            hashes = []
            for row in db.execute(f"SELECT {', '.join(keys + counted)} FROM {table}").fetchall():
                values = [BASES.Text(one.encode()) if isinstance(one, str) else one for one in row[len(keys):]]
                hashes.append(BASES.row_hash(table, values))
                db.execute(f"UPDATE {table} SET digest = ? WHERE {' AND '.join(key + ' = ?' for key in keys)}",
                    (struct.unpack("<q", hashes[-1][:8])[0], *row[:len(keys)]))
            db.execute("UPDATE tableSums SET rowCount = ?, sum = ? WHERE name = ?", (*BASES.sum_of(hashes), table))
        content = hashlib.sha256(b"".join(f"{name} {count} ".encode() + total for name, count, total in db.execute(
            "SELECT name, rowCount, sum FROM tableSums WHERE name IN ('assets', 'items', 'resources', 'thumbnails', 'tracks') ORDER BY name")))
        db.execute("COMMIT")
        db.execute("VACUUM")
        db.close()
        with open(path, "rb") as file: made = bytearray(file.read())
        made[18:20] = data[18:20]
        return bytes(made), content.hexdigest()


def subtrees(leaves):
    """The hashes of the whole subtrees, the largest first."""
    if not leaves: return b""
    size = 1 << (len(leaves).bit_length() - 1)
    return LOGS.root(leaves[:size]) + subtrees(leaves[size:])


def main():
    vectors = sys.argv[1]
    with tarfile.open(vectors + "/bases/keep.tar.gz") as old: files = [(member, old.extractfile(member).read() if member.isfile() else b"") for member in old]
    names = {member.name: data for member, data in files}
    log_name = next(name for name in names if name.endswith(".ndjson"))
    records = [json.loads(line) for line in names[log_name].splitlines()]
    key = LOGS.Key("A")
    head, content, leaves = LOGS.ZEROS, b"", []
    _, sums = catalogue(names["library.sqlite"], None, None)
    for seq, record in enumerate(renamed(records), 1):
        record |= {"seq": seq, "prev": head}
        if record["event"] == "key": record["key"] = key.text
        if record["event"] == "end": record["catalogue"] = {"schema": "1 library", "sha256": sums}
        if "salt" in record or "sourceName" in record: record["salt"] = LOGS.digest(f"names {seq}")[:32]
        line = LOGS.canonical(record)
        head, content = LOGS.sha(line).hex(), content + line + b"\n"
        leaves.append(LOGS.sha(b"\0" + LOGS.committed(line)))
    tree = struct.pack(">7Q", 1, 1, 0, 1, len(leaves) + 1, len(content), len(leaves)) + subtrees(leaves)
    made, _ = catalogue(names["library.sqlite"], (len(leaves), len(content), head, len(leaves), LOGS.root(leaves).hex(), tree), None)
    changed = {log_name: content, "library.sqlite": made, log_name.replace("ndjson", "head"): LOGS.note(leaves, head, os.path.basename(log_name), key,
        names[".state/digest.key"].split(b"\n")[1].decode().removeprefix("library "))}
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as new:
        for member, data in files:
            data = changed.get(member.name, data)
            if member.isfile(): member.size = len(data)
            new.addfile(member, io.BytesIO(data))
    with open(vectors + "/bases/names.tar.gz", "wb") as file: file.write(gzip.compress(buffer.getvalue(), 9, mtime=0))
    offset = made.index(b"Card B1.jpg")
    values = [("library-good-source-names", "A library of one run with two sources of a kind, each with its name, which share a path.", {}, {}),
        ("library-bad-source-name-row", "A letter of a source's name is another in the catalogue.",
            {"patch": [{"path": "library.sqlite", "offset": offset + 5, "old": "42", "new": "43"}]}, {"problems": ["library.sqlite"]})]
    lines = [line for line in open(vectors + "/SHA256SUMS") if line[66:].split("/")[0] not in [value[0] for value in values] and "bases/names" not in line]
    written = ["bases/names.tar.gz"]
    for name, about, changes, expected in values:
        shutil.rmtree(f"{vectors}/{name}", ignore_errors=True)
        os.makedirs(f"{vectors}/{name}")
        value = {"schema": "mediabatch.vector/1", "kind": "library", "about": about, "base": "names", "changes": changes,
            "verdict": "refused" if expected else "good", "exitCode": 65 if expected else 0, "findings": [], "problems": [], "audit": None,
            "records": len(leaves)} | expected
        with open(f"{vectors}/{name}/expected.json", "w") as file: file.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")
        written.append(name + "/expected.json")
    for name in written:
        with open(f"{vectors}/{name}", "rb") as file: lines.append(f"{hashlib.sha256(file.read()).hexdigest()}  {name}\n")
    with open(vectors + "/SHA256SUMS", "w") as file: file.writelines(sorted(lines, key=lambda line: line[66:]))


if __name__ == "__main__": main()
