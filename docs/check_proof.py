#!/usr/bin/env python3
"""Checks what `mediabatch audit prove` or `audit export` wrote: check_proof.py FILE HEAD
HEAD is SIZE:ROOT or ROOT of a run's summary, a .head file, or the key of `mediabatch audit key show`."""
import base64, hashlib, hmac, json, os, re, sys
SCHEMAS = ("mediabatch.proof/1", "mediabatch.auditExport/1")
NAMES = re.compile("/(path|resolvedPath|previousPath|addedPath|listSHA256|output/path|thumbnails/(0|[1-9][0-9]*)/path|host|user)")
P, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
def add(a, b):  # Ed25519 as in RFC 8032 section 5.1.4, in affine coordinates.
    k = D * a[0] * b[0] * a[1] * b[1] % P
    return ((a[0] * b[1] + a[1] * b[0]) * pow(1 + k, P - 2, P) % P, (a[1] * b[1] + a[0] * b[0]) * pow(1 - k, P - 2, P) % P)
def times(n, a):
    total = (0, 1)
    while n:
        total, a, n = add(total, a) if n & 1 else total, add(a, a), n >> 1
    return total
def point(data):
    n = int.from_bytes(data, "little")
    y, sign = n & (2**255 - 1), n >> 255
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P: x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P or y >= P or (x == 0 and sign): raise ValueError("no point")
    return (P - x if x & 1 != sign else x, y)
def signed(key, text, signature):
    if len(signature) != 64: return False
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    k = int.from_bytes(hashlib.sha512(r + key + text).digest(), "little") % L
    base = point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))
    return s < L and times(s, base) == add(point(r), times(k, point(key)))
def sha(data): return hashlib.sha256(data).digest()
def node(left, right): return sha(b"\1" + left + right)
def text_of(value): return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
def fail(why): sys.exit("NOT PROVED: " + why)
def read(line):  # In the canonical form alone: no member twice, no number but integers.
    value = json.loads(line, parse_float=lambda _: fail("a number is no integer"))
    if text_of(value) + "\n" != line or not isinstance(value, dict): fail("a line is not canonical")
    return value
NOTE = re.compile("(mediabatch[.]audit/[^\n]*\n(?:0|[1-9][0-9]{0,18})\n[A-Za-z0-9+/]{43}=\nhead [0-9a-f]{64}\nfile [^\n]*\ntime [^\n]*\n)\n((?:\u2014 [!-*,-~]+ [A-Za-z0-9+/]+={0,2}\n)*)")
def bytes_of(text):  # Of the one text that base64 has for them.
    data = base64.b64decode(text, validate=True)
    return data if base64.b64encode(data).decode() == text else fail("its head is not in base64 as it is written")
def head_of(note):  # C2SP tlog-checkpoint and signed-note, each in its one form: all of it is looked at.
    form = NOTE.fullmatch(note)
    if not form or re.search("[\0-\x09\x0b-\x1f\x7f]", note) or len(note.encode()) > 1 << 16: fail("its head is of another form")
    body, lines = form[1], form[1].split("\n")
    signatures = [(name, bytes_of(data)) for _, name, data in map(str.split, form[2].splitlines())]
    if any(len(data) < 5 for _, data in signatures): fail("its head has a signature of another form")
    return int(lines[1]), bytes_of(lines[2]), body, signatures, lines
def hidden(value):  # How many names of a record are held back.
    if isinstance(value, dict): return 1 if set(value) == {"hmac"} else sum(map(hidden, value.values()))
    return sum(map(hidden, value)) if isinstance(value, list) else 0
