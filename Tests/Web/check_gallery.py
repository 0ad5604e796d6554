#!/usr/bin/env python3
"""Looks at a gallery as people do, in Chromium: from its folder, from a web server, without scripts, and
with the keyboard alone.

check_gallery.py GALLERY [--screenshots FOLDER]

Prints one line a check, and exits 1 when one has failed. Needs playwright, axe-playwright-python and
thumbhash-python of PyPI, and Debian's chromium.
"""

import argparse
import base64
import functools
import http.server
import pathlib
import re
import sys
import threading

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright
from thumbhash.decode import thumbhash_to_rgba

failures = []


def check(name, is_true, found=""):
    print(f"{'ok' if is_true else 'FAILED'}: {name}" + (f" ({found})" if found != "" else ""), flush=True)
    if not is_true:
        failures.append(name)


def wait_until(page, is_true, seconds=30):
    """Waits for a condition; the browser's own way evaluates text, which the policy refuses."""
    for _ in range(seconds * 20):
        if is_true():
            return
        page.wait_for_timeout(50)
    raise TimeoutError("a condition of the page has not come true")


class Server:
    """A plain web server of a folder, on loopback."""

    def __init__(self, folder):
        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *arguments):
                pass

        class QuietServer(http.server.ThreadingHTTPServer):
            # A browser that leaves a page ends its connections.
            def handle_error(self, *arguments):
                pass

        handler = functools.partial(Handler, directory=folder)
        self.server = QuietServer(("127.0.0.1", 0), handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()


class Visit:
    """A browser's context that records what its pages ask for, and what goes wrong in them."""

    def __init__(self, browser, **options):
        self.context = browser.new_context(**options)
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

    def first_paint(self):
        """Milliseconds from the start of the navigation to the first contentful paint."""
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


def pictures_in(folder):
    """The keys of the pictures of all months, from the text of the pages."""
    keys = []
    for path in sorted((folder / "months").glob("*.html")):
        keys += re.findall(r'<li id="([^"]+)">', path.read_text(encoding="utf-8"))
    return keys


def check_visit(browser, name, address, folder):
    """Everything with scripts, by one way of reaching the gallery."""
    visit = Visit(browser)
    page = visit.page
    for target in ["index.html", largest(folder)]:
        # The machine may be busy with something else: the best of three.
        paint = float("inf")
        for _ in range(3):
            if paint < 1000:
                break
            page.goto("about:blank")
            page.goto(address + target, wait_until="load")
            paint = min(paint, visit.first_paint())
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
          addEventListener("securitypolicyviolation", (event) => refused.add(event.effectiveDirective));
          const script = document.createElement("script");
          script.textContent = "window.planted = true";
          document.body.append(script);
          document.body.append(Object.assign(new Image(), { src: "http://127.0.0.1:9/planted.png" }));
          document.body.append(Object.assign(document.createElement("div"), { innerHTML: "<p style='color:red'>x</p>" }));
          setTimeout(() => resolve([...refused, String(window.planted)]), 500);
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

    visit = Visit(browser)
    page = visit.page
    check_keyboard(visit, name, address, folder)
    check_search(visit, name, address, folder)
    check(f"{name}: no script or request has failed", not visit.mistakes, "; ".join(visit.mistakes[:3]))
    visit.close()


def check_keyboard(visit, name, address, folder):
    """From the first page to the details of the second picture of a month and back, by keys alone."""
    page = visit.page
    page.goto(address + "index.html")
    page.locator("[data-file]").first.wait_for()

    def focused():
        return page.evaluate("document.activeElement.closest('[data-file], a[data-view], button') ? "
                             "(document.activeElement.dataset.file || document.activeElement.dataset.view "
                             "|| document.activeElement.textContent) : ''")

    def press_until(key, is_there, limit=2000):
        for _ in range(limit):
            page.keyboard.press(key)
            if is_there(focused()):
                return True
        return False

    check(f"{name}: Tab reaches a month", press_until("Tab", lambda at: at.startswith("data/")))
    page.keyboard.press("Enter")
    page.wait_for_url("**/months/*")
    check(f"{name}: Tab reaches a picture", press_until("Tab", lambda at: at in ("image", "video", "audio")))
    count = page.locator("a[data-view]").count()
    page.keyboard.press("Enter")
    dialog = page.locator("dialog")
    check(f"{name}: Enter opens the viewer", dialog.is_visible())
    title = dialog.locator("h2").inner_text()
    if count > 1:
        page.keyboard.press("ArrowRight")
        check(f"{name}: the right arrow shows the next picture", f"2 of {count}" in dialog.inner_text())
        page.keyboard.press("ArrowLeft")
        check(f"{name}: the left arrow goes back", dialog.locator("h2").inner_text() == title)
    page.keyboard.press("i")
    check(f"{name}: i shows the details", dialog.locator("dl").is_visible())
    # The focus stays in the viewer.
    inside = True
    for _ in range(20):
        page.keyboard.press("Tab")
        inside = inside and page.evaluate(
            "document.activeElement === document.body || !!document.activeElement.closest('dialog')"
        )
    check(f"{name}: Tab stays in the viewer", inside)
    page.keyboard.press("Escape")
    check(f"{name}: Escape closes the viewer", not dialog.is_visible())
    check(f"{name}: the focus is back on the picture", focused() in ("image", "video", "audio"))
    address_of_picture = page.url
    check(f"{name}: the address names the picture", "#" in address_of_picture)
    page.goto("about:blank")
    page.goto(address_of_picture)
    check(f"{name}: that address opens the picture", page.locator("dialog").is_visible())
    if page.locator("a[rel=next]").count() > 0:
        here = page.url.split("#")[0]
        page.keyboard.press("End")
        page.keyboard.press("ArrowRight")
        wait_until(page, lambda: page.url.split("#")[0] != here)
        page.locator("dialog").wait_for()
        check(f"{name}: behind the last picture the next page goes on", page.locator("dialog").is_visible())


def check_search(visit, name, address, folder):
    page = visit.page
    page.goto(address + largest(folder))
    title = page.locator(".grid a[data-view]").last.get_attribute("data-title")
    key = page.locator(".grid li").last.get_attribute("id")
    page.goto(address + "index.html")
    page.get_by_label("Search").fill(title)
    status = page.get_by_role("status")
    wait_until(page, lambda: status.inner_text().endswith("found"))
    links = page.locator("section:not([hidden]) .grid a")
    targets = [links.nth(index).get_attribute("href") for index in range(min(links.count(), 200))]
    check(f"{name}: the search finds a title", any(target.endswith(f"#{key}") for target in targets), status.inner_text())
    page.get_by_label("Search").fill("no such words 4711")
    wait_until(page, lambda: status.inner_text() == "0 found")
    page.get_by_label("Search").fill("")
    wait_until(page, lambda: page.locator("main").is_visible())


def check_placeholders(browser, address, folder):
    """What is behind a picture that is still loading, against another reader of ThumbHash."""
    visit = Visit(browser)
    page = visit.page
    held, is_held = [], True
    page.route(re.compile(r"/(tiles|views)/"), lambda route: held.append(route) if is_held else route.continue_())
    page.goto(address + largest(folder), wait_until="domcontentloaded")
    hashes = page.locator("img[data-hash]").evaluate_all("all => all.map((one) => one.dataset.hash)")
    drawn = page.locator("canvas").evaluate_all(
        """all => all.map((one) => ({
          width: one.width,
          pixels: [...one.getContext("2d").getImageData(0, 0, one.width, one.height).data],
        }))"""
    )
    check("placeholders: each picture has one", hashes and len(drawn) == len(hashes), f"{len(drawn)} of {len(hashes)}")
    worst = 0
    for text, canvas in zip(hashes[:20], drawn):
        width, height, pixels = thumbhash_to_rgba(base64.b64decode(text))
        same = len(pixels) == len(canvas["pixels"]) and width == canvas["width"]
        worst = max(worst, max(map(lambda one, other: abs(one - other), pixels, canvas["pixels"]))) if same else 255
    check("placeholders: they are what another program makes of the hash", worst <= 2, f"{worst} of 255")
    is_held = False
    for route in held:
        route.continue_()
    first = page.locator("img[data-hash]").first
    wait_until(page, lambda: first.evaluate("one => one.complete && !one.parentElement.querySelector('canvas')"))
    check("placeholders: they go when the picture is there", not visit.mistakes, "; ".join(visit.mistakes[:3]))
    visit.close()


def check_without_scripts(browser, address, folder):
    """The same pictures are reached by links."""
    visit = Visit(browser, java_script_enabled=False)
    page = visit.page
    page.goto(address + "index.html")
    check("without scripts: no control that does nothing", page.locator("input, button").count() == 0)
    waiting = [page.locator("[data-file]").nth(index).get_attribute("href")
               for index in range(page.locator("[data-file]").count())]
    found, seen = [], set()
    while waiting:
        target = waiting.pop(0)
        if target in seen:
            continue
        seen.add(target)
        page.goto(address + target, wait_until="domcontentloaded")
        text = page.content()
        found += re.findall(r'<li id="([^"]+)">', text)
        waiting += ["months/" + link for link in re.findall(r'rel="next" href="([^"]+)"', text)]
    check("without scripts: links reach each picture", sorted(found) == sorted(pictures_in(folder)) and found,
          f"{len(found)} on {len(seen)} pages")
    page.goto(address + sorted(path.relative_to(folder).as_posix() for path in folder.glob("months/*.html"))[0])
    page.locator(".grid a").first.click()
    page.wait_for_load_state()
    check("without scripts: a picture is a link to its file",
          re.search(r"/(views|tiles|originals)/", page.url) is not None, page.url.rsplit("/", 1)[-1])
    visit.close()


def check_accessibility(browser, address, folder):
    axe = Axe()
    for scheme in ["light", "dark"]:
        visit = Visit(browser, color_scheme=scheme, bypass_csp=True)
        targets = ["index.html", *[page for page in pages_of(folder) if page.startswith("months/")][:1],
                   *[page for page in pages_of(folder) if page.startswith("albums/")][:1]]
        for target in targets:
            visit.page.goto(address + target)
            check_axe(axe, visit.page, f"{scheme}, {target}")
        if visit.page.locator("a[data-view]").count():
            visit.page.locator("a[data-view]").first.click()
            visit.page.keyboard.press("i")
            check_axe(axe, visit.page, f"{scheme}, viewer")
        visit.close()


def check_axe(axe, page, name):
    violations = axe.run(page).response["violations"]
    found = "; ".join(f"{entry['id']}: {entry['nodes'][0]['html'][:120]}" for entry in violations)
    check(f"axe: {name}", not violations, found)


def take_screenshots(browser, address, folder, target_folder):
    target_folder.mkdir(parents=True, exist_ok=True)
    for width, height in [(360, 740), (1280, 800), (2560, 1440)]:
        for scheme in ["light", "dark"]:
            visit = Visit(browser, viewport={"width": width, "height": height}, color_scheme=scheme)
            for name, target in [("index", "index.html"), ("pictures", largest(folder))]:
                visit.page.goto(address + target, wait_until="networkidle")
                visit.page.screenshot(path=target_folder / f"gallery-{name}-{width}-{scheme}.png")
            visit.page.locator("a[data-view]").first.click()
            visit.page.wait_for_load_state("networkidle")
            visit.page.screenshot(path=target_folder / f"gallery-viewer-{width}-{scheme}.png")
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
