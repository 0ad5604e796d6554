#!/usr/bin/env python3
"""Writes the manual pages of mediabatch, in mdoc(7), one for each command.

scripts/manual.py PROGRAM FOLDER   PROGRAM is a built mediabatch; FOLDER gets mediabatch.1,
mediabatch-run.1, mediabatch-access-grant.1 and so on, and the pages that docs/man has whole.

Names, options, descriptions, examples and exit codes come from the definitions of the commands
(definitions.py), of which commands.py makes docs/commands.md too. docs/man/PAGE.mdoc adds
written sections to a page; a page without ENVIRONMENT or FILES of its own has those of the command
above it, and the files of a library only where it takes a library or a manifest. The date of a page is
that of SOURCE_DATE_EPOCH, or else that of CHANGELOG.md.
Exit: 0 all pages written, 1 not.
"""

import datetime
import os
import pathlib
import re
import sys
import textwrap

sys.dont_write_bytecode = True
from definitions import (  # noqa: E402
    arguments, definitions, discussion, in_synopsis, names, subcommands, unnamed_values,
)

ROOT = pathlib.Path(__file__).resolve().parent.parent
WRITTEN = ROOT / "docs" / "man"
# The order that mdoc(7) asks for.
SECTIONS = [
    "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "ENVIRONMENT", "FILES", "EXIT STATUS",
    "EXAMPLES", "SEE ALSO",
]
INHERITED = ["ENVIRONMENT", "FILES"]
# An example is wrapped here, so that a page fits into 60 columns with its indent.
EXAMPLE_WIDTH = 50
SPECIAL = {"\\": r"\e", "\u2026": "...", "\u2019": "'", "\u2013": r"\(en"}


def escaped(text, literal=False):
    """Text as mdoc takes it in the middle of a line; a literal hyphen can be typed as it is shown."""
    text = "".join(SPECIAL.get(c, c if ord(c) < 128 else f"\\[u{ord(c):04X}]") for c in text)
    return text.replace("-", r"\-") if literal else text


def line(text):
    """A line of text that does not begin like a request."""
    return r"\&" + text if text[:1] in (".", "'") else text


def word(text):
    """One argument of a macro: no macro by chance, no delimiter, one word."""
    text = escaped(text, literal=True)
    if re.fullmatch(r"[A-Z][a-z]{1,2}|[A-Z][a-z]|[.,:;()\[\]|?!]", text):
        text = r"\&" + text
    return f'"{text}"' if " " in text else text


def page_name(path):
    """The name of a command's page."""
    return "-".join(path)


def heading(text):
    """The words of a one-line description, none of which is a macro."""
    return " ".join(word(w).replace(r"\-", "-") for w in text.split())


def paragraph(text):
    """Prose: a new sentence on a new line; backquotes mark what is typed."""
    sentences = re.split(r"(?<=[.!?:;])\s+(?=[A-Z\"`])", " ".join(text.split()))
    lines = []
    for sentence in sentences:
        parts = sentence.split("`")
        marked = "".join(
            rf"\fB{escaped(part, literal=True)}\fP" if index % 2 else escaped(part)
            for index, part in enumerate(parts)
        )
        marked = re.sub(r"(?<![\w-])(--[a-z][a-z-]+)", lambda m: m[1].replace("-", r"\-"), marked)
        lines += [line(part) for part in textwrap.wrap(marked, 78, break_on_hyphens=False)]
    return lines


def flag(name):
    return f"Fl {word(name['name'])}" if name["kind"] == "short" else f"Fl \\-{word(name['name'])}"


def value(argument):
    return f"Ar {word(argument['valueName'])}"


def usage(argument):
    """An argument in the synopsis."""
    dots = " ..." if argument.get("isRepeating") else ""
    if argument["kind"] == "positional":
        text = value(argument) + dots
    else:
        text = flag(argument.get("preferredName") or names(argument)[0])
        if argument["kind"] == "option":
            text += " " + value(argument)
        if dots:
            text += " Ar ..."
    return f".Op {text}" if argument.get("isOptional") else f".{text}"


def entry(argument):
    """An argument in the list of options."""
    if argument["kind"] == "positional":
        item = value(argument) + (" ..." if argument.get("isRepeating") else "")
    elif argument["kind"] == "flag":
        item = " , ".join(flag(name) for name in names(argument))
    else:
        item = " , ".join(f"{flag(name)} {value(argument)}" for name in names(argument))
    lines = [f".It {item}"]
    lines += paragraph(argument.get("abstract", "").strip() or "No description.")
    if argument.get("discussion"):
        lines += paragraph(argument["discussion"])
    if values := unnamed_values(argument):
        lines += paragraph(f"One of {', '.join(values)}.")
    if argument.get("defaultValue"):
        lines += [f"Default: {escaped(argument['defaultValue'], literal=True)}."]
    return lines


def wrapped(example):
    """A command on lines that fit, joined for the shell; an option keeps its value beside it."""
    lines, current = [], ""
    parts = re.findall(r"(?:'[^']*'|\"[^\"]*\"|\S)+", example)
    for index in range(len(parts) - 1, 0, -1):
        if parts[index - 1].startswith("--") and not parts[index].startswith("-"):
            parts[index - 1 : index + 1] = [f"{parts[index - 1]} {parts[index]}"]
    for part in parts:
        if current and len(current) + 1 + len(part) > EXAMPLE_WIDTH - 2:
            lines.append(current + " \\")
            current = "    " + part
        else:
            current = f"{current} {part}" if current else part
    return lines + [current]


