"""Compares this build with another build of the program over the same files, by turns; measures a build itself."""

import contest
import copies
import films
import goals
import libraries
import media
import pictures
import process

# A change may cost this much; see CONTRIBUTING.md.
AT_MOST = 1.03
SMALL_FILES = 10_000


def folders(bench):
    """Returns for each job its folder, made when it is asked for, and the options of its manifest."""
    return {
        "JPEG, strip, 256 px": (pictures.camera_jpegs, {}),
        "JPEG, strip, three sizes": (pictures.camera_jpegs, {"sizes": (256, 512, 1600)}),
        "JPEG, strip, no thumbnails": (pictures.camera_jpegs, {"sizes": ()}),
        **{f"{name}, strip, 256 px": (lambda bench, name=name: pictures.corpus_pictures(bench, name), {})
           for name in (copies.ENDINGS if media.corpus() else ())},
        "MP4, strip, no posters": (films.mp4s, {"sizes": (), "kind": "library"}),
        "MP4, strip, 256 px posters": (films.mp4s, {"kind": "library"}),
        f"{SMALL_FILES} small JPEGs, strip, 256 px": (
            lambda bench: libraries.small_files(bench, SMALL_FILES), {}),
    }


# What the part `small` has beside its own goals when it measures another build, too.
SMALL = [
    goals.Goal(0, "import of 20,000 small files, this build / the other", "small", 20_000, peer="other",
               at_most=AT_MOST),
    goals.Goal(0, "import of 20,000 small files by the other", "small", 20_000, ours="other", unit="µs a file"),
    goals.Goal(0, "the same by the clock", "small", 20_000, ours="other", measure="seconds", unit="files a second"),
    goals.Goal(0, "system calls of an import by the other", "small", "calls", ours="other", measure="value",
               unit="a file"),
]


def jobs(bench):
    """Returns the goals of a comparison with the other build."""
    return [
        goals.Goal(0, f"{name}: {what}, this build / the other", "builds", name, peer="other", measure=measure,
                   at_most=AT_MOST)
        for name in folders(bench) for what, measure in (("processor", "processor"), ("wall clock", "seconds"))]


def builds(bench, name):
    make, options = folders(bench)[name]
    folder = make(bench)
    count = len(media.files(folder))
    manifest = media.manifest(bench.scratch / "builds", folder, **options)
    return contest.Scene({
        "mediabatch": lambda: bench.fresh(manifest, count),
        "other": lambda: bench.fresh(manifest, count, program=bench.other),
    }, count=count)


def build(bench, _):
    """The release programs from a new clone of HEAD."""
    def clean():
        folder = bench.scratch / "clean-build"
        process.check(["scripts/copy-sources.sh", str(folder)])
        # To fetch packages is no part of a build.
        process.check(["swift", "package", "--package-path", str(folder), "resolve"])
        return process.check([str(folder / "scripts/build.sh")])

    return contest.Scene({"build": clean}, rounds=1, warm_up=False)
