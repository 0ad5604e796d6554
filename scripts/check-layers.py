#!/usr/bin/env python3
"""Checks the walls between the modules. Run from the root of the checkout, by check-layers.sh.

Prints one line a mistake, FILE:LINE: what is wrong, and exits 1 if there is any.
"""

import collections
import functools
import glob
import json
import os
import re
import subprocess
import sys

# The folders of Sources, lowest first. A module uses those of its own floor and of lower ones.
FLOORS = ["C", "Foundations", "Formats", "Gate", "Library", "Import", "Sharing"]

# Each C module, and the one module that may import it.
OWNER_OF_C_MODULE = {
    "CExif": "MediaMetadata",
    "CAV": "MediaImaging",
    "CDeflate": "MediaContainers",
    "CGallery": "MediaGallery",
    "CGPhoto": "MediaCameras",
    "CNettle": "MediaDigest",
    "CHEIF": "MediaImaging",
    "CHogweed": "MediaAudit",
    "CJXL": "MediaImaging",
    "CLCMS2": "MediaImaging",
    "CMagickWand": "MediaImaging",
    "CPages": "MediaPages",
    "CRaw": "MediaImaging",
    "CReports": "MediaReports",
    "CSQLite": "MediaLibrary",
    "CTIFF": "MediaImaging",
    "CTurboJPEG": "MediaImaging",
    "CWeb": "MediaWeb",
    "CWebP": "MediaImaging",
    "CZimg": "MediaImaging",
    "CZlib": "MediaContainers",
    "CInProcess": "CommandLine",
    "COldKernel": "sandbox-probe",
    "CSandbox": "MediaSandbox",
    "CFileSystem": "MediaFileSystem",
    "CSHA256": "MediaDigest",
    "CTimestamp": "MediaVerification",
}
DECODERS = {module for module, owner in OWNER_OF_C_MODULE.items() if owner in {"MediaContainers", "MediaImaging", "MediaMetadata"}}
DECODER_LIBRARIES = re.compile(r"lib(Magick|exif|jpeg|turbojpeg|heif|jxl|zimg|webp|tiff|png|de265|dav1d|raw|av(codec|format|util)|lcms2|deflate|gphoto2)")
# A worker starts for each core and again after a crash: Foundation would cost it start-up time,
# and system calls and files that its confinement need not allow.
MODULES_WITHOUT_FOUNDATION = {
    "mediabatch-worker", "MediaWorker", "MediaContainers", "MediaCodecs", "MediaMetadata", "MediaStripping",
    "MediaImaging", "MediaCameras", "MediaConsent", "MediaPages", "MediaPicking", "MediaWatch", "MediaWeb",
    "MediaDigest", "MediaFileSystem", "MediaModel", "MediaSandbox", "MediaSyntax", "MediaVerification",
    "MediaWorkerProtocol",
}

IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+"
    r"(?:(?:struct|class|enum|protocol|typealias|func|let|var)\s+)?(\w+)")
NEVER = [
    (re.compile(r"\btry!"), "try! traps on an error; handle it or throw"),
    (re.compile(r"\bas!"), "as! traps on another type; use as? and handle nil"),
]
NEVER_IN_SOURCES = [
    (re.compile(r"\bfatalError\s*\("), "fatalError( ends the program; throw instead"),
    (re.compile(r"\.value\(\d+\)|\batIndex: \d"), "a row's value is read by the name of its column (QueryRow)"),
    (re.compile(r"\bwithoutActuallyEscaping\b"), "withoutActuallyEscaping puts the length of this file's path into the "
                                                  "program; take an @escaping closure, or return what it is called with"),
]
PROMISE = re.compile(r"@unchecked\s+Sendable|nonisolated\(unsafe\)")

