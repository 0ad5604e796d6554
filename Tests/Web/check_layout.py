#!/usr/bin/env python3
"""Compares the layout of a gallery with what was kept in `layouts`, in Chromium at 360, 1280 and 2560 px.

check_layout.py GALLERY [--record]

The gallery is one of the photos of draw_pictures.py. Each view is compared twice:

- by edges of named elements, in pixels (`edges.json`), which say what has moved. Only those are kept that no
  font decides: lines of text have heights of their own, widths that hang on text are left out;
- by the screenshot, as the mean colors of cells of 40 x 40 pixels (`NAME-WIDTH.png`), which also shows what lies
  over something else, is not drawn, or has another color.

Screenshots pixel by pixel would differ with each version of Chromium, FreeType and fonts; a cell does not, since
1,600 pixels are averaged. That the tolerances are right is tested here too: a page in another font passes, and
one with a planted fault does not. --record writes the files anew, as `RECORD_SNAPSHOTS=1
make test-web` does; look at the pages before they are committed.

Prints one line a check, and exits 1 when one has failed. Needs playwright and Pillow of PyPI and Debian's chromium.
"""

import argparse
import io
import json
import pathlib
import sys

from PIL import Image, ImageChops
from playwright.sync_api import sync_playwright

FOLDER = pathlib.Path(__file__).parent / "layouts"
WINDOWS = {360: 740, 1280: 800, 2560: 1440}
CELL = 40

# An edge may be off by 1 % of the window's width, at least by 6 px.
EDGE = 0.01
# Cells whose color is off by more than 32 of 255; so many of a hundred may be.
COLOR, CELLS = 32, 2.5

# Elements of each view, and which of their edges count: left, right, top, bottom.
EDGES = {
    "index": {".top": "lrtb", ".cover": "lrtb", ".cover h1": "l", "#m2024-06 h2": "lt", "#m2024-06 .grid > li": "lrtb"},
    "months": {
        ".top": "lrtb", "#m2024-05": "lrt", "#m2024-04": "lt", "#m2024-03": "lt", "#m2023-12": "lrt",
        ".scrubber": "lrtb", ".scrubber a": "rtb", "#m2024-05 .grid > li": "lrtb", "#m2024-04 .grid > li": "lrtb",
        "#m2024-03 .grid > li": "lrtb", "#m2023-12 .grid > li": "lrtb",
    },
    "favorites": {".top": "lrtb", ".grid > li:not([hidden])": "lrtb", ".tray": "lrb", "#send": "r"},
    "selection": {"dialog.send": "lrb", "#save": "lrb", ".others .button": "lrb"},
    "viewer": {".stage": "lrtb", ".stage > img": "lrtb", ".bar": "lrt", ".dock": "rt", ".drawer": "lrtb"},
    "tiny": {".stage": "lrtb", ".stage > img": "lrtb", ".turn": "lrtb", ".film [aria-current]": "lrtb"},
}

# What must be found, in the view that shows it at 1280 px; and what must not, in any view.
FAULTS = {
    "index": {
        "pictures below each other": ".grid { display: block !important }",
        "rows that end anywhere": ".grid li { flex-grow: 0 !important }",
        "pictures far from each other": ".grid { gap: 40px !important }",
        "a cover that is not shown": ".cover > img { display: none }",
    },
    "months": {
        "pictures that are not drawn": ".grid img { visibility: hidden }",
        "a bar that scrolls away": ".top { position: static !important }",
        "months below each other": ".stream { display: block !important }",
        "a rail at the other side": ".scrubber { right: auto !important; left: 0 }",
    },
    "selection": {"a sheet in the corner": "dialog.sheet { margin: 0 !important }"},
    "viewer": {
        "stretched pictures": ".stage > img { object-fit: fill !important }",
        "details over the picture": ".info .stage { right: 0 !important; bottom: 0 !important }",
    },
    "tiny": {"tiny pictures that are enlarged": ".stage > img { max-width: none !important }"},
}
OTHER_FONT = "body { font-family: serif !important }"

