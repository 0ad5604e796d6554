"""large.py LIBRARY COUNT: puts a run of COUNT imported assets behind what a library has."""
import hashlib, json, os, sqlite3, sys, uuid

library, count = sys.argv[1], int(sys.argv[2])
db = sqlite3.connect(library + "/library.sqlite")
row = db.execute(
    "SELECT auditFile, auditHead, auditBytes, id, client, manifestSHA256, auditSize, auditRoot"
    " FROM runs ORDER BY auditFile DESC"
).fetchone()
number = int(row[0].split("-")[0]) + 1
run = "%08x" % (0xABC00000 + number)
name = "%06d-%s.ndjson" % (number, run)
old = open(library + "/Audit/" + row[0], "rb").read().splitlines()
thumb = db.execute("SELECT path, bytes, sha256 FROM thumbnails ORDER BY bytes LIMIT 1").fetchone()
picture = open(library + "/" + thumb[0], "rb").read()
seq, prev, size = 0, row[1], 0
log = open(library + "/Audit/" + name, "wb")
second = 0


def add(record):
    global seq, prev, size
    seq += 1
    t = seq * 1000
    record.update(run=run, seq=seq, prev=prev, time="2026-11-20T%02d:%02d:%02d.%06dZ" % (
        t // 3600000000 % 24, t // 60000000 % 60, t // 1000000 % 60, t % 1000000))
    line = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    prev = hashlib.sha256(line).hexdigest()
    log.write(line + b"\n")
    size += len(line) + 1


opening = json.loads(old[0])
opening["file"] = name
opening["previous"] = {"file": row[0], "head": row[1], "bytes": row[2], "tornBytes": 0,
                       "size": row[6], "root": row[7]}
add(opening)
for line in old[1:]:
    record = json.loads(line)
    if record["event"] in ("decision", "source"):
        add(record)
hexa = hashlib.sha256(b"x").hexdigest()
with db:
    db.execute(
        "INSERT INTO runs (id, started, client, manifestSHA256, auditFile, auditRecords, auditBytes, auditHead)"
        " VALUES (?, '2026-11-20T00:00:00.000000Z', ?, ?, ?, 0, 0, '')", (run, row[4], row[5], name))
    base = db.execute("SELECT coalesce(max(id), 0) FROM assets").fetchone()[0]
    for start in range(0, count, 64):
        items = range(start, min(count, start + 64))
        for i in items:
            add({"event": "access", "source": "camera", "path": "%03dAPPLE/IMG_%06d.JPG" % (i // 1000, i),
                 "size": 4000000 + i, "modified": 1763689479000000000, "device": "2049", "inode": str(i),
                 "basis": "authorized"})
        for i in items:
            asset = str(uuid.UUID(int=i + (number << 100)))
            folder = "2026-11-20/%06d.%06d" % (i // 1000, i % 1000)
            original = "Originals/%s/IMG_%06d.jpg" % (folder, i)
            small = "Thumbnails/grid/%s IMG_%06d.jpg" % (folder, i)
            digest = hashlib.sha256(str(i).encode()).hexdigest()
            add({"event": "outcome", "source": "camera", "path": "%03dAPPLE/IMG_%06d.JPG" % (i // 1000, i),
                 "outcome": "imported", "asset": asset, "role": "photo", "metadataPolicy": "strip",
                 "output": {"path": original, "sha256": digest, "bytes": 3900000},
                 "removed": [{"name": "APP1 Exif", "count": 1}, {"name": "APP1 XMP", "count": 2}],
                 "sourceHMAC": hexa,
                 "thumbnails": [{"name": "grid", "path": small, "bytes": thumb[1], "sha256": thumb[2]}]})
            db.execute(
                "INSERT INTO assets (id, localIdentifier, saved, label, mediaType, source, sourceName, policy,"
                " orientation, degraded, run) VALUES (?, ?, '', ?, 'image', 'camera', 'camera', 'strip', 1, 0, ?)",
                (base + i + 1, asset, "IMG_%06d" % i, run))
            db.execute(
                "INSERT INTO resources (asset, role, path, format, bytes, sha256, sourceDigest, source,"
                " sourceName, sourcePath) VALUES (?, 'photo', ?, 'jpeg', 3900000, ?, x'00', 'camera', 'camera', x'00')", (base + i + 1, original, digest))
            db.execute(
                "INSERT INTO thumbnails (asset, name, fingerprint, path, width, height, bytes, sha256)"
                " VALUES (?, 'grid', 'f', ?, 32, 32, ?, ?)", (base + i + 1, small, thumb[1], thumb[2]))
            if i < 300:
                os.makedirs(os.path.dirname(library + "/" + small), exist_ok=True)
                open(library + "/" + small, "wb").write(picture)
    counts = {k: 0 for k in "imported unchanged duplicate skipped refused unsupported failed failedBefore".split()}
    counts["imported"] = counts["discovered"] = count
    add({"event": "end", "counts": counts, "degraded": 0, "thumbnails": count, "exitCode": 0})
    log.close()
    db.execute("UPDATE runs SET ended='2026-11-20T01:00:00.000000Z', exitCode=0, auditRecords=?, auditBytes=?,"
               " auditHead=? WHERE id=?", (seq, size, prev, run))
db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
db.close()
