"""counts.py FORMAT FILE: the counts of a report, as readers of its format find them.

Recounts what the report lists, and fails where that is not what the report says.
"""

import csv
import json
import re
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from html.parser import HTMLParser

OUTCOMES = ["imported", "unchanged", "duplicate", "skipped", "refused", "unsupported", "failed",
            "failedBefore"]


def checked(counts):
    counts = {name: counts.get(name, 0) for name in OUTCOMES}
    return counts


def from_json(path):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    listed = Counter(item["outcome"] for item in report["items"])
    counts = report["counts"]
    assert counts["discovered"] == sum(counts[name] for name in OUTCOMES), counts
    for name in OUTCOMES:
        # Unchanged items, those that failed before and those that were taken back have one record together.
        assert listed[name] == counts[name] or name in ("unchanged", "refused", "failedBefore"), (name, listed)
        assert counts[name] == sum(run["counts"][name] for run in report["runs"]), name
    return counts


def from_csv(path):
    counts = Counter()
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, strict=True))
    for row in rows:
        assert None not in row and None not in row.values(), row
        if row["kind"] in ("item", "items"):
            counts[row["outcome"]] += int(row["count"])
    return counts


def from_junit(path):
    counts = Counter()
    root = ET.parse(path).getroot()
    total = failures = 0
    names = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
    assert len(names) == len(set(names)), [n for n, k in Counter(names).items() if k > 1][:5]
    assert all(float(part.get("time")) >= 0 for part in [root, *root])
    for suite in root:
        cases = suite.findall("testcase")
        counted = {
            "tests": len(cases),
            "failures": len(suite.findall("testcase/failure")),
            "skipped": len(suite.findall("testcase/skipped")),
            "errors": len(suite.findall("testcase/error")),
        }
        stated = {name: int(suite.get(name)) for name in counted}
        assert stated == counted, (suite.get("name"), stated, counted)
        total += len(cases)
        failures += counted["failures"]
        if suite.get("name").startswith("run "):
            for entry in suite.findall("properties/property"):
                counts[entry.get("name")] += int(entry.get("value"))
    assert int(root.get("tests")) == total and int(root.get("failures")) == failures
    return counts


class Numbers(HTMLParser):
    """The numbers below the bar: the outcome is the class of each, and a number of 0 is not there."""

    def __init__(self):
        super().__init__()
        self.is_inside, self.name, self.in_number, self.counts = False, None, False, {}

    def handle_starttag(self, tag, attributes):
        if tag == "ul" and ("class", "numbers") in attributes:
            self.is_inside = True
        elif tag == "li" and self.is_inside:
            self.name = dict(attributes)["class"]
        elif tag == "b" and self.is_inside:
            self.in_number = True

    def handle_endtag(self, tag):
        if tag == "ul":
            self.is_inside = False
        if tag == "b":
            self.in_number = False

    def handle_data(self, data):
        if self.in_number:
            assert self.name not in self.counts, self.name
            self.counts[self.name] = int(data.replace(",", ""))


def from_html(path):
    numbers = Numbers()
    with open(path, encoding="utf-8") as file:
        numbers.feed(file.read())
    counts = numbers.counts
    assert counts["found"] == sum(counts.get(name, 0) for name in OUTCOMES), counts
    return counts


def from_summary(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    at = next(index for index, line in enumerate(lines) if line.startswith("| found |"))
    names = [cell.strip() for cell in lines[at].strip("|").split("|")]
    numbers = [int(cell.replace(",", "")) for cell in lines[at + 2].strip("|").split("|")]
    return dict(zip(names, numbers))


def from_intoto(path):
    """What a statement counts: the items that were not imported."""
    with open(path, encoding="utf-8") as file:
        predicate = json.load(file)["predicate"]
    warned = sum(name.startswith("item/") for name in predicate["warnedTests"])
    failed = sum(name.startswith("item/") for name in predicate["failedTests"])
    print(json.dumps({"failed": failed, "warned": warned}))
    sys.exit(0)


readers = {
    "json": from_json, "csv": from_csv, "junit": from_junit, "html": from_html,
    "github": from_summary, "in-toto": from_intoto,
}
if __name__ == "__main__":
    print(json.dumps(checked(readers[sys.argv[1]](sys.argv[2]))))
