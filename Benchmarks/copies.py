"""Makes folders of one picture format, from copies of which no two have the same bytes."""

import pathlib
import struct
import zlib

import media
import process

# The patterns of each format's real pictures, below the corpus.
ENDINGS = {
    "heic": (".heic", ".heif"),
    "avif": (".avif",),
    "png": (".png",),
    "webp": (".webp",),
    "tiff": (".tif", ".tiff"),
    "gif": (".gif",),
}
# How photographs of a format are made by ImageMagick, in the size in which that format is common.
LARGE = {
    "png": (),
    "webp": ("-quality", "80"),
    "gif": ("-resize", "1600x1600"),
    "heic": ("-quality", "60"),
}
# Folders of the corpus with intentionally damaged pictures.
BROKEN = {"edge"}


def originals(corpus, name):
    """Returns the corpus's pictures of one format, sorted."""
    return [
        path for path in media.files(pathlib.Path(corpus, "visible"))
        if path.suffix.lower() in ENDINGS[name] and path.parent.name not in BROKEN
    ]


def enlarge(paths, folder, count):
    """Writes `count` copies of each picture, each with its number in a part that decoders ignore."""
    folder.mkdir(parents=True)
    for index, path in enumerate(paths):
        picture = path.read_bytes()
        for number in range(count):
            name = f"{index:02}-{number:04}{path.suffix.lower()}"
            (folder / name).write_bytes(numbered(picture, f"{index} {number}".encode()))
    return folder


def large(paths, name, folder, count):
    """Makes photographs of a format, without metadata, of every so many of the pictures."""
    folder.mkdir(parents=True)
    for path in paths[::max(1, len(paths) // count)][:count]:
        target = folder / f"{path.stem}.{name}"
        process.check(["convert", str(path), "-strip", *LARGE[name], str(target)])
    return folder


def numbered(picture, text):
    """Returns the picture's bytes with a text added in a part that does not affect its pixels."""
    if picture.startswith(b"\xff\xd8"):
        # After the start marker: a comment. ITU-T T.81, B.2.4.5.
        return picture[:2] + b"\xff\xfe" + struct.pack(">H", len(text) + 2) + text + picture[2:]
    if picture.startswith(b"\x89PNG"):
        # Before the last chunk: tEXt. PNG specification, 11.3.3.2.
        chunk = b"tEXtComment\0" + text
        data = struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
        end = picture.rindex(b"\0\0\0\0IEND")
        return picture[:end] + data + picture[end:]
    if picture.startswith(b"RIFF"):
        # An unknown chunk at the end. RFC 9649, 2.7.1.6.
        end = 8 + struct.unpack("<I", picture[4:8])[0]
        body = picture[8:end] + b"NUMB" + struct.pack("<I", len(text)) + text
        body += b"\0" * (len(text) & 1)
        return b"RIFF" + struct.pack("<I", len(body)) + body
    if picture.startswith(b"GIF8"):
        # Before the trailer: a comment extension. GIF89a, section 24.
        end = picture.rindex(b"\x3b")
        return picture[:end] + b"\x21\xfe" + bytes([len(text)]) + text + b"\0" + picture[end:]
    if picture[:4] in (b"II*\0", b"MM\0*"):
        # At the end of the file: no offset points there.
        return picture + b"\0" * (len(picture) & 1) + text
    if picture[4:8] == b"ftyp":
        # A box that every reader skips, at the end. ISO/IEC 14496-12, 8.1.2.
        return picture + struct.pack(">I", len(text) + 8) + b"free" + text
    raise SystemExit("bench: a picture of a format that has no place for a number")
