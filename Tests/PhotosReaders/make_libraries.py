#!/usr/bin/env python3
"""Makes Photos libraries that say what the public one does not: each is a copy with other values in its database.

make_libraries.py PHOTOSLIBRARY FILM CORPUS FOLDER    Prints the path of each library that it makes.

The public libraries of osxphotos' own tests are in its repository and not in its source distribution; one of them is in
the corpus. It has no portrait, selfie, spatial picture, burst, live photo or film.
"""

import datetime
import os
import shutil
import sqlite3
import struct
import subprocess
import sys
import unicodedata

source, film, corpus, folder = sys.argv[1:]
raw = f"{corpus}/visible/raw/DNG.dng"
live = f"{corpus}/visible/livephoto"


class Library:
    def __init__(self, name):
        self.path = os.path.join(folder, f"{name}.photoslibrary")
        shutil.copytree(source, self.path, copy_function=shutil.copyfile)
        for parent, folders, files in os.walk(self.path):
            os.chmod(parent, 0o755)
            for file in files:
                os.chmod(os.path.join(parent, file), 0o644)
                # One without data may not be opened for writing.
                if file.endswith(("-wal", "-shm")):
                    os.remove(os.path.join(parent, file))
        self.database = sqlite3.connect(f"{self.path}/database/Photos.sqlite")
        self.database.create_function("NSCoreDataDATriggerInsertUpdatedAffectedObjectValue", -1, lambda *_: None)
        for (trigger,) in self.database.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
            self.database.execute(f'DROP TRIGGER "{trigger}"')
        # What is here and may be shown, in a fixed order.
        self.assets = [
            (key, uuid, directory, file)
            for key, uuid, directory, file in self.database.execute(
                "SELECT Z_PK, ZUUID, ZDIRECTORY, ZFILENAME FROM ZASSET WHERE ZTRASHEDSTATE = 0 ORDER BY ZUUID"
            )
            if os.path.exists(f"{self.path}/originals/{directory}/{file}")
        ]

    def set(self, index, more=None, **values):
        """Sets columns of an asset, and of its attributes."""
        key = self.assets[index % len(self.assets)][0]
        for table, owner, columns in (("ZASSET", "Z_PK", values), ("ZADDITIONALASSETATTRIBUTES", "ZASSET", more or {})):
            for column, value in columns.items():
                self.database.execute(f"UPDATE {table} SET {column} = ? WHERE {owner} = ?", (value, key))

    def set_date(self, index, *local):
        """Sets the date to a local time, that of the asset's offset from UTC."""
        since = datetime.datetime(*local) - datetime.datetime(2001, 1, 1)
        self.set(index, {"ZTIMEZONEOFFSET": 7200}, ZDATECREATED=since.total_seconds() - 7200)

    def original(self, index, end=""):
        key, uuid, directory, file = self.assets[index]
        return f"{self.path}/originals/{directory}/{uuid}{end}"

    def write(self, path, model, mark):
        """Copies a file; a film gets a box of its own, so that no two have the same bytes."""
        with open(model, "rb") as file:
            content = file.read()
        if model.lower().endswith((".mp4", ".mov")):
            content += struct.pack(">I", 8 + len(mark)) + b"free" + mark.encode()
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)

    def make_film(self, index, **values):
        key, uuid, directory, file = self.assets[index]
        os.remove(f"{self.path}/originals/{directory}/{file}")
        shutil.rmtree(f"{self.path}/resources/renders/{directory}", ignore_errors=True)
        self.write(self.original(index, ".mov"), film, uuid)
        self.set(index, ZKIND=1, ZFILENAME=f"{uuid}.mov", ZUNIFORMTYPEIDENTIFIER="com.apple.quicktime-movie",
                 ZHASADJUSTMENTS=0, **values)

    def close(self):
        self.database.commit()
        self.database.execute("PRAGMA journal_mode = DELETE")
        self.database.close()
        print(self.path)


def kinds():
    library = Library("Kinds")
    library.database.execute("ALTER TABLE ZASSET ADD COLUMN ZSPATIALTYPE INTEGER")
    for index, (kind, depth, camera, rendering, spatial) in enumerate([
        (1, 0, 0, 0, 0), (10, 0, None, 0, None), (0, 1, 1, 7, 0), (0, 2, 0, 8, 1), (0, 0, 1, 3, 2),
        (0, None, 2, 6, 0), (0, 1, None, 3, 1), (0, 0, 0, 4, 0), (None, 0, 1, None, 0), (0, 0, 0, 2, 2),
    ]):
        library.set(index, {"ZCAMERACAPTUREDEVICE": camera}, ZKINDSUBTYPE=kind, ZDEPTHTYPE=depth, ZHDRTYPE=rendering,
                 ZSPATIALTYPE=spatial)
    library.close()


def films():
    library = Library("Films")
    library.database.execute("ALTER TABLE ZASSET ADD COLUMN ZSPATIALTYPE INTEGER")
    for index, (kind, spatial, camera, depth, rendering) in enumerate([
        (101, 0, 0, 0, 0), (102, 0, 0, 0, 0), (103, 0, 0, 0, 0), (0, 1, 0, 0, 0), (0, 2, 1, 0, 0), (0, 0, 0, 1, 3),
        (0, 0, 0, 0, 6),
    ]):
        library.make_film(index, ZKINDSUBTYPE=kind, ZSPATIALTYPE=spatial, ZDEPTHTYPE=depth, ZHDRTYPE=rendering)
        library.set(index, {"ZCAMERACAPTUREDEVICE": camera})
    library.close()


