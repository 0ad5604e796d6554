"""The definitions of the commands of mediabatch, as a built program tells them (--experimental-dump-help), and its exit codes
(help exit-codes).

Imported by manual.py, which writes the manual pages of them, by commands.py, which writes docs/commands.md, and by
completions.py, which adds the rules to the completions.
"""

import json
import os
import re
import subprocess


def definitions(program):
    """The definition of a built program's main command with its exit codes, and in it those beneath it."""
    def said(*words):
        # So many columns that no line is broken.
        environment = {**os.environ, "COLUMNS": "1000"}
        command = [os.path.abspath(program), *words]
        return subprocess.run(command, capture_output=True, check=True, env=environment).stdout.decode()

    command = json.loads(said("--experimental-dump-help"))["command"]
    command["discussion"] += "\n\nEXIT CODES\n" + said("help", "exit-codes")
    return command


def subcommands(command):
    """The commands beneath one that are shown."""
    return [
        c for c in command.get("subcommands") or []
        if c.get("shouldDisplay", True) and c["commandName"] != "help"
    ]


def arguments(command):
    """The arguments and options of a command that are shown."""
    return [a for a in command.get("arguments") or [] if a.get("shouldDisplay", True)]


def in_synopsis(command):
    """The arguments of a command that its synopsis has, options first."""
    order = sorted(arguments(command), key=lambda a: a["kind"] == "positional")
    return [a for a in order if a["valueName"] not in ("version", "help")]


def unnamed_values(argument):
    """The words that an option takes, where its description does not have them all."""
    values = argument.get("allValues") or []
    text = argument.get("abstract", "") + (argument.get("discussion") or "")
    return [] if all(v in text for v in values) else values


def names(argument):
    """The names of an option, short ones first."""
    return sorted(argument.get("names") or [], key=lambda name: name["kind"] == "long")


def discussion(command):
    """A command's description, its examples, and the exit codes that it lists itself."""
    paragraphs, examples, codes = [], [], []
    for block in re.split(r"\n\s*\n", command.get("discussion", "")):
        lines = block.strip().split("\n")
        if lines[0] == "EXAMPLES":
            examples += [entry.strip() for entry in lines[1:]]
        elif lines[0] == "EXIT CODES":
            for entry in lines[1:]:
                code = re.fullmatch(r"\s*(\d+)\s+(.+)", entry)
                if code:
                    codes.append((code[1], code[2]))
                else:
                    codes.append((None, entry.strip()))
        elif block.strip():
            paragraphs.append(block)
    return paragraphs, examples, codes


def conflicts(command):
    """The options of a command that do not combine with an option, for each that has such a rule in a description."""
    option = r"--[a-z-]+"
    listed = rf"({option}(?:(?:, | and ){option})*)"
    texts = [command.get("discussion") or ""]
    texts += [a.get(key) or "" for a in arguments(command) for key in ("abstract", "discussion")]
    found = {}
    for rule in re.finditer(rf"{listed} do(?:es)? not combine with {listed}\.", "\n".join(texts)):
        for one in re.findall(option, rule[1]):
            for other in re.findall(option, rule[2]):
                found.setdefault(one, set()).add(other)
                found.setdefault(other, set()).add(one)
    return found
