"""Looks at an HTML report in Chromium, as a person with a keyboard, and without scripts.

check_report.py REPORT; prints a line for each check, and exits 1 if one has failed.
"""

import argparse
import pathlib
import sys

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from check_gallery import Visit, check, check_axe, failures, wait_until


def visible(page):
    return page.locator("[data-outcome]:visible").count()


def check_filter(browser, address):
    visit = Visit(browser)
    page = visit.page
    page.goto(address)
    paint = visit.first_paint()
    check("the report is painted within 2 s", paint < 2000, f"{paint:.0f} ms")
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

    for name in ["outcome", "reason"]:
        select = page.locator(f"select[name={name}]")
        words = [word for word in select.locator("option").all_inner_texts() if word != "any"]
        check(f"there are several of {name}", len(words) > 1, f"{words}")
        for word in words:
            select.select_option(word)
            expected = page.locator(f'[data-{name}="{word}"]').count()
            check(f"{name} {word} is filtered", visible(page) == expected > 0, f"{visible(page)} of {expected}")
        page.get_by_role("button", name="Show all").click()
        wait_until(page, lambda: visible(page) == total)
    page.locator("select[name=outcome]").select_option("failed")
    check("a list without an item is not there", page.locator(".gallery:visible").count() == 0)
    page.emulate_media(media="print")
    check("the form is not printed", page.locator(".filter:visible").count() == 0)
    check("nothing was asked for", visit.requests == [address], f"{visit.requests}")
    check("nothing went wrong", not visit.mistakes, f"{visit.mistakes}")
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
    check("and no form that does nothing", visit.page.locator(".filter").count() == 0)
    visit.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("report", type=pathlib.Path)
    address = parser.parse_args().report.resolve().as_uri()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        check_filter(browser, address)
        check_policy(browser, address)
        check_without_scripts(browser, address)
        for scheme in ["light", "dark"]:
            visit = Visit(browser, color_scheme=scheme, bypass_csp=True)
            visit.page.goto(address)
            check_axe(Axe(), visit.page, f"report, {scheme}")
            visit.close()
        browser.close()
    print(f"{len(failures)} checks have failed" if failures else "all checks have passed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
