#!/usr/bin/env python3
"""Looks at a gallery with a password as people do, in Chromium and in Firefox: from its folder, over https and over
plain http, without scripts, with a wrong password, and with files that somebody has changed or exchanged.

check_locked.py GALLERY PASSWORD [--large GALLERY]

The large one has 1,000 pictures, and is scrolled through. Prints one line a check, and exits 1 when one has failed.
Needs playwright, axe-playwright-python, cryptography and websocket-client of PyPI, and Debian's chromium and
firefox-esr.
"""

import argparse
import datetime
import pathlib
import re
import shutil
import sys
import tempfile
import time

from axe_playwright_python.sync_playwright import Axe
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from playwright.sync_api import sync_playwright

from check_gallery import Server
from drive_firefox import PATIENCE, Firefox
from unseal import Gallery

failures = []


def check(name, is_true, detail=""):
    print(f"{'ok' if is_true else 'FAILED'}: {name}" + (f" ({detail})" if detail != "" else ""), flush=True)
    if not is_true:
        failures.append(name)


class Chromium:
    """A browser with one page; what it does is told as Firefox's driver tells it."""

    def __init__(self, playwright, **options):
        # A name that is not localhost, for a page that is not secure.
        arguments = ["--host-resolver-rules=MAP gallery.test 127.0.0.1"]
        self.browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=arguments)
        self.page = self.browser.new_page(viewport={"width": 1280, "height": 800}, ignore_https_errors=True, **options)
        self.page.set_default_timeout(PATIENCE * 1000)
        self.requests, self.mistakes = [], []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.mistakes.append(str(error)))
        self.page.on("console", self.note)
        self.goto, self.evaluate = self.page.goto, self.page.evaluate

    def note(self, message):
        # The page has no icon, and asks a server for one.
        if message.type == "error" and not message.location.get("url", "").endswith("/favicon.ico"):
            self.mistakes.append(message.text)

    def press(self, key):
        self.page.keyboard.press(key)

    def close(self):
        self.browser.close()


def make_certificate(folder):
    """A certificate that nobody has signed, with its key, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.timezone.utc)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path = pathlib.Path(folder, "certificate.pem")
    path.write_bytes(secret + certificate.public_bytes(pem))
    return path


def wait(browser, function, seconds=PATIENCE):
    """Waits until a function of the page gives something true, and returns that; false after so long."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if value := browser.evaluate(function):
            return value
        time.sleep(0.02)
    return False


def enter(browser, password):
    """Types a password and opens the gallery; gives milliseconds until all pictures of the window are there."""
    browser.evaluate("() => document.querySelector('#password').focus()")
    for letter in password:
        browser.press(letter)
    start = time.monotonic()
    browser.press("Enter")
    if not wait(browser, SHOWN):
        return float("inf")
    return 1000 * (time.monotonic() - start)


TOLD = "() => document.querySelector('#told')?.textContent"
SHOWN = """() => {
  const inWindow = (image) => { const { top, bottom } = image.getBoundingClientRect(); return top < innerHeight && bottom > 0; };
  const images = [...document.querySelectorAll(".cover img, .grid img")].filter(inWindow);
  return images.length > 0 && images.every((image) => image.naturalWidth > 0);
}"""
HASH = "() => location.hash"


def check_visit(browser, name, address, gallery, password):
    browser.goto(address)
    browser.evaluate("() => document.querySelector('#password').focus()")
    for letter in "another":
        browser.press(letter)
    browser.press("Enter")
    told = wait(browser, TOLD)
    check(f"{name}: a wrong password is said, and nothing is shown", "Wrong password" in told and not browser.evaluate("() => document.querySelector('.stream')"))

    browser.goto("about:blank")
    browser.goto(address)
    spent = enter(browser, password)
    for _ in range(4):
        if spent < 2000:
            break
        browser.goto("about:blank")
        browser.goto(address)
        spent = min(spent, enter(browser, password))
    check(f"{name}: the first screen is there within 2 s", spent < 2000, f"{spent:.0f} ms")

    check_pictures(browser, name)
    titles = browser.evaluate("() => [document.body.dataset.title, document.body.dataset.gallery]")
    kept = browser.evaluate("() => Object.entries(localStorage).flat().join('\\n')")
    check(f"{name}: what is kept tells nothing", kept != "" and not any(title in kept for title in titles), kept[:40])

    browser.goto("about:blank")
    browser.goto(address)
    enter(browser, password)
    check(f"{name}: favorites are there after the page was loaded anew", "1" in browser.evaluate("() => document.querySelector('.hearts').textContent"))
    check_windows(browser, name)
    browser.evaluate("() => document.querySelector('.hearts').click()")
    check(f"{name}: favorites are shown alone", wait(browser, "() => location.hash === '#favorites' && document.querySelectorAll('.grid > li:not([hidden])').length === 1"))
    browser.evaluate("() => history.back()")
    wait(browser, "() => location.hash !== '#favorites'")
    check_search(browser, name)
    if browser.evaluate("() => !!document.querySelector('.months a')"):
        check_months(browser, name)


