#!/usr/bin/env python3
"""Compares the library that mediabatch makes of a Photos library with what osxphotos says of it.

check_photos.py PHOTOSLIBRARY CATALOGUE    Needs osxphotos of PyPI; run by run.sh, which imports hidden photos too.

Prints one line for each difference that no row of EXPLAINED has, and exits 1 if there is any.
"""

import collections
import json
import os
import sqlite3
import sys
import unicodedata

import osxphotos

# Where both differ on purpose: what is compared; a condition on the photo of osxphotos, on the row of the catalogue and on
# both values; and the reason. docs/sources.md has those that a person may notice.
EXPLAINED = [
    ("selfie", lambda photo, row, ours, theirs: photo.ismovie,
     "selfies are stills; osxphotos gives what the camera wrote into a film too"),
    ("portrait", lambda photo, row, ours, theirs: photo.ismovie, "portraits are stills"),
    ("hdr", lambda photo, row, ours, theirs: photo.ismovie, "the subtype is of stills"),
    ("panorama", lambda photo, row, ours, theirs: photo.ismovie, "panoramas are stills"),
    ("portrait", lambda photo, row, ours, theirs: depths.get(photo.uuid) is None,
     "osxphotos takes a column without a value for a portrait"),
    ("date", lambda photo, row, ours, theirs:
     row["creationDateTag"] != "Photos.sqlite" and (photo.ismovie or photo.date != photo.date_original),
     "the file states a date of its own, which is kept where a person set another one in Photos"),
    ("date", lambda photo, row, ours, theirs: dates.get(photo.uuid) is None,
     "osxphotos has 1970 where Photos has no date"),
    ("place", lambda photo, row, ours, theirs: ours == (None, None) and theirs == (0.0, 0.0),
     "0, 0 is what a device writes that knows no place"),
    ("place", lambda photo, row, ours, theirs:
     ours == (None, None) and (abs(theirs[0]) > 90 or abs(theirs[1]) > 180), "there is no such place"),
    ("people", lambda photo, row, ours, theirs: ours == sorted({merged.get(name, name) for name in theirs}),
     "a person who was merged with another one has the name of that one; osxphotos has the old name"),
    ("caption", lambda photo, row, ours, theirs: unicodedata.normalize("NFC", ours or "") == theirs,
     "a caption has its letters as they were written; osxphotos composes them"),
    ("live photo", lambda photo, row, ours, theirs: row["contentIdentifier"] is None,
     "the two files lack the camera's identifier, by which a still and a movie are one live photo"),
    ("edited live photo", lambda photo, row, ours, theirs: row["contentIdentifier"] is None,
     "the two files lack the camera's identifier, by which a still and a movie are one live photo"),
    ("edited", lambda photo, row, ours, theirs: photo.burst and ours is not None,
     "an edited picture of a burst is in the burst's stack, with the rendition; its cover is the pick"),
    ("burst pick", lambda photo, row, ours, theirs: ours is None and not theirs,
     "nobody has picked; osxphotos says no to each question of the pick"),
    ("subtypes of the file", lambda photo, row, ours, theirs: True,
     "a file may tell more than the database"),
]

SUBTYPES = {
    "panorama": 0, "hdr": 1, "screenshot": 2, "portrait": 4, "spatial": 10, "slow_mo": 17, "time_lapse": 18,
    "screen_recording": 19, "selfie": 30,
}

library, catalogue = sys.argv[1:]
library = os.path.abspath(library)
differences = []
explained = collections.Counter()
compared = collections.Counter()


def compare(photo, path, field, ours, theirs):
    compared[field] += 1
    if ours == theirs:
        return
    row = rows.get(path)
    for name, holds, reason in EXPLAINED:
        if name == field and photo and row and holds(photo, row, ours, theirs):
            explained[f"{field}: {reason}"] += 1
            return
    differences.append(f"{path} {field}: mediabatch has {ours!r}, osxphotos {theirs!r}")


def wall_clock(date):
    """The local time of an aware date, as the catalogue has it."""
    return date.astimezone(date.tzinfo).strftime("%Y-%m-%dT%H:%M:%S")


