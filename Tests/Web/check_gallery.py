#!/usr/bin/env python3
"""Looks at a gallery as people do, in Chromium: from its folder, from a web server, without scripts, with the
keyboard alone, and by touch.

check_gallery.py GALLERY [--screenshots FOLDER]

The gallery may have all of its pictures on the first page, or months.

Prints one line a check, and exits 1 when one has failed. Needs playwright, axe-playwright-python and
thumbhash-python of PyPI, and Debian's chromium.
"""

import argparse
import base64
import functools
import http.server
import pathlib
import re
import ssl
import sys
import threading
import zipfile

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright
from thumbhash.decode import thumbhash_to_rgba

failures = []


def check(name, is_true, detail=""):
    print(f"{'ok' if is_true else 'FAILED'}: {name}" + (f" ({detail})" if detail != "" else ""), flush=True)
    if not is_true:
        failures.append(name)


# How long a busy machine may take for anything: Playwright itself waits 30 s.
PATIENCE = 120


def wait_until(page, is_true, seconds=PATIENCE):
    """Waits for a condition; the browser's own way evaluates text, which the policy refuses."""
    for _ in range(seconds * 20):
        if is_true():
            return
        page.wait_for_timeout(50)
    raise TimeoutError("a condition of the page has not come true")


class Server:
    """A web server of a folder on loopback; with a certificate of its own where it is secure."""

    def __init__(self, folder, host="127.0.0.1", certificate=None):
        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *arguments):
                pass

        class QuietServer(http.server.ThreadingHTTPServer):
            # A browser that leaves a page ends its connections.
            def handle_error(self, *arguments):
                pass

        self.server = QuietServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.address = f"http{'s' if certificate else ''}://{host}:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()


class Visit:
    """A browser's context that records what its pages ask for, and what goes wrong in them."""

    def __init__(self, browser, **options):
        self.context = browser.new_context(**options)
        self.context.set_default_timeout(PATIENCE * 1000)
        self.page = self.context.new_page()
        self.requests, self.mistakes = [], []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("requestfailed", self.note_failure)
        self.page.on("response", self.note_response)
        self.page.on("pageerror", lambda error: self.mistakes.append(str(error)))
        self.page.on("console", self.note_message)

    def note_failure(self, request):
        # A page that is left while its pictures are loaded has given them up.
        if request.failure != "net::ERR_ABORTED":
            self.mistakes.append(f"{request.failure}: {request.url}")

    def note_response(self, response):
        if response.status >= 400:
            self.mistakes.append(f"{response.status}: {response.url}")

    def note_message(self, message):
        if message.type == "error":
            self.mistakes.append(f"{message.text} ({message.location.get('url')})")

    def close(self):
        self.context.close()

    def paint_time(self, address, limit):
        """Milliseconds from the start of a navigation to the first contentful paint; the shortest of up to 20,
        of which one below the limit is enough: the machine may be busy with something else."""
        shortest = float("inf")
        for _ in range(20):
            if shortest < limit:
                break
            self.page.goto("about:blank")
            self.page.goto(address, wait_until="load")
            shortest = min(shortest, self.first_paint())
        return shortest

    def first_paint(self):
        return self.page.evaluate(
            """() => new Promise((resolve) => {
              new PerformanceObserver((list) => {
                for (const entry of list.getEntries())
                  if (entry.name === "first-contentful-paint") resolve(entry.startTime);
              }).observe({ type: "paint", buffered: true });
              setTimeout(() => resolve(Infinity), 20000);
            })"""
        )


def pages_of(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.glob("**/*.html"))


def largest(folder):
    return max(pages_of(folder), key=lambda page: ((folder / page).stat().st_size, page))


def has_months(folder):
    return (folder / "months").exists()


def pictures_in(folder):
    """The identifiers of all pictures, from the text of the pages."""
    pages = sorted((folder / "months").glob("*.html")) if has_months(folder) else [folder / "index.html"]
    keys = []
    for path in pages:
        keys += re.findall(r'<li id="([^"]+)"', path.read_text(encoding="utf-8"))
    return keys


