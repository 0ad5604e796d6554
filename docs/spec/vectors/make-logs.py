#!/usr/bin/env python3
"""Makes the vectors of every event, of torn and empty files, of trust and of merged logs, by the specification alone.

make-logs.py FOLDER   FOLDER takes the vectors; each run makes the same bytes. The verdicts are written here by hand.
Needs openssl, which signs. The private keys follow from this text: they are for these vectors, and nobody's."""
import base64, hashlib, hmac, json, os, shutil, subprocess, sys, tempfile

ZEROS, LIBRARY = "0" * 64, "11111111-2222-4333-8444-555555555555"
ASSET, OTHER = "aaaaaaaa-0000-4000-8000-000000000001", "aaaaaaaa-0000-4000-8000-000000000002"
FOLDER, DATE, TIME = "2026-11-21/014439.123456", "2026-11-21", "014439.123456"
HERE = os.path.dirname(os.path.realpath(__file__))


def sha(data): return hashlib.sha256(data).digest()
def digest(text): return sha(text.encode()).hex()
def canonical(value): return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
def base64_text(data): return base64.b64encode(data).decode()
def ssh_string(data): return len(data).to_bytes(4, "big") + data


# Keys and signed notes

class Key:
    def __init__(self, name):
        self.seed = sha(b"test vectors of mediabatch: " + name.encode())
        with tempfile.NamedTemporaryFile() as file:
            file.write(bytes.fromhex("302e020100300506032b657004220420") + self.seed)
            file.flush()
            words = ["openssl", "pkey", "-inform", "DER", "-in", file.name, "-pubout", "-outform", "DER"]
            self.public = b"\1" + subprocess.run(words, capture_output=True, check=True).stdout[-32:]
        self.mark = sha(b"mediabatch.audit\n" + self.public)[:4]
        self.text = f"mediabatch.audit+{self.mark.hex()}+{base64_text(self.public)}"

        blob = ssh_string(b"ssh-ed25519") + ssh_string(self.public[1:])
        self.blob, self.ssh_line = blob, f"ssh-ed25519 {base64_text(blob)} {name}"
        self.fingerprint = "SHA256:" + base64_text(sha(blob)).rstrip("=")

    def signature(self, data):
        with tempfile.TemporaryDirectory() as folder:
            with open(folder + "/key", "wb") as file: file.write(bytes.fromhex("302e020100300506032b657004220420") + self.seed)
            with open(folder + "/text", "wb") as file: file.write(data)
            words = ["openssl", "pkeyutl", "-sign", "-rawin", "-keyform", "DER", "-inkey", folder + "/key", "-in", folder + "/text"]
            return subprocess.run(words, capture_output=True, check=True).stdout

    def line(self, text):
        """A signature line of a text."""
        return f"\u2014 mediabatch.audit {base64_text(self.mark + self.signature(text.encode()))}\n"

    def ssh_signature(self, data, namespace):
        """What `ssh-keygen -Y sign` makes of bytes."""
        space = ssh_string(namespace.encode()) + ssh_string(b"") + ssh_string(b"sha512")
        signed = self.signature(b"SSHSIG" + space + ssh_string(hashlib.sha512(data).digest()))
        blob = b"SSHSIG\0\0\0\1" + ssh_string(self.blob) + space + ssh_string(ssh_string(b"ssh-ed25519") + ssh_string(signed))
        text = base64_text(blob)
        lines = [text[at : at + 70] for at in range(0, len(text), 70)]
        return "\n".join(["-----BEGIN SSH SIGNATURE-----", *lines, "-----END SSH SIGNATURE-----", ""]).encode()


def rotation(old, new, signers=None):
    text = f"mediabatch key rotation\nold {old.text}\nnew {new.text}\ntime 2026-11-21T01:44:39.123456Z\n"
    return text + "\n" + "".join(key.line(text) for key in signers or (old, new))


# The log

NAMES = ("path", "resolvedPath", "addedPath", "previousPath", "listSHA256", "sourceName", "host", "user")
SALTED = set("run source access outcome unchanged superseded adopted restored quarantined withdrawn relabelled added".split())


def committed(line):
    record = json.loads(line)
    salt = record.pop("salt", None)
    if not isinstance(salt, str) or len(salt) != 32 or not set(salt) <= set("0123456789abcdef"): return line
    def hold(place, key, pointer):
        if isinstance(place, dict) and isinstance(place.get(key), str):
            one = hmac.new(bytes.fromhex(salt), pointer.encode(), "sha256").digest()
            place[key] = {"hmac": hmac.new(one, canonical(place[key]), "sha256").hexdigest()}
    for key in NAMES: hold(record, key, "/" + key)
    hold(record.get("output"), "path", "/output/path")
    for number, one in enumerate(thumbnails_of(record)): hold(one, "path", f"/thumbnails/{number}/path")
    return canonical(record)


def thumbnails_of(record): return record["thumbnails"] if isinstance(record.get("thumbnails"), list) else []


def root(leaves):
    if len(leaves) < 2: return leaves[0] if leaves else sha(b"")
    half = 1
    while half * 2 < len(leaves): half *= 2
    return sha(b"\1" + root(leaves[:half]) + root(leaves[half:]))


class Log:
    def __init__(self):
        self.files, self.leaves, self.head, self.before = {}, [], ZEROS, None

    def empty(self, run, content=b"", head=b""):
        """A run that was stopped before its first record."""
        name = f"{len([name for name in self.files if name.endswith('.ndjson')]) + 1:06}-{run}"
        self.files[name + ".ndjson"] = content
        if head is not None: self.files[name + ".head"] = head
        self.before = name + ".ndjson", 0, len(content)

    def run(self, run, key, records=(), end=True, signed=True, torn=b"", rotations=(), own=None, client="org.example.vectors",
            key_records=(), opening=None, said=None, without=()):
        """A run with its records; `own` is the first name of a file that begins anew. Returns the name of its file."""
        number = len([name for name in self.files if name.endswith(".ndjson")]) + 1
        name, leaves = f"{number:06}-{run}", [] if own else self.leaves
        if own: self.head = ZEROS
        previous = None
        if self.before and not own:
            file, length, rest = self.before
            previous = {"file": file, "head": self.head, "bytes": length, "tornBytes": rest, "size": len(leaves), "root": root(leaves).hex()}
            previous.update(said or {})
            for member in without: del previous[member]
        first = {"event": "run", "schema": "mediabatch.audit/2", "file": (own or name) + ".ndjson", "previous": previous,
            "client": {"identifier": client, "name": "Test vectors"}, "manifestSHA256": digest("manifest"), "tool": "0.2.0",
            "host": "example", "user": "somebody", "enforcement": {"mode": "kernel", "landlockABI": 4, "seccomp": True}}
        first.update(opening or {})
        all = [first]
        if key:
            one = {"event": "key", "key": key.text, "library": LIBRARY}
            all.append(one | ({"rotations": list(rotations)} if rotations else {}))
        all += [*key_records, *records]
        if end: all.append(ended())
        content = b""
        for seq, record in enumerate(all, 1):
            record = {"seq": seq, "prev": self.head, "time": f"2026-11-21T01:44:{seq % 60:02}.123456Z", "run": run, **record}
            if record["event"] in SALTED or "sourceName" in record: record["salt"] = digest(f"{name} {seq}")[:32]
            line = canonical(record)
            self.head, content = sha(line).hex(), content + line + b"\n"
            leaves.append(sha(b"\0" + committed(line)))
        if own: self.leaves += leaves
        self.files[name + ".ndjson"] = content + torn
        self.before = name + ".ndjson", len(content), len(torn)
        if key: self.files[name + ".head"] = note(leaves, self.head, (own or name) + ".ndjson", key) if signed else b""
        self.merge = {"mergedRun": run, "file": name + ".ndjson", "head": self.head, "size": len(leaves), "root": root(leaves).hex()}
        return name

    def copy(self):
        other = Log()
        other.files, other.leaves, other.head, other.before = dict(self.files), list(self.leaves), self.head, self.before
        return other


