#!/usr/bin/env python3
"""Links the programs that tests start once more: with a camera on loopback, to start sooner, with maps of their code.

scripts/link-programs.py BUILD-FOLDER

The objects of Tests/Programs/CCameraOnLoopback take the place of CSandbox's weak functions; no program that is released
has them. With Swift's libraries inside, a start takes 5.4 ms of processor time and not 11.8; the tests start
thousands of programs. The commands are those of SwiftPM's plan (BUILD-FOLDER/release.yaml); the programs go to
BUILD-FOLDER/test-programs.
"""

import glob
import json
import os
import re
import struct
import subprocess
import sys

OVERRIDES = "release/CCameraOnLoopback.build"
STATIC = [
    "-static-stdlib", "-use-ld=lld",
    # What Foundation needs, which objects compiled for the shared libraries do not name.
    "-l_FoundationICU", "-l_FoundationCollections", "-l_FoundationCShims", "-lCoreFoundation",
    "-lswiftSynchronization",
    "-Xlinker", "--gc-sections",
    # No relocation of 290 pages at each start: 0.8 ms of 6. What is released has random addresses.
    "-Xlinker", "-no-pie", "-Xclang-linker", "-no-pie",
]


# The programs of which a test follows a photo.
MAPPED = {"mediabatch", "mediabatch-worker"}
# A line of lld's map: the address and the length of a function, its module's folder, its section, which has its name.
CODE = re.compile(r"\s*([0-9a-f]+)\s+\S+\s+([0-9a-f]+)\s+\d+\s+/.*/([\w-]+)\.build/[^/]+\.o:\(\.text\.(\S+)\)")


def commands(plan):
    """The arguments of each command of the plan that links a program and no test bundle."""
    for line in plan:
        found = re.match(r'\s+args: (\[.*"-emit-executable".*\])$', line)
        if found:
            arguments = json.loads(found.group(1))
            if not arguments[arguments.index("-o") + 1].endswith(".xctest"):
                yield arguments


def run(arguments, subject):
    """Runs a compiler; ends with what it said when it fails."""
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.stderr.write(done.stdout + done.stderr)
        sys.exit(f"link-programs: {subject} was not built")


def write_modules(program, linked, code_map):
    """Writes which part of a program's file is the code of which module: in PROGRAM.modules, as BEGIN END MODULE.

    A trace shows where a stack returns to in the file, and the program has no symbols. Functions that modules share,
    such as specializations of generic ones, do not name their module, and are left out.
    """
    with open(linked, "rb") as file:
        head = file.read(4096)
    (start,), (count,) = struct.unpack_from("<Q", head, 32), struct.unpack_from("<H", head, 56)
    segments = [struct.unpack_from("<IIQQ", head, start + 56 * index) for index in range(count)]
    shift = next(address - offset for kind, flags, offset, address in segments if kind == 1 and flags & 1)
    parts = []
    with open(code_map, encoding="utf-8") as lines:
        for match in filter(None, map(CODE.match, lines)):
            name = match[3].replace("-", "_")
            if f"{len(name)}{name}" in match[4]:
                begin = int(match[1], 16) - shift
                parts.append(f"{begin} {begin + int(match[2], 16)} {match[3]}\n")
    with open(program + ".modules", "w", encoding="utf-8") as file:
        file.writelines(parts)


def main():
    folder = os.path.abspath(sys.argv[1])
    programs = os.path.join(folder, "test-programs")
    overrides = glob.glob(os.path.join(folder, OVERRIDES, "*.o"))
    if not overrides:
        sys.exit(f"link-programs: {OVERRIDES} has no object")
    os.makedirs(programs, exist_ok=True)
    with open(os.path.join(folder, "release.yaml"), encoding="utf-8") as file:
        lines = file.readlines()
    plan = list(commands(lines))
    if not plan:
        sys.exit("link-programs: no command of the plan links a program")
    for arguments in plan:
        place = arguments.index("-o") + 1
        built = arguments[place]
        program = os.path.join(programs, os.path.basename(built))
        # The plan also has plugins of dependencies, which nobody builds.
        if not os.path.exists(built):
            continue
        newest = max(os.path.getmtime(path) for path in [built, *overrides])
        name = os.path.basename(built)
        made = [program] + ([program + ".modules"] if name in MAPPED else [])
        if all(os.path.exists(path) and os.path.getmtime(path) > newest for path in made):
            continue
        # A running program is replaced and not written to.
        linked = program + ".new"
        arguments = [argument for argument in arguments if argument != "-g"]
        arguments[place] = linked
        code_map = program + ".map"
        mapping = ["-Xlinker", f"-Map={code_map}"] if name in MAPPED else []
        run(arguments + overrides + STATIC + mapping, name)
        if mapping:
            write_modules(program, linked, code_map)
            os.remove(code_map)
        os.rename(linked, program)


main()
