#!/usr/bin/env python3
"""Answers questions of mediabatch in Chromium as a person does.

check_asking.py MEDIABATCH FOLDER

FOLDER is empty. Reads the purpose, searches, selects 3 of 500, allows; denies; is asked anew after the purpose has
changed and keeps the selection; answers with the keyboard alone. Prints one line a check, and exits 1 when one
has failed. Needs playwright and axe-playwright-python of PyPI, and Debian's chromium.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
failures = []
markup = "<img src=x onerror=document.title='markup'>.jpg"


def check(name, is_true, found=""):
    print(f"{'ok' if is_true else 'FAILED'}: {name}" + (f" ({found})" if found != "" else ""), flush=True)
    if not is_true:
        failures.append(name)


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
        (photos / f"IMG_{number:04}.jpg").write_bytes(b"")
    (photos / markup).write_bytes(b"")
    write_manifest("You choose <which> photos are published.")

    question = Question()
    page = open_page(browser, question)
    check("the purpose is the first text", page.locator("#why").inner_text() == "You choose <which> photos are published.")
    check("the address holds no token", page.url.endswith("/") and "#" not in page.url, page.url)
    check("the title is the question", "asks to read the photo library" in page.title(), page.title())
    check_accessible(page, "question")
    second = browser.new_context().new_page()
    second.goto(question.address)
    second.get_by_text("open in another window").wait_for()
    check("a second browser is told that the page is open elsewhere", second.locator("[data-choice]").count() == 0)
    page.reload()
    page.locator("[data-choice]").first.wait_for()
    page.get_by_role("button", name="Select photos…").click()
    page.get_by_text("500 names.").wait_for()
    check("the first 200 names are shown", page.locator("#names input").count() == 200)
    page.get_by_role("button", name="Show more").click()
    page.locator("#names input").nth(399).wait_for()
    check_accessible(page, "picker")
    for name in ["IMG_0042", "IMG_0123", "IMG_0498"]:
        page.get_by_label("Search").fill(name)
        page.locator("#names li").get_by_text(name).and_(page.locator("#names li:only-child bdi")).wait_for()
        page.locator("#names input").first.check()
    page.get_by_label("Search").fill("onerror")
    page.get_by_text(markup).wait_for()
    check("a name with markup is text", page.title() != "markup" and page.locator("#names img").count() == 0)
    check("what a search hides stays selected", page.locator("#count").inner_text() == "3 selected", page.locator("#count").inner_text())
    page.get_by_role("button", name="Allow selected").click()
    page.get_by_text("You can close this page.").wait_for()
    answer = question.answer()
    wanted = [f"2026/IMG_{number}.jpg" for number in ["0042", "0123", "0498"]]
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
