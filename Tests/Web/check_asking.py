#!/usr/bin/env python3
"""Answers questions of mediabatch in Chromium as a person does.

check_asking.py MEDIABATCH FOLDER

FOLDER is empty. Reads the purpose, searches, sees pictures, selects 3 of 500 by mouse and keys, goes on after the
tab was closed; is asked anew on a phone after the purpose has changed and keeps the selection; sees names while the viewer hangs;
denies. Prints one line a check, and exits 1 when one
has failed. Needs playwright and axe-playwright-python of PyPI, and Debian's chromium.
"""

import json
import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import zlib

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
failures = []
markup = "<img src=x onerror=document.title='markup'>.jpg"


def check(name, is_true, detail=""):
    print(f"{'ok' if is_true else 'FAILED'}: {name}" + (f" ({detail})" if detail != "" else ""), flush=True)
    if not is_true:
        failures.append(name)


def png(red, green, blue):
    """A picture of 64 by 48 pixels of one color."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + bytes([red, green, blue]) * 64) * 48
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 48, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def write_manifest(why, camera=None):
    sources = {"library": {"path": "Photos"}}
    texts = {"NSPhotoLibraryUsageDescription": why}
    if camera:
        sources["camera"] = {"path": "Card"}
        texts["NSCameraUsageDescription"] = camera
    (folder / "manifest.json").write_text(json.dumps({
        "version": 1, "client": {"identifier": "org.example.test", "name": "<b>Test</b>"},
        "usageDescriptions": texts,
        "sources": sources, "output": {"path": "Library"}, "onNotDetermined": "ask",
    }), encoding="utf-8")


class Question:
    """A question that waits for an answer in a browser."""

    def __init__(self, *arguments):
        environment = dict(os.environ, XDG_DATA_HOME=str(folder / "data"))
        self.process = subprocess.Popen(
            [program, "access", "ask", "manifest.json", "--web", "--format", "json", *arguments],
            cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.read_address()

    def read_address(self):
        self.address = ""
        while not self.address:
            line = self.process.stderr.readline()
            if not line:
                raise RuntimeError("no address was printed")
            self.address = "".join(re.findall(r"http://\S+", line))

    def renew(self):
        self.process.send_signal(signal.SIGUSR1)
        self.read_address()

    def answer(self):
        output, _ = self.process.communicate(timeout=120)
        return json.loads(output)["answer"] if self.process.returncode == 0 else self.process.returncode


# How long a press is before it shows a picture larger: here as long as `longPress` says, which is for ever until a
# check wants one. On a busy machine 450 ms may pass between the two halves of a click. `presses` counts them.
PRESSES = """(() => {
    const start = window.setTimeout;
    [window.longPress, window.presses] = [1e9, 0];
    window.setTimeout = (work, time, ...rest) => {
        if (time === 450) window.presses += 1;
        return start(work, time === 450 ? window.longPress : time, ...rest);
    };
})()"""


def new_context(browser, **options):
    """A context whose pages are waited for longer than Playwright's 30 seconds, which a busy machine may take."""
    context = browser.new_context(**options)
    context.set_default_timeout(120_000)
    return context


def open_page(browser, question, **options):
    context = new_context(browser, **options)
    context.add_init_script(PRESSES)
    page = context.new_page()
    page.mistakes = []
    page.on("pageerror", lambda error: page.mistakes.append(str(error)))
    page.on("console", lambda message: page.mistakes.append(message.text) if message.type == "error" else None)
    page.goto(question.address)
    page.locator("[data-choice]").first.wait_for()
    return page


def check_accessible(page, name):
    """Looks at a page in light and dark, on a phone and on a wide screen."""
    size = page.viewport_size
    violations = set()
    for scheme in ["light", "dark"]:
        page.emulate_media(color_scheme=scheme)
        for width in [360, 1280, 2560]:
            page.set_viewport_size({"width": width, "height": 900})
            # On the way to another scheme colors have less contrast; the window has its size a moment later, too.
            for _ in range(3_000):
                if page.evaluate("""(width) => innerWidth === width
                        && document.getAnimations().every(({ playState }) => playState !== 'running')""", width):
                    break
                page.wait_for_timeout(20)
            violations |= {f"{width} {scheme}: {item['id']}" for item in Axe().run(page).response["violations"]}
            if page.evaluate("document.documentElement.scrollWidth") > width:
                violations.add(f"{width}: it scrolls sideways")
    page.set_viewport_size(size)
    check(f"{name}: axe finds nothing, and nothing scrolls sideways", not violations, ", ".join(sorted(violations)))


