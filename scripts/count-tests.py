#!/usr/bin/env python3
"""Says what was skipped and why, and closes with 'N passed, N failed, N skipped'.

count-tests.py REPORT.xml LOG STATUS   The report is swift test's xUnit file, the log what it
printed, the status its exit code. Exits 1 when a test failed, when the run ended without a whole
report (a test process that crashed leaves none or a torn one), or when no test ran.
"""

import collections
import re
import sys
import xml.etree.ElementTree


def read_report(path):
    try:
        return xml.etree.ElementTree.parse(path).getroot().findall(".//testcase")
    except (OSError, xml.etree.ElementTree.ParseError):
        return None


def started_and_not_ended(log_path):
    """Names of the tests that the log leaves open: one of them took the process down."""
    started = re.compile(r"^◇ Test (?!run |case )(.*) started\.$")
    ended = re.compile(r"^[✔✘━] Test (?!run |case )(.*?)(?: with \d+ test cases?)? (?:passed|failed) after")
    open_tests = collections.OrderedDict()
    with open(log_path, encoding="utf-8", errors="replace") as log:
        for line in log:
            if match := started.match(line):
                open_tests[match[1]] = True
            elif match := ended.match(line):
                open_tests.pop(match[1], None)
    return list(open_tests)


def main():
    report_path, log_path, status = sys.argv[1], sys.argv[2], int(sys.argv[3])
    cases = read_report(report_path)
    failed = skipped = passed = 0
    reasons = collections.Counter()
    for case in cases or []:
        skip = case.find("skipped")
        if skip is not None:
            skipped += 1
            reasons[(skip.text or "no reason given").strip()] += 1
        elif (failure := case.find("failure")) is not None:
            failed += 1
            message = (failure.get("message") or "").split("\n")[0][:300]
            print(f"failed: {case.get('classname')}/{case.get('name')}: {message}")
        else:
            passed += 1

    for reason, count in sorted(reasons.items()):
        print(f"skipped {count}: {reason}")
    wrong = failed > 0 or status != 0
    open_tests = started_and_not_ended(log_path)
    if (cases is None or open_tests) and status != 0:
        failed = max(failed, 1)
        print(f"the run ended early (status {status}); not finished: {', '.join(open_tests) or '-'}")
    elif status != 0 and failed == 0:
        failed = 1
        print(f"swift test ended with status {status} without naming a failed test")
    elif passed + failed == 0:
        wrong = True
        print("no test ran")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(1 if wrong else 0)


main()
