"""Runs the parts of the benchmark; run.sh describes each and calls this script."""

import argparse
import os
import pathlib
import shutil
import sys

import asking
import builds
import media
import movies
import process
import quality
import report
import thumbnails

PARTS = [
    "jpeg", "sizes", "script", "floor", "formats", "processor", "workers", "memory", "quality",
    "movies", "posters", "waveforms",
    "strip", "confinement", "holes", "scale", "unchanged", "asking",
]
SMALL, LARGE = 10_000, 100_000


class Bench(
        thumbnails.ThumbnailParts, quality.QualityPart, movies.MoviePart, builds.BuildsPart,
        asking.AskingPart):
    def __init__(self, arguments):
        self.program = str(pathlib.Path(arguments.programs).resolve() / "mediabatch")
        self.rounds = arguments.rounds
        self.against = arguments.against
        self.counts = (arguments.small, arguments.large)
        # Work beside the build and not in /tmp, which may be in memory: flushes must reach a disk.
        self.scratch = pathlib.Path(".build/bench").resolve()
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir(parents=True)
        self.figures = report.Figures()
        self.large_library = None

    def say(self, text):
        print(f"bench: {text}", file=sys.stderr, flush=True)

    def run(
            self, manifest, expect, what="imported", sample=None, arguments=(), program=None):
        """Runs the import; returns seconds, summary and memory. Stops if the import is incomplete."""
        os.sync()
        result = process.run(
            [program or self.program, "run", str(manifest), "--format", "json", *arguments], sample)
        summary = result.json()
        counts = summary.get("counts", {})
        if result.status != 0 or counts.get(what) != expect:
            sys.exit(
                f"bench: the run ended with {result.status} and {counts}, expected {expect} {what}\n"
                + result.error[-2000:])
        return result, summary

    def fresh(self, manifest, expect, sample=None, arguments=()):
        shutil.rmtree(media.library_of(manifest), ignore_errors=True)
        return self.run(manifest, expect, sample=sample, arguments=arguments)

    def alternate(self, first, second):
        """Returns the seconds of each: a warm-up first, then by turns, so that conditions are equal."""
        first(), second()
        times = ([], [])
        for number in range(self.rounds):
            for which in ((0, 1), (1, 0))[number % 2]:
                times[which].append((first, second)[which]())
            self.say(f"round {number + 1}: {times[0][-1]:.2f} s, {times[1][-1]:.2f} s")
        return times

    def jpeg_source(self):
        folder, note = media.camera_jpegs(self.scratch)
        self.figures.note(note)
        return folder, media.files(folder)

    def strip(self):
        folder, files = self.jpeg_source()
        manifest = media.manifest(self.scratch / "strip", folder, sizes=())

        used = ([], [])

        def ours():
            result = self.fresh(manifest, len(files))[0]
            used[0].append(result.processor)
            return result.seconds

        peers = [
            ("exiftool -all= -o", "exiftool",
             lambda copies, out: ["exiftool", "-q", "-q", "-all=", "-o", f"{out}/", *copies]),
            ("exiv2 rm on copies", "exiv2", lambda copies, out: ["exiv2", "rm", *copies]),
        ]
        for name, program, command in peers:
            if shutil.which(program) is None:
                self.figures.note(f"strip: {program} is not on this machine: no figure against it")
                continue

            def peer():
                # Copying is not measured. exiv2 writes in place, so it gets fresh copies.
                copies, out = self.scratch / "copies", self.scratch / "peer"
                for old in (copies, out):
                    shutil.rmtree(old, ignore_errors=True)
                shutil.copytree(folder, copies)
                out.mkdir()
                given = media.files(copies)
                before = sum(path.stat().st_size for path in given)
                os.sync()
                result = process.run(command(map(str, given), out))
                made = media.files(out) or given
                after = sum(path.stat().st_size for path in made)
                if result.status != 0 or len(made) != len(files) or after >= before:
                    sys.exit(f"bench: {name} made {len(made)} of {len(files)}: {result.error[-500:]}")
                used[1].append(result.processor)
                return result.seconds

            used = ([], [])
            mine, theirs = self.alternate(ours, peer)
            self.figures.ratio(
                f"strip: run with strip, no thumbnails / {name}", mine, theirs, at_most=1.0)
            # The first of each is the warm-up.
            self.figures.ratio(
                f"strip: processor time of that run / {name}", used[0][1:], used[1][1:], at_most=1.0)

    def holes(self):
        """Anonymous memory must not grow with the file."""
        for kind, sizes in media.HOLES.items():
            peaks = []
            for size in sizes:
                manifest = media.hole(self.scratch / "hole", kind, size)
                peaks.append(self.fresh(manifest, 1, sample=process.sample_anonymous)[0].peak)
                shutil.rmtree(manifest.parent)
            for who in peaks[0]:
                small, large = (peak[who] / 1e6 for peak in peaks)
                self.figures.value(
                    f"holes: {kind}, {sizes[0] / 1e6:.0f} MB and {sizes[1] / 1e9:.0f} GB: "
                    f"anonymous memory (RssAnon, every 20 ms) of the {who}",
                    "MB", [small, large], at_most=round(small + 4, 1))

    def confinement(self):
        folder, files = self.jpeg_source()
        manifests = [
            media.manifest(self.scratch / f"enforcement-{word}", folder, enforcement=word)
            for word in ("kernel", "process")
        ]
        said = []

        def with_manifest(manifest):
            result, summary = self.fresh(manifest, len(files))
            said.append(str(summary.get("enforcement")))
            return result.seconds

        kernel, none = self.alternate(
            lambda: with_manifest(manifests[0]), lambda: with_manifest(manifests[1]))
        if len(set(said)) == 1:
            self.figures.note(f"confinement: both runs said enforcement {said[0]}: not a comparison")
            return
        self.figures.ratio(
            "confinement: enforcement kernel / process", kernel, none, at_most=1.03)

    def small_files(self, count):
        folder = self.scratch / f"small-{count}"
        if not folder.exists():
            self.say(f"making {count} small JPEGs")
            media.small_jpegs(folder, count)
        return folder

    def first_import(self, count):
        manifest = media.manifest(self.scratch / f"import-{count}", self.small_files(count))
        self.say(f"first import of {count}")
        return manifest, self.fresh(manifest, count, sample=process.sample_coordinator)[0]

    def scale(self):
        small, large = self.counts
        seconds, peaks = [], []
        for count in (small, large):
            manifest, result = self.first_import(count)
            seconds.append(result.seconds)
            peaks.append(result.peak["coordinator"] / 1e6)
            self.figures.value(f"scale: first import of {count} small JPEGs", "s", [result.seconds])
        self.large_library = manifest
        self.figures.ratio(
            f"scale: {large} / {small} small JPEGs, first import", [seconds[1]], [seconds[0]],
            at_most=12)
        self.figures.value(
            f"scale: the coordinator's peak Rss over {large}", "MB", [peaks[1]], at_most=200)

    def unchanged(self):
        count = self.counts[1]
        manifest = self.large_library or self.first_import(count)[0]
        source, copy = self.small_files(count), self.scratch / "copy"
        self.say("copying the tree for rsync")
        process.check(["rsync", "-a", f"{source}/", f"{copy}/"])

        def peer():
            os.sync()
            result = process.run(["rsync", "-an", f"{source}/", f"{copy}/"])
            if result.status != 0:
                sys.exit(f"bench: rsync: {result.error[-500:]}")
            return result.seconds

        mine, theirs = self.alternate(
            lambda: self.run(manifest, count, "unchanged")[0].seconds, peer)
        self.figures.ratio(
            f"unchanged: second run over {count} files / rsync -an of the same tree, up to date",
            mine, theirs, at_most=1.0)


