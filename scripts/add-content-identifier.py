#!/usr/bin/env python3
"""Gives a JPEG the EXIF block by which a live photo's still names its movie.

add-content-identifier.py IN.jpg OUT.jpg IDENTIFIER

The block holds an Apple maker note with one entry, 0x0011 (content identifier). exiftool edits
such a note and does not make one, hence this. Source: TIFF 6.0 section 2, EXIF 2.32 section 4.5.4;
the note's layout is what exiftool's Apple.pm reads ("Apple iOS", big-endian, offsets from its start).
"""

import struct
import sys

ASCII, LONG, UNDEFINED = 2, 4, 7


def entry(tag, kind, count, value):
    return struct.pack(">HHI", tag, kind, count) + value


def maker_note(identifier):
    head = b"Apple iOS\x00\x00\x01MM"
    text = identifier.encode("ascii") + b"\x00"
    offset = len(head) + 2 + 12 + 4
    pointer = struct.pack(">I", offset)
    return head + struct.pack(">H", 1) + entry(0x0011, ASCII, len(text), pointer) + bytes(4) + text


def exif_block(identifier):
    note = maker_note(identifier)
    first = 8
    second = first + 2 + 12 + 4
    data = second + 2 + 12 + 4
    tiff = b"MM\x00\x2a" + struct.pack(">I", first)
    tiff += struct.pack(">H", 1) + entry(0x8769, LONG, 1, struct.pack(">I", second)) + bytes(4)
    tiff += struct.pack(">H", 1)
    tiff += entry(0x927C, UNDEFINED, len(note), struct.pack(">I", data)) + bytes(4)
    body = b"Exif\x00\x00" + tiff + note
    return b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    with open(sys.argv[1], "rb") as file:
        picture = file.read()
    if picture[:2] != b"\xff\xd8":
        sys.exit(f"{sys.argv[1]}: not a JPEG")
    with open(sys.argv[2], "wb") as file:
        file.write(picture[:2] + exif_block(sys.argv[3]) + picture[2:])


main()
