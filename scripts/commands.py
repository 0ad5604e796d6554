#!/usr/bin/env python3
"""Writes docs/commands.md: each command of mediabatch with its arguments, options and exit codes.

scripts/commands.py PROGRAM [FILE]   PROGRAM is a built mediabatch; without FILE the text goes to
standard output.

All of it comes from the definitions of the commands (definitions.py), as the manual pages do (manual.py).
Exit: 0 written, 1 not.
"""

import collections
import pathlib
import re
import sys

sys.dont_write_bytecode = True
from definitions import (  # noqa: E402
    definitions, discussion, in_synopsis, names, subcommands, unnamed_values,
)

INTRODUCTION = """\
# Commands

Each command of `mediabatch` with its arguments, options and exit codes. `man mediabatch-COMMAND` and
`mediabatch COMMAND --help-hidden` say the same about one of them, with examples; `--help` says what most people need. `make docs` writes this page from the
definitions of the commands, and a test compares the two; it is not edited by hand.

In a synopsis `[ ]` holds what may be left out, and `...` what may be repeated. Options stand in any order, before or
after the arguments. Every command also has `--help` (`-h`), `--help-hidden` and `--version`. Data go to standard output, and messages
for people to standard error. What a command's list lacks is one of the
[shared options](#shared-options).
"""

# What so many commands have with the same words stands once.
SHARED_BY = 2


def prose(text):
    """Text as Markdown takes it: no markup by chance; options and what is in backquotes are code."""
    parts = " ".join(text.split()).split("`")
    for index, part in enumerate(parts):
        if index % 2:
            parts[index] = f"`{part}`"
            continue
        part = re.sub(r"([\\*<|])", r"\\\1", part)
        parts[index] = re.sub(r"(?<![\w-])(--[a-z][a-z-]+)", r"`\1`", part)
    return "".join(parts)


def cell(text):
    """Text in a cell of a table; what ends a cell is escaped in code too."""
    return re.sub(r"(?<!\\)\|", r"\|", text)


def typed(argument, is_list=False):
    """An argument as it is typed; in a list of options with all its names."""
    value = argument["valueName"].upper().replace(" ", "-")
    dots = " ..." if argument.get("isRepeating") else ""
    if argument["kind"] == "positional":
        return value + dots
    shown = names(argument)
    if not is_list:
        shown = [argument.get("preferredName") or shown[0]]
    text = ", ".join(("-" if n["kind"] == "short" else "--") + n["name"] for n in shown)
    if argument["kind"] == "option":
        text += " " + value
    return text + dots


def synopsis(path, command):
    """The line of a command's synopsis: options that may be left out are in the lists alone."""
    parts, has_options = [], False
    for argument in in_synopsis(command):
        if not argument.get("isOptional"):
            parts.append(typed(argument))
        elif argument["kind"] == "positional":
            parts.append(f"[{typed(argument)}]")
        else:
            has_options = True
    return ["    " + " ".join([*path, *(["[options]"] if has_options else []), *parts])]


def meaning(argument):
    """What an argument is for, the words that it takes and its default, in one paragraph."""
    text = prose(argument.get("abstract", "")) or "No description."
    if argument.get("discussion"):
        text += " " + prose(argument["discussion"])
    if values := unnamed_values(argument):
        text += " One of " + ", ".join(f"`{v}`" for v in values) + "."
    if argument.get("defaultValue"):
        text += f" Default: `{argument['defaultValue']}`."
    return text


def codes(found):
    """The table of exit codes, and sentences about them below it."""
    lines = ["| exit code | means |", "|---|---|"]
    lines += [f"| {code} | {cell(text)} |" for code, text in found if code]
    for code, text in found:
        if code is None:
            lines += ["", prose(text)]
    return lines


def rows(arguments, ranges=None):
    """A list of arguments and options, arguments first; a flag and its opposite are one item."""
    lines, ranges = [], ranges or {}
    flags = {a["valueName"]: a.get("abstract") for a in arguments if a["kind"] == "flag"}
    for argument in sorted(arguments, key=lambda a: a["kind"] != "positional"):
        name, abstract = argument["valueName"], argument.get("abstract")
        if name.startswith("no-") and flags.get(name[3:]) == abstract:
            continue
        text = f"`{typed(argument, is_list=True)}`"
        if flags.get(f"no-{name}") == abstract:
            text += f", `--no-{name}`"
        lines += [f"- {text}: {meaning(argument)}{ranges.get(option(argument), '')}"]
    return lines