# The files that may ask which kind of source it is: what each kind can do, and what makes a source of it.
# Every other asks SourceLayout or MediaSource what the kind can do.
FILES_OF_SOURCE_KINDS = {
    "Sources/Foundations/MediaModel/Run/SourceLayout.swift", "Sources/Import/MediaSources/SourceAddress.swift",
    # Here `takeout` is a format of sidecars.
    "Sources/Foundations/MediaModel/Media/Sidecar.swift",
}
# A worker knows no sources: there a layout is that of pixels, and a format that of a sidecar.
MODULES_WITHOUT_SOURCES = {
    "MediaCodecs", "MediaContainers", "MediaImaging", "MediaMetadata", "MediaStripping", "MediaWorker",
}
SOURCE_KIND = re.compile(
    r"\.layout\s*[!=]=|\bswitch\s+[\w.]*\blayout\b|\bcase\s[^:]*\.(?:takeout|photosLibrary|iCloudExport|ptp)\b"
    r"|[!=]=\s*\.(?:takeout|photosLibrary|iCloudExport|ptp)\b"
    r"|\b(?:as[?!]?|is)\s+(?:Folder|Takeout|Photos|ICloudExport|Camera)Source\b"
    r"|\bmedia\s*(?:as[?!]?|is)\s")
# Planted branches, each of which the rule has to find, and what it must leave alone.
KIND_BRANCHES = [
    "if source.layout == .takeout { read() }", "guard declaration.layout != .ptp else { return }",
    "switch source.layout {", "case .photosLibrary: open()", "case .folder, .ptp: nil",
    "return layout == .takeout && isSidecar", "if let photos = source.media as? PhotosSource {",
    "if source.media is CameraSource { return }", "where word == .photosLibrary", "case .iCloudExport: nil",
]
NO_KIND_BRANCHES = [
    "if source.media.isFolder {", "options.layout.path(of: asset)", "rules.append(source.media.conditionsWord)",
    "case .camera: \"photos\"", "declaration.layout.isFolder",
]

mistakes = []


def mistake(path, line, text):
    mistakes.append(f"{path}:{line}: {text}" if line else f"{path}: {text}")


def code_lines(text):
    """The lines without what stands in comments and string literals."""
    stripped, in_block, in_text = [], False, False
    for line in text.split("\n"):
        if in_text:
            if line.lstrip().startswith('"""'):
                in_text, line = False, line.split('"""', 1)[1]
            else:
                stripped.append("")
                continue
        if in_block:
            if "*/" not in line:
                stripped.append("")
                continue
            in_block, line = False, line.split("*/", 1)[1]
        # Swift wants the line to end behind the opening quotes. Three in a row elsewhere are a string in another.
        if line.rstrip().endswith('"""') and not line.lstrip().startswith("//"):
            in_text, line = True, line.rstrip().removesuffix('"""')
        line = re.sub(r'"(?!"")(?:[^"\\]|\\.)*"', '""', line)
        line = line.split("//", 1)[0]
        if "/*" in line and "*/" not in line:
            in_block, line = True, line.split("/*", 1)[0]
        stripped.append(line)
    return stripped


def check_swift_files():
    for path in sorted(glob.glob("Sources/**/*.swift", recursive=True)
                       + glob.glob("Tests/**/*.swift", recursive=True)):
        kind, folder, *folders = path.split(os.sep)
        module = folder.removesuffix("Tests")
        # Programs and modules that tests use keep the rules of those that are installed.
        if (kind, folder) in {("Tests", "Programs"), ("Tests", "Support")}:
            kind, module = "Sources", folders[0]
        elif kind == "Sources" and folder in FLOORS:
            module = folders[0]
        with open(path, encoding="utf-8") as file:
            text = file.read()
        written = text.split("\n")
        for number, line in enumerate(code_lines(text), 1):
            if match := IMPORT.match(line):
                check_import(path, number, module, kind, match[1])
            if kind == "Sources" and module.startswith("Media") and SOURCE_KIND.search(line) \
                    and module not in MODULES_WITHOUT_SOURCES and path not in FILES_OF_SOURCE_KINDS:
                mistake(path, number, "a kind of source is asked for; ask SourceLayout or MediaSource what it can do")
            for pattern, why in NEVER + (NEVER_IN_SOURCES if kind == "Sources" else []):
                if pattern.search(line):
                    mistake(path, number, why)
            if PROMISE.search(line) and not comment_above(written, number - 1):
                mistake(path, number, "an unchecked promise needs a comment above that says "
                                      "which lock or immutability makes it true")