def relative(path):
    return os.path.relpath(path, library)


def is_there(path):
    return bool(path) and os.path.abspath(path).startswith(library + os.sep) and os.path.exists(path)


photos = osxphotos.PhotosDB(dbfile=library)
database = sqlite3.connect(f"file:{catalogue}?mode=ro", uri=True)
database.row_factory = sqlite3.Row
rows = {
    row["path"].decode(): row
    for row in database.execute(
        """
        SELECT items.path, items.outcome, items.reason AS why, assets.id AS asset, assets.label, assets.isFavorite,
          assets.isHidden, assets.caption, assets.keywords, assets.people, assets.burst, assets.burstDigest,
          assets.isBurstPick, assets.latitude, assets.longitude, assets.creationDate, assets.creationDateTag, assets.contentIdentifier,
          ifnull(assets.mediaSubtypes, 0) AS mediaSubtypes
        FROM items LEFT JOIN assets ON assets.id = items.asset
        """
    )
}
# What the database itself has, where osxphotos makes something else of it.
source = sqlite3.connect(f"file:{library}/database/Photos.sqlite?immutable=1", uri=True)
table = "ZASSET" if source.execute("SELECT 1 FROM sqlite_schema WHERE name = 'ZASSET'").fetchone() else "ZGENERICASSET"
names = {row[1] for row in source.execute(f"PRAGMA table_info({table})")}
depth = "ZDEPTHTYPE" if "ZDEPTHTYPE" in names else "ZDEPTHSTATES"
depths = dict(source.execute(f"SELECT ZUUID, {depth} FROM {table}"))
dates = dict(source.execute(f"SELECT ZUUID, ZDATECREATED FROM {table}"))
merged = dict(source.execute(
    "SELECT p.ZFULLNAME, m.ZFULLNAME FROM ZPERSON AS p JOIN ZPERSON AS m ON m.Z_PK = p.ZMERGETARGETPERSON "
    "WHERE p.ZFULLNAME <> m.ZFULLNAME"
))


def check_facts(photo, path):
    row = rows[path]
    compare(photo, path, "label", row["label"], os.path.splitext(photo.original_filename)[0])
    compare(photo, path, "favorite", bool(row["isFavorite"]), photo.favorite)
    compare(photo, path, "hidden", bool(row["isHidden"]), photo.hidden)
    caption = photo.description or photo.title
    if caption:
        compare(photo, path, "caption", row["caption"], caption)
    if photo.keywords:
        compare(photo, path, "keywords", sorted(json.loads(row["keywords"] or "[]")), sorted(photo.keywords))
    people = sorted({name for name in photo.persons if name and name != "_UNKNOWN_"})
    if people:
        compare(photo, path, "people", sorted(json.loads(row["people"] or "[]")), people)
    if photo.location[0] is not None:
        place = (row["latitude"], row["longitude"])
        near = place[0] is not None and all(abs(a - b) < 1e-6 for a, b in zip(place, photo.location))
        compare(photo, path, "place", photo.location if near else place, photo.location)
    compare(photo, path, "date", (row["creationDate"] or "")[:19], wall_clock(photo.date))
    compare(photo, path, "burst", row["burstDigest"] is not None, photo.burst)
    if photo.burst:
        pick = None if row["isBurstPick"] is None else bool(row["isBurstPick"])
        theirs = photo.burst_selected or photo.burst_key or photo.burst_default_pick
        compare(photo, path, "burst pick", pick, theirs)
    for word, bit in SUBTYPES.items():
        ours, theirs = bool(row["mediaSubtypes"] >> bit & 1), bool(getattr(photo, word))
        compare(photo, path, word if theirs else "subtypes of the file", ours, theirs)


