#!/usr/bin/env python3
"""Looks at a gallery and at the page that asks in each of their languages, in Chromium at 360 and 1280 px.

check_languages.py gallery GALLERY
check_languages.py asking MEDIABATCH FOLDER

The gallery is made with --language en-XA: a pseudo-language whose sentences stand between brackets and are 40 %
longer. FOLDER is empty; manifests and pictures are put there. In each language nothing is cut or wider than the window,
and axe finds nothing; Arabic and Hebrew are mirrors of English; in the pseudo-language no text is without brackets but
data. --screenshots FOLDER keeps what was looked at.

Prints one line a check, and exits 1 when one has failed. Needs playwright and axe-playwright-python of PyPI, and
Debian's chromium.
"""

import argparse
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

TAGS = "en de fr es pt it nl pl uk ja zh-Hans ko ar he".split()
PSEUDO = "en-XA"
WIDTHS = [360, 1280]
PATIENCE = 120_000

failures = []


def check(name, is_true, detail=""):
    print(f"{'ok' if is_true else 'FAILED'}: {name}" + (f" ({detail})" if detail not in ("", []) else ""), flush=True)
    if not is_true:
        failures.append(name)


# The texts of a page that a person cannot read as a whole: beyond the window, beyond a button, or cut by what they are
# in. Titles and names of files may be cut, the weekday of a day has no room in a narrow picture, and words of the
# pseudo-language none on one.
CUT = """(others) => {
  const data = ".sr, .skip, .label, .day, .list, .noimg, .top .name, .what, .grid .name, .id, .why, code, template, noscript" + others;
  const cut = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const host = node.parentElement;
    const text = node.data.trim();
    // What a narrow window has for screen readers alone has no width.
    if (!text || host.closest(data) || host.getBoundingClientRect().width <= 1 || !host.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const { left, right, top, bottom, width } of range.getClientRects()) {
      if (!width) continue;
      for (let part = host; part; part = part.parentElement) {
        const style = getComputedStyle(part);
        if (/auto|scroll/.test(style.overflowX)) break;
        const box = part === document.documentElement ? { left: 0, right: innerWidth, top: -1e9, bottom: 1e9 } : part.getBoundingClientRect();
        const holds = part === document.documentElement || part.matches("button, .button, .chip, .segments label, .tag, .badge") || /hidden|clip/.test(style.overflowX);
        const isOut = left < box.left - 1 || right > box.right + 1 || (part.matches("button, .button, .chip, .tag") && (top < box.top - 2 || bottom > box.bottom + 2));
        if (holds && isOut && !part.matches("body")) cut.push(`${text} in ${part.tagName}.${part.className} of ${Math.round(box.left)} to ${Math.round(box.right)}: ${Math.round(left)} to ${Math.round(right)}`);
      }
    }
  }
  if (document.documentElement.scrollWidth > innerWidth) cut.push("the page scrolls sideways");
  return [...new Set(cut)];
}"""

# All texts of a page, also those that are not seen now, and those of attributes.
TEXTS = """() => {
  const texts = [];
  // Sentences have values in elements of their own, which are in one line with them.
  const isInLine = (node) => node.nodeType === Node.TEXT_NODE || getComputedStyle(node).display === "inline";
  const lineOf = (node) => (node.nodeType === Node.TEXT_NODE ? node.data : node.matches("code, svg") ? "" : [...node.childNodes].map((child) => lineOf(child)).join(""));
  function walk(part) {
    if (part.matches("script, style, svg, code, textarea, .brand, .why p, .id")) return;
    let line = "";
    for (const child of part.childNodes) {
      if (child.nodeType !== Node.TEXT_NODE && child.nodeType !== Node.ELEMENT_NODE) continue;
      if (isInLine(child)) line += lineOf(child);
      else {
        texts.push(line);
        line = "";
        walk(child);
      }
    }
    texts.push(line);
  }
  walk(document.body);
  for (const part of document.body.querySelectorAll("*"))
    for (const name of ["aria-label", "title", "placeholder", "alt"]) texts.push(part.getAttribute(name) ?? "");
  return [...texts, document.title].map((text) => text.trim()).filter(Boolean);
}"""

