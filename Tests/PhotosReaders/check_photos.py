#!/usr/bin/env python3
"""Compares the library that mediabatch makes of a Photos library with what osxphotos says of it.

check_photos.py PHOTOSLIBRARY CATALOGUE    Needs osxphotos of PyPI; run by run.sh.

Prints one line for each difference, and exits 1 if there is any.
"""

import json
import os
import sqlite3
import sys

import osxphotos

library, catalogue = sys.argv[1:]
differences = []


def compare(what, ours, theirs):
    if ours != theirs:
        differences.append(f"{what}: mediabatch has {ours!r}, osxphotos {theirs!r}")


photos = osxphotos.PhotosDB(dbfile=library)
database = sqlite3.connect(f"file:{catalogue}?mode=ro", uri=True)
rows = {
    row[0].decode(): row[1:]
    for row in database.execute(
        """
        SELECT items.path, assets.label, assets.isFavorite, assets.isHidden, assets.caption,
          assets.keywords, assets.burstDigest, ifnull(assets.mediaSubtypes, 0)
        FROM items JOIN assets ON assets.id = items.asset
        """
    )
}


def relative(path):
    return os.path.relpath(path, library)


expected = set()
shown = {}
for photo in photos.photos():
    if photo.hidden or photo.shared or not photo.path or not os.path.exists(photo.path):
        continue
    if not photo.path.startswith(library):
        continue
    for path in (photo.path, photo.path_edited, photo.path_live_photo, photo.path_raw):
        if not path or not os.path.exists(path):
            continue
        path = relative(path)
        expected.add(path)
        if path not in rows:
            continue
        label, favorite, hidden, caption, keywords, burst, subtypes = rows[path]
        compare(f"{path} label", label, os.path.splitext(photo.original_filename)[0])
        compare(f"{path} favorite", bool(favorite), photo.favorite)
        compare(f"{path} hidden", bool(hidden), photo.hidden)
        if photo.description or photo.title:
            compare(f"{path} caption", caption, photo.description or photo.title)
        if photo.keywords:
            compare(f"{path} keywords", sorted(json.loads(keywords or "[]")), sorted(photo.keywords))
        compare(f"{path} burst", burst is not None, photo.burst)
        # A file may tell more than the database.
        for word, bit in (("panorama", 0), ("hdr", 1), ("screenshot", 2), ("portrait", 4), ("slow_mo", 17),
                          ("time_lapse", 18), ("screen_recording", 19), ("selfie", 30)):
            if getattr(photo, word):
                compare(f"{path} {word}", bool(subtypes >> bit & 1), True)
    best = photo.path_edited if photo.path_edited and os.path.exists(photo.path_edited) else photo.path
    shown[photo.uuid] = relative(best)

compare("the files", sorted(rows), sorted(expected))

ours = [
    (key.decode(), title, [
        path.decode() for (path,) in database.execute(
            "SELECT path FROM albumItems WHERE album = ? ORDER BY position", (row,))
    ])
    for row, key, title in database.execute("SELECT id, key, title FROM albums")
]
theirs = [
    (album.uuid, album.title, [shown[photo.uuid] for photo in album.photos if photo.uuid in shown])
    for album in photos.album_info
]
compare("the albums", sorted(ours), sorted(theirs))

covers = {
    cover.decode(): member.decode()
    for cover, member in database.execute(
        """
        SELECT c.sourcePath, m.sourcePath FROM stacks
        JOIN resources AS c ON c.asset = stacks.cover AND c.superseded = 0
        JOIN resources AS m ON m.asset = stacks.asset AND m.superseded = 0
        WHERE stacks.kind = 'edited' AND stacks.asset <> stacks.cover
        """
    )
}
edited = {
    relative(photo.path_edited): relative(photo.path)
    for photo in photos.photos()
    if photo.hasadjustments and photo.path_edited and photo.path and not photo.hidden
}
compare("the edited ones", covers, edited)

for line in differences:
    print(line)
print(f"{len(rows)} files and {len(ours)} albums: {len(differences)} differences from osxphotos {osxphotos.__version__}")
sys.exit(1 if differences else 0)
