#!/usr/bin/env python3
"""Tampers with libraries and proofs, and compares the verdicts of mediabatch and of mediabatch-verify.

tamper.py PROGRAM VERIFIER CASES SEED LIBRARY...   each library is as it was written; they are only copied
tamper.py PROGRAM VERIFIER CASES SEED --proofs KEY LIBRARY...   the same with proofs and exports

Each case changes one or two things by random numbers of its own, which SEED and its number give. Both
programs have to say the same: whether all is as it was written, what differs first in the log, and which
published files differ. The verifier may change nothing. Of the words for a difference in a file of the log
one case in twenty may have another, which is printed.
Exit: 0 they agree, 1 they do not; each disagreement is a line, the last line has the number of each kind.
"""
import collections
import hashlib
import json
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

from verifier import Verifier

LOG = ("flip", "flip", "flip", "truncate", "append", "remove", "empty", "swap", "copy", "rename", "link",
       "folder", "pipe", "deep", "line removed", "line doubled", "line moved", "lines swapped", "line added",
       "member changed", "chained anew", "older file", "digit")
FILE = ("flip", "flip", "truncate", "append", "remove", "empty", "swap", "copy", "rename", "link", "folder",
        "pipe")
# Which of these words fits can be a matter of judgment, says the specification.
JUDGED = {"changed", "removed", "added", "moved", "cut", "torn"}
OTHER_WORD = "another word"
ROWS = ("cell", "cell", "row deleted", "row doubled", "sum", "flip", "flip", "truncate", "remove", "table")


def run(*words):
    done = subprocess.run(words, capture_output=True, stdin=subprocess.DEVNULL, timeout=120)
    return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")


def result(program, *words):
    """What a program answers in JSON, be it a path or a verifier that is loaded."""
    code, output, error = program.run(*words) if isinstance(program, Verifier) else run(program, *words)
    try:
        return code, json.loads(output)
    except ValueError:
        return code, {"error": error[-300:]}


def files_of(folder, *patterns):
    return sorted(path for pattern in patterns for path in folder.glob(pattern) if path.is_file())


def state(folder):
    """All that a program could change in a folder."""
    return [
        (str(path), (s := path.lstat()).st_size, s.st_mtime_ns, s.st_ino, s.st_mode)
        for path in sorted(folder.rglob("*"))
    ]


