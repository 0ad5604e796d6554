#!/usr/bin/env python3
"""Media, a manifest and a comparison for the tests with schedulers.

fixture.py make FOLDER COUNT     COUNT different pictures in FOLDER/media, two files of which another one
                                 has the content, a damaged file, and FOLDER/manifest.json.
fixture.py compare LIBRARY…      Exits with 1 unless all libraries publish the same files: labels, thumbnail
                                 names and contents, whatever the folders of times are, and have the same
                                 outcomes of the same source files.
fixture.py outcomes LIBRARY      Prints a line for each source file: "PATH: OUTCOME REASON".
"""

import collections
import hashlib
import json
import os
import re
import sqlite3
import sys

# ITU-T T.81, K.3.3: how many codes of each length there are for DC differences of 0 to 11 bits, and the
# first codes. Of AC there is one code, for the end of a block.
DC_BITS = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
DC_CODES = ["00", "010", "011", "100", "101", "110", "1110", "11110", "111110"]
AC_BITS = [0, 1] + [0] * 14
END_OF_BLOCK = "00"


def segment(marker, body):
    return bytes([0xFF, marker]) + (len(body) + 2).to_bytes(2, "big") + body


def picture(number):
    """A baseline JPEG of 32 by 16 gray pixels, whose eight blocks of one gray spell the number."""
    values = [(number * 7 + block * block * 31 + 13 * (number >> block & 1)) % 120 - 60 for block in range(8)]
    bits, previous = "", 0
    for value in values:
        difference, previous = value - previous, value
        size = abs(difference).bit_length()
        bits += DC_CODES[size]
        if size:
            bits += format(difference if difference > 0 else difference + (1 << size) - 1, f"0{size}b")
        bits += END_OF_BLOCK
    bits += "1" * (-len(bits) % 8)
    data = int(bits, 2).to_bytes(len(bits) // 8, "big").replace(b"\xff", b"\xff\x00")
    return (
        b"\xff\xd8"
        + segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0")
        + segment(0xFE, f"picture {number}".encode())
        + segment(0xDB, bytes([0] + [8] * 64))
        + segment(0xC0, bytes([8, 0, 16, 0, 32, 1, 1, 0x11, 0]))
        + segment(0xC4, bytes([0x00] + DC_BITS + list(range(12))))
        + segment(0xC4, bytes([0x10] + AC_BITS + [0]))
        + segment(0xDA, bytes([1, 1, 0x00, 0, 63, 0]))
        + data
        + b"\xff\xd9"
    )


def write(path, data, number):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)
    # Distinct times, so that nothing depends on when the test was started.
    os.utime(path, (1546300800 + number * 60,) * 2)


def make(folder, count):
    media = os.path.join(folder, "media")
    # What a shell, a list of rclone or a workflow could take for something else.
    folders = ["2019/01 harbour", "2019/02 it's $HOME", "# notes/2020", "2020/{x} 100%"]
    for number in range(count):
        name = f"{folders[number % len(folders)]}/IMG_{number:04}.jpg"
        write(os.path.join(media, name), picture(number), number)
    for number in (1, count // 2):
        write(os.path.join(media, f"again/copy_{number:04}.jpg"), picture(number), number)
    write(os.path.join(media, "2021/damaged.jpg"), picture(count)[:60], count)
    manifest = {
        "version": 1,
        "client": {"identifier": "org.example.schedulers", "name": "Test of schedulers"},
        "usageDescriptions": {"NSPhotoLibraryUsageDescription": "Photos of an archive are imported on several machines."},
        "sources": {"library": {"path": "media", "authorizationStatus": "authorized"}},
        "metadata": {"policy": "keep"},
        "thumbnails": {"grid": {"size": [16, 16], "contentMode": "aspectFill"}},
        "output": {"path": "Library"},
    }
    with open(os.path.join(folder, "manifest.json"), "w", encoding="utf-8") as file:
        json.dump(manifest, file, indent=2)


def published(library):
    """How often each (kind, label, SHA-256) occurs."""
    files = collections.Counter()
    for kind in ("Originals", "Thumbnails"):
        for folder, _, names in os.walk(os.path.join(library, kind)):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    digest = hashlib.sha256(file.read()).hexdigest()
                place = os.path.relpath(folder, library).split(os.sep)
                # Thumbnails/grid/DAY/TIME LABEL, Originals/DAY/TIME/LABEL
                kept = "/".join(place[:2]) if kind == "Thumbnails" else kind
                label = re.sub(r"^\d{6}\.\d{6} ", "", name) if kind == "Thumbnails" else name
                files[kept, label, digest] += 1
    return files


def outcomes(library):
    """The outcome of each source file; whether a duplicate has an asset, and which label that has."""
    catalogue = sqlite3.connect(os.path.join(library, "library.sqlite"))
    try:
        rows = catalogue.execute("""
            SELECT outcomes.path, outcome, reason, outcomes.bytes, label FROM outcomes
            LEFT JOIN photos ON photos.asset = outcomes.asset ORDER BY 1""")
        return [tuple(row) for row in rows]
    finally:
        catalogue.close()


def content(library):
    files = published(library)
    for path, *values in outcomes(library):
        files["outcome", path, *values] += 1
    return files


def compare(libraries):
    first = content(libraries[0])
    if not first:
        sys.exit(f"compare: {libraries[0]} has no files")
    for library in libraries[1:]:
        other = content(library)
        if other != first:
            for name, files in (("only in the first", first - other), ("only in the other", other - first)):
                for entry in sorted(files, key=str)[:5]:
                    print(f"compare: {name}: {entry}", file=sys.stderr)
            sys.exit(f"compare: {library} is not {libraries[0]}")
    print(f"compare: {sum(first.values())} files and outcomes in each of {len(libraries)} libraries, all the same")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["make", folder, count]:
            make(folder, int(count))
        case ["compare", first, *others] if others:
            compare([first, *others])
        case ["outcomes", library]:
            for path, outcome, reason, *_ in outcomes(library):
                print(f"{path}: {outcome} {reason or ''}".rstrip())
        case _:
            sys.exit(__doc__)
