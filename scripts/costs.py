#!/usr/bin/env python3
"""Counts what a run costs, and fails when a figure is more than 5 % above the tracked one; "make costs" calls it.

scripts/costs.py PROGRAMS              Compares with Benchmarks/costs.json; PROGRAMS has mediabatch and its worker.
scripts/costs.py PROGRAMS --write      Writes the figures of this machine's release of Debian there anew. The commit
                                       says what was bought by each figure that went up.
scripts/costs.py PROGRAMS --per-file   Prints the system calls for each file of 1,500 beyond those for 500.

Time is no figure: other programs on the machine change it. These do not change with the load:

- system calls by kind of all processes, what is written to the catalogue and to the log, waits for the disk, and
  allocations of the coordinator: of an import of 500 small JPEGs, and of a second run that finds nothing new;
- instructions of the start of the program;
- instructions and allocations of file-probe, which does in one process what the two programs do with a file.

Libraries and the loader differ between releases of Debian, so each release has its own figures, and one without any
is skipped. Instructions are those of one kind of processor: libraries choose functions by what it can do.
Exit: 0 no figure is above, 1 some are, 64 a wrong argument, 69 something failed.
"""

import collections
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Benchmarks"))
import media  # noqa: E402: the measurements' own files and manifests

# COSTS_FIGURES names another file, by which one sees that this check can fail.
FIGURES = pathlib.Path(os.environ.get("COSTS_FIGURES") or ROOT / "Benchmarks/costs.json")
PROBE = ROOT / ".build/test-programs/file-probe"
COUNTER = ROOT / "scripts/costs-allocations.c"

PROGRAMS = ("mediabatch", "mediabatch-worker")
# Each folder on the way to a file costs calls, so the paths are as deep and as long on each machine, those of the
# programs too; these are on the disk because some machines start none from memory.
MEMORY, DISK = "/dev/shm", "/var/tmp"
PREFIX = "mediabatch-costs."

FILES = 500
# Of which --per-file takes the difference to FILES.
MORE_FILES = 1500
PROBE_FILES, PROBE_TIMES = 20, 5
# More than all files take, with their libraries.
LARGEST_BYTES = 128 << 20
# How far above its tracked figure one may be: a share of it, or so many where it is tiny.
SHARE, SLACK = 0.05, 2

RUNS = ("import", "unchanged")
# Kinds of calls of which fewer than 5 % more may be luck, with the share that may be.
ALLOWED = {
    # The heap begins at a random address, so that it grows by one step more or less: 58 to 61.
    "brk": 0.15,
}
# Kinds that are not compared.
LEFT_OUT = {
    # What strace itself interrupts is begun again.
    "restart_syscall",
    # SQLite gives the files that it makes to the database's owner, and asks in another way who it is as root.
    "geteuid",
}
# The coordinator's loop turns once for each answer of a worker, or once for several: 262 to 1,523 times for 500
# files. Each turn polls, looks for a signal, and receives, so that what is beyond these turns does not change.
TURN = "poll"
BEYOND = {"poll": "sendto", "recvmsg": TURN, "rt_sigtimedwait": TURN}
# Of a worker's processor time, which is read twice for each job, and ten times a second: 1,006 to 1,064.
WHOLE_A_FILE = {"clock_getres", "clock_gettime"}
# The store of a person's answers is looked at before files are opened, one or several: 380 to 694 times. Calls on it
# are counted apart: those of one look.
ANSWERS = "/mediabatch/answers.sqlite"
LOOK = "system calls of most"
# Figures that are the same in each run, and tiny: two more of them are no luck.
EXACT = {LOOK}

LINE = re.compile(r"^(\w+)\((.*)\)\s+= (-?\d+|\?)")
# The path that strace -y writes behind the first descriptor of a call.
PATH = re.compile(r"^\d+<([^>]*)>")
WRITES = {"write", "pwrite64", "writev", "pwritev", "pwritev2"}
WAITS = {"fsync", "fdatasync", "syncfs"}
WAIT_FLAGS = {"sync_file_range": "SYNC_FILE_RANGE_WAIT", "msync": "MS_SYNC"}
# SQLite writes each page by a call of its own, and the heads of frames and files by shorter ones.
SMALLEST_PAGE = 4096


class Skipped(Exception):
    """Something that this machine lacks, without which some figures cannot be counted."""


