"""What is measured, against which program, and what is to be reached: one row for each figure of the table."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Peer:
    """A program that people use for the same work. It processes the same files as a run, by turns with it."""

    name: str
    # {out} is an empty folder for the outputs; other words in braces are folders and files of the part.
    command: tuple[str, ...]
    # How many processes share the files, each with its part of the bytes. With `each` it is one for each file, so
    # many at once; with none no file is named.
    processes: int = 2
    each: bool = False
    # How many outputs a file must have; work that is not done is fast.
    outputs: int = 1
    # The outputs must have fewer bytes than the files.
    strips: bool = False
    # It changes the files, so it gets copies of them; copying is not measured.
    in_place: bool = False


@dataclass(frozen=True)
class Goal:
    """A figure: a measure of one contestant, alone or divided by that of another one."""

    # Of the list of goals, 1 to 8; 0 for a figure that is looked at beside them.
    number: int
    what: str
    # The part that is measured, which run.sh takes, and what it is about: a format, or how many files.
    part: str
    about: str | int | tuple | None = None
    # Who is measured, and whose measure divides it.
    ours: str = "mediabatch"
    peer: Peer | str | None = None
    # processor, own (processor time without child processes) and seconds; peak, in bytes; value.
    measure: str = "processor"
    # ×: the ratio to the peer's; s, ms, µs, MB; "a file": divided by the files; "files a second".
    unit: str = "×"
    at_most: float | None = None
    at_least: float | None = None


# Where a goal lies below the decoder alone, it becomes this many times the decoder's time.
ABOVE_FLOOR = 1.15

VIPSTHUMBNAIL = Peer(
    "vipsthumbnail",
    # Without > it enlarges small pictures, and without the profile colors would differ.
    ("vipsthumbnail", "--size", "256>", "-o", "{out}/%s.jpg[Q=80,background=255]"))
VIPSTHUMBNAIL_THRICE = Peer(
    "vipsthumbnail, once for each size",
    ("bash", "-c", 'for size in 256 512 1600; do vipsthumbnail --size "$size>" '
     '-o "$0/%s-$size.jpg[Q=80,background=255]" "$@" || exit; done', "{out}"), outputs=3)
EXIFTOOL = Peer(
    "exiftool -all= -o", ("exiftool", "-q", "-q", "-all=", "-o", "{out}/"), processes=1, strips=True)
EXIV2 = Peer("exiv2 rm", ("exiv2", "rm"), processes=1, strips=True, in_place=True)
SAME_PROMISE = Peer(
    "exiftool -all= -o, openssl dgst -sha256 of sources and results, sync",
    ("bash", "-c", 'exiftool -q -q -all= -o "$0/" "$@" && openssl dgst -sha256 "$@" "$0"/* && sync -f "$0"',
     "{out}"), processes=1, strips=True)
RSYNC = Peer("rsync -an", ("rsync", "-an", "{source}/", "{copy}/"), processes=0, outputs=0)
SHA256SUM = Peer(
    "sha256sum of originals and log", ("xargs", "-0", "-a", "{names}", "sha256sum"), processes=0, outputs=0)
FFMPEGTHUMBNAILER = Peer(
    "ffmpegthumbnailer",
    ("bash", "-c", 'ffmpegthumbnailer -i "$1" -s 256 -o "$0/${1##*/}.jpg"', "{out}"), each=True)
SHOWWAVESPIC = Peer(
    "ffmpeg showwavespic",
    ("bash", "-c", 'ffmpeg -v error -i "$1" -filter_complex showwavespic=s=1024x1024 -frames:v 1 '
     '"$0/${1##*/}.png"', "{out}"), each=True)
REMUX = Peer(
    "ffmpeg -c copy -map_metadata -1",
    ("bash", "-c", 'ffmpeg -v error -i "$1" -map 0 -map_metadata -1 -c copy "$0/${1##*/}"', "{out}"), each=True)
HASH_AND_COPY = Peer(
    "openssl dgst, cp, openssl dgst of the copies, sync",
    ("bash", "-c", 'openssl dgst -sha256 "$@" && cp "$@" "$0/" && openssl dgst -sha256 '
     '$(printf "$0/%s " "${@##*/}") && sync -f "$0"', "{out}"))
SCRIPT = Peer(
    "cp, exiftool -all=, vipsthumbnail, sha256sum",
    ("bash", "-c", 'mkdir -p "$0/$$" && cp "$@" "$0/$$" && exiftool -q -q -all= -overwrite_original "$0/$$" '
     '&& vipsthumbnail --size "256>" -o "$0/%s.thumbnail.jpg[Q=80,background=255]" "$@" '
     '&& sha256sum "$0/$$"/*', "{out}"), outputs=2)

# Of the processor time of vipsthumbnail, by format.
FORMATS = {
    "heic": 0.6, "webp": 0.7, "tiff": 0.7, "tiff in tiles": 0.7, "gif": 0.6, "png": 0.55, "avif": 0.4, "jxl": 0.8,
    "jp2": 0.8,
}
# The pictures that the corpus has of a format are few and small, and have all that a format allows.
CORPUS_FORMATS = {name: limit for name, limit in FORMATS.items() if name != "tiff in tiles"}

QUESTIONS = {
    "list": 0.3, "list --limit 100": 0.3, "list --format paths0": 0.3, "list --format ndjson": None, "albums": 0.3,
    "explain ID": 0.3, "explain PATH": 0.3, "explain LABEL": 0.3, "report --format json --asset ID": 0.3,
    "report --format html --asset ID": 0.3, "report --format json --asset LABEL": None,
    "stack list --format json": None, "audit verify": None,
}


def questions(count, limits=True):
    return [
        Goal(5, f"{words}, {count:,} assets", "asking", count, ours=words, measure="seconds", unit="s",
             at_most=limit if limits else None)
        for words, limit in QUESTIONS.items()]


GOALS = [
    Goal(1, "whole run (strip, 256 px) over camera JPEGs: processor time", "jpeg", peer=VIPSTHUMBNAIL, at_most=0.45),
    Goal(1, "the same by the clock", "jpeg", peer=VIPSTHUMBNAIL, measure="seconds", at_most=0.45),
    *[Goal(1, f"whole run over photographs in {name}", "formats", ("photographs", name), peer=VIPSTHUMBNAIL,
           at_most=limit)
      for name, limit in FORMATS.items()],
    *[Goal(1, f"whole run over the corpus's {name}", "formats", ("corpus", name), peer=VIPSTHUMBNAIL, at_most=limit)
      for name, limit in CORPUS_FORMATS.items()],

    Goal(2, "strip of 120 camera JPEGs", "strip", peer=SAME_PROMISE, at_most=1.0),
    Goal(2, "strip of 120 camera JPEGs", "strip", peer=EXIFTOOL, at_most=1.3),
    Goal(2, "strip of 120 camera JPEGs", "strip", peer=EXIV2),
    Goal(2, "strip of 120 camera JPEGs", "strip", peer=HASH_AND_COPY, at_most=1.15),
    Goal(2, "strip of 120 camera JPEGs by the clock", "strip", peer=EXIFTOOL, measure="seconds"),

    Goal(3, "import of 10,000 small files", "scale", 10_000, unit="µs a file", at_most=350),
    Goal(3, "import of 100,000 small files", "scale", 100_000, unit="µs a file", at_most=350),
    Goal(3, "import of 20,000 small files / the least that makes its folders", "small", 20_000, peer="floor",
         at_most=2.5),
    Goal(3, "the same, processor time", "small", 20_000, unit="µs a file"),
    Goal(3, "the least that makes its folders, processor time", "small", 20_000, ours="floor", unit="µs a file"),
    Goal(3, "import of 20,000 small files by the clock", "small", 20_000, measure="seconds", unit="files a second"),
    Goal(3, "system calls of an import", "small", "calls", measure="value", unit="a file", at_most=30),
    Goal(3, "system calls of the least that makes its folders", "small", "calls", ours="floor", measure="value",
         unit="a file"),
    Goal(3, "system calls of a run with nothing changed", "calls", ours="unchanged", measure="value", unit="a file"),

    *[Goal(4, f"nothing changed, {count:,} files{word}", "unchanged", count, peer=RSYNC, measure=measure, at_most=limit)
      for count in (20_000, 100_000)
      for word, measure, limit in (("", "processor", 0.8), (" by the clock", "seconds", 1.0))],
    Goal(4, "start of the program: --version", "start", ours="--version", measure="seconds", unit="ms", at_most=15),
    Goal(4, "the same, processor time", "start", ours="--version", unit="ms"),
    Goal(4, "a run over one unchanged file, strip", "start", ours="strip", unit="ms"),
    Goal(4, "a run over one unchanged file, keep", "start", ours="keep", unit="ms"),

    Goal(5, "merge of 20,000 assets in two shards", "merge", 20_000, measure="seconds", unit="files a second",
         at_least=8000),
    Goal(5, "verify, 2,000 files of 1 MB", "verify", ("megabytes", 2_000), peer=SHA256SUM, at_most=1.15),
    Goal(5, "verify of 100,000 tiny assets", "verify", ("small", 100_000), unit="s", at_most=10),
    Goal(5, "repair of 100,000 tiny assets", "repair", 100_000, unit="s"),
    *questions(100_000),

    Goal(6, "run with strip and a poster over H.264 films of 1080p", "posters", peer=FFMPEGTHUMBNAILER, at_most=0.22),
    *[Goal(6, f"run with keep and a waveform, ten minutes of stereo as {ending}", "waveforms", ending,
           peer=SHOWWAVESPIC)
      for ending in ("wav", "flac", "mp3", "m4a")],
    Goal(6, "run with 256, 512 and 1600 px over camera JPEGs", "sizes", peer=VIPSTHUMBNAIL_THRICE, at_most=0.25),
    Goal(6, "contact sheet of 1,000", "pages", ours="contact-sheet", measure="seconds", unit="s"),
    Goal(6, "gallery of 1,000", "pages", ours="gallery", measure="seconds", unit="s"),

    Goal(7, "one worker / two workers over camera JPEGs, by the clock", "workers", ours="one", peer="two",
         measure="seconds", at_least=1.8),
    *[Goal(7, f"memory, {what}: sum of Pss", "memory", what, measure="peak", unit="MB", at_most=300)
      for what in ("camera JPEGs", "50 MP JPEGs", "50 MP JPEGs, progressive", "12 MP HEICs")],
    Goal(7, "the coordinator's processor time, of that of its workers, 120 camera JPEGs", "busy", ours="share",
         measure="value", unit="", at_most=0.18),
    Goal(7, "all cores are busy from the second to the last batch, share of the time", "busy", ours="cores",
         measure="value", unit="", at_least=0.95),
    Goal(7, "the coordinator's processor time, camera JPEGs", "coordinator", "jpeg", measure="own",
         unit="ms a file"),
    *[Goal(7, f"the coordinator's processor time, {name}", "coordinator", name, measure="own", unit="ms a file")
      for name in CORPUS_FORMATS],

    Goal(8, "the coordinator's Rss grows from 10,000 to 100,000 small files", "growth", 100_000, measure="value",
         unit="bytes a file", at_most=40),
    Goal(8, "memory, Photos library of 100,000 rows", "photos", 100_000, measure="peak", unit="MB",
         at_most=150),
    Goal(8, "memory, verify of 100,000 tiny assets", "verify", ("small", 100_000), measure="peak", unit="MB"),
    Goal(8, "memory, report --format html of 100,000 assets", "report", 100_000, measure="peak", unit="MB"),
]

MILLION = [
    Goal(3, "import of a million small files", "scale", 1_000_000, unit="µs a file", at_most=350),
    Goal(8, "memory of that import, the coordinator", "scale", 1_000_000, measure="peak", unit="MB"),
    Goal(8, "the coordinator's Rss grows from 100,000 to a million small files", "growth", 1_000_000, measure="value",
         unit="bytes a file", at_most=40),
    Goal(4, "nothing changed, a million files", "unchanged", 1_000_000, peer=RSYNC, at_most=0.8),
    Goal(4, "nothing changed, a million files by the clock", "unchanged", 1_000_000, peer=RSYNC, measure="seconds",
         at_most=1.0),
    *questions(1_000_000, limits=False),
    Goal(8, "memory, report --format html", "report", 1_000_000, measure="peak", unit="MB"),
    Goal(5, "report --format html", "report", 1_000_000, unit="s"),
    Goal(5, "verify of a million tiny assets", "verify", ("small", 1_000_000), unit="s", at_most=100),
    Goal(8, "memory, verify", "verify", ("small", 1_000_000), measure="peak", unit="MB"),
    Goal(5, "repair of a million tiny assets", "repair", 1_000_000, unit="s"),
    Goal(8, "memory, repair", "repair", 1_000_000, measure="peak", unit="MB"),
    Goal(8, "memory, Photos library of a million rows", "photos", 1_000_000, measure="peak", unit="MB",
         at_most=150),
    Goal(8, "memory, dry run of that library", "photos", 1_000_000, "dry run", measure="peak", unit="MB", at_most=150),
    Goal(5, "merge of a million assets in eight shards", "merge", 1_000_000, measure="seconds", unit="files a second",
         at_least=8000),
    Goal(8, "memory, merge", "merge", 1_000_000, measure="peak", unit="MB"),
]
# What the parts of MILLION need at most at once: a million sources of one block with their copy for rsync and a library
# of 15.2 KB and 3 inodes an asset; then shards and what is merged of them.
MILLION_BYTES, MILLION_INODES = 26 * 10 ** 9, 7_500_000

# Measured when run.sh names the part.
FURTHER = [
    Goal(0, "clean build, processor time", "build", ours="build", unit="s"),
    Goal(0, "clean build, by the clock", "build", ours="build", measure="seconds", unit="s"),
    Goal(0, "whole run over camera JPEGs by the clock", "script", peer=SCRIPT, measure="seconds", at_most=0.45),
    Goal(0, "strip of MP4s by the clock", "movies", peer=HASH_AND_COPY, measure="seconds", at_most=1.1),
    Goal(0, "strip of MP4s by the clock", "movies", peer=REMUX, measure="seconds", at_most=1.0),
    Goal(0, "whole run with the kernel's confinement / without it, by the clock", "confinement", ours="kernel",
         peer="process", measure="seconds", at_most=1.03),
    *[Goal(0, f"anonymous memory of the process that has most, sparse {kind}, from 10 MB to gigabytes", "holes", kind,
           ours="large", peer="small", measure="peak", at_most=1.1)
      for kind in ("JPEG with a trailer", "TIFF with one strip")],
]
