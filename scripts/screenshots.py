#!/usr/bin/env python3
"""Makes the pictures of a gallery in docs/images anew, from photographs of a Debian package.

.build/web/bin/python scripts/screenshots.py MEDIABATCH [PACKAGE.deb]

The photographs are those of lomiri-wallpapers-16.04, which apt-get downloads into a temporary folder and nothing
installs; their authors and licenses are in docs/images/LICENSES.md. Some are there a second time, cut, so that the
pages have pictures of all shapes; dates are invented. Not part of `make test`: it takes the network. MEDIABATCH is
a built program, such as .build/release/mediabatch. Needs dpkg, playwright and Pillow (`make test-web` installs both) and
Debian's chromium.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

from PIL import Image
from playwright.sync_api import sync_playwright

PACKAGE = "lomiri-wallpapers-16.04"
IMAGES = pathlib.Path(__file__).resolve().parent.parent / "docs" / "images"
WHOLE = (0, 0, 1, 1)
DATE_TIME_ORIGINAL, EXIF = 0x9003, 0x8769

# The file, its title, the day, and the part of it: left, upper, right, lower.
PHOTOS = [
    ("sunset_by_Aitzol_Berasategi", "Last light", "2025:08:30", (0.06, 0, 1, 1)),
    ("Bridge_by_Sander_Klootwijk", "Cables", "2025:08:30", (0.3, 0, 0.72, 1)),
    ("Bridge_by_Sander_Klootwijk", "The estuary", "2025:08:30", WHOLE),
    ("seeding_by_Clements_Engelhardt", "Dandelions", "2025:08:29", WHOLE),
    ("friends_by_Aitzol_Berasategi", "Neighbors", "2025:08:29", WHOLE),
    ("Picture_0B_by_freespace", "A fig", "2025:08:28", WHOLE),
    ("sunset_by_Aitzol_Berasategi", "The ridge", "2025:08:28", (0, 0.28, 1, 0.62)),
    ("Picture_1A_by_freespace", "Brushes", "2025:08:27", WHOLE),
    ("Dragonfly_by_Bolly", "Dragonfly", "2025:08:27", WHOLE),
    ("picosdeeuropa_by_Aitzol_Berasategi", "The path", "2025:07:19", WHOLE),
    ("picosdeeuropa_by_Aitzol_Berasategi", "Snow in July", "2025:07:19", (0.35, 0.05, 1, 0.75)),
    ("life_by_Aitzol_Berasategi", "The brook", "2025:07:18", WHOLE),
    ("life_by_Aitzol_Berasategi", "Steps of water", "2025:07:18", (0.3, 0, 0.72, 1)),
    ("Wine_by_Jakkub_Mede", "Evening", "2025:07:18", WHOLE),
    ("seeding_by_Clements_Engelhardt", "One of many", "2025:06:02", (0.1, 0, 0.5, 0.9)),
    ("aitzgorri_by_Aitzol_Berasategi", "Aizkorri", "2024:11:09", WHOLE),
    ("aitzgorri_by_Aitzol_Berasategi", "Larches", "2024:11:09", (0, 0.3, 1, 0.75)),
    ("Dragonfly_by_Bolly", "Hazel", "2024:10:12", (0, 0, 0.45, 0.9)),
    ("picosdeeuropa_by_Aitzol_Berasategi", "The pass", "2024:09:21", (0, 0, 0.62, 0.75)),
]
ALBUMS = {
    "Coast": {"Last light", "Cables", "The estuary", "The ridge"},
    "Mountains": {"The path", "Snow in July", "Aizkorri", "Larches", "The pass", "The brook", "Steps of water"},
}


def photographs(folder, package):
    """The package's photographs; of an archive that is there, or of one that is downloaded."""
    if package is None:
        subprocess.run(["apt-get", "download", "--quiet", PACKAGE], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        package = next(folder.glob("*.deb"))
    subprocess.run(["dpkg-deb", "--extract", package, folder / "package"], check=True)
    return folder / "package" / "usr" / "share" / "backgrounds"


def write_sources(backgrounds, folder):
    for position, (name, title, day, (left, upper, right, lower)) in enumerate(PHOTOS):
        picture = Image.open(backgrounds / f"{name}.jpg")
        picture.draft("RGB", (2400, 2400))
        width, height = picture.size
        picture = picture.crop((int(left * width), int(upper * height), int(right * width), int(lower * height)))
        picture.thumbnail((2000, 2000))
        tags = Image.Exif()
        tags[EXIF] = {DATE_TIME_ORIGINAL: f"{day} {20 - position % 3}:00:00"}
        album = next((album for album, titles in ALBUMS.items() if title in titles), "")
        (folder / album).mkdir(parents=True, exist_ok=True)
        picture.convert("RGB").save(folder / album / f"{title}.jpg", quality=92, exif=tags)


def make_gallery(program, folder):
    manifest = {
        "version": 1,
        "client": {"identifier": "org.example.gallery"},
        "usageDescriptions": {"NSPhotoLibraryUsageDescription": "The gallery shows them."},
        "sources": {"library": {"path": "Photos", "authorizationStatus": "authorized"}},
        "metadata": {"policy": "keep"},
        "labels": {"template": "{originalName}"},
        "albums": {"fromFolders": True},
        "thumbnails": {"grid": {"size": [512, 512]}, "large": {"size": [1600, 1600]}},
        "output": {"path": "Library"},
    }
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    environment = dict(os.environ, XDG_DATA_HOME=str(folder / "home"))
    for command in [["run", "manifest.json"],
                    ["gallery", "Library", "site", "--title", "Coast & Hills", "--choose", "5", "--originals"]]:
        subprocess.run([program, *command], cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
    return (folder / "site" / "index.html").as_uri()


def settle(page):
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(2000)


def shoot(page, name, quality=78):
    settle(page)
    path = IMAGES / f"gallery-{name}.jpg"
    with tempfile.NamedTemporaryFile(suffix=".png") as shot:
        page.screenshot(path=shot.name)
        Image.open(shot.name).convert("RGB").save(path, quality=quality, optimize=True, progressive=True)
    print(f"{path.relative_to(IMAGES.parent.parent)}: {path.stat().st_size:,} bytes")


def take(browser, address):
    def window(width, height, scheme="light", **options):
        page = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, **options).new_page()
        page.goto(address)
        return page

    shoot(window(1280, 1200), "pictures-1280-light")
    page = window(1280, 800)
    page.locator('a[data-title="Snow in July"]').click()
    page.keyboard.press("i")
    shoot(page, "viewer-1280")
    page = window(2560, 1440, "dark")
    page.locator(".month").first.evaluate("month => month.scrollIntoView()")
    shoot(page, "pictures-2560-dark", 72)
    page = window(360, 740, has_touch=True, is_mobile=True, device_scale_factor=2)
    for title in ("Last light", "Dandelions", "The path"):
        page.locator(f'li:has(a[data-title="{title}"]) .heart').tap()
    page.locator(".month").first.evaluate("month => month.scrollIntoView()")
    shoot(page, "favorites-360", 72)


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    package = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        folder = pathlib.Path(scratch)
        write_sources(photographs(folder, package), folder / "Photos")
        address = make_gallery(program, folder)
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        take(browser, address)
        browser.close()


if __name__ == "__main__":
    main()