def check_files(photo):
    """Which files are imported, and which of them are one asset."""
    original, movie = photo.path, photo.path_live_photo
    for path in (original, photo.path_edited, photo.path_raw):
        if is_there(path):
            expected.add(relative(path))
            if relative(path) in rows and rows[relative(path)]["asset"]:
                check_facts(photo, relative(path))
    if is_there(original) and relative(original) in rows:
        row = rows[relative(original)]
        live = bool(row["mediaSubtypes"] >> 3 & 1)
        if is_there(movie):
            expected.add(relative(movie))
            compare(photo, relative(original), "live photo", rows[relative(movie)]["asset"], row["asset"])
            if rows[relative(movie)]["asset"] == row["asset"]:
                compare(photo, relative(original), "live", live, True)
        for other, field, cover in ((photo.path_edited, "edited", True), (photo.path_raw, "raw and JPEG", False)):
            if is_there(other):
                first, second = (original, other) if cover else (other, original)
                compare(photo, relative(original), field, covers.get(relative(first)), relative(second))
                stacked.update((relative(original), relative(other)))
    edited, edited_movie = photo.path_edited, photo.path_edited_live_photo
    if is_there(edited) and is_there(edited_movie):
        expected.add(relative(edited_movie))
        pair = [rows[relative(path)]["asset"] for path in (edited_movie, edited)]
        compare(photo, relative(edited), "edited live photo", pair[0], pair[1])


def state(photo):
    """What is to become of the original."""
    if photo.intrash:
        return ("skipped", "trashed")
    if photo.isreference:
        return ("skipped", "referenced")
    if is_there(photo.path):
        return ("imported", None)
    return ("skipped", "notDownloaded") if photo.ismissing else ("failed", "originalMissing")


covers = {
    member.decode(): cover.decode()
    for cover, member in database.execute(
        """
        SELECT c.sourcePath, m.sourcePath FROM stacks
        JOIN resources AS c ON c.asset = stacks.cover AND c.superseded = 0 AND c.role <> 'pairedVideo'
        JOIN resources AS m ON m.asset = stacks.asset AND m.superseded = 0 AND m.role <> 'pairedVideo'
        WHERE stacks.kind IN ('edited', 'formats', 'burst') AND stacks.asset <> stacks.cover
        """
    )
}
expected, shown, stacked = set(), {}, set()
everything = photos.photos_by_uuid(list(photos._dbphotos))
for photo in everything:
    if photo.shared and not is_there(photo.path):
        continue
    paths = [path for path in rows if photo.uuid in path and path.startswith("originals") and "_" not in path]
    row = rows.get(paths[0]) if paths else None
    if row is None and is_there(photo.path):
        row = rows.get(relative(photo.path))
    outcome = (row["outcome"], row["why"]) if row else None
    compare(photo, photo.uuid, "outcome", outcome, state(photo))
    if photo.intrash or photo.isreference:
        continue
    check_files(photo)
    best = photo.path_edited if is_there(photo.path_edited) else photo.path
    if is_there(best):
        shown[photo.uuid] = relative(best)

imported = sorted(path for path, row in rows.items() if row["asset"])
compare(None, "the", "files", imported, sorted(expected))

ours = {
    (key.decode(), title): [
        path.decode() for (path,) in database.execute(
            "SELECT path FROM albumItems WHERE album = ? ORDER BY position", (row,))
    ]
    for row, key, title in database.execute("SELECT id, key, title FROM albums")
}
theirs = {
    (album.uuid, album.title): [shown[photo.uuid] for photo in album.photos if photo.uuid in shown]
    for album in photos.album_info
}
compare(None, "the", "albums", sorted(ours), sorted(theirs))
for album in sorted(ours.keys() & theirs.keys()):
    compare(None, album[0], "members", ours[album], theirs[album])


bursts = {relative(photo.path) for photo in everything if photo.burst and is_there(photo.path)}
alone = {path for path in covers if path not in stacked and path not in bursts}
compare(None, "the", "stacks of nothing that osxphotos knows", sorted(alone), [])

for line in differences:
    print(line)
for reason, count in sorted(explained.items()):
    print(f"  {count} explained: {reason}")
print(
    f"{os.path.basename(library)}: {len(imported)} files, {len(ours)} albums, {sum(compared.values())} values of "
    f"{len(compared)} kinds, {len(differences)} differences from osxphotos {osxphotos.__version__}"
)
sys.exit(1 if differences else 0)