def count(page):
    return page.locator("#count").inner_text()


def cell(page, number):
    return page.locator("#names .cell").nth(number)


def click_first_cell(page):
    """In one step: a page that finds out by itself that it has ended takes its cells away, and may do so before."""
    page.evaluate("document.querySelector('#names .cell')?.click()")


def wait_for_names(page, number):
    page.get_by_text(f"{number} name{'' if number == 1 else 's'}.").wait_for()


def write_photos():
    """500 names: one with markup, one that is no picture, one in another folder; the newest first by number."""
    photos = folder / "Photos" / "2026"
    photos.mkdir(parents=True)
    (folder / "Photos" / "Trip").mkdir()
    (photos / markup).write_bytes(b"")
    for number in range(498):
        # The extension says nothing of the content.
        (photos / f"IMG_{number:04}.jpg").write_bytes(png(number % 256, 128, 255 - number % 256))
    (photos / "IMG_0003.jpg").write_bytes(b"no picture")
    (folder / "Photos" / "Trip" / "only.jpg").write_bytes(png(0, 200, 0))
    # 30 August 2025 at noon, and every seven hours before.
    times = [photos / markup, *(photos / f"IMG_{number:04}.jpg" for number in range(498)), folder / "Photos" / "Trip" / "only.jpg"]
    for hours, path in enumerate(times):
        os.utime(path, (1756555200 - 7 * 3600 * hours,) * 2)


def check_question(browser):
    question = Question()
    page = open_page(browser, question)
    check("the purpose is shown as it is written", page.locator("#why p").inner_text() == "You choose <which> photos are published.")
    sizes = page.evaluate("[...document.querySelectorAll('.sheet :not(h1, h1 *)')].map((part) => parseFloat(getComputedStyle(part).fontSize))")
    check("the purpose is the largest text below the heading", max(sizes) == 19, max(sizes))
    check("the heading has the focus, and no answer has", page.locator(":focus").evaluate("(part) => part.tagName") == "H1")
    check("the address holds no token", page.url.endswith("/") and "#" not in page.url, page.url)
    check("the title is the question", page.title() == "<b>Test</b> would like to use your photos", page.title())
    labels = page.locator("[data-choice]").all_inner_texts()
    check("the answers are those of iOS", labels == ["Select photos…", "Allow all", "Don’t allow", "Not now"], labels)
    check_accessible(page, "question")
    second = new_context(browser).new_page()
    second.goto(question.address)
    second.get_by_text("This page is open elsewhere").wait_for()
    check("a second browser is told that the page is open elsewhere", second.locator("[data-choice]").count() == 0)
    check_accessible(second, "open elsewhere")
    return question, page


def check_pictures(page):
    # One that is late is asked for again.
    asked = set()
    page.on("request", lambda request: asked.add(request.url) if "/picture" in request.url else None)
    page.get_by_role("button", name="Select photos…").click()
    wait_for_names(page, 500)
    check("the first 200 names are shown", page.locator("#names input").count() == 200)
    check("the newest comes first, by month", page.locator("#names h2 span").first.inner_text() == "August 2025"
          and page.locator("#names .day").first.inner_text() == "Sat, Aug 30")
    # The first is the name with markup, which has no content.
    cell(page, 1).locator("img").wait_for()
    cell(page, 4).get_by_text("cannot be shown").wait_for()
    check("what is no picture has its name and a sign", "IMG_0003" in cell(page, 4).inner_text())
    color = page.evaluate("""async () => {
        const canvas = document.createElement("canvas").getContext("2d");
        canvas.drawImage(document.querySelector("#names img"), 0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data];
    }""")
    check("a picture shows what its file shows", color[2] > 240 and color[0] < 15, color)
    # Until a second has passed without one: on a slow machine all would come one by one.
    before = -1
    while before < len(asked) < 100:
        before = len(asked)
        page.wait_for_timeout(1_000)
    check("only pictures in view are fetched", 0 < len(asked) < 100, len(asked))
    cell(page, 199).scroll_into_view_if_needed()
    cell(page, 199).locator("img").wait_for()
    cell(page, 399).wait_for(state="attached")
    check("the others come as they are scrolled to", True)
    page.get_by_label("Trip").check()
    wait_for_names(page, 1)
    check("an album shows its own", page.locator("#names input").get_attribute("aria-label").startswith("only.jpg"))
    page.get_by_label("All folders").check()
    wait_for_names(page, 500)
    check_accessible(page, "picker")


