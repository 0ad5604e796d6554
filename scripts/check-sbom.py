#!/usr/bin/env python3
"""Validates an SBOM against the schema of CycloneDX 1.5, and that it names what it must.

scripts/check-sbom.py FILE   Needs cyclonedx-python-lib[json-validation] from PyPI.
Exit: 0 valid, 1 not, 0 with a loud line when the library is missing.
"""

import json
import sys


def main():
    try:
        from cyclonedx.schema import SchemaVersion
        from cyclonedx.validation.json import JsonStrictValidator
    except ImportError:
        print(
            "SKIPPED: check-sbom.py needs cyclonedx-python-lib[json-validation]; nothing was checked",
            file=sys.stderr,
        )
        return 0
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    error = JsonStrictValidator(SchemaVersion.V1_5).validate_str(text)
    if error is not None:
        print(f"check-sbom: {error}", file=sys.stderr)
        return 1
    document = json.loads(text)
    names = {component["name"] for component in document["components"]}
    missing = {"GRDB.swift", "swift-argument-parser", "swift-nio", "swift-runtime"}
    missing |= {"libsqlite3-0", "libexif12", "libc6"}
    missing -= names
    references = [component["bom-ref"] for component in document["components"]]
    if missing or len(references) != len(set(references)):
        print(f"check-sbom: missing {sorted(missing)}, or a component twice", file=sys.stderr)
        return 1
    print(f"check-sbom: valid CycloneDX 1.5, {len(references)} components")
    return 0


if __name__ == "__main__":
    sys.exit(main())