class Tampering:
    """One change of a library."""

    def __init__(self, library, numbers):
        self.library, self.numbers = library, numbers
        self.changes = []

    def make(self):
        kinds = [
            (LOG, files_of(self.library, "Audit/*.ndjson")), (LOG, files_of(self.library, "Audit/*.ndjson")),
            (FILE + ("digit",), files_of(self.library, "Audit/*.head")),
            (FILE, files_of(self.library, "Audit/manifests/*.json")),
            (ROWS, files_of(self.library, "library.sqlite")), (ROWS, files_of(self.library, "library.sqlite")),
            (FILE, files_of(self.library, "Originals/*/*/*")),
            (FILE, files_of(self.library, "Thumbnails/*/*/*")),
            (FILE, files_of(self.library, ".state/digest.key")),
            (ROWS, files_of(self.library, "private.sqlite")),
        ]
        how, files = self.numbers.choice([kind for kind in kinds if kind[1]])
        how, file = self.numbers.choice(how), self.numbers.choice(files)
        self.changes.append(f"{how}: {file.relative_to(self.library)}")
        getattr(self, how.replace(" ", "_"))(file, files)

    # Any file

    def edit(self, file, change):
        data = bytearray(file.read_bytes())
        changed = change(data)
        file.write_bytes(data if changed is None else changed)

    def flip(self, file, files):
        data = bytearray(file.read_bytes())
        if data:
            data[self.numbers.randrange(len(data))] ^= 1 << self.numbers.randrange(8)
            file.write_bytes(data)

    def digit(self, file, files):
        """Another digit or letter, so that the form stays."""
        data = bytearray(file.read_bytes())
        offsets = [offset for offset, byte in enumerate(data) if chr(byte).isalnum()]
        if offsets:
            offset = self.numbers.choice(offsets)
            data[offset] = ord(self.numbers.choice("0123456789" if chr(data[offset]).isdigit() else "abcdef"))
            file.write_bytes(data)

    def truncate(self, file, files):
        self.edit(file, lambda data: data[: self.numbers.randrange(len(data) or 1)])

    def append(self, file, files):
        more = self.numbers.choice([b"\n", b"x", b"{}\n", b'{"a', bytes(300)])
        self.edit(file, lambda data: data + more)

    def empty(self, file, files):
        file.write_bytes(b"")

    def remove(self, file, files):
        file.unlink()

    def swap(self, file, files):
        other = self.numbers.choice(files)
        first, second = file.read_bytes(), other.read_bytes()
        file.write_bytes(second)
        other.write_bytes(first)

    def other_name(self, file):
        name = file.name
        if "-" in name and file.parent.name == "Audit":
            number, _, tail = name.partition("-")
            return self.numbers.choice([
                f"{int(number) + 1:06}-{tail}", f"{number}-0{tail}", f"0{name}", f"000000-{tail}", f"{name}.ndjson",
                f"{number}-{tail.replace('.', '-', 1)}", f"999999-{tail}", "notes.txt", f".{name}",
            ])
        return self.numbers.choice([f"{name} 2.jpg", f"x{name}", name.upper(), f"é{name}", f".{name}"])

    def copy(self, file, files):
        shutil.copyfile(file, file.with_name(self.other_name(file)))

    def rename(self, file, files):
        file.rename(file.with_name(self.other_name(file)))

    def link(self, file, files):
        outside = self.library.parent / "outside"
        file.rename(outside)
        file.symlink_to(outside)

    def folder(self, file, files):
        file.unlink()
        file.mkdir()

    def pipe(self, file, files):
        """Who opens it and waits for somebody who writes waits forever."""
        file.unlink()
        os.mkfifo(file)

    # Lines of a log

    def deep(self, file, files):
        """A line of values in one another, or one that is longer than a record may be."""
        count = self.numbers.choice([100, 100_000, 3_000_000])
        line = self.numbers.choice([b'{"a":' + b"[" * count + b"]" * count + b"}", b" " * count])
        self.lines(file, lambda own, position: own.insert(position, line + b"\n"))

    def lines(self, file, change):
        lines = file.read_bytes().splitlines(keepends=True)
        if lines:
            change(lines, self.numbers.randrange(len(lines)))
            file.write_bytes(b"".join(lines))

    def line_removed(self, file, files):
        self.lines(file, lambda lines, position: lines.pop(position))

    def line_doubled(self, file, files):
        self.lines(file, lambda lines, position: lines.insert(self.numbers.randrange(len(lines) + 1), lines[position]))

    def line_moved(self, file, files):
        self.lines(file, lambda lines, position: lines.insert(self.numbers.randrange(len(lines)), lines.pop(position)))

    def lines_swapped(self, file, files):
        def change(lines, position):
            other = self.numbers.randrange(len(lines))
            lines[position], lines[other] = lines[other], lines[position]

        self.lines(file, change)

    def line_added(self, file, files):
        lines = self.numbers.choice(files).read_bytes().splitlines(keepends=True)
        line = self.numbers.choice([*lines, b"{}\n", b"\n", b"x\n"])
        self.lines(file, lambda own, position: own.insert(self.numbers.randrange(len(own) + 1), line))

    def record_changed(self, line):
        record = json.loads(line)
        name = self.numbers.choice(sorted(record))
        value = record[name]
        if isinstance(value, int):
            record[name] = value + self.numbers.choice([-1, 1])
        elif isinstance(value, str):
            record[name] = value[:-1] + self.numbers.choice("0123456789abcdef")
        else:
            del record[name]
        return text_of(record)

    def member_changed(self, file, files):
        def change(lines, position):
            lines[position] = self.record_changed(lines[position])

        self.lines(file, change)

    def chained_anew(self, file, files):
        """A record is changed, and the chain behind it is made again in this file."""
        def change(lines, position):
            lines[position] = self.record_changed(lines[position])
            for index in range(position + 1, len(lines)):
                record = json.loads(lines[index])
                record["prev"] = hashlib.sha256(lines[index - 1][:-1]).hexdigest()
                lines[index] = text_of(record)

        self.lines(file, change)

    def older_file(self, file, files):
        def change(lines, position):
            del lines[position:]

        self.lines(file, change)

    # Rows of a database

    def sql(self, file, change):
        connection = sqlite3.connect(file)
        try:
            connection.execute("PRAGMA wal_autocheckpoint = 0")
            connection.execute("PRAGMA journal_mode = MEMORY")
            tables = [
                row[0] for row in connection.execute(
                    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND "
                    "name NOT LIKE 'sqlite_%' ORDER BY name"
                ) if connection.execute(f"SELECT count(*) FROM {row[0]}").fetchone()[0]
            ]
            if tables:
                table = self.numbers.choice(tables)
                self.changes.append(table)
                change(connection, table)
            connection.commit()
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.Error as error:
            self.changes.append(str(error))
        finally:
            connection.close()

    def cell(self, file, files):
        def change(connection, table):
            names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            name = self.numbers.choice(names)
            value = self.numbers.choice([0, 1, 2, 3, -1, 2**40, 0.5, "x", b"x", None, "é%41"])
            self.changes.append(f"{name} = {value!r}")
            count = connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            key = connection.execute(
                f"SELECT * FROM {table} LIMIT 1 OFFSET {self.numbers.randrange(count)}"
            ).fetchone()
            where = " AND ".join(f'"{name}" IS ?' for name in names)
            connection.execute(f'UPDATE {table} SET "{name}" = ? WHERE {where}', [value, *key])

        self.sql(file, change)

    def row_deleted(self, file, files):
        def change(connection, table):
            names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            row = connection.execute(f"SELECT * FROM {table} ORDER BY 1 DESC").fetchone()
            where = " AND ".join(f'"{name}" IS ?' for name in names)
            connection.execute(f"DELETE FROM {table} WHERE {where}", row)

        self.sql(file, change)

    def row_doubled(self, file, files):
        def change(connection, table):
            row = list(connection.execute(f"SELECT * FROM {table}").fetchone())
            row[0] = (row[0] + 1000) if isinstance(row[0], int) else f"{row[0]}x"
            connection.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)

        self.sql(file, change)

    def sum(self, file, files):
        self.sql(file, lambda connection, _: connection.execute("UPDATE tableSums SET rowCount = rowCount + 1"))

    def table(self, file, files):
        def change(connection, table):
            connection.execute(self.numbers.choice([
                "CREATE TABLE stranger (a)", f"DROP TABLE {table}", "PRAGMA user_version = 7",
                f"CREATE INDEX strange ON {table}(1)", "CREATE VIEW strange AS SELECT 1",
                "INSERT INTO grdb_migrations VALUES ('99 later')", "DELETE FROM grdb_migrations",
            ]))

        self.sql(file, change)


