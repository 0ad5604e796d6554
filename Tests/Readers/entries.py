#!/usr/bin/env python3
"""Puts entries of each kind into each place of a library, and compares mediabatch with mediabatch-verify.

entries.py PROGRAM VERIFIER CASES LIBRARY   the library is as it was written, with private facts; it is only copied

An entry is nothing, a file, an empty one, a link, a folder, a FIFO or a socket, in the place of what was there. An
original is damaged besides. Both programs have to end with the same code within ten seconds, and both have to name
the damaged original, in JSON too, whatever the entry is. About CASES of all combinations are tried, as far apart as can
be and each kind equally often; 0: all.
Exit: 0 they agree, 1 they do not; each disagreement is a line, the last line has the number of cases.
"""
import itertools
import json
import math
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile

from verifier import Verifier

KINDS = ("nothing", "file", "empty", "link", "dangling", "folder", "full", "fifo", "socket")


def places(library):
    """The paths in whose place something is put."""
    def one(pattern):
        return str(min(library.glob(pattern)).relative_to(library))

    for database in ("library.sqlite", "private.sqlite"):
        yield from (database + end for end in ("", "-wal", "-shm", "-journal"))
    for log in sorted(library.glob("Audit/*.ndjson")):
        yield from (f"Audit/{log.stem}{end}" for end in (".ndjson", ".head", ".tsr"))
    yield from (
        "Audit", "Audit/manifests", one("Audit/manifests/*"), "Audit/manifests/x", "Audit/x", "Audit/x.ndjson",
        "Audit/x.head", "Audit/900000-x.ndjson", "Audit/900000-x.head", "Audit/900000-x.tsr", ".state",
        ".state/digest.key", ".state/x", ".lock", ".staging", ".staging/x", "x", "Quarantine", "Originals/x",
        "Thumbnails", "Thumbnails/x", one("Thumbnails/*/*/*"), one("Originals/*"),
    )


def put(path, kind, aside):
    """Puts an entry of a kind at a path; what is there goes aside."""
    if os.path.lexists(path):
        path.rename(aside)
    elif kind == "link":
        aside.write_bytes(b"aside")
    if kind in ("file", "empty"):
        path.write_bytes(b"x" * 100 if kind == "file" else b"")
    elif kind in ("link", "dangling"):
        path.symlink_to(aside if kind == "link" else "/nowhere")
    elif kind in ("folder", "full"):
        path.mkdir()
        if kind == "full":
            (path / "f").write_bytes(b"f")
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "socket":
        folder = os.open(path.parent, os.O_PATH)
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(f"/proc/self/fd/{folder}/{path.name}")
        os.close(folder)


def run(program, *words):
    """The exit code of a program and what it prints in JSON."""
    if isinstance(program, Verifier):
        code, output, _ = program.run(*words, "--json")
        return code, output if isinstance(output, str) else output.decode()
    try:
        done = subprocess.run(
            [program, "verify", *words, "--format", "json"], capture_output=True, stdin=subprocess.DEVNULL, timeout=10
        )
    except subprocess.TimeoutExpired:
        return "no end", ""
    return done.returncode, done.stdout.decode()


def disagreements(program, verifier, original, place, kind, scratch):
    library = scratch / "Library"
    shutil.copytree(original, library, symlinks=True)
    damaged = max(library.glob("Originals/*/*/*"))
    damaged.write_bytes(damaged.read_bytes() + b"x")
    name = str(damaged.relative_to(library))
    (library / place).parent.mkdir(exist_ok=True)
    put(library / place, kind, scratch / "aside")
    mine, theirs = run(verifier, str(library)), run(program, str(library))
    if mine[0] != theirs[0]:
        yield f"{theirs[0]}, and mediabatch-verify {mine[0]}"
    if not damaged.exists():
        return
    for who, (_, output) in (("mediabatch-verify", mine), ("mediabatch", theirs)):
        try:
            found = {finding["path"] for finding in json.loads(output)["findings"]}
        except (ValueError, KeyError):
            yield f"{who} prints no findings: {output[:200]!r}"
            continue
        if name not in found:
            yield f"{who} does not name the damaged original: {output[:300]!r}"
    # Without the damage the entry alone decides.
    shutil.copyfile(next(original.glob(name)), damaged)
    mine, theirs = run(verifier, str(library)), run(program, str(library))
    if mine[0] != theirs[0]:
        yield f"{theirs[0]}, and mediabatch-verify {mine[0]}, without other damage"


def main():
    program, path, count, library = sys.argv[1:]
    verifier, original = Verifier(path), pathlib.Path(library)
    cases = list(itertools.product(places(original), KINDS))
    if int(count):
        step = max(1, len(cases) // int(count))
        while math.gcd(step, len(KINDS)) > 1:
            step += 1
        cases = cases[::step]
    wrong = 0
    for place, kind in cases:
        with tempfile.TemporaryDirectory() as scratch:
            for text in disagreements(program, verifier, original, place, kind, pathlib.Path(scratch)):
                wrong += 1
                print(f"{place} is {kind}: {text}")
    print(f"{len(cases)} cases, {wrong} disagreements")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
