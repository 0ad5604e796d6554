"""Compares this build with another build of the program over the same files, in turns."""

import os
import pathlib
import shutil

import copies
import media
import movies

# A change may cost this much; see CONTRIBUTING.md.
AT_MOST = 1.03
SMALL_FILES = 10_000


class BuildsPart:
    """Is mixed into Bench, which runs the import."""

    def builds(self):
        """Compares wall-clock and processor time (the coordinator and its workers) of each job."""
        other = pathlib.Path(self.against).resolve() / "mediabatch"
        for name, manifest in self.jobs():
            count = len(media.files(media.source_of(manifest)))
            times = {program: ([], []) for program in (self.program, str(other))}

            def once(program):
                shutil.rmtree(media.library_of(manifest), ignore_errors=True)
                result = self.run(manifest, count, program=program)[0]
                times[program][0].append(result.seconds)
                times[program][1].append(result.processor)
                return result.seconds

            self.alternate(lambda: once(self.program), lambda: once(str(other)))
            for what, index in (("wall clock", 0), ("processor", 1)):
                # The first of each is the warm-up.
                ours, theirs = (times[each][index][1:] for each in times)
                self.figures.ratio(
                    f"builds: {name}: {what}, this build / the other", ours, theirs, AT_MOST)

    def jobs(self):
        """Yields the name and the manifest of each job."""
        folder, _ = self.jpeg_source()
        yield "JPEG, strip, 256 px", media.manifest(self.scratch / "b-jpeg", folder)
        yield "JPEG, strip, three sizes", media.manifest(
            self.scratch / "b-sizes", folder, sizes=(256, 512, 1600))
        yield "JPEG, strip, no thumbnails", media.manifest(
            self.scratch / "b-strip", folder, sizes=())
        for name in copies.ENDINGS if media.corpus() else ():
            paths = self.usable(name, copies.originals(media.corpus(), name))
            folder = copies.enlarge(paths, self.scratch / f"b-{name}-source", 20)
            yield f"{name}, strip, 256 px", media.manifest(self.scratch / f"b-{name}", folder)
        clips = self.clips("b-clips", movies.CLIPS, [
            "-t", "10", "-c:v", "mpeg4", "-b:v", "40M", "-c:a", "aac", "-movflags", "faststart"])
        yield "MP4, strip, no posters", media.manifest(
            self.scratch / "b-movies", clips, sizes=(), kind="library")
        yield "MP4, strip, 256 px posters", media.manifest(
            self.scratch / "b-posters", clips, kind="library")
        yield f"{SMALL_FILES} small JPEGs, strip, 256 px", media.manifest(
            self.scratch / "b-small", self.small_files(SMALL_FILES))