def fail(text, status=69):
    """Ends with a message."""
    print(f"costs: {text}", file=sys.stderr)
    sys.exit(status)


def environment(folder, **more):
    """Returns the variables of a program: none of the caller's changes a figure, and hash tables have one order."""
    return {
        "PATH": "/usr/bin:/bin", "HOME": f"{folder}/home", "LC_ALL": "C", "TZ": "UTC",
        "SWIFT_DETERMINISTIC_HASHING": "1", **more,
    }


def run(command, folder, **more):
    """Runs a program to its end, and returns what it printed to standard error; stops when it fails."""
    done = subprocess.run(
        [str(word) for word in command], env=environment(folder, **more), stdin=subprocess.DEVNULL, cwd=folder,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    if done.returncode != 0:
        said = done.stdout + done.stderr
        said = said if len(said) < 2000 else f"{said[:1000]}…{said[-1000:]}"
        fail(f"{' '.join(map(str, command))} ended with {done.returncode}: {said}")
    return done.stderr


def import_command(programs, manifest):
    """Returns the command of a run; one worker, since the number of processors is no property of the program."""
    return [programs / "mediabatch", "run", manifest, "--workers", "1", "--no-input"]


def traced(programs, folder, manifest):
    """Returns each system call of a run as its name, arguments and result, a process after the other."""
    traces = folder / "traces"
    shutil.rmtree(traces, ignore_errors=True)
    traces.mkdir()
    # One file a process, so that no call is cut in two by another process's line.
    run(["strace", "-ff", "-qq", "-y", "-s", "0", "-e", "signal=none", "-o", traces / "of",
         *import_command(programs, manifest)], folder)
    for trace in sorted(traces.iterdir()):
        for line in trace.read_text(encoding="utf-8", errors="replace").splitlines():
            if found := LINE.match(line):
                yield found.groups()
            elif name := re.match(r"^(\w+)\(", line):
                # exit_group, and what a process was in when it was killed, have no result.
                yield name[1], "", "?"


def place(path):
    """Returns by which name the bytes of a file count; None for a file whose bytes do not."""
    name = os.path.basename(path)
    if name.endswith(".ndjson") and "/Audit/" in path:
        return "log"
    return name if name in {"library.sqlite", "library.sqlite-wal"} else None


def compared(kinds, files):
    """Returns the numbers of calls by kind without what changes from run to run."""
    result = {}
    for kind, number in sorted(kinds.items()):
        if kind in BEYOND:
            result[f"{kind} beyond {BEYOND[kind]}"] = max(0, number - kinds[BEYOND[kind]])
        elif kind in WHOLE_A_FILE:
            result[f"{kind}, in whole ones a file"] = number // files * files
        elif kind not in LEFT_OUT:
            result[kind] = number
    return result


def figures_of_trace(calls, files):
    """Returns what is counted of a run's system calls: by kind, written to the catalogue and the log, and waits."""
    kinds, written, waits = collections.Counter(), collections.Counter(), collections.Counter()
    looks = [0]
    for name, arguments, result in calls:
        if name in WAITS or name in WAIT_FLAGS and WAIT_FLAGS[name] in arguments:
            waits[name] += 1
        if ANSWERS in arguments:
            # A look begins with the file's status.
            if name == "statx":
                looks.append(0)
            looks[-1] += 1
            continue
        kinds[name] += 1
        found = PATH.match(arguments)
        if name not in WRITES or not result.isdigit() or not found or not (kind := place(found[1])):
            continue
        written[f"{kind}, bytes"] += int(result)
        if kind != "log" and int(result) >= SMALLEST_PAGE:
            written[f"{kind}, pages"] += 1
    figures = {"system calls": compared(kinds, files), "written": dict(written), "waits for the disk": dict(waits)}
    # A run over files that did not change opens none, and looks three to five times.
    if len(looks) > files / 4:
        figures["looks at the answers"] = {
            LOOK: statistics.mode(looks[1:]), "beyond two a file": max(0, len(looks) - 1 - 2 * files),
        }
    return figures


def compiled_counter(folder):
    """Returns the library that counts allocations."""
    library = folder / "allocations.so"
    run(["cc", "-std=c17", "-O2", "-shared", "-fPIC", COUNTER, "-o", library], folder)
    return library


def allocations(command, folder, counter, name):
    """Returns how often the process that is called so has allocated memory."""
    number = folder / "allocations"
    number.write_bytes(bytes(8))
    run(command, folder, LD_PRELOAD=str(counter), COSTS_ALLOCATIONS=str(number), COSTS_PROGRAM=name)
    count = int.from_bytes(number.read_bytes(), sys.byteorder)
    if count == 0:
        fail(f"no allocation of {name} was counted: was it preloaded with {COUNTER.name}?")
    return count


def instructions(command, folder):
    """Returns the instructions of user code that callgrind counts of a program, loader and libraries included."""
    if shutil.which("valgrind") is None:
        raise Skipped("valgrind is not there (scripts/deps.sh test installs it)")
    report = run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command], folder)
    found = re.search(r"Collected\s*:\s*(\d+)", report)
    if not found:
        fail(f"callgrind said no number: {report[-500:]}")
    return int(found[1])


