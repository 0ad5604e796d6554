#!/usr/bin/env python3
"""Collects the files of changes/ into a section of CHANGELOG.md. changes/README.md says what a file looks like.

scripts/changelog.py             Prints what they add to the section.
scripts/changelog.py --check     Prints nothing but mistakes.
scripts/changelog.py VERSION     Writes it into the section of VERSION, the first one, with the date of SOURCE_DATE_EPOCH
                                 or of today (UTC), gives debian/changelog that date, and removes the files. As long as
                                 there is no tag vVERSION it may be called again: what the section has stays.
scripts/changelog.py --open VERSION DATE   Prints what keeps VERSION from being released by a commit of that date.
Exit: 0 done, 1 a file is of another form, the version has a tag, or something is open.
"""

import datetime
import os
import pathlib
import re
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
CHANGELOG = ROOT / "CHANGELOG.md"
DEBIAN = ROOT / "debian/changelog"
# In the order of a release's section.
SECTIONS = [
    "Before you upgrade", "Sources", "Permissions and asking", "Metadata", "Formats", "Library", "Log and proofs",
    "Reports, pipelines, many machines", "Sharing", "Installing",
]
# The bullet above the files of changes, where a section begins with what was written by hand.
DETAIL = "- In detail:"
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


def note(section, text):
    """What a release says of a change: its first sentence and where it is described; all of what one has to do."""
    if section == SECTIONS[0]:
        return text
    # Neither within a code span or parentheses, nor behind an abbreviation such as "e.g.".
    end, depth, is_code = len(text), 0, False
    for at, character in enumerate(text):
        is_code ^= character == "`"
        depth += 0 if is_code else (character in "([{") - (character in ")]}")
        if character == "." and depth == 0 and not is_code and re.match(r"\. +[A-Z`\[]", text[at:]):
            end = at + 1
            break
    see = re.search(r"See \[[^\]]*\]\([^)]*\)[^.]*\.$", text)
    return text if see is None or see.start() < end else f"{text[:end]} {see.group()}"


def wrapped(text, indent):
    return textwrap.wrap(text, WIDTH, initial_indent=f"{indent}- ", subsequent_indent=f"{indent}  ",
                         break_long_words=False, break_on_hyphens=False)


def text_of(paragraphs, before=None):
    """The sections below a release's heading; `before` has the lines of each that it has already."""
    lines = []
    for section in SECTIONS:
        old = (before or {}).get(section, [])
        if old or section in paragraphs:
            lines += ["", f"### {section}", ""] + old
            # Below what somebody has written by hand of the whole section.
            indent = "  " if old and section != SECTIONS[0] else ""
            if indent and section in paragraphs and DETAIL not in old:
                lines.append(DETAIL)
            for text in paragraphs.get(section, []):
                lines += wrapped(note(section, text), indent)
    return "\n".join(lines) + "\n"


def parsed(section):
    """The lines before the first heading of a release's section, and the lines under each heading."""
    intro, *rest = re.split(r"^### (.*)$", section, flags=re.M)
    under = {name: text.strip("\n").split("\n") for name, text in zip(rest[::2], rest[1::2])}
    if unknown := set(under) - set(SECTIONS):
        raise ValueError(f"CHANGELOG.md has a heading that no release has: {', '.join(sorted(unknown))}")
    return intro.strip("\n"), under