def check_selecting(page):
    for number in [5, 8]:
        cell(page, number).click(modifiers=["Shift"] if number == 8 else [])
    check("Shift and a click select a range", count(page) == "4 selected", count(page))
    page.mouse.move(*center(page, 10))
    page.mouse.down()
    page.mouse.move(*center(page, 11), steps=4)
    page.mouse.move(*center(page, 12), steps=4)
    page.mouse.up()
    check("drawing over pictures selects them", count(page) == "7 selected", count(page))
    page.get_by_role("button", name="Clear").click()
    # What is shown larger is the picture that its tile has by then.
    cell(page, 1).locator("img").wait_for()
    cell(page, 6).locator("input").focus()
    for key in ["Enter", "Shift+ArrowRight", "Shift+ArrowDown", "Home", "Enter"]:
        page.keyboard.press(key)
    check("keys move, select and select a range", count(page) == "4 selected", count(page))
    page.keyboard.press("ArrowRight")
    page.keyboard.press(" ")
    page.locator("#big[open] img").wait_for()
    check("Space shows a picture larger", page.locator("#big bdi").inner_text() == "IMG_0000.jpg")
    check_accessible(page, "larger view")
    page.keyboard.press("Enter")
    page.locator("#bigclose").click() if page.locator("#big[open]").count() else None
    check("the focus comes back from there", page.locator(":focus").get_attribute("value") is not None)
    page.get_by_role("button", name="Clear").click()
    page.get_by_role("button", name="Select all").first.click()
    page.get_by_role("button", name="Deselect").first.wait_for()
    check("a month is selected as a whole", int(count(page).split()[0]) > 50, count(page))
    page.get_by_role("button", name="Clear").click()


def center(page, number):
    box = cell(page, number).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def check_remembering(browser, question, page):
    """Selects 3 of 500; the tab is loaded again and closed meanwhile."""
    for name in ["IMG_0042", "IMG_0123", "IMG_0497"]:
        page.get_by_label("Search names").fill(name)
        # The one of the name before is there until the answer comes.
        page.locator(f"#names .cell[data-name*='{name}']").wait_for()
        wait_for_names(page, 1)
        # Changes are sent one after the other; the page is loaded again once the program has this one.
        added = "add " + cell(page, 0).locator("input").get_attribute("value")
        with page.expect_response(lambda response: response.request.post_data == added):
            cell(page, 0).click()
    page.get_by_label("Search names").fill("onerror")
    wait_for_names(page, 1)
    cell(page, 0).get_by_text(markup).wait_for()
    check("a name with markup is text", page.title() != "markup" and page.locator("#names img[src=x]").count() == 0)
    check("what a search hides stays selected", count(page) == "3 selected", count(page))
    kept = page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
    check("the browser keeps a token and no name", "IMG" not in kept and kept.count("mediabatch") == 1, kept)
    page.reload()
    page.get_by_role("button", name="Select photos…").click()
    page.get_by_role("button", name="Only these 3").wait_for()
    check("a page that is loaded again has the selection", count(page) == "3 selected")
    address = page.url
    context = page.context
    page.close()
    page = context.new_page()
    page.goto(address)
    page.get_by_role("button", name="Select photos…").click()
    page.get_by_role("button", name="Show", exact=True).click()
    wait_for_names(page, 3)
    check("a closed tab goes on in the same browser, and shows what is selected", page.locator("#names input:checked").count() == 3)
    # The last page takes over those pictures that are there.
    for number in range(3):
        cell(page, number).locator("img").wait_for()
    page.get_by_role("button", name="Only these 3").click()
    page.get_by_text("You can close this page.").wait_for()
    check("the last page says what was answered", "3 selected" in page.locator(".results").inner_text())
    check("it shows what was selected", page.locator(".pile img").count() == 3)
    page.get_by_text("Take this back").click()
    command = page.locator(".results code").inner_text()
    check("it says how that is taken back", command == "mediabatch access reset manifest.json library", command)
    check("the browser keeps nothing at the end", page.evaluate("localStorage.length") == 0)
    # As many as the page shows of a larger selection.
    page.evaluate("() => document.querySelectorAll('.pile img').forEach((part) => part.after(part.cloneNode()))")
    check_accessible(page, "answered")
    answer = question.answer()
    wanted = [f"2026/IMG_{number}.jpg" for number in ["0042", "0123", "0497"]]
    check("3 of 500 are allowed", answer["authorizationStatus"] == "limited" and answer["selection"] == wanted, answer)
    return wanted