def option(argument):
    """The name of an option with its hyphens; that of the value of an argument."""
    return typed(argument).split(" ")[0]


# The rule about the numbers that an option takes, as OptionRule writes it.
RANGE = re.compile(r"(--[a-z-]+) takes a number from (\S+) to (\d+)\.\s*")


def identity(argument):
    """What two commands have to have in common for an argument to be the same one."""
    return typed(dict(argument, isOptional=False), is_list=True), meaning(argument)


def shared(command):
    """The arguments and options that several commands have in the same words, by their identity.

    Where two commands say different things of one name, the wording that more of them have counts.
    """
    counts, first = collections.Counter(), {}
    waiting = [command]
    while waiting:
        command = waiting.pop(0)
        waiting = subcommands(command) + waiting
        if not subcommands(command):
            for argument in in_synopsis(command):
                counts[identity(argument)] += 1
                first.setdefault(identity(argument), argument)
    usual = {}
    for key, count in counts.items():
        if count > counts[usual.setdefault(key[0], key)]:
            usual[key[0]] = key
    return {k: first[k] for k in first if counts[k] >= SHARED_BY and usual[k[0]] == k}


def shared_ranges(command):
    """The numbers that an option takes, by its name, where all commands that say them say the same."""
    found = collections.defaultdict(set)
    for child in subcommands(command):
        for name, least, most in RANGE.findall(child.get("discussion", "")):
            found[name].add(f" From {least} to {most}.")
        for name, text in shared_ranges(child).items():
            found[name].add(text)
    return {name: texts.pop() for name, texts in found.items() if len(texts) == 1}


def section(path, command, elsewhere, told):
    """The lines of the section of a command, and those of the commands beneath it.

    Of the arguments those that stand elsewhere, by their identity, are named alone; told are options
    whose numbers stand there.
    """
    paragraphs, _, own_codes = discussion(command)
    lines = ["", "#" * len(path) + " " + " ".join(path[1:]), ""]
    children = subcommands(command)
    lines += [f"    {' '.join(path)} COMMAND"] if children else synopsis(path, command)
    own = [a for a in in_synopsis(command) if identity(a) not in elsewhere]
    also = [a for a in in_synopsis(command) if identity(a) in elsewhere]
    first = " ".join([command["abstract"].rstrip(".") + "."] + paragraphs[:1])
    ranges, named = {}, {option(a) for a in own} | {option(a) for a in also} & told
    for paragraph in [first] + paragraphs[1:]:
        for name, least, most in RANGE.findall(paragraph):
            if name in named:
                ranges[name] = f" From {least} to {most}."
        text = RANGE.sub(lambda rule: "" if rule[1] in named else rule[0], paragraph)
        if text.strip():
            lines += ["", prose(text)]
    if own and not children:
        lines += [""] + rows(own, ranges)
    if options := [f"`{option(a)}`" for a in also if a["kind"] != "positional"]:
        lines += ["", "Also " + ", ".join(options) + "."]
    if own_codes:
        lines += ["", "It and the commands beneath it end with:", ""]
        lines += [f"- `{code}`: {prose(text)}" for code, text in own_codes if code]
    for child in children:
        lines += section((*path, child["commandName"]), child, elsewhere, told)
    return lines


def contents(path, command):
    """Links to the sections of the commands."""
    links = []
    for child in subcommands(command):
        words = (*path, child["commandName"])
        if subcommands(child):
            links += contents(words, child)
        else:
            links += [f"[`{' '.join(words)}`](#{'-'.join(words)})"]
    return links


def page(command):
    """The text of the page."""
    _, _, table = discussion(command)
    elsewhere = shared(command)
    lines = INTRODUCTION.rstrip().split("\n")
    lines += ["", ", ".join(contents((), command)) + "."]
    lines += ["", "## Exit codes", "", "Of every command; what one of them adds stands with it.", ""]
    lines += codes(table)
    ranges = shared_ranges(command)
    lines += ["", "## Shared options", ""] + rows(elsewhere.values(), ranges)
    for child in subcommands(command):
        lines += section((command["commandName"], child["commandName"]), child, elsewhere, set(ranges))
    return "\n".join(lines) + "\n"


def main():
    if len(sys.argv) not in (2, 3):
        print("usage: scripts/commands.py PROGRAM [FILE]", file=sys.stderr)
        return 64
    text = page(definitions(sys.argv[1]))
    if len(sys.argv) == 3:
        pathlib.Path(sys.argv[2]).write_text(text, encoding="utf-8")
    else:
        sys.stdout.buffer.write(text.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
