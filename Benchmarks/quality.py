"""Measures the quality of thumbnails: SSIM and PSNR against a full-resolution Lanczos reduction, and a page on
which a person sees them side by side."""

import base64
import html
import json
import pathlib
import re
import statistics

import contest
import copies
import goals
import media
import pictures
import process

try:
    import numpy
except ImportError:
    numpy = None

SIDE = 256
# A single picture may be this much worse, in dB.
SLACK = 0.5
PROFILE = "/usr/share/color/icc/ghostscript/srgb.icc"


def measure(bench):
    """Compares thumbnails of the camera JPEGs and of the corpus; says figures and writes the page."""
    for missing in [numpy is None and "python3-numpy",
                    not pathlib.Path(PROFILE).exists() and "libgs-common"]:
        if missing:
            bench.note(f"NOT MEASURED: quality: {missing} is not there")
            return
    rows = compare(bench, "camera JPEGs", media.files(pictures.camera_jpegs(bench)))
    for name in copies.ENDINGS if media.corpus() else ():
        paths = referable(bench, name, pictures.usable(bench, name, copies.originals(media.corpus(), name)))
        if paths:
            rows += compare(bench, name, paths)
    page = pathlib.Path(".build/contact-sheet.html")
    contact_sheet(rows, page)
    bench.note(f"quality: the pictures side by side: {page}")


def referable(bench, name, paths):
    """Returns the pictures that the reference program can read; names the others."""
    good = [path for path in paths if process.run(["convert", f"{path}[0]", "null:"]).status == 0]
    for path in sorted(set(paths) - set(good)):
        bench.note(f"quality: {name}: ImageMagick cannot read {path.name}: left out")
    return good


def compare(bench, what, paths):
    """Measures both programs' thumbnails of each picture; returns a row for each."""
    bench.say(f"comparing {what}")
    source = bench.empty("quality/source")
    for index, path in enumerate(paths):
        (source / f"{index:03}{path.suffix}").write_bytes(path.read_bytes())
    files = media.files(source)
    manifest = media.manifest(source.parent, source)
    bench.fresh(manifest, len(files))
    ours = thumbnails(media.library_of(manifest))
    bench.peer(goals.VIPSTHUMBNAIL, contest.Scene({}, files))
    rows = [
        (f"{what}: {path.name}", Measured(ours[one.name], one),
         Measured(bench.scratch / "peer" / f"{one.stem}.jpg", one))
        for path, one in zip(paths, files)]
    add_figures(bench, what, rows)
    return rows


def thumbnails(library):
    """Returns the thumbnails of a library by the name of the source file."""
    listed = process.check(["sqlite3", "-json", str(library / "library.sqlite"), """
        SELECT CAST(resources.sourcePath AS TEXT) AS source, thumbnails.path AS path
        FROM thumbnails JOIN resources ON resources.asset = thumbnails.asset"""])
    return {row["source"]: library / row["path"] for row in json.loads(listed.output)}


def add_figures(bench, what, rows):
    mine, theirs = (statistics.fmean(row[side].ssim for row in rows) for side in (1, 2))
    bench.note(
        f"quality: {what}: mean SSIM of {len(rows)} thumbnails at {SIDE} px: {mine:.4f}, vipsthumbnail {theirs:.4f}: "
        + ("reached" if mine >= theirs - 0.00005 else "**not reached**"))
    name, worst = min(
        ((name, mine.psnr - theirs.psnr) for name, mine, theirs in rows), key=lambda row: row[1])
    bench.note(
        f"quality: {what}: lowest difference of PSNR, ours less vipsthumbnail's: {worst:+.2f} dB ({name}), at least "
        f"-{SLACK}: {'reached' if worst >= -SLACK else '**not reached**'}")


class Measured:
    """Compares a thumbnail with the full-resolution reduction to the same size, both in sRGB."""

    def __init__(self, path, source):
        self.bytes = pathlib.Path(path).read_bytes()
        found = pixels(str(path), ["-profile", PROFILE])
        height, width, _ = found.shape
        self.size = (width, height)
        reduction = [
            "-auto-orient", "-background", "white", "-alpha", "remove", *own_profile(source, path),
            "-profile", PROFILE, "-filter", "Lanczos", "-resize", f"{width}x{height}!",
        ]
        wanted = pixels(f"{source}[0]", reduction)
        self.reference = encoded(f"{source}[0]", reduction)
        self.psnr = psnr(wanted, found)
        self.ssim = ssim(luma(wanted), luma(found))