PICTURES = ".month .grid > li > a[data-title]"


def check_visit(browser, name, address, folder):
    """Everything with scripts, by one way of reaching the gallery."""
    visit = Visit(browser)
    page = visit.page
    for target in ["index.html", largest(folder)]:
        paint = visit.paint_time(address + target, 1000)
        check(f"{name}: {target} is painted within 1 s", paint < 1000, f"{paint:.0f} ms")
    check(
        f"{name}: nothing outside the gallery is asked for",
        all(url.startswith(address) for url in visit.requests),
        f"{len(visit.requests)} requests",
    )

    # The policy is in force: neither a script in the page nor a request elsewhere is possible.
    refused = page.evaluate(
        """() => new Promise((resolve) => {
          const refused = new Set();
          const tell = () => resolve([...refused, String(window.planted)]);
          addEventListener("securitypolicyviolation", (event) => {
            refused.add(event.effectiveDirective);
            const isWhole = ["img-src", "script-src", "style-src"]
              .every((start) => [...refused].some((directive) => directive.startsWith(start)));
            if (isWhole) tell();
          });
          const script = document.createElement("script");
          script.textContent = "window.planted = true";
          document.body.append(script);
          document.body.append(Object.assign(new Image(), { src: "http://127.0.0.1:9/planted.png" }));
          document.body.append(Object.assign(document.createElement("div"), { innerHTML: "<p style='color:red'>x</p>" }));
          setTimeout(tell, 30000);
        })"""
    )
    check(
        f"{name}: the policy refuses scripts and styles in the page, and other addresses",
        "img-src" in refused and refused[-1] == "undefined"
        and any(entry.startswith("script-src") for entry in refused)
        and any(entry.startswith("style-src") for entry in refused),
        ", ".join(refused),
    )
    visit.close()

    visit = Visit(browser, accept_downloads=True)
    check_keyboard(visit, name, address, folder)
    check_history(visit, name, address)
    check_search(visit, name, address, folder)
    check_view(visit, name, address)
    check_favorites(visit, name, address, folder)
    check(f"{name}: no script or request has failed", not visit.mistakes, "; ".join(visit.mistakes[:3]))
    visit.close()