def text_of(record):
    text = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode() + b"\n"


def compare(program, verifier, library):
    """The differences between the verdicts of both programs, and what the verdict is."""
    before = state(library.parent)
    verify = result(verifier, str(library), "--json")
    log = result(verifier, "log", str(library), "--json")
    differences = [] if state(library.parent) == before else ["the verifier has changed the library"]
    theirs = result(program, "verify", str(library), "--format", "json")
    their_log = result(program, "audit", "verify", str(library), "--format", "json")
    # Each reads of the catalogue what it needs: where a table is lost, the verifier may still know the log's end.
    knows_more = log[0] == 0 and "without the catalogue" in str(their_log[1].get("difference"))
    for name, (code, output) in (("verify", verify), ("log", log)):
        if code not in (0, 65, 76, 78):
            differences.append(f"{name} ends with {code}: {output}")
    for name, own, other in (("verify", verify, theirs), ("log", log, their_log)):
        # 70: the program reads no catalogue in which SQLite meets damage, and so gives no verdict on the log.
        is_judged = name == "verify" or other[0] != 70 and not knows_more
        if (own[0] == 0) != (other[0] == 0) and is_judged:
            differences.append(f"{name}: {own[0]} and not {other[0]}; {own[1].get('findings')}; {short(other[1])}")
    kind = "as it was" if theirs[0] == 0 else "other"
    if "kind" in their_log[1] and "findings" in log[1] and not knows_more:
        own = log[1]["findings"][0] if log[1]["findings"] else {"kind": None, "path": "", "line": None}
        kind = own["kind"] or kind
        if own["kind"] != their_log[1]["kind"]:
            text = f"log: {own} and not {their_log[1]['difference']}"
            if {own["kind"], their_log[1]["kind"]} <= JUDGED:
                kind = OTHER_WORD
                print(text)
            else:
                differences.append(text)
        if "/" in own["path"] and own["path"].removeprefix("Audit/") not in (their_log[1]["difference"] or ""):
            differences.append(f"log: {own['path']} and not {their_log[1]['difference']}")
    if "findings" in theirs[1] and "findings" in verify[1]:
        mine, other = (
            {
                (finding["kind"], finding["path"]) for finding in verdict["findings"]
                if finding["kind"] in ("missing", "changed", "unknown")
                and finding["path"].startswith(("Originals/", "Thumbnails/"))
            }
            for verdict in (verify[1], theirs[1])
        )
        # Where rows of the catalogue are lost, the program compares the files with the log, which names no lost ones;
        # where a row has another path than the index, it reads the index, and the verifier the row.
        problems = str(theirs[1].get("problems"))
        if "compared with the log alone" in problems or "missing from index" in problems:
            mine = {finding for finding in mine if finding[0] == "changed"}
            other &= mine
        if mine != other:
            differences.append(
                f"files: only the verifier {sorted(mine - other)}, only the program {sorted(other - mine)}"
            )
    return differences, kind