# What is cut, wraps or touches something in a view; each returns the texts that do.
SMALL_PARTS = {
    (360, "months"): ("the date of a day is whole in a narrow picture", """() =>
      [...document.querySelectorAll(".day")].filter((chip) => {
        const [outer, date] = [chip, chip.lastElementChild].map((one) => one.getBoundingClientRect());
        return date.width && (date.left < outer.left || date.right > outer.right || date.bottom > outer.bottom + 1);
      }).map(({ textContent }) => textContent)"""),
    (360, "favorites"): ("\"Send selection\" is one line beside a long text", """() => {
      document.querySelector("#kept").textContent = "This browser keeps nothing: send before you close";
      const { height, right } = document.querySelector("#send").getBoundingClientRect();
      return height > 46 || right > screen.width ? [`${height} px high, ends at ${right}`] : [];
    }"""),
    (1280, "months"): ("no mark of the rail touches a year among 90 months", """() => {
      const [rail, mark] = [".scrubber", ".scrubber a:not(.year)"].map((name) => document.querySelector(name));
      const clones = [...Array(90)].map(() => mark.cloneNode(true));
      mark.after(...clones);
      const centers = [...rail.children].map((link) => {
        const { top, bottom } = link.getBoundingClientRect();
        return (top + bottom) / 2;
      });
      const near = [...rail.children].filter((link, position) => link.matches(".year")
        && [position - 1, position + 1].some((other) => Math.abs(centers[other] - centers[position]) < 10));
      for (const clone of clones) clone.remove();
      return near.map(({ textContent }) => textContent);
    }"""),
}

failures = []


def check(name, is_true, detail=""):
    print(f"{'ok' if is_true else 'FAILED'}: {name}" + (f" ({detail})" if detail != "" else ""), flush=True)
    if not is_true:
        failures.append(name)


def settle(page):
    """Waits for pictures, and for everything that moves."""
    for _ in range(2400):
        if page.evaluate(
            """() => document.readyState === "complete" && !document.querySelector(".scrubber.moving")
                 && document.getAnimations().every(({ playState }) => playState !== "running")
                 && [...document.images].every((image) => {
                   const { top, bottom, width } = image.getBoundingClientRect();
                   return image.complete || !width || bottom < 0 || top > innerHeight;
                 })"""
        ):
            break
        page.wait_for_timeout(25)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")


def views(page, address):
    """Leads to each view in turn."""
    page.goto("about:blank")
    page.goto(address)
    yield "index"
    page.locator("#m2024-05").evaluate("month => month.scrollIntoView()")
    yield "months"
    # Favorites of three months; a label of the page's own would lie on a picture below the pointer.
    for position in (0, 1, 3, 13, 20):
        page.locator(".month .grid > li").nth(position).evaluate("item => item.querySelector('.heart').click()")
    page.goto(address + "#favorites")
    yield "favorites"
    page.locator("#send").evaluate("button => button.click()")
    yield "selection"
    page.locator(".send .close").evaluate("button => button.click()")
    page.goto(address)
    page.evaluate("localStorage.clear()")
    page.locator(".month .grid > li a").nth(9).evaluate("link => link.click()")
    page.locator(".about").evaluate("button => button.click()")
    yield "viewer"
    page.locator(".hide").evaluate("button => button.click()")
    page.locator(".prev").evaluate("button => button.click()")
    yield "tiny"


def edges(page, view):
    """The edges of a view's elements that are in the window."""
    measured = page.evaluate(
        """(selectors) => selectors.map((selector) => [...document.querySelectorAll(selector)]
             .filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect())
             .filter(({ top, bottom, width }) => bottom > 0 && top < innerHeight && width)
             .map(({ left, right, top, bottom }) => ({ l: left, r: right, t: top, b: bottom })))""",
        list(EDGES[view]),
    )
    return {
        selector: [{side: round(box[side]) for side in sides} for box in boxes]
        for (selector, sides), boxes in zip(EDGES[view].items(), measured)
    }