def check_keyboard(visit, name, address, folder):
    """From the first page to the details of a picture and back, by keys alone."""
    page = visit.page
    page.goto(address + "index.html")
    page.locator(PICTURES).first.wait_for()
    page.keyboard.press("Tab")
    check(f"{name}: the first Tab is the way to the content",
          page.evaluate("document.activeElement.className") == "skip")

    def is_on_picture():
        return page.evaluate("!!document.activeElement.dataset.title && document.activeElement.matches('.grid a')")

    def press_until(key, limit=2000):
        for _ in range(limit):
            page.keyboard.press(key)
            if is_on_picture():
                return True
        return False

    check(f"{name}: Tab reaches a picture", press_until("Tab"))
    count = page.locator(PICTURES).count()
    page.keyboard.press("Enter")
    dialog = page.locator("dialog.viewer")
    check(f"{name}: Enter opens the viewer", dialog.is_visible())
    title = dialog.locator("h2").inner_text()
    if count > 1:
        page.keyboard.press("ArrowRight")
        check(f"{name}: the right arrow shows the next picture", f"2 of {count}" in dialog.inner_text())
        page.keyboard.press("ArrowLeft")
        check(f"{name}: the left arrow goes back", dialog.locator("h2").inner_text() == title)
    page.keyboard.press("i")
    check(f"{name}: i shows the details", dialog.locator(".drawer dl").is_visible())
    check(f"{name}: the details have the focus", page.evaluate("document.activeElement.matches('.drawer button')"))
    # The focus stays in the viewer.
    inside = True
    for _ in range(20):
        page.keyboard.press("Tab")
        inside = inside and page.evaluate(
            "document.activeElement === document.body || !!document.activeElement.closest('dialog')"
        )
    check(f"{name}: Tab stays in the viewer", inside)
    page.keyboard.press("+")
    zoomed = page.evaluate("document.querySelector('.stage').classList.contains('zoomed')")
    page.keyboard.press("0")
    check(f"{name}: + and 0 zoom", zoomed and page.locator(".stage.zoomed").count() == 0)
    page.keyboard.press("s")
    is_running = page.locator(".slides").get_attribute("aria-pressed") == "true"
    page.keyboard.press("s")
    check(f"{name}: s starts and ends a slideshow",
          is_running and page.locator(".slides").get_attribute("aria-pressed") == "false")
    address_of_picture = page.url
    page.keyboard.press("Escape")
    wait_until(page, lambda: not dialog.is_visible())
    check(f"{name}: Escape closes the viewer, and the address names no picture", "#" not in page.url, page.url[-40:])
    check(f"{name}: the focus is back on the picture", is_on_picture())
    check(f"{name}: the address named the picture", "#" in address_of_picture)
    page.goto("about:blank")
    page.goto(address_of_picture)
    check(f"{name}: that address opens the picture", dialog.is_visible())
    page.keyboard.press("Escape")
    wait_until(page, lambda: not dialog.is_visible())
    check(f"{name}: closed, that address names no picture", "#" not in page.url)
    months = [path for path in sorted((folder / "months").glob("*.html")) if 'rel="next"' in path.read_text(encoding="utf-8")]
    for month in months[-1:]:
        page.goto(address + "months/" + month.name)
        here = page.url.split("#")[0]
        page.locator(PICTURES).first.click()
        page.keyboard.press("End")
        page.keyboard.press("ArrowRight")
        wait_until(page, lambda: page.url.split("#")[0] != here)
        dialog.wait_for()
        check(f"{name}: behind the last picture the next page goes on", dialog.is_visible())


def check_history(visit, name, address):
    """Back closes the viewer and nothing else; Forward opens it again."""
    page = visit.page
    page.goto("about:blank")
    page.goto(address + "index.html")
    dialog = page.locator("dialog.viewer")
    page.locator(PICTURES).first.click()
    page.keyboard.press("ArrowRight")
    shown = page.url
    page.go_back()
    wait_until(page, lambda: not dialog.is_visible())
    check(f"{name}: Back closes the viewer and stays on the page", page.url == address + "index.html", page.url)
    page.go_forward()
    wait_until(page, lambda: dialog.is_visible())
    check(f"{name}: Forward opens the picture that was shown", page.url == shown)
    page.go_back()
    wait_until(page, lambda: not dialog.is_visible())


def check_search(visit, name, address, folder):
    page = visit.page
    page.goto(address + largest(folder))
    title = page.locator(PICTURES).last.get_attribute("data-title")
    key = page.locator(".month .grid > li").last.get_attribute("id")
    page.goto(address + "index.html")
    page.keyboard.press("/")
    page.keyboard.type(title)
    status = page.locator(".found [role=status]")
    wait_until(page, lambda: status.inner_text().endswith("found"))
    check(f"{name}: the search finds a title",
          page.locator(f".grid li[id='{key}']:visible, .found a[href$='#{key}']").count() > 0, status.inner_text())
    check(f"{name}: it hides cover and albums", page.locator(".cover:visible, .plain-cover:visible, .shelf:visible").count() == 0)
    page.locator("#search").fill("no such words 4711")
    wait_until(page, lambda: "Nothing found" in status.inner_text())
    page.get_by_role("button", name="Clear the search").click()
    wait_until(page, lambda: page.locator(PICTURES).first.is_visible())
    check(f"{name}: the search is cleared", page.locator("#search").input_value() == "")