def short(verdict):
    names = ("kind", "difference", "problems", "findings", "error")
    return {name: verdict[name] for name in names if verdict.get(name)}


def compare_proofs(program, verifier, folder, key, numbers, library):
    """The same about one proof or export, which is changed before it is checked."""
    size = int(result(program, "audit", "verify", str(library), "--format", "json")[1]["size"])
    what = numbers.choice(["prove", "prove", "export"])
    words = ["--record", str(numbers.randrange(size))] if what == "prove" else []
    kinds = numbers.choice([[], ["paths"], ["labels"], ["hosts"], ["labels", "paths"]])
    redact = ["--redact", ",".join(kinds)] if kinds else []
    code, text, error = run(program, "audit", what, str(library), *words, *redact)
    if code:
        return [f"{what} ends with {code}: {error}"], what
    file = folder / "proof.ndjson"
    file.write_bytes(text)
    if numbers.random() < 0.9:
        tampering = Tampering(folder, numbers)
        how = numbers.choice(["flip", "truncate", "append", "line_removed", "line_doubled", "lines_swapped",
                              "member_changed", "digit", "digit"])
        getattr(tampering, how)(file, [file])
        what += f", {how}"
    head = sorted((library / "Audit").glob("*.head"))[-1]
    trusted = numbers.choice([("--trust", key), ("--head", str(head))])
    theirs = run(program, "audit", "check-proof", str(file), *trusted)
    own = verifier.run("proof", str(file), trusted[1])
    differences = []
    if (own[0] == 0) != (theirs[0] == 0) or own[0] not in (0, 65):
        differences.append(f"{what} with {trusted[0]}: {own[0]} {own[2]} and not {theirs[0]} {theirs[2]}")
    return differences, what.split(",")[0] + (" holds" if own[0] == 0 else " refused")


def main():
    program, path, cases, seed, *libraries = sys.argv[1:]
    verifier = Verifier(path)
    key = None
    if libraries[0] == "--proofs":
        _, key, *libraries = libraries
    kinds, differences = collections.Counter(), 0
    for case in range(int(cases)):
        numbers = random.Random(f"{seed} {case}")
        with tempfile.TemporaryDirectory() as scratch:
            original = pathlib.Path(numbers.choice(libraries))
            if key:
                changes, (texts, kind) = [], compare_proofs(
                    program, verifier, pathlib.Path(scratch), key, numbers, original
                )
            else:
                library = pathlib.Path(scratch) / "Library"
                shutil.copytree(original, library, symlinks=True)
                tampering = Tampering(library, numbers)
                for _ in range(1 if case == 0 or numbers.random() < 0.8 else 2):
                    if case:
                        tampering.make()
                changes = tampering.changes
                texts, kind = compare(program, verifier, library)
        kinds[kind] += 1
        for text in texts:
            differences += 1
            print(f"{original.name}, case {case}, {'; '.join(changes)}: {text}")
    print(f"{cases} cases, {differences} disagreements: {dict(kinds)}")
    return 1 if differences or kinds[OTHER_WORD] * 20 > int(cases) else 0


if __name__ == "__main__":
    sys.exit(main())
