"""Makes folders of one picture format, from copies of which no two have the same bytes."""

import pathlib
import struct
import zlib
from concurrent.futures import ThreadPoolExecutor

import media
import process

# The endings of each format's pictures in the corpus.
ENDINGS = {
    "heic": (".heic", ".heif"),
    "avif": (".avif",),
    "png": (".png",),
    "webp": (".webp",),
    "tiff": (".tif", ".tiff"),
    "gif": (".gif",),
    "jxl": (".jxl",),
    "jp2": (".jp2",),
}
# How photographs of a format are made from a PNG, in the size and with the options in which it is common.
MAKERS = {
    "png": ("convert", "{source}", "{target}.png"),
    "webp": ("convert", "{source}", "-quality", "80", "{target}.webp"),
    "gif": ("convert", "{source}", "-resize", "1600x1600", "{target}.gif"),
    "heic": ("convert", "{source}", "-quality", "60", "{target}.heic"),
    "avif": (
        "convert", "{source}", "-resize", "2048x2048", "-quality", "60", "-define", "heic:speed=8", "{target}.avif"),
    "tiff": ("convert", "{source}", "-compress", "LZW", "{target}.tif"),
    "tiff in tiles": (
        "convert", "{source}", "-compress", "LZW", "-define", "tiff:tile-geometry=256x256", "{target}.tif"),
    "jxl": ("cjxl", "{source}", "{target}.jxl", "-d", "1", "-e", "4", "--container=1", "--quiet"),
    "jp2": ("opj_compress", "-i", "{source}", "-o", "{target}.jp2", "-r", "10"),
}
# Folders of the corpus with intentionally damaged pictures, and that of the camera JPEGs.
LEFT_OUT = {"edge", "damaged", "bench-jpeg"}


def originals(corpus, name):
    """Returns the corpus's pictures of one format, sorted; those of `visible` if it has that folder."""
    corpus = pathlib.Path(corpus)
    visible = corpus / "visible"
    for folder in (visible, corpus):
        chosen = [path for path in media.files(folder) if path.suffix.lower() in ENDINGS[name]
                  and LEFT_OUT.isdisjoint(path.relative_to(corpus).parts)] if folder.is_dir() else []
        if chosen:
            return chosen
    return []


def enlarge(paths, folder, count):
    """Writes `count` copies of each picture, each with its number in a part that decoders ignore."""
    folder.mkdir(parents=True, exist_ok=True)
    for index, path in enumerate(paths):
        picture = path.read_bytes()
        for number in range(count):
            name = f"{index:02}-{number:04}{path.suffix.lower()}"
            (folder / name).write_bytes(numbered(picture, f"{index} {number}".encode()))
    return folder


def photographs(paths, name, folder, count):
    """Makes photographs of a format, without metadata, of every so many of the pictures, two at a time."""
    def make(path):
        source = folder / f"{path.stem}.source.png"
        process.check([
            "convert", str(path), "-auto-orient", "-strip", "-define", "png:compression-level=1", str(source)])
        process.check([word.format(source=source, target=folder / path.stem) for word in MAKERS[name]])
        source.unlink()

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(make, media.spread(paths, count)))


def numbered(picture, text):
    """Returns the picture's bytes with a text added in a part that does not affect its pixels, None if none fits."""
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
    if picture[4:8] in (b"ftyp", b"JXL ", b"jP  "):
        # A box that every reader skips, at the end. ISO/IEC 14496-12, 8.1.2.
        return picture + struct.pack(">I", len(text) + 8) + b"free" + text
    return None