def check_windows(browser, name):
    """What another window has kept, which is put into its place here."""
    kept = "() => Object.values(localStorage).join()"
    before = browser.evaluate(kept)
    browser.evaluate("() => document.querySelector('.grid .heart[aria-pressed=true]').click()")
    wait(browser, f"() => ({kept})() !== {before!r}")
    browser.evaluate(f"() => localStorage.setItem(Object.keys(localStorage)[0], {before!r})")
    browser.evaluate("() => document.querySelector('a[href^=\"#albums/\"], a[href^=\"#months/\"]').click()")
    there = wait(browser, "() => document.body.dataset.page !== 'index.html' && document.querySelector('.hearts').textContent.trim()")
    check(f"{name}: the next page has what another window has kept", there == "1", there)
    browser.evaluate("() => history.back()")
    wait(browser, "() => document.body.dataset.page === 'index.html'")


def check_pictures(browser, name):
    browser.evaluate("() => document.querySelector('.grid a[data-title]').click()")
    seen = wait(browser, "() => document.querySelector('.stage img')?.naturalWidth")
    check(f"{name}: a picture is shown, from a blob", seen and browser.evaluate("() => document.querySelector('.stage img').getAttribute('src').startsWith('blob:')"))
    first = browser.evaluate(HASH)
    browser.press("ArrowRight")
    check(f"{name}: the next picture has its own address", wait(browser, f"() => location.hash !== '{first}' && document.querySelector('.stage img')?.naturalWidth"))
    browser.press("f")
    film = browser.evaluate("() => document.querySelector('[data-view=video]')?.closest('li').id")
    browser.press("Escape")
    check(f"{name}: closing the viewer leaves the page", wait(browser, "() => !document.querySelector('dialog[open]') && !location.hash.slice(1)"))
    if film:
        browser.evaluate(f"() => document.getElementById('{film}').querySelector('a').click()")
        check(f"{name}: a film plays", wait(browser, "() => document.querySelector('.stage video')?.readyState >= 2"))
        browser.press("Escape")
        wait(browser, "() => !document.querySelector('dialog[open]')")


def check_search(browser, name):
    word = browser.evaluate("() => document.querySelector('.grid a[data-title]').dataset.title")
    browser.evaluate(f"() => {{ const field = document.querySelector('#search'); field.value = {word!r}; field.oninput(); }}")
    check(f"{name}: the search finds a picture", wait(browser, "() => /^[1-9].* found/.test(document.querySelector('.found h1').textContent)"))
    browser.evaluate("() => document.querySelector('.found .clear').onclick()")


def check_months(browser, name):
    browser.evaluate("() => document.querySelector('.months a').click()")
    check(f"{name}: a month is a page by its address", wait(browser, "() => /^#months\\/\\S+\\.html$/.test(location.hash) && !!document.querySelector('.month h1')"))
    browser.evaluate("() => document.querySelector('.grid a[data-title]').click()")
    check(f"{name}: a picture of a month has both in its address", wait(browser, "() => /^#months\\/\\S+\\.html#\\S+$/.test(location.hash)"))
    browser.press("End")
    wait(browser, "() => { const [place, count] = document.querySelector('.count').textContent.split(' of '); return place === count; }")
    last = browser.evaluate(HASH)
    browser.press("ArrowRight")
    check(f"{name}: past its end the next month goes on", wait(browser, f"() => location.hash.split('#')[1] !== '{last.split('#')[1]}' && document.querySelector('dialog[open] .stage img')?.naturalWidth"))
    browser.press("Escape")
    wait(browser, "() => !document.querySelector('dialog[open]')")
    browser.evaluate("() => document.querySelector('.back').click()")
    check(f"{name}: the way back leads to the first page", wait(browser, "() => document.body.dataset.page === 'index.html'"))