# What stands in texts of the pseudo-language and is the same in all: dates, units, keys.
NEUTRAL = re.compile(
    r"\b(January|February|March|April|May|June|July|August|September|October|November|December|"
    r"Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec|(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|"
    r"Sun|Mon|Tue|Wed|Thu|Fri|Sat|AM|PM|kB|MB|GB|MP|Escape)\b")


def unbracketed(texts, data):
    """The texts that have a word outside brackets that is no data."""
    found = set()
    for text in texts:
        rest = text
        for known in sorted(data, key=len, reverse=True):
            rest = rest.replace(known, "")
        # From the innermost: a sentence may have another one in it.
        while re.search(r"\[[^\[\]]*\]", rest):
            rest = re.sub(r"\[[^\[\]]*\]", "", rest)
        if re.search(r"[A-Za-z]{2}", NEUTRAL.sub("", rest)):
            found.add(text)
    return sorted(found)


class Looking:
    """What is looked at on each page."""

    def __init__(self, screenshots):
        self.screenshots = screenshots
        self.data = set()

    def settle(self, page):
        page.wait_for_load_state("load")
        for _ in range(2400):
            if page.evaluate("document.getAnimations().every(({ playState }) => playState !== 'running')"):
                break
            page.wait_for_timeout(25)
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")

    def look(self, page, tag, width, name, axe=True):
        self.settle(page)
        label = f"{tag}, {width}, {name}"
        if self.screenshots:
            self.screenshots.mkdir(parents=True, exist_ok=True)
            page.screenshot(path=self.screenshots / f"{tag}-{width}-{name}.png")
        cut = page.evaluate(CUT, ", .grid .badge" if tag == PSEUDO else "")
        check(f"{label}: nothing is cut", not cut, "; ".join(cut[:4]))
        if tag == PSEUDO:
            wrong = unbracketed(page.evaluate(TEXTS), self.data)
            check(f"{label}: no text is without brackets", not wrong, "; ".join(wrong[:8]))
        elif axe:
            violations = Axe().run(page).response["violations"]
            details = "; ".join(f"{item['id']}: {item['nodes'][0]['html'][:120]}" for item in violations)
            check(f"{label}: axe finds nothing", not violations, details)


def contexts(browser):
    """A page in each language and width, with the language, and whether it is asked for in the address."""
    for tag in TAGS + [PSEUDO]:
        for width in WIDTHS:
            context = browser.new_context(locale=tag, viewport={"width": width, "height": 800}, bypass_csp=True)
            context.set_default_timeout(PATIENCE)
            page = context.new_page()
            page.mistakes = []
            page.on("pageerror", lambda error, page=page: page.mistakes.append(str(error)))
            yield tag, width, page
            context.close()


def direction(page):
    return page.evaluate("[document.documentElement.lang, getComputedStyle(document.body).direction]")


# Where parts of the first page and of the viewer begin and end, by the way of reading: from where lines begin.
ANCHORS = """() => {
  const isMirrored = getComputedStyle(document.body).direction === "rtl";
  const edges = {};
  for (const [name, side] of [[".top .hearts", "end"], [".shut", "start"], [".dock .save", "end"], [".drawer", "end"], [".turn.prev", "start"], [".turn.next", "end"], [".month .grid > li", "start"]]) {
    const box = document.querySelector(name)?.getBoundingClientRect();
    if (!box?.width) continue;
    const isLeft = (side === "start") !== isMirrored;
    edges[name] = Math.round(isLeft ? box.left : innerWidth - box.right);
  }
  return edges;
}"""


