"""Makes the files for the measurements, and the manifests over them."""

import hashlib
import json
import os
import pathlib

import process


def files(folder):
    return sorted(path for path in pathlib.Path(folder).rglob("*") if path.is_file())


def corpus():
    """Returns the folder with real media, or None."""
    return os.environ.get("MEDIABATCH_CORPUS") or None


def camera_jpegs(bench):
    """Returns the folder of the corpus's camera JPEGs, or of drawn ones, and a sentence that says which."""
    folder = pathlib.Path(corpus() or "", "bench-jpeg")
    if corpus() and folder.is_dir():
        size = sum(path.stat().st_size for path in files(folder)) / 1e6
        return folder.resolve(), f"{len(files(folder))} camera JPEGs of bench-jpeg, {size:.0f} MB"

    def make(folder):
        for number in range(16):
            process.check([
                "convert", "-size", "1500x1000", "-seed", str(number), "plasma:fractal",
                "-resize", "200%", "-attenuate", "0.3", "+noise", "Gaussian", "-quality", "92",
                f"{folder}/drawn-{number:02}.jpg",
            ])

    return bench.made("drawn", make), (
        "16 drawn JPEGs of 6 MP, because MEDIABATCH_CORPUS names no folder with bench-jpeg: no camera's")


def mark(paths):
    """Returns a few letters that differ when other files, or files of other sizes, are given."""
    listed = "\n".join(f"{path.name} {path.stat().st_size}" for path in paths)
    return hashlib.sha256(listed.encode()).hexdigest()[:8]


def spread(paths, count):
    """Returns so many of the paths, evenly spread over all of them."""
    return paths[::max(1, len(paths) // count)][:count]


def balanced(paths):
    """Returns the paths in two consecutive halves of about the same number of bytes."""
    by_size = sorted(paths, key=lambda path: path.stat().st_size)
    return by_size[0::2] + by_size[1::2]


USAGE_KEYS = {
    "camera": "NSCameraUsageDescription",
    "library": "NSPhotoLibraryUsageDescription",
    "microphone": "NSMicrophoneUsageDescription",
}


def manifest(
        folder, source, enforcement=None, sizes=(256,), kind="camera", policy="strip", layout=None, albums=False):
    """Writes a manifest that imports `source`, by default as the camera: thumbnails of these sizes."""
    folder.mkdir(parents=True, exist_ok=True)
    value = {
        "version": 1,
        "client": {"identifier": "org.example.bench", "name": "Benchmark"},
        "usageDescriptions": {USAGE_KEYS[kind]: "The files are measured with."},
        "sources": {
            kind: {
                "path": os.path.relpath(source, folder),
                "authorizationStatus": "authorized",
            }
        },
        "metadata": {"policy": policy},
        "thumbnails": {
            f"fit-{size}": {"size": [size, size], "contentMode": "aspectFit"} for size in sizes
        },
        "output": {"path": "Library"},
    }
    if not sizes:
        del value["thumbnails"]
    if enforcement:
        value["enforcement"] = enforcement
    if layout:
        value["sources"][kind]["kind"] = layout
    if albums:
        value["albums"] = {"fromFolders": True}
    path = folder / "manifest.json"
    path.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")
    return path


def library_of(manifest_path):
    return manifest_path.parent / "Library"


def source_of(manifest_path):
    value = json.loads(manifest_path.read_text(encoding="utf-8"))
    (source,) = value["sources"].values()
    return manifest_path.parent / source["path"]


def small_jpegs(folder, count):
    """Makes `count` JPEGs of 16 × 16 pixels, 1,000 a folder, no two with the same bytes.

    The number of each stands in the last three values of its first quantisation table (1 to 250
    each), so that what strip leaves differs as well.
    """
    folder.mkdir(parents=True, exist_ok=True)
    first = folder / "first.jpg"
    process.check([
        "convert", "-size", "16x16", "-seed", "1", "plasma:fractal", "-strip", "-quality", "85",
        str(first),
    ])
    picture = bytearray(first.read_bytes())
    first.unlink()
    table = picture.index(b"\xff\xdb") + 5
    if picture[table - 1] >> 4 != 0:
        raise SystemExit("bench: the quantisation table has 16-bit values")
    for number in range(count):
        if number % 1000 == 0:
            part = folder / f"{number // 1000:03}MEDIA"
            part.mkdir()
        picture[table + 61:table + 64] = bytes(
            (number // 250 ** place) % 250 + 1 for place in (2, 1, 0))
        (part / f"IMG_{number:06}.JPG").write_bytes(picture)


# Bytes of a small file and of a large one. A TIFF's offsets end at 4 GiB.
HOLES = {"JPEG with a trailer": (10**7, 10**10), "TIFF with one strip": (10**7, 4 * 10**9)}


def hole(folder, kind, size):
    """A manifest over one sparse file of about `size` bytes: a JPEG whose trailer is a hole, which
    strip cuts off, or a TIFF whose only strip is one, which is copied."""
    source = folder / "source"
    source.mkdir(parents=True)
    if kind.startswith("JPEG"):
        process.check(["convert", "-size", "64x64", "plasma:fractal", f"{source}/hole.jpg"])
        os.truncate(source / "hole.jpg", size)
        return manifest(folder, source, sizes=())
    width, start = 50_000, 4096
    rows = (size - start) // width
    tags = [
        (256, width), (257, rows), (258, 8), (259, 1), (262, 1), (273, start), (277, 1),
        (278, rows), (279, rows * width),
    ]
    words = b"".join(
        tag.to_bytes(2, "little") + (b"\3\0" if tag in (258, 259, 262, 277) else b"\4\0")
        + b"\1\0\0\0" + value.to_bytes(4, "little")
        for tag, value in tags)
    path = source / "hole.tif"
    path.write_bytes(
        b"II*\0\x08\0\0\0" + len(tags).to_bytes(2, "little") + words + bytes(4))
    os.truncate(path, start + rows * width)
    return manifest(folder, source, sizes=())
