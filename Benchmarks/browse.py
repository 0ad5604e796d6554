#!/usr/bin/env python3
"""Times `mediabatch list` and `mediabatch albums` on a library of many assets.

Benchmarks/browse.py PROGRAM [COUNT] [REPEATS]

One photo is imported; its rows in the catalogue are then repeated by SQL with other identifiers, dates,
sizes and folders, so that no file has to be made. Prints a Markdown table: the medians of the processor
time and of the wall-clock time in seconds, the range of the latter, and the lines that were printed.
"""

import json
import os
import pathlib
import sqlite3
import statistics
import sys
import tempfile

import process

PHOTO = pathlib.Path(__file__).parent.parent / "Manifests/media/Photos/2026/harbour.jpg"
QUERIES = [
    ["list", "--limit", "100"],
    ["list", "--where", "mediaType == video AND duration > 5", "--limit", "100"],
    ["list", "--where", "creationDate BETWEEN {2019-07-01, 2019-08-01} AND pixelWidth > pixelHeight"],
    ["list", "--where", "(mediaSubtypes & photoLive) != 0", "--limit", "100"],
    ["list", "--where", "label CONTAINS[cd] 'hafen 99'", "--sort", "label"],
    ["list", "--where", "path BEGINSWITH 'folder 7/'", "--sort", "duration:descending", "--limit", "100"],
    ["list", "--album", "Videos", "--limit", "100"],
    ["list", "--format", "paths0"],
    ["list", "--format", "ndjson"],
    ["albums"],
]
ROWS = """
    PRAGMA recursive_triggers = OFF;
    CREATE TEMP TABLE n AS WITH RECURSIVE c(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM c WHERE i < {count})
      SELECT i FROM c;
    INSERT INTO assets (id, localIdentifier, saved, label, mediaType, source, sourceName, policy, pixelWidth,
        pixelHeight, orientation, durationMilliseconds, creationDate, degraded, run)
      SELECT i, printf('%08d-0000-4000-8000-000000000000', i), saved, 'Häfen ' || i,
        iif(i % 10 = 0, 'video', 'image'), source, sourceName, policy, 3000 + i % 2000, 4000, 1,
        iif(i % 10 = 0, i % 20000, NULL),
        iif(i % 50 = 0, NULL, strftime('%Y-%m-%dT%H:%M:%S', 1500000000 + i * 997, 'unixepoch')), 0, run
      FROM assets, n WHERE id = 1;
    INSERT INTO resources (asset, role, path, format, bytes, sha256, sourceDigest, source, sourceName,
        sourcePath)
      SELECT i, 'photo', 'Originals/' || i || '/Häfen ' || i || '.jpg', format, bytes, sha256, sourceDigest,
        source, sourceName, CAST('folder ' || (i % 500) || '/' || i || '.jpg' AS BLOB)
      FROM resources, n WHERE id = 1;
    INSERT INTO resources (asset, role, path, format, bytes, sha256, sourceDigest, source, sourceName,
        sourcePath)
      SELECT i, 'pairedVideo', 'Originals/' || i || '/Häfen ' || i || '.mov', 'mov', bytes, sha256,
        sourceDigest, source, sourceName, CAST('folder ' || (i % 500) || '/' || i || '.mov' AS BLOB)
      FROM resources, n WHERE id = 1 AND i % 7 = 0;
    INSERT INTO items (source, sourceName, path, device, inode, size, modified, changed, outcome, writtenUnder,
        asset, run)
      SELECT source, sourceName, CAST('folder ' || (i % 500) || '/' || i || '.jpg' AS BLOB), device, i, size, modified,
        changed, outcome, writtenUnder, i, run
      FROM items, n WHERE asset = 1;
    UPDATE runs SET albumsFromFolders = 1;
"""


def main():
    program = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    repeats = int(sys.argv[3]) if len(sys.argv) > 3 else 9
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(f"{folder}/photos")
        with open(f"{folder}/photos/a.jpg", "wb") as file:
            file.write(PHOTO.read_bytes())
        manifest = {
            "version": 1, "client": {"identifier": "org.example.browse"},
            "usageDescriptions": {"NSPhotoLibraryUsageDescription": "A benchmark."},
            "sources": {"library": {"path": "photos", "authorizationStatus": "authorized"}},
            "metadata": {"policy": "keep"}, "output": {"path": "Library"},
        }
        with open(f"{folder}/manifest.json", "w", encoding="utf-8") as file:
            json.dump(manifest, file)
        process.check([program, "run", "manifest.json"], folder=folder)
        database = sqlite3.connect(f"{folder}/Library/library.sqlite", isolation_level=None)
        for name in ("rowInserted", "rowDeleted", "rowUpdated", "valueDigest", "rowIsWhole"):
            database.create_function(name, -1, lambda *values: 0)
        database.executescript(ROWS.format(count=count))
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.close()
        print(f"{count} assets, load before: {os.getloadavg()[0]:.2f}\n")
        print("| command | processor s | wall s | range | lines |\n|---|---|---|---|---|")
        for query in QUERIES:
            command = [program, query[0], "Library"] + query[1:]
            results = [process.run(command, folder=folder) for _ in range(repeats)]
            if any(result.status != 0 for result in results):
                sys.exit(f"{query}: {results[-1].error[-500:]}")
            times = [result.seconds for result in results]
            used = statistics.median(result.processor for result in results)
            lines = results[-1].output.count("\0" if "paths0" in query else "\n")
            words = " ".join(f"'{word}'" if " " in word else word for word in query)
            print(
                f"| `{words}` | {used:.2f} | {statistics.median(times):.2f} | {min(times):.2f}–{max(times):.2f} "
                f"| {lines} |")


main()
