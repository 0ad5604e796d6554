"""shipping.py: reads the configurations in docs/shipping, and prints what each of them reads.

One line a pattern: "FILE<tab>PATTERN". Each has to send from the first record on, remember its place, and take lines
of 1 MiB; the names of a section's parts are those of its own file, so that a reference to one that is not there fails.
"""

import os
import sys

import yaml

folder = os.path.join(os.path.dirname(__file__), "../../docs/shipping")


def load(name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return yaml.safe_load(file)


def show(name, patterns):
    for pattern in patterns:
        print(name, pattern, sep="\t")


vector = load("vector.yaml")
source = vector["sources"]["mediabatch"]
assert source["type"] == "file" and source["read_from"] == "beginning" and source["max_line_bytes"] == 1 << 20
assert os.path.isabs(vector["data_dir"])
parts = set(vector["sources"]) | set(vector["transforms"])
for part in [*vector["transforms"].values(), *vector["sinks"].values()]:
    assert part["type"] and set(part["inputs"]) <= parts, part
show("vector.yaml", source["include"])

fluent = load("fluent-bit.yaml")
(tail,) = fluent["pipeline"]["inputs"]
assert tail["name"] == "tail" and tail["read_from_head"] is True and tail["buffer_max_size"] == "1M"
assert os.path.isabs(tail["db"]) and tail["parser"] in {parser["name"] for parser in fluent["parsers"]}
assert all(output["match"] == tail["tag"] for output in fluent["pipeline"]["outputs"])
show("fluent-bit.yaml", [tail["path"]])

otel = load("otel-collector.yaml")
receiver = otel["receivers"]["filelog"]
assert receiver["start_at"] == "beginning" and receiver["max_log_size"] == "1MiB"
assert receiver["force_flush_period"] == "0s" and receiver["storage"] in otel["service"]["extensions"]
assert set(otel["service"]["extensions"]) <= set(otel["extensions"])
for pipeline in otel["service"]["pipelines"].values():
    assert set(pipeline["receivers"]) <= set(otel["receivers"]) and set(pipeline["exporters"]) <= set(otel["exporters"])
show("otel-collector.yaml", receiver["include"])
names = {"vector.yaml", "fluent-bit.yaml", "otel-collector.yaml"}
assert set(os.listdir(folder)) == names, sorted(os.listdir(folder))
sys.exit(0)