def check_gallery(browser, folder, looking):
    address = folder.as_uri() + "/"
    anchors = {}
    albums = sorted(path.relative_to(folder).as_posix() for path in folder.glob("albums/*.html"))
    for tag, width, page in contexts(browser):
        query = f"?lang={tag}"
        page.goto(address + "index.html" + (query if tag == PSEUDO else ""))
        wanted = [tag, "rtl" if tag in ("ar", "he") else "ltr"]
        check(f"{tag}, {width}: the browser's language is shown, in its direction", direction(page) == wanted, str(direction(page)))
        if tag == PSEUDO:
            looking.data |= set(page.evaluate(
                "[...document.querySelectorAll('[data-title]')].flatMap(({ dataset }) => [dataset.title, dataset.camera, dataset.albums, dataset.caption, dataset.keywords]).filter(Boolean)"))
            looking.data |= set(page.evaluate("[...document.querySelectorAll('bdi:not([data-text]):not([data-date])')].map(({ textContent }) => textContent)"))
            looking.data |= {part for text in looking.data for part in text.split(", ")}
        looking.look(page, tag, width, "index")
        page.locator(".month").first.evaluate("one => one.scrollIntoView()")
        looking.look(page, tag, width, "pictures", axe=False)
        if width == 1280:
            anchors[tag] = page.evaluate(ANCHORS)
        page.locator("[popovertarget=view]").click()
        looking.look(page, tag, width, "view", axe=False)
        page.keyboard.press("Escape")
        page.locator(".month .grid > li .heart").evaluate_all("all => all.slice(0, 3).forEach((heart) => heart.click())")
        page.goto(address + "index.html" + (query if tag == PSEUDO else "") + "#favorites")
        looking.look(page, tag, width, "favorites", axe=False)
        page.locator("#send").evaluate("button => button.click()")
        page.locator("#copy").evaluate("button => button.click()")
        looking.look(page, tag, width, "selection")
        page.keyboard.press("Escape")
        page.locator("#search").evaluate("field => ((field.value = 'no such words'), field.oninput())")
        page.locator(".found .clear").wait_for()
        looking.look(page, tag, width, "nothing", axe=False)
        page.goto("about:blank")
        page.goto(address + "index.html" + (query if tag == PSEUDO else ""))
        page.locator(".month .grid > li a").nth(1).evaluate("link => link.click()")
        page.locator(".about").evaluate("button => button.click()")
        looking.look(page, tag, width, "viewer")
        begins = page.evaluate("[...document.querySelectorAll('.viewer h2, .viewer dd')].map((part) => getComputedStyle(part).textAlign)")
        check(f"{tag}, {width}: a Latin text begins where the lines of the page do",
              set(begins) <= ({"right"} if wanted[1] == "rtl" else {"left", "start"}), str(begins))
        if width == 1280:
            anchors[tag] |= page.evaluate(ANCHORS)
            before = page.url
            page.keyboard.press("ArrowLeft" if wanted[1] == "rtl" else "ArrowRight")
            check(f"{tag}: the arrow in the direction of reading shows the next picture",
                  page.url != before and page.locator(".viewer .count").inner_text().count("3") > 0, page.locator(".viewer .count").inner_text())
        for album in albums[:1]:
            page.goto(address + album + query)
            check(f"{tag}, {width}: ?lang= is the language, and links keep it",
                  direction(page)[0] == tag and page.locator(".back").get_attribute("href").endswith(query), page.locator(".back").get_attribute("href"))
            looking.look(page, tag, width, "album", axe=False)
        check(f"{tag}, {width}: no script has failed", not page.mistakes, "; ".join(page.mistakes[:3]))
    for tag in ["ar", "he"]:
        check(f"{tag}: the page is a mirror of the English one", anchors[tag] == anchors["en"], f"{anchors[tag]}, {anchors['en']}")
    # A language that there is no table of: the one that the gallery was made in.
    context = browser.new_context(locale="fi-FI")
    page = context.new_page()
    page.goto(address + "index.html")
    check("another language: that in which the gallery was made", direction(page)[0] == PSEUDO, str(direction(page)))
    context.close()
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address + "index.html")
    check("without scripts: that in which the gallery was made", page.locator("footer").inner_text().startswith("["))
    context.close()


