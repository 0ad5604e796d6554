#!/usr/bin/env python3
"""Installs the documents that README.md leads to, with the folders between them, so that each link leads somewhere.

documents.py FOLDER           Writes them below FOLDER. Schemas are written without blanks.
documents.py --check FOLDER   Says which links of the Markdown files below FOLDER lead nowhere, and exits 1 if one does.

Of a folder that is linked, the Markdown files are taken. What a test reads and a person does not, the vectors of the
specification, is left out, and a link to it is written as its words.
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
START = ["README.md", "CHANGELOG.md", "LICENSE", *(f"Manifests/{name}.schema.json" for name in (
    "events", "mediabatch", "policy", "summary"))]
LEFT_OUT = "docs/spec/vectors"
LINK = re.compile(r"\]\(<?([^)>#\s]+)[^)]*\)|\bsrc=\"([^\"]+)\"")


def links(text):
    """The relative targets of the links and pictures of a text, outside of code."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    for target in LINK.findall(re.sub(r"`[^`\n]*`", "", text)):
        target = target[0] or target[1]
        if not re.match(r"[a-z][a-z0-9+.-]*:", target):
            yield target


def targets(path):
    """The files that a document leads to, below the root."""
    if path.suffix != ".md":
        return
    for target in links((ROOT / path).read_text(encoding="utf-8")):
        found = (ROOT / path.parent / target).resolve().relative_to(ROOT)
        if found.is_relative_to(LEFT_OUT):
            continue
        if (ROOT / found).is_dir():
            yield from (file.relative_to(ROOT) for file in sorted((ROOT / found).glob("*.md")))
        else:
            yield found


def without_left_out(path, text):
    """The text of a document, in which what is not installed is named without a link."""
    def words(link):
        leads = (ROOT / path.parent / link[2]).resolve()
        return link[1] if leads.is_relative_to(ROOT / LEFT_OUT) else link[0]
    return re.sub(r"\[([^\]]*)\]\(([^)#\s]+)[^)]*\)", words, text)


def install(folder):
    wanted, found = [pathlib.Path(name) for name in START], set()
    while wanted:
        path = wanted.pop()
        if path not in found:
            found.add(path)
            wanted += targets(path)
    for path in sorted(found):
        content = (ROOT / path).read_bytes()
        if path.suffix == ".md":
            content = without_left_out(path, content.decode("utf-8")).encode("utf-8")
        elif path.name.endswith(".schema.json"):
            content = json.dumps(json.loads(content), ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        copy = folder / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(content)
        copy.chmod(0o644)
    for parent in {copy for path in found for copy in path.parents}:
        (folder / parent).chmod(0o755)


def check(folder):
    paths = sorted(folder.rglob("*.md"))
    dead = [
        f"{path.relative_to(folder)}: {target}"
        for path in paths
        for target in links(path.read_text(encoding="utf-8"))
        if not (path.parent / target).exists()
    ]
    for line in dead:
        print(f"documents: the link leads nowhere: {line}", file=sys.stderr)
    if dead or folder / "README.md" not in paths:
        sys.exit(1)
    print(f"documents: each link of {len(paths)} documents leads somewhere")


if len(sys.argv) == 3 and sys.argv[1] == "--check":
    check(pathlib.Path(sys.argv[2]))
elif len(sys.argv) == 2 and not sys.argv[1].startswith("-"):
    install(pathlib.Path(sys.argv[1]))
else:
    sys.exit(__doc__)
