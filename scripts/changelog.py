#!/usr/bin/env python3
"""Collects the files of changes/ into a section of CHANGELOG.md. changes/README.md says what a file looks like.

scripts/changelog.py           Prints the section.
scripts/changelog.py --check   Prints nothing but mistakes.
scripts/changelog.py VERSION   Writes it above the last release, with the date of SOURCE_DATE_EPOCH or of today, and
                               removes the files.
Exit: 0 done, 1 a file is of another form, or there is nothing to write, or CHANGELOG.md has that version.
"""

import datetime
import os
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHANGELOG = ROOT / "CHANGELOG.md"
# In the order of a release's section.
SECTIONS = [
    "Before you upgrade", "Sources", "Permissions and asking", "Metadata", "Formats", "Library", "Log and proofs",
    "Reports, pipelines, many machines", "Sharing", "Installing",
]
# Columns of CHANGELOG.md.
WIDTH = 120


def change(path):
    """The section of a file, and its paragraph; raises ValueError with what is wrong."""
    heading, _, text = path.read_text(encoding="utf-8").partition("\n")
    section = heading.removeprefix("### ")
    if not heading.startswith("### ") or section not in SECTIONS:
        raise ValueError("the first line is no \"### SECTION\" of " + "; ".join(SECTIONS))
    if not text.strip():
        raise ValueError("a paragraph is missing")
    if re.search(r"\n\s*\n", text.strip()) or re.match(r"[-*#|>`]{1,3}\s", text.strip()):
        raise ValueError("the text is more than one paragraph, or no paragraph")
    if not re.fullmatch(r"[a-z0-9-]+\.md", path.name):
        raise ValueError("the name has other characters than a-z, 0-9 and -")
    return section, " ".join(text.split())


def collected():
    """The paths of the files, their paragraphs by section, and what is wrong, a line a file."""
    paths = sorted(path for path in (ROOT / "changes").iterdir() if path.name != "README.md")
    paragraphs, mistakes = {}, []
    for path in paths:
        try:
            section, text = change(path)
            paragraphs.setdefault(section, []).append(text)
        except (OSError, ValueError) as error:
            mistakes.append(f"{path.relative_to(ROOT)}:1: {error}")
    return paths, paragraphs, mistakes


def text_of(paragraphs):
    """The sections below a release's heading."""
    lines = []
    for section in SECTIONS:
        if section in paragraphs:
            lines += ["", f"### {section}", ""]
            for text in paragraphs[section]:
                lines += textwrap.wrap(text, WIDTH, initial_indent="- ", subsequent_indent="  ",
                                       break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines) + "\n"


def date():
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    now = datetime.datetime.now(datetime.timezone.utc)
    return f"{datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc) if epoch else now:%Y-%m-%d}"


def main():
    if len(sys.argv) > 2 or sys.argv[1:2] and not re.fullmatch(r"--check|[0-9]+(\.[0-9]+)+", sys.argv[1]):
        print("usage: scripts/changelog.py [--check | VERSION]", file=sys.stderr)
        return 64
    paths, paragraphs, mistakes = collected()
    for mistake in mistakes:
        print(mistake)
    if mistakes or sys.argv[1:] == ["--check"]:
        return 1 if mistakes else 0
    if len(sys.argv) == 1:
        sys.stdout.write(text_of(paragraphs).lstrip("\n"))
        return 0
    version, before = sys.argv[1], CHANGELOG.read_text(encoding="utf-8")
    if not paths:
        print("changelog: there is no file in changes", file=sys.stderr)
        return 1
    if re.search(rf"^## {re.escape(version)}( |$)", before, re.M):
        print(f"changelog: CHANGELOG.md has {version} already", file=sys.stderr)
        return 1
    last = before.index("\n## ") + 1
    section = f"## {version} ({date()})\n{text_of(paragraphs)}\n"
    CHANGELOG.write_text(before[:last] + section + before[last:], encoding="utf-8")
    for path in paths:
        path.unlink()
    print(f"changelog: {len(paths)} changes are in CHANGELOG.md under {version}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
