"""Measures the goals of the parts that are asked for; run.sh describes each and calls this script."""

import argparse
import os
import shutil
import sys
import time

import builds
import contest
import films
import goals
import libraries
import pictures
import process
import quality
import report

PARTS = {
    function.__name__: function
    for function in (
        pictures.jpeg, pictures.formats, pictures.strip, pictures.sizes, pictures.workers, pictures.memory,
        pictures.coordinator, pictures.busy, pictures.script, pictures.confinement, pictures.holes,
        libraries.scale, libraries.small, libraries.calls, libraries.unchanged, libraries.start, libraries.asking,
        libraries.verify, libraries.repair, libraries.merge, libraries.growth, libraries.report, libraries.photos,
        libraries.pages,
        films.posters, films.waveforms, films.movies, builds.builds, builds.build)
}
# Writes a page for people beside its figures.
QUALITY = "quality"


def main():
    parser = argparse.ArgumentParser(prog="Benchmarks/run.sh")
    parser.add_argument("parts", nargs="*", metavar="|".join([*PARTS, QUALITY]))
    parser.add_argument("--million", action="store_true", help="the goals at a million files")
    parser.add_argument("--programs", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--divide", type=int, default=1, help="try the script: so many times fewer small files")
    parser.add_argument(
        "--against", metavar="DIR", help="measure only this build against the programs in DIR; in small all of them")
    parser.add_argument("--name", help="of the file in Benchmarks/results")
    arguments = parser.parse_args()
    if unknown := set(arguments.parts) - {*PARTS, QUALITY}:
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join([*PARTS, QUALITY])}")
    if arguments.against and (set(arguments.parts) - {"small"} or arguments.million):
        parser.error("--against measures no other part than small")
    if arguments.against and not os.access(contest.program_in(arguments.against), os.X_OK):
        parser.error(f"{contest.program_in(arguments.against)} is not there")
    bench = contest.Bench(arguments.programs, arguments.rounds, arguments.against)
    if arguments.divide > 1:
        bench.note(f"a trial of the script: numbers of files are divided by {arguments.divide}")
    try:
        chosen = chosen_goals(bench, arguments)
        started = time.monotonic()
        rows = measure(bench, chosen, arguments.divide)
        if QUALITY in arguments.parts:
            quality.measure(bench)
        bench.note(f"took {(time.monotonic() - started) / 60:.1f} minutes")
    finally:
        shutil.rmtree(bench.scratch, ignore_errors=True)
    name = arguments.name or ("-".join(arguments.parts) or ("million" if arguments.million else "bench"))
    report.write(name, "Benchmarks/run.sh " + " ".join(sys.argv[3:]), rows, bench.notes, bench.program)
    # Goals that are not reached are a result; figures that are missing are not.
    sys.exit(any(row.figure is None for row in rows))


def chosen_goals(bench, arguments):
    if arguments.against and not arguments.parts:
        return builds.jobs(bench)
    if arguments.parts:
        every = goals.MILLION if arguments.million else [*goals.GOALS, *goals.FURTHER]
        if arguments.against:
            every += builds.SMALL
        return [goal for goal in every if goal.part in arguments.parts]
    if arguments.million:
        check_room(bench, arguments.divide)
        return goals.MILLION
    return goals.GOALS


def check_room(bench, divide):
    """Says how much of the disk is needed; stops if it is not free."""
    room = os.statvfs(bench.scratch)
    free = (room.f_bavail * room.f_frsize, room.f_favail)
    needed = (goals.MILLION_BYTES // divide, goals.MILLION_INODES // divide)
    bench.say(
        f"needs {needed[0] / 1e9:.0f} GB and {needed[1]:,} inodes in {bench.scratch}, for about 60 minutes; "
        f"free are {free[0] / 1e9:.0f} GB and {free[1]:,}")
    if free[0] < needed[0] or free[1] < needed[1]:
        print("bench: there is not enough room; nothing was measured", file=sys.stderr)
        shutil.rmtree(bench.scratch)
        sys.exit(69)


def measure(bench, chosen, divide):
    """Measures each part once, for all goals that look at it."""
    measured, rows = {}, []
    for goal in chosen:
        key = (goal.part, goal.about)
        if key not in measured:
            peers = [one.peer for one in chosen
                     if (one.part, one.about) == key and isinstance(one.peer, goals.Peer)]
            measured[key] = measure_part(bench, goal.part, smaller(goal.about, divide), list(dict.fromkeys(peers)))
        rows.append(report.Row(goal, *measured[key]))
        bench.say(" | ".join(rows[-1].cells()[1:8]))
    return rows


def measure_part(bench, part, about, peers):
    """Returns the results by contestant, none if the part failed, and by how many files "a file" divides."""
    title = f"{part} {'' if about is None else about}".strip()
    bench.say(title)
    started = time.monotonic()
    try:
        scene = PARTS[part](bench, about)
        return bench.measure(scene, peers), scene.count
    except process.Missing as missing:
        bench.note(f"NOT MEASURED: {title}: {missing}")
    except SystemExit as stop:
        # The other parts have figures all the same.
        bench.note(f"FAILED: {title}: {' '.join(str(stop).split())}")
    finally:
        bench.say(f"{title} took {time.monotonic() - started:.0f} s")
    return {}, 0


def smaller(about, divide):
    """Returns what a part is about, with so many times fewer files."""
    if isinstance(about, int):
        return max(20, about // divide)
    if isinstance(about, tuple):
        return tuple(smaller(one, divide) for one in about)
    return about


main()
