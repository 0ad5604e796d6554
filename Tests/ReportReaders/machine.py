"""machine.py ROOT CASE…: checks all that a program reads of a library, of each case's folder.

A case has summary-N.json (what each run printed), report.json, .csv, .junit, .sarif and .in-toto, and
Library/Audit. Schemas are those of the standards where there are any, else the project's own; sums are
computed here. Prints the counts of each case.
"""

import csv
import glob
import json
import os
import runpy
import subprocess
import sys
from collections import Counter

import jsonschema

root, cases = sys.argv[1], sys.argv[2:]
here = os.path.join(root, "Tests", "ReportReaders")
OUTCOMES = ["imported", "unchanged", "duplicate", "skipped", "refused", "unsupported", "failed", "failedBefore"]
EVENTS = {
    "run", "key", "decision", "source", "shown", "access", "outcome", "unchanged", "transition", "superseded",
    "restored", "adopted", "quarantined", "relabelled", "withdrawn", "added", "placed",
    "stacked", "unstacked", "distinguished", "rotated", "rebuilt", "migrated", "end",
}


def load(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return json.load(file)


def validator(*path):
    schema = load(root, *path)
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


schemas = {
    "summary": validator("Manifests", "summary.schema.json"),
    "json": validator("docs", "report.schema.json"),
    "sarif": validator("Tests", "ReportReaders", "sarif-schema-2.1.0.json"),
}


def valid(kind, path):
    value = load(path)
    mistakes = [f"{list(e.absolute_path)}: {e.message[:200]}" for e in schemas[kind].iter_errors(value)]
    assert not mistakes, (path, mistakes[:5])
    return value


def adds_up(counts):
    assert counts["discovered"] == sum(counts[name] for name in OUTCOMES), counts
    return Counter({name: counts[name] for name in OUTCOMES})


def reader(name, *arguments):
    """Runs another of the readers in this process: Python takes longer to start than they do."""
    sys.argv = [name, *arguments]
    return runpy.run_path(os.path.join(here, name + ".py"))


def check(case):
    summed = Counter({name: 0 for name in OUTCOMES})
    for path in sorted(glob.glob(os.path.join(case, "summary-*.json"))):
        summary = valid("summary", path)
        whole = adds_up(summary["counts"])
        summed.update(whole)
    report = valid("json", os.path.join(case, "report.json"))
    counts = adds_up(report["counts"])
    assert counts == summed, ("summaries and report differ", summed, counts)
    runs = Counter({name: 0 for name in OUTCOMES})
    for run in report["runs"]:
        runs.update(adds_up(run["counts"]))
        assert run["addsUp"], run["run"]
    assert runs == counts, (runs, counts)
    functions = reader("counts", "json", os.path.join(case, "report.json"))
    for format in ("csv", "junit"):
        reported = Counter(functions["from_" + format](os.path.join(case, "report." + format)))
        reported.pop("discovered", None)
        assert +reported == +counts, (format, reported, counts)
    with open(os.path.join(case, "report.csv"), newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file, strict=True))
    assert {len(row) for row in rows} == {len(rows[0])} and len(rows) > 1
    schema = os.path.join(here, "junit.xsd")
    result = subprocess.run(
        ["xmllint", "--noout", "--nonet", "--schema", schema, os.path.join(case, "report.junit")],
        capture_output=True, text=True,
    )
    assert result.returncode == 0, result.stderr
    valid("sarif", os.path.join(case, "report.sarif"))
    reader("sarif", os.path.join(case, "report.sarif"))
    reader("intoto", os.path.join(case, "report.in-toto"), os.path.join(case, "Library"))
    for path in sorted(glob.glob(os.path.join(case, "Library", "Audit", "*.ndjson"))):
        with open(path, encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
        for record in records:
            assert record["event"] in EVENTS, record
            assert {"seq", "prev", "time", "run"} <= record.keys(), record
            if record["event"] == "end":
                adds_up(record["counts"])
        assert records[0]["event"] == "run" and records[-1]["event"] == "end", path
    return {"result": report["result"], "runs": len(report["runs"])} | dict(+counts)


results = {os.path.basename(case): check(case) for case in cases}
print(json.dumps(results))