def bursts():
    library = Library("Bursts")
    for index, pick in enumerate([2, 4 | 2, 8 | 2, 16 | 8, 0, None]):
        burst = "6B0D6F0E-0000-4000-8000-000000000001" if index < 4 else "6B0D6F0E-0000-4000-8000-000000000002"
        library.set(index, ZAVALANCHEUUID=burst, ZAVALANCHEPICKTYPE=pick)
    library.close()


def pairs():
    """Live photos, one of them edited, some whose files lack the camera's identifier, one whose movie is not there; raw
    files beside their JPEG."""
    library = Library("Pairs")
    for index, (key, uuid, directory, file) in enumerate(library.assets):
        rendition = f"{library.path}/resources/renders/{directory}/{uuid}_1_201_a.jpeg"
        is_raw = library.database.execute(
            "SELECT 1 FROM ZINTERNALRESOURCE WHERE ZDATASTORESUBTYPE = 17 AND ZASSET = ?", (key,)
        ).fetchone()
        if is_raw:
            path = library.original(index, "_4.dng")
            library.write(path, raw, uuid)
            # The same shot has the same date.
            subprocess.run(
                ["exiftool", "-q", "-overwrite_original", "-TagsFromFile", library.original(index, ".jpeg"), "-AllDates", path],
                check=True,
            )
            continue
        library.set(index, ZKINDSUBTYPE=2)
        still, movie, more = f"{live}/train.jpg", f"{live}/train.mov", rendition
        taken = (2021, 4, 10, 11, 44, 0)
        if index == 0:
            continue
        if index == 1:
            still, movie, more = f"{live}/IMG_3853.HEIC", f"{live}/IMG_3853.MOV", None
            taken = (2025, 1, 1, 11, 6, 47)
            os.remove(library.original(index, ".jpeg"))
            library.set(index, ZFILENAME=f"{uuid}.heic")
        if index in (1, 3):
            library.set_date(index, *taken)
            suffix = os.path.splitext(still)[1].lower().replace("jpg", "jpeg")
            library.write(library.original(index, suffix), still, uuid)
            library.write(library.original(index, "_3.mov"), movie, uuid)
            if more:
                library.write(rendition, still, uuid)
                with open(rendition, "ab") as file:
                    file.write(b"edited")
                library.write(rendition.replace("_1_201_a.jpeg", "_2_100_a.mov"), movie, f"edited {uuid}")
            continue
        library.write(library.original(index, "_3.mov"), film, uuid)
        if os.path.exists(rendition):
            library.write(rendition.replace("_1_201_a.jpeg", "_2_100_a.mov"), film, f"edited {uuid}")
    library.close()


def put_away():
    library = Library("PutAway")
    library.set(0, ZHIDDEN=1)
    library.set(1, ZHIDDEN=1, ZFAVORITE=1)
    library.set(2, ZTRASHEDSTATE=1)
    library.set(3, ZFAVORITE=1)
    for index in (4, 5):
        library.database.execute(
            "UPDATE ZINTERNALRESOURCE SET ZLOCALAVAILABILITY = -1 WHERE ZDATASTORESUBTYPE = 1 AND ZASSET = ?",
            (library.assets[index][0],),
        )
        os.remove(library.original(index, os.path.splitext(library.assets[index][3])[1]))
    library.close()


def texts():
    library = Library("Texts")
    library.set(0, {"ZTITLE": "A title", "ZASSETDESCRIPTION": None})
    library.set(1, {"ZTITLE": unicodedata.normalize("NFD", "Zürich 👩‍👩‍👧 میخواهم"), "ZASSETDESCRIPTION": None})
    library.set(2, {"ZORIGINALFILENAME": "Photo 1.2.2026.jpeg"})
    library.set(3, {"ZORIGINALFILENAME": unicodedata.normalize("NFD", "Café.JPG")})
    library.set(4, {"ZORIGINALFILENAME": "no extension"})
    words = library.database.execute("SELECT Z_PK FROM ZKEYWORD ORDER BY Z_PK").fetchall()
    for (key,), word in zip(words, [unicodedata.normalize("NFD", "Élan"), "two, words", "élan"]):
        library.database.execute("UPDATE ZKEYWORD SET ZTITLE = ? WHERE Z_PK = ?", (word, key))
    named = library.database.execute("SELECT Z_PK FROM ZPERSON WHERE ZFULLNAME > '' ORDER BY Z_PK").fetchall()
    if len(named) > 1:
        library.database.execute("UPDATE ZPERSON SET ZMERGETARGETPERSON = ? WHERE Z_PK = ?", (named[0][0], named[1][0]))
    library.close()


def places():
    library = Library("Places")
    for index, (latitude, longitude) in enumerate([
        (0.0, 0.0), (-180.0, -180.0), (None, None), (91.0, 5.0), (48.85341, 2.3488), (-34.6037, -58.3816), (90.0, 180.0),
        (5.0, -180.0),
    ]):
        library.set(index, ZLATITUDE=latitude, ZLONGITUDE=longitude)
    library.close()


def dates():
    library = Library("Dates")
    for index, (seconds, offset) in enumerate([
        (0.0, 0), (500_000_000.25, 19_800), (-3_000_000_000.0, -12_600), (None, None), (600_000_000.0, None),
    ]):
        library.set(index, {"ZTIMEZONEOFFSET": offset, "ZTIMEZONENAME": None}, ZDATECREATED=seconds)
    # A film whose headers state no date has that of Photos.
    library.make_film(5)
    with open(library.original(5, ".mov"), "r+b") as file:
        content = bytearray(file.read())
        for box in (b"mvhd", b"tkhd", b"mdhd"):
            offset = content.find(box)
            while offset >= 0:
                content[offset + 8:offset + 16] = bytes(8)
                offset = content.find(box, offset + 4)
        file.seek(0)
        file.write(content)
    library.close()


for make in (kinds, films, bursts, pairs, put_away, texts, places, dates):
    make()
