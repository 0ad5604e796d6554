"""The parts about libraries of many small files: import, second run, questions, verify, repair, merge, memory."""

import json
import os
import shutil
import sqlite3
import sys

import contest
import copies
import goals
import media
import process

# A part over so many files is measured once, and without a warm-up.
ONCE = 50_000
# The limit of files that stay in the folder of media for the next time.
KEPT = 100_000


def small_files(bench, count):
    if count > KEPT:
        folder = bench.scratch / f"small-{count}"
        if not folder.exists():
            bench.say(f"making {count:,} small JPEGs")
            media.small_jpegs(folder, count)
        return folder
    return bench.made(f"small-{count}", lambda folder: media.small_jpegs(folder, count))


def paired_files(bench, count):
    """Pairs of a picture and its edited rendition, so that each asset is in a stack of two; no name is there twice."""
    def make(folder):
        media.small_jpegs(folder, count)
        for index, part in enumerate(sorted(folder.iterdir())):
            # iOS has three letters before the number and the mark of an edited rendition.
            letters = "".join(chr(ord("A") + index // 26 ** power % 26) for power in (2, 1, 0))
            for number, file in enumerate(sorted(part.iterdir())):
                file.rename(part / f"{letters}_{'E' if number % 2 else ''}{number // 2:04}.JPG")

    return bench.made(f"named-pairs-{count}", make)


def library(bench, kind, count):
    """Returns the manifest of a library that a run has imported, and the result of that run."""
    key = (kind, count)
    if key not in bench.libraries:
        paired = kind == "pairs"
        source = paired_files(bench, count) if paired else small_files(bench, count)
        manifest = media.manifest(
            bench.scratch / f"{kind}-{count}-library", source, policy="keep" if paired else "strip",
            sizes=() if paired else (256,), kind="library", albums=paired)
        bench.say(f"importing {count:,} {kind}")
        bench.libraries[key] = manifest, bench.fresh(manifest, count, sample=process.highest_rss)
    return bench.libraries[key]


def make_room(bench, *kept):
    """Removes the libraries that parts have shared and all else that they left, but for these folders."""
    bench.libraries.clear()
    for path in bench.scratch.iterdir():
        if path.name not in kept:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def once(count, contestants, **options):
    """Returns a scene that is measured once if it has many files."""
    if count >= ONCE:
        options |= {"rounds": 1, "warm_up": False}
    return contest.Scene(contestants, count=count, **options)


def scale(bench, count):
    if count >= ONCE:
        return once(count, {"mediabatch": lambda: library(bench, "small", count)[1]})
    manifest = media.manifest(bench.scratch / f"scale-{count}", small_files(bench, count))
    return contest.Scene({"mediabatch": lambda: bench.fresh(manifest, count)}, count=count)


def small(bench, about):
    """An import of small files by this build, by the other one if there is one, and by `floors/small.c`, which does the
    least that makes the same folders. It is about how many files there are, or about "calls": system calls."""
    floor = bench.compiled("small")
    programs = {"mediabatch": bench.program} | ({"other": bench.other} if bench.other else {})

    def command_of(program):
        def command(count):
            manifest = media.manifest(bench.scratch / f"small-calls-{count}", small_files(bench, count))
            bench.put_away(media.library_of(manifest))
            return [program, "run", str(manifest)]

        return command

    def floor_command(count):
        folder = bench.scratch / "small-floor"
        bench.put_away(folder)
        return [floor, str(small_files(bench, count)), str(folder)]

    if about == "calls":
        commands = {name: command_of(program) for name, program in programs.items()}
        return calls_scene(bench, {**commands, "floor": floor_command}, 500, 2_000)
    manifest = media.manifest(bench.scratch / "small", small_files(bench, about))

    def least():
        command = floor_command(about)
        os.sync()
        result = process.check(command)
        if (made := len(media.files(command[-1]))) != 2 * about:
            sys.exit(f"bench: the floor made {made} of {2 * about}")
        return result

    contestants = {
        name: lambda program=program: bench.fresh(manifest, about, program=program)
        for name, program in programs.items()}
    return once(about, {**contestants, "floor": least})


def growth(bench, count):
    """What the import of many files takes more than that of a tenth, for each file more."""
    def grown():
        large, few = (library(bench, "small", one)[1].peak for one in (count, count // 10))
        return contest.Value(large - few)

    return contest.Scene({"mediabatch": grown}, count=count - count // 10, rounds=1, warm_up=False)


def calls(bench, _):
    """System calls of a second run over unchanged files."""
    def command(count):
        manifest = media.manifest(bench.scratch / f"calls-{count}", small_files(bench, count))
        bench.fresh(manifest, count)
        return [bench.program, "run", str(manifest)]

    return calls_scene(bench, {"unchanged": command}, 200, 2_200)


def calls_scene(bench, commands, few, many):
    """Counts the system calls of all processes for many files beyond those for a few, so that those which begin and end
    a run are not counted. Each of the commands is a function of how many small files there are."""
    if shutil.which("strace") is None:
        raise process.Missing("strace")

    def counted(command):
        summary = bench.scratch / "calls.txt"
        process.check(["strace", "-f", "-c", "-q", "-U", "calls,name", "-o", str(summary), *command])
        (total,) = [line.split()[0] for line in summary.read_text().splitlines() if line.endswith(" total")]
        return int(total)

    contestants = {
        name: lambda command=command: contest.Value(counted(command(many)) - counted(command(few)))
        for name, command in commands.items()}
    return contest.Scene(contestants, count=many - few, rounds=1, warm_up=False)


def unchanged(bench, count):
    manifest = library(bench, "small", count)[0]
    source, copy = small_files(bench, count), bench.scratch / f"copy-{count}"
    bench.say("copying the tree for rsync")
    process.check(["rsync", "-a", f"{source}/", f"{copy}/"])
    return contest.Scene(
        {"mediabatch": lambda: bench.run(manifest, count, "unchanged")}, count=count,
        places={"source": source, "copy": copy})


def start(bench, _):
    """The program that does nothing, and a run over one file that is unchanged."""
    source = small_files(bench, 1)

    def contestant(policy):
        manifest = media.manifest(bench.scratch / f"start-{policy}", source, policy=policy, sizes=())
        bench.fresh(manifest, 1)
        return lambda: bench.run(manifest, 1, "unchanged")

    return contest.Scene(
        {"--version": lambda: bench.ask("--version"), "strip": contestant("strip"), "keep": contestant("keep")},
        rounds=20)


def asking(bench, count):
    manifest = library(bench, "pairs" if count <= KEPT else "small", count)[0]
    folder = media.library_of(manifest)
    assets = [json.loads(line) for line in bench.ask("list", folder, "--format", "ndjson").output.splitlines()]
    if len(assets) != count:
        sys.exit(f"bench: {len(assets)} assets of {count}")
    middle = assets[count // 2]
    places = {
        "ID": middle["localIdentifier"], "LABEL": middle["label"],
        "PATH": next(folder.glob(middle["files"][0]["path"])),
    }

    def contestant(words):
        first = 2 if words[0] in ("audit", "stack") else 1
        command = [*words[:first], folder, *(places.get(word, word) for word in words[first:])]
        # A log without a signed head is no error of the question.
        return lambda: bench.ask(*command, statuses=(0, 5))

    contestants = {words: contestant(words.split()) for words in goals.QUESTIONS}
    return contest.Scene(contestants, count=count, rounds=3 if count > KEPT else None)


def verify(bench, about):
    kind, count = about
    folder = media.library_of(megabytes(bench, count) if kind == "megabytes" else library(bench, kind, count)[0])
    names = bench.scratch / "names"
    names.write_bytes(b"\0".join(
        os.fsencode(path) for top in ("Originals", "Audit") for path in media.files(folder / top)))
    contestants = {"mediabatch": lambda: bench.ask("verify", folder, sample=process.all_pss)}
    return once(count, contestants, places={"names": names})


def megabytes(bench, count):
    """Imports files of 1 MB as they are, and returns the manifest: the bytes are in comments of random values."""
    source = bench.empty(f"megabytes-{count}")
    (picture,) = media.files(small_files(bench, 1))
    content = picture.read_bytes()
    bench.say(f"making {count:,} files of 1 MB")
    for number in range(count):
        comments = b"".join(b"\xff\xfe\xff\xff" + os.urandom(65_533) for _ in range(16))
        path = source / f"{number // 1000:03}" / f"{number:06}.jpg"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content[:2] + comments + content[2:])
    manifest = media.manifest(bench.scratch / "megabytes", source, policy="keep", sizes=(), kind="library")
    bench.fresh(manifest, count)
    return manifest


def repair(bench, count):
    folder = media.library_of(library(bench, "small", count)[0])
    return once(count, {"mediabatch": lambda: bench.ask("repair", folder, sample=process.all_pss)})


def report(bench, count):
    folder = media.library_of(library(bench, "small", count)[0])
    return once(count, {
        "mediabatch": lambda: bench.ask("report", folder, "--format", "html", sample=process.all_pss, statuses=(0, 5))})


def merge(bench, count):
    """Imports the shards of a plan one after another; what is measured makes one library of them."""
    if count > KEPT:
        make_room(bench, f"small-{count}")
    folder = bench.empty("merge")
    manifest = media.manifest(folder, small_files(bench, count))
    shards = 8 if count > KEPT else 2
    bench.ask("shards", "plan", manifest, "--shards", shards, "--output", folder / "Plan")
    for number in range(1, shards + 1):
        bench.say(f"shard {number} of {shards}")
        bench.ask("shards", "run", folder / "Plan", "--shard", number)

    def merged():
        # A folder that takes the place of one just removed costs more: ext4 passes over its inodes for some seconds.
        output = folder / f"Merged-{len(list(folder.glob('Merged-*')))}"
        return bench.ask("shards", "merge", folder / "Plan", "--output", output, sample=process.all_pss)

    return once(count, {"mediabatch": merged})


def pages(bench, _):
    """A contact sheet and a gallery of a library with 1,000 pictures."""
    def make(folder):
        first = folder / "first.jpg"
        process.check([
            "convert", "-size", "1024x768", "-seed", "1", "plasma:fractal", "-strip", "-quality", "85", str(first)])
        copies.enlarge([first], folder, 1000)
        first.unlink()

    manifest = media.manifest(bench.scratch / "pages", bench.made("pages-1000", make), sizes=(256, 512))
    bench.fresh(manifest, 1000)
    folder = media.library_of(manifest)

    def contestant(command):
        def made():
            output = bench.scratch / command
            bench.put_away(output)
            return bench.ask(command, folder, output)

        return made

    return contest.Scene({command: contestant(command) for command in ("contact-sheet", "gallery")}, count=1000)


# A Photos library of macOS 13, with the tables that tell of assets. Nothing of it is on this machine, as when Photos
# keeps its originals in iCloud.
PHOTOS = """
    CREATE TABLE ZASSET (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZKIND INTEGER, ZKINDSUBTYPE INTEGER,
      ZFAVORITE INTEGER, ZHIDDEN INTEGER, ZTRASHEDSTATE INTEGER, ZHASADJUSTMENTS INTEGER, ZSAVEDASSETTYPE INTEGER,
      ZAVALANCHEPICKTYPE INTEGER, ZADDITIONALATTRIBUTES INTEGER, ZCLOUDBATCHPUBLISHDATE TIMESTAMP,
      ZDATECREATED TIMESTAMP, ZLATITUDE FLOAT, ZLONGITUDE FLOAT, ZAVALANCHEUUID VARCHAR, ZDIRECTORY VARCHAR,
      ZFILENAME VARCHAR, ZUUID VARCHAR);
    CREATE TABLE ZADDITIONALASSETATTRIBUTES (Z_PK INTEGER PRIMARY KEY, ZASSET INTEGER, ZASSETDESCRIPTION INTEGER,
      ZTIMEZONEOFFSET INTEGER, ZORIGINALFILENAME VARCHAR, ZTITLE VARCHAR);
    CREATE TABLE ZASSETDESCRIPTION (Z_PK INTEGER PRIMARY KEY, ZASSETATTRIBUTES INTEGER, ZLONGDESCRIPTION VARCHAR);
    CREATE TABLE ZINTERNALRESOURCE (Z_PK INTEGER PRIMARY KEY, ZASSET INTEGER, ZDATASTORESUBTYPE INTEGER,
      ZLOCALAVAILABILITY INTEGER, ZREMOTEAVAILABILITY INTEGER);
    CREATE TABLE ZGENERICALBUM (Z_PK INTEGER PRIMARY KEY, ZKIND INTEGER, ZTRASHEDSTATE INTEGER, ZPARENTFOLDER INTEGER,
      ZTITLE VARCHAR, ZUUID VARCHAR);
    CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, ZMERGETARGETPERSON INTEGER, ZDISPLAYNAME VARCHAR,
      ZFULLNAME VARCHAR);
    CREATE TABLE ZDETECTEDFACE (Z_PK INTEGER PRIMARY KEY, ZASSET INTEGER, ZPERSON INTEGER);
    CREATE TABLE ZKEYWORD (Z_PK INTEGER PRIMARY KEY, ZTITLE VARCHAR);
    CREATE TABLE Z_1KEYWORDS (Z_1ASSETATTRIBUTES INTEGER, Z_40KEYWORDS INTEGER,
      PRIMARY KEY (Z_1ASSETATTRIBUTES, Z_40KEYWORDS));
    CREATE TABLE Z_28ASSETS (Z_28ALBUMS INTEGER, Z_3ASSETS INTEGER, Z_FOK_3ASSETS INTEGER,
      PRIMARY KEY (Z_28ALBUMS, Z_3ASSETS));
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'AdditionalAssetAttributes', 0, 9), (28, 'Album', 0, 9);
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    INSERT INTO Z_METADATA VALUES (1, 'X',
      CAST('<plist><dict><key>PLModelVersion</key><integer>16320</integer></dict></plist>' AS BLOB));
    INSERT INTO ZGENERICALBUM VALUES (1, 3999, 0, NULL, NULL, 'ROOT-FOLDER-0001');
    CREATE TEMP TABLE n AS WITH RECURSIVE c(i, uuid) AS (
        SELECT 1, '00000001-0000-4000-8000-000000000000' UNION ALL
        SELECT i + 1, printf('%08X-0000-4000-8000-000000000000', (i + 1) * 40503 % 4294967296) FROM c WHERE i < :count)
      SELECT i, uuid FROM c;
    INSERT INTO ZASSET (Z_PK, ZKIND, ZKINDSUBTYPE, ZFAVORITE, ZHIDDEN, ZTRASHEDSTATE, ZHASADJUSTMENTS, ZSAVEDASSETTYPE,
        ZLATITUDE, ZLONGITUDE, ZADDITIONALATTRIBUTES, ZDATECREATED, ZDIRECTORY, ZFILENAME, ZUUID)
      SELECT i, 0, 0, i % 20 = 0, 0, 0, 0, 3, 53.5, 10.0, i, 600000000 + i, substr(uuid, 1, 1), uuid || '.jpeg', uuid
      FROM n;
    INSERT INTO ZADDITIONALASSETATTRIBUTES (Z_PK, ZASSET, ZTIMEZONEOFFSET, ZORIGINALFILENAME)
      SELECT i, i, 7200, 'IMG_' || i || '.JPG' FROM n;
    INSERT INTO ZINTERNALRESOURCE (ZASSET, ZDATASTORESUBTYPE, ZLOCALAVAILABILITY, ZREMOTEAVAILABILITY)
      SELECT i, 1, -32768, 1 FROM n;
    CREATE INDEX ZADDITIONALASSETATTRIBUTES_ZASSET_INDEX ON ZADDITIONALASSETATTRIBUTES (ZASSET);
    CREATE INDEX ZINTERNALRESOURCE_ZASSET_INDEX ON ZINTERNALRESOURCE (ZASSET);
    INSERT INTO ZKEYWORD VALUES (1, 'holiday'), (2, 'work');
    INSERT INTO Z_1KEYWORDS SELECT i, 1 + i % 2 FROM n WHERE i % 3 = 0;
    INSERT INTO ZGENERICALBUM SELECT i + 1, 2, 0, 1, 'Album ' || i, printf('ALBUM-%04d', i) FROM n WHERE i <= 200;
    INSERT INTO Z_28ASSETS SELECT 2 + i % 200, i, 1024 * i FROM n WHERE i % 2 = 0;
"""


def photos(bench, count):
    """A run, and a dry run, over a Photos library with so many rows, none of whose originals are there."""
    source = bench.empty("photos.photoslibrary")
    for name in ("database", "originals", "resources/renders"):
        (source / name).mkdir(parents=True)
    database = sqlite3.connect(source / "database/Photos.sqlite")
    database.executescript(PHOTOS.replace(":count", str(count)))
    database.close()
    manifest = media.manifest(
        bench.scratch / "photos", source, policy="keep", sizes=(), kind="library", layout="photosLibrary")

    def contestant(*options):
        def run():
            bench.put_away(media.library_of(manifest))
            return bench.ask("run", manifest, *options, "--format", "json", sample=process.all_pss)

        return run

    return contest.Scene(
        {"mediabatch": contestant(), "dry run": contestant("--dry-run")}, count=count, rounds=1, warm_up=False)
