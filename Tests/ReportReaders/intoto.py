"""intoto.py FILE LIBRARY: checks a statement, and each of its subjects against the library's files."""

import hashlib
import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    statement = json.load(file)
assert set(statement) == {"_type", "subject", "predicateType", "predicate"}
assert statement["_type"] == "https://in-toto.io/Statement/v1"
assert statement["predicateType"] == "https://in-toto.io/attestation/test-result/v0.1"
predicate = statement["predicate"]
assert set(predicate) == {"result", "configuration", "passedTests", "warnedTests", "failedTests"}
assert predicate["result"] in ("PASSED", "WARNED", "FAILED")
for entry in predicate["configuration"]:
    assert re.fullmatch("[0-9a-f]{64}", entry["digest"]["sha256"]), entry
for name in ("passedTests", "warnedTests", "failedTests"):
    assert all(type(test) is str for test in predicate[name])
files = 0
assert statement["subject"]
try:
    # The framework's own reader, where it is installed.
    from google.protobuf import json_format
    import in_toto_attestation.v1.statement_pb2 as theirs
    from in_toto_attestation.v1.statement import Statement

    message = theirs.Statement()
    json_format.ParseDict(statement, message)
    Statement.copy_from_pb(message).validate()
except ImportError:
    print("SKIPPED: intoto.py has no in-toto-attestation; its own rules alone were checked", file=sys.stderr)
for subject in statement["subject"]:
    assert subject["digest"] and all(type(value) is str for value in subject["digest"].values())
    if "sha256" in subject["digest"]:
        name = re.sub("%([0-9A-F]{2})", lambda m: chr(int(m.group(1), 16)), subject["name"])
        with open(sys.argv[2].encode() + b"/" + name.encode("latin-1" if "%" in subject["name"] else "utf-8"), "rb") as file:
            assert hashlib.sha256(file.read()).hexdigest() == subject["digest"]["sha256"], name
        files += 1
print(predicate["result"], files, len(predicate["failedTests"]))
