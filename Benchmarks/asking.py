"""Questions that are asked of a library of many assets, which a run has imported: its log has them all, too."""

import json
import os
import shutil
import sys

import media
import process


class AskingPart:
    def asking(self):
        count = self.counts[1]
        manifest, imported = self.paired_library(count)
        library = media.library_of(manifest)
        listed = process.check([self.program, "list", str(library), "--format", "ndjson"]).output
        assets = [json.loads(line) for line in listed.splitlines()]
        if len(assets) != count:
            sys.exit(f"bench: {len(assets)} assets of {count}")
        middle = assets[count // 2]
        path = next(library.glob(middle["files"][0]["path"]))
        questions = [
            (["list", library], 0.3), (["list", library, "--limit", "100"], 0.3),
            (["list", library, "--format", "paths0"], 0.3), (["list", library, "--format", "ndjson"], None),
            (["list", library, "--format", "csv"], None), (["albums", library], 0.3),
            (["explain", library, middle["localIdentifier"]], 0.3), (["explain", library, path], 0.3),
            (["explain", library, middle["label"]], 0.3),
            (["report", library, "--format", "json", "--asset", middle["localIdentifier"]], 0.3),
            (["report", library, "--format", "json", "--asset", middle["label"]], None),
            (["report", library, "--format", "html", "--asset", middle["localIdentifier"]], 0.3),
            (["stacks", library, "--format", "json"], None), (["stacks", library], None),
            (["audit", "verify", library], None), (["--version"], 0.015),
        ]
        for words, limit in questions:
            command = [self.program, *map(str, words)]
            done = [process.run(command) for _ in range(self.rounds + 1)][1:]
            # Hidden labels or a log without a signed head are no errors of the question.
            if any(one.status not in (0, 5) for one in done):
                sys.exit(f"bench: {words} ended with {done[0].status}: {done[0].error[-500:]}")
            said = " ".join(str(word) for word in words if word not in (library, path))
            said = said.replace(middle["localIdentifier"], "ID").replace(middle["label"], "LABEL")
            self.figures.value(
                f"asking: {said}, {count} assets", "s", [one.seconds for one in done], at_most=limit)
            self.figures.value(
                f"asking: {said}, processor time", "s", [one.processor for one in done])
        self.start_of_run(manifest, count)
        self.verify_of(library)
        self.memory_of_files(count, imported)

    def paired_library(self, count):
        """Imports pairs of a picture and its edited rendition, so that each asset is in a stack of two."""
        source = self.scratch / f"pairs-{count}"
        media.small_jpegs(source, count)
        for folder in sorted(source.iterdir()):
            for number, file in enumerate(sorted(folder.iterdir())):
                file.rename(folder / f"IMG_{'E' if number % 2 else ''}{number // 2:04}.JPG")
        path = media.manifest(self.scratch / "asking", source, policy="keep", sizes=(), kind="library")
        value = json.loads(path.read_text(encoding="utf-8"))
        value["albums"] = {"fromFolders": True}
        path.write_text(json.dumps(value), encoding="utf-8")
        self.say(f"first import of {count} in pairs")
        return path, self.fresh(path, count, sample=process.sample_coordinator)[0]

    def start_of_run(self, manifest, count):
        """A run over one file that is unchanged: all that it does before it knows so."""
        source = self.scratch / "one"
        media.small_jpegs(source, 1)
        for policy in ("strip", "keep"):
            path = media.manifest(self.scratch / f"start-{policy}", source, policy=policy, sizes=())
            self.fresh(path, 1)
            done = [self.run(path, 1, "unchanged")[0] for _ in range(self.rounds + 1)][1:]
            self.figures.value(
                f"asking: a run over one unchanged file, {policy}, processor time", "s",
                [one.processor for one in done])
        self.say(f"second run over {count}")
        result = self.run(manifest, count, "unchanged", sample=process.sample_coordinator)[0]
        self.figures.value(f"asking: second run over {count}", "s", [result.seconds])
        self.figures.value(
            f"asking: second run over {count}, the coordinator's peak Rss", "MB",
            [result.peak["coordinator"] / 1e6])

    def verify_of(self, library):
        files = [str(path) for top in ("Originals", "Audit") for path in sorted((library / top).rglob("*"))
                 if path.is_file()]
        names = self.scratch / "names"
        names.write_bytes(b"\0".join(map(os.fsencode, files)))

        def ours():
            return process.check([self.program, "verify", str(library)]).processor

        def peer():
            return process.check(["xargs", "-0", "-a", str(names), "sha256sum"]).processor

        mine, theirs = self.alternate(ours, peer)
        self.figures.ratio(
            "asking: processor time of verify / sha256sum of originals and log", mine, theirs, at_most=1.15)

    def memory_of_files(self, count, large):
        """What the import of many files takes more than that of a tenth, for each file more."""
        few = count // 10
        small = self.paired_library(few)[1]
        shutil.rmtree(self.scratch / f"pairs-{few}")
        grown = large.peak["coordinator"] - small.peak["coordinator"]
        self.figures.value(
            f"asking: the coordinator's peak Rss for each file of {count}, beyond that for {few}", "bytes",
            [grown / (count - few)], at_most=40)