def check_kind_rule():
    """The rule about kinds of sources finds each planted branch, and nothing else."""
    for line in KIND_BRANCHES:
        if not SOURCE_KIND.search(line):
            mistake("scripts/check-layers.py", 0, f"the rule about kinds of sources misses: {line}")
    for line in NO_KIND_BRANCHES:
        if SOURCE_KIND.search(line):
            mistake("scripts/check-layers.py", 0, f"the rule about kinds of sources refuses: {line}")


def check_import(path, number, module, kind, imported):
    if re.match(r"C[A-Z]", imported):
        owner = OWNER_OF_C_MODULE.get(imported)
        if owner is None:
            mistake(path, number, f"{imported} is in no list of C modules (check-layers.py)")
        elif module != owner:
            mistake(path, number, f"only {owner} imports {imported}")
    if kind == "Sources" and module in MODULES_WITHOUT_FOUNDATION and imported.startswith("Foundation"):
        mistake(path, number, f"{module} does without {imported}")


def comment_above(lines, index):
    """Whether a comment ends right above, or above the attributes of the declaration."""
    index -= 1
    while index >= 0 and re.match(r"^\s*@\w+", lines[index]):
        index -= 1
    return index >= 0 and lines[index].lstrip().startswith("//")


def check_targets():
    """The coordinator must not reach a decoder, by any path through the targets."""
    dump = subprocess.run(["swift", "package", "dump-package"], capture_output=True, text=True)
    if dump.returncode != 0:
        mistake("Package.swift", 0, f"cannot be read: {dump.stderr.strip()[-400:]}")
        return
    uses, floors = {}, {}
    for target in json.loads(dump.stdout)["targets"]:
        folders = (target.get("path") or f"Sources/{target['name']}").split("/")
        if folders[0] == "Sources":
            floors[target["name"]] = FLOORS.index(folders[1]) if folders[1] in FLOORS else len(FLOORS)
        names = []
        for dependency in target["dependencies"]:
            kind = "byName" if "byName" in dependency else "target"
            if kind in dependency:
                names.append(dependency[kind][0])
        uses[target["name"]] = names
    for name, floor in floors.items():
        for used in uses[name]:
            if floors.get(used, 0) > floor:
                mistake("Package.swift", 0, f"{name} uses {used}, which is on a higher floor; "
                                            "the value goes down, or the process up")
    if "mediabatch" not in uses:
        mistake("Package.swift", 0, "there is no target mediabatch")
        return
    way = {"mediabatch": ["mediabatch"]}
    waiting = ["mediabatch"]
    while waiting:
        name = waiting.pop()
        for used in uses.get(name, []):
            if used not in way:
                way[used] = way[name] + [used]
                waiting.append(used)
    for decoder in sorted(DECODERS & way.keys()):
        mistake("Package.swift", 0, "the coordinator reaches a decoder: " + " → ".join(way[decoder]))


def check_built_programs():
    for path in (".build/release/mediabatch", ".build-deb/release/mediabatch"):
        if not os.path.exists(path):
            continue
        listing = subprocess.run(["ldd", path], capture_output=True, text=True)
        for line in listing.stdout.splitlines():
            if DECODER_LIBRARIES.match(line.strip()):
                mistake(path, 0, f"the coordinator links {line.split()[0]}")


MAXIMUM_CYCLE = 5
MAXIMUM_FLAT_FILES = 15
TYPE = re.compile(
    r"^(?:@\w+(?:\([^)]*\))?\s+)*"
    r"(?:(?:package|public|internal|fileprivate|private|final|indirect|nonisolated)\s+)*"
    r"(struct|enum|class|actor|protocol|typealias|extension)\s+(\w+)", re.M)
# The code of files that make a cycle by an extension.
CYCLE_BY_EXTENSION = ["struct A { var b: B }", "struct B {}", "extension B {\n  func c() -> C { C() }\n}",
                      "struct C { var text: String }\n\nextension C { func a(_ a: A) {} }", "enum D { case c(C) }"]


