#!/usr/bin/env python3
"""Writes and checks the attestation of a release: an in-toto statement in a DSSE envelope.

scripts/attest.py FOLDER STARTED CODENAME...   Writes FOLDER/mediabatch-VERSION.intoto.json about all other
    files of FOLDER; RELEASE_KEY names the Ed25519 private key. STARTED is when the build began (RFC 3339).
scripts/attest.py --verify FOLDER KEY   Checks the envelope's signature with a public key, and each file.

Sources: in-toto Statement v1, SLSA Provenance v1, DSSE 1.0.2 (PAE). Exit: 0 holds, 65 does not.
"""

import base64
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TYPE = "application/vnd.in-toto+json"
ROOT = pathlib.Path(__file__).resolve().parent.parent
# The commit, which git writes into a source archive (export-subst in .gitattributes); a clone has the placeholder.
COMMIT = "$Format:%H$"


def encoded(payload):
    """DSSE's pre-authentication encoding (PAE)."""
    kind = TYPE.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(payload), payload)


def openssl(*arguments, message):
    with tempfile.NamedTemporaryFile() as file:
        file.write(message)
        file.flush()
        return subprocess.run(["openssl", *arguments, "-in", file.name], capture_output=True)


def identifier(public_key):
    """The SHA-256 of a public key's SubjectPublicKeyInfo, which names it in the envelope."""
    form = subprocess.run(["openssl", "pkey", "-pubin", "-in", public_key, "-outform", "DER"],
                          capture_output=True, check=True).stdout
    return hashlib.sha256(form).hexdigest()


def digest(path):
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def subjects(folder):
    return [{"name": path.name, "digest": {"sha256": digest(path)}}
            for path in sorted(folder.iterdir())
            if path.is_file() and not path.name.startswith("SHA256SUMS")
            and not path.name.endswith(".intoto.json")]


def output(*command):
    return subprocess.run(command, capture_output=True, check=True, text=True, cwd=ROOT).stdout.strip()


def commit():
    if not COMMIT.startswith("$"):
        return COMMIT
    return os.environ.get("RELEASE_COMMIT") or output("git", "rev-parse", "HEAD")


def pins():
    text = (ROOT / "Package.swift").read_text()
    for url, version in re.findall(r'\.package\(url: "([^"]+)", exact: "([^"]+)"\)', text):
        yield {"uri": url, "annotations": {"version": version}}


def write(folder, started, codenames):
    version = output("scripts/version.sh")
    statement = {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": subjects(folder),
        "predicateType": "https://slsa.dev/provenance/v1",
        "predicate": {
            "buildDefinition": {
                "buildType": "https://mediabatch.invalid/build/make-release/v1",
                "externalParameters": {"version": version, "debian": codenames},
                "resolvedDependencies": [
                    {"name": "source", "digest": {"gitCommit": commit()}},
                    {"name": "swift", "annotations": {"version": output("swift", "--version").splitlines()[0]}},
                    *pins(),
                ],
            },
            "runDetails": {
                "builder": {"id": "https://mediabatch.invalid/build/local/v1"},
                "metadata": {
                    "startedOn": started,
                    "finishedOn": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
                },
            },
        },
    }
    payload = json.dumps(statement, sort_keys=True, separators=(",", ":")).encode()
    signed = openssl("pkeyutl", "-sign", "-inkey", os.environ["RELEASE_KEY"], "-rawin", message=encoded(payload))
    if signed.returncode:
        sys.exit(f"attest: not signed: {signed.stderr.decode().strip()}")
    envelope = {
        "payloadType": TYPE,
        "payload": base64.b64encode(payload).decode(),
        "signatures": [{"keyid": identifier(folder / "mediabatch-release.pem"),
                        "sig": base64.b64encode(signed.stdout).decode()}],
    }
    (folder / f"mediabatch-{version}.intoto.json").write_text(json.dumps(envelope) + "\n")


def verify(folder, key):
    def refuse(why):
        print(f"attest: {why}", file=sys.stderr)
        sys.exit(65)

    files = list(folder.glob("*.intoto.json"))
    if len(files) != 1:
        refuse(f"{folder} has {len(files)} attestations instead of one")
    try:
        envelope = json.loads(files[0].read_bytes())
        payload = base64.b64decode(envelope["payload"], validate=True)
        signatures = [base64.b64decode(one["sig"], validate=True) for one in envelope["signatures"]]
        if envelope["payloadType"] != TYPE:
            refuse("the envelope holds no in-toto statement")
    except (ValueError, KeyError, TypeError) as error:
        refuse(f"{files[0].name} is no DSSE envelope: {error}")
    for signature in signatures:
        with tempfile.NamedTemporaryFile() as file:
            file.write(signature)
            file.flush()
            if openssl("pkeyutl", "-verify", "-pubin", "-inkey", key, "-rawin", "-sigfile", file.name,
                       message=encoded(payload)).returncode == 0:
                break
    else:
        refuse(f"{files[0].name} is not signed by that key")
    stated = {(one["name"], one["digest"]["sha256"]) for one in json.loads(payload)["subject"]}
    found = {(one["name"], one["digest"]["sha256"]) for one in subjects(folder)}
    if stated != found:
        refuse("differs from what was built: " + ", ".join(sorted({name for name, _ in stated ^ found})))


if sys.argv[1:2] == ["--verify"] and len(sys.argv) == 4:
    verify(pathlib.Path(sys.argv[2]), sys.argv[3])
elif len(sys.argv) >= 4 and not sys.argv[1].startswith("-"):
    write(pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
else:
    print(__doc__, file=sys.stderr)
    sys.exit(64)
