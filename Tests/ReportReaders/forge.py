"""forge.py FILE CODE: writes an audit file anew as somebody would who can rewrite all of it.

CODE changes the list `records`; numbers and chain are made to fit again.
"""

import hashlib
import json
import sys

with open(sys.argv[1], "rb") as file:
    records = [json.loads(line) for line in file.read().splitlines()]
prev = records[0]["prev"]
exec(sys.argv[2])
with open(sys.argv[1], "wb") as file:
    for number, record in enumerate(records, 1):
        record["seq"], record["prev"] = number, prev
        line = json.dumps(record, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
        prev = hashlib.sha256(line).hexdigest()
        file.write(line + b"\n")
