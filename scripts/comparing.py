"""What compare-outputs.py and compare-releases.py share: an import whose results are read from its catalogue."""

import hashlib
import json
import os
import sqlite3
import subprocess
import sys


def digest(path):
    """The first half of a file's SHA-256."""
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()[:32]


def import_media(programs, folder, manifest, what, *options, **variables):
    """Imports by a manifest into FOLDER/Library; returns that, its catalogue (texts as bytes), and the environment.

    `what` is named when the run ends otherwise than with 0 or 3, which also ends this script.
    """
    library = os.path.join(folder, "Library")
    path = os.path.join(folder, "manifest.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"version": 1, "client": {"identifier": "org.example.compare"}, **manifest,
                   "output": {"path": library}}, file)
    environment = dict(os.environ, XDG_DATA_HOME=os.path.join(folder, "data"), **variables)
    done = subprocess.run([os.path.join(programs, "mediabatch"), "run", path, *options],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment)
    if done.returncode not in (0, 3):
        sys.exit(f"{os.path.basename(sys.argv[0]).removesuffix('.py')}: {what} ended with {done.returncode}:\n"
                 + done.stderr.decode("utf-8", "replace")[-2000:])
    catalogue = sqlite3.connect(os.path.join(library, "library.sqlite"))
    catalogue.text_factory = bytes
    return library, catalogue, environment