def check_download(chromium, name, gallery):
    page = chromium.page
    chromium.evaluate("() => document.querySelector('.grid a[data-view], .grid a[data-src]')?.click()")
    if not wait(chromium, "() => document.querySelector('dialog[open]') && !document.querySelector('.save').hidden", 5):
        return
    path = chromium.evaluate("() => new URL(document.querySelector('.save').href).pathname.split('/').slice(-3).join('/')")
    with page.expect_download() as download:
        chromium.press("d")
    check(f"{name}: a download has the file's bytes", pathlib.Path(download.value.path()).read_bytes() == gallery.read(path), download.value.suggested_filename)
    chromium.press("Escape")
    wait(chromium, "() => !document.querySelector('dialog[open]')")


def check_tampering(browser, name, folder, password, certificate):
    """Files that somebody has changed: the copy of a gallery with a flipped byte, and with two files exchanged."""
    gallery = Gallery(folder, password)
    page = gallery.read("index.html").decode()
    tiles = list(dict.fromkeys(re.findall(r' src="(tiles/[^"]+)"', page)))[:3]
    with tempfile.TemporaryDirectory() as place:
        copy = pathlib.Path(place, "copy")

        def opened(change):
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(folder, copy)
            change(Gallery(copy, password))
            browser.goto("about:blank")
            browser.goto((copy / "index.html").as_uri())
            browser.evaluate("() => document.querySelector('#password').focus()")
            for letter in password:
                browser.press(letter)
            browser.press("Enter")

        def flip(path):
            def change(sealed):
                script = sealed.script(path)
                text = script.read_text()
                place = len(text) // 2
                script.write_text(text[:place] + ("A" if text[place] != "A" else "B") + text[place + 1 :])
            return change

        def exchange(renames):
            def change(sealed):
                one, other = sealed.script(tiles[0]), sealed.script(tiles[1])
                texts = [one.read_text(), other.read_text()]
                if renames:
                    texts = [texts[0].replace(one.stem, other.stem), texts[1].replace(other.stem, one.stem)]
                one.write_text(texts[1])
                other.write_text(texts[0])
            return change

        said = "() => document.querySelector('.unopened')?.textContent"
        hidden = "() => [...document.querySelectorAll('.grid img')].filter((image) => PATHS.includes(image.dataset.path)).every((image) => !image.naturalWidth)"
        for what, change, paths in [
            ("a flipped byte of a picture", flip(tiles[0]), tiles[:1]),
            ("two files under each other's names", exchange(False), tiles[:2]),
            ("two files under each other's names inside too", exchange(True), tiles[:2]),
        ]:
            opened(change)
            told = wait(browser, said)
            check(f"{name}: {what} is said, and not shown", told and "was changed" in told and browser.evaluate(hidden.replace("PATHS", repr(paths))))
        other = re.search(r' href="((?:albums|months)/[^"#]+)', page)[1]
        opened(flip(other))
        wait(browser, SHOWN)
        browser.evaluate(f"() => document.querySelector('a[href=\"#{other}\"]').click()")
        told = wait(browser, said)
        browser.evaluate("() => document.querySelector('.grid a[data-title]').click()")
        check(f"{name}: a page that does not open is said, and the one that was there goes on", told and wait(browser, "() => !!document.querySelector('dialog[open]')"))
        opened(flip("index.html"))
        told = wait(browser, TOLD)
        check(f"{name}: a flipped byte of the first page is said, and nothing is shown", "damaged" in told and not browser.evaluate("() => document.querySelector('.stream')"))


def check_scrolling(browser, name, address, password):
    """Scrolls through the longest page; of some tries one without a long frame is enough, the machine may be busy.

    Firefox does not tell scripts from layout and paint, so a second time, when nothing is left to load, says how long
    these take."""
    longest, limit = None, 50
    for _ in range(5):
        browser.goto("about:blank")
        browser.goto(address)
        enter(browser, password)
        if browser.evaluate("() => !!document.querySelector('.months a')"):
            browser.evaluate("() => document.querySelector('.months a').click()")
            wait(browser, "() => location.hash.startsWith('#months/')")
        wait(browser, SHOWN)
        frame = browser.evaluate(SCROLL)
        longest = frame if longest is None else min(longest, frame)
        if isinstance(browser, Firefox):
            browser.evaluate("() => scrollTo(0, 0)")
            limit = max(limit, 1.5 * browser.evaluate(SCROLL))
        if longest < limit:
            break
    check(f"{name}: scrolling has no frame with 50 ms of script", longest < limit, f"{longest:.0f} of {limit:.0f} ms")
    check(f"{name}: all pictures of the page are there", wait(browser, "() => [...document.querySelectorAll('.stream .grid img')].filter((image) => !image.hidden && image.naturalWidth).length > 50"))


