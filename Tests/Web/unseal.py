#!/usr/bin/env python3
"""Decrypts a gallery with a password, by docs/decisions/0029 and without a line of the program that made it.

unseal.py GALLERY PASSWORD OUTPUT

Writes each file to where it would lie in a gallery without a password: the first page is looked up, and then whatever
pages name. Ends with 1 where a file does not open, has another shape, or is named by no page. Needs cryptography of
PyPI.
"""

import base64
import hashlib
import hmac
import pathlib
import re
import sys
import urllib.parse

from cryptography.hazmat.primitives.ciphers.aead import AESGCM


class Gallery:
    """The sealed files of a folder, and the keys of a password."""

    def __init__(self, folder, password):
        self.folder = pathlib.Path(folder)
        page = (self.folder / "index.html").read_text(encoding="utf-8")
        rounds, salt, check = re.search(r'data-lock="(\d+) (\S+) (\S+)"', page).groups()
        if int(rounds) < 600_000:
            raise ValueError(f"{rounds} rounds")
        self.key = hashlib.pbkdf2_hmac("sha256", password.encode(), base64.b64decode(salt), int(rounds), 32)
        if self.derived("check")[:16] != base64.b64decode(check):
            raise ValueError("wrong password")
        self.names, self.files = self.derived("names"), AESGCM(self.derived("files"))
        self.nonces = {}

    def derived(self, purpose):
        return hmac.new(self.key, f"mediabatch-gallery/1 {purpose}".encode(), "sha256").digest()

    def name(self, path):
        return hmac.new(self.names, path.encode(), "sha256").digest()[:16].hex()

    def script(self, path):
        name = self.name(path)
        return self.folder / name[:2] / f"{name}.js"

    def read(self, path):
        """The content of a file."""
        name, text = self.name(path), self.script(path).read_text(encoding="ascii")
        call = re.fullmatch(r'mediabatch\(("[0-9a-f]{32}"(?:,"[A-Za-z0-9+/]+=*")+)\)\n', text)
        texts = [part[1:-1] for part in call[1].split(",")]
        if texts[0] != name:
            raise ValueError(f"{path} calls itself {texts[0]}")
        nonce, *pieces = [base64.b64decode(text, validate=True) for text in texts[1:]]
        if len(nonce) != 12 or self.nonces.setdefault(nonce, path) != path:
            raise ValueError(f"the nonce of {path}")
        plain = self.files.decrypt(nonce, b"".join(pieces), name.encode())
        length = int.from_bytes(plain[:8], "big")
        if len(plain) != padded(8 + length) or any(plain[8 + length :]):
            raise ValueError(f"the padding of {path}")
        return plain[8 : 8 + length]


def padded(length):
    """Padme: of a length's bits all but the highest, and as many as tell their number, become zeros."""
    exponent = length.bit_length() - 1
    step = 1 << max(0, exponent - exponent.bit_length())
    return -(-length // step) * step


def named(text, path):
    """The files that a page names; scripts and the icon are not sealed."""
    addresses = re.findall(r' (?:href|src|data-src|data-movie|data-file)="([^"#]+)', text)
    resolved = [urllib.parse.urljoin("/" + path, address).lstrip("/") for address in addresses]
    return [address for address in resolved if "/" in address or address.endswith((".html", ".css"))]


def main():
    folder, password, output = sys.argv[1:]
    gallery = Gallery(folder, password)
    waiting, seen = ["index.html"], set()
    while waiting:
        path = waiting.pop()
        if path in seen or path == "base.css":
            continue
        seen.add(path)
        content = gallery.read(path)
        target = pathlib.Path(output) / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        if path.endswith(".html"):
            waiting += named(content.decode(), path)
    plain = {"index.html", "gallery.js", "words.js", ".mediabatch-export"}
    all_files = {file.relative_to(folder).as_posix() for file in pathlib.Path(folder).rglob("*") if file.is_file()}
    plain |= {path for path in all_files if path.startswith("languages/")}
    others = all_files - plain - {gallery.script(path).relative_to(folder).as_posix() for path in seen}
    if others:
        print(f"named by no page: {sorted(others)[:5]}")
        return 1
    print(f"{len(seen)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