def check_view(visit, name, address):
    """Rows and squares, and their size, which the browser keeps."""
    page = visit.page
    page.goto(address + "index.html")
    page.locator(".month .grid").first.scroll_into_view_if_needed()
    boxes = page.locator(".month .grid").first.evaluate(
        """(grid) => [...grid.children].map((item) => item.getBoundingClientRect())
             .filter(({ width }) => width).map(({ top, height, right }) => [Math.round(top), Math.round(height), Math.round(right)])"""
    )
    rows = {}
    for top, height, right in boxes:
        rows.setdefault(top, []).append((height, right))
    heights = [[height for height, _ in row] for row in rows.values()]
    check(f"{name}: pictures of a row have one height",
          all(max(row) - min(row) <= 0.03 * max(row) + 1 for row in heights), f"{len(rows)} rows")
    if len(rows) > 2:
        ends = [max(right for _, right in row) for row in list(rows.values())[:-1]]
        check(f"{name}: rows have one width", max(ends) - min(ends) <= 2, str(ends[:5]))

    def height():
        return page.locator(".month .grid > li").first.evaluate("one => one.getBoundingClientRect().height")

    before = height()
    page.get_by_role("button", name="View").click()
    page.get_by_label("Size").focus()
    page.keyboard.press("End")
    check(f"{name}: the size of pictures can be chosen", height() > before * 1.3, f"{before:.0f}, {height():.0f} px")
    page.locator("[name=layout][value=squares]").check(force=True)
    box = page.locator(".month .grid > li").first.evaluate("one => [one.clientWidth, one.clientHeight]")
    check(f"{name}: squares are square", abs(box[0] - box[1]) <= 1, str(box))
    page.reload()
    check(f"{name}: the browser keeps both", page.locator(".stream.squares").count() == 1 and height() > 1)
    page.get_by_role("button", name="View").click()
    page.locator("[name=layout][value=rows]").check(force=True)
    page.get_by_label("Size").fill("0")
    page.keyboard.press("Escape")


def check_favorites(visit, name, address, folder):
    """Hearts, the favorites alone, and the selection."""
    page = visit.page
    page.goto(address + "index.html")
    items = page.locator(".month .grid > li")
    count = min(3, items.count())
    names = []
    for index in range(count):
        items.nth(index).hover()
        items.nth(index).locator(".heart").click()
        names.append((items.nth(index).get_attribute("id"), items.nth(index).locator("a").get_attribute("data-title")))
    check(f"{name}: a heart is pressed", items.first.locator(".heart").get_attribute("aria-pressed") == "true")
    check(f"{name}: the bar counts favorites", page.locator("#chosen").inner_text().startswith(str(count)))
    page.reload()
    check(f"{name}: the browser keeps favorites", page.locator("#chosen").inner_text().startswith(str(count)))
    page.get_by_role("link", name="Show", exact=True).click()
    wait_until(page, lambda: page.url.endswith("#favorites"))
    visible = page.locator(".grid > li:visible")
    check(f"{name}: favorites are shown alone", visible.count() == count, str(visible.count()))
    visible.first.locator("a").click()
    check(f"{name}: the viewer turns among them", f"1 of {count}" in page.locator("dialog.viewer").inner_text())
    page.go_back()
    wait_until(page, lambda: not page.locator("dialog.viewer").is_visible())
    check(f"{name}: Back leads to the favorites", visible.count() == count and page.url.endswith("#favorites"))
    page.get_by_role("button", name="Send selection").click()
    page.get_by_label("Your name").fill("Ann Müller")
    page.get_by_label("Note").fill("Warmer, please.\nAnd <b>larger</b>.")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save selection file").click()
    download = waiting.value
    text = pathlib.Path(download.path()).read_bytes().decode("utf-8")
    lines = text.split("\r\n")
    check(f"{name}: the file of the selection is named by its number", download.suggested_filename == f"selection-{count}.txt")
    check(
        f"{name}: the selection says gallery, name and note",
        lines[0] == "mediabatch-selection/1" and re.fullmatch(r"gallery: [0-9A-F]{4}-[0-9A-F]{4} .+", lines[1])
        and lines[2:6] == ["from: Ann Müller", "note: Warmer, please.", "note: And <b>larger</b>.", ""],
        repr(lines[:6]),
    )
    check(f"{name}: it has a line for each favorite", lines[6:] == [f"{key}  {title}" for key, title in names] + [""],
          repr(lines[6:8]))
    check(f"{name}: identifiers are 12 digits and a hyphen",
          all(re.fullmatch(r"[0-9A-F]{8}-[0-9A-F]{4}", key) for key, _ in names))
    page.get_by_role("button", name="Copy").click()
    check(f"{name}: it is copied", page.locator("#said").inner_text() == "Copied.")
    page.locator(".send .close").click()
    page.go_back()
    wait_until(page, lambda: not page.url.endswith("#favorites"))
    check(f"{name}: Back leaves the favorites", items.count() == page.locator(".month .grid > li:not([hidden])").count())
    if has_months(folder):
        # Those of other pages are shown too, as links to them.
        month = "months/" + sorted(path.name for path in (folder / "months").glob("*.html"))[0]
        page.goto(address + month)
        page.locator(".month .grid > li").last.hover()
        page.locator(".month .grid > li").last.locator(".heart").click()
        page.get_by_role("link", name="Show", exact=True).click()
        wait_until(page, lambda: page.url.endswith("index.html#favorites"))
        # The favorites of other pages are shown once their data are read.
        wait_until(page, lambda: visible.count() == count + 1)
        check(f"{name}: a favorite of another page is among them", visible.count() == count + 1, str(visible.count()))
        link = page.locator(".found .grid a").first
        link.click()
        page.locator("dialog.viewer").wait_for()
        check(f"{name}: it leads to the picture on its page", month in page.url, page.url[-60:])
        page.goto(address + "index.html")


