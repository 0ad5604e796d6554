#!/usr/bin/env python3
"""Says from which result, and of which program, each figure of README.md and docs/performance.md is.

scripts/figures.py           Prints the lines of each result that they rest on, and how far Sources has moved since.
scripts/figures.py --check   Prints those alone that are of another program than HEAD's, or of no result.

A line with a figure rests on the results that it links to, else on the last link above it in its section. A result
names the commit that was measured, in its first line, or where Benchmarks/report.py writes it; an older one is of
the commit that added it. Exit: 0, or with --check 1 when there is any.
"""

import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# The section with figures; None: all but those of METHOD, which say how they are measured.
DOCUMENTS = {"README.md": "How fast", "docs/performance.md": None}
METHOD = ("Performance", "How it is measured")
LINK = re.compile(r"\]\((?:\.\./)?(Benchmarks/results/[\w.-]+\.md)\)")
# A row of a table or a sentence with a number that was measured: no number of a section, a date or an option alone.
FIGURE = re.compile(r"\d+\.\d|\d (?:%|s|ms|MB|KB|GB|times|µs|bytes|million)\b|\d %|\| *\d[\d,]*(?: to \d+)? *\|")
COMMIT = [
    re.compile(r"\A# .*, ([0-9a-f]{7,40})\n"),
    re.compile(r"^- mediabatch: [^,\n]*, (?:v[\d.]+-\d+-g)?([0-9a-f]{7,40})(?:-dirty)?;", re.M),
    re.compile(r"(?:commit|build of|builds? of commit) ([0-9a-f]{7,40})\b"),
]


def git(*arguments):
    result = subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True)
    return result.stdout.strip() if result.returncode == 0 else None


def program(result):
    """The commit that a result measured, and how many commits to Sources are behind it; None for what is unknown."""
    path = ROOT / result
    if not path.exists():
        return None, None
    text = path.read_text(encoding="utf-8")
    found = next((match.group(1) for pattern in COMMIT if (match := pattern.search(text))), None)
    if found is None or git("rev-parse", "--verify", "--quiet", f"{found}^{{commit}}") is None:
        found = git("log", "--diff-filter=A", "--format=%h", "-1", "--", result) or None
    later = git("rev-list", "--count", f"{found}..HEAD", "--", "Sources", "Package.swift") if found else None
    return found, None if later is None else int(later)


def figures():
    """The results of each line that has a figure: document, line, results."""
    for document, wanted in DOCUMENTS.items():
        section, last = None, []
        for number, line in enumerate((ROOT / document).read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith("#"):
                section, last = line.lstrip("# "), []
                continue
            links = LINK.findall(line)
            last = links or last
            if FIGURE.search(line) and (section not in METHOD if wanted is None else section == wanted):
                yield document, number, links or last


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        print("usage: scripts/figures.py [--check]", file=sys.stderr)
        return 64
    is_check, count = sys.argv[1:] == ["--check"], 0
    lines = collections.defaultdict(list)
    for document, number, results in figures():
        for result in results or ["no result"]:
            lines[result].append(f"{document}:{number}")
    for result, places in sorted(lines.items()):
        commit, later = program(result)
        is_old = commit is None or later is None or later > 0
        count += is_old
        if is_check and not is_old:
            continue
        state = "this program" if not is_old else f"{later} commits to Sources since" if later else "of an unknown program"
        print(f"{result}: {commit or 'no commit'}, {state}: {' '.join(places)}")
    if count:
        print(f"figures: {count} of {len(lines)} results are of an earlier program, or there is none")
    return 1 if is_check and count else 0


if __name__ == "__main__":
    sys.exit(main())
