"""Looks at an HTML report in Chromium, as a person with a keyboard, and without scripts.

check_report.py REPORT --large REPORT [--screenshots FOLDER]

The large one has items that have no place of their own on the page, among them a live photo and 130 photos
that are called extra. Prints a line for each check, and exits 1 if one has failed.
"""

import argparse
import json
import pathlib
import sys
import tempfile

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from check_gallery import Visit, check, check_axe, failures, wait_until


def visible(page):
    return page.locator("[data-outcome]:visible").count()


def check_paint(browser, address, name):
    visit = Visit(browser)
    paint = visit.paint_time(address, 2000)
    check(f"{name} is painted within 2 s", paint < 2000, f"{paint:.0f} ms")
    visit.close()


def check_filter(browser, address):
    check_paint(browser, address, "the report")
    visit = Visit(browser)
    page = visit.page
    page.goto(address)
    total = page.locator("[data-outcome]").count()
    check("all items are shown at first", visible(page) == total > 3, f"{visible(page)} of {total}")

    # By keyboard alone: the field is reached, and what is typed filters.
    search = page.get_by_role("searchbox")
    for _ in range(60):
        page.keyboard.press("Tab")
        if search.evaluate("field => field === document.activeElement"):
            break
    page.keyboard.type("MARKUP")
    check("a search shows what it finds", visible(page) == 1, f"{visible(page)}")
    check("the number is told", page.get_by_role("status").inner_text() == f"1 of the {total} items on this page")
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    check("an empty search shows all", visible(page) == total)

    chips = page.locator("input[name=outcome]")
    words = [chips.nth(index).get_attribute("value") for index in range(chips.count())]
    check("there are several outcomes, and all of them", words[0] == "" and len(words) > 3, f"{words}")
    for word in words[1:]:
        chip = page.locator(f'input[name=outcome][value="{word}"]')
        chip.check()
        expected = page.locator(f'[data-outcome="{word}"]').count()
        check(f"outcome {word} is filtered", visible(page) == expected > 0, f"{visible(page)} of {expected}")
        text = chip.locator("xpath=../span").inner_text()
        check(f"its number is on the chip of {word}", text == str(expected), text)
    chips.first.check()
    check("the first chip shows all", visible(page) == total)
    # By keyboard: the arrows choose the next one.
    chips.first.focus()
    page.keyboard.press("ArrowRight")
    check("an arrow chooses the next outcome", visible(page) == page.locator(f'[data-outcome="{words[1]}"]').count())
    chips.first.check()

    select = page.locator("select[name=reason]")
    options = select.locator("option")
    reasons = [options.nth(index).get_attribute("value") for index in range(options.count())]
    check("there are several reasons", len(reasons) > 2, f"{reasons}")
    texts = options.all_inner_texts()
    # A code is one word that begins small ("undecodable"); what people read begins a sentence.
    told = all(words[:1].isupper() and words != code for words, code in zip(texts, reasons) if code)
    check("a reason is told in words", told, f"{texts}")
    for word in filter(None, reasons):
        select.select_option(word)
        expected = page.locator(f'[data-reason="{word}"]').count()
        check(f"reason {word} is filtered", visible(page) == expected > 0, f"{visible(page)} of {expected}")
    page.get_by_role("button", name="Show all").click()
    wait_until(page, lambda: visible(page) == total)
    page.locator("input[name=outcome][value=failed]").check()
    check("a list without an item is not there", page.locator(".gallery:visible").count() == 0)
    page.emulate_media(media="print")
    check("the form is not printed", page.locator("form:visible").count() == 0)
    check("nothing was asked for", visit.requests == [address], f"{visit.requests}")
    check("nothing went wrong", not visit.mistakes, f"{visit.mistakes}")
    visit.close()


