#!/usr/bin/env python3
"""vectors.py VERIFIER FOLDER: holds mediabatch-verify against the test vectors of the specification.

Each has to get its verdict, a good log its size, head and root, and a library its findings about files. Vectors
of plans and of stored answers, which the verifier does not read, are left out.
Exit: 0 all verdicts are right, 1 not; each wrong one is a line, the last line has their number.
"""
import functools
import json
import os
import pathlib
import shutil
import sys
import tarfile
import tempfile

from verifier import Verifier


def library_of(vector, expected, scratch):
    """Unpacks the base of a library and changes it."""
    with tarfile.open(vector.parent / "bases" / f"{expected['base']}.tar.gz") as base:
        base.extractall(scratch)
    library = next(pathlib.Path(scratch).rglob("library.sqlite")).parent
    changes = expected.get("changes") or {}
    for path in changes.get("remove", []):
        target = library / path
        shutil.rmtree(target) if target.is_dir() else target.unlink()
    for path, source in changes.get("put", {}).items():
        shutil.copyfile(vector / source, library / path)
    makers = {"fifo": os.mkfifo, "folder": os.mkdir, "link": functools.partial(os.symlink, "/nowhere")}
    for path, kind in changes.get("make", {}).items():
        makers[kind](library / path)
    for patch in changes.get("patch", []):
        file, offset = library / patch["path"], patch["offset"]
        old, new = bytes.fromhex(patch["old"]), bytes.fromhex(patch["new"])
        data = bytearray(file.read_bytes())
        if data[offset : offset + len(old)] != old:
            raise SystemExit(f"{vector.name}: {patch['path']} has other bytes at {offset}")
        data[offset : offset + len(old)] = new
        file.write_bytes(data)
    return str(library)


def words_of(vector, expected, scratch):
    def kept(head):
        return str(vector / head) if (vector / head).is_file() else head

    document = str(vector / "document.ndjson")
    if expected["kind"] == "log":
        words = ["log", str(vector), "--json"]
        words += ["--trust", expected["trust"]] if expected.get("trust") else []
        if "signatures" in expected:
            words += ["--allowed-signers", kept("allowed_signers"), "--signature", kept("manifest.json.sig")]
        return words + [word for head in expected.get("heads") or [] for word in ("--expect-head", kept(head))]
    if expected["kind"] == "consistency":
        return ["consistency", *map(kept, expected["heads"]), document]
    if expected["kind"] == "receipt":
        return ["receipt", str(vector / "document.jsonld")]
    if expected["kind"] == "library":
        return [library_of(vector, expected, scratch), "--json"]
    return ["proof", document, expected.get("trust") or kept(expected["head"])]


def mistakes(verifier, vector, expected, scratch):
    words = words_of(vector, expected, scratch)
    code, output, error = verifier.run(*words)
    verdict = {0: "good", 65: "refused"}.get(code)
    # A log is good whether the signature of its manifest holds or not.
    holds = expected.get("signatures", {}).get("holds", True)
    if verdict != (expected["verdict"] if holds else "refused"):
        yield f"{verdict or code}: {output[-500:]}{error[-500:]}"
        return
    if "proved" in expected and output.startswith(b"Proved") != expected["proved"]:
        yield f"it is {'' if expected['proved'] else 'not '}to be proved: {output[-200:]}"
    report = json.loads(output) if "--json" in words and output else {}
    if expected["kind"] == "log" and verdict == "good":
        for name in ("records", "head", "root"):
            if report[name] != expected.get(name, report[name]):
                yield f"{name} is {report[name]} and not {expected[name]}"
    if expected["kind"] == "library":
        mine = {
            (finding["kind"], finding["path"]) for finding in report["findings"]
            if finding["kind"] in ("missing", "changed", "unknown")
            and finding["path"].startswith(("Originals/", "Thumbnails/"))
        }
        if mine != {(finding["kind"], finding["path"]) for finding in expected.get("findings") or []}:
            yield f"its findings are {sorted(mine)}"


def main():
    path, folder = sys.argv[1:]
    verifier = Verifier(path)
    count = wrong = 0
    for file in sorted(pathlib.Path(folder).glob("*/expected.json")):
        expected = json.loads(file.read_text())
        if expected["kind"] in ("plan", "answers"):
            continue
        count += 1
        with tempfile.TemporaryDirectory() as scratch:
            for mistake in mistakes(verifier, file.parent, expected, scratch):
                wrong += 1
                print(f"{file.parent.name}: {mistake}")
    print(f"{count} vectors, {wrong} mistakes")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
