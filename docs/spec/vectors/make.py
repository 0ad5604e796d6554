#!/usr/bin/env python3
"""Made the vectors of this folder, once: it is kept for the record, and what it made is not made again.

make.py PROGRAM FOLDER   PROGRAM is mediabatch, with its worker beside it; FOLDER takes the vectors.
Needs root (for a host name of its own), ImageMagick, exiftool and openssl. Times, identifiers, keys and salts
differ each time, so that another run makes other vectors."""
import base64, gzip, hashlib, hmac, io, json, os, re, shutil, subprocess, sys, tarfile

PLACE = "/tmp/mediabatch-vectors"


def main():
    program, target = map(os.path.realpath, sys.argv[1:3])
    if os.environ.get("MEDIABATCH_VECTORS_HOST") != "example":
        # The log has the host's name, which is nobody's business.
        os.environ["MEDIABATCH_VECTORS_HOST"] = "example"
        words = 'hostname example && exec "$0" "$@"'
        os.execvp("unshare", ["unshare", "--uts", "bash", "-c", words, sys.executable, os.path.realpath(sys.argv[0]), program, target])
    shutil.rmtree(PLACE, ignore_errors=True)
    os.makedirs(PLACE, mode=0o700)
    os.chdir(PLACE)
    try:
        Maker(program, target).make()
    finally:
        os.chdir("/")
        shutil.rmtree(PLACE)


def sha(data): return hashlib.sha256(data).digest()
def canonical(value): return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def committed(line):
    record = json.loads(line)
    salt = record.pop("salt", None)
    if salt is None: return line
    def hold(place, key, pointer):
        if isinstance(place, dict) and isinstance(place.get(key), str):
            one = hmac.new(bytes.fromhex(salt), pointer.encode(), "sha256").digest()
            place[key] = {"hmac": hmac.new(one, canonical(place[key]), "sha256").hexdigest()}
    for key in ("path", "resolvedPath", "addedPath", "previousPath", "listSHA256", "host", "user"):
        hold(record, key, "/" + key)
    hold(record.get("output"), "path", "/output/path")
    for number, one in enumerate(record.get("thumbnails") or []): hold(one, "path", f"/thumbnails/{number}/path")
    return canonical(record)


def root(leaves):
    if len(leaves) < 2: return leaves[0] if leaves else sha(b"")
    half = 1
    while half * 2 < len(leaves): half *= 2
    return sha(b"\1" + root(leaves[:half]) + root(leaves[half:]))


class Log:
    """The files of a log, by their names."""
    def __init__(self, folder):
        self.files = {name: open(f"{folder}/{name}", "rb").read() for name in sorted(os.listdir(folder)) if name.endswith((".ndjson", ".head", ".tsr"))}
    def copy(self):
        other = Log.__new__(Log); other.files = dict(self.files); return other
    @property
    def names(self): return [name for name in sorted(self.files) if name.endswith(".ndjson")]
    def lines(self, name): return self.files[name].split(b"\n")[:-1]
    def put(self, name, lines): self.files[name] = b"".join(line + b"\n" for line in lines)
    def leaves(self): return [sha(b"\0" + committed(line)) for name in self.names for line in self.lines(name)]
    def chain(self):
        """Makes the chain and the tree anew from what the records say: what who wants to forge one does."""
        head, before, leaves = "0" * 64, None, []
        for name in self.names:
            lines = []
            for number, line in enumerate(self.lines(name), 1):
                record = json.loads(line)
                record["seq"], record["prev"] = number, head
                if number == 1 and before:
                    record["previous"] = {"file": before, "head": head, "bytes": len(self.files[before]), "tornBytes": 0,
                        "size": len(leaves), "root": root(leaves).hex()}
                lines.append(canonical(record))
                head = sha(lines[-1]).hex()
                leaves.append(sha(b"\0" + committed(lines[-1])))
            self.put(name, lines)
            before = name


