"""Compares this build with another build of the program over the same files, by turns."""

import pathlib

import contest
import copies
import films
import goals
import libraries
import media
import pictures

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


def jobs(bench, other):
    """Returns the goals of a comparison with the programs in the folder `other`."""
    return [
        goals.Goal(0, f"{name}: {what}, this build / the other", "builds", (other, name), peer="other", measure=measure,
                   at_most=AT_MOST)
        for name in folders(bench) for what, measure in (("processor", "processor"), ("wall clock", "seconds"))]


def builds(bench, about):
    other, name = about
    make, options = folders(bench)[name]
    folder = make(bench)
    count = len(media.files(folder))
    manifest = media.manifest(bench.scratch / "builds", folder, **options)
    program = str(pathlib.Path(other).resolve() / "mediabatch")
    return contest.Scene({
        "mediabatch": lambda: bench.fresh(manifest, count),
        "other": lambda: bench.fresh(manifest, count, program=program),
    }, count=count)