def cells(page):
    """The screenshot as one pixel for each cell."""
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    return picture.resize((picture.width // CELL, -(-picture.height // CELL)), Image.Resampling.BOX)


def moved(kept, current, width):
    """The elements whose edges are not where they were kept."""
    slack = max(6, EDGE * width)
    names = []
    for selector, boxes in kept.items():
        pairs = list(zip(boxes, current[selector]))
        is_same = len(boxes) == len(current[selector])
        off = [abs(box[side] - other[side]) for box, other in pairs for side in box]
        if not is_same or max(off, default=0) > slack:
            names.append(f"{selector} {max(off, default=0)} px" if is_same else f"{selector} {len(current[selector])} of {len(boxes)}")
    return names


def recolored(kept, current):
    """How many of a hundred cells have another color."""
    if kept.size != current.size:
        return 100.0
    bands = ImageChops.difference(kept, current).split()
    worst = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    off = sum(worst.histogram()[COLOR + 1 :])
    return 100 * off / (kept.width * kept.height)


# The viewer's controls go when nothing has moved for three seconds, which a busy machine takes for one look.
MOVING_POINTER = "setInterval(() => document.querySelector('.viewer')?.dispatchEvent(new PointerEvent('pointermove')), 500)"


def look(browser, width, address):
    """Each view's page and name, in a window of a width."""
    is_phone = width < 700
    context = browser.new_context(
        viewport={"width": width, "height": WINDOWS[width]}, has_touch=is_phone, is_mobile=is_phone,
        color_scheme="light", reduced_motion="reduce", locale="en-US", timezone_id="UTC", bypass_csp=True,
    )
    context.set_default_timeout(120_000)
    context.add_init_script(MOVING_POINTER)
    page = context.new_page()
    for view in views(page, address):
        settle(page)
        yield page, view
    context.close()


def differences(kept, width, page, view):
    """What is not as it was kept."""
    texts = moved(kept[f"{view}-{width}"], edges(page, view), width)
    share = recolored(Image.open(FOLDER / f"{view}-{width}.png").convert("RGB"), cells(page))
    return texts + ([f"{share:.1f} % of the colors"] if share > CELLS else [])


def lasting_differences(kept, width, page, view):
    """What is not as it was kept, and stays so."""
    texts = differences(kept, width, page, view)
    for _ in range(20):
        # A picture is complete before it is painted, for which a loaded machine takes a second.
        if texts:
            page.wait_for_timeout(250)
            texts = differences(kept, width, page, view)
    return texts


def changed(kept, width, page, view, style, find=differences):
    """What is not as it was kept while the page has rules of one's own."""
    rules = page.add_style_tag(content=style)
    settle(page)
    texts = find(kept, width, page, view)
    rules.evaluate("rules => rules.remove()")
    return texts


def record(browser, address):
    FOLDER.mkdir(exist_ok=True)
    kept = {}
    for width in WINDOWS:
        for page, view in look(browser, width, address):
            kept[f"{view}-{width}"] = edges(page, view)
            cells(page).save(FOLDER / f"{view}-{width}.png", optimize=True)
    lines = [f' "{name}": {{\n' + ",\n".join(f'  {json.dumps(selector)}: {json.dumps(edges)}' for selector, edges in boxes.items())
             + "\n }" for name, boxes in kept.items()]
    (FOLDER / "edges.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{len(kept)} views are in {FOLDER}")


def compare(browser, address):
    kept = json.loads((FOLDER / "edges.json").read_text(encoding="utf-8"))
    for width in WINDOWS:
        for page, view in look(browser, width, address):
            texts = lasting_differences(kept, width, page, view)
            check(f"{width} px, {view}: it is as it was kept", not texts, "; ".join(texts[:6]))
            texts = changed(kept, width, page, view, OTHER_FONT, lasting_differences)
            check(f"{width} px, {view}: so it is in another font", not texts, "; ".join(texts[:6]))
            if (width, view) in SMALL_PARTS:
                name, script = SMALL_PARTS[width, view]
                texts = page.evaluate(script)
                check(f"{width} px, {view}: {name}", not texts, "; ".join(texts))
            for name, style in FAULTS.get(view, {}).items() if width == 1280 else []:
                texts = changed(kept, width, page, view, style)
                check(f"{width} px, {view}: this is found: {name}", texts, "; ".join(texts[:3]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gallery", type=pathlib.Path)
    parser.add_argument("--record", action="store_true")
    arguments = parser.parse_args()
    address = arguments.gallery.resolve().as_uri() + "/index.html"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        if arguments.record:
            record(browser, address)
        else:
            compare(browser, address)
        browser.close()
    if not arguments.record:
        print(f"{len(failures)} checks have failed" if failures else "all checks have passed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
