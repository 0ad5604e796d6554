#!/usr/bin/env python3
"""Compares what two Debian releases make of the same media.

compare-releases.py record PROGRAMS CORPORA FOLDER   Imports each folder of CORPORA three times (keep,
    strip, strip with everything excepted), one item at a time, and leaves in FOLDER the libraries and
    their records: originals, rows of the catalogue, log and report, without times and identifiers.
compare-releases.py compare FOLDER FOLDER [RESULT]   Prints each difference and exits 1 if there is one
    that EXCEPTIONS does not name. Thumbnails are compared as pictures: RESULT gets their distance by
    format. The exceptions that applied are counted; one that no longer applies is an error, too.
"""

import collections
import fnmatch
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys

sys.dont_write_bytecode = True
from comparing import digest, import_media  # noqa: E402

EVERYTHING = [
    "creationDate", "copyright", "camera", "lens", "caption", "rating", "location", "hdrGainMap",
    "contentCredentials",
]
CONFIGURATIONS = {
    "keep": {"policy": "keep"},
    "strip": {"policy": "strip"},
    "except": {"policy": "strip", "except": EVERYTHING},
}
THUMBNAILS = {"fill": {"size": [256, 256], "contentMode": "aspectFill"}}

# Items that the decoders of one release read and those of the other do not: see docs/formats.md. Each
# row is a pattern of CORPUS/PATH and the reason.
EXCEPTIONS = [
    ("second/formats/hopper.Lab.tif", "Lab: ImageMagick 7's coder wants a temporary file"),
    ("second/formats/lab*.tif", "Lab: ImageMagick 7's coder wants a temporary file"),
    ("second/formats/uncompressed_la.dds", "gray with alpha: read by ImageMagick 7"),
    ("third/libjxl+testdata/jxl/boxes/square-extended-size-container.jxl", "read by libjxl 0.11"),
    ("third/libjxl+testdata/jxl/splines.jxl", "read by libjxl 0.11"),
    ("visible/raw/DNG.dng", "pixels are cut off: LibRaw 0.21 finds another preview"),
    ("visible/raw/Nikon.nef", "pixels are cut off: LibRaw 0.21 finds another preview"),
    ("second/-", "the counts of the items above"),
    ("third/-", "the counts of the items above"),
    ("visible/-", "the counts of the items above"),
]

# What a run draws at random, reads from the clock or names after either.
VOLATILE = {
    "time", "prev", "run", "seq", "salt", "host", "device", "inode", "asset", "key", "library", "root",
    "head", "keys", "digestKeyCheck", "manifestBytes", "firstAccess", "resolvedPath", "started", "ended", "seconds",
    "milliseconds", "durationSeconds",
    "localIdentifier", "saved", "id", "digest", "identifier", "epoch", "auditHead", "auditRoot", "auditTree",
    "auditFile", "auditBytes", "opened", "modified", "changed", "manifestSHA256", "conditions",
    "writtenUnder", "sourceHMAC", "contentIdentifierHMAC", "burstIdentifierHMAC", "contentDigest", "burstDigest",
    "listSHA256", "made", "catalogue", "file", "files", "size64", "sourceDigest", "thumbHash", "perceptualHash",
    "contentIdentifier", "burst", "bytesRead",
}
# Of a thumbnail: what is left is its name and its size in pixels.
OF_THUMBNAIL = {"sha256", "bytes", "path"}


