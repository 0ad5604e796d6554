#!/usr/bin/env python3
"""Measures the memory of `mediabatch export` and `gallery` on a library of many assets.

Benchmarks/memory.py PROGRAM [COUNT] [FOLDER]

One picture is imported with two thumbnails; its rows in the catalogue are then repeated by SQL with other
identifiers, labels and dates, and its files by copies, so that no import of all is needed. The library
stays in FOLDER and is used again if it is there; a file system in memory makes it fast. Prints a Markdown
table: the peak of the sum of Pss over all processes, read every 20 ms, the peak of the coordinator's Rss, and
seconds.
"""

import json
import os
import pathlib
import shutil
import sqlite3
import sys
import tempfile

import process

COMMANDS = [
    ["export", "Library", "out", "--as", "hardlink"],
    ["export", "Library", "out", "--as", "copy", "--bag", "--ro-crate"],
    ["export", "Library", "out", "--as", "copy", "--bag", "--ro-crate"],
    ["gallery", "Library", "site", "--as", "hardlink"],
    ["gallery", "Library", "site", "--as", "hardlink"],
]
KEY = "printf('%08x-0000-4000-8000-000000000000', i * 40503 % 4294967296)"
ROWS = f"""
    PRAGMA recursive_triggers = OFF;
    CREATE TEMP TABLE n AS WITH RECURSIVE c(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM c WHERE i < {{count}})
      SELECT i FROM c;
    INSERT INTO assets (id, localIdentifier, saved, label, mediaType, source, sourceName, policy, pixelWidth,
        pixelHeight, orientation, creationDate, camera, degraded, run)
      SELECT i, {KEY}, saved, 'Häfen ' || i, mediaType, source, sourceName, policy, pixelWidth, pixelHeight,
        orientation,
        iif(i % 50 = 0, NULL, strftime('%Y-%m-%dT%H:%M:%S', 1500000000 + i * 997, 'unixepoch')),
        'Apple iPhone 12', 0, run
      FROM assets, n WHERE id = 1;
    INSERT INTO resources (asset, role, path, format, bytes, sha256, sourceDigest, source, sourceName,
        sourcePath)
      SELECT i, role, 'Originals/' || (i % 1000) || '/Häfen ' || i || '.jpg', format, bytes, sha256, sourceDigest,
        source, sourceName, CAST('folder ' || (i % 500) || '/' || i || '.jpg' AS BLOB)
      FROM resources, n WHERE resources.asset = 1;
    INSERT INTO thumbnails (asset, name, path, width, height, bytes, sha256, fingerprint, thumbHash)
      SELECT i, name, 'Thumbnails/' || (i % 1000) || '/' || i || '.' || name || '.jpg', width, height, bytes, sha256,
        fingerprint, thumbHash
      FROM thumbnails, n WHERE thumbnails.asset = 1;
    INSERT INTO items (source, sourceName, path, device, inode, size, modified, changed, outcome, writtenUnder,
        asset, run)
      SELECT source, sourceName, CAST('folder ' || (i % 500) || '/' || i || '.jpg' AS BLOB), device, i, size, modified,
        changed, outcome, writtenUnder, i, run
      FROM items, n WHERE asset = 1;
    UPDATE runs SET albumsFromFolders = 1;
"""


def make_library(program, folder, count):
    """Imports one picture, and repeats its rows and files."""
    (folder / "photos").mkdir(parents=True)
    process.check(["convert", "-size", "512x384", "gradient:red-blue", "-strip", f"{folder}/photos/a.jpg"])
    manifest = {
        "version": 1, "client": {"identifier": "org.example.memory"},
        "usageDescriptions": {"NSPhotoLibraryUsageDescription": "A benchmark."},
        "sources": {"library": {"path": "photos", "authorizationStatus": "authorized"}},
        "thumbnails": {name: {"size": [side, side], "contentMode": "aspectFit"}
                       for name, side in (("tile", 256), ("view", 512))},
        "metadata": {"policy": "keep"}, "output": {"path": "Library"},
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))
    process.check([program, "run", f"{folder}/manifest.json"])
    database = sqlite3.connect(folder / "Library/library.sqlite", isolation_level=None)
    for name in ("rowInserted", "rowDeleted", "rowUpdated", "valueDigest", "rowIsWhole"):
        database.create_function(name, -1, lambda *values: 0)
    database.executescript(ROWS.format(count=count))
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for table in ("resources", "thumbnails"):
        rows = database.execute(f"SELECT sha256, path FROM {table} ORDER BY id")
        content = {}
        for digest, path in rows:
            file = folder / "Library" / path
            if digest not in content:
                content[digest] = file.read_bytes()
                continue
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(content[digest])
    database.close()


def main():
    program = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(sys.argv[3] if len(sys.argv) > 3 else temporary).resolve() / str(count)
        os.environ["XDG_DATA_HOME"] = str(folder / "data")
        if not (folder / "Library").exists():
            make_library(program, folder, count)
        os.chdir(folder)
        print("| command | Pss of all, MB | Rss of the coordinator, MB | s |\n|---|---|---|---|")
        for number, command in enumerate(COMMANDS):
            again = number > 0 and COMMANDS[number - 1] == command
            if not again:
                shutil.rmtree(command[2], ignore_errors=True)
            own = 0

            def sample(pid):
                nonlocal own
                own = max(own, process.highest_rss(pid))
                return process.all_pss(pid)

            result = process.run([program, *command], sample)
            if result.status != 0:
                sys.exit(f"{command}: {result.status} {result.error[-500:]}")
            print(f"| `{' '.join(command)}`{', again' if again else ''} | {result.peak / 1e6:.0f} | {own / 1e6:.0f} "
                  f"| {result.seconds:.1f} |", flush=True)


main()