def check_paging(browser, address):
    """Items that are data are searched and shown a part at a time."""
    check_paint(browser, address, "a page with data")
    visit = Visit(browser)
    page = visit.page
    page.goto(address)
    page.locator("#more tbody tr").first.wait_for()
    count = int(page.locator("#rows").get_attribute("data-count"))
    rows = page.locator("#more tbody tr")
    pager = page.locator("#more .pager span")
    check("a part of the data is shown", rows.count() == 100 < count, f"{rows.count()} of {count}")
    check("and said", pager.inner_text() == f"1–100 of {count}", pager.inner_text())
    previous, following = (page.get_by_role("button", name=name) for name in ["Previous page", "Next page"])
    check("there is nothing before it", previous.is_disabled() and following.is_enabled())
    first = rows.first.inner_text()
    following.focus()
    page.keyboard.press("Enter")
    check("the next part has the rest", rows.count() == count - 100 and rows.first.inner_text() != first)
    check("and no part follows", following.is_disabled())
    focus = page.evaluate("document.activeElement.textContent")
    check("the focus is at its heading", focus == "More items", focus)
    previous.focus()
    page.keyboard.press("Space")
    check("the way back is the same", rows.first.inner_text() == first)

    search = page.get_by_role("searchbox")
    for word in ["extra7.jpg", "extra129.jpg", "extra64 PHOTO"]:
        search.fill(word)
        check(f"{word} is found once", visible(page) + page.locator("#more tbody tr:visible").count() == 1)
    search.fill("live")
    check("a badge is found", page.locator("#more tbody tr:visible").count() + visible(page) == 2)
    search.fill("nothing has this name")
    check("nothing is found", not page.locator("#more").is_visible() and visible(page) == 0)
    page.get_by_role("button", name="Show all").click()
    wait_until(page, lambda: rows.count() == 100)
    page.locator("input[name=outcome][value=failed]").check()
    check("the data are filtered too", not page.locator("#more").is_visible() and visible(page) > 0)
    page.locator("input[name=outcome][value=imported]").check()
    check("by outcome", pager.inner_text() == f"1–100 of {count}" and visible(page) == 3, pager.inner_text())
    check("nothing was asked for", visit.requests == [address], f"{visit.requests}")
    check("nothing went wrong", not visit.mistakes, f"{visit.mistakes}")
    visit.close()
    visit = Visit(browser, java_script_enabled=False)
    visit.page.goto(address)
    text = visit.page.locator("noscript").inner_text()
    check("without scripts their number is told", f"{count} more items" in text and "csv" in text, text)
    visit.close()


def check_names(browser, large):
    """A name in a message stands as it is, whatever a replacement of texts would make of it."""
    name = "$&-$$-$`-$'.jpg"
    row = json.dumps(["failed", "photo library", "damaged", name, "", "", "\1 is cut"])
    text = large.read_text(encoding="utf-8")
    count = int(text.split('id="rows" data-count="')[1].split('"')[0])
    start = f'id="rows" data-count="{count}">['
    changed = text.replace(start, f'id="rows" data-count="{count + 1}">[{row},')
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".html") as file:
        file.write(changed)
        file.flush()
        visit = Visit(browser)
        visit.page.goto(pathlib.Path(file.name).as_uri())
        visit.page.get_by_role("searchbox").fill("is cut")
        message = visit.page.locator("#more tbody tr:visible").first.inner_text()
        check("a name in a message is as it was", f'"{name}" is cut' in message, message)
        visit.close()


def pages_of(paper):
    return paper.count(b"/Type /Page\n") + paper.count(b"/Type /Page ")


