#!/usr/bin/env python3
"""Writes the completions of mediabatch for a shell, which offer no option that does not combine with one of the line.

scripts/completions.py PROGRAM SHELL   PROGRAM is a built mediabatch; SHELL is bash, zsh or fish. The script goes to
standard output.

The parser writes the script, and the rules come from the definitions of the commands (definitions.py).
Exit: 0 written, 1 not.
"""

import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
from definitions import conflicts, definitions, subcommands  # noqa: E402

# Each argument is two options: where the first one is in the line, the second one is not offered.
BASH = """\
__mediabatch_exclude() {
    local pair index
    local -r line=" ${COMP_WORDS[*]::COMP_CWORD} "
    for pair in "${@}"; do
        [[ "${line}" = *" ${pair% *} "* ]] || continue
        for index in "${!COMPREPLY[@]}"; do
            [[ "${COMPREPLY[${index}]}" != "${pair#* }" ]] || unset "COMPREPLY[${index}]"
        done
    done
    COMPREPLY=("${COMPREPLY[@]}")
}

"""


def rules(path, command):
    """The options of each command that do not combine, by the words of the command."""
    found = {" ".join(path): conflicts(command)}
    for child in subcommands(command):
        found |= rules((*path, child["commandName"]), child)
    return found


def bash(script, found):
    """What is offered is made smaller behind each place where options are."""
    def excluding(match):
        others = found.get(match[1].replace("_", " "), {})
        pairs = " ".join(f"'{a} {b}'" for a in sorted(others) for b in sorted(others[a]))
        return match[0] + (f"    __mediabatch_exclude {pairs}\n" if pairs else "")

    offer = r"^_(\S+)\(\) \{\n(?:    .*\n)*?    __mediabatch_offer_flags_options -?\d+\n"
    script = re.sub(offer, excluding, script, flags=re.M)
    return script.replace("_mediabatch() {\n", BASH + "_mediabatch() {\n", 1)


def zsh(script, found):
    """A specification of an option begins with the list of those that it excludes."""
    command = ""
    lines = script.split("\n")
    for index, line in enumerate(lines):
        if function := re.match(r"_(\S+)\(\) \{", line):
            command = function[1].replace("_", " ")
        option = re.match(r"( +')(\*?(--[a-z-]+)\[.*)", line)
        if option and (others := found.get(command, {}).get(option[3])):
            lines[index] = f"{option[1]}({' '.join(sorted(others))}){option[2]}"
    return "\n".join(lines)


def fish(script, found):
    """An option has the condition that none of those is there."""
    def excluding(match):
        others = found.get(match[2], {}).get("--" + match[3])
        options = " ".join("-l " + other[2:] for other in sorted(others or []))
        return match[1] + (f"; and not __fish_seen_argument {options}" if options else "") + match[4]

    offer = "__mediabatch_should_offer_completions_for_flags_or_options"
    return re.sub(rf"""(-n '{offer} "([^"]+)"[^']*)(?=' -l '([^']+)')(')""", excluding, script)


def main():
    writers = {"bash": bash, "zsh": zsh, "fish": fish}
    if len(sys.argv) != 3 or sys.argv[2] not in writers:
        print("usage: scripts/completions.py PROGRAM bash|zsh|fish", file=sys.stderr)
        return 64
    program, shell = os.path.abspath(sys.argv[1]), sys.argv[2]
    made = subprocess.run([program, "--generate-completion-script", shell], capture_output=True, check=True)
    # A file that a shell reads needs no interpreter.
    script = re.sub(r"\A#!.*\n", "", made.stdout.decode())
    command = definitions(program)
    script = writers[shell](script, rules((command["commandName"],), command))
    sys.stdout.buffer.write(script.encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
