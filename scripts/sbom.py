#!/usr/bin/env python3
"""Writes what the built programs consist of, as CycloneDX 1.5 JSON.

scripts/sbom.py FOLDER OUTPUT [LATE…]   FOLDER holds mediabatch and mediabatch-worker; LATE are ELF
files whose libraries are loaded while the programs run.

Three sources: Package.resolved names the Swift packages, the toolchain its runtime, which is linked
statically, and dpkg the Debian package of each library that the programs load. A library of no
package ends the script. The document is a function of its inputs: its serial number is derived
from its content and its time is SOURCE_DATE_EPOCH.
Exit: 0 written, 1 not.
"""

import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = ["mediabatch", "mediabatch-worker"]
LICENSES = {
    "grdb.swift": ("MIT", None),
    "swift-argument-parser": ("Apache-2.0", "Swift-exception"),
    "swift-atomics": ("Apache-2.0", None),
    "swift-collections": ("Apache-2.0", None),
    "swift-nio": ("Apache-2.0", None),
    "swift-system": ("Apache-2.0", None),
}
# Libraries that no program loads itself, by the one that loads them, where they do a part of its work.
BEHIND = {"libavcodec.so": ("libx264.so", "GPL-2.0-or-later")}
WITH_EXCEPTION = [{"expression": "Apache-2.0 WITH Swift-exception"}]


def output(*command):
    return subprocess.run(command, capture_output=True, check=True, text=True).stdout


def version():
    return output(str(ROOT / "scripts/version.sh")).strip()


def swift_packages():
    pins = json.loads((ROOT / "Package.resolved").read_text())["pins"]
    for pin in sorted(pins, key=lambda pin: pin["identity"]):
        place = re.sub(r"^https://|\.git$", "", pin["location"])
        name, exception = LICENSES.get(pin["identity"], (None, None))
        if name is None:
            raise SystemExit(f"sbom: the license of {pin['identity']} is not in scripts/sbom.py")
        number = pin["state"]["version"]
        yield {
            "type": "library",
            "bom-ref": f"pkg:swift/{place}@{number}",
            "name": place.rsplit("/", 1)[1],
            "version": number,
            "scope": "required",
            "licenses": WITH_EXCEPTION if exception else [{"license": {"id": name}}],
            "purl": f"pkg:swift/{place}@{number}",
            "externalReferences": [{"type": "vcs", "url": pin["location"]}],
        }


def swift_runtime():
    number = re.search(r"Swift version (\S+)", output("swift", "--version"))[1]
    return {
        "type": "framework",
        "bom-ref": f"swift-runtime@{number}",
        "name": "swift-runtime",
        "version": number,
        "description": "Standard library, Dispatch and Foundation of the toolchain, linked statically",
        "scope": "required",
        "licenses": WITH_EXCEPTION,
        "externalReferences": [{"type": "website", "url": "https://www.swift.org"}],
    }


def libraries(program):
    """The sonames that an ELF file names, without the dynamic linker."""
    names = re.findall(r"\(NEEDED\).*\[(.+)\]", output("readelf", "--dynamic", program))
    return [name for name in names if not name.startswith("ld-linux")]


def debian_package(soname, places):
    """The package of a library, its version and architecture."""
    path = places.get(soname)
    if path is None:
        raise SystemExit(f"sbom: {soname} is nowhere")
    # A merged /usr has files that dpkg knows by their old names.
    for candidate in (path, os.path.realpath(path), "/usr" + path, path.removeprefix("/usr")):
        found = subprocess.run(["dpkg-query", "-S", candidate], capture_output=True, text=True)
        if found.returncode == 0:
            package = found.stdout.split(": ")[0]
            fields = output("dpkg-query", "-W", "-f", "${Package} ${Version} ${Architecture}", package)
            return tuple(fields.split())
    raise SystemExit(f"sbom: {path} is in no Debian package")


def debian_packages(folder, late):
    places = {}
    for entry in re.findall(r"^\s+(\S+) \(.*\) => (\S+)$", output("ldconfig", "-p"), re.M):
        places.setdefault(*entry)
    release = dict(
        entry.rstrip().split("=", 1)
        for entry in pathlib.Path("/etc/os-release").read_text().splitlines() if "=" in entry
    )
    distro = release["ID"] + "-" + release.get("VERSION_ID", "").strip('"')
    found = {}
    licenses = {}
    for scope, programs in (
        ("required", [str(folder / name) for name in PROGRAMS]), ("optional", late)
    ):
        for program in programs:
            for soname in libraries(program):
                found.setdefault(debian_package(soname, places), (scope, set()))[1].add(soname)
                inner, license = BEHIND.get(soname.split(".so")[0] + ".so", (None, None))
                for name in libraries(places[soname]) if inner else []:
                    if name.startswith(inner):
                        package = debian_package(name, places)
                        found.setdefault(package, (scope, set()))[1].add(name)
                        licenses[package] = [{"license": {"id": license}}]
    for (name, number, architecture), (scope, sonames) in sorted(found.items()):
        quoted = number.replace("+", "%2B").replace(":", "%3A")
        reference = f"pkg:deb/debian/{name}@{quoted}?arch={architecture}&distro={distro}"
        yield {
            "type": "library",
            "bom-ref": reference,
            "name": name,
            "version": number,
            "scope": scope,
            **({"licenses": licenses[key]} if (key := (name, number, architecture)) in licenses else {}),
            "purl": reference,
            "properties": [
                {"name": "mediabatch:soname", "value": soname} for soname in sorted(sonames)
            ],
        }


def main():
    if len(sys.argv) < 3:
        print("usage: scripts/sbom.py FOLDER OUTPUT [LATE...]", file=sys.stderr)
        return 64
    folder, target = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    components = [*swift_packages(), swift_runtime(), *debian_packages(folder, sys.argv[3:])]
    own = f"mediabatch@{version()}"
    programs = [
        {
            "type": "application",
            "bom-ref": name,
            "name": name,
            "version": version(),
            "hashes": [
                {"alg": "SHA-256", "content": hashlib.sha256((folder / name).read_bytes()).hexdigest()}
            ],
        }
        for name in PROGRAMS
    ]
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH") or (ROOT / "CHANGELOG.md").stat().st_mtime)
    time = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc)
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": f"{time:%Y-%m-%dT%H:%M:%SZ}",
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": "mediabatch",
                "version": version(),
                "licenses": [{"license": {"id": "MIT"}}],
                "components": programs,
            },
        },
        "components": components,
        "dependencies": [
            {"ref": own, "dependsOn": sorted(c["bom-ref"] for c in components)},
            *({"ref": c["bom-ref"]} for c in components),
        ],
    }
    content = json.dumps(document, sort_keys=True).encode()
    document["serialNumber"] = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, content.hex())}"
    target.write_text(json.dumps(document, indent=2, sort_keys=True) + "\n")
    kinds = [c["bom-ref"].split("/")[0] for c in components]
    print(
        f"sbom: {target}: {kinds.count('pkg:swift')} Swift packages, the Swift runtime, "
        f"{kinds.count('pkg:deb')} Debian packages"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
