"""crate.py FOLDER [DATA]: reads an RO-Crate with rocrate, and holds each file of the folder against it.

DATA is the folder of the crate in a bag. Prints "TITLE", a line "PATH<tab>TYPE<tab>DATE" a file, and "run<tab>CLIENT" for
each import.
"""

import hashlib
import os
import re
import sys

from rocrate.rocrate import ROCrate

root = os.path.join(sys.argv[1], *sys.argv[2:])
crate = ROCrate(root)
assert crate.metadata["conformsTo"] == "https://w3id.org/ro/crate/1.1", crate.metadata["conformsTo"]
whole = crate.root_dataset
for name in ("name", "description", "datePublished", "license"):
    assert whole.get(name), name
assert re.fullmatch(r"\d{4}-\d\d-\d\d", whole.as_jsonld()["datePublished"])
there = set()
for folder, _, names in os.walk(root):
    for name in names:
        path = os.path.relpath(os.path.join(folder, name), root)
        if path not in ("ro-crate-metadata.json", ".mediabatch-export"):
            there.add(path)
described = {}
for entity in crate.data_entities:
    assert entity.type == "File", entity.type
    path = os.path.relpath(str(entity.source), root)
    with open(entity.source, "rb") as file:
        content = file.read()
    assert entity["contentSize"] == str(len(content)), path
    assert entity["sha256"] == hashlib.sha256(content).hexdigest(), path
    assert entity["name"] == os.path.basename(path), path
    assert path not in described, path
    described[path] = entity
# Outside of a bag the tag files are the crate's own.
assert set(described) == there, (sorted(set(described) ^ there))
assert {part.id for part in whole["hasPart"]} == {entity.id for entity in described.values()}
print(whole["name"])
for path in sorted(described):
    json = described[path].as_jsonld()
    print(path, json.get("encodingFormat", ""), json.get("dateCreated", ""), sep="\t")
created = set()
for action in crate.get_by_type("CreateAction"):
    assert action["instrument"]["name"] == "mediabatch" and action["instrument"]["softwareVersion"], action.id
    results = action["result"] if isinstance(action["result"], list) else [action["result"]]
    if action.id == "#export":
        assert results == [whole] and action["endTime"]
        continue
    assert all(result in described.values() for result in results) and not created & {r.id for r in results}
    created |= {result.id for result in results}
    print("run", action["agent"]["identifier"], len(results), sep="\t")