def check_touch(browser, wanted):
    """On a phone: three columns, a long press, and the answer that the reason is asked about anew."""
    write_manifest("Another reason. " + "It is long. " * 30)
    question = Question()
    page = open_page(browser, question, viewport={"width": 360, "height": 740}, has_touch=True, color_scheme="dark")
    check("a changed purpose is asked anew, and said", "the reason why" in page.locator("#changes").inner_text())
    bottoms = page.evaluate("[...document.querySelectorAll('[data-choice]')].map((part) => part.getBoundingClientRect().bottom)")
    check("a long reason pushes no answer out of view", max(bottoms) <= 740, bottoms)
    check_accessible(page, "asked anew")
    page.get_by_role("button", name="Select photos…").tap()
    wait_for_names(page, 500)
    # At once: a chip that comes between two questions moves them all.
    tops = page.evaluate("[...document.querySelectorAll('#names .cell')].slice(0, 4).map((part) => part.getBoundingClientRect().top)")
    check("a phone has three columns", tops[0] == tops[1] == tops[2] < tops[3], tops)
    page.get_by_role("button", name="Only these 3").wait_for()
    check("the earlier selection is selected", count(page) == "3 selected", count(page))
    # They come after that, and move the names.
    page.get_by_label("Trip").wait_for()
    check("the albums fit the phone", page.evaluate("document.documentElement.scrollWidth <= 360 && document.getElementById('albums').clientWidth <= 360"))
    cell(page, 1).tap()
    check("a tap selects", count(page) == "4 selected", count(page))
    check("a press has the length that this script knows", page.evaluate("presses") > 0)
    page.evaluate("""() => (window.longPress = 450) && document.querySelectorAll(".cell")[2].dispatchEvent(new PointerEvent("pointerdown",
        {bubbles: true, pointerType: "touch", buttons: 1, clientX: 300, clientY: 250}))""")
    page.locator("#big[open]").wait_for()
    check("a long press shows a picture larger", page.locator("#big bdi").inner_text() == "IMG_0001.jpg")
    page.get_by_role("button", name="Close").tap()
    page.get_by_role("button", name="Back to the question").tap()
    # With the keyboard alone.
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.locator(":focus").inner_text() == "Keep my selection":
            break
    page.keyboard.press("Enter")
    page.get_by_text("You can close this page.").wait_for()
    answer = question.answer()
    check("the selection is kept", answer["authorizationStatus"] == "limited" and answer["selection"] == wanted, answer)
    check("nothing went wrong in the page of a phone", not page.mistakes, page.mistakes)


def viewer_beneath(process):
    """The number of the viewer that a process, or one that it has started, has started."""
    for child in pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split():
        try:
            if b"viewer" in pathlib.Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0"):
                return int(child)
            descendant = viewer_beneath(child)
        except (FileNotFoundError, ProcessLookupError):
            # It has ended meanwhile.
            continue
        if descendant:
            return descendant
    return None


# Notes which is first: that a tile is late, or the fifth second after it has been seen. Timers that begin in one
# step end in the order of their times, however slow the machine is. The page sees tiles from 300 px away, too.
NOTE_ORDER = """(tile) => {
    window.order = [];
    new MutationObserver(() => window.order.push("late")).observe(tile, { attributeFilter: ["data-late"] });
    const seen = new IntersectionObserver(([entry]) => {
        if (!entry.isIntersecting) return;
        seen.disconnect();
        setTimeout(() => window.order.push("fifth second"), 5000);
    }, { rootMargin: "300px" });
    seen.observe(tile);
}"""


