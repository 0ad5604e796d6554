#!/usr/bin/env python3
"""Made the stores of the vectors of answers anew, once, when their tables got the columns `sourceName` and `usageText`.

make-answers.py VECTORS   VECTORS is docs/spec/vectors. Rows and transitions stay as they were; each source has its kind's
word as its name, and no answer has words. Then it adds those with names of sources and with words, good and bad ones, by
the specification alone, and SHA256SUMS has the new digests."""
import hashlib, json, os, shutil, sqlite3, sys

HERE = os.path.dirname(os.path.realpath(__file__))
SWIFT = HERE + "/../../../Sources/Gate/MediaPermissions/AnswerStore/AnswerStore+Schema.swift"
KINDS = ("camera", "library", "microphone")
ANSWERS = ("client", "source", "sourceName", "level", "manifestPath", "status", "reason", "usageTextSHA256", "usageText",
    "folderPath", "folderDevice", "folderInode", "decidedAt", "expiresAt", "isForOneRun", "shownCount")
SELECTIONS = ("client", "source", "sourceName", "level", "manifestPath", "position", "pattern")
CLIENT, MANIFEST, TIME = "org.example.names", b"/home/somebody/names.json", "2026-11-21T01:44:39.123456Z"


def schema():
    """The tables as section 2 of docs/spec/stored-answers.md has them, in the words of a writer."""
    with open(SWIFT) as file: return file.read().split('schema = """\n')[1].split('\n    """')[0]


def canonical(value): return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
def digest(text): return hashlib.sha256(text.encode()).hexdigest()


def write(path, version, answers, selections, transitions):
    if os.path.exists(path): os.remove(path)
    db = sqlite3.connect(path)
    db.executescript(f"PRAGMA application_id = {0x4D42414E}; PRAGMA user_version = {version}; BEGIN; {schema()} COMMIT;")
    for table, columns, rows in (("answers", ANSWERS, answers), ("selections", SELECTIONS, selections), ("transitions", ("seq", "record", "hash"), transitions)):
        for row in rows:
            db.execute(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})", [row[name] for name in columns])
    db.commit()
    db.close()


def remake(path):
    old = sqlite3.connect(f"file:{path}?immutable=1", uri=True)
    old.row_factory = sqlite3.Row
    version = old.execute("PRAGMA user_version").fetchone()[0]
    rows = {table: [{"sourceName": row["source"] if table != "transitions" else None, "usageText": None, **dict(row)} for row in old.execute(f"SELECT * FROM {table}")]
        for table in ("answers", "selections", "transitions")}
    old.close()
    write(path, version, **rows)


def answer(name, status, manifest=MANIFEST, source="library", selection=(), **more):
    """An answer with its selection."""
    made = {"client": CLIENT, "source": source, "sourceName": name or source, "level": "readWrite", "manifestPath": manifest, "status": status,
        "reason": "userSet", "usageTextSHA256": digest("usage"), "usageText": None, "folderPath": b"/home/somebody/" + (name or source).encode(), "folderDevice": 65024,
        "folderInode": 131, "decidedAt": 1795659599, "expiresAt": None, "isForOneRun": 0, "shownCount": 0}
    return made | more, list(selection)


def told(made):
    row, selection = made
    return {"status": row["status"], "reason": row["reason"], "usageTextSHA256": row["usageTextSHA256"], "manifest": row["manifestPath"].decode(),
        "folder": {"path": row["folderPath"].decode(), "device": row["folderDevice"], "inode": row["folderInode"]}, "decidedAt": row["decidedAt"],
        "expiresAt": row["expiresAt"], "forOneRun": False, "selection": {"count": len(selection),
        "sha256": hashlib.sha256(b"".join(one.encode() + b"\0" for one in selection)).hexdigest()} if row["status"] == "limited" else None}


def store(path, made, names=True):
    """A store of answers, each told by one transition; `names` says whether these have the names of sources."""
    transitions, before = [], "0" * 64
    for seq, one in enumerate(made, 1):
        row = one[0]
        record = {"seq": seq, "prev": before, "time": TIME, "event": "transition", "client": row["client"], "source": row["source"], "level": row["level"],
            "manifest": row["manifestPath"].decode(), "from": "notDetermined", "to": row["status"], "cause": "answered", "run": None, "answer": told(one)}
        if names and row["sourceName"] != row["source"]: record["sourceName"] = row["sourceName"]
        text = canonical(record)
        before = digest(text)
        transitions.append({"seq": seq, "record": text, "hash": before})
    selections = [{**row, "position": number, "pattern": pattern} for row, selection in made for number, pattern in enumerate(selection)]
    write(path, 3, [row for row, _ in made], selections, transitions)


def main():
    vectors, names = sys.argv[1], [name for name in os.listdir(sys.argv[1]) if name.startswith("answers-") and "source-name" not in name and "words" not in name]
    for name in names: remake(f"{vectors}/{name}/answers.sqlite")
    three = [answer("Anna's Takeout", "authorized"), answer("Bob \u00e9 \"2\"", "limited", selection=["IMG_*", "album:Summer"]), answer(None, "authorized")]
    both = [answer("Anna's Takeout", "denied"), answer("Bob", "denied"), answer("Card", "authorized", source="camera")]
    folder, words = b"/home/somebody/Summer", "For the summer album of \u00e9."
    client = "import." + hashlib.sha256(b"mediabatch.client/1\0" + b"65024\0" + b"131\0" + folder).hexdigest()[:32]
    said = answer(None, "denied", client=client, folderPath=folder, usageText=words, usageTextSHA256=digest(words))
    other = ({**said[0], "usageText": "For the winter album."}, said[1])
    for name, about, verdict, code, made, has_names in (
        ("good-words", "A denial to a client that is named by its folder, with the words that the person saw.", "good", 0, [said], True),
        ("bad-words", "The words are not those of the digest.", "refused", 78, [other], True),
        ("good-source-names", "Answers about two sources of a kind by their names, and about one without.", "good", 0, three, True),
        ("good-source-names-denied", "A denial is of all sources of its kind: each has a row.", "good", 0, both, True),
        ("bad-source-names-not-told", "The transitions do not say the names that the answers have.", "refused", 78, three, False)):
        folder = f"{vectors}/answers-{name}"
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        store(folder + "/answers.sqlite", made, has_names)
        value = {"schema": "mediabatch.vector/1", "kind": "answers", "about": about, "verdict": verdict, "exitCode": code}
        if not code: value["answers"] = len(made)
        with open(folder + "/expected.json", "w") as file: file.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")
        names.append("answers-" + name)
    lines = [line for line in open(vectors + "/SHA256SUMS") if line[66:].split("/")[0] not in names]
    for name in names:
        for one in sorted(os.listdir(f"{vectors}/{name}")):
            with open(f"{vectors}/{name}/{one}", "rb") as file: lines.append(f"{hashlib.sha256(file.read()).hexdigest()}  {name}/{one}\n")
    with open(vectors + "/SHA256SUMS", "w") as file: file.writelines(sorted(lines, key=lambda line: line[66:]))


if __name__ == "__main__": main()