def example_lines(examples):
    if not examples:
        return []
    lines = [".Bd -literal -offset 2n"]
    for example in examples:
        lines += [line(escaped(part, literal=True)) for part in wrapped("$ " + example)]
    return lines + [".Ed"]


def exit_lines(codes):
    lines = [".Bl -tag -width 3n"]
    for code, meaning in codes:
        if code is None:
            continue
        lines += [f".It {code}"] + paragraph(meaning)
    lines += [".El"]
    for code, meaning in codes:
        if code is None:
            lines += [".Pp"] + paragraph(meaning)
    return lines


def written(page):
    """The sections that docs/man has for a page, by their names."""
    path = WRITTEN / f"{page}.mdoc"
    found, current = {}, None
    if not path.exists():
        return found
    for text in path.read_text().splitlines():
        if text.startswith('.\\"'):
            continue
        if text.startswith(".Sh "):
            current = text[4:].strip()
            if current not in SECTIONS:
                raise SystemExit(f"manual: {path.name}: no section \"{current}\" is known")
            found[current] = []
        elif current is None:
            raise SystemExit(f"manual: {path.name}: a section comes first")
        else:
            found[current] += [text] if text.startswith(".") else textwrap.wrap(text, 78)
    return found


def pages(command, parents=(), inherited=None, table=()):
    """Yields the name and the lines of the page of a command and of those beneath it."""
    path = (*parents, command["commandName"])
    page = page_name(path)
    paragraphs, examples, codes = discussion(command)
    table = codes or table
    own = written(page)
    inherited = {**(inherited or {}), **{k: v for k, v in own.items() if k in INHERITED}}
    shown, options = subcommands(command), arguments(command)
    abstract = command["abstract"].rstrip(".")
    section = {
        "NAME": [f".Nm {page}", f".Nd {heading(abstract[0].lower() + abstract[1:])}"],
        "SYNOPSIS": [f".Nm {path[0]}"] + [f".Cm {word(name)}" for name in path[1:]],
        "DESCRIPTION": [],
        "EXIT STATUS": exit_lines(table),
        "EXAMPLES": example_lines(examples),
    }
    if shown:
        section["SYNOPSIS"] += [".Ar command", ".Op Ar argument ..."]
        section["COMMANDS"] = [".Bl -tag -width Ds"]
        for sub in shown:
            section["COMMANDS"] += [f".It Xr {page_name((*path, sub['commandName']))} 1"]
            section["COMMANDS"] += paragraph(sub["abstract"])
        section["COMMANDS"] += [".El"]
    else:
        section["SYNOPSIS"] += [usage(a) for a in in_synopsis(command)]
    if options:
        section["OPTIONS"] = [".Bl -tag -width Ds"]
        for argument in sorted(options, key=lambda a: a["kind"] != "positional"):
            section["OPTIONS"] += entry(argument)
        section["OPTIONS"] += [".El"]
    for number, text in enumerate(paragraphs):
        section["DESCRIPTION"] += [".Pp"] * (number > 0) + paragraph(text)
    if not paragraphs and not own.get("DESCRIPTION"):
        section["DESCRIPTION"] = paragraph(command["abstract"])
    positional = {a["valueName"] for a in options if a["kind"] == "positional"}
    if len(path) == 2 and "FILES" not in own and not positional & {"library", "manifest"}:
        inherited.pop("FILES", None)
    for name, lines in {**inherited, **own}.items():
        before = section.get(name) or []
        section[name] = before + [".Pp"] * bool(before) + lines
        for index, text in enumerate(section[name]):
            if text.startswith(f".Xr {page} 1"):
                section[name][index] = text.replace(".Xr", ".Nm", 1).replace(" 1", "", 1)
    if "SEE ALSO" not in section:
        related = [page_name(path[:n]) for n in range(1, len(path))]
        section["SEE ALSO"] = [
            f".Xr {name} 1" + (" ," if name != related[-1] else "") for name in related
        ]
    lines = ['.\\" Written by scripts/manual.py from the definitions of the commands.']
    lines += [f".Dd {date()}", f".Dt {page.upper()} 1", ".Os"]
    for name in SECTIONS:
        if section.get(name):
            lines += [f".Sh {name}"] + section[name]
    yield page, lines
    for sub in shown:
        yield from pages(sub, path, inherited, table)


def date():
    epoch = os.environ.get("SOURCE_DATE_EPOCH") or (ROOT / "CHANGELOG.md").stat().st_mtime
    when = datetime.datetime.fromtimestamp(int(float(epoch)), datetime.timezone.utc)
    return f"{when:%B} {when.day}, {when.year}"


def main():
    if len(sys.argv) != 3:
        print("usage: scripts/manual.py PROGRAM FOLDER", file=sys.stderr)
        return 64
    command, folder = definitions(sys.argv[1]), pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    made = {}
    for page, lines in pages(command):
        made[page] = "\n".join(lines) + "\n"
    for path in sorted(WRITTEN.glob("*.1")):
        made[path.stem] = path.read_text().replace("$Date$", date())
    for path in WRITTEN.glob("*.mdoc"):
        if path.stem not in made:
            raise SystemExit(f"manual: docs/man/{path.name} belongs to no command")
    for page, text in made.items():
        (folder / f"{page}.1").write_text(text)
    print(f"manual: {len(made)} pages in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