def check_stopped(browser):
    """The viewer hangs for a while."""
    question = Question("library")
    page = open_page(browser, question)
    page.get_by_role("button", name="Select photos…").click()
    wait_for_names(page, 500)
    cell(page, 1).locator("img").wait_for()
    viewer = viewer_beneath(question.process.pid)
    os.kill(viewer, signal.SIGSTOP)
    try:
        page.evaluate(f"({NOTE_ORDER})(document.querySelectorAll('#names .cell')[150])")
        cell(page, 150).scroll_into_view_if_needed()
        cell(page, 150).locator(".noimg").wait_for()
        # The page shows it after 2.5 seconds.
        order = page.evaluate("window.order")
        check("while the viewer hangs a tile has its name and sign within 5 seconds", order and order[0] == "late", order)
        page.wait_for_timeout(4_000)
        blank = page.evaluate("""[...document.querySelectorAll(".cell .noimg")].filter((part) => {
            const { top, bottom } = part.getBoundingClientRect();
            return bottom > 0 && top < innerHeight && getComputedStyle(part).visibility === "hidden";
        }).length""")
        check("no tile in view is blank", blank == 0, blank)
        check("none is said to have no picture", page.get_by_text("cannot be shown").count() <= 2)
    finally:
        os.kill(viewer, signal.SIGCONT)
    cell(page, 150).locator("img").wait_for()
    check("the pictures come when the viewer goes on, and no error is printed", not page.mistakes, page.mistakes)
    os.kill(viewer, signal.SIGSTOP)
    with page.expect_request("**/picture?*"):
        cell(page, 80).scroll_into_view_if_needed()
    page.get_by_role("button", name="Back to the question").click()
    page.get_by_role("button", name="Not now").click()
    page.get_by_text("You can close this page.").wait_for()
    check("nothing is decided by that", question.answer() == 75)
    check("an answer ends the requests for pictures, and no error is printed", not page.mistakes, page.mistakes)


def check_ends(browser):
    question = Question("library")
    page = open_page(browser, question, viewport={"width": 320, "height": 640})
    check("the status is said to who names the source", page.locator("#now").inner_text() != "")
    check("a narrow window needs no scrolling sideways", page.evaluate("document.documentElement.scrollWidth") <= 320)
    page.get_by_role("button", name="Don’t allow").click()
    page.get_by_text("You can close this page.").wait_for()
    check("denied", question.answer()["authorizationStatus"] == "denied")
    question = Question("library")
    page = open_page(browser, question)
    page.get_by_role("button", name="Select photos…").click()
    wait_for_names(page, 500)
    check("a source that was refused has names and no picture", page.locator("#names [data-picture]").count() == 0)
    check_accessible(page, "refused before")
    question.renew()
    click_first_cell(page)
    page.get_by_text("This page is open elsewhere").wait_for()
    check("a new address ends the page of the first", page.locator("#names").count() == 0)
    page = open_page(browser, question)
    page.get_by_role("button", name="Select photos…").click()
    wait_for_names(page, 500)
    question.process.terminate()
    question.process.wait()
    click_first_cell(page)
    page.get_by_text("This question has ended").wait_for()
    check_accessible(page, "ended")


def check_sources(browser):
    """Two sources of a new client: one is left out."""
    (folder / "Card").mkdir()
    write_manifest("You choose <which> photos are published.", camera="For <i>the</i> feed.")
    question = Question()
    page = open_page(browser, question)
    button = page.get_by_role("button", name="Choose a source")
    check("none of the sources is ticked", button.is_disabled() and page.locator(".sources input:checked").count() == 0)
    check("each source has its purpose", "For <i>the</i> feed." in page.locator(".sources").inner_text())
    check_accessible(page, "sources")
    page.get_by_label("Camera").check()
    page.get_by_label("Photo library").check()
    page.get_by_role("button", name="Continue with 2 sources").wait_for()
    page.get_by_label("Photo library").uncheck()
    page.get_by_role("button", name="Continue with 1 source").click()
    page.get_by_role("button", name="Allow", exact=True).click()
    page.get_by_text("That was everything.").wait_for()
    check("the camera alone is answered", question.answer()["authorizationStatus"] == "authorized")


def run(browser):
    write_photos()
    check_sources(browser)
    write_manifest("You choose <which> photos are published.")
    question, page = check_question(browser)
    page.reload()
    page.locator("[data-choice]").first.wait_for()
    check_pictures(page)
    check_selecting(page)
    wanted = check_remembering(browser, question, page)
    check("nothing went wrong in the page", not page.mistakes, page.mistakes)
    check_touch(browser, wanted)
    check_stopped(browser)
    check_ends(browser)


with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    run(browser)
    browser.close()
if failures:
    print(f"{len(failures)} failed", file=sys.stderr)
    sys.exit(1)
print("all checks have passed")
