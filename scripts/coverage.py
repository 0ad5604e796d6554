#!/usr/bin/env python3
"""Writes the coverage of the tests by module, and the hundred functions that most deserve a test.

scripts/coverage.py COVERAGE RESULT TESTS   COVERAGE is what llvm-cov exports as JSON, RESULT a page in Markdown, and
                                            TESTS says which tests ran.

A function's weight is its lines that were never executed, times the risk of its module: what opens, shows or publishes
by mistake cannot be taken back. Swift's compiler writes no branches, so regions stand in their place: each is what a
branch leads to. Source: LLVM, docs/CommandGuide/llvm-cov.rst; tools/llvm-cov/CoverageExporterJson.cpp.
"""

import collections
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PLACES = 100
# What a mistake may cost: access without permission, or a text that was to be stripped; then files of a library.
RISK = {
    "MediaManifest": 3, "MediaPermissions": 3, "MediaPicking": 3, "MediaSandbox": 3, "MediaStripping": 3,
    "MediaAudit": 2, "MediaFileSystem": 2, "MediaLibrary": 2, "MediaVerification": 2, "MediaMaintenance": 2,
    "MediaPipeline": 2, "MediaSources": 2, "MediaSharding": 2,
}
# SwiftPM counts nothing in C, and no test has the worker's main program.
MODULE = re.compile(r"Sources/(?:[A-Z]\w*/)?(Media\w+|mediabatch)/")
# The kinds of a region: code, an expansion, skipped text, a gap.
CODE = 0


def module(path):
    """Returns the module of a file below Sources; None for another file."""
    found = MODULE.search(path)
    return found[1] if found and "/checkouts/" not in path else None


def shown(path):
    """Returns the path below the folder of the sources."""
    return path[path.index("Sources/"):]


def unreached(function):
    """Returns the lines that were never executed: those of regions that count 0, without those of regions that do not."""
    never, executed = set(), set()
    # Inner regions follow the ones around them.
    for first, _, last, _, count, file, _, kind in function["regions"]:
        if kind != CODE or file != 0:
            continue
        lines = range(first, last + 1)
        if count == 0:
            never.update(lines)
            executed.difference_update(lines[1:-1])
        else:
            executed.update(lines)
    return never - executed


def functions(exported):
    """Returns each function of Sources by its place: name, lines never executed. Copies of one count as one."""
    places = {}
    for function in exported["functions"]:
        path = function["filenames"][0]
        name = module(path)
        if not name or not function["regions"]:
            continue
        first = function["regions"][0]
        key = (path, first[0], first[1])
        lines = unreached(function)
        if key in places:
            lines &= places[key][1]
        places[key] = (function["name"], lines)
    return places


def demangled(names):
    """Returns names as a person reads them; those of private functions begin with their file."""
    names = [name.rsplit(":", 1)[-1] for name in names]
    done = subprocess.run(
        ["swift", "demangle", "--simplified", "--compact"], input="\n".join(names) + "\n", capture_output=True,
        text=True, check=True)
    return [name.replace("|", "\\|") for name in done.stdout.splitlines()]


def worst_of(places):
    """Returns the places of the most weight: weight, place, name, number of lines. A closure is a part of its function."""
    rows = sorted(
        ((len(lines) * RISK.get(module(key[0]), 1), key, name, lines) for key, (name, lines) in places.items() if lines),
        key=lambda row: (-row[0], row[1]))
    listed, chosen = collections.defaultdict(set), []
    for weight, key, name, lines in rows:
        if key[1] in listed[key[0]]:
            continue
        listed[key[0]] |= lines
        chosen.append((weight, key, name, len(lines)))
        if len(chosen) == PLACES:
            break
    return chosen


def main():
    source, result, tests = sys.argv[1:4]
    with open(source, encoding="utf-8") as file:
        exported = json.load(file)["data"][0]
    sums = collections.defaultdict(lambda: [0, 0, 0, 0])
    for file in exported["files"]:
        name = module(file["filename"])
        if name:
            summary = file["summary"]
            for index, (part, value) in enumerate([
                    ("lines", "covered"), ("lines", "count"), ("regions", "covered"), ("regions", "count")]):
                sums[name][index] += summary[part][value]
    if not sums:
        sys.exit("coverage: no file of Sources was counted")
    worst = worst_of(functions(exported))
    names = demangled([name for _, _, name, _ in worst])
    total = [sum(row[index] for row in sums.values()) for index in range(4)]

    def row(name, figures):
        shares = [100 * figures[at] / max(1, figures[at + 1]) for at in (0, 2)]
        return f"| {name} | {figures[1]:,} | {shares[0]:.1f} % | {figures[3]:,} | {shares[1]:.1f} % |"

    page = [
        "# What the tests reach", "", f"LLVM's counters, by `make coverage`. Tests: {tests}.", "",
        "| module | lines | executed | regions | executed |", "|---|---|---|---|---|",
        *(row(name, figures) for name, figures in sorted(sums.items(), key=lambda item: item[1][0] / max(1, item[1][1]))),
        row("all", total), "",
        f"The {PLACES} functions that most deserve a test: lines never executed, times the module's risk.", "",
        "| weight | lines | function | place |", "|---|---|---|---|",
        *(f"| {weight} | {lines} | `{name[:90]}` | `{shown(key[0])}:{key[1]}` |"
          for (weight, key, _, lines), name in zip(worst, names, strict=True)),
    ]
    with open(os.path.join(ROOT, result), "w", encoding="utf-8") as file:
        file.write("\n".join(page) + "\n")
    print(f"coverage: {100 * total[0] / total[1]:.1f} % of {total[1]:,} lines: {result}")


main()
