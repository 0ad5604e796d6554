#!/usr/bin/env python3
"""Links the programs that tests start once more, with Swift's libraries inside.

scripts/link-programs.py BUILD-FOLDER

A start then takes 6.5 ms of processor time and not 10.7, a run of three files 70 and not 85; the tests
start programs 13,000 times.
SwiftPM links the test bundle and the programs alike, and a bundle with the libraries inside has two
copies of Swift's runtime, since Swift Testing comes as a shared library. The commands are those of
SwiftPM's plan (BUILD-FOLDER/debug.yaml); the programs go to BUILD-FOLDER/programs.
"""

import json
import os
import re
import subprocess
import sys

STATIC = [
    "-static-stdlib", "-use-ld=lld",
    # What Foundation needs, which objects compiled for the shared libraries do not name.
    "-l_FoundationICU", "-l_FoundationCollections", "-l_FoundationCShims", "-lCoreFoundation",
    "-lswiftSynchronization",
    "-Xlinker", "--gc-sections", "-Xlinker", "--strip-all",
    "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
]


def commands(plan):
    """The arguments of each command of the plan that links a program and no test bundle."""
    for line in plan:
        found = re.match(r'\s+args: (\[.*"-emit-executable".*\])$', line)
        if found:
            arguments = json.loads(found.group(1))
            if not arguments[arguments.index("-o") + 1].endswith(".xctest"):
                yield arguments


def main():
    folder = os.path.abspath(sys.argv[1])
    programs = os.path.join(folder, "programs")
    os.makedirs(programs, exist_ok=True)
    with open(os.path.join(folder, "debug.yaml"), encoding="utf-8") as file:
        plan = list(commands(file))
    if not plan:
        sys.exit("link-programs: no command of the plan links a program")
    for arguments in plan:
        place = arguments.index("-o") + 1
        built = arguments[place]
        program = os.path.join(programs, os.path.basename(built))
        # The plan also has plugins of dependencies, which nobody builds.
        if not os.path.exists(built):
            continue
        if os.path.exists(program) and os.path.getmtime(program) > os.path.getmtime(built):
            continue
        # A running program is replaced and not written to.
        linked = program + ".new"
        arguments = [argument for argument in arguments if argument != "-g"]
        arguments[place] = linked
        done = subprocess.run(arguments + STATIC, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.stderr.write(done.stdout + done.stderr)
            sys.exit(f"link-programs: {os.path.basename(built)} was not linked")
        os.rename(linked, program)


main()
