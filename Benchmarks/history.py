"""Measures an import of small files by the programs of earlier commits; history.sh describes it and calls it."""

import argparse
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile

import media
import process
import report

FIRST, COMMITS = "4853cd3", 14
PROGRAMS = ("mediabatch", "mediabatch-worker", "mediabatch-web")
STORE = pathlib.Path(".build-history").resolve()
# The line of scripts/build.sh that builds everything, and what takes its place: the products alone, with its flags.
BUILD = 'swift build "${flags[@]}"'
PRODUCTS = """
build_products() {{
  local product
  for product in {products}; do swift build --product "$product" "$@" || return; done
}}
"""
# A file takes some 16 KB of memory with its original, thumbnail, records and rows.
BYTES_A_FILE, INODES_A_FILE = 32_000, 8
HEADER = [
    "| commit | date | subject | µs a file | coordinator | workers | × the first | each |",
    "|---|---|---|---|---|---|---|---|",
]


class Commit:
    def __init__(self, name):
        self.hash, self.date, self.subject = git(
            "log", "-1", "--date=short", "--format=%H%n%ad%n%s", f"{name}^{{commit}}", "--").split("\n")
        self.short = self.hash[:10]
        self.folder = STORE / self.short
        # Why there are no figures.
        self.failure = None
        # The process.Result of each round.
        self.results = []

    def build(self):
        """Builds the programs, if they are not there."""
        if self.folder.is_dir():
            return
        clone, unfinished = self.folder.with_suffix(".clone"), self.folder.with_suffix(".unfinished")
        shutil.rmtree(clone, ignore_errors=True)
        shutil.rmtree(unfinished, ignore_errors=True)
        git("clone", "--quiet", "--no-checkout", ".", str(clone))
        git("-C", str(clone), "checkout", "--quiet", "--detach", self.hash)
        try:
            self.build_in(clone, unfinished)
        finally:
            shutil.rmtree(clone)
        # What is there under its own name is whole.
        if not self.failure:
            unfinished.rename(self.folder)

    def build_in(self, clone, folder):
        """Builds the programs in a clone, and copies them into a new folder."""
        package = (clone / "Package.swift").read_text(encoding="utf-8")
        programs = [name for name in PROGRAMS if f'.executable(name: "{name}"' in package]
        script = clone / "scripts/build.sh"
        text = script.read_text(encoding="utf-8")
        if text.count(BUILD) != 1:
            self.failure = "its scripts/build.sh is another one"
            return
        first, rest = text.split("\n", 1)
        script.write_text(
            first + PRODUCTS.format(products=" ".join(programs)) + rest.replace(BUILD, 'build_products "${flags[@]}"'),
            encoding="utf-8")
        log = self.folder.with_suffix(".log")
        with open(log, "wb") as output:
            done = subprocess.run([script], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        if done.returncode != 0:
            self.failure = "it was not built"
            say(f"{self.short} was not built, see {log.relative_to(STORE.parent)}")
            return
        folder.mkdir()
        for name in programs:
            shutil.copy2(clone / ".build/release" / name, folder)
        log.unlink()

    def measure(self, scratch, source, count):
        """Imports all files into a library that is removed again; returns None if that failed."""
        folder = scratch / self.short
        manifest = media.manifest(folder, source)
        # A build may not know the answers that another one has stored.
        os.environ["XDG_DATA_HOME"] = str(folder / "data")
        os.sync()
        result = process.run([str(self.folder / "mediabatch"), "run", str(manifest), "--format", "json"])
        try:
            imported = json.loads(result.output)["counts"]["imported"]
        except (ValueError, KeyError):
            imported = None
        if result.status != 0 or imported != count:
            self.failure = f"its run ended with {result.status} and imported {imported}"
            say(f"{self.short}: {self.failure}: {result.error[-1000:]}")
        shutil.rmtree(folder)
        return None if self.failure else result

    def row(self, first, count):
        """Returns the cells of the table; what `first` took divides."""
        subject = self.subject.replace("|", "\\|")
        if self.failure:
            return [self.short, self.date, subject, self.failure, "", "", "", ""]

        def shown(seconds):
            return f"{seconds / count * 1e6:,.0f}"

        middles = [statistics.median(seconds) for seconds in (
            [one.processor for one in self.results], [one.own for one in self.results],
            [one.processor - one.own for one in self.results])]
        ratio = ""
        if not first.failure:
            ratio = f"{middles[0] / statistics.median(one.processor for one in first.results):.2f}"
        return [self.short, self.date, subject, *map(shown, middles), ratio,
                " ".join(shown(one.processor) for one in self.results)]


def main():
    parser = argparse.ArgumentParser(prog="Benchmarks/history.sh")
    parser.add_argument("commits", nargs="*", metavar="COMMIT")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--name", default="history")
    arguments = parser.parse_args()
    STORE.mkdir(exist_ok=True)
    # Else a folder in memory would stay.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    commits = [Commit(name) for name in arguments.commits or spread()]
    for number, commit in enumerate(commits, 1):
        say(f"{number} of {len(commits)}: {commit.short}, {commit.date}: {commit.subject}")
        commit.build()
    if arguments.rounds == 0:
        sys.exit(any(commit.failure for commit in commits))
    scratch = scratch_folder(arguments.count)
    try:
        place = report.first_line("stat", "-f", "-c", "%T", str(scratch))
        source = scratch / "source"
        media.small_jpegs(source, arguments.count)
        # The first round is a warm-up.
        for number in range(arguments.rounds + 1):
            say(f"round {number} of {arguments.rounds}" if number else "warm-up")
            for commit in commits if number % 2 else reversed(commits):
                if commit.failure:
                    continue
                result = commit.measure(scratch, source, arguments.count)
                if number > 0 and result:
                    commit.results.append(result)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    write(commits, arguments, place)
    sys.exit(any(commit.failure for commit in commits))


def spread():
    """Returns commits with about as many others between each two."""
    between = git("rev-list", "--first-parent", "--reverse", f"{FIRST}..HEAD").split()
    commits = [FIRST, *between]
    steps = max(1, min(COMMITS, len(commits)) - 1)
    return [commits[round(step * (len(commits) - 1) / steps)] for step in range(steps + 1)]


def scratch_folder(count):
    """Returns a new folder in memory if the sources and a library have room there, else one beside the build."""
    room = os.statvfs("/dev/shm") if os.path.isdir("/dev/shm") else None
    needed = count * BYTES_A_FILE + 2 ** 30
    # A file system without a limit of inodes says that there are none.
    if room and room.f_bavail * room.f_frsize > needed and (
            room.f_files == 0 or room.f_favail > count * INODES_A_FILE) and (
            (process.kilobytes("/proc/meminfo", "MemAvailable:") or 0) * 1024 > 2 * needed):
        return pathlib.Path(tempfile.mkdtemp(prefix="mediabatch-history.", dir="/dev/shm"))
    folder = pathlib.Path(".build/bench-history").resolve()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def write(commits, arguments, place):
    date, path = report.new_path(arguments.name)
    rows = [commit.row(commits[0], arguments.count) for commit in commits]
    table = "\n".join([*HEADER, *("| " + " | ".join(row) + " |" for row in rows)])
    path.write_text(f"""# A small file since {commits[0].date}, {date}

`{" ".join(["Benchmarks/history.sh", *sys.argv[1:]])}`

{table}

Processor time of an import of {arguments.count:,} small JPEGs (strip, one thumbnail of 256 px), in µs a file: medians
of {arguments.rounds} rounds after a warm-up; in each of them every build imports once. "coordinator" is that of its
process alone, "workers" that of all others. Each build has the flags of its own scripts/build.sh.

- {report.computer()}, sources and libraries on {place}, load in the end {os.getloadavg()[0]:.1f}
- {report.first_line("swift", "--version")}
""", encoding="utf-8")
    print(table)
    print(f"kept in {path}")


def git(*words):
    done = subprocess.run(["git", *words], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"history: git {words[0]}: {done.stderr.strip()}")
    return done.stdout.strip()


def say(text):
    print(f"history: {text}", file=sys.stderr, flush=True)


main()