def uses_of_types(texts):
    """For each type of a module the others that its declaration and its extensions name."""
    owned, parts = set(), collections.defaultdict(list)
    for text in texts:
        declarations = list(TYPE.finditer(text))
        for match, following in zip(declarations, declarations[1:] + [None]):
            parts[match[2]].append(text[match.start():following.start() if following else None])
            if match[1] != "extension":
                owned.add(match[2])
    return {name: owned.intersection(re.findall(r"(?<![\w.])[A-Z]\w*", "\n".join(parts[name]))) - {name}
            for name in parts if name in owned}


def check_modules():
    """No module is too flat, or has a large cycle of types that name each other, each with all of its extensions."""
    if [sorted(cycle) for cycle in cycles(uses_of_types(CYCLE_BY_EXTENSION))] != [["A", "B", "C"]]:
        mistake("scripts/check-layers.py", 0, "the rule about cycles misses an extension")
    for module in sorted(glob.glob("Sources/*/Media*") + glob.glob("Sources/mediabatch*")
                         + glob.glob("Tests/Programs/*") + glob.glob("Tests/Support/*")):
        paths = sorted(glob.glob(f"{module}/**/*.swift", recursive=True))
        texts = []
        for path in paths:
            with open(path, encoding="utf-8") as file:
                texts.append("\n".join(code_lines(file.read())))
        flat = [path for path in paths if os.path.dirname(path) == module]
        if len(flat) > MAXIMUM_FLAT_FILES:
            mistake(module, 0, f"{len(flat)} files beside one another; put them in folders")
        for cycle in cycles(uses_of_types(texts)):
            if len(cycle) > MAXIMUM_CYCLE:
                mistake(module, 0, f"{len(cycle)} types that depend on each other: {', '.join(sorted(cycle))}")


MAXIMUM_FUNCTION_LINES = 60
FUNCTION = re.compile(
    r"^(\s*)(?:@\w+(?:\([^)]*\))?\s+)*"
    r"(?:(?:package|public|internal|fileprivate|private|static|class|final|override|mutating|nonmutating"
    r"|convenience|required|nonisolated|isolated|borrowing|consuming|indirect|prefix|postfix)\s+)*"
    r"(func\s+[^\s(<]+|init(?=[?(<])|subscript(?=[(<])|deinit\b)")
# Functions in the layout of swift-format, each with the lines that the rule has to count.
FUNCTION_LENGTHS = [
    ("func one() -> Int { 1 }\n}", [1]),
    ("init(\n  _ end: (Int) -> Int? = { _ in nil }\n) {\n  use(end)\n}", [5]),
    ("private static func two()\n  -> Int\n{\n  2\n}", [5]),
    ("mutating func requirement(\n  _ value: Int\n) throws(Problem)\nvar next: Int { 0 }\n}", []),
    ("func outer() {\n  func inner() {\n    \"}\"\n  }\n}", [5, 3]),
]


def function_lengths(text):
    """The first line, the name and the number of lines of each function that has a body."""
    lines = code_lines(text)
    for first, line in enumerate(lines):
        if match := FUNCTION.match(line):
            last = last_line(lines, first, match[1])
            if last is not None:
                yield first + 1, match[2], last - first + 1


def last_line(lines, first, indentation):
    """The index of the line on which a function ends; None when it has no body (swift-format's layout)."""
    depth = 0
    for index in range(first, len(lines)):
        line = lines[index].rstrip()
        if index > first and depth == 0 \
                and not re.match(rf"{indentation}(?:\s|[{{]|->|throws\b|async\b|where\b)", line):
            return None
        for character in line:
            if character == "{" and depth == 0:
                if not line.endswith("{"):
                    return index
                end = indentation + "}"
                return next((at for at in range(index + 1, len(lines)) if lines[at].rstrip() == end), None)
            depth += (character in "([{") - (character in ")]}")
    return None


def check_functions():
    """No function is too long to be read in one look."""
    for text, lengths in FUNCTION_LENGTHS:
        if [length for _, _, length in function_lengths(text)] != lengths:
            mistake("scripts/check-layers.py", 0, f"the rule about functions miscounts: {text!r}")
    for path in glob.glob("Sources/**/*.swift", recursive=True):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for number, name, length in function_lengths(text):
            if length > MAXIMUM_FUNCTION_LINES:
                mistake(path, number, f"{name} has {length} lines, at most {MAXIMUM_FUNCTION_LINES}; divide it "
                                      "into functions named after what each decides, or make a table of it")


