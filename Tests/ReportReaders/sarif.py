"""sarif.py FILE: the results of a SARIF log, a line each: level, rule, URI, line, column, message.

Fails where the log is not what the standard and GitHub's limits ask for.
"""

import json
import sys
from urllib.parse import unquote

with open(sys.argv[1], encoding="utf-8") as file:
    log = json.load(file)
assert set(log) == {"$schema", "version", "runs"} and log["version"] == "2.1.0", log.keys()
assert len(log["runs"]) == 1
run = log["runs"][0]
assert set(run) <= {"columnKind", "tool", "invocations", "properties", "results"}
assert run["columnKind"] == "unicodeCodePoints"
driver = run["tool"]["driver"]
assert driver["name"] == "mediabatch" and driver["version"]
rules = [rule["id"] for rule in driver["rules"]]
assert all(rule["shortDescription"]["text"].endswith(".") for rule in driver["rules"]), driver["rules"]
assert len(rules) == len(set(rules)) <= 25000
assert len(run["results"]) <= 5000
assert [type(i["executionSuccessful"]) for i in run["invocations"]] == [bool]
for result in run["results"]:
    assert set(result) == {
        "ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints"
    }, result.keys()
    assert rules[result["ruleIndex"]] == result["ruleId"]
    assert result["level"] in ("error", "warning", "note")
    assert set(result["message"]) == {"text"} and result["message"]["text"]
    assert all(type(value) is str for value in result["partialFingerprints"].values())
    [location] = result["locations"]
    place = location["physicalLocation"]
    uri = place["artifactLocation"]["uri"]
    assert uri.isascii() and not set(uri) & set(' "<>\\^`{|}\n'), uri
    region = place["region"]
    assert region["startLine"] >= 1 and region.get("startColumn", 1) >= 1
    print(
        result["level"], result["ruleId"], unquote(uri), region["startLine"],
        region.get("startColumn", 0), result["message"]["text"], sep="\t",
    )