def split(version, text):
    """CHANGELOG.md before the section of a version, that section without its heading, and what is behind it."""
    found = re.search(rf"^## {re.escape(version)}(?: [^\n]*)?\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    if found:
        return text[:found.start()], found.group(1), text[found.end():]
    first = re.search(r"^## ", text, re.M)
    at = first.start() if first else len(text)
    return text[:at], "", text[at:]


def now():
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    utc = datetime.timezone.utc
    return datetime.datetime.fromtimestamp(int(epoch), utc) if epoch else datetime.datetime.now(utc)


def is_released(version):
    """Whether this repository has the version's tag; a folder without a repository has none."""
    result = subprocess.run(["git", "-C", ROOT, "tag", "--list", f"v{version}"], capture_output=True, text=True)
    return bool(result.stdout.strip())


def write(version, paths, paragraphs):
    before, section, behind = split(version, CHANGELOG.read_text(encoding="utf-8"))
    intro, under = parsed(section)
    text = f"## {version} ({now():%Y-%m-%d})\n" + (f"\n{intro}\n" if intro else "")
    text += text_of(paragraphs, under) if paragraphs or under else ""
    CHANGELOG.write_text(f"{before}{text}" + (f"\n{behind}" if behind else ""), encoding="utf-8")
    if DEBIAN.exists():
        # That of the package is the date of every file in it.
        debian = DEBIAN.read_text(encoding="utf-8")
        if debian.startswith(f"mediabatch ({version}) "):
            stamp = f"{now():%a, %d %b %Y %H:%M:%S} +0000"
            DEBIAN.write_text(re.sub(r"(?m)^( -- .*>  ).*$", rf"\g<1>{stamp}", debian, count=1), encoding="utf-8")
    for path in paths:
        path.unlink()
    print(f"changelog: {len(paths)} changes are in CHANGELOG.md under {version} of {now():%Y-%m-%d}")


def open_ends(version, date, paths):
    """What a release of that date lacks, a line each."""
    text = CHANGELOG.read_text(encoding="utf-8")
    first = re.search(r"^## .*$", text, re.M)
    found = re.search(rf"^## {re.escape(version)} \((.*)\)$", text, re.M)
    if paths:
        yield f"changes has {len(paths)} files that no release has: scripts/changelog.py {version} collects them"
    if first and re.match(r"## \[?unreleased", first.group(), re.I):
        yield "CHANGELOG.md begins with what is unreleased"
    elif not found or found.start() != first.start():
        yield f'CHANGELOG.md does not begin with a section "## {version} (DATE)"'
    elif found.group(1) != date:
        yield f"CHANGELOG.md says {found.group(1)}, and the commit is of {date}: scripts/changelog.py {version}"
    debian = DEBIAN.read_text(encoding="utf-8")
    stamp = re.search(r"(?m)^ -- .*>  (.*)$", debian)
    wanted = datetime.date.fromisoformat(date).strftime("%a, %d %b %Y")
    if not debian.startswith(f"mediabatch ({version}) "):
        yield f"debian/changelog does not begin with {version}"
    elif not stamp or not stamp.group(1).startswith(wanted):
        yield f"debian/changelog is not of {wanted}: scripts/changelog.py {version}"


def main():
    arguments = sys.argv[1:]
    version = r"[0-9]+(\.[0-9]+)+"
    is_open = len(arguments) == 3 and arguments[0] == "--open" and re.fullmatch(version, arguments[1])
    if not is_open and (len(arguments) > 1 or arguments and not re.fullmatch(f"--check|{version}", arguments[0])):
        print("usage: scripts/changelog.py [--check | VERSION | --open VERSION DATE]", file=sys.stderr)
        return 64
    paths, paragraphs, mistakes = collected()
    if is_open:
        lacking = list(open_ends(arguments[1], arguments[2], paths))
        print("\n".join(lacking), end="\n" if lacking else "")
        return 1 if lacking else 0
    for mistake in mistakes:
        print(mistake)
    if mistakes or arguments == ["--check"]:
        return 1 if mistakes else 0
    if not arguments:
        sys.stdout.write(text_of(paragraphs).lstrip("\n"))
        return 0
    if is_released(arguments[0]):
        print(f"changelog: there is a tag v{arguments[0]}, whose section stays as it is", file=sys.stderr)
        return 1
    try:
        write(arguments[0], paths, paragraphs)
    except ValueError as error:
        print(f"changelog: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
