"""The parts about pictures: whole runs by format, strip, workers, memory."""

import shutil
import sys

import contest
import copies
import goals
import media
import packets
import process

# Photographs of each format that are made of the camera JPEGs.
PHOTOGRAPHS = 6
# Pictures of the corpus by format, and copies of each.
CORPUS_PICTURES, COPIES = 8, 20
STRIPPED = 120
# Formats whose decoders read no file: packets.py takes the coded pictures out of it.
PACKED = ("heic", "avif")


def camera_jpegs(bench):
    folder, note = media.camera_jpegs(bench)
    bench.note(note)
    return folder


def jpeg(bench, _):
    scene = bench.whole_run("jpeg", camera_jpegs(bench))
    scene.contestants["floor"] = bench.floor("jpeg", scene.files)
    return scene


def sizes(bench, _):
    return bench.whole_run("sizes", camera_jpegs(bench), sizes=(256, 512, 1600))


def strip(bench, _):
    return bench.whole_run("strip", many_jpegs(bench, STRIPPED), sizes=())


def script(bench, _):
    return bench.whole_run("script", camera_jpegs(bench))


def many_jpegs(bench, count):
    """Returns so many camera JPEGs: the same again, each with a number in a comment."""
    files = media.files(camera_jpegs(bench))

    def make(folder):
        copies.enlarge(files, folder, -(-count // len(files)))
        for path in media.files(folder)[count:]:
            path.unlink()

    return bench.made(f"jpeg-{count}-{media.mark(files)}", make)


def formats(bench, about):
    kind, name = about
    if kind == "corpus":
        return bench.whole_run(f"corpus-{name}", corpus_pictures(bench, name))
    scene = bench.whole_run("photographs", photographs(bench, name))
    decoder = name.split()[0]
    try:
        files = packed(bench, scene.files) if decoder in PACKED else scene.files
        scene.contestants["floor"] = bench.floor(decoder, files)
    except process.Missing as missing:
        bench.note(f"NOT MEASURED: the floor of {name}: {missing}")
    return scene


def packed(bench, files):
    folder = bench.empty("packets")
    for path in files:
        (folder / path.name).write_bytes(packets.packets(path.read_bytes()))
    return media.files(folder)


def photographs(bench, name):
    """Returns photographs of a format, without metadata, made of the camera JPEGs."""
    files = media.files(camera_jpegs(bench))
    return bench.made(
        f"photographs-{name}-{media.mark(files)}".replace(" ", "-"),
        lambda folder: copies.photographs(files, name, folder, PHOTOGRAPHS))


def corpus_pictures(bench, name):
    """Returns copies of the corpus's pictures of a format that the peer and a run can both process."""
    if media.corpus() is None:
        raise process.Missing("MEDIABATCH_CORPUS, a folder with real media,")
    chosen = media.spread(copies.originals(media.corpus(), name), CORPUS_PICTURES)
    if not chosen:
        raise process.Missing(f"a picture in {name} in MEDIABATCH_CORPUS")
    return bench.made(
        f"corpus-{name}-{media.mark(chosen)}",
        lambda folder: copies.enlarge(usable(bench, name, chosen), folder, COPIES))


def usable(bench, name, paths):
    """Returns the pictures that both the peer and a run can process; names the others."""
    numbered = [path for path in paths if copies.numbered(path.read_bytes(), b"0") is not None]
    theirs = [path for path in numbered if has_thumbnail(bench, path)]
    ours = imported(bench, theirs)
    for who, lost in (("a number fits into none", set(paths) - set(numbered)),
                      ("vipsthumbnail makes nothing", set(numbered) - set(theirs)),
                      ("mediabatch makes nothing", set(theirs) - set(ours))):
        if lost:
            bench.note(f"{name}: {who} of {', '.join(sorted(path.name for path in lost))}: left out")
    if not ours:
        raise process.Missing(f"a picture in {name} that both can read")
    return ours


def has_thumbnail(bench, path):
    """Whether the peer makes a thumbnail of every copy: of some pictures it does not make all."""
    files = media.files(copies.enlarge([path], bench.empty("trial"), COPIES))
    try:
        bench.peer(goals.VIPSTHUMBNAIL, contest.Scene({}, files))
        return True
    except SystemExit:
        return False


def imported(bench, paths):
    """Returns the pictures that a run imports with a thumbnail."""
    source = bench.empty("trial/source")
    for index, path in enumerate(paths):
        (source / f"{index:02}{path.suffix}").write_bytes(copies.numbered(path.read_bytes(), b"0"))
    manifest = media.manifest(source.parent, source)
    summary = process.run([bench.program, "run", str(manifest), "--format", "json"]).json()
    failed = {one["path"]: one["reason"]
              for one in summary.get("failures", []) + summary.get("thumbnailMissing", [])}
    for path, reason in sorted(failed.items()):
        bench.say(f"{paths[int(path[:2])].name}: {reason}")
    shutil.rmtree(source.parent)
    return [path for index, path in enumerate(paths) if f"{index:02}{path.suffix}" not in failed]


def workers(bench, _):
    folder = camera_jpegs(bench)
    files = media.files(folder)
    manifest = media.manifest(bench.scratch / "workers", folder)
    return contest.Scene({
        word: lambda number=number: bench.fresh(manifest, len(files), arguments=["--workers", number])
        for word, number in (("one", "1"), ("two", "2"))}, files, len(files))


def coordinator(bench, name):
    folder = camera_jpegs(bench) if name == "jpeg" else corpus_pictures(bench, name)
    files = media.files(folder)
    manifest = media.manifest(bench.scratch / "coordinator", folder)
    return contest.Scene(
        {"mediabatch": lambda: bench.fresh(manifest, len(files), arguments=["--workers", "1"])}, files, len(files),
        rounds=3, warm_up=False)


def busy(bench, _):
    folder = many_jpegs(bench, STRIPPED)
    files = media.files(folder)
    manifest = media.manifest(bench.scratch / "busy", folder)

    def cores():
        looks = process.Cores(media.library_of(manifest) / ".staging")
        bench.fresh(manifest, len(files), sample=looks.sample)
        return contest.Value(looks.busy())

    def share():
        result = bench.fresh(manifest, len(files))
        return contest.Value(result.own / (result.processor - result.own))

    return contest.Scene({"cores": cores, "share": share}, files, len(files))


# How each kind of large pictures is made of a camera JPEG.
LARGE = {
    "50 MP JPEGs": ("large.jpg", ("-resize", "8688x5792!", "-quality", "92")),
    "50 MP JPEGs, progressive": ("scans.jpg", ("-resize", "8688x5792!", "-quality", "92", "-interlace", "Plane")),
    "12 MP HEICs": ("large.heic", ("-resize", "4032x3024!", "-quality", "60")),
}


def memory(bench, what):
    folder = camera_jpegs(bench)
    files = media.files(folder)
    if what in LARGE:
        name, options = LARGE[what]

        def make(folder):
            picture = folder / name
            largest = max(files, key=lambda path: path.stat().st_size)
            process.check(["convert", str(largest), "-strip", *options, str(picture)])
            # Four files, so that each worker processes one while the next waits.
            copies.enlarge([picture], folder, 4)
            picture.unlink()

        folder = bench.made(f"{name}-{media.mark(files)}", make)
    count = len(media.files(folder))
    manifest = media.manifest(bench.scratch / "memory", folder)
    return contest.Scene(
        {"mediabatch": lambda: bench.fresh(manifest, count, sample=process.all_pss)}, rounds=3)


def confinement(bench, _):
    folder = camera_jpegs(bench)
    files = media.files(folder)

    def contestant(word):
        manifest = media.manifest(bench.scratch / word, folder, enforcement=word)

        def once():
            result = bench.fresh(manifest, len(files))
            if result.json().get("enforcement") != word:
                sys.exit(f"bench: a run with enforcement {word} said {result.json().get('enforcement')}")
            return result

        return once

    return contest.Scene({word: contestant(word) for word in ("kernel", "process")}, files)


def holes(bench, kind):
    """Anonymous memory over a sparse file, which must not grow with the file."""
    def contestant(word, size):
        manifest = media.hole(bench.empty(f"hole-{word}"), kind, size)
        return lambda: bench.fresh(manifest, 1, sample=process.most_anonymous)

    sizes = zip(("small", "large"), media.HOLES[kind])
    return contest.Scene({word: contestant(word, size) for word, size in sizes}, rounds=1, warm_up=False)
