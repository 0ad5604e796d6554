"""Makes the table of all goals, and stores it with a description of the machine."""

import datetime
import os
import pathlib
import platform
import statistics
import subprocess

import goals

# How a measure becomes a number of each unit.
SCALES = {"s": 1, "ms": 1e3, "µs": 1e6, "MB": 1e-6}
HEADER = [
    "| goal | what | ours | peer | floor | figure | goal is | reached | each |",
    "|---|---|---|---|---|---|---|---|---|",
]


class Row:
    """A goal with what was measured for it."""

    def __init__(self, goal, results, count):
        self.goal = goal
        self.ours = self.numbers(results, goal.ours)
        peer = goal.peer.name if isinstance(goal.peer, goals.Peer) else goal.peer
        self.peer_name, self.peer = peer, self.numbers(results, peer)
        # What only decodes says nothing of other measures, and nothing without the peer that it moves the goal of.
        self.floor = self.numbers(results, "floor") if goal.peer and goal.peer != "floor" else []
        self.figure = self.value(count)

    def numbers(self, results, name):
        return [getattr(one, self.goal.measure) for one in results.get(name, [])]

    def value(self, count):
        """Returns the figure in the unit of the goal, or None if something was not measured."""
        unit = self.goal.unit
        if not self.ours or (self.goal.peer and not self.peer):
            return None
        middle = statistics.median(self.ours)
        if unit == "×":
            return middle / statistics.median(self.peer)
        if unit == "files a second":
            return count / middle
        name = unit.removesuffix("a file").strip()
        return middle * SCALES.get(name, 1) / (count if unit.endswith("a file") else 1)

    @property
    def limit(self):
        """The goal, which does not lie below the decoder alone."""
        if self.goal.at_most is None or not self.floor or not self.peer:
            return self.goal.at_most
        floor = statistics.median(self.floor) / statistics.median(self.peer)
        return max(self.goal.at_most, goals.ABOVE_FLOOR * floor)

    @property
    def is_reached(self):
        """Whether the goal is reached; None if there is none."""
        if self.goal.at_most is not None:
            return self.figure is not None and self.figure <= self.limit
        if self.goal.at_least is not None:
            return self.figure is not None and self.figure >= self.goal.at_least
        return None

    def cells(self):
        goal, unit = self.goal, self.goal.unit
        what = goal.what + (f" / {self.peer_name}" if isinstance(goal.peer, goals.Peer) else "")
        figure = "not measured" if self.figure is None else f"{number(self.figure)}{'' if unit == '×' else ' '}{unit}"
        limit = ""
        if goal.at_most is not None:
            limit = f"≤ {number(goal.at_most)}"
            if self.limit > goal.at_most:
                limit += f", here {number(self.limit)}: {goals.ABOVE_FLOOR} of the floor"
        elif goal.at_least is not None:
            limit = f"≥ {number(goal.at_least)}"
        word = {True: "yes", False: "**no**", None: ""}[self.is_reached]
        groups = [self.ours, self.peer, self.floor]
        each = " / ".join(" ".join(map(self.shown, group)) for group in groups if group)
        return [
            str(goal.number or ""), what, *(self.shown(statistics.median(group)) if group else "" for group in groups),
            figure, limit, word, each]

    def shown(self, value):
        """Returns a single measure: seconds, megabytes, or a number without unit."""
        if self.goal.measure == "peak":
            return f"{number(value / 1e6)} MB"
        return f"{number(value)}{'' if self.goal.measure == 'value' else ' s'}"


def number(value):
    """Returns three digits of a small number, and all of a large one before its point."""
    if value == 0 or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def table(rows):
    return "\n".join([*HEADER, *("| " + " | ".join(row.cells()) + " |" for row in rows)])


def new_path(name):
    """Returns the date, and the path of a result of today that is not there yet."""
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")
    folder = pathlib.Path("Benchmarks/results")
    folder.mkdir(exist_ok=True)
    path, copy = folder / f"{date}-{name}.md", 2
    while path.exists():
        path, copy = folder / f"{date}-{name}-{copy}.md", copy + 1
    return date, path


def write(path_name, command, rows, notes, program):
    date, path = new_path(path_name)
    judged = [row for row in rows if row.is_reached is not None]
    reached = sum(row.is_reached for row in judged)
    points = f"{chr(10)}- ".join(notes + machine(program))
    path.write_text(f"""# {path.stem[11:]}, {date}

`{command}`

{reached} of {len(judged)} goals are reached.

{table(rows)}

"ours", "peer", "floor": medians, in seconds unless a unit is there; the figure is ours, or its ratio to the peer's. The
floor only decodes the same files; that of small files, a peer here, makes the same folders and no more. "each": every
round after a warm-up, ours / the peer's / the floor's, by turns. The library is another one at each first import; files
come out of the page cache for all. A peer that did not make every file has no figure. A goal that lies below the floor
becomes {goals.ABOVE_FLOOR} of the floor.

- {points}
""", encoding="utf-8")
    print(table(rows))
    for note in notes:
        print(note)
    print(f"{reached} of {len(judged)} goals are reached; kept in {path}")


def first_line(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return f"{command[0]} is not there"
    return (done.stdout or done.stderr).strip().split("\n")[0]


def cpu_model():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def memory_gib():
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2 ** 30


def computer():
    return f"{os.cpu_count()} cores, {cpu_model()}, {memory_gib():.0f} GiB, Linux {platform.release()}"


def machine(program):
    return [
        f"machine: {computer()}, scratch on {first_line('stat', '-f', '-c', '%T', '.')}, "
        f"load in the end {os.getloadavg()[0]:.1f}",
        f"mediabatch: {first_line(program, '--version')}, {first_line('git', 'describe', '--always', '--dirty')}; "
        f"{first_line('swift', '--version')}",
        f"peers: {first_line('vipsthumbnail', '--version')}; {first_line('rsync', '--version')}; "
        f"exiftool {first_line('exiftool', '-ver')}; {first_line('exiv2', '--version')}; "
        f"{first_line('ffmpeg', '-version')}; {first_line('openssl', 'version')}",
    ]
