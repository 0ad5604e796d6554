"""Runs a program, measures its elapsed and processor time, and samples its memory while it runs."""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time

INTERVAL_SECONDS = 0.02


class Result:
    def __init__(self, status, seconds, processor, output, error, peak):
        self.status, self.output, self.error = status, output, error
        # By the clock, and of the program with all processes that it waited for.
        self.seconds, self.processor = seconds, processor
        self.peak = peak

    def json(self):
        try:
            return json.loads(self.output)
        except ValueError:
            sys.exit(f"bench: no JSON summary (status {self.status}): {self.error[-2000:]}")


def processor_seconds():
    """Returns the user and system time of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(command, sample=None, standard_input=""):
    """Runs the program to its end. `sample(pid, peak)` is called every 20 ms and keeps the highest values."""
    peak = {}
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as output, \
            tempfile.TemporaryFile() as error:
        given.write(standard_input.encode())
        given.seek(0)
        before, start = processor_seconds(), time.monotonic()
        child = subprocess.Popen(command, stdin=given, stdout=output, stderr=error)
        if sample is None:
            child.wait()
        else:
            while child.poll() is None:
                sample(child.pid, peak)
                time.sleep(INTERVAL_SECONDS)
        seconds = time.monotonic() - start
        output.seek(0)
        error.seek(0)
        return Result(
            child.returncode, seconds, processor_seconds() - before, output.read().decode(errors="replace"),
            error.read().decode(errors="replace"), peak)


def check(command):
    result = run(command)
    if result.status != 0:
        sys.exit(f"bench: {command[0]} failed: {result.error[-500:]}")
    return result


def run_bytes(command):
    """Returns the output of a program as bytes; stops if the program fails."""
    done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"bench: {command[0]} failed: {done.stderr.decode(errors='replace')[-500:]}")
    return done.stdout


def sample_pss(pid, peak):
    """Sums Pss over the coordinator and its workers, so shared pages are counted once."""
    total = 0
    for one in [pid, *descendants(pid)]:
        size = kilobytes(f"/proc/{one}/smaps_rollup", "Pss:")
        if size is None:
            # A process that is not dumpable shows its Pss to root only.
            size = kilobytes(f"/proc/{one}/status", "VmRSS:")
            if size is None:
                continue
            peak["readable"] = False
        total += size
    peak.setdefault("readable", True)
    peak["together"] = max(peak.get("together", 0), total * 1024)


def sample_coordinator(pid, peak):
    """Reads the kernel's high-water mark of the coordinator's Rss."""
    size = kilobytes(f"/proc/{pid}/status", "VmHWM:")
    if size is not None:
        peak["coordinator"] = max(peak.get("coordinator", 0), size * 1024)


def sample_anonymous(pid, peak):
    """Reads anonymous memory only, of the coordinator and of the worker with the most."""
    sizes = [kilobytes(f"/proc/{one}/status", "RssAnon:") for one in [pid, *descendants(pid)]]
    for who, found in (("coordinator", sizes[:1]), ("worker that has most", sizes[1:])):
        known = [size for size in found if size is not None]
        peak[who] = max(peak.get(who, 0), 1024 * max(known, default=0))


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