def note(leaves, head, file, key, library=LIBRARY):
    text = (f"mediabatch.audit/{library}\n{len(leaves)}\n{base64_text(root(leaves))}\nhead {head}\nfile {file}\n"
        "time 2026-11-21T01:45:00.123456Z\n")
    return (text + "\n" + key.line(text)).encode()


def ended(): return {"event": "end", "counts": {"discovered": 1, "imported": 1, "unchanged": 0, "duplicate": 0, "skipped": 0,
    "refused": 0, "unsupported": 0, "failed": 0, "failedBefore": 0}, "degraded": 0, "thumbnails": 1, "exitCode": 0}
def access(path): return {"event": "access", "source": "camera", "path": path, "size": 635, "modified": 1795659599673648741,
    "changed": 1795659599681648741, "device": "65024", "inode": "18446744073709551615", "basis": "authorized"}
def named(record, name):
    """A record of the library's source of a name, None standing for its kind's word."""
    return record | {"source": "library"} | ({} if name is None else {"sourceName": name})
def decision(name, source="library", word="allow"): return named({"event": "decision", "authorizationStatus": "authorized" if word == "allow" else "denied",
    "authorizationStatusValue": 3 if word == "allow" else 2, "accessLevel": "readWrite", "decision": word, "reason": "authorized" if word == "allow" else "denied",
    "row": 12 if word == "allow" else 5, "decidedBy": "manifest", "usageKey": "NSPhotoLibraryUsageDescription", "required": False}, name) | {"source": source}
def listing(name): return named({"event": "source", "path": name or "three", "resolvedPath": f"/home/somebody/{name or 'three'}", "device": "65024",
    "inode": "131", "basis": "authorized"} | ({"timeZone": "Europe/Berlin"} if name else {}), name)
def original(name="red.jpg"): return {"path": f"Originals/{FOLDER}/{name}", "sha256": digest(name), "bytes": 635}
def thumbnail(name): return {"path": f"Thumbnails/{name}/{DATE}/{TIME} red.jpg", "sha256": digest(name), "bytes": 400,
    "name": name, "width": 16, "height": 16}


def every_event():
    """A record of each event but `run`, `key` and `end`, and `rotated`, which came later (log-good-turned-asset), with
    each member that may be there."""
    hmac32, hmac64 = digest("identifier")[:32], digest("source")
    return [
        {"event": "decision", "source": "camera", "authorizationStatus": "authorized", "authorizationStatusValue": 3,
            "accessLevel": "readWrite", "availability": "available", "decision": "allow", "reason": "authorized", "row": 9,
            "decidedBy": "storedAnswer", "basis": "userConsent", "usageKey": "NSCameraUsageDescription",
            "usageTextSHA256": digest("usage"), "usageText": "The vectors have pictures.", "required": True},
        {"event": "decision", "source": "library", "authorizationStatus": "denied", "authorizationStatusValue": 2,
            "accessLevel": "addOnly", "decision": "refuse", "reason": "denied", "row": 4, "photosErrorCode": 3311,
            "usageKey": "NSPhotoLibraryAddUsageDescription", "required": False},
        {"event": "source", "source": "camera", "path": "three %41\u00e9", "resolvedPath": "/home/somebody/three", "device": "65024",
            "inode": "131", "basis": "authorized", "conditions": digest("conditions")[:32], "metadataPolicy": "strip+copyright"},
        {"event": "candidates", "source": "camera", "count": 7, "conditions": digest("conditions")[:32]},
        {"event": "shown", "source": "camera", "count": 4, "answeredAt": "2026-11-20T01:44:39.123456Z"},
        access("red.jpg"), access("/home/somebody/labels.json") | {"sha256": digest("labels")},
        {"event": "outcome", "source": "camera", "path": "red.jpg", "outcome": "imported", "asset": ASSET, "role": "photo",
            "output": original(), "sourceHMAC": hmac64, "metadataPolicy": "strip+copyright",
            "removed": [{"name": "location", "count": 4}, {"name": "GPSLatitude", "count": 1, "class": "location"}],
            "muted": 1, "trailerRemoved": True, "thumbnails": [thumbnail("grid"), thumbnail("large")],
            "contentIdentifierHMAC": hmac32, "burstIdentifierHMAC": hmac32, "degraded": True, "again": True, "recovered": True,
            "olderVersion": OTHER, "replaces": "version", "dateShift": "+01:00:00"},
        {"event": "outcome", "source": "camera", "path": "green.jpg", "outcome": "failed", "reason": "damaged", "step": "decode",
            "format": "jpeg", "damage": "The file ends early."},
        {"event": "outcome", "source": "camera", "path": "red copy.jpg", "outcome": "duplicate", "asset": ASSET,
            "sourceSHA256": digest("red copy.jpg"), "metadataPolicy": "keep"},
        {"event": "unchanged", "source": "camera", "count": 2, "listSHA256": sha(b"a.jpg\0b.jpg\0").hex(), "outcome": "failedBefore",
            "reason": "damaged"},
        {"event": "transition", "source": "library", "accessLevel": "readWrite", "from": "authorized", "to": "denied",
            "reason": "denied", "basis": "userSet", "refusedItems": 3},
        {"event": "superseded", "asset": ASSET, "output": original("older.jpg")},
        {"event": "restored", "asset": ASSET, "output": original(), "fingerprint": "16x16 aspectFill q80"},
        {"event": "adopted", "output": original("forgotten.jpg")},
        {"event": "quarantined", "output": original("changed.jpg"), "folder": "Quarantine/every"},
        {"event": "relabelled", "asset": ASSET, "previousPath": f"Originals/{FOLDER}/red.jpg", "output": original("rot.jpg")},
        {"event": "withdrawn", "asset": OTHER, "output": original("green.jpg"), "folder": "Quarantine/every"},
        {"event": "added", "source": "camera", "path": "blue.jpg", "asset": OTHER, "addedPath": "/home/somebody/photos/blue.jpg",
            "bytes": 635, "sourceSHA256": digest("blue.jpg")},
        {"event": "dated", "source": "camera", "assets": [ASSET, OTHER], "dateShift": "-00:30:00", "read": True},
        {"event": "stacked", "assets": [ASSET, OTHER]},
        {"event": "unstacked", "assets": [OTHER]},
        {"event": "rebuilt", "assets": 2, "resources": 2, "thumbnails": 2, "items": 3,
            "kept": "library.before-rebuild-every.sqlite", "lost": 0},
        {"event": "migrated", "from": "18 source albums", "to": "19 key checks"},
        {"event": "merged", "shard": 1, "attempt": 1, "mergedRun": "shard", "file": "000009-shard.ndjson", "head": digest("head"),
            "size": 9, "root": digest("root"), "planSHA256": digest("plan")},
        {"event": "placed", "asset": ASSET, "previousFolder": FOLDER, "folder": "2026-11-21/014439.123457"},
        {"event": "placed", "asset": OTHER, "duplicateOf": ASSET},
        {"event": "placed", "asset": OTHER, "importedAgain": True},
    ]


