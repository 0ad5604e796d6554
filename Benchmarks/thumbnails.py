"""Measures thumbnails: seconds compared with peers, and memory."""

import os
import pathlib
import shutil
import sys

import copies
import media
import process

SIZES = (256, 512, 1600)
QUALITY = 80
# A run decodes this many times the needed size in each direction; see docs/performance.md.
OVERSAMPLING = 1.9
# Copies of each picture in a folder of one format.
COPIES = 40
# Photographs of each format that are made of the camera JPEGs.
LARGE_COUNT = 6


class ThumbnailParts:
    """Is mixed into Bench, which runs the import."""

    def jpeg(self):
        folder, files = self.jpeg_source()
        manifest = media.manifest(self.scratch / "jpeg", folder)
        mine, theirs = self.alternate(
            lambda: self.fresh(manifest, len(files))[0].seconds,
            lambda: self.vipsthumbnail(files, [256]))
        self.figures.ratio(
            "jpeg: run with strip and one 256 px thumbnail / vipsthumbnail, two processes",
            mine, theirs, at_most=0.75, stretch=0.65)

    def sizes(self):
        folder, files = self.jpeg_source()
        manifest = media.manifest(self.scratch / "sizes", folder, sizes=SIZES)
        mine, theirs = self.alternate(
            lambda: self.fresh(manifest, len(files))[0].seconds,
            lambda: self.vipsthumbnail(files, SIZES))
        self.figures.ratio(
            "sizes: run with strip and 256, 512 and 1600 px / vipsthumbnail, two processes, once "
            "for each size", mine, theirs, at_most=0.6, stretch=0.5)

    def script(self):
        """Compares with a shell script of existing tools, every step in two processes."""
        folder, files = self.jpeg_source()
        manifest = media.manifest(self.scratch / "script", folder)
        stripped = self.scratch / "stripped"

        def peer():
            shutil.rmtree(stripped, ignore_errors=True)
            os.sync()
            seconds = self.timed(["cp", "-r", str(folder), str(stripped)])
            copied = media.files(stripped)
            before = sum(path.stat().st_size for path in copied)
            seconds += self.halves(["exiftool", "-q", "-q", "-all=", "-overwrite_original"], copied)
            if sum(path.stat().st_size for path in copied) >= before:
                sys.exit("bench: exiftool has taken nothing out")
            seconds += self.vipsthumbnail(files, [256])
            return seconds + self.halves(["sha256sum", "-b"], copied)

        mine, theirs = self.alternate(
            lambda: self.fresh(manifest, len(files))[0].seconds, peer)
        self.figures.ratio(
            "script: run with strip and one 256 px thumbnail / cp, exiftool -all=, vipsthumbnail, "
            "sha256sum, one after the other, each in two processes",
            mine, theirs, at_most=0.45, stretch=0.4)

    def floor(self):
        """Compares with libjpeg-turbo's decode alone, at the same scale."""
        folder, files = self.jpeg_source()
        manifest = media.manifest(self.scratch / "floor", folder)
        program = self.scratch / "decode-floor"
        source = pathlib.Path(__file__).with_name("floor.c")
        process.check(["cc", "-O2", "-o", str(program), str(source), "-lturbojpeg", "-lm"])

        def peer():
            os.sync()
            command = [str(program), "256", str(OVERSAMPLING)]
            result = self.run_halves(command, files)
            decoded = sum(int(line) for line in result.output.split())
            if result.status != 0 or decoded != len(files):
                sys.exit(f"bench: {decoded} of {len(files)} decoded: {result.error[-500:]}")
            return result.seconds

        mine, theirs = self.alternate(
            lambda: self.fresh(manifest, len(files))[0].seconds, peer)
        self.figures.ratio(
            "floor: run with strip and one 256 px thumbnail / libjpeg-turbo decodes at the same "
            "scale, nothing else, two processes", mine, theirs, at_most=1.4, stretch=1.25)

    def formats(self):
        corpus = media.corpus()
        if not corpus:
            self.figures.note("formats: MEDIABATCH_CORPUS names no folder: not measured")
            return
        for name in copies.ENDINGS:
            paths = self.usable(name, copies.originals(corpus, name))
            if not paths:
                self.figures.note(f"formats: no {name} that both can read: not measured")
                continue
            folder = copies.enlarge(paths, self.scratch / f"{name}-source", COPIES)
            files = media.files(folder)
            manifest = media.manifest(self.scratch / name, folder)
            mine, theirs = self.alternate(
                lambda: self.fresh(manifest, len(files))[0].seconds,
                lambda: self.vipsthumbnail(files, [256]))
            self.figures.ratio(
                f"formats: {name}, {len(paths)} pictures {COPIES} times, run with strip and one "
                "256 px thumbnail / vipsthumbnail, two processes",
                mine, theirs, at_most=0.9, stretch=0.7)
            shutil.rmtree(folder)

    def processor(self):
        """Compares processor time instead of seconds: of real pictures, and of large ones."""
        for name in copies.ENDINGS if media.corpus() else ():
            paths = self.usable(name, copies.originals(media.corpus(), name))
            folder = copies.enlarge(paths, self.scratch / f"{name}-source", COPIES)
            self.processor_of(f"{name}, {len(paths)} pictures {COPIES} times", folder)
        folder, files = self.jpeg_source()
        self.processor_of(f"{len(files)} camera JPEGs", folder)
        for name in copies.LARGE:
            folder = copies.large(files, name, self.scratch / f"{name}-large", LARGE_COUNT)
            self.processor_of(f"{name}, {LARGE_COUNT} photographs", folder)

    def processor_of(self, what, folder):
        files = media.files(folder)
        manifest = media.manifest(self.scratch / "processor", folder)
        try:
            mine, theirs = self.alternate(
                lambda: self.fresh(manifest, len(files))[0].processor,
                lambda: self.vipsthumbnail(files, [256], measure="processor"))
        except SystemExit as stop:
            # The other formats have figures all the same.
            self.figures.note(f"processor: {what}: not measured: {' '.join(str(stop).split())}")
            return
        self.figures.ratio(
            f"processor: {what}, run with strip and one 256 px thumbnail / vipsthumbnail",
            mine, theirs, at_most=0.7)

    def usable(self, name, paths):
        """Returns the pictures that both the peer and the run can process; names the others."""
        made = []
        for path in paths:
            out = self.peer_folder()
            result = process.run(self.vips_command(out, 256) + [str(path)])
            if result.status == 0 and len(media.files(out)) == 1:
                made.append(path)
        ours = self.imported(name, made)
        for who, lost in (
                ("vipsthumbnail", set(paths) - set(made)), ("mediabatch", set(made) - set(ours))):
            if lost:
                names = ", ".join(sorted(path.name for path in lost))
                self.figures.note(f"formats: {name}: {who} makes nothing of {names}: left out")
        return ours

    def imported(self, name, paths):
        """Returns the pictures that a run imports with a thumbnail."""
        folder = self.scratch / f"{name}-trial"
        source = folder / "source"
        source.mkdir(parents=True)
        for index, path in enumerate(paths):
            shutil.copyfile(path, source / f"{index:02}{path.suffix}")
        manifest = media.manifest(folder, source)
        result = process.run([self.program, "run", str(manifest), "--format", "json"])
        summary = result.json()
        lists = summary.get("failures", []) + summary.get("thumbnailMissing", [])
        failed = {one["path"]: one["reason"] for one in lists}
        shutil.rmtree(folder)
        for path, reason in sorted(failed.items()):
            self.say(f"{paths[int(path[:2])].name}: {reason}")
        return [path for index, path in enumerate(paths) if f"{index:02}{path.suffix}" not in failed]

    def workers(self):
        folder, files = self.jpeg_source()
        manifest = media.manifest(self.scratch / "workers", folder)
        one, two = self.alternate(
            lambda: self.fresh(manifest, len(files), arguments=["--workers", "1"])[0].seconds,
            lambda: self.fresh(manifest, len(files), arguments=["--workers", "2"])[0].seconds)
        self.figures.speedup(
            f"workers: two workers / one worker, {os.cpu_count()} cores", one, two, at_least=1.8,
            stretch=1.9)

    def memory(self):
        folder, files = self.jpeg_source()
        self.peak(f"{len(files)} camera JPEGs", media.manifest(self.scratch / "memory", folder))
        picture = str(max(files, key=lambda path: path.stat().st_size))
        for what, name, options in (
                ("50 MP JPEGs", "large.jpg", ["-resize", "8688x5792!", "-quality", "92"]),
                ("50 MP JPEGs, progressive", "scans.jpg",
                 ["-resize", "8688x5792!", "-quality", "92", "-interlace", "Plane"]),
                ("12 MP HEICs", "large.heic", ["-resize", "4032x3024!", "-quality", "60"])):
            self.say(f"making {what}")
            path = self.scratch / name
            process.check(["convert", picture, "-strip", *options, str(path)])
            # Four files, so that each worker processes one while the next waits.
            folder = copies.enlarge([path], self.scratch / f"{name}-source", 4)
            self.peak(what, media.manifest(self.scratch / f"{name}-run", folder))

    def peak(self, what, manifest):
        count = len(media.files(media.source_of(manifest)))
        self.fresh(manifest, count)
        peaks = []
        for _ in range(3):
            result, _summary = self.fresh(manifest, count, sample=process.sample_pss)
            peaks.append(result.peak["together"] / 1e6)
        note = "" if result.peak["readable"] else "; some workers' Pss was not readable: as Rss"
        self.figures.value(
            f"memory: {what}: peak of all processes together (sum of Pss, every 20 ms{note})",
            "MB", peaks, at_most=300)

    # The peer.

    def peer_folder(self):
        folder = self.scratch / "peer"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return folder

    def vips_command(self, out, size):
        # It keeps the profile, as a run does; without it the colours would differ.
        options = f"[Q={QUALITY},background=255]"
        return ["vipsthumbnail", "--size", f"{size}>", "-o", f"{out}/%s-{size}.jpg{options}"]

    def vipsthumbnail(self, files, sizes, measure="seconds"):
        """Returns the time for the thumbnails of all files, two processes at a time."""
        out = self.peer_folder()
        os.sync()
        results = [self.run_halves(self.vips_command(out, size), files) for size in sizes]
        made = len(media.files(out))
        if any(result.status != 0 for result in results) or made != len(files) * len(sizes):
            error = " ".join(result.error[-300:] for result in results)
            sys.exit(f"bench: vipsthumbnail made {made} of {len(files) * len(sizes)}: {error}")
        return sum(getattr(result, measure) for result in results)

    def run_halves(self, command, files):
        """Runs a program in two processes, each with half of the files by bytes."""
        return process.run(
            ["xargs", "-0", "-P", "2", "-n", str(-(-len(files) // 2)), *command],
            standard_input="\0".join(map(str, media.balanced(files))) + "\0")

    def halves(self, command, files):
        result = self.run_halves(command, files)
        if result.status != 0:
            sys.exit(f"bench: {command[0]}: {result.error[-500:]}")
        return result.seconds

    def timed(self, command):
        return process.check(command).seconds
