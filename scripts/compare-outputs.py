#!/usr/bin/env python3
"""Records what the programs make of a folder of media, or compares it with an earlier record.

compare-outputs.py PROGRAMS CORPUS --write FILE   Writes the record.
compare-outputs.py PROGRAMS CORPUS --check FILE   Exits 1 and names each file whose outputs differ.

The record has one line a configuration and source file: the outcome, and the SHA-256 of each
published resource, of each thumbnail, and of what `inspect` lists. A live photo's renewed content
identifier is random: its resources are recorded by their length.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from comparing import digest, import_media  # noqa: E402

THUMBNAILS = {
    "fill": {"size": [256, 256], "contentMode": "aspectFill"},
    "fit": {"size": [300, 200], "format": "webp"},
    "png": {"size": [64, 64], "format": "png", "colorSpace": "sRGB"},
}
EXCEPT_ALL = [
    "creationDate", "copyright", "camera", "caption", "rating", "location", "hdrGainMap",
    "contentCredentials",
]
CONFIGURATIONS = {
    "strip": {"metadata": {"policy": "strip"}, "thumbnails": THUMBNAILS},
    "except": {"metadata": {"policy": "strip", "except": EXCEPT_ALL}},
    "coarse": {"metadata": {"policy": "strip", "except": [{"location": "coarse"}, "copyright"]}},
    "keep": {
        "metadata": {"policy": "keep"}, "thumbnails": THUMBNAILS, "acceptDamaged": True,
    },
    "mute": {"metadata": {"policy": "keep"}, "mute": True},
}
USAGE = {
    "NSCameraUsageDescription": "Outputs of two builds are compared.",
    "NSPhotoLibraryUsageDescription": "Outputs of two builds are compared.",
    "NSMicrophoneUsageDescription": "Outputs of two builds are compared.",
}


def manifest(name, corpus):
    settings = dict(CONFIGURATIONS[name])
    made = {
        "usageDescriptions": USAGE,
        "sources": {"library": {"path": corpus, "authorizationStatus": "authorized"}},
    }
    if settings.pop("mute", False):
        made["sources"] = {
            "camera": {
                "path": corpus, "authorizationStatus": "authorized",
                "capture": {"mode": "photoAndVideo"},
            },
            "microphone": {"authorizationStatus": "denied"},
        }
        made["onMicrophoneRefused"] = "mute"
    made.update(settings)
    return made


def shown(raw):
    return raw.decode("utf-8", "backslashreplace").replace("\t", "\\t").replace("\n", "\\n")


def outputs(programs, corpus, name):
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        library, catalogue, _ = import_media(programs, folder, manifest(name, corpus), name)
        # Of equal files, which one is the asset and which the duplicate depends on timing.
        random = {row[0] for row in catalogue.execute(
            "SELECT asset FROM resources JOIN assets ON assets.id = asset "
            "WHERE role = 'pairedVideo' AND policy != 'keep'")}
        by_asset = {}
        for asset, role, path, size in catalogue.execute(
                "SELECT asset, role, path, bytes FROM resources WHERE superseded = 0"):
            content = f"{size} bytes" if asset in random else digest(os.path.join(os.fsencode(library), path))
            by_asset.setdefault(asset, []).append(f"{role.decode() if isinstance(role, bytes) else role}={content}")
        for asset, kind, path in catalogue.execute(
                "SELECT asset, name, path FROM thumbnails WHERE superseded = 0"):
            by_asset.setdefault(asset, []).append(
                f"thumbnail {kind.decode()}={digest(os.path.join(os.fsencode(library), path))}")
        for path, outcome, reason, asset in catalogue.execute(
                "SELECT path, outcome, reason, asset FROM items"):
            outcome = outcome.decode() if isinstance(outcome, bytes) else str(outcome)
            outcome = {"duplicate": "imported"}.get(outcome, outcome)
            reason = (reason or b"").decode() if isinstance(reason, (bytes, type(None))) else str(reason)
            reason = "" if reason == "duplicate" else reason
            lines.append("\t".join(
                [name, shown(path), outcome, reason, " ".join(sorted(by_asset.get(asset, [])))]))
    return lines


def listings(programs, corpus):
    """What `inspect` says of each file; 200 files a call, since its arguments are bounded."""
    paths = []
    for folder, _, names in os.walk(os.fsencode(corpus)):
        paths += [os.path.join(folder, name) for name in names]
    paths.sort()
    lines = []
    root = len(os.fsencode(corpus)) + 1
    for start in range(0, len(paths), 200):
        part = paths[start:start + 200]
        done = subprocess.run(
            [os.path.join(programs, "mediabatch"), "inspect", "--format", "json", "--show-values",
             *part], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        files = json.loads(done.stdout)["files"]
        for path, file in zip(part, files):
            text = json.dumps(file, sort_keys=True)
            lines.append(f"inspect\t{shown(path[root:])}\t"
                         + hashlib.sha256(text.encode()).hexdigest()[:32])
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("programs")
    parser.add_argument("corpus")
    parser.add_argument("--only", action="append", help="a configuration, or inspect")
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--write", metavar="FILE")
    mode.add_argument("--check", metavar="FILE")
    arguments = parser.parse_args()
    corpus = os.path.realpath(arguments.corpus)
    wanted = arguments.only or [*CONFIGURATIONS, "inspect"]
    lines = []
    for name in wanted:
        lines += (listings(arguments.programs, corpus) if name == "inspect"
                  else outputs(arguments.programs, corpus, name))
    lines.sort()
    if arguments.write:
        with open(arguments.write, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        print(f"recorded {len(lines)} results in {arguments.write}")
        return
    with open(arguments.check, encoding="utf-8") as file:
        before = {tuple(line.split("\t")[:2]): line for line in file.read().splitlines()}
    after = {tuple(line.split("\t")[:2]): line for line in lines}
    before = {key: line for key, line in before.items() if key[0] in wanted}
    differing = [key for key in sorted(before.keys() | after.keys())
                 if before.get(key) != after.get(key)]
    for key in differing:
        print(f"before: {before.get(key, 'nothing')}\n after: {after.get(key, 'nothing')}")
    print(f"compared {len(after)} results: {len(differing)} differ")
    sys.exit(1 if differing or not after else 0)


main()
