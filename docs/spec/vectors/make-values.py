#!/usr/bin/env python3
"""Made the vectors of names and of JSON values, once, as make.py made the others: make-values.py PROGRAM FOLDER"""
import hashlib, importlib.util, json, os, shutil, sys

spec = importlib.util.spec_from_file_location("make", os.path.join(os.path.dirname(os.path.realpath(__file__)), "make.py"))
make = importlib.util.module_from_spec(spec)
spec.loader.exec_module(make)
make.__file__ = os.path.realpath(__file__)

NAMES = [b"a\xff.jpg", b"100%41.jpg", b"50% off.jpg", "caf\u00e9 \u202egpj.jpg".encode(), b"line\nbreak.jpg", b'quote"back\\slash.jpg', "\U0001f600.jpg".encode()]
GOOD = {
    "integers": (rb'{"a":-9223372036854775808,"b":9223372036854775807,"c":0}', "the smallest and the largest integer"),
    "depth-16": (b"[" * 14 + b"0" + b"]" * 14, "a number at the sixteenth level"),
    "strings": ('"\\" \\\\ \\b\\t\\n\\f\\r \\u0000\\u001f / \u007f \u00e9 \u2028 \U0001f600"'.encode(), "each character that is escaped, and some that are not"),
    "empty": (b'{"":[{},[]],"a":""}', "empty values, and an empty name of a member"),
}
BAD = {
    "integer-too-large": (b"9223372036854775808", "an integer above 2^63-1"),
    "minus-zero": (b"-0", "-0"),
    "leading-zero": (b"01", "a number that begins with 0"),
    "exponent": (b"1e3", "a number with an exponent"),
    "depth-17": (b"[" * 15 + b"0" + b"]" * 15, "a number at the seventeenth level"),
    "capital-escape": (rb'"\u001F"', "an escape in capitals"),
    "needless-escape": (rb'"\u0041"', "an escape of a letter"),
    "escaped-slash": (rb'"\/"', "an escaped slash"),
    "long-escape": (rb'"\u000a"', "the long escape of a newline"),
    "order": (b'{"b":1,"a":2}', "members in another order"),
    "double-member": (b'{"a":1,"a":1}', "a member twice"),
    "escaped-name": (rb'{"a\n":1}', "a name of a member with an escape"),
    "no-utf-8": (b'"\xff"', "a byte that is no UTF-8"),
    "surrogate": (b'"\xed\xa0\x80"', "a surrogate in UTF-8"),
    "overlong": (b'"\xc0\xaf"', "an overlong character in UTF-8"),
}


class Values(make.Maker):
    def make(self):
        os.makedirs("names")
        self.photo("names/first.jpg", "red")
        for number, name in enumerate(NAMES):
            shutil.copy("names/first.jpg", b"names/" + name)
            with open(b"names/" + name, "ab") as file: file.write(bytes([number]))
        os.remove("names/first.jpg")
        self.manifest("names.json", "names", "keep", "names-library")
        self.manifest("empty.json", "nothing", "keep", "empty")
        self.go("names.json")
        self.go("empty.json")
        self.key = self.run("audit", "key", "show").decode().split("\n")[0]
        log = make.Log("names-library/Audit")
        self.log("log-good-names", "Names of files that are no UTF-8, or have characters that are escaped; `paths` are their bytes in hexadecimal, in the order of the access records.", log)
        path = f"{self.target}/log-good-names/expected.json"
        value = json.load(open(path))
        accesses = [record["path"] for record in map(json.loads, log.lines(log.names[0])) if record["event"] == "access"]
        value["paths"] = [self.bytes_of(path).hex() for path in accesses]
        if sorted(value["paths"]) != sorted(name.hex() for name in NAMES): sys.exit("other paths")
        with open(path, "w") as file: file.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")
        for kind, values in (("good", GOOD), ("bad", BAD)):
            for name, (raw, about) in values.items():
                log = make.Log("empty/Audit")
                self.put(log, raw)
                self.log(f"log-{kind}-value-{name}", f"A member that this version does not know has {about}; chain, tree and heads are those of it.", log, kind="changed" if kind == "bad" else None)
        lines = [line for line in open(f"{self.target}/SHA256SUMS") if line[66:].split("/")[0] not in self.names]
        for name in set(self.names):
            for folder, _, files in os.walk(f"{self.target}/{name}"):
                for one in files:
                    path = os.path.relpath(f"{folder}/{one}", self.target)
                    lines.append(f"{hashlib.sha256(open(f'{folder}/{one}', 'rb').read()).hexdigest()}  {path}\n")
        with open(f"{self.target}/SHA256SUMS", "w") as file: file.writelines(sorted(lines, key=lambda line: line[66:]))

    def bytes_of(self, text):
        data, result = text.encode(), b""
        while data:
            try: one, data = bytes([int(data[1:3].decode(), 16)]) if data[:1] == b"%" and len(data[1:3]) == 2 else 1 / 0, data[3:]
            except (ValueError, ZeroDivisionError): one, data = data[:1], data[1:]
            result += one
        return result

    def put(self, log, raw):
        """Gives the third record, which has no salt, a member of these bytes, and makes chain, tree and head anew."""
        name, head, lines, leaves = log.names[0], "0" * 64, [], []
        for number, line in enumerate(log.lines(name), 1):
            record = json.loads(line)
            record["prev"] = head
            if number == 3: record["zebra"] = "@"
            line = make.canonical(record).replace(b'"zebra":"@"', b'"zebra":' + raw)
            lines.append(line)
            head = make.sha(line).hex()
            leaves.append(make.sha(b"\0" + (line if number == 3 else make.committed(line))))
        log.put(name, lines)
        file = name.replace("ndjson", "head")
        text = log.files[file].split(b"\n")
        text[2], text[3] = make.base64.b64encode(make.root(leaves)), b"head " + head.encode()
        text = b"\n".join(text[:6]) + b"\n"
        log.files[file] = text + b"\n" + self.sign(text, make.PLACE + "/home/mediabatch/audit.key")


make.Maker = Values
make.main()