def small_manifest(folder, count):
    """Makes so many small JPEGs, a manifest that strips them and makes one thumbnail of 256 px, and an empty home."""
    for name in ("files", "home"):
        shutil.rmtree(folder / name, ignore_errors=True)
        (folder / name).mkdir()
    media.small_jpegs(folder / "files/source", count)
    return media.manifest(folder / "files", folder / "files/source")


def figures_of_runs(programs, folder, count=FILES):
    """Returns for the import and the second run what is counted of the system calls."""
    manifest = small_manifest(folder, count)
    return {name: figures_of_trace(traced(programs, folder, manifest), count) for name in RUNS}


def small_pictures(folder, count):
    """Makes so many JPEGs of 640 × 480 pixels with what a camera says in them, and returns their folder."""
    pictures = folder / "pictures"
    pictures.mkdir()
    for number in range(count):
        path = pictures / f"IMG_{number:04}.JPG"
        run(["convert", "-size", "640x480", "-seed", number, "plasma:fractal", "-quality", "90", path], folder)
    run(["exiftool", "-q", "-overwrite_original", "-n", "-Make=Example", "-Model=One", "-Orientation=6",
         "-DateTimeOriginal=2026:11:21 01:44:39", "-OffsetTimeOriginal=+01:00", "-GPSLatitude=48.1",
         "-GPSLatitudeRef=N", "-GPSLongitude=11.5", "-GPSLongitudeRef=E", "-XMP-dc:Description=A harbour", pictures],
        folder)
    return pictures


def measured(programs, folder):
    """Returns all figures by their names, and the subjects of those that this machine cannot count."""
    figures, skipped = figures_of_runs(programs, folder), set()
    manifest, counter = small_manifest(folder, FILES), compiled_counter(folder)
    for name in RUNS:
        command = import_command(programs, manifest)
        figures[name]["allocations of the coordinator"] = allocations(command, folder, counter, "mediabatch run")

    def add(subject, figure, count):
        try:
            figures.setdefault(subject, {})[figure] = count()
        except Skipped as reason:
            skipped.add(f"{subject} / {figure}")
            print(f"costs: SKIPPED: {subject} / {figure}: {reason}", file=sys.stderr)

    add("start", "instructions", lambda: instructions([programs / "mediabatch", "--version"], folder))
    probe = [PROBE, small_pictures(folder, PROBE_FILES), folder / "probe", PROBE_TIMES]
    add("file-probe", "instructions", lambda: instructions(of_probe(probe), folder))
    add("file-probe", "allocations", lambda: allocations(of_probe(probe), folder, counter, PROBE.name))
    return flat(figures), skipped


def of_probe(command):
    """Returns the command of file-probe with an empty folder for its catalogue, if the program is built."""
    if not os.access(PROBE, os.X_OK):
        raise Skipped(f"{PROBE.relative_to(ROOT)} is not built (make test builds it)")
    shutil.rmtree(command[2], ignore_errors=True)
    command[2].mkdir()
    return command


def flat(figures, above=""):
    """Returns nested figures in one dictionary, by the names on the way to each."""
    result = {}
    for name, value in figures.items():
        name = f"{above} / {name}" if above else name
        result.update(flat(value, name) if isinstance(value, dict) else {name: value})
    return result


def debian():
    """Returns the release of Debian, such as 12; its name where it has no number."""
    lines = pathlib.Path("/etc/os-release").read_text(encoding="utf-8").splitlines()
    values = dict(line.split("=", 1) for line in lines if "=" in line)
    return values.get("VERSION_ID", values.get("VERSION_CODENAME", "unknown")).strip('"')