# Scripts of a frame, where the browser tells them (Chromium); else the time that a task of the page takes.
SCROLL = """() => new Promise((resolve) => {
  let longest = 0;
  const isTold = PerformanceObserver.supportedEntryTypes.includes("long-animation-frame");
  if (isTold) {
    new PerformanceObserver((list) => {
      for (const { scripts } of list.getEntries())
        longest = Math.max(longest, scripts.filter(({ invoker }) => !/FrameRequestCallback/.test(invoker)).reduce((sum, { duration }) => sum + duration, 0));
    }).observe({ type: "long-animation-frame" });
  }
  const { port1, port2 } = new MessageChannel();
  let last = performance.now();
  port1.onmessage = () => {
    const now = performance.now();
    if (!isTold) longest = Math.max(longest, now - last);
    last = now;
    port2.postMessage(0);
  };
  if (!isTold) port2.postMessage(0);
  const step = () => {
    scrollBy(0, 100);
    if (scrollY + innerHeight < document.documentElement.scrollHeight - 5) return requestAnimationFrame(step);
    setTimeout(() => { port1.close(); resolve(longest); }, 300);
  };
  step();
})"""


def check_others(playwright, folder, certificate):
    """What needs no password: plain http, no scripts, and the page for assistive technology."""
    chromium = Chromium(playwright)
    chromium.goto(Server(folder, "gallery.test").address)
    text = chromium.evaluate("() => document.querySelector('main').innerText")
    check("plain http: the page says why it does not open", "https" in text and not chromium.evaluate("() => document.querySelector('#password')"), text.replace("\n", " ")[:60])
    chromium.close()
    chromium = Chromium(playwright, java_script_enabled=False)
    chromium.goto((folder / "index.html").as_uri())
    text = chromium.page.inner_text("main")
    check("without scripts: the page says that it needs them", "needs scripts" in text and "Password" not in text, text.replace("\n", " ")[:60])
    chromium.close()


def check_accessibility(chromium, name):
    result = Axe().run(chromium.page)
    found = [violation["id"] for violation in result.response["violations"]]
    check(f"{name}: axe finds nothing", not found, ", ".join(found))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gallery")
    parser.add_argument("password")
    parser.add_argument("--large")
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.gallery).resolve()
    gallery = Gallery(folder, arguments.password)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as place:
        certificate = make_certificate(place)
        check_others(playwright, folder, certificate)
        for browser in ["Chromium", "Firefox"]:
            for way in ["folder", "https", "localhost"]:
                driver = Chromium(playwright, accept_downloads=True) if browser == "Chromium" else Firefox()
                address = {
                    "folder": lambda: (folder / "index.html").as_uri(),
                    "https": lambda: Server(folder, "localhost", certificate).address,
                    "localhost": lambda: Server(folder, "localhost").address,
                }[way]()
                name = f"{browser}, {way}"
                check_visit(driver, name, address, gallery, arguments.password)
                if browser == "Chromium":
                    driver.goto("about:blank")
                    driver.goto(address)
                    check_accessibility(driver, f"{name}, the question")
                    enter(driver, arguments.password)
                    check_accessibility(driver, f"{name}, the gallery")
                    check_download(driver, name, gallery)
                    start = address.removesuffix("index.html")
                    others = [url for url in driver.requests if not url.startswith((start, "blob:", "about:"))]
                    check(f"{name}: nothing outside the gallery is asked for", not others, others[:2])
                check(f"{name}: no script or request has failed", not driver.mistakes, "; ".join(driver.mistakes[:3]))
                if way == "folder":
                    check_tampering(driver, name, folder, arguments.password, certificate)
                    if arguments.large:
                        large = pathlib.Path(arguments.large).resolve() / "index.html"
                        check_scrolling(driver, name, large.as_uri(), arguments.password)
                driver.close()
    print("all checks have passed" if not failures else f"{len(failures)} checks have failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
