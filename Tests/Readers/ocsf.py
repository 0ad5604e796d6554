"""ocsf.py FILE: reads events of OCSF with readers that did not write them.

Each line is held against the JSON schema of its class and profiles (ocsf-json-schema), its numbers against the
captions of the schema, and what all classes share against the models of py-ocsf-models.
Prints one line for each class, activity and status: "CLASS ACTIVITY STATUS COUNT".
"""

import collections
import json
import sys

import jsonschema
from ocsf_json_schema import OcsfJsonSchemaEmbedded, get_ocsf_schema
from py_ocsf_models import OCSF_VERSION
from py_ocsf_models.events.base_event import BaseEvent
from py_ocsf_models.events.findings.disposition_id import DispositionID
from py_ocsf_models.objects.fingerprint import FingerPrint
from py_ocsf_models.objects.policy import Policy

schemas, raw = {}, get_ocsf_schema(version=OCSF_VERSION)
counts, uids = collections.Counter(), set()


def validator(uid, profiles):
    key = (uid, tuple(profiles))
    if key not in schemas:
        embedded = OcsfJsonSchemaEmbedded(raw)
        name = embedded.lookup_class_name_from_uid(class_uid=uid)
        schema = embedded.get_class_schema(class_name=name, profiles=list(profiles))
        # What is not mapped is of the source's own making.
        schema["properties"]["unmapped"] = {"type": "object"}
        schemas[key] = (raw["classes"][name], jsonschema.Draft202012Validator(schema))
    return schemas[key]


for number, line in enumerate(open(sys.argv[1], encoding="utf-8"), 1):
    event = json.loads(line)
    assert event["metadata"]["version"] == OCSF_VERSION, event["metadata"]
    definition, reader = validator(event["class_uid"], event["metadata"]["profiles"])
    mistakes = [f"{list(e.absolute_path)}: {e.message[:300]}" for e in reader.iter_errors(event)]
    assert not mistakes, f"line {number}: {mistakes}"
    for attribute, caption in (("activity_id", "activity_name"), ("status_id", "status"), ("severity_id", "severity"),
                               ("action_id", "action"), ("disposition_id", "disposition"), ("class_uid", "class_name"),
                               ("category_uid", "category_name")):
        if attribute not in event or event[attribute] == 99:
            continue
        values = definition["attributes"][attribute]["enum"]
        assert values[str(event[attribute])]["caption"] == event[caption], f"line {number}: {attribute}"
    assert event["type_uid"] == event["class_uid"] * 100 + event["activity_id"], f"line {number}: type_uid"
    BaseEvent.model_validate(event)
    if "disposition_id" in event:
        DispositionID(event["disposition_id"])
    for name in ("file", "file_result"):
        for fingerprint in event.get(name, {}).get("hashes", []):
            FingerPrint.model_validate(fingerprint)
    for authorization in event.get("authorizations", []):
        Policy.model_validate(authorization.get("policy", {}))
    uid = event["metadata"]["uid"]
    assert uid not in uids, f"line {number}: two events of one record"
    uids.add(uid)
    counts[event["class_uid"], event["activity_name"], event["status"]] += 1
for (uid, activity, status), count in sorted(counts.items()):
    print(uid, activity, status, count)
