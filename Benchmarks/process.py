"""Runs a program, and measures its elapsed and processor time, and its memory while it runs."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

INTERVAL_SECONDS = 0.02
TICKS = os.sysconf("SC_CLK_TCK")


class Result:
    def __init__(self, status, seconds, processor, own, output, error, peak):
        self.status, self.output, self.error = status, output, error
        # Seconds by the clock; user and system time of the program with all processes that it waited for, and
        # without them.
        self.seconds, self.processor, self.own = seconds, processor, own
        # The highest value of what was sampled, in bytes.
        self.peak = peak

    def json(self):
        try:
            return json.loads(self.output)
        except ValueError:
            sys.exit(f"bench: no JSON summary (status {self.status}): {self.error[-2000:]}")


def run(command, sample=None, standard_input="", folder=None):
    """Runs the program to its end. `sample(pid)`, called every 20 ms, returns bytes; the most are kept."""
    peak = 0
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as output, \
            tempfile.TemporaryFile() as error:
        given.write(standard_input.encode())
        given.seek(0)
        start = time.monotonic()
        child = subprocess.Popen(command, stdin=given, stdout=output, stderr=error, cwd=folder)
        # The process has ended, but its figures can still be read.
        ended = os.WEXITED | os.WNOWAIT
        if sample is None:
            os.waitid(os.P_PID, child.pid, ended)
        else:
            while os.waitid(os.P_PID, child.pid, ended | os.WNOHANG) is None:
                peak = max(peak, sample(child.pid))
                time.sleep(INTERVAL_SECONDS)
        seconds = time.monotonic() - start
        own = own_seconds(child.pid)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        error.seek(0)
        return Result(
            child.returncode, seconds, used.ru_utime + used.ru_stime, own,
            output.read().decode(errors="replace"), error.read().decode(errors="replace"), peak)


def own_seconds(pid):
    """Returns user and system time without that of children, in steps of a tick. Source: proc(5), stat."""
    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def check(command, **options):
    """Runs the program; stops if it fails or is not there."""
    if shutil.which(command[0]) is None:
        raise Missing(command[0])
    result = run(command, **options)
    if result.status != 0:
        sys.exit(f"bench: {command[0]} failed: {result.error[-500:]}")
    return result


class Missing(Exception):
    """A program, library or file is not on this machine, so that something cannot be measured."""

    def __str__(self):
        return f"{self.args[0]} is not there"


def run_bytes(command):
    """Returns the output of a program as bytes; stops if the program fails."""
    done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"bench: {command[0]} failed: {done.stderr.decode(errors='replace')[-500:]}")
    return done.stdout


def all_pss(pid):
    """Sums Pss over the program and its descendants, so shared pages are counted once."""
    total = 0
    for one in [pid, *descendants(pid)]:
        size = kilobytes(f"/proc/{one}/smaps_rollup", "Pss:")
        if size is None:
            # A process that is not dumpable shows its Pss to root only.
            size = kilobytes(f"/proc/{one}/status", "VmRSS:")
        total += size or 0
    return total * 1024


def highest_rss(pid):
    """Reads the kernel's high-water mark of the program's own Rss."""
    return (kilobytes(f"/proc/{pid}/status", "VmHWM:") or 0) * 1024


def most_anonymous(pid):
    """Reads anonymous memory only, of the process that has most of it."""
    sizes = [kilobytes(f"/proc/{one}/status", "RssAnon:") for one in [pid, *descendants(pid)]]
    return max(size or 0 for size in sizes) * 1024


class Cores:
    """Looks while an import goes on how busy all cores are, whatever keeps them so: only on a machine that does nothing
    else. Source: proc(5), stat."""

    def __init__(self, staging):
        # The folder in which each batch has one, which is called by its number.
        self.staging, self.looks = staging, []

    def sample(self, _):
        try:
            batch = max((int(name) for name in os.listdir(self.staging) if name.isdigit()), default=None)
        except OSError:
            batch = None
        if batch is not None:
            with open("/proc/stat", encoding="ascii") as file:
                ticks = [int(word) for word in file.readline().split()[1:9]]
            # The fourth is idle, the fifth waits for a disk.
            self.looks.append((batch, sum(ticks), ticks[3] + ticks[4]))
        return 0

    def busy(self):
        """Returns the busy share of all cores from the begin of the second batch to that of the last one."""
        numbers = sorted({batch for batch, _, _ in self.looks})
        if len(numbers) < 4:
            raise Missing("a run of four batches")
        first = next(look for look in self.looks if look[0] >= numbers[1])
        last = next(look for look in self.looks if look[0] == numbers[-1])
        return 1 - (last[2] - first[2]) / max(1, last[1] - first[1])


def kilobytes(path, key):
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            for line in file:
                if line.startswith(key):
                    return int(line.split()[1])
    except OSError:
        pass
    return None


def descendants(pid):
    found, waiting = [], [pid]
    while waiting:
        parent = waiting.pop()
        try:
            for thread in os.listdir(f"/proc/{parent}/task"):
                with open(f"/proc/{parent}/task/{thread}/children", encoding="ascii") as file:
                    children = [int(word) for word in file.read().split()]
                found += children
                waiting += children
        except OSError:
            continue
    return found