OPENING = {"manifestBytes": 8, "labelsSHA256": digest("labels"), "infoPlistSHA256": digest("plist"),
    "policySHA256s": [digest("policy")], "answersHead": digest("answers"), "worker": "0.2.0",
    "thumbnailSpecs": [{"name": "grid", "fingerprint": "16x16 aspectFill q80"}], "albums": {"fromFolders": True},
    "dates": ["fromName", "fromModification", "sidecarFirst"], "timeZones": {"camera": "Europe/Berlin"}, "privateFacts": True,
    "digestKeyCheck": digest("check"), "enforcement": {"mode": "process", "landlockABI": None, "seccomp": False}}


class Maker:
    def __init__(self, target):
        self.target, self.names = target, []
        self.a, self.b, self.c, self.d = map(Key, "ABCD")

    def vector(self, name, about, files, kind="log", **expected):
        folder = f"{self.target}/{name}"
        shutil.rmtree(folder, ignore_errors=True)
        for path, content in files.items():
            os.makedirs(os.path.dirname(f"{folder}/{path}"), exist_ok=True)
            with open(f"{folder}/{path}", "wb") as file: file.write(content)
        value = {"schema": "mediabatch.vector/1", "kind": kind, "about": about, **expected}
        with open(f"{folder}/expected.json", "w") as file: file.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")
        self.names.append(name)

    def log(self, name, about, log, trust="A", heads=(), bad=None, place=None, signature="trusted", signer="A", unsigned=0):
        """A good log, or with `bad` and `place` one that differs."""
        assert name.startswith("log-bad-" if bad else "log-good-")
        trust = getattr(self, trust.lower()).text if trust and not heads else None
        if bad: expected = {"verdict": "refused", "exitCode": 65, "difference": bad, "place": place}
        else: expected = {"verdict": "good", "exitCode": 0, "records": len(log.leaves), "head": log.head, "root": root(log.leaves).hex(),
            "signature": signature, "signer": signer and "+".join(getattr(self, signer.lower()).text.split("+")[:2]), "unsignedRecords": unsigned}
        self.vector(name, about, {"Audit/" + path: content for path, content in log.files.items()}, trust=trust, heads=list(heads), **expected)

    def make(self):
        self.events()
        self.signed()
        self.sources()
        self.torn()
        self.heads()
        self.trust()
        self.rotations()
        self.merged()
        self.timestamp()
        self.joins()
        self.documents()
        lines = [line for line in open(f"{HERE}/SHA256SUMS") if line[66:].split("/")[0] not in self.names]
        for name in self.names:
            for folder, _, files in os.walk(f"{self.target}/{name}"):
                for one in files:
                    path = os.path.relpath(f"{folder}/{one}", self.target)
                    lines.append(f"{hashlib.sha256(open(f'{folder}/{one}', 'rb').read()).hexdigest()}  {path}\n")
        with open(f"{self.target}/SHA256SUMS", "w") as file: file.writelines(sorted(lines, key=lambda line: line[66:]))

    # Every event

    def events(self):
        log = Log()
        log.run("every", self.a, every_event(), opening=OPENING)
        log.run("after", self.a, [{"event": "end", "counts": {}, "degraded": 0, "thumbnails": 0, "exitCode": 0,
            "catalogue": {"schema": "19 key checks", "sha256": digest("catalogue")}}], end=False)
        self.log("log-good-every-event", "A run with a record of each event and with each member, and a second run.", log)
        lines = [json.loads(line) for name in sorted(log.files) if name.endswith(".ndjson") for line in log.files[name].splitlines()]
        signed = log.files["000002-after.head"].decode()
        for kinds in (["hosts", "labels", "paths"], []):
            self.export(lines, signed, kinds)
        log = Log()
        odd = [{"event": "decision", "path": "x", "host": "y"}, {"event": "access", "path": 7, "resolvedPath": None, "user": {"hmac": "x"}},
            {"event": "outcome", "output": "Originals/x", "thumbnails": {"0": {"path": "x"}}, "path": ["x"]},
            {"event": "outcome", "output": {"path": {"path": "x"}}, "thumbnails": ["x", {"path": "Thumbnails/x"}, {"path": 1}, None]},
            {"event": "shown", "salt": "0123456789ABCDEF0123456789abcdef", "path": "x"}, {"event": "shown", "salt": 7, "host": "y"},
            {"event": "shown", "salt": "00" * 16, "attached": "no name", "path": "a name in a record that has a salt of its own accord"}]
        log.run("odd", self.a, odd)
        self.log("log-good-odd-names", "Names stand in records of any event, and at the places of names stand values that are none; "
            "a salt of another form is none.", log)
        log = Log()
        made = {member: value for member, value in thumbnail("grid").items() if member != "name"}
        log.run("turned", self.a, [{"event": "rotated", "asset": ASSET, "rotation": 90},
            {"event": "restored", "asset": ASSET, "output": made, "fingerprint": "16x16 aspectFill q80"},
            {"event": "rotated", "asset": ASSET, "rotation": 0}])
        self.log("log-good-turned-asset", "A person turned an asset, and turned it back.", log)
        log = Log()
        log.run("first", self.a, [access("red.jpg") | {"time": None}, access("green.jpg") | {"time": "yesterday"}, access("blue.jpg") | {"time": 7}])
        self.log("log-good-no-time", "The times of records are null, another text and a number: nothing depends on them.", log)
        log = Log()
        log.run("first", self.a)
        log.run("second", self.a, without=("size", "root"))
        self.log("log-bad-previous-without-tree", "In the `previous` of version 2 there are no `size` and no `root`.", log, bad="changed", place="000002-second.ndjson, line 1")

    def signed(self):
        """Manifests that are signed (9.1): the log is good in each, and `signatures` says whether the signature holds."""
        manifest, far = b'{"version":1}\n', 'valid-after="20260101Z",valid-before="20270101Z"'
        sha256 = sha(manifest).hex()
        def vector(suffix, about, holds=False, options=far, signed=manifest, namespace="mediabatch", said=None, decided=None):
            signature = {"signedBy": "zoe@example.org", "allowedSignersLine": 2, "fingerprint": self.a.fingerprint, "sha256": sha256,
                "verifiedAt": "2026-11-21T01:44:38Z", "serial": 3, "signedAt": "2026-11-20T01:44:38Z"} | (said or {})
            log = Log()
            log.run("signed", self.a, [decision(None) | {"signature": signature | (decided or {})}],
                opening={"manifestSHA256": sha256, "manifestBytes": len(manifest), "signature": signature})
            log.files[f"manifests/{sha256}.json"] = manifest
            files = {"Audit/" + path: content for path, content in log.files.items()}
            files["manifest.json.sig"] = self.a.ssh_signature(signed, namespace)
            files["allowed_signers"] = f"# Who may sign\n*@example.org {options} {self.a.ssh_line}\n".encode()
            self.vector("log-good-signed-manifest" + suffix, about, files, verdict="good", exitCode=0, trust=self.a.text, heads=[],
                records=len(log.leaves), head=log.head, root=root(log.leaves).hex(), signature="trusted",
                signer="+".join(self.a.text.split("+")[:2]), unsignedRecords=0, signatures={"holds": holds})
        vector("", "A run and its decision have the signature of its manifest, which holds.", holds=True)
        vector("-no-options", "The line of the allowed signers has no options.", holds=True, options="")
        vector("-expired", "The signer's line was not valid any more.", options='valid-before="20261120Z"')
        vector("-not-yet", "The signer's line was not valid yet.", options='valid-after="202611210145Z"')
        vector("-other-namespaces", "The signer's line is for another namespace.", options='namespaces="git"')
        vector("-of-another-manifest", "The signature is of other bytes.", signed=manifest + b"\n")
        vector("-in-another-namespace", "The signature is in another namespace.", namespace="git")
        vector("-of-another-principal", "The line's principals are others.", said={"signedBy": "zoe@example.com"})
        vector("-in-another-line", "The line is a comment.", said={"allowedSignersLine": 1})
        vector("-by-another-key", "The record has the fingerprint of another key.", said={"fingerprint": self.b.fingerprint})
        vector("-decided-by-another", "The decision has another signer than the first record.", decided={"signedBy": "eve@example.org"})

    def sources(self):
        """Two sources of a kind, by their names (2.4)."""
        log = Log()
        log.run("both", self.a, [decision("Anna's Takeout"), decision("Bob \u00e9 \"2\""), decision(None), decision("Card", "camera"),
            decision("Card 2", "camera", "refuse")] + [record for name in ("Anna's Takeout", "Bob \u00e9 \"2\"", None)
            for record in (listing(name), named(access("red.jpg"), name), named({"event": "outcome", "path": "red.jpg", "outcome": "duplicate",
            "asset": ASSET, "sourceSHA256": digest("red.jpg")}, name))])
        # A run without that source says how what another one published has ended.
        log.run("later", self.a, [decision(None), named({"event": "outcome", "path": "blue.jpg", "outcome": "imported", "recovered": True}, "Anna's Takeout"),
            named({"event": "unchanged", "count": 1, "listSHA256": sha(b"red.jpg\0").hex()}, "Anna's Takeout")])
        self.log("log-good-source-names", "Two sources of a kind have names, and a third has none.", log)
        lines = [json.loads(line) for name in sorted(log.files) if name.endswith(".ndjson") for line in log.files[name].splitlines()]
        self.export(lines, log.files["000002-later.head"].decode(), ["paths"], "source-names")
        def bad(suffix, about, records, line):
            log = Log()
            log.run("first", self.a, records)
            self.log(f"log-bad-source-name-{suffix}", about, log, bad="changed", place=f"000001-first.ndjson, line {line}")
        decided = decision("Anna's Takeout")
        bad("of-another-kind", "A source's name is the word of another kind.", [decision(None), decision("camera")], 4)
        bad("of-its-kind", "A source's name is the word of its kind, of which the log has none.", [decision(None), decision("library")], 4)
        bad("empty", "A source's name is empty.", [decision("")], 3)
        bad("no-text", "A source's name is no text.", [decision(7)], 3)
        bad("without-source", "A record names a source and says no kind.", [{"event": "stacked", "assets": [ASSET], "sourceName": "Anna's Takeout"}], 3)
        bad("never-decided", "A file is opened of a source about which the run decided nothing; it allowed another of its kind.",
            [decided, named(access("red.jpg"), "Anna's Takeout"), named(access("red.jpg"), "Bob")], 5)
        bad("refused", "A file is opened of a source that the run refused.", [decision("Bob", word="refuse"), named(access("red.jpg"), "Bob")], 4)
        bad("decided-of-another-kind", "A file is opened of a source whose name a decision gives to one of another kind.",
            [decision("Bob", "camera"), named(access("red.jpg"), "Bob")], 4)
        bad("decided-later", "A file is opened in front of the decision about its source.", [named(access("red.jpg"), "Bob"), decision("Bob")], 3)
        log = Log()
        log.run("first", self.a, [decided])
        log.run("second", self.a, [named(access("red.jpg"), "Anna's Takeout")])
        self.log("log-bad-source-name-decided-by-another-run", "A file is opened of a source that only the run before allowed.", log, bad="changed",
            place="000002-second.ndjson, line 3")

    def export(self, records, signed, kinds, of="every-event"):
        kind_of = lambda pointer: "hosts" if pointer in ("/host", "/user") else "labels" if pointer in (
            "/output/path", "/previousPath") or pointer.startswith("/thumbnails/") else "paths"
        lines, hidden = [{"schema": "mediabatch.auditExport/1", "head": signed, "redacted": kinds}], 0
        for index, record in enumerate(records):
            form, openings = json.loads(committed(canonical(record))), {}
            places = [("/" + name, record, name) for name in NAMES if isinstance(record.get(name), str)]
            if "output" in record: places.append(("/output/path", record["output"], "path"))
            places += [(f"/thumbnails/{number}/path", one, "path") for number, one in enumerate(thumbnails_of(record))]
            for pointer, place, name in places if "salt" in record else []:
                if kind_of(pointer) in kinds: hidden += 1
                else: openings[pointer] = {"key": hmac.new(bytes.fromhex(record["salt"]), pointer.encode(), "sha256").hexdigest(), "value": place[name]}
            lines.append({"index": index, "record": form, "openings": openings})
        name = f"export-good-{of}" + ("-redacted" if kinds else "")
        about = f"The log of {of.replace('-', ' ')}, exported" + (" with all names held back." if len(kinds) > 1 else
            " with paths and the names of sources held back." if kinds else ".")
        leaves = [sha(b"\0" + committed(canonical(record))) for record in records]
        self.vector(name, about, {"document.ndjson": b"".join(canonical(line) + b"\n" for line in lines)}, kind="export", trust=self.a.text,
            head=None, verdict="good", exitCode=0, size=len(records), root=root(leaves).hex(), numberProved=True, hiddenNames=hidden, withheld=0)

    # Files that are cut

    def torn(self):
        start = Log()
        start.run("first", self.a, [access("red.jpg")])
        size = len(start.leaves)
        def stopped(torn=b"", records=1):
            log = start.copy()
            log.run("second", self.a, [access("green.jpg")][:records], end=False, signed=False, torn=torn)
            return log
        line = canonical(access("blue.jpg") | {"seq": 4, "prev": "ab" * 32, "run": "second", "time": "2026-11-21T01:44:39.123456Z"})
        for name, about, torn in (
            ("first-byte", "The first byte of a record", line[:1]), ("in-a-name", "A record up to the middle of a member's name", line[:12]),
            ("in-a-text", "A record up to the middle of a text", line[:60]), ("last-byte-missing", "A record without its last byte", line[:-1]),
            ("newline-missing", "A whole record without its newline", line), ("zeros", "Zero bytes, as a file system may leave them,", bytes(512)),
            ("half-a-character", "A record up to the first byte of a character of two", b'{"basis":"' + "\u00e9".encode()[:1])):
            log = stopped(torn)
            unsigned = len(log.leaves) - size
            self.log(f"log-good-torn-{name}", f"{about} without a newline behind it: torn bytes at the end of a stopped run.", log,
                signature="trustedInPart", unsigned=unsigned)
        log = stopped()
        self.log("log-good-stopped-between-records", "The second run was stopped behind a whole record.", log, signature="trustedInPart", unsigned=3)
        log = stopped(records=0)
        self.log("log-good-stopped-behind-the-key", "The second run was stopped behind its `key` record.", log, signature="trustedInPart", unsigned=2)
        for name, about, bytes_behind in (("newline", "An empty line", b"\n"), ("no-record", "A line that is no JSON", b"{\"basis\":\n"),
            ("zeros-and-newline", "Zero bytes with a newline", bytes(20) + b"\n"), ("carriage-return", "A record with 0x0D in front of its 0x0A", line + b"\r\n")):
            self.log(f"log-bad-last-line-{name}", f"{about} stands at the end of a stopped run: with a newline it is a record, and none of this run.",
                stopped(bytes_behind), bad="changed", place="000002-second.ndjson, line 4")
        # The same in front of a run that continues the log.
        def continued(torn, said=None, change=None):
            log = stopped(torn)
            log.run("third", self.a, [access("blue.jpg")], said=said)
            if change is not None: log.files["000002-second.ndjson"] = change(log.files["000002-second.ndjson"])
            return log
        torn = line[:60]
        self.log("log-good-torn-continued", "A third run has found the torn bytes of the second, and states their number.", continued(torn))
        self.log("log-good-torn-newline-missing-continued", "The same; the torn bytes are a whole record without its newline, and no record.", continued(line))
        for name, about, change, bad, place in (
            ("one-byte-less", "One of the torn bytes that the third run has found is gone.", lambda data: data[:-1], "cut", "000002-second.ndjson, line 4"),
            ("all-less", "The torn bytes that the third run has found are gone.", lambda data: data[:-60], "cut", "000002-second.ndjson, line 4"),
            ("one-byte-more", "There is one torn byte more than the third run has found.", lambda data: data + b"x", "added", "000002-second.ndjson, line 4"),
            ("newline-added", "A newline was added behind the torn bytes that the third run has found.", lambda data: data + b"\n", "added", "000002-second.ndjson, line 4"),
            ("newline-in-place-of-a-byte", "The last of the torn bytes that the third run has found is a newline; their number is as before.",
             lambda data: data[:-1] + b"\n", "added", "000002-second.ndjson, line 4"),
            ("newline-cut", "The torn bytes are gone, and the newline of the last record with them.", lambda data: data[:-61], "torn", "000002-second.ndjson, line 3")):
            self.log(f"log-bad-torn-{name}", about, continued(torn, change=change), bad=bad, place=place)
        # Empty files.
        log = start.copy()
        log.empty("second")
        self.log("log-good-empty-file", "The second run was stopped before its first record: both its files are empty.", log)
        log.run("third", self.a)
        self.log("log-good-empty-file-continued", "The same, and a third run continues the log: `previous` names the empty file, with 0 bytes.", log)
        log = start.copy()
        log.empty("second", content=b'{"client":{"identif')
        log.run("third", self.a)
        self.log("log-good-torn-first-record-continued", "The second run's file has a part of its first record; the third names it with 0 bytes and 19 torn ones.", log)
        log = Log()
        log.empty("first")
        log.run("second", self.a)
        log.files = dict(log.files)
        self.log("log-bad-first-file-empty-and-first-record-alone", "The first file is empty, and the second has the first record of a log, without `previous`.",
            self.without_previous(), bad="changed", place="000002-second.ndjson, line 1")
        self.log("log-good-first-file-empty", "The first run was stopped before its first record; the second continues: `head` is 64 zeros, `size` 0, "
            "`root` the hash of no bytes.", log)
        log = Log()
        log.empty("first")
        self.log("log-good-no-record", "The one file of the log is empty; the kept head is that of no record.", log, heads=["0:" + sha(b"").hex()],
            signature="unsigned", signer=None)
        self.log("log-bad-no-record", "The same, and a key is trusted: no run has ended.", log, bad="missing", place="The log")
        log = start.copy()
        log.files["000001-first.ndjson"] = b""
        self.log("log-bad-emptied-file", "The file of a run that signed its head is empty.", log, bad="changed", place="000001-first.head")

    def without_previous(self):
        log = Log()
        log.run("first", self.a)
        content = log.files["000001-first.ndjson"]
        other = Log()
        other.empty("first")
        other.files["000002-second.ndjson"] = b""
        record = json.loads(content.splitlines()[0])
        record |= {"run": "second", "file": "000002-second.ndjson"}
        other.files["000002-second.ndjson"] = canonical(record) + b"\n"
        return other

    # Signed heads

    def heads(self):
        log = Log()
        log.run("first", self.a, [access("red.jpg")])
        log.run("second", self.a, [access("green.jpg")])
        name, content = "000002-second.head", log.files["000002-second.head"]
        gap = content.index(b"\n\n")
        def changed(suffix, about, data, bad="changed", place=name):
            other = log.copy()
            other.files[name] = data
            self.log(f"log-bad-head-{suffix}", about, other, bad=bad, place=place)
        for suffix, about, data in (("newline", "The last head is one newline, which is not empty.", b"\n"),
            ("torn-in-the-text", "The last head ends in the fourth line.", content[:130]),
            ("torn-behind-the-text", "The last head ends behind its text, in front of the empty line.", content[:gap + 1]),
            ("torn-in-the-signature", "The last head ends in its signature.", content[:-20]),
            ("torn-newline", "The last head has lost its last newline.", content[:-1]),
            ("unsigned", "The last head has no signature line.", content[:gap + 2]),
            ("carriage-returns", "The lines of the last head end in 0x0D 0x0A.", content.replace(b"\n", b"\r\n")),
            ("long", "The last head has more than 65,536 bytes: its signature line stands there 700 times.", content + content[gap + 2:] * 699),
            ("no-utf-8", "The last head has a byte behind its signature that is no UTF-8.", content + b"\xff\n"),
            ("leading-zero", "The size in the last head has a zero in front; the signature is of that text.", self.renoted(content, b"\n8\n", b"\n08\n")),
            ("seventh-line", "The text of the last head has a seventh line; the signature is of that text.", self.renoted(content, b"456Z\n\n", b"456Z\nmore\n\n"))):
            changed(suffix, about, data)
        other = log.copy()
        other.files[name] = b""
        self.log("log-bad-head-empty", "The last run has its `end` and an empty head, as one has that was stopped before it signed; a key is trusted.", other,
            bad="missing", place=name)
        heads = [f"{len(log.leaves)}:{root(log.leaves).hex()}"]
        self.log("log-good-head-empty", "The same, with a kept head.", other, heads=heads, signature="signed", unsigned=4)
        other = log.copy()
        del other.files[name]
        self.log("log-good-head-missing", "The last head is gone; without a catalogue nothing but a trusted key tells, and a head was kept.", other, heads=heads,
            signature="signed", unsigned=4)
        other = log.copy()
        other.empty("third", head=content)
        self.log("log-bad-head-without-records", "Beside a file without a record stands the head of another run.", other, bad="changed", place="000003-third.head")
        other = log.copy()
        other.files["000003-third.head"] = b""
        self.log("log-bad-head-without-file", "An empty head stands without a file of records.", other, bad="added", place="000003-third.head")

    def renoted(self, content, old, new):
        text = content.replace(old, new)
        text = text[:text.index(b"\n\n") + 1].decode()
        return (text + "\n" + self.a.line(text)).encode()

    # Trust

    def trust(self):
        log = Log()
        log.run("first", None)
        log.run("second", self.a)
        self.log("log-good-trust-after-an-unsigned-run", "The first run is not signed; the head of the second covers it.", log)
        log.run("third", None)
        self.log("log-bad-trust-last-run-unsigned", "The last run that came to its end is not signed.", log, bad="missing", place="000003-third.head")
        log = Log()
        log.run("first", self.a)
        log.run("second", None, [access("red.jpg")], end=False)
        self.log("log-good-trust-stopped-unsigned-run", "A run that was stopped and is not signed stands behind the newest head.", log,
            signature="trustedInPart", unsigned=2)
        log = Log()
        log.run("first", self.a, end=False)
        self.log("log-bad-trust-no-run-ended", "The one run has a good head and no `end`.", log, bad="missing", place="The log")
        log = Log()
        log.run("first", self.b)
        log.run("second", self.a)
        self.log("log-bad-trust-earlier-head-by-another", "The last head is by the trusted key, an earlier one by a key that no rotation joins with it.", log,
            bad="changed", place="000001-first.head")
        log = Log()
        log.run("first", self.b, key_records=[{"event": "key", "key": self.a.text, "library": LIBRARY}])
        log.files["000001-first.head"] = note(log.leaves, log.head, "000001-first.ndjson", self.a)
        self.log("log-good-two-key-records", "A run has two `key` records: the last counts.", log)
        log = Log()
        log.run("first", self.a, key_records=[{"event": "key", "key": self.a.text + "A", "library": LIBRARY}])
        self.log("log-bad-key-record-damaged", "The last `key` record has a text that is no key, so the run names none.", log, bad="changed", place="000001-first.head")
        log = Log()
        log.run("first", self.a)
        log.files["000001-first.head"] = note(log.leaves, log.head, "000001-first.ndjson", self.a, library=OTHER)
        self.log("log-bad-head-of-another-library", "The head names another library than the `key` record.", log, bad="changed", place="000001-first.head")

    # Rotations

    def rotations(self):
        a, b, c, d = self.a, self.b, self.c, self.d
        ab, bc, cd, ba, ac = rotation(a, b), rotation(b, c), rotation(c, d), rotation(b, a), rotation(a, c)
        log = Log()
        log.run("first", a)
        log.run("second", b, rotations=[ab])
        log.run("third", c, rotations=[ab, bc])
        for trust, which in (("A", "first"), ("B", "second"), ("C", "third")):
            self.log(f"log-good-rotation-chain-{which}", f"Three runs, each signed by the next key of a chain; the {which} is trusted.", log, trust=trust, signer="C")
        log = Log()
        log.run("first", a)
        log.run("second", c, rotations=[ab, bc])
        self.log("log-good-rotation-key-skipped", "The key was rotated twice between two runs; the one in the middle has signed no head, and is trusted.", log, trust="B", signer="C")
        log = Log()
        log.run("first", a)
        log.run("second", c, rotations=[bc])
        self.log("log-bad-rotation-missing", "The rotation from the first to the second key is in no record.", log, bad="changed", place="000002-second.head")
        log = Log()
        log.run("first", a)
        log.run("second", d, rotations=[ab, cd])
        self.log("log-bad-rotation-gap", "The rotations of a record do not join: the second key has no rotation to the third.", log, bad="changed", place="000002-second.head")
        for name, about, notes in (("one-signature", "A rotation is signed by the old key alone.", [rotation(a, b, [a])]),
            ("new-key-alone", "A rotation is signed by the new key alone.", [rotation(a, b, [b])]),
            ("to-another-key", "The last rotation leads to another key than that of the record.", [ab, bc]), ("no-note", "A rotation is no signed note.", ["x"]),
            ("no-text", "A rotation is no text.", [7])):
            log = Log()
            log.run("first", a)
            log.run("second", b, rotations=notes)
            self.log(f"log-bad-rotation-{name}", about + " The record names no key then, and its head is by none.", log, bad="changed", place="000002-second.head")
        log = Log()
        log.run("first", None, key_records=[{"event": "key", "key": a.text, "library": LIBRARY, "rotations": {}}])
        log.files["000001-first.head"] = note(log.leaves, log.head, "000001-first.ndjson", a)
        self.log("log-bad-rotation-no-list", "`rotations` is no list. The record names no key then.", log, bad="changed", place="000001-first.head")
        log = Log()
        log.run("first", b, rotations=[ab])
        log.run("second", c, rotations=[ac])
        self.log("log-bad-rotation-fork", "Two keys follow the first: only the one whose rotation stands first is its follower.", log, bad="changed", place="000002-second.head")
        log = Log()
        log.run("first", a)
        log.run("second", b, rotations=[ab])
        log.run("third", a, rotations=[ab, ba])
        self.log("log-bad-rotation-back", "The second key was rotated back to the first, which is the older one for good.", log, bad="changed", place="000003-third.head")
        log = Log()
        log.run("first", a)
        log.run("second", b, rotations=[ab])
        log.files["000002-second.head"] = b""
        log.run("third", b, rotations=[ab])
        self.log("log-good-rotation-in-a-later-record", "The first record with the rotation has an empty head; a later one states it again.", log, signer="B")
        log = Log()
        log.run("first", b, rotations=[ab])
        self.log("log-good-rotation-before-the-log", "The key was rotated before the library was made; the old one is trusted and has signed nothing here.", log, signer="B")
        log = Log()
        log.run("first", a, records=[])
        log.run("second", b, rotations=[ab], end=False)
        log.files["000002-second.head"] = b""
        self.log("log-good-rotation-stopped", "The run behind the rotation was stopped; the new key is trusted by nobody, the old one covers the first run.", log,
            signature="trustedInPart", unsigned=2)
        self.log("log-bad-rotation-stopped", "The same, and the new key is trusted: no head is by it or by a later one.", log, trust="B", bad="changed", place="000001-first.head")

    # Merged logs

    def merged(self):
        def parts(plans=1):
            log, merges = Log(), []
            for number in range(plans - 1):
                log.empty(f"plan{number}")
            log.run("plan", self.a)
            merges.append(log.merge | {"shard": 0, "attempt": 0})
            for shard in (1, 2):
                log.run(f"shard{shard}", self.a, [access(f"{shard}.jpg")], own=f"000001-shard{shard}")
                merges.append(log.merge | {"shard": shard, "attempt": 1})
            return log, [{"event": "merged", "planSHA256": digest("plan"), **one} for one in merges]
        def merge(log, merges, client="mediabatch.merge"):
            log.run("merge", self.a, merges, client=client)
            return log
        log, merges = parts()
        self.log("log-good-merged-by-hand", "A merge of a plan and two shards, each with its `merged` record.", merge(log, merges))
        log, merges = parts(2)
        self.log("log-good-merged-empty-file", "The planning was stopped before its first record and begun again: a file without a record has no `merged` record.",
            merge(log, merges))
        log, merges = parts()
        self.log("log-bad-merged-no-merge", "The logs of two shards stand behind that of a plan, and no merge has taken them over.", log, bad="added", place="000001-plan.ndjson")
        for name, about, change, bad, place in (
            ("record-missing", "The `merged` record of the last shard is not there.", lambda all: all[:-1], "added", "000003-shard2.ndjson"),
            ("records-swapped", "The `merged` records of the two shards stand in the other order.", lambda all: [all[0], all[2], all[1]], "changed", "000002-shard1.ndjson"),
            ("plan-missing", "The `merged` record of the plan is not there.", lambda all: all[1:], "changed", "000001-plan.ndjson"),
            ("other-head", "The head in a `merged` record is another.", lambda all: [*all[:2], all[2] | {"head": "ab" * 32}], "changed", "000003-shard2.ndjson"),
            ("other-root", "The root in a `merged` record is another.", lambda all: [*all[:2], all[2] | {"root": "ab" * 32}], "changed", "000003-shard2.ndjson"),
            ("other-size", "The size in a `merged` record is another.", lambda all: [*all[:2], all[2] | {"size": 3}], "changed", "000003-shard2.ndjson"),
            ("other-file", "The name in a `merged` record is another.", lambda all: [*all[:2], all[2] | {"file": "000003-shard3.ndjson"}], "changed", "000003-shard2.ndjson"),
            ("other-run", "The run in a `merged` record is another.", lambda all: [*all[:2], all[2] | {"mergedRun": "shard3"}], "changed", "000003-shard2.ndjson")):
            log, merges = parts()
            self.log(f"log-bad-merged-{name}", about, merge(log, change(merges)), bad=bad, place=place)
        log, merges = parts()
        self.log("log-bad-merged-by-another-command", "The `merged` records are those of a run whose client is not the merge's.", merge(log, merges, "org.example.vectors"),
            bad="added", place="000001-plan.ndjson")
        log, merges = parts()
        merge(log, merges).run("foreign", self.a, own="000001-foreign")
        self.log("log-bad-merged-foreign-log", "Behind the merge stands a log that begins anew, which no merge has taken over.", log, bad="added", place="000004-merge.ndjson")
        log, merges = parts()
        merge(log, merges).run("later", self.a)
        self.log("log-good-merged-continued", "A run continues the merged log.", log)

    # A timestamp

    def timestamp(self):
        folder, files = f"{HERE}/log-good-timestamp", {}
        for name in sorted(os.listdir(folder + "/Audit")):
            with open(f"{folder}/Audit/{name}", "rb") as file: files["Audit/" + name] = file.read()
        with open(folder + "/authority.pem", "rb") as file: files["authority.pem"] = file.read()
        expected = json.load(open(folder + "/expected.json"))
        stamp, = [name for name in files if name.endswith(".tsr")]
        status = files[stamp].index(b"\2\1\0") + 2
        for name, value, about in (("with-modifications", 1, "granted with modifications"), ("rejection", 2, "a rejection")):
            data = bytearray(files[stamp])
            data[status] = value
            self.vector(f"log-bad-timestamp-{name}", f"The status of the timestamp is {value}, {about}; all else is that of log-good-timestamp.",
                files | {stamp: bytes(data)}, trust=expected["trust"], heads=expected["heads"], exitCode=65, authority="authority.pem",
                verdict="refused", difference="changed", place=stamp.removeprefix("Audit/"))
            if name == "rejection":
                files.pop(stamp.replace(".tsr", ".head"))
                self.vector("log-bad-timestamp-without-head", "The head that the timestamp is about is gone; a kept head is that of the log.", files,
                    trust=None, heads=self.kept(expected), exitCode=65, verdict="refused", difference="added", place=stamp.removeprefix("Audit/"))

    def kept(self, expected): return [f"{expected['records']}:{expected['root']}"]

    # One rule each that no vector above decides

    def joins(self):
        a, b, c = self.a, self.b, self.c
        ab, bc, ba = rotation(a, b), rotation(b, c), rotation(b, a)
        second, line = "000002-second.ndjson", "000002-second.ndjson, line 1"
        for name, about, words in (
            ("previous-root", "`root` in `previous` is another.", {"said": {"root": "ab" * 32}}),
            ("previous-size", "`size` in `previous` is another.", {"said": {"size": 2}}),
            ("previous-file", "`file` in `previous` is another.", {"said": {"file": "000001-other.ndjson"}}),
            ("previous-head", "`head` in `previous` is another than `prev`.", {"said": {"head": "ab" * 32}}),
            ("previous-root-missing", "`previous` of version 2 has no `root`.", {"without": ["root"]}),
            ("run-of-another-file", "`file` of the `run` record is not the name of its file.", {"opening": {"file": "000002-other.ndjson"}})):
            log = Log()
            log.run("first", a)
            log.run("second", a, **words)
            self.log(f"log-bad-{name}", about, log, bad="changed", place=line)
        log = Log()
        log.run("first", a, key_records=[{"event": "run", "schema": "mediabatch.audit/2", "file": "000001-first.ndjson", "previous": None}])
        self.log("log-bad-second-run-record", "A record in the middle of a file has the event `run`.", log, bad="changed", place="000001-first.ndjson, line 3")
        log = Log()
        log.run("first", a)
        log.files["000002-gap.ndjson"] = b""
        log.run("third", a)
        del log.files["000002-gap.ndjson"]
        self.log("log-bad-number-left-out", "No file has the number 2; the third names the first as the one before it.", log, bad="missing", place="000002-…")
        log = Log()
        log.run("first", a)
        log.run("second", a)
        content = log.files["000002-second.head"]
        for name, about, old, new in (("other-last-record", "Line 4 of the last head is of another record.", b"\nhead " + log.head.encode(), b"\nhead " + b"ab" * 32),
            ("other-file", "Line 5 of the last head has the first file.", b"file 000002-second", b"file 000001-first"),
            ("no-time", "Line 6 of the last head has a day that there is not.", b"time 2026-11-21", b"time 2026-02-30"),
            ("delete-character", "The library in the last head has a U+007F.", b"mediabatch.audit/", b"mediabatch.audit/\x7f")):
            other = log.copy()
            other.files["000002-second.head"] = self.renoted(content, old, new)
            self.log(f"log-bad-head-{name}", about + " The signature is of that text.", other, bad="changed",
                place="000002-second.ndjson" if name == "other-last-record" else "000002-second.head")
        log = Log()
        log.empty("first")
        log.empty("second", content=b'{"client"')
        log.run("third", a)
        self.log("log-good-first-files-without-a-record", "The first two files have no record; the third begins with 64 zeros and names the second.", log)
        log = Log()
        log.run("first", None, [access("red.jpg")])
        self.log("log-good-unsigned", "A run that does not sign; the head was kept.", log, heads=[f"{len(log.leaves)}:{root(log.leaves).hex()}"],
            signature="unsigned", signer=None, unsigned=len(log.leaves))
        log = Log()
        log.run("first", a, [access("red.jpg") | {"\U00010000": 2, "\ue000": 1}])
        self.log("log-good-order-of-names", "A record has two members whose names are in the order of their bytes, and not of UTF-16.", log)
        log = Log()
        log.run("first", a, [{"event": "migrated", "from": "1", "to": "2", "salt": "ab" * 16}])
        self.log("log-good-salt-of-any-event", "A record of an event without names has a salt, which its committed form lacks.", log)
        # Keys and rotations.
        log = Log()
        log.run("first", a)
        log.run("second", b, rotations=[ab], end=False, signed=False)
        log.run("third", c, rotations=[bc])
        self.log("log-bad-rotation-without-head", "The rotation from the first key is in the record of a run without a head alone.", log, bad="changed",
            place="000003-third.head")
        log = Log()
        log.run("first", a, rotations=[ab, ba])
        self.log("log-bad-trust-older-key", "The one head is by a key that stands in front of the trusted one.", log, trust="B", bad="changed", place="000001-first.head")
        # A merge that was stopped: the ends of the logs that it has taken over do not count for trust.
        log, merges = Log(), []
        log.run("plan", a)
        covered = len(log.leaves)
        merges.append(log.merge | {"shard": 0, "attempt": 0})
        log.run("shard1", a, [access("1.jpg")], own="000001-shard1")
        merges.append(log.merge | {"shard": 1, "attempt": 1})
        log.run("merge", a, [{"event": "merged", "planSHA256": digest("plan"), **merge} for merge in merges], client="mediabatch.merge", end=False, signed=False)
        self.log("log-good-merged-stopped", "The merge was stopped before its end; the head of the plan is the last that counts.", log,
            signature="trustedInPart", unsigned=len(log.leaves) - covered)

    # Proofs, exports and proofs of consistency, from those that are good

    def documents(self):
        def lines(name):
            with open(f"{HERE}/{name}/document.ndjson", "rb") as file: return file.read().splitlines(keepends=True)
        def changed(name, base, about, change, **said):
            expected = json.load(open(f"{HERE}/{base}/expected.json"))
            given = {key: value for key, value in expected.items() if key in ("trust", "head", "heads")}
            self.vector(name, about, {"document.ndjson": b"".join(change(lines(base)))}, kind=expected["kind"], **given | said, verdict="refused", exitCode=65)
        def edited(number, change):
            def edit(all):
                value = json.loads(all[number])
                change(value)
                return [*all[:number], canonical(value) + b"\n", *all[number + 1:]]
            return edit
        def opening(change):
            def edit(value):
                pointer = sorted(value["openings"])[0]
                change(value["openings"], pointer)
            return edit
        opened = next(number for number, line in enumerate(lines("proof-good")) if number and json.loads(line)["openings"])
        changed("proof-bad-no-newline", "proof-good", "The last line has no 0x0A.", lambda all: [*all[:-1], all[-1][:-1]])
        changed("proof-bad-opening-elsewhere", "proof-good", "An opening is of a name that the record does not have.",
            edited(opened, opening(lambda all, pointer: all.update({"/thumbnails/9/path": all[pointer]}))))
        changed("proof-bad-opening-member", "proof-good", "An opening has a third member.", edited(opened, opening(lambda all, pointer: all[pointer].update(more=1))))
        changed("export-bad-no-newline", "export-good", "The last line has no 0x0A.", lambda all: [*all[:-1], all[-1][:-1]])
        changed("export-bad-index-left-out", "export-good", "The numbers behind the third record are one higher; all leaves are there.",
            lambda all: [*all[:4], *(canonical(json.loads(line) | {"index": json.loads(line)["index"] + 1}) + b"\n" for line in all[4:])])
        def consistency(name, about, old, new, hashes, good=False):
            document = {"schema": "mediabatch.consistency/1", "old": dict(zip(("size", "root"), old)), "new": dict(zip(("size", "root"), new)), "hashes": hashes}
            self.vector(name, about, {"document.ndjson": canonical(document) + b"\n"}, kind="consistency", heads=[f"{size}:{hash}" for size, hash in (old, new)],
                verdict="good" if good else "refused", exitCode=0 if good else 65)
        leaves = [sha(b"\0" + bytes([number])) for number in range(3)]
        tree = [(size, root(leaves[:size]).hex()) for size in range(4)]
        consistency("consistency-good-equal", "Both heads are the same.", tree[3], tree[3], [], good=True)
        consistency("consistency-good-empty", "The older log has no record.", tree[0], tree[3], [], good=True)
        consistency("consistency-bad-equal-with-hashes", "Both heads are the same, and a hash stands there.", tree[3], tree[3], ["ab" * 32])
        consistency("consistency-bad-equal-sizes", "Two logs of one size.", tree[3], (3, "ab" * 32), [])
        consistency("consistency-bad-empty-root", "A log without a record has another root than the hash of no bytes.", (0, "ab" * 32), tree[3], [])
        consistency("consistency-bad-shrunk", "The older log is the longer one.", tree[3], tree[2], [leaves[2].hex()])


if __name__ == "__main__": Maker(os.path.realpath(sys.argv[1])).make()