def check_paper(browser, address, folder):
    """Paper has the summary, the groups and the names of problems: 1,500 files take ten pages at most."""
    visit = Visit(browser)
    visit.page.goto(address)
    paper = visit.page.pdf(path=folder / "report.pdf" if folder else None, prefer_css_page_size=True)
    check("it prints", paper.startswith(b"%PDF") and 1 <= pages_of(paper) <= 4, f"{pages_of(paper)} pages")
    visit.page.evaluate(
        """() => {
          for (const [outcome, count] of [["failed", 800], ["unsupported", 700]]) {
            const body = document.querySelector(`.${outcome} tbody`);
            while (body.children.length < count) body.append(body.lastElementChild.cloneNode(true));
          }
        }"""
    )
    paper = visit.page.pdf(prefer_css_page_size=True)
    check("1,500 files print on at most 10 pages", 2 < pages_of(paper) <= 10, f"{pages_of(paper)} pages")
    visit.page.emulate_media(media="print")
    check("paper says where the list is", visit.page.get_by_text("The complete list is").is_visible())
    check("paper has no pictures", visit.page.locator(".gallery").is_hidden())
    visit.close()


def check_badges(browser, address):
    visit = Visit(browser)
    visit.page.goto(address)
    badges = visit.page.locator(".gallery .badges span").all_inner_texts()
    check("a live photo has its badge", "live" in badges, f"{badges}")
    accesses = visit.page.locator("section[aria-labelledby=accesses]")
    check("the accesses are drawn", accesses.locator("svg rect").count() >= 2)
    accesses.get_by_text("As a table").click()
    check("and told", accesses.locator("tbody tr:visible").count() >= 1)
    shares = visit.page.locator(".shares rect").count()
    check("each part of the bar has its number", visit.page.locator(".numbers li:not(.found)").count() == shares > 2)
    inner = visit.page.evaluate("document.querySelector('.shares').getBoundingClientRect().width")
    outer = visit.page.evaluate("document.querySelector('.numbers').getBoundingClientRect().width")
    check("the bar has the full width", inner == outer, f"{inner} of {outer}")
    top = visit.page.evaluate("document.querySelector('main').firstElementChild.className")
    check("the verdict is first", top.startswith("verdict "), top)
    visit.close()


def check_policy(browser, address):
    """The policy allows the report's own script and no other."""
    visit = Visit(browser)
    visit.page.goto(address)
    visit.page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.planted = true";
          document.body.append(script);
        }"""
    )
    check("no other script runs", visit.page.evaluate("window.planted") is None)
    visit.close()


def check_without_scripts(browser, address):
    visit = Visit(browser, java_script_enabled=False)
    visit.page.goto(address)
    total = visit.page.locator("[data-outcome]").count()
    check("without scripts all items are shown", visible(visit.page) == total > 3)
    check("and no form that does nothing", visit.page.locator("form").count() == 0)
    visit.page.locator("summary").first.click()
    check("and what is folded opens", visit.page.locator("details[open] table:visible").count() == 1)
    visit.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("report", type=pathlib.Path)
    parser.add_argument("--large", type=pathlib.Path, required=True)
    parser.add_argument("--screenshots", type=pathlib.Path)
    options = parser.parse_args()
    address, large = (path.resolve().as_uri() for path in [options.report, options.large])
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        check_filter(browser, address)
        check_paging(browser, large)
        check_names(browser, options.large)
        check_badges(browser, address)
        check_paper(browser, address, options.screenshots)
        check_policy(browser, address)
        check_without_scripts(browser, address)
        for scheme in ["light", "dark"]:
            for name, page in [("report", address), ("large report", large)]:
                for width in [360, 1280, 2560]:
                    size = {"width": width, "height": 900}
                    visit = Visit(browser, color_scheme=scheme, bypass_csp=True, viewport=size)
                    visit.page.goto(page)
                    visit.page.wait_for_timeout(200)
                    visit.page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
                    check_axe(Axe(), visit.page, f"{name}, {scheme}, {width}")
                    wide = visit.page.evaluate("document.documentElement.scrollWidth")
                    check(f"{name} fits into {width}", wide <= width, f"{wide}")
                    if options.screenshots:
                        picture = options.screenshots / f"{name}-{scheme}-{width}.png"
                        visit.page.screenshot(path=picture, full_page=True)
                    visit.close()
        browser.close()
    print(f"{len(failures)} checks have failed" if failures else "all checks have passed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
