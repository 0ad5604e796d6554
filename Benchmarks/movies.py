"""Measures video and sound: strip, posters and waveforms."""

import os
import shutil
import sys

import media
import process

CLIPS = 8
HOUR = 3600


class MoviePart:
    """Is mixed into Bench, which runs the import."""

    def movies(self):
        """Compares strip, with all records and flushes, with hashing and copying, and with ffmpeg."""
        folder = self.clips("clips", CLIPS, [
            "-t", "10", "-c:v", "mpeg4", "-b:v", "40M", "-c:a", "aac", "-movflags", "faststart"])
        files = media.files(folder)
        size = sum(path.stat().st_size for path in files) / 1e6
        self.figures.note(f"movies: {len(files)} MP4s of MPEG-4 and AAC made by ffmpeg, {size:.0f} MB")
        manifest = media.manifest(self.scratch / "movies", folder, sizes=(), kind="library")

        def ours():
            return self.fresh(manifest, len(files))[0].seconds

        def copied():
            out = self.peer_folder()
            os.sync()
            script = (
                'openssl dgst -sha256 "$@" && cp "$@" "$0/" && openssl dgst -sha256 '
                '$(printf "$0/%s " "${@##*/}") && sync -f "$0"')
            seconds = self.halves(["bash", "-c", script, str(out)], files)
            return self.counted(out, files, seconds)

        def remuxed():
            out = self.peer_folder()
            os.sync()
            script = (
                'ffmpeg -v error -i "$1" -map 0 -map_metadata -1 -c copy "$0/${1##*/}"')
            seconds = self.each(["bash", "-c", script, str(out)], files)
            return self.counted(out, files, seconds)

        mine, theirs = self.alternate(ours, copied)
        self.figures.ratio(
            "movies: run with strip / openssl dgst, cp, openssl dgst of the copy, sync, two processes",
            mine, theirs, at_most=1.1)
        mine, theirs = self.alternate(ours, remuxed)
        self.figures.ratio(
            "movies: run with strip / ffmpeg -map_metadata -1 -c copy, a process a file, two at once",
            mine, theirs, at_most=1.0, stretch=0.5)

    def posters(self):
        if shutil.which("ffmpegthumbnailer") is None:
            self.figures.note("posters: ffmpegthumbnailer is not on this machine: not measured")
            return
        folder = self.clips("posters-source", 3 * CLIPS, [
            "-t", "3", "-c:v", "libx264", "-preset", "ultrafast", "-an"])
        files = media.files(folder)
        manifest = media.manifest(self.scratch / "posters", folder, kind="library")

        def peer():
            out = self.peer_folder()
            os.sync()
            script = 'ffmpegthumbnailer -i "$1" -s 256 -o "$0/${1##*/}.jpg"'
            seconds = self.each(["bash", "-c", script, str(out)], files)
            return self.counted(out, files, seconds)

        mine, theirs = self.alternate(lambda: self.fresh(manifest, len(files))[0].seconds, peer)
        self.figures.ratio(
            f"posters: {len(files)} H.264 videos of 1080p, run with strip and one 256 px poster / "
            "ffmpegthumbnailer, two processes", mine, theirs, at_most=0.9)

    def waveforms(self):
        for ending, options in (
                ("wav", []), ("flac", []), ("mp3", ["-b:a", "192k"]), ("m4a", ["-c:a", "aac"])):
            folder = self.scratch / f"{ending}-source"
            folder.mkdir()
            path = folder / f"hour.{ending}"
            process.check([
                "ffmpeg", "-v", "error", "-f", "lavfi", "-i",
                f"aevalsrc=0.4*sin(440*t)*sin(t/7)|0.3*sin(660*t):d={HOUR}:s=44100", *options,
                str(path)])
            manifest = media.manifest(
                self.scratch / ending, folder, kind="microphone", policy="keep", sizes=(1024,))

            def peer():
                out = self.peer_folder() / "wave.png"
                os.sync()
                return process.check([
                    "ffmpeg", "-v", "error", "-i", str(path), "-filter_complex",
                    "showwavespic=s=1024x1024", "-frames:v", "1", str(out)]).seconds

            mine, theirs = self.alternate(lambda: self.fresh(manifest, 1)[0].seconds, peer)
            self.figures.ratio(
                f"waveforms: an hour of stereo as {ending}, run with keep and one waveform / ffmpeg "
                "showwavespic", mine, theirs, at_most=0.9)
            shutil.rmtree(folder)

    def clips(self, name, count, options):
        """Makes videos of 1080p with sound, each with its own title."""
        folder = self.scratch / name
        folder.mkdir()
        for number in range(count):
            process.check([
                "ffmpeg", "-v", "error", "-f", "lavfi", "-i",
                f"testsrc2=size=1920x1080:rate=30,hue=h={15 * number},noise=alls=20:allf=t", "-f",
                "lavfi", "-i", f"sine=frequency={300 + 40 * number}", "-metadata",
                f"title=clip {number}", *options, str(folder / f"clip-{number:02}.mp4")])
        return folder

    def each(self, command, files):
        """Returns the seconds for one process per file, two at a time."""
        result = process.run(
            ["xargs", "-0", "-P", "2", "-n", "1", *command],
            standard_input="\0".join(map(str, files)) + "\0")
        if result.status != 0:
            sys.exit(f"bench: {command[0]}: {result.error[-500:]}")
        return result.seconds

    def counted(self, out, files, seconds):
        """Returns the seconds; stops if a file has no output."""
        made = [path for path in media.files(out) if path.stat().st_size > 0]
        if len(made) != len(files):
            sys.exit(f"bench: the peer made {len(made)} of {len(files)}")
        return seconds
