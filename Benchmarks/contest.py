"""Runs contestants by turns: mediabatch, its peers, and the decoder alone."""

import os
import pathlib
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

import media
import process

# A run decodes to this many times the needed size in each direction; see docs/performance.md.
OVERSAMPLING = 1.9
FLOORS = pathlib.Path(__file__).with_name("floors")


@dataclass
class Value:
    """A figure that is no time of a process."""

    value: float


@dataclass
class Scene:
    """What a part measures: contestants over the same files."""

    # Each returns a process.Result or a Value.
    contestants: dict[str, Callable]
    files: list = field(default_factory=list)
    # By which "a file" divides.
    count: int = 0
    # How often each is measured, by turns, after a warm-up; None: as often as run.sh is told.
    rounds: int | None = None
    warm_up: bool = True
    # What stands in braces in the command of a peer.
    places: dict[str, str] = field(default_factory=dict)


class Bench:
    """The program that is measured, and the folders in which it works."""

    def __init__(self, programs, rounds, against=None):
        self.program = program_in(programs)
        # The same program of another build, for parts that measure both.
        self.other = against and program_in(against)
        self.rounds = rounds
        # Work beside the build and not in /tmp, which may be in memory: flushes must reach a disk.
        self.scratch = pathlib.Path(".build/bench").resolve()
        self.kept = pathlib.Path(".build/bench-media").resolve()
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir(parents=True)
        self.notes = []
        # Libraries that several parts look at, by what they are of.
        self.libraries = {}

    def say(self, text):
        print(f"bench: {text}", file=sys.stderr, flush=True)

    def note(self, text):
        """Says what the result file has to say, once, without the folder that this machine has it in."""
        text = text.replace(f"{pathlib.Path.cwd()}/", "")
        if text not in self.notes:
            self.notes.append(text)
            self.say(text)

    # Media.

    def made(self, name, make):
        """Returns a folder of media, which stays for the next time; `make` writes them into a new one."""
        folder = self.kept / name
        if not folder.exists():
            self.say(f"making {name}")
            unfinished = folder.with_name(f"{name}.unfinished")
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir(parents=True)
            make(unfinished)
            unfinished.rename(folder)
        return folder

    def empty(self, name):
        folder = self.scratch / name
        self.put_away(folder)
        folder.mkdir(parents=True)
        return folder

    # Contestants.

    def ask(self, *words, sample=None, statuses=(0,)):
        """Runs the program; stops if it ends otherwise."""
        os.sync()
        result = process.run([self.program, *map(str, words)], sample)
        if result.status not in statuses:
            sys.exit(f"bench: {words} ended with {result.status}: {result.error[-1000:]}")
        return result

    def run(self, manifest, expected, outcome="imported", sample=None, arguments=(), program=None):
        """Runs the import; stops if it is incomplete."""
        os.sync()
        result = process.run(
            [program or self.program, "run", str(manifest), "--format", "json", *arguments], sample)
        counts = result.json().get("counts", {})
        if result.status != 0 or counts.get(outcome) != expected:
            sys.exit(
                f"bench: the run ended with {result.status} and {counts}, expected {expected} {outcome}\n"
                + result.error[-2000:])
        return result

    def fresh(self, manifest, expected, **options):
        self.put_away(media.library_of(manifest))
        return self.run(manifest, expected, **options)

    def put_away(self, folder):
        """Gives a folder another name until all is measured. ext4 passes over the inodes of one that was just
        removed for some minutes, which took more than half of the time of an import of small files."""
        if folder.exists():
            away = self.scratch / "away"
            away.mkdir(exist_ok=True)
            folder.rename(away / str(len(list(away.iterdir()))))

    def whole_run(self, name, folder, **options):
        """Returns a scene in which a run imports a folder into a new library."""
        files = media.files(folder)
        manifest = media.manifest(self.scratch / name, folder, **options)
        return Scene({"mediabatch": lambda: self.fresh(manifest, len(files))}, files, len(files))

    def peer(self, peer, scene):
        """Lets a peer process the files of a scene; stops if it did not make every output."""
        out = self.empty("peer")
        files = scene.files
        if peer.in_place:
            files = [pathlib.Path(shutil.copy(path, out)) for path in files]
        command = [word.format(out=out, **scene.places) if "{" in word and "${" not in word else word
                   for word in peer.command]
        if shutil.which(command[0]) is None:
            raise process.Missing(command[0])
        os.sync()
        if peer.processes == 0:
            return process.check(command)
        share = 1 if peer.each else -(-len(files) // peer.processes)
        result = self.shared(command, files, peer.processes, share)
        made = [path for path in media.files(out) if path.stat().st_size > 0]
        expected = len(files) * peer.outputs
        if result.status != 0 or len(made) != expected:
            sys.exit(f"bench: {peer.name} made {len(made)} of {expected}: {result.error[-500:]}")
        if peer.strips and total_size(made) >= total_size(scene.files):
            sys.exit(f"bench: {peer.name} has taken nothing out")
        return result

    def shared(self, command, files, processes, share):
        """Runs a program in some processes at once, each with a share of the files."""
        paths = map(str, media.balanced(files) if processes > 1 else files)
        return process.run(
            ["xargs", "-0", "-P", str(processes), "-n", str(share), *command],
            standard_input="\0".join(paths) + "\0")

    def floor(self, decoder, files):
        """Returns the contestant that only decodes the files, by `floors/DECODER.c`."""
        program = self.compiled(decoder, FLOORS / "main.c")

        def contestant():
            os.sync()
            result = self.shared(
                [program, str(256 * OVERSAMPLING)], files, 2, -(-len(files) // 2))
            decoded = sum(map(int, result.output.split()))
            if result.status != 0 or decoded != len(files):
                sys.exit(f"bench: the decoder alone did {decoded} of {len(files)}: {result.error[-500:]}")
            return result

        return contestant

    def compiled(self, floor, *sources):
        """Compiles `floors/FLOOR.c` with other sources, and returns the program."""
        program = str(self.scratch / f"floor-{floor}")
        source = FLOORS / f"{floor}.c"
        first = source.read_text(encoding="utf-8").split("\n", 1)[0]
        options = []
        if first.startswith("// pkg-config: "):
            libraries = first.removeprefix("// pkg-config: ").split()
            found = process.run(["pkg-config", "--cflags", "--libs", *libraries])
            if found.status != 0:
                raise process.Missing(f"{', '.join(libraries)} (pkg-config)")
            options = found.output.split()
        process.check(["cc", "-O2", "-o", program, *map(str, sources), str(source), *options, "-lm"])
        return program

    # Measuring.

    def measure(self, scene, peers):
        """Returns the results of each contestant, by its name, and of each peer."""
        contestants = dict(scene.contestants)
        for peer in peers:
            contestants[peer.name] = lambda peer=peer: self.peer(peer, scene)
        results = {name: [] for name in contestants}
        for number in range(-scene.warm_up, scene.rounds or self.rounds):
            order = list(contestants)
            for name in order if number % 2 else reversed(order):
                try:
                    result = contestants[name]()
                except process.Missing as missing:
                    self.note(f"NOT MEASURED: {name}: {missing}")
                    del contestants[name]
                    continue
                if number >= 0:
                    results[name].append(result)
        return results


def program_in(folder):
    return str(pathlib.Path(folder).resolve() / "mediabatch")


def total_size(files):
    return sum(path.stat().st_size for path in files)

