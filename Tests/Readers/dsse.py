"""dsse.py ENVELOPE PEM KEYID: verifies an envelope with securesystemslib, and prints its payload."""

import json
import sys

from cryptography.hazmat.primitives.serialization import load_pem_public_key
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import SSlibKey

with open(sys.argv[1], encoding="utf-8") as file:
    data = json.load(file)
assert set(data) == {"payload", "payloadType", "signatures"}, sorted(data)
envelope = Envelope.from_dict(data)
assert envelope.payload_type == "application/vnd.in-toto+json"
with open(sys.argv[2], "rb") as file:
    key = SSlibKey.from_crypto(load_pem_public_key(file.read()), keyid=sys.argv[3])
assert key.keytype == "ed25519"
try:
    assert list(envelope.verify([key], 1)) == [sys.argv[3]]
except VerificationError as error:
    print(f"not verified: {error}")
    sys.exit(1)
sys.stdout.write(envelope.payload.decode())