def cycles(uses):
    """The strongly connected parts of a graph with more than one node (Tarjan, without recursion)."""
    index, low, stack, on_stack, parts = {}, {}, [], set(), []
    for root in uses:
        if root in index:
            continue
        work = [(root, iter(uses[root]))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while work:
            node, following = work[-1]
            for other in following:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(uses[other])))
                    break
                if other in on_stack:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    part = []
                    while True:
                        other = stack.pop()
                        on_stack.discard(other)
                        part.append(other)
                        if other == node:
                            break
                    if len(part) > 1:
                        parts.append(part)
    return parts


def without_fences(path):
    """The lines of a document outside of its fenced blocks, with their numbers."""
    fenced = False
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.lstrip().startswith("```"):
                fenced = not fenced
            elif not fenced:
                yield number, line


@functools.cache
def anchors(path):
    """The anchors that GitHub gives the headings of a document."""
    counts = collections.Counter()
    slugs = set()
    for _, line in without_fences(path):
        if heading := re.match(r"#{1,6} +(.+)", line):
            text = re.sub(r"\]\([^)]*\)", "", heading[1].strip().lower())
            slug = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
            slugs.add(f"{slug}-{counts[slug]}" if counts[slug] else slug)
            counts[slug] += 1
    return slugs


def check_links():
    paths = glob.glob("*.md")
    for folder in ("docs", "Manifests", "Benchmarks", "changes", ".github"):
        paths += glob.glob(f"{folder}/**/*.md", recursive=True)
    for path in sorted(paths):
        # The text of a change will stand in CHANGELOG.md.
        home = "" if os.path.dirname(path) == "changes" else os.path.dirname(path)
        for number, line in without_fences(path):
            for target in re.findall(r"\]\(<?([^)>\s]+)", re.sub(r"`[^`]*`", "", line)):
                if re.match(r"[a-z][a-z0-9+.-]*:", target):
                    continue
                name, _, anchor = target.partition("#")
                file_name = os.path.normpath(os.path.join(home, name)) if name else path
                if not os.path.exists(file_name):
                    mistake(path, number, f"the link leads nowhere: {target}")
                elif anchor and file_name.endswith(".md") and anchor not in anchors(file_name):
                    mistake(path, number, f"the document has no such heading: {target}")


def check_named_tests():
    """Each test that the threat model names exists, so that a test which gets another name is missed there."""
    tests = set()
    for path in glob.glob("Tests/**/*.swift", recursive=True):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        suite, is_test = None, False
        for match in re.finditer(
                r"^(?:\w+ )*(?:struct|class|enum|actor|extension) (\w+)|^\s+(@Test\b)|^\s+func (\w+)\(", text, re.M):
            if match[1]:
                suite = match[1]
            elif match[2]:
                is_test = True
            else:
                if is_test:
                    tests.add(f"{suite}/{match[3]}")
                is_test = False
    path, count, is_table = "docs/threat-model.md", 0, False
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            is_table = line.startswith("| who |") or is_table and line.startswith("|")
            named = re.findall(r"`(\w+Tests/\w+)`", line)
            count += len(named)
            for name in named:
                if name not in tests:
                    mistake(path, number, f"there is no test {name}")
            cells = line.count("|") - 1
            if is_table and cells != 4:
                mistake(path, number, f"a row of {cells} cells, not of 4")
            elif is_table and not named and not re.search(r"\| no test\b|\*\*Root|^\| who|^\|-", line):
                mistake(path, number, "the row names no test, and does not say that there is none")
    if count < 80:
        mistake(path, 0, f"only {count} tests are named; has the table another form?")


check_swift_files()
check_kind_rule()
check_named_tests()
check_targets()
check_modules()
check_functions()
check_built_programs()
check_links()
for line in mistakes:
    print(line)
if mistakes:
    print(f"layers: {len(mistakes)} mistakes")
    sys.exit(1)
print("layers: each module keeps to its walls, the coordinator links no decoder, the links lead somewhere, "
      "the tests that the threat model names exist")