def plain(value, inside=None):
    """The value without what differs from run to run."""
    if isinstance(value, dict):
        dropped = VOLATILE | (OF_THUMBNAIL if inside == "thumbnails" else set())
        if "thumbnailBytes" in value:
            dropped = dropped | {"thumbnailBytes"}
        return {k: plain(v, k) for k, v in sorted(value.items()) if k not in dropped}
    if isinstance(value, list):
        return [plain(item, inside) for item in value]
    if isinstance(value, str) and value.startswith(("Originals/", "Thumbnails/")):
        return value.split("/")[0] + "/…/" + label(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    return value


def label(path):
    """A published path without the time of its import."""
    name = path.rsplit("/", 1)[-1]
    return name.split(" ", 1)[-1] if path.startswith("Thumbnails/") else name


def manifest(corpus, configuration):
    return {
        "usageDescriptions": {"NSPhotoLibraryUsageDescription": "Two releases are compared."},
        "sources": {"library": {"path": corpus, "authorizationStatus": "authorized"}},
        "metadata": CONFIGURATIONS[configuration],
        "thumbnails": THUMBNAILS,
    }


def record(programs, corpus, configuration, folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    library, catalogue, environment = import_media(
        programs, folder, manifest(corpus, configuration), f"{configuration} of {corpus}",
        "--no-input", "--workers", "1", TZ="UTC")
    catalogue.row_factory = sqlite3.Row
    lines, thumbnails = [], []
    above = os.path.dirname(corpus)
    # An asset is known by the file that its first resource came from.
    names = {}
    for row in catalogue.execute("SELECT asset, sourcePath FROM resources ORDER BY id"):
        names.setdefault(row["asset"], plain(bytes(row["sourcePath"])))
    # Under strip both halves of a live photo get a new content identifier, which is random.
    renewed = {plain(bytes(row[0])) for row in catalogue.execute(
        "SELECT sourcePath FROM resources WHERE asset IN (SELECT asset FROM resources JOIN assets "
        "ON assets.id = asset WHERE role = 'pairedVideo' AND policy <> 'keep')")}

    def add(kind, name, value):
        text = json.dumps(value, sort_keys=True, ensure_ascii=False)
        if name in renewed:
            text = re.sub(r'"(content|sha256)": "[0-9a-f]+"', r'"\1": "of a renewed identifier"', text)
        lines.append(f"{kind}\t{name}\t{text.replace(above + '/', '/').replace(folder + '/', '/')}")

    for row in catalogue.execute("SELECT path, outcome, reason, asset FROM items"):
        add("item", plain(row["path"]), [plain(row["outcome"]), plain(row["reason"]),
                                         names.get(row["asset"])])
    for row in catalogue.execute("SELECT * FROM assets"):
        values = {k: plain(row[k]) for k in row.keys() if k not in ("id", "olderVersion")}
        add("asset", names.get(row["id"]), plain(values))
    for row in catalogue.execute("SELECT * FROM resources"):
        add("resource", names[row["asset"]], {
            "role": plain(row["role"]), "format": plain(row["format"]), "bytes": row["bytes"],
            "sourcePath": plain(row["sourcePath"]),
            "content": digest(os.path.join(os.fsencode(library), row["path"])),
            "label": label(plain(row["path"]))})
    for row in catalogue.execute("SELECT * FROM tracks"):
        add("track", names[row["asset"]], plain({k: plain(row[k]) for k in row.keys() if k != "asset"}))
    for row in catalogue.execute("SELECT * FROM thumbnails"):
        add("thumbnail", names[row["asset"]], {
            "name": plain(row["name"]), "width": row["width"], "height": row["height"]})
        thumbnails.append([names[row["asset"]], plain(row["name"]), plain(row["path"])])
    audit = os.path.join(library, "Audit")
    for name in sorted(os.listdir(audit)):
        if name.endswith(".ndjson"):
            with open(os.path.join(audit, name), encoding="utf-8") as file:
                for line in file:
                    entry = json.loads(line)
                    about = entry["path"] if entry["event"] != "source" and "path" in entry else "-"
                    add("log", about, plain(entry))
    done = subprocess.run([os.path.join(programs, "mediabatch"), "report", library, "--format", "json"],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
    report = json.loads(done.stdout)
    for item in report.pop("items"):
        add("report", item["path"], plain(item))
    add("report", "-", plain(report))
    formats = {}
    for row in catalogue.execute("SELECT asset, format FROM resources ORDER BY id"):
        formats.setdefault(names[row["asset"]], plain(row["format"]))
    with open(os.path.join(folder, "record"), "w", encoding="utf-8") as file:
        file.write("\n".join(sorted(lines)) + "\n")
    with open(os.path.join(folder, "thumbnails.json"), "w", encoding="utf-8") as file:
        json.dump({"thumbnails": thumbnails, "formats": formats}, file)
    return len(lines)


def record_all(programs, corpora, folder):
    folder = os.path.realpath(folder)
    for name in sorted(os.listdir(corpora)):
        corpus = os.path.join(os.path.realpath(corpora), name)
        if os.path.isdir(corpus):
            for configuration in CONFIGURATIONS:
                count = record(programs, corpus, configuration, os.path.join(folder, name, configuration))
                print(f"compare-releases: {name} {configuration}: {count} records", flush=True)


def distance(one, other):
    """Peak signal to noise in decibels; 99 for equal pictures, 0 for pictures of other sizes."""
    import numpy
    from PIL import Image
    pictures = [numpy.asarray(Image.open(path).convert("RGBA"), dtype=float) for path in (one, other)]
    if pictures[0].shape != pictures[1].shape:
        return 0.0
    error = ((pictures[0] - pictures[1]) ** 2).mean()
    return 99.0 if error == 0 else min(99.0, 10 * numpy.log10(255 ** 2 / error))


def compare(one, other, result):
    used, differences, compared = collections.Counter(), [], 0
    distances = collections.defaultdict(list)
    runs = sorted(os.path.relpath(path, one) for path, _, names in os.walk(one) if "record" in names)
    for run in runs:
        corpus = run.split("/")[0]
        sides = []
        for folder in (one, other):
            with open(os.path.join(folder, run, "record"), encoding="utf-8") as file:
                sides.append(collections.Counter(file.read().splitlines()))
        compared += sum(sides[0].values())
        for sign, lines in (("-", sides[0] - sides[1]), ("+", sides[1] - sides[0])):
            for line in lines:
                kind, name, _ = line.split("\t", 2)
                pattern = next((p for p, _ in EXCEPTIONS if fnmatch.fnmatch(f"{corpus}/{name}", p)), None)
                if pattern:
                    used[pattern] += 1
                else:
                    differences.append(f"{sign} {run}\t{line}")
        tables = []
        for folder in (one, other):
            with open(os.path.join(folder, run, "thumbnails.json"), encoding="utf-8") as file:
                tables.append(json.load(file))
        paths = [{(asset, name): path for asset, name, path in table["thumbnails"]} for table in tables]
        for key in paths[0].keys() & paths[1].keys():
            files = [os.path.join(folder, run, "Library", table[key])
                     for folder, table in zip((one, other), paths)]
            distances[tables[0]["formats"][key[0]]].append((distance(*files), f"{corpus}/{key[0]}"))
    for line in sorted(differences, key=lambda line: line.split("\t", 1)[1]):
        print(line)
    rows = ["| format | thumbnails | equal | lowest PSNR (dB) | of |", "|---|---|---|---|---|"]
    for name, found in sorted(distances.items()):
        lowest = min(found)
        rows.append(f"| {name} | {len(found)} | {sum(1 for d, _ in found if d == 99.0)} | "
                    f"{lowest[0]:.1f} | {'-' if lowest[0] == 99.0 else lowest[1]} |")
    print("\n".join(rows))
    if result:
        with open(result, "w", encoding="utf-8") as file:
            file.write("\n".join(rows) + "\n")
    unused = [pattern for pattern, _ in EXCEPTIONS if not used[pattern]]
    for pattern, reason in EXCEPTIONS:
        print(f"exception {pattern}: {used[pattern]} records ({reason})")
    print(f"compare-releases: {compared} records, {sum(used.values())} of exceptions, "
          f"{len(differences)} differ, {len(unused)} exceptions apply no longer")
    sys.exit(1 if differences or unused or not compared else 0)


def main():
    if len(sys.argv) == 5 and sys.argv[1] == "record":
        record_all(*sys.argv[2:])
    elif len(sys.argv) in (4, 5) and sys.argv[1] == "compare":
        compare(sys.argv[2], sys.argv[3], sys.argv[4] if len(sys.argv) == 5 else None)
    else:
        sys.exit(__doc__)


main()
