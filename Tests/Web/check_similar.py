#!/usr/bin/env python3
"""Decides about groups of pictures of mediabatch in Chromium as a person does.

check_similar.py MEDIABATCH FOLDER

FOLDER has a library, Library, with one group of four pictures, which is looked at and decided about: the first and the third
stay. Prints one line a check, and exits 1 when one has failed. Needs playwright and axe-playwright-python of PyPI, and
Debian's chromium.
"""

import os
import re
import subprocess
import sys

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

program, folder = sys.argv[1:]
failures = []


def check(name, is_true, detail=""):
    print(f"{'ok' if is_true else 'FAILED'}: {name}" + (f" ({detail})" if detail != "" else ""), flush=True)
    if not is_true:
        failures.append(name)


def start():
    process = subprocess.Popen(
        [program, "similar", "Library", "--act", "--web", "--format", "json"], cwd=folder, stdin=subprocess.DEVNULL,
        env=dict(os.environ, XDG_DATA_HOME=folder + "/data"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True)
    address = ""
    while not address:
        line = process.stderr.readline()
        if not line:
            raise RuntimeError("no address was printed")
        address = "".join(re.findall(r"http://\S+", line))
    return process, address


def check_accessible(page, name):
    """Looks at a page in light and dark, on a phone and on a wide screen."""
    violations = set()
    for scheme in ["light", "dark"]:
        page.emulate_media(color_scheme=scheme)
        for width in [360, 1280, 2560]:
            page.set_viewport_size({"width": width, "height": 900})
            # On the way to another scheme colors have less contrast; the window has its size a moment later, too.
            page.wait_for_function("""(width) => innerWidth === width
                && document.getAnimations().every(({ playState }) => playState !== 'running')""", arg=width)
            violations |= {f"{width} {scheme}: {item['id']}" for item in Axe().run(page).response["violations"]}
            if page.evaluate("document.documentElement.scrollWidth") > width:
                violations.add(f"{width}: it scrolls sideways")
    page.set_viewport_size({"width": 1280, "height": 800})
    check(f"{name}: axe finds nothing, and nothing scrolls sideways", not violations, ", ".join(sorted(violations)))


def check_groups(page):
    cells = page.locator(".cell")
    for number in range(4):
        cells.nth(number).locator("img").wait_for()
    check("each picture of the group is shown", cells.count() == 4)
    badges = page.locator(".badge").all_inner_texts()
    check("the best and the turned ones say so", [text.lower() for text in badges] == ["best", "turned 90°", "mirrored"], badges)
    done = page.get_by_role("button", name="Done")
    check("nothing is decided at first", done.is_disabled() and page.locator("#count").inner_text() == "0 of 1 decided")
    check_accessible(page, "groups")
    page.get_by_role("button", name="Larger: turned").click()
    page.locator("#big[open] img").wait_for()
    check("a picture is shown larger", page.locator("#big bdi").inner_text() == "turned")
    page.keyboard.press("ArrowRight")
    check("keys lead to the next one of the group", page.locator("#big bdi").inner_text() == "mirrored")
    check_accessible(page, "larger view")
    page.keyboard.press("Escape")
    # The view tells that it is closed a moment after it is; until then the picture has the focus that opened it.
    page.locator("[aria-label='Larger: mirrored']:focus").wait_for()


def decide(page):
    with page.expect_response("**/decision"):
        page.get_by_label("Keep what is ticked").check(force=True)
    check("a decision is counted", page.locator("#count").inner_text() == "1 of 1 decided")
    page.get_by_label("Keep best").click()
    check("the last one stays ticked", page.get_by_label("Keep best").is_checked())
    page.get_by_text("At least one picture of a group stays.").wait_for()
    with page.expect_response("**/decision"):
        page.get_by_label("Keep mirrored").click()
    page.reload()
    page.get_by_text("1 of 1 decided").wait_for()
    check("a page that is loaded again has the decision", page.get_by_label("Keep mirrored").is_checked()
          and page.get_by_label("Keep what is ticked").is_checked())
    page.get_by_role("button", name="Done").click()
    page.get_by_text("You can close this page.").wait_for()
    check_accessible(page, "decided")


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    process, address = start()
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(120_000)
    page = context.new_page()
    mistakes = []
    page.on("pageerror", lambda error: mistakes.append(str(error)))
    page.on("console", lambda message: mistakes.append(message.text) if message.type == "error" else None)
    page.goto(address)
    page.locator("[data-choice]").first.wait_for()
    check("the title says how many groups there are", page.title() == "1 group of pictures", page.title())
    check_groups(page)
    decide(page)
    process.communicate(timeout=120)
    check("the program ends well", process.returncode == 0, process.returncode)
    check("the console has no error", not mistakes, mistakes)
    browser.close()

print("all checks have passed" if not failures else f"{len(failures)} checks have failed")
sys.exit(bool(failures))