class Maker:
    def __init__(self, program, target):
        self.program, self.target, self.names = program, target, []
        os.environ.update(XDG_DATA_HOME=PLACE + "/home", LC_ALL="C.UTF-8", TZ="UTC")

    def run(self, *words, code=0, home=None):
        environment = dict(os.environ, **({"XDG_DATA_HOME": home} if home else {}))
        done = subprocess.run([self.program, *words], capture_output=True, env=environment)
        if done.returncode != code: sys.exit(f"{words}: {done.returncode}\n{done.stdout.decode()}{done.stderr.decode()}")
        return done.stdout

    def photo(self, path, color):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        subprocess.run(["convert", "-size", "24x16", "xc:" + color, "-quality", "80", path], check=True)
        subprocess.run(["exiftool", "-q", "-overwrite_original", "-n", "-Orientation=6", "-Model=Example", "-GPSLatitude=1.5",
            "-GPSLatitudeRef=N", "-GPSLongitude=2.5", "-GPSLongitudeRef=E", "-DateTimeOriginal=2026:11:20 10:11:12", path], check=True)

    def manifest(self, name, folder, policy, output):
        os.makedirs(folder, exist_ok=True)
        with open(name, "w") as file:
            json.dump({"version": 1, "client": {"identifier": "org.example.vectors", "name": "Test vectors"},
                "usageDescriptions": {"NSCameraUsageDescription": "The vectors have pictures."},
                "metadata": {"policy": policy}, "sources": {"camera": {"path": folder, "authorizationStatus": "authorized"}},
                "thumbnails": {"grid": {"size": [16, 16], "contentMode": "aspectFill"}}, "output": {"path": output}}, file, indent=1)

    def go(self, manifest, *words, code=0, home=None):
        self.run("run", manifest, "--no-input", *words, code=code, home=home)

    # Vectors

    def vector(self, name, kind, about, files, **expected):
        """Writes a vector. What the program says of it is looked at, and has to be what is expected."""
        folder = f"{self.target}/{name}"
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        for path, content in files.items():
            os.makedirs(os.path.dirname(f"{folder}/{path}"), exist_ok=True)
            with open(f"{folder}/{path}", "wb") as file: file.write(content)
        value = {"schema": "mediabatch.vector/1", "kind": kind, "about": about, **expected}
        with open(f"{folder}/expected.json", "w") as file: file.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")
        self.names.append(name)
        return folder

    def log(self, name, about, log, trust=None, heads=(), kind=None, place=None, authority=None):
        """A log without a catalogue: `audit verify` with a trusted key or heads that were kept."""
        files = {"Audit/" + path: content for path, content in log.files.items()}
        if authority: files["authority.pem"] = authority
        trust = trust or (None if heads else self.key)
        words = ["audit", "verify", ".", "--format", "json"]
        if trust: words += ["--trust", trust]
        for head in heads: words += ["--expect-head", head]
        if authority: words += ["--tsa-ca", "authority.pem"]
        expected = {"trust": trust, "heads": list(heads), "exitCode": 65 if kind else 0}
        if authority: expected["authority"] = "authority.pem"
        folder = self.vector(name, "log", about, files, **expected)
        said = json.loads(self.run_in(folder, words, expected["exitCode"]))
        if said["kind"] != kind: sys.exit(f"{name}: {said['difference']}, not {kind}")
        if kind:
            place = said["difference"].split(": ")[0]
            expected.update(difference=kind, place=place)
        else:
            for key in ("records", "head", "root", "signature", "signer", "unsignedRecords"): expected[key] = said[key]
        self.vector(name, "log", about, files, verdict="refused" if kind else "good", **expected)

    def run_in(self, folder, words, code):
        here = os.getcwd()
        os.chdir(folder)
        try: return self.run(*words, code=code)
        finally: os.chdir(here)

    def document(self, name, kind, about, content, code, trust=None, head=None, heads=None, extra=None):
        """A proof or an export against a key or a head; a proof of consistency between two heads."""
        files = {"document.ndjson": content, **(extra or {})}
        folder = self.vector(name, kind, about, files)
        if heads: words = ["audit", "consistency", *heads, "--proof", "document.ndjson"]
        else: words = ["audit", "check-proof", "document.ndjson", "--format", "json"]
        if trust: words += ["--trust", trust]
        if head: words += ["--head", head]
        said = self.run_in(folder, words, code)
        expected = {"heads": heads} if heads else {"trust": trust, "head": head}
        if not code and not heads:
            said = json.loads(said)
            expected.update({key: said[key] for key in ("size", "root", "numberProved", "hiddenNames", "withheld")})
        self.vector(name, kind, about, files, verdict="refused" if code else "good", exitCode=code, **expected)

    def library(self, name, about, base, remove=(), put=None, patch=()):
        """A library: a base in `bases`, with some files removed, put, or with other bytes."""
        folder = f"{PLACE}/changed"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(f"{PLACE}/{base}", folder)
        for path in remove: os.remove(f"{folder}/{path}")
        for path, content in (put or {}).items():
            os.makedirs(os.path.dirname(f"{folder}/{path}"), exist_ok=True)
            with open(f"{folder}/{path}", "wb") as file: file.write(content)
        for one in patch:
            with open(f"{folder}/{one['path']}", "r+b") as file:
                file.seek(one["offset"])
                if file.read(len(one["old"]) // 2).hex() != one["old"]: sys.exit(f"{name}: other bytes")
                file.seek(one["offset"]); file.write(bytes.fromhex(one["new"]))
        done = subprocess.run([self.program, "verify", "changed", "--format", "json"], capture_output=True)
        said = json.loads(done.stdout)
        files = {f"files/{number}": content for number, content in enumerate((put or {}).values())}
        changes = {}
        if remove: changes["remove"] = list(remove)
        if put: changes["put"] = {path: f"files/{number}" for number, path in enumerate(put)}
        if patch: changes["patch"] = list(patch)
        difference = said["audit"]["difference"]
        self.vector(name, "library", about, files, base=base, changes=changes,
            verdict="refused" if done.returncode else "good", exitCode=done.returncode,
            findings=sorted(({"kind": one["kind"], "path": one["path"]} for one in said["findings"]), key=lambda one: (one["path"], one["kind"])),
            problems=sorted({re.match("[^: ]+", one)[0] for one in said["problems"]}),
            audit=difference and difference.split(": ")[1], records=said["audit"]["records"])
        print(name, done.returncode, said["findings"], said["problems"], difference)

    def pack(self, base):
        os.makedirs(f"{self.target}/bases", exist_ok=True)
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as tar:
            for path in sorted(self.tree(base)):
                info = tar.gettarinfo(f"{base}/{path}", path)
                info.uid = info.gid = info.mtime = 0
                info.uname = info.gname = ""
                if info.isfile():
                    with open(f"{base}/{path}", "rb") as file: tar.addfile(info, file)
                else: tar.addfile(info)
        with open(f"{self.target}/bases/{base}.tar.gz", "wb") as file: file.write(gzip.compress(buffer.getvalue(), 9, mtime=0))

    def tree(self, base):
        for folder, folders, files in os.walk(base):
            for name in folders + files: yield os.path.relpath(f"{folder}/{name}", base)

    def close(self, library):
        """Leaves the catalogue in one file, as a copy by a person has it."""
        for name in ("library.sqlite-wal", "library.sqlite-shm"):
            path = f"{library}/{name}"
            if os.path.exists(path):
                if name.endswith("wal") and os.path.getsize(path): sys.exit(f"{path} is not empty")
                os.remove(path)
        shutil.rmtree(f"{library}/.staging"); os.makedirs(f"{library}/.staging")

    def sign(self, text, key_file):
        """A signature line by the key of a file, made by openssl."""
        name, mark, data = open(key_file).readline().strip().removeprefix("PRIVATE+KEY+").split("+", 2)
        seed = base64.b64decode(data)[1:]
        with open("key.der", "wb") as file: file.write(bytes.fromhex("302e020100300506032b657004220420") + seed)
        with open("text", "wb") as file: file.write(text)
        signed = subprocess.run(["openssl", "pkeyutl", "-sign", "-rawin", "-keyform", "DER", "-inkey", "key.der", "-in", "text"], capture_output=True, check=True).stdout
        return f"\u2014 {name} {base64.b64encode(bytes.fromhex(mark) + signed).decode()}\n".encode()

    def resign(self, log, name, key_file):
        """Writes the head of a file anew over the records up to its end."""
        head = name.replace(".ndjson", ".head")
        lines = log.files[head].split(b"\n")
        before = [one for one in log.names if one <= name]
        leaves = [sha(b"\0" + committed(line)) for one in before for line in log.lines(one)]
        lines[1], lines[2] = str(len(leaves)).encode(), base64.b64encode(root(leaves))
        lines[3] = b"head " + sha(log.lines(name)[-1]).hex().encode()
        text = b"\n".join(lines[:6]) + b"\n"
        log.files[head] = text + b"\n" + self.sign(text, key_file)

    # What is made

    def make(self):
        self.sources()
        self.logs()
        self.merged()
        self.proofs()
        self.libraries()
        self.answers()
        lines = []
        for folder, _, files in sorted(os.walk(self.target)):
            for name in sorted(files):
                path = os.path.relpath(f"{folder}/{name}", self.target)
                if path in ("make.py", "README.md", "SHA256SUMS"): continue
                lines.append(f"{hashlib.sha256(open(f'{folder}/{name}', 'rb').read()).hexdigest()}  {path}\n")
        with open(f"{self.target}/SHA256SUMS", "w") as file: file.writelines(sorted(lines, key=lambda line: line[66:]))

    def sources(self):
        for number, color in enumerate(("red", "green", "blue"), 1): self.photo(f"three/{number}.jpg", color)
        with open("three/notes.txt", "w") as file: file.write("These are notes.\n")
        self.manifest("empty.json", "nothing", "strip", "empty")
        self.manifest("strip.json", "three", "strip", "strip")
        self.manifest("keep.json", "three", "keep", "keep")
        self.go("empty.json")
        self.go("keep.json")
        self.go("strip.json")
        # A second run, for a log of two files; the thumbnails and one original stay.
        self.photo("three/4.jpg", "yellow")
        self.go("strip.json")
        for library in ("empty", "keep", "strip"): self.close(library)
        self.key = self.run("audit", "key", "show").decode().split("\n")[0]
        self.manifest("other.json", "three", "keep", "other")
        self.go("other.json", home=PLACE + "/otherhome")
        self.other_key = self.run("audit", "key", "show", home=PLACE + "/otherhome").decode().split("\n")[0]

    def logs(self):
        good = self.good = Log("strip/Audit")
        one, two = good.names
        heads = [one.replace("ndjson", "head"), two.replace("ndjson", "head")]
        size = len(good.leaves())
        whole = f"{size}:{root(good.leaves()).hex()}"
        self.log("log-good", "The log of two runs, whole, with the key that signed it.", good)
        self.log("log-good-kept-head", "The same, with the size and the root of the whole log.", good, heads=[whole])
        first = len(good.lines(one))
        self.log("log-good-earlier-head", "The same, with the head of the first run, after which the log went on.", good,
            heads=[f"{first}:{root(good.leaves()[:first]).hex()}"])
        self.log("log-good-one-run", "The log of a run that found nothing to import.", Log("empty/Audit"))

        def changed(name, about, change, kind, **more):
            log = good.copy()
            change(log)
            self.log(name, about, log, kind=kind, **more)
        def lines(number, change):
            def act(log):
                name = log.names[number]
                found = log.lines(name)
                change(found)
                log.put(name, found)
            return act
        def flip(found): found[6] = found[6][:120] + bytes([found[6][120] ^ 1]) + found[6][121:]
        def swap(found): found[6], found[7] = found[7], found[6]
        def double(found): found.insert(7, found[6])
        def delete(found): del found[6]
        changed("log-bad-flipped-bit", "One bit of record 7 of the first file is another.", lines(0, flip), "changed")
        changed("log-bad-removed-record", "Record 7 of the first file is gone.", lines(0, delete), "removed")
        changed("log-bad-swapped-records", "Records 7 and 8 of the first file stand in the other order.", lines(0, swap), "moved")
        changed("log-bad-doubled-record", "Record 7 of the first file stands there twice.", lines(0, double), "added")
        changed("log-bad-cut", "The last record of the first file is gone.", lines(0, lambda found: found.pop()), "cut")
        def torn(log): log.files[two] = log.files[two][:-20]
        changed("log-bad-torn", "The last record of the last file lacks its last 20 bytes; its signed head covers it.", torn, "rolledBack")
        changed("log-bad-torn-in-the-middle", "The last record of the first file lacks its last 20 bytes.",
            lambda log: log.files.update({one: log.files[one][:-20]}), "torn")
        changed("log-bad-bytes-behind-the-end", "Bytes without a newline stand behind the last record of a run that ended.",
            lambda log: log.files.update({two: log.files[two] + b'{"basis":'}), "added")
        changed("log-bad-missing-file", "The first file is gone.", lambda log: [log.files.pop(one), log.files.pop(heads[0])], "missing")
        changed("log-bad-missing-last-file", "The last file and its head are gone; the head that was kept is of both.",
            lambda log: [log.files.pop(two), log.files.pop(heads[1])], "rolledBack", heads=[whole])
        changed("log-bad-swapped-files", "The two files have each other's numbers.", lambda log: self.renumber(log, {one: "000002" + one[6:], two: "000001" + two[6:]}), "moved")
        changed("log-bad-foreign-file", "A name ends in .ndjson and is that of no run.",
            lambda log: log.files.update({"00003-1.ndjson": b""}), "added")
        changed("log-bad-number-twice", "Two files have the number 2.", lambda log: log.files.update({"000002-zz.ndjson": log.files[two]}), "added")
        changed("log-bad-not-canonical", "A space stands behind the first comma of record 7.",
            lines(0, lambda found: found.__setitem__(6, found[6].replace(b",", b", ", 1))), "changed")
        changed("log-bad-unknown-event", "Record 7 has an event that version 2 does not have; chain, tree and heads are made anew.",
            lambda log: self.forge(log, 6, lambda record: record.update(event="forgotten")), "changed")
        changed("log-bad-unknown-schema", "The first record of the second file names version 3; chain and tree are made anew.",
            lambda log: self.forge(log, None, lambda record: record.update(schema="mediabatch.audit/3")), "changed")
        # A member that no version has is ignored.
        log = good.copy()
        self.forge(log, 6, lambda record: record.update(zebra={"stripes": [1, 2, None, True, "\u00e9\u0001/"]}))
        self.log("log-good-unknown-member", "Record 7 has a member that this version does not know; chain, tree and heads are those of it.", log)
        log = good.copy()
        self.forge(log, 6, lambda record: record.update(zebra=1.5))
        self.log("log-bad-fraction", "Record 7 has a number with a fraction; chain, tree and heads are those of it.", log, kind="changed")
        log = good.copy()
        log.put(one, [line.replace(b'"outcome":"imported"', b'"outcome":"skipped"') for line in log.lines(one)])
        log.chain()
        self.log("log-bad-rewritten", "Outcomes are others, and chain and tree were made anew without the key.", log, kind="changed")
        for name in log.names: self.resign(log, name, PLACE + "/otherhome/mediabatch/audit.key")
        self.log("log-bad-rewritten-signed-by-another", "The same, with heads of another key.", log, kind="changed")
        self.log("log-bad-untrusted-key", "The log is whole, and the trusted key is another than the one that signed it.", good, trust=self.other_key, kind="changed")
        self.log("log-bad-other-head", "The log is whole, and the root that was kept is of another log.", good, heads=[f"{size}:{'ab' * 32}"], kind="unexpectedHead")
        changed("log-bad-head-of-another-run", "The signed head of the second run stands beside the file of the first.",
            lambda log: log.files.update({heads[0]: log.files[heads[1]]}), "changed")
        theirs = Log("other/Audit")
        foreign = theirs.files[[name for name in theirs.files if name.endswith(".head")][0]]
        changed("log-bad-head-of-another-log", "The signed head of the second run is that of another library, by another key.",
            lambda log: log.files.update({heads[1]: foreign}), "changed")
        def another(log):
            text = log.files[heads[1]].split(b"\n\n")[0] + b"\n"
            log.files[heads[1]] = text + b"\n" + self.sign(text, PLACE + "/otherhome/mediabatch/audit.key")
        changed("log-bad-signature-by-another-key", "The last head is right, and signed by another key than the records name.", another, "changed")
        def flipped(log):
            text, lines = log.files[heads[1]].split(b"\n\n")
            name, data = lines.decode().split(" ")[1:]
            data = bytearray(base64.b64decode(data)); data[40] ^= 1
            log.files[heads[1]] = text + b"\n\n" + f"\u2014 {name} {base64.b64encode(data).decode()}\n".encode()
        changed("log-bad-signature-flipped-bit", "One bit of the last head's signature is another.", flipped, "changed")
        def added(log):
            text = log.files[heads[1]].split(b"\n\n")[0] + b"\n"
            log.files[heads[1]] += self.sign(text, PLACE + "/otherhome/mediabatch/audit.key")
        log = good.copy(); added(log)
        self.log("log-good-second-signature", "A key that nobody asks for has signed the last head too.", log)
        changed("log-bad-unsigned", "The heads are gone, and a key is trusted.", lambda log: [log.files.pop(head) for head in heads], "missing")
        log = good.copy()
        log.files[two] = log.files[two][:log.files[two].rindex(b"\n", 0, -1) + 1] + b'{"catalogue":'
        log.files[heads[1]] = b""
        self.log("log-good-stopped", "The second run was stopped: its file has no end and a torn line, and its head is empty. The first head covers the first file.", log)
        self.old = log = good.copy()
        log.put(one, [self.version_one(line) for line in log.lines(one)])
        log.chain()
        for name in log.names: self.resign(log, name, PLACE + "/home/mediabatch/audit.key")
        self.log("log-good-version-1", "The first file is of version 1, whose records have no salt.", log)
        self.rotations()
        self.timestamps()

    def version_one(self, line):
        record = json.loads(line)
        record.pop("salt", None)
        if "schema" in record: record["schema"] = "mediabatch.audit/1"
        return canonical(record)

    def renumber(self, log, names):
        files = {}
        for name, content in log.files.items():
            stem, ending = name.rsplit(".", 1)
            files[names.get(stem + ".ndjson", stem + ".ndjson").rsplit(".", 1)[0] + "." + ending] = content
        log.files = files

    def forge(self, log, index, change):
        """Changes a record as who has the key can: with chain, tree and heads made anew."""
        name = log.names[1 if index is None else 0]
        lines = log.lines(name)
        record = json.loads(lines[index or 0])
        change(record)
        lines[index or 0] = canonical(record)
        log.put(name, lines)
        log.chain()
        for one in log.names: self.resign(log, one, PLACE + "/home/mediabatch/audit.key")

    def rotations(self):
        shutil.copytree("home", "rotatedhome")
        shutil.copytree("empty", "rotated")
        self.manifest("rotated.json", "nothing", "strip", "rotated")
        home = PLACE + "/rotatedhome"
        self.run("audit", "key", "rotate", home=home)
        new = self.run("audit", "key", "show", home=home).decode().split("\n")[0]
        self.go("rotated.json", home=home)
        log = Log("rotated/Audit")
        self.log("log-good-rotated-old-key", "The key was rotated between the runs; the old one is trusted.", log)
        self.log("log-good-rotated-new-key", "The same; the new one is trusted.", log, trust=new)
        self.go("rotated.json")
        self.log("log-bad-rotated-out", "A third run was signed by the old key, after the new one had signed.", Log("rotated/Audit"), trust=new, kind="changed")

    def timestamps(self):
        os.makedirs("tsa")
        with open("tsa/tsa.cnf", "w") as file:
            file.write("[tsa]\ndefault_tsa = t\n[t]\nserial = tsa/serial\ncrypto_device = builtin\nsigner_cert = tsa/tsa.pem\n"
                "signer_key = tsa/tsa.key\nsigner_digest = sha256\ndefault_policy = 1.2.3.4.1\ndigests = sha256\ness_cert_id_alg = sha256\n")
        with open("tsa/serial", "w") as file: file.write("01\n")
        with open("tsa/extensions", "w") as file: file.write("extendedKeyUsage=critical,timeStamping\n")
        for words in ("req -x509 -newkey ed25519 -nodes -keyout tsa/ca.key -out tsa/ca.pem -subj /CN=Vectors -days 20",
                "req -newkey rsa:2048 -nodes -keyout tsa/tsa.key -out tsa/tsa.csr -subj /O=Example/CN=TSA",
                "x509 -req -in tsa/tsa.csr -CA tsa/ca.pem -CAkey tsa/ca.key -CAcreateserial -days 20 -extfile tsa/extensions -out tsa/tsa.pem"):
            subprocess.run(["openssl", *words.split()], check=True, capture_output=True)
        log = Log("strip/Audit")
        reply = log.names[1].replace("ndjson", "tsr")
        self.run("audit", "timestamp", "strip", "--query", "head.tsq")
        subprocess.run("openssl ts -reply -queryfile head.tsq -config tsa/tsa.cnf -out head.tsr".split(), check=True, capture_output=True)
        stamp = open("head.tsr", "rb").read()
        authority = open("tsa/ca.pem", "rb").read()
        log.files[reply] = stamp
        self.log("log-good-timestamp", "The last head has a timestamp, by an authority whose certificate is given.", log, authority=authority)
        log.files[log.names[0].replace("ndjson", "tsr")] = log.files.pop(reply)
        self.log("log-bad-timestamp-of-another-head", "The timestamp of the second head stands beside the first.", log, authority=authority, kind="changed")

    def merged(self):
        for number, color in enumerate(("red", "green", "blue", "white"), 1): self.photo(f"four/{number}.jpg", color)
        self.manifest("merge.json", "four", "keep", "unused")
        self.run("plan", "merge.json", "--shards", "2", "--output", "Plan", "--no-input")
        for shard in ("1", "2"): self.run("run", "--plan", "Plan", "--shard", shard)
        self.run("merge", "Plan", "--output", "merged")
        self.close("merged")
        good = Log("merged/Audit")
        names = good.names
        self.log("log-good-merged", "The log of a merge: of the plan, of two shards, and of the merge.", good)
        log = good.copy()
        lines = log.lines(names[1])
        del lines[-2]
        log.put(names[1], lines)
        self.log("log-bad-merged-shard-record-removed", "The last record but one of the first shard's file is gone.", log, kind="removed")
        log = good.copy()
        log.files.pop(names[2]); log.files.pop(names[2].replace("ndjson", "head"), None)
        self.log("log-bad-merged-shard-missing", "The file of the second shard is gone.", log, kind="missing")
        log = good.copy()
        self.renumber(log, {names[1]: names[2][:6] + names[1][6:], names[2]: names[1][:6] + names[2][6:]})
        self.log("log-bad-merged-shards-swapped", "The files of the shards have each other's numbers.", log, kind="changed")
        plan = open("Plan/plan.json", "rb").read()
        receipt = open("Plan/receipts/1.json", "rb").read()
        items = open("Plan/items/1.ndjson", "rb").read()
        self.plan = (plan, receipt, items)

    def proofs(self):
        asset = subprocess.run(["sqlite3", "file:strip/library.sqlite?immutable=1", "SELECT localIdentifier FROM assets LIMIT 1"], capture_output=True, check=True).stdout.decode().strip()
        good = self.good
        whole = f"{len(good.leaves())}:{root(good.leaves()).hex()}"
        proof = self.run("audit", "prove", "strip", "--asset", asset)
        held = self.run("audit", "prove", "strip", "--asset", asset, "--redact", "paths,labels,hosts")
        self.document("proof-good", "proof", "The records of an asset, against the key.", proof, 0, self.key)
        self.document("proof-good-size-and-root", "proof", "The same, against size and root.", proof, 0, head=whole)
        self.document("proof-good-root-alone", "proof", "The same, against the root alone: no number is proved.", proof, 0, head=whole.split(":")[1])
        self.document("proof-good-signed-head", "proof", "The same, against a signed head that was kept.", proof, 0, head="kept.head",
            extra={"kept.head": good.files[good.names[1].replace("ndjson", "head")]})
        self.document("proof-good-redacted", "proof", "The same records with all names held back.", held, 0, self.key)
        lines = proof.decode().split("\n")
        def record(number): return json.loads(lines[number])
        def rebuilt(*changes):
            made = list(lines)
            for number, change in changes:
                value = json.loads(made[number]); change(value); made[number] = canonical(value).decode()
            return "\n".join(made).encode()
        last = len(lines) - 2
        opened = next(number for number in range(1, last + 1) if "/path" in record(number)["openings"])
        self.document("proof-bad-other-leaf", "proof", "A record is another: its `seq` is one more.",
            rebuilt((opened, lambda value: value["record"].__setitem__("seq", value["record"]["seq"] + 1))), 65, self.key)
        self.document("proof-bad-other-way", "proof", "The hashes beside the way of two records are exchanged.",
            rebuilt((1, lambda value: value.__setitem__("path", record(2)["path"])), (2, lambda value: value.__setitem__("path", record(1)["path"]))), 65, self.key)
        self.document("proof-bad-other-index", "proof", "The index of the first record is one less.",
            rebuilt((1, lambda value: value.__setitem__("index", value["index"] - 1))), 65, self.key)
        self.document("proof-bad-other-name", "proof", "A name is opened with another text.",
            rebuilt((opened, lambda value: value["openings"]["/path"].__setitem__("value", "other.jpg"))), 65, self.key)
        self.document("proof-bad-other-key-of-a-name", "proof", "A name is opened with a key of which one bit is another.",
            rebuilt((opened, lambda value: value["openings"]["/path"].__setitem__("key", f"{int(value['openings']['/path']['key'], 16) ^ 1:064x}"))), 65, self.key)
        self.document("proof-bad-extra-member", "proof", "A line has a member that its kind does not have.", rebuilt((1, lambda value: value.__setitem__("note", "x"))), 65, self.key)
        self.document("proof-bad-order", "proof", "Two records stand in the other order.", "\n".join([lines[0], lines[2], lines[1], *lines[3:]]).encode(), 65, self.key)
        self.document("proof-bad-not-canonical", "proof", "A space stands behind a comma.", "\n".join([lines[0], lines[1].replace(",", ", ", 1), *lines[2:]]).encode(), 65, self.key)
        self.document("proof-bad-no-record", "proof", "It has a head and no record.", (lines[0] + "\n").encode(), 65, self.key)
        self.document("proof-bad-untrusted-key", "proof", "The proof is whole, and the trusted key is another.", proof, 65, self.other_key)
        self.document("proof-bad-newer-head", "proof", "The proof is whole, and of a newer head than the one that was kept.", proof, 65, head="kept.head",
            extra={"kept.head": good.files[good.names[0].replace("ndjson", "head")]})
        self.document("proof-bad-unknown-schema", "proof", "Its first line names version 2.", rebuilt((0, lambda value: value.__setitem__("schema", "mediabatch.proof/2"))), 65, self.key)

        export = self.run("audit", "export", "strip", "--redact", "paths,labels")
        self.document("export-good-redacted", "export", "The whole log without the names of files.", export, 0, self.key)
        self.document("export-good", "export", "The whole log of a run with all names.", self.run("audit", "export", "empty"), 0, self.key)
        rows = export.decode().split("\n")
        self.document("export-bad-removed-record", "export", "A line is gone.", "\n".join(rows[:5] + rows[6:]).encode(), 65, self.key)
        self.document("export-bad-removed-last", "export", "The last line is gone.", "\n".join(rows[:-2] + [""]).encode(), 65, self.key)
        old = self.old
        os.makedirs("version1/Audit", exist_ok=True)
        for name, content in old.files.items():
            with open("version1/Audit/" + name, "wb") as file: file.write(content)
        self.document("export-good-version-1", "export", "A log whose first file is of version 1, without the names of files: records with names are withheld.",
            self.run("audit", "export", "version1", "--redact", "paths,labels"), 0, self.key)
        leaf = sha(b"\0" + canonical(json.loads(rows[8])["record"])).hex()
        self.document("export-bad-withheld", "export", "A record of version 2 is withheld.",
            "\n".join(rows[:8] + [canonical({"index": 7, "leaf": leaf}).decode()] + rows[9:]).encode(), 65, self.key)
        self.document("export-bad-kinds", "export", "The kinds of names that it holds back are not in order.",
            "\n".join([rows[0].replace('["labels","paths"]', '["paths","labels"]'), *rows[1:]]).encode(), 65, self.key)

        first = len(good.lines(good.names[0]))
        heads = [f"{first}:{root(good.leaves()[:first]).hex()}", whole]
        self.run("audit", "consistency", *heads, "--library", "strip", "--output", "consistency.json")
        proof = open("consistency.json", "rb").read()
        self.document("consistency-good", "consistency", "The log of the first run is the beginning of that of both.", proof, 0, heads=heads)
        value = json.loads(proof)
        value["hashes"][0] = "ab" * 32
        self.document("consistency-bad-hash", "consistency", "A hash is another.", canonical(value) + b"\n", 65, heads=heads)
        value = json.loads(proof)
        del value["hashes"][-1]
        self.document("consistency-bad-missing-hash", "consistency", "The last hash is gone.", canonical(value) + b"\n", 65, heads=heads)
        other = [f"{first}:{'cd' * 32}", whole]
        value = json.loads(proof)
        value["old"]["root"] = "cd" * 32
        self.document("consistency-bad-other-old-root", "consistency", "The older root is another than that of the log.", canonical(value) + b"\n", 65, heads=other)
        self.document("consistency-bad-other-heads", "consistency", "It is whole, and of other heads than those that are asked about.", proof, 65,
            heads=[heads[0], f"{len(good.leaves())}:{'cd' * 32}"])

    def libraries(self):
        for base in ("empty", "keep", "strip", "merged"): self.pack(base)
        self.library("library-good-empty", "A library of one run that found nothing to import.", "empty")
        self.library("library-good-keep", "A library of one run with three pictures under keep.", "keep")
        self.library("library-good-strip", "A library of two runs with four pictures under strip.", "strip")
        self.library("library-good-merged", "A library that was merged of two shards.", "merged")
        originals = sorted(path for path in self.tree("strip") if path.startswith("Originals/") and path.endswith(".jpg"))
        thumbnails = sorted(path for path in self.tree("strip") if path.startswith("Thumbnails/") and path.endswith(".jpg"))
        def byte(path, offset):
            old = open(f"strip/{path}", "rb").read()[offset]
            return {"path": path, "offset": offset, "old": f"{old:02x}", "new": f"{old ^ 1:02x}"}
        self.library("library-bad-original-changed", "One bit of an original is another.", "strip", patch=[byte(originals[0], 100)])
        self.library("library-bad-original-missing", "An original is gone.", "strip", remove=[originals[0]])
        self.library("library-bad-thumbnail-missing", "A thumbnail is gone.", "strip", remove=[thumbnails[0]])
        self.library("library-bad-extra-file", "A file that no run wrote lies beside an original.", "strip", put={os.path.dirname(originals[0]) + "/extra.jpg": b"extra\n"})
        self.library("library-good-other-names", "Names that are none of a library's lie in its folder and in Audit.", "strip", put={"notes.txt": b"notes\n", "Audit/notes.txt": b"notes\n"})
        audit = sorted(path for path in self.tree("strip") if path.startswith("Audit/") and path.endswith(".ndjson"))
        self.library("library-bad-log-cut", "The last file of the log is gone, and the catalogue knows it.", "strip", remove=[audit[1], audit[1].replace("ndjson", "head")])
        self.library("library-bad-log-last-record", "One bit of the last record is another.", "strip", patch=[byte(audit[1], os.path.getsize("strip/" + audit[1]) - 30)])
        self.library("library-bad-head-missing", "The signed head of a run that ended is gone.", "strip", remove=[audit[1].replace("ndjson", "head")])
        self.library("library-bad-catalogue-row", "A letter of a label is another in the catalogue.", "strip", patch=[self.label("strip")])
        self.library("library-bad-digest-key", "One digit of the digest key is another.", "strip",
            patch=[{"path": ".state/digest.key", "offset": len(open("strip/.state/digest.key", "rb").read()) - 3, **self.digit()}])
        manifests = sorted(path for path in self.tree("strip") if path.startswith("Audit/manifests/"))
        self.library("library-bad-manifest-changed", "One bit of the text of a manifest is another.", "strip", patch=[byte(manifests[0], 10)])
        self.library("library-bad-manifest-missing", "The text of a manifest is gone.", "strip", remove=manifests[:1])
        plan, receipt, items = self.plan
        self.vector("plan-good", "plan", "A plan of two shards, the items of the first, and its receipt.", {"plan.json": plan, "items/1.ndjson": items, "receipts/1.json": receipt},
            verdict="good", planSHA256=json.loads(plan)["planSHA256"], itemsSHA256=hashlib.sha256(items).hexdigest())
        value = json.loads(plan)
        value["plan"]["shards"][0]["items"] += 1
        self.vector("plan-bad-digest", "plan", "The number of a shard's items is another, and the digest is that of before.", {"plan.json": canonical(value) + b"\n"}, verdict="refused")

    def answers(self):
        """The store of answers: a grant, a limit and a denial."""
        with open("asking.json", "w") as file:
            json.dump({"version": 1, "client": {"identifier": "org.example.asking"}, "usageDescriptions": {"NSCameraUsageDescription": "The vectors have pictures.",
                "NSPhotoLibraryUsageDescription": "The vectors choose pictures.", "NSMicrophoneUsageDescription": "The vectors hear."},
                "sources": {"camera": {"path": "three", "authorizationStatus": "notDetermined"}, "library": {"path": "four", "authorizationStatus": "notDetermined"},
                "microphone": {"path": "nothing", "authorizationStatus": "notDetermined"}}, "output": {"path": "unused"}}, file)
        self.run("access", "grant", "asking.json", "camera")
        self.run("access", "limit", "asking.json", "IMG_*")
        self.run("access", "deny", "asking.json", "microphone")
        good = open("home/mediabatch/answers.sqlite", "rb").read()
        self.store("answers-good", "A store with a grant, a selection and a denial.", good, 0)
        record = b'"to":"denied"'
        if good.count(record) != 1: sys.exit("answers: no such record")
        self.store("answers-bad-transition", "The record of a transition has other words.", good.replace(record, b'"to":"limite"'), 78)
        shutil.copy("home/mediabatch/answers.sqlite", "changed.sqlite")
        subprocess.run(["sqlite3", "changed.sqlite", "UPDATE answers SET decidedAt = decidedAt + 1 WHERE source = 'camera'"], check=True)
        self.store("answers-bad-answer", "An answer is of a second later than its transition says.", open("changed.sqlite", "rb").read(), 78)
        shutil.copy("home/mediabatch/answers.sqlite", "changed.sqlite")
        subprocess.run(["sqlite3", "changed.sqlite", "PRAGMA user_version = 4"], check=True)
        self.store("answers-bad-version", "The store is of version 4.", open("changed.sqlite", "rb").read(), 76)

    def store(self, name, about, content, code):
        home = f"{PLACE}/answershome"
        shutil.rmtree(home, ignore_errors=True)
        os.makedirs(home + "/mediabatch", mode=0o700)
        with open(home + "/mediabatch/answers.sqlite", "wb") as file: file.write(content)
        os.chmod(home + "/mediabatch/answers.sqlite", 0o600)
        said = self.run("access", "list", "--format", "json", code=code, home=home)
        expected = {} if code else {"answers": len(json.loads(said)["answers"])}
        self.vector(name, "answers", about, {"answers.sqlite": content}, verdict="refused" if code else "good", exitCode=code, **expected)

    def digit(self):
        old = open("strip/.state/digest.key", "rb").read()[-3]
        return {"old": f"{old:02x}", "new": f"{(old ^ 1) if chr(old ^ 1) in '0123456789abcdef' else ord('0' if chr(old) != '0' else '1'):02x}"}

    def label(self, base):
        """A patch of the label of one row of `assets` in the catalogue: its text stands before `image`."""
        data = open(f"{base}/library.sqlite", "rb").read()
        offset = data.index(b"Z1image") + 1
        return {"path": "library.sqlite", "offset": offset, "old": "31", "new": "39"}


if __name__ == "__main__": main()
