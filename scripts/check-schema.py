#!/usr/bin/env python3
"""Runs the JSON Schemas of manifests and policies over the good and bad ones of the tests.

A schema must refuse nothing that mediabatch accepts, and must refuse each mistake except those
that expected.json says no schema can express, with the reason.
Exit: 0 all as expected, 1 not, 0 with a loud line when the module jsonschema is missing.
"""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
CASES = ROOT / "Tests" / "MediaManifestTests" / "Cases"


def main() -> int:
    try:
        import jsonschema
    except ImportError:
        print("SKIPPED: check-schema.py needs python3-jsonschema; nothing was checked", file=sys.stderr)
        return 0
    schema = json.loads((ROOT / "Manifests" / "mediabatch.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    problems = []
    good = sorted((CASES / "good").glob("*.json"))
    examples = [p for p in (ROOT / "Manifests").glob("*.json") if not p.name.endswith("schema.json")]
    for path in good + sorted(examples):
        for error in validator.iter_errors(json.loads(path.read_bytes())):
            problems.append(f"{path.name}: is accepted by mediabatch, refused here: {error.message[:200]}")
    expected = json.loads((CASES / "expected.json").read_text())
    refused = inexpressible = not_json = 0
    for name, case in sorted(expected.items()):
        try:
            instance = json.loads((CASES / "bad" / name).read_bytes())
        except (ValueError, RecursionError):
            not_json += 1
            if case["schema"] == "refuses":
                problems.append(f"{name}: is expected to reach the schema, but is no JSON")
            continue
        is_refused = not validator.is_valid(instance)
        if case["schema"] == "refuses":
            refused += 1
            if not is_refused:
                problems.append(f"{name}: has a mistake that the schema does not see")
        else:
            inexpressible += 1
            if is_refused:
                problems.append(f"{name}: is listed as inexpressible, but the schema refuses it")
    policies = json.loads((CASES / "policies.json").read_text())
    policy_schema = json.loads((ROOT / "Manifests" / "policy.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(policy_schema)
    policy_validator = jsonschema.Draft202012Validator(policy_schema)
    policies_refused = 0
    for case in policies:
        try:
            is_refused = not policy_validator.is_valid(json.loads(case["text"]))
        except ValueError:
            is_refused = False
        policies_refused += is_refused
        if is_refused != (case.get("schema") == "refuses"):
            problems.append(f"the policy {case['text']}: {'refused' if is_refused else 'not refused'} by the schema")
    if not good or not refused or not policies_refused:
        problems.append("no cases were found")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(
        f"{len(good)} good and {len(examples)} example manifests accepted, {refused} bad ones refused, "
        f"{inexpressible} that a schema cannot express, {not_json} that are no JSON; "
        f"{policies_refused} of {len(policies)} policies refused: "
        f"{len(problems)} problem(s)"
    )
    return 1 if problems else 0


sys.exit(main())