def main():
    parser = argparse.ArgumentParser(prog="Benchmarks/run.sh")
    parser.add_argument("parts", nargs="*", metavar="|".join(PARTS))
    parser.add_argument("--programs", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--against", metavar="DIR", help="measure only this build against the programs in DIR")
    parser.add_argument("--name", help="of the file in Benchmarks/results")
    parser.add_argument("--small", type=int, default=SMALL, help=argparse.SUPPRESS)
    parser.add_argument("--large", type=int, default=LARGE, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if unknown := set(arguments.parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    parts = [part for part in PARTS if part in arguments.parts] or PARTS
    if arguments.against:
        if arguments.parts:
            parser.error("--against has no parts")
        parts = ["builds"]
    bench = Bench(arguments)
    try:
        for part in parts:
            bench.say(part)
            try:
                getattr(bench, part)()
            except SystemExit as stop:
                # Keep the figures of the other parts.
                bench.figures.row(f"{part}: {' '.join(str(stop).split())}", "none", "", False, "")
    finally:
        shutil.rmtree(bench.scratch, ignore_errors=True)
    name = arguments.name or ("all" if parts == PARTS else "-".join(parts))
    said = f"--against {arguments.against}" if arguments.against else " ".join(parts)
    command = f"Benchmarks/run.sh {said}" + f" --rounds {arguments.rounds}"
    if bench.counts != (SMALL, LARGE):
        bench.figures.note(f"small trees: {bench.counts[0]} and {bench.counts[1]} files")
    report.write(bench.figures, name, command, bench.program)
    sys.exit(any(row[3] is False and row[1] == "none" for row in bench.figures.rows))


main()
