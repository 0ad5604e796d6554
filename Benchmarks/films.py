"""The parts about films and sound: posters, waveforms, strip."""

import process

CLIPS = 8
SOUND_SECONDS = 600
# Three seconds in the bit rate of a phone.
POSTER_OPTIONS = [
    "-t", "3", "-c:v", "libx264", "-preset", "ultrafast", "-b:v", "17M", "-maxrate", "17M", "-bufsize", "17M", "-an"]
SOUND_OPTIONS = {"wav": (), "flac": (), "mp3": ("-b:a", "192k"), "m4a": ("-c:a", "aac")}


def posters(bench, _):
    return bench.whole_run("posters", clips(bench, "posters-17M", 3 * CLIPS, POSTER_OPTIONS), kind="library")


def movies(bench, _):
    return bench.whole_run("movies", mp4s(bench), sizes=(), kind="library")


def mp4s(bench):
    return clips(bench, "movies", CLIPS, [
        "-t", "10", "-c:v", "mpeg4", "-b:v", "40M", "-c:a", "aac", "-movflags", "faststart"])


def clips(bench, name, count, options):
    """Makes films of 1080p with sound, each with its own title."""
    def make(folder):
        for number in range(count):
            process.check([
                "ffmpeg", "-v", "error", "-f", "lavfi", "-i",
                f"testsrc2=size=1920x1080:rate=30,hue=h={15 * number},noise=alls=20:allf=t", "-f",
                "lavfi", "-i", f"sine=frequency={300 + 40 * number}", "-metadata",
                f"title=clip {number}", *options, str(folder / f"clip-{number:02}.mp4")])

    return bench.made(name, make)


def waveforms(bench, ending):
    def make(folder):
        process.check([
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i",
            f"aevalsrc=0.4*sin(440*t)*sin(t/7)|0.3*sin(660*t):d={SOUND_SECONDS}:s=44100",
            *SOUND_OPTIONS[ending], str(folder / f"sound.{ending}")])

    return bench.whole_run(
        f"waveform-{ending}", bench.made(f"sound-{ending}", make), kind="microphone", policy="keep", sizes=(1024,))
