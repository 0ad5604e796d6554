#!/usr/bin/env python3
"""Answers questions of mediabatch in Chromium as a person does.

check_asking.py MEDIABATCH FOLDER

FOLDER is empty. Reads the purpose, searches, sees pictures, selects 3 of 500, allows; denies; is asked anew after
the purpose has changed and keeps the selection; answers with the keyboard alone. Prints one line a check, and exits 1 when one
has failed. Needs playwright and axe-playwright-python of PyPI, and Debian's chromium.
"""

import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import zlib

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
failures = []
markup = "<img src=x onerror=document.title='markup'>.jpg"


def check(name, is_true, found=""):
    print(f"{'ok' if is_true else 'FAILED'}: {name}" + (f" ({found})" if found != "" else ""), flush=True)
    if not is_true:
        failures.append(name)


def png(red, green, blue):
    """A picture of 64 by 48 pixels of one color."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + bytes([red, green, blue]) * 64) * 48
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 48, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def write_manifest(why):
    (folder / "manifest.json").write_text(json.dumps({
        "version": 1, "client": {"identifier": "org.example.test", "name": "<b>Test</b>"},
        "usageDescriptions": {"NSPhotoLibraryUsageDescription": why},
        "sources": {"library": {"path": "Photos"}}, "output": {"path": "Library"}, "onNotDetermined": "ask",
    }), encoding="utf-8")


class Question:
    """A question that waits for an answer in a browser."""

    def __init__(self, *arguments):
        environment = dict(os.environ, XDG_DATA_HOME=str(folder / "data"))
        self.process = subprocess.Popen(
            [program, "access", "ask", "manifest.json", "--web", "--format", "json", *arguments],
            cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.address = ""
        while not self.address:
            line = self.process.stderr.readline()
            if not line:
                raise RuntimeError("no address was printed")
            self.address = "".join(re.findall(r"http://\S+", line))

    def answer(self):
        output, _ = self.process.communicate(timeout=30)
        return json.loads(output)["answer"] if self.process.returncode == 0 else self.process.returncode


def open_page(browser, question, **options):
    context = browser.new_context(**options)
    page = context.new_page()
    page.mistakes = []
    page.on("pageerror", lambda error: page.mistakes.append(str(error)))
    page.on("console", lambda message: page.mistakes.append(message.text) if message.type == "error" else None)
    page.goto(question.address)
    page.locator("[data-choice]").first.wait_for()
    return page


def check_accessible(page, name):
    found = Axe().run(page).response["violations"]
    check(f"{name}: axe finds nothing", not found, ", ".join(item["id"] for item in found))


def run(browser):
    photos = folder / "Photos" / "2026"
    photos.mkdir(parents=True)
    for number in range(499):
        # The extension says nothing of the content.
        (photos / f"IMG_{number:04}.jpg").write_bytes(png(number % 256, 128, 255 - number % 256))
    (photos / "IMG_0003.jpg").write_bytes(b"no picture")
    (photos / markup).write_bytes(b"")
    (photos / "IMG_0498.jpg").unlink()
    (folder / "Photos" / "Trip").mkdir()
    (folder / "Photos" / "Trip" / "only.jpg").write_bytes(png(0, 200, 0))
    write_manifest("You choose <which> photos are published.")

    question = Question()
    page = open_page(browser, question)
    check("the purpose is the first text", page.locator("#why").inner_text() == "You choose <which> photos are published.")
    check("the address holds no token", page.url.endswith("/") and "#" not in page.url, page.url)
    check("the title is the question", page.title() == "<b>Test</b> would like to use your photos", page.title())
    check_accessible(page, "question")
    second = browser.new_context().new_page()
    second.goto(question.address)
    second.get_by_text("open in another window").wait_for()
    check("a second browser is told that the page is open elsewhere", second.locator("[data-choice]").count() == 0)
    page.reload()
    page.locator("[data-choice]").first.wait_for()
    asked = []
    page.on("request", lambda request: asked.append(request.url) if "/picture" in request.url else None)
    page.get_by_role("button", name="Select photos…").click()
    page.get_by_text("500 names.").wait_for()
    check("the first 200 names are shown", page.locator("#names input").count() == 200)
    # The first is the name with markup, which has no content.
    page.locator("#names li").nth(1).locator("img").wait_for()
    tile = page.locator("#names li").nth(4)
    tile.locator(".tile.none").wait_for()
    check("what is no picture has its name and a sign", "no picture" in tile.inner_text() and "IMG_0003" in tile.inner_text())
    color = page.evaluate("""async () => {
        const canvas = document.createElement("canvas").getContext("2d");
        canvas.drawImage(document.querySelector("#names img"), 0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data];
    }""")
    check("a picture shows what its file shows", color[2] > 240 and color[0] < 15, color)
    page.wait_for_timeout(1_000)
    check("only pictures in view are fetched", 0 < len(asked) < 100, len(asked))
    page.locator("#names li").nth(199).scroll_into_view_if_needed()
    page.locator("#names li").nth(199).locator("img").wait_for()
    check("the others come as they are scrolled to", True)
    page.get_by_label("Album").select_option(label="Trip (1)")
    page.get_by_text("1 name.").wait_for()
    check("an album shows its own", "only.jpg" in page.locator("#names li").inner_text())
    page.get_by_label("Album").select_option(label="All folders")
    page.get_by_text("500 names.").wait_for()
    page.get_by_role("button", name="Show more").click()
    page.locator("#names input").nth(399).wait_for()
    check_accessible(page, "picker")
    for name in ["IMG_0042", "IMG_0123", "IMG_0497"]:
        page.get_by_label("Search").fill(name)
        page.locator("#names li").get_by_text(name).and_(page.locator("#names li:only-child bdi")).wait_for()
        page.locator("#names input").first.check()
    page.get_by_label("Search").fill("onerror")
    page.get_by_text(markup).wait_for()
    check("a name with markup is text", page.title() != "markup" and page.locator("#names img[src=x]").count() == 0)
    check("what a search hides stays selected", page.locator("#count").inner_text() == "3 selected", page.locator("#count").inner_text())
    page.get_by_role("button", name="Allow selected").click()
    page.get_by_text("You can close this page.").wait_for()
    answer = question.answer()
    wanted = [f"2026/IMG_{number}.jpg" for number in ["0042", "0123", "0497"]]
    check("3 of 500 are allowed", answer["authorizationStatus"] == "limited" and answer["selection"] == wanted, answer)
    check("nothing went wrong in the page", not page.mistakes, page.mistakes)

    write_manifest("Another reason.")
    question = Question()
    page = open_page(browser, question, color_scheme="dark")
    check("a changed purpose is asked anew, and said", "the reason why" in page.locator("#changes").inner_text())
    check_accessible(page, "dark")
    # With the keyboard alone.
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.locator(":focus").inner_text() == "Keep current selection":
            break
    page.keyboard.press("Enter")
    page.get_by_text("You can close this page.").wait_for()
    answer = question.answer()
    check("the selection is kept", answer["authorizationStatus"] == "limited" and answer["selection"] == wanted, answer)

    question = Question("library")
    page = open_page(browser, question, viewport={"width": 320, "height": 640})
    check("the status is said to who names the source", page.locator("#now").inner_text() != "")
    check("a narrow window needs no scrolling sideways", page.evaluate("document.documentElement.scrollWidth") <= 320)
    page.get_by_role("button", name="Don’t allow").click()
    page.get_by_text("You can close this page.").wait_for()
    check("denied", question.answer()["authorizationStatus"] == "denied")


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    run(browser)
    browser.close()
if failures:
    print(f"{len(failures)} failed", file=sys.stderr)
    sys.exit(1)
print("all checks have passed")