def own_profile(source, path):
    """Returns options that name the source's profile: ImageMagick misses that of a grid in HEIF."""
    file = pathlib.Path(f"{path}.source.icc")
    file.write_bytes(process.run_bytes(["exiftool", "-q", "-b", "-icc_profile", str(source)]))
    return ["-profile", str(file)] if file.stat().st_size > 128 else []


def pixels(path, options):
    """Returns rows of red, green, blue, each 0 to 255, as ImageMagick reads them."""
    result = process.run_bytes(["convert", path, *options, "-depth", "8", "ppm:-"])
    # ImageMagick may put comments before the size. Source: ppm(5).
    width, height = map(int, re.search(rb"\n(\d+) (\d+)\n255\n", result).groups())
    data = numpy.frombuffer(result[-width * height * 3:], dtype=numpy.uint8)
    return data.reshape(height, width, 3).astype(numpy.float64)


def encoded(path, options):
    return process.run_bytes(["convert", path, *options, "-strip", "-depth", "8", "png:-"])


def luma(picture):
    """Returns luma by ITU-R BT.601."""
    return picture @ numpy.array([0.299, 0.587, 0.114])


def psnr(first, second):
    error = ((first - second) ** 2).mean()
    return 99.0 if error == 0 else min(99.0, float(10 * numpy.log10(255 ** 2 / error)))


def ssim(first, second):
    """Returns the mean structural similarity: Gaussian windows of 11, sigma 1.5 (Wang et al. 2004)."""
    distance = numpy.arange(-5, 6)
    window = numpy.exp(-distance ** 2 / (2 * 1.5 ** 2))
    window /= window.sum()

    def blurred(plane):
        plane = numpy.pad(plane, 5, mode="reflect" if min(plane.shape) > 5 else "edge")
        rows = sum(
            weight * plane[:, start:plane.shape[1] - 10 + start]
            for start, weight in enumerate(window))
        return sum(
            weight * rows[start:rows.shape[0] - 10 + start] for start, weight in enumerate(window))

    mean_first, mean_second = blurred(first), blurred(second)
    variance_first = blurred(first * first) - mean_first ** 2
    variance_second = blurred(second * second) - mean_second ** 2
    covariance = blurred(first * second) - mean_first * mean_second
    small, smaller = (0.01 * 255) ** 2, (0.03 * 255) ** 2
    likeness = (
        (2 * mean_first * mean_second + small) * (2 * covariance + smaller)
        / ((mean_first ** 2 + mean_second ** 2 + small)
           * (variance_first + variance_second + smaller)))
    return float(likeness.mean())


def contact_sheet(rows, path):
    """Writes one HTML file with its pictures embedded."""
    def cell(data, kind, caption):
        source = f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
        return f'<td><img src="{source}" alt=""><br>{html.escape(caption)}</td>'

    def figures(one):
        return f"SSIM {one.ssim:.4f}, PSNR {one.psnr:.2f} dB, {len(one.bytes)} bytes"

    lines = [
        "<!DOCTYPE html><meta charset=utf-8><title>Thumbnails side by side</title>",
        "<style>body{font:14px sans-serif}td,th{padding:8px;vertical-align:top;text-align:left}"
        "td{font-size:12px}</style>",
        "<table><tr><th>picture<th>mediabatch<th>vipsthumbnail<th>full-resolution Lanczos</tr>",
    ]
    for name, mine, theirs in rows:
        lines.append(
            f"<tr><th>{html.escape(name)}</th>"
            + cell(mine.bytes, "jpeg", figures(mine)) + cell(theirs.bytes, "jpeg", figures(theirs))
            + cell(mine.reference, "png", f"{mine.size[0]} × {mine.size[1]}") + "</tr>")
    path.parent.mkdir(exist_ok=True)
    path.write_text("\n".join([*lines, "</table>", ""]), encoding="utf-8")