def leaf(line, held):
    if type(line["index"]) is not int: fail("an index is no number")
    if line.keys() - {"path"} == {"index", "leaf"}:
        held[1] += 1; return bytes.fromhex(line["leaf"])  # Its names are held back with it.
    if line.keys() - {"path"} != {"index", "openings", "record"}: fail("a line has other members")
    shown = json.loads(text_of(line["record"]))
    for pointer, opening in line["openings"].items():
        if not NAMES.fullmatch(pointer) or set(opening) != {"key", "value"} or type(opening["value"]) is not str: fail(f"record {line['index']}: an opening is of another form")
        *way, last = [int(p) if p.isdigit() else p for p in pointer.split("/")[1:]]
        place = shown
        for part in way: place = place[part]
        value = text_of(opening["value"]).encode()
        digest = hmac.new(bytes.fromhex(opening["key"]), value, "sha256").hexdigest()
        if place[last] != {"hmac": digest}: fail(f"record {line['index']}: a name is another")
        place[last] = opening["value"]
    held[0] += hidden(shown); held[2] |= shown.get("schema") == "mediabatch.audit/2"
    if "path" in line: print(json.dumps(shown, sort_keys=True))  # In ASCII: nothing acts on a terminal.
    return sha(b"\0" + text_of(line["record"]).encode())
def root_from(hash, index, size, path):  # RFC 9162 section 2.1.3.2
    last = size - 1 if 0 <= index < size else -1
    for sibling in path:
        if index & 1 or index == last:
            hash = node(sibling, hash)
            while index and not index & 1: index, last = index >> 1, last >> 1
        else: hash = node(hash, sibling)
        index, last = index >> 1, last >> 1
    return hash if last == 0 else None
def join(stack):  # The two newest subtrees, each as (records, root).
    (n, right), (m, left) = stack.pop(), stack.pop()
    stack.append((m + n, node(left, right)))
def main(file, trusted):
    lines = (read(line) for line in open(file, encoding="utf-8", newline="\n"))
    header = next(lines)
    kinds = header.pop("redacted", None)  # Only an export has them.
    if header.keys() != {"head", "schema"} or header["schema"] != SCHEMAS[kinds is not None]: fail("its first line has other members")
    if kinds and not (kinds == sorted(set(kinds)) and set(kinds) <= {"hosts", "labels", "paths"}): fail("no such kinds")
    size, root, body, signatures, said = head_of(header["head"])
    stack, count, held, last = [], 0, [0, 0, False], -1  # whole subtrees of an export
    for count, line in enumerate(lines, 1):
        if ("path" in line) != (kinds is None): fail(f"line {count + 1} is of another schema")
        if kinds is None:
            found = leaf(line, held)
            if line["index"] <= last: fail("its records are not in order")
            last = line["index"]
            if root_from(found, last, size, map(bytes.fromhex, line["path"])) != root: fail(f"record {last} is not in the log")
            continue
        stack.append((1, leaf(line, held)))
        if line["index"] != count - 1: fail(f"record {count - 1} is not there")
        if "leaf" in line and (held[2] or not kinds): fail(f"record {count - 1} is withheld unsaid")
        while len(stack) > 1 and stack[-1][0] == stack[-2][0]: join(stack)
    while len(stack) > 1: join(stack)
    if not count or stack and stack[0] != (size, root): fail("its records are not those of its head")
    if kinds is not None and held[1] == count: fail("it shows no record")
    if os.path.exists(trusted):
        kept = head_of(open(trusted, encoding="utf-8", newline="\n").read())
        if kept[4][0] != said[0]: fail("its head is of another library")
        trusted = f"{kept[0]}:{kept[1].hex()}"
    if "+" in trusted:
        name, mark, key = trusted.split("+", 2)
        hash = sha(name.encode() + b"\n" + (key := bytes_of(key)))[:4]
        if len(key) != 33 or key[0] != 1 or hash.hex() != mark: fail("the key is not as it was shown")
        if not any(n == name and s[:4] == hash and signed(key[1:], body.encode(), s[4:]) for n, s in signatures): fail("its head is not signed by that key")
    elif trusted.lower() not in (root.hex(), f"{size}:{root.hex()}"): fail("its head is another one")
    of = f" of {size}" if "+" in trusted or ":" in trusted else ""
    print(f"Proved: {count}{of} records, {held[0]} names held back, {held[1]} withheld, root {root.hex()}" + ("" if of else ", number not proved: give SIZE:ROOT"))
    if "+" in trusted: print(f"Library {said[0][17:]}, head of {said[5][5:]}")
main(*sys.argv[1:])
