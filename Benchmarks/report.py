"""Prints the figures as a table, and stores them with a description of the machine."""

import datetime
import os
import pathlib
import platform
import statistics
import subprocess


class Figures:
    def __init__(self):
        self.rows, self.notes = [], []

    def note(self, text):
        if text not in self.notes:
            self.notes.append(text)

    def row(self, what, figure, limit, met, each):
        self.rows.append((what, figure, limit, met, each))

    def ratio(self, what, ours, theirs, at_most, stretch=None):
        """Adds the ratio of the medians, with all single times in seconds."""
        value = statistics.median(ours) / statistics.median(theirs)
        limit = f"at most {at_most}×" + (f", better {stretch}×" if stretch else "")
        self.row(
            what, f"{value:.3f}×", limit, value <= at_most, f"{seconds(ours)} / {seconds(theirs)}")

    def speedup(self, what, slow, fast, at_least, stretch):
        """Adds how many times faster it is, by the medians of seconds."""
        value = statistics.median(slow) / statistics.median(fast)
        self.row(
            what, f"{value:.2f}× faster", f"at least {at_least}×, better {stretch}×",
            value >= at_least, f"{seconds(slow)} / {seconds(fast)}")

    def value(self, what, unit, values, at_most=None):
        value = statistics.median(values) if unit == "s" else max(values)
        digits = 3 if unit == "s" and value < 10 else 1
        self.rows.append((
            what, f"{value:.{digits}f} {unit}", f"at most {at_most} {unit}" if at_most else "",
            None if at_most is None else value <= at_most,
            ", ".join(f"{one:.{digits}f}" for one in values)))

    def table(self):
        lines = ["| what | figure | goal | met | each |", "|---|---|---|---|---|"]
        for what, figure, limit, met, each in self.rows:
            word = "" if met is None else ("yes" if met else "**no**")
            lines.append(f"| {what} | {figure} | {limit} | {word} | {each} |")
        return "\n".join(lines)


def seconds(times):
    return " ".join(f"{one:.2f}" for one in times) + " s"


def first_line(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return "not there"
    return (done.stdout or done.stderr).strip().split("\n")[0]


def cpu_model():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def memory_gib():
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2 ** 30


def write(figures, name, command, program):
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
    folder = pathlib.Path("Benchmarks/results")
    folder.mkdir(exist_ok=True)
    path, number = folder / f"{date}-{name}.md", 2
    while path.exists():
        path, number = folder / f"{date}-{name}-{number}.md", number + 1
    text = f"""# {name}, {date}

`{command}`

{figures.table()}

"each": the seconds of every round, ours / the peer's, after a warm-up, by turns; the figure is the
ratio of the medians. The library is removed before each first import; files come out of the page
cache for both. A peer that did not make every file stops the bench.

- {f"{chr(10)}- ".join(figures.notes + machine(program))}
"""
    path.write_text(text, encoding="utf-8")
    print(figures.table())
    for note in figures.notes:
        print(note)
    print(f"kept in {path}")


def machine(program):
    return [
        f"machine: {os.cpu_count()} cores, {cpu_model()}, {memory_gib():.0f} GiB, "
        f"Linux {platform.release()}, scratch on {first_line('stat', '-f', '-c', '%T', '.')}",
        f"mediabatch: {first_line(program, '--version')}; {first_line('swift', '--version')}",
        f"peers: {first_line('vipsthumbnail', '--version')}; {first_line('rsync', '--version')}; "
        f"exiftool {first_line('exiftool', '-ver')}; {first_line('exiv2', '--version')}",
    ]