def check_touch(browser, name, address):
    """A phone: swipes turn and close, and nothing is wider than the window."""
    visit = Visit(browser, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = visit.page
    page.goto(address + "index.html")
    session = visit.context.new_cdp_session(page)

    def swipe(start, end):
        steps = [(start[0] + (end[0] - start[0]) * part / 4, start[1] + (end[1] - start[1]) * part / 4) for part in range(5)]
        for kind, (x, y) in zip(["touchStart"] + ["touchMove"] * 4, steps):
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    dialog = page.locator("dialog.viewer")
    page.locator(PICTURES).first.tap()
    dialog.wait_for()
    count = page.locator(PICTURES).count()
    if count > 1:
        swipe((300, 370), (60, 372))
        check(f"{name}: a swipe to the left turns", f"2 of {count}" in dialog.inner_text())
        swipe((60, 370), (300, 372))
        check(f"{name}: a swipe to the right turns back", f"1 of {count}" in dialog.inner_text())
    swipe((180, 300), (182, 560))
    wait_until(page, lambda: not dialog.is_visible())
    check(f"{name}: a swipe down closes", "#" not in page.url)
    is_proofing = page.locator("body.proofing").count() == 1
    check(f"{name}: hearts are there by touch where the gallery is made to be chosen from",
          page.locator(".heart").first.is_visible() == is_proofing, str(is_proofing))
    check(f"{name}: no script or request has failed", not visit.mistakes, "; ".join(visit.mistakes[:3]))
    visit.close()


def check_widths(browser, address, folder):
    """Nothing is wider than the window."""
    visit = Visit(browser)
    page = visit.page
    wide = []
    for width in [320, 360, 768, 1024, 1280, 2560]:
        page.set_viewport_size({"width": width, "height": 800})
        for target in ["index.html", largest(folder), *[page for page in pages_of(folder) if page.startswith("albums/")][:1]]:
            page.goto(address + target)
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                wide.append(f"{target} at {width}")
    check("widths: no page is wider than the window from 320 to 2560 px", not wide, ", ".join(wide))
    visit.close()


# The first pictures become those in which least fits: of each ratio, with a long date, badges and a heart.
NARROWEST = """() => {
  const items = [...document.querySelectorAll(".month .grid > li")].slice(0, 8);
  const made = (className, ...children) => {
    const span = Object.assign(document.createElement("span"), { className });
    span.append(...children);
    return span;
  };
  const drawing = () => document.querySelector("svg.i").cloneNode(true);
  for (const [index, item] of items.entries()) {
    item.className = `r${[40, 45, 55, 75, 100, 135, 150, 300][index]}`;
    for (const chip of item.querySelectorAll(".day, .badges")) chip.remove();
    item.prepend(made("day", made("", "Wed, "), made("", "Sep 30")));
    const texts = index % 2 ? ["1:05:22", "slo-mo", "rejected"] : ["0:14"];
    item.querySelector("a").append(made("badges", ...texts.map((text) => made("badge", drawing(), text))));
  }
  items[0]?.scrollIntoView({ block: "center" });
}"""
MEETING_CHIPS = """() => [...document.querySelectorAll(".month .grid > li")].slice(0, 8).flatMap((item) => {
  const box = (one) => one.getBoundingClientRect();
  const meet = (one, other) => one.left < other.right - 0.5 && other.left < one.right - 0.5
    && one.top < other.bottom - 0.5 && other.top < one.bottom - 0.5;
  const [tile, list] = [box(item), item.querySelector(".badges")];
  // A badge that its list cuts is not seen.
  const badges = [...item.querySelectorAll(".badge")].filter((one) => getComputedStyle(list).overflow !== "hidden" || meet(box(one), box(list)));
  const chips = [...item.querySelectorAll(".day, .heart"), ...badges].filter((one) => one.checkVisibility()).map((one) => [one.className, box(one)]);
  const outside = chips.filter(([, { left, right, top, bottom }]) =>
    left < tile.left - 0.5 || right > tile.right + 0.5 || top < tile.top - 0.5 || bottom > tile.bottom + 0.5);
  const dates = [...item.querySelectorAll(".day:not(:empty)")].filter((day) => day.checkVisibility() && day.scrollWidth > day.clientWidth + 1);
  const pairs = chips.flatMap(([name, one], index) => chips.slice(index + 1).filter(([, other]) => meet(one, other)).map(([other]) => `${name} on ${other}`));
  return [...pairs, ...outside.map(([name]) => `${name} outside`), ...dates.map(() => "a date is cut")].map((text) => `${text} in ${item.className}`);
})"""
# What the check has to find.
CHIP_FAULTS = [".grid .badges { bottom: 6px !important; max-width: none !important }", ".day { min-width: 6rem !important; max-width: none !important }"]


def check_chips(browser, address):
    """On a phone, heart, badges and date of a picture do not meet, and lie within it."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, bypass_csp=True)
    page = context.new_page()
    page.goto(address + "index.html")
    page.locator("body").evaluate("body => body.classList.add('proofing')")
    page.evaluate(NARROWEST)
    for layout in ["rows", "squares"]:
        page.locator(".stream").evaluate("(stream, isOn) => stream.classList.toggle('squares', isOn)", layout == "squares")
        for size in [0, 2, -1, -2]:
            page.evaluate("size => document.documentElement.style.setProperty('--scale', 1.35 ** size)", size)
            met = page.evaluate(MEETING_CHIPS)
            check(f"chips: at 360 px none meets another one, in {layout} of size {size}", not met, "; ".join(met[:4]))
    page.locator(".stream").evaluate("stream => stream.classList.remove('squares')")
    page.evaluate("document.documentElement.style.setProperty('--scale', 1)")
    for fault in CHIP_FAULTS:
        rules = page.add_style_tag(content=fault)
        met = page.evaluate(MEETING_CHIPS)
        check(f"chips: this is found: {fault}", met, "; ".join(met[:2]))
        rules.evaluate("rules => rules.remove()")
    context.close()


def check_downloads(browser, address, folder):
    """All originals come by links without scripts, whole and under the names that the viewer gives them."""
    visit = Visit(browser, java_script_enabled=False, accept_downloads=True)
    page = visit.page
    page.goto(address + "index.html")
    if page.locator(".all summary").count():
        page.locator(".all summary").click()
    links = page.locator(".all a")
    sizes = " ".join(page.locator(".all").inner_text().split()) if links.count() else ""
    check("downloads: there are links, with their sizes", links.count() > 0 and re.search(r"\d (kB|MB|GB)", sizes), sizes[:80])
    names = []
    for index in range(links.count()):
        with page.expect_download() as waiting:
            links.nth(index).click()
        download = waiting.value
        named = links.nth(index).get_attribute("download")
        check("downloads: a file has its name", download.suggested_filename == named, named)
        if not named.endswith(".zip"):
            names.append(named)
            continue
        with zipfile.ZipFile(download.path()) as archive:
            check("downloads: a zip is whole", archive.testzip() is None, f"{len(archive.namelist())} files")
            names += archive.namelist()
    check("downloads: no name is there twice", len({name.lower() for name in names}) == len(names))
    visit.close()
    visit = Visit(browser)
    page = visit.page
    page.goto(address + largest(folder))
    page.locator(PICTURES).first.click()
    own = page.locator(".save").get_attribute("download")
    check("downloads: the viewer gives a picture the name that it has in a zip", own in names, own)
    visit.close()


def check_placeholders(browser, address, folder):
    """What is behind a picture that is still loading, against another reader of ThumbHash."""
    visit = Visit(browser)
    page = visit.page
    held, is_held = [], True
    page.route(re.compile(r"/(tiles|views)/"), lambda route: held.append(route) if is_held else route.continue_())
    page.goto(address + largest(folder), wait_until="domcontentloaded")
    page.locator(PICTURES).first.scroll_into_view_if_needed()

    def bare():
        """How many of the pictures in the window have nothing behind them."""
        return page.locator("img[data-hash]").evaluate_all(
            """all => all.filter((one) => {
              const { top, bottom, left, right } = one.getBoundingClientRect();
              const isSeen = top < innerHeight && bottom > 0 && left < innerWidth && right > 0;
              return isSeen && !one.complete && !one.parentElement.querySelector("canvas");
            }).length"""
        )

    wait_until(page, lambda: page.locator("canvas").count() > 0 and bare() == 0)
    drawn = page.locator("canvas").evaluate_all(
        """all => all.map((one) => ({
          hash: one.nextElementSibling.dataset.hash,
          width: one.width,
          pixels: [...one.getContext("2d").getImageData(0, 0, one.width, one.height).data],
        }))"""
    )
    check("placeholders: each picture that is in the window has one", drawn, f"{len(drawn)} are drawn")
    worst = 0
    for canvas in drawn[:20]:
        text = canvas["hash"]
        width, height, pixels = thumbhash_to_rgba(base64.b64decode(text))
        same = len(pixels) == len(canvas["pixels"]) and width == canvas["width"]
        worst = max(worst, max(map(lambda one, other: abs(one - other), pixels, canvas["pixels"]))) if same else 255
    check("placeholders: they are what another program makes of the hash", worst <= 2, f"{worst} of 255")
    is_held = False
    for route in held:
        route.continue_()
    first = page.locator(f"{PICTURES} img[data-hash]").first
    wait_until(page, lambda: first.evaluate("one => one.complete && !one.parentElement.querySelector('canvas')"))
    check("placeholders: they go when the picture is there", not visit.mistakes, "; ".join(visit.mistakes[:3]))
    visit.close()


def check_without_scripts(browser, address, folder):
    """The same pictures are reached by links."""
    visit = Visit(browser, java_script_enabled=False)
    page = visit.page
    page.goto(address + "index.html")
    check("without scripts: no control that does nothing", page.locator("input:visible, button:visible").count() == 0)
    waiting = ["index.html"] if not has_months(folder) else [
        link for link in re.findall(r'href="([^"]+)"', page.content()) if link.startswith("months/")
    ]
    keys, seen = [], set()
    while waiting:
        target = waiting.pop(0)
        if target in seen:
            continue
        seen.add(target)
        page.goto(address + target, wait_until="domcontentloaded")
        text = page.content()
        keys += re.findall(r'<li id="([^"]+)"', text)
        waiting += ["months/" + link for link in re.findall(r'rel="next" href="([^"]+)"', text)]
    check("without scripts: links reach each picture", sorted(keys) == sorted(pictures_in(folder)) and keys,
          f"{len(keys)} on {len(seen)} pages")
    page.locator(".grid a").first.click()
    # The page that is left has long been loaded.
    wait_until(page, lambda: not page.url.split("#")[0].endswith(".html"))
    check("without scripts: a picture is a link to its file",
          re.search(r"/(views|tiles|originals)/", page.url) is not None, page.url.rsplit("/", 1)[-1])
    visit.close()


def check_accessibility(browser, address, folder):
    axe = Axe()
    for scheme in ["light", "dark"]:
        for width in [360, 1280]:
            visit = Visit(browser, viewport={"width": width, "height": 800}, color_scheme=scheme, bypass_csp=True)
            page = visit.page
            targets = ["index.html", *[page for page in pages_of(folder) if page.startswith("months/")][:1],
                       *[page for page in pages_of(folder) if page.startswith("albums/")][:1]]
            for target in targets:
                page.goto(address + target)
                check_axe(axe, page, f"{scheme}, {width}, {target}")
            page.locator(PICTURES).first.click()
            page.keyboard.press("f")
            page.keyboard.press("i")
            page.wait_for_timeout(400)
            check_axe(axe, page, f"{scheme}, {width}, viewer")
            page.keyboard.press("Escape")
            # It is a step back in the history, which would else come after the next one on.
            wait_until(page, lambda: not page.locator("dialog.viewer").is_visible())
            page.goto(address + "index.html#favorites")
            check_axe(axe, page, f"{scheme}, {width}, favorites")
            page.locator("#send").click()
            check_axe(axe, page, f"{scheme}, {width}, selection")
            visit.close()


def check_axe(axe, page, name):
    # What the page notices of its window comes with a frame, and colors change over some more.
    page.evaluate("() => new Promise(done => requestAnimationFrame(() =>"
                  " requestAnimationFrame(() => setTimeout(done))))")
    wait_until(page, lambda: page.evaluate("document.getAnimations().every(each => each.playState !== 'running')"))
    violations = axe.run(page).response["violations"]
    details = "; ".join(f"{entry['id']}: {entry['nodes'][0]['html'][:120]}" for entry in violations)
    check(f"axe: {name}", not violations, details)


def take_screenshots(browser, address, folder, target_folder):
    target_folder.mkdir(parents=True, exist_ok=True)
    for width, height in [(360, 740), (1280, 800), (2560, 1440)]:
        for scheme in ["light", "dark"]:
            visit = Visit(browser, viewport={"width": width, "height": height}, color_scheme=scheme)
            page = visit.page

            def take(name):
                page.wait_for_load_state("networkidle")
                page.wait_for_timeout(300)
                page.screenshot(path=target_folder / f"gallery-{name}-{width}-{scheme}.png")

            page.goto(address + "index.html")
            take("index")
            page.locator(".month").first.evaluate("one => one.scrollIntoView()")
            take("pictures")
            page.locator(PICTURES).first.click()
            take("viewer")
            visit.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gallery", type=pathlib.Path)
    parser.add_argument("--screenshots", type=pathlib.Path)
    arguments = parser.parse_args()
    folder = arguments.gallery.resolve()
    server = Server(folder)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
            check_visit(browser, "folder", folder.as_uri() + "/", folder)
            check_visit(browser, "server", server.address, folder)
            check_touch(browser, "touch", server.address)
            check_widths(browser, server.address, folder)
            check_chips(browser, server.address)
            if (folder / "downloads").exists():
                check_downloads(browser, server.address, folder)
            check_placeholders(browser, server.address, folder)
            check_without_scripts(browser, folder.as_uri() + "/", folder)
            check_accessibility(browser, server.address, folder)
            if arguments.screenshots:
                take_screenshots(browser, server.address, folder, arguments.screenshots)
            browser.close()
    finally:
        server.close()
    print(f"{len(failures)} checks have failed" if failures else "all checks have passed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
