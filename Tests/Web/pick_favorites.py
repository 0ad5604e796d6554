#!/usr/bin/env python3
"""Picks favorites of a gallery on a phone's screen, by touch alone, and saves the file of the selection.

pick_favorites.py GALLERY COUNT FOLDER

The picks are spread over the page, and their labels are printed, a line each. The file gets into FOLDER under
the name that the page gives it. Needs playwright of PyPI and Debian's chromium.
"""

import pathlib
import sys

from playwright.sync_api import sync_playwright


def pick(page, count):
    """Touches the hearts of pictures from the first to the last one, and one in the viewer."""
    items = page.locator(".month .grid > li:visible")
    number = items.count()
    names = []
    for position in range(count):
        item = items.nth(position * (number - 1) // (count - 1))
        item.scroll_into_view_if_needed()
        if position == 1:
            item.locator("a").tap()
            page.locator("dialog.viewer .like").tap()
            page.locator("dialog.viewer .shut").tap()
            page.locator("dialog.viewer").wait_for(state="hidden")
        else:
            item.locator(".heart").tap()
        names.append(item.locator("a").get_attribute("data-title"))
    # One is changed: touched twice, it is none.
    spare = items.nth(1)
    for _ in range(2):
        spare.locator(".heart").tap()
    return names


def main():
    gallery, count, folder = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]), pathlib.Path(sys.argv[3])
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        context = browser.new_context(
            viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, accept_downloads=True
        )
        context.set_default_timeout(120_000)
        page = context.new_page()
        page.goto(gallery.as_uri() + "/index.html")
        names = pick(page, count)
        page.get_by_role("button", name="Send selection").tap()
        page.get_by_label("Your name").fill("Ann Müller")
        page.get_by_label("Note").fill("Warmer, please.")
        with page.expect_download() as waiting:
            page.get_by_role("button", name="Save selection file").tap()
        waiting.value.save_as(folder / waiting.value.suggested_filename)
        browser.close()
    print("\n".join(names))


if __name__ == "__main__":
    main()