def png(red, green, blue):
    """A picture of 64 by 48 pixels of one color."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    rows = (b"\0" + bytes([red, green, blue]) * 64) * 48
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 48, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class Question:
    """A question that waits for an answer in a browser."""

    def __init__(self, program, folder, *arguments):
        environment = dict(os.environ, XDG_DATA_HOME=str(folder / "data"))
        self.process = subprocess.Popen(
            [program, "access", "ask", "manifest.json", "--web", *arguments], cwd=folder, env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.address = ""
        while not self.address:
            line = self.process.stderr.readline()
            if not line:
                raise RuntimeError("no address was printed")
            self.address = "".join(re.findall(r"http://\S+", line))

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=120)


def write_sources(folder):
    photos = folder / "Photos" / "2026"
    photos.mkdir(parents=True)
    (folder / "Photos" / "Trip").mkdir()
    (folder / "Card").mkdir()
    for number in range(30):
        (photos / f"IMG_{number:04}.png").write_bytes(png(number * 8, 128, 255 - number * 8))
    (folder / "Photos" / "Trip" / "only.png").write_bytes(png(0, 200, 0))
    (folder / "Photos" / "Trip" / "none.png").write_bytes(b"no picture")
    times = sorted((folder / "Photos").rglob("*.png"))
    for hours, path in enumerate(times):
        os.utime(path, (1756555200 - 70 * 3600 * hours,) * 2)
    (folder / "manifest.json").write_text(json.dumps({
        "version": 1, "client": {"identifier": "org.example.test", "name": "Test"},
        "usageDescriptions": {"NSPhotoLibraryUsageDescription": "12345.", "NSCameraUsageDescription": "67890."},
        "sources": {"library": {"path": "Photos"}, "camera": {"path": "Card"}},
        "output": {"path": "Library"}, "onNotDetermined": "ask",
    }), encoding="utf-8")


def check_asking(browser, program, folder, looking):
    write_sources(folder)
    looking.data |= {"Test", "Photos", "Trip", "Card", "only.png", "none.png", "IMG_", "png", str(folder), "mediabatch"}
    for tag, width, page in contexts(browser):
        question = Question(program, folder, *(["--language", tag] if tag == PSEUDO else []))
        page.goto(question.address)
        page.locator("[data-choice]").first.wait_for()
        wanted = [tag, "rtl" if tag in ("ar", "he") else "ltr"]
        check(f"{tag}, {width}: the browser's language is shown, in its direction", direction(page) == wanted, str(direction(page)))
        looking.look(page, tag, width, "sources")
        page.locator(".sources input").first.check()
        looking.look(page, tag, width, "ticked", axe=False)
        page.locator("[data-choice=proceed]").click()
        page.locator("[data-choice=select], [data-choice=allow]").first.wait_for()
        looking.look(page, tag, width, "question")
        question.end()
        question = Question(program, folder, "library", *(["--language", tag] if tag == PSEUDO else []))
        page.goto("about:blank")
        page.goto(question.address)
        page.locator("[data-choice=select]").click()
        page.locator("#names .cell img").first.wait_for()
        page.locator("#albums label").first.wait_for()
        looking.look(page, tag, width, "picker")
        page.locator("#names .cell input").first.focus()
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowLeft" if wanted[1] == "rtl" else "ArrowRight")
        value = page.locator("#names .cell input").nth(1).get_attribute("value")
        check(f"{tag}, {width}: the arrow in the direction of reading moves on", page.locator(":focus").get_attribute("value") == value)
        page.keyboard.press("Enter")
        looking.look(page, tag, width, "selected", axe=False)
        page.keyboard.press(" ")
        page.locator("#big[open]").wait_for()
        looking.look(page, tag, width, "larger", axe=False)
        page.locator("#bigclose").click()
        page.locator("#done").click()
        page.locator(".results").wait_for()
        looking.look(page, tag, width, "answered")
        question.process.communicate(timeout=120)
        subprocess.run([program, "access", "reset", "manifest.json", "library"], cwd=folder, check=True, capture_output=True,
                       env=dict(os.environ, XDG_DATA_HOME=str(folder / "data")))
        check(f"{tag}, {width}: no script has failed", not page.mistakes, "; ".join(page.mistakes[:3]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["gallery", "asking"])
    parser.add_argument("arguments", nargs="+")
    parser.add_argument("--screenshots", type=pathlib.Path)
    options = parser.parse_args()
    looking = Looking(options.screenshots)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        if options.what == "gallery":
            check_gallery(browser, pathlib.Path(options.arguments[0]).resolve(), looking)
        else:
            check_asking(browser, options.arguments[0], pathlib.Path(options.arguments[1]).resolve(), looking)
        browser.close()
    print(f"{len(failures)} checks have failed" if failures else "all checks have passed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