def tracked():
    """Returns the tracked figures of each release of Debian."""
    return json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}


def limit(name, old):
    """Returns up to which number a figure may go."""
    last = name.rsplit(" / ", 1)[-1]
    return max(old * (1 + ALLOWED.get(last, SHARE)), old + (0 if last in EXACT else SLACK))


def change(old, new):
    """Returns how a figure has changed, as a text."""
    share = f"{100 * (new - old) / old:+.1f} %" if old else "there was none"
    return f"{old:,} is now {new:,} ({share})"


def compare(old, new, skipped, release):
    """Prints what has changed, and returns whether no figure is above its limit."""
    # A kind of call that is made no more has no figure, which is 0; one that was skipped is not judged.
    old = {name: value for name, value in old.items() if name not in skipped}
    names = sorted(old.keys() | new.keys())
    pairs = [(name, old.get(name, 0), new.get(name, 0)) for name in names]
    above = [pair for pair in pairs if pair[2] > limit(pair[0], pair[1])]
    below = [pair for pair in pairs if pair[1] > limit(pair[0], pair[2])]
    for word, found in (("below", below), ("ABOVE", above)):
        for name, before, now in found:
            print(f"costs: {word}: {name}: {change(before, now)}")
    if below:
        print(f"costs: {len(below)} figures are below those of Debian {release} in {FIGURES.name}: lower them there "
              "(scripts/costs.py PROGRAMS --write), or they may grow again unnoticed")
    if above:
        print(f"costs: {len(above)} of {len(new)} figures are above those of Debian {release} in {FIGURES.name}. Find "
              "what costs more; if it is worth that, raise them in a commit of its own that says what was bought")
    else:
        print(f"costs: none of {len(new)} figures is above that of Debian {release} in {FIGURES.name}")
    return not above


def write(release, figures, skipped):
    """Writes the figures of this release of Debian; those that were skipped stay as they were."""
    every = tracked()
    old = every.get(release, {})
    kept = {name: old[name] for name in skipped if name in old}
    every[release] = {**figures, **kept}
    FIGURES.write_text(json.dumps(every, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(f"costs: wrote {len(figures)} figures of Debian {release} to {FIGURES}")


def print_per_file(programs, folder):
    """Prints the system calls and the written bytes for each file beyond the first ones."""
    few, many = (flat(figures_of_runs(programs, folder, count)) for count in (FILES, MORE_FILES))
    for name in sorted(many, key=lambda name: few.get(name, 0) - many[name]):
        if number := many[name] - few.get(name, 0):
            print(f"{number / (MORE_FILES - FILES):12.3f}  {name}")


def scratch():
    """Returns where files are made: in memory, where there is room, since the calls are those of a disk."""
    is_roomy = os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > LARGEST_BYTES
    return MEMORY if is_roomy else DISK


def main():
    """Counts, and compares, writes or prints."""
    options = [word for word in sys.argv[2:] if word in {"--write", "--per-file"}]
    if len(sys.argv) < 2 or len(options) != len(sys.argv) - 2 or len(options) > 1:
        fail(__doc__, 64)
    programs = pathlib.Path(sys.argv[1])
    for name in PROGRAMS:
        if not os.access(programs / name, os.X_OK):
            fail(f"{programs}/{name} is not there: run \"make build\" first")
    release = debian()
    if not options and release not in tracked():
        print(f"costs: SKIPPED: no figures for Debian {release} in {FIGURES}: write them with "
              "\"scripts/costs.py PROGRAMS --write\" there", file=sys.stderr)
        return 0
    with tempfile.TemporaryDirectory(prefix=PREFIX, dir=DISK) as copies, \
            tempfile.TemporaryDirectory(prefix=PREFIX, dir=scratch()) as folder:
        copies, folder = pathlib.Path(copies), pathlib.Path(folder)
        for name in PROGRAMS:
            # Valgrind does not read the debug information of the package's programs.
            subprocess.run(["strip", "-o", str(copies / name), str(programs / name)], check=True)
        if options == ["--per-file"]:
            print_per_file(copies, folder)
            return 0
        figures, skipped = measured(copies, folder)
    if options:
        write(release, figures, skipped)
        return 0
    return 0 if compare(tracked()[release], figures, skipped, release) else 1


sys.exit(main())
