"""page.py FILE: what is wrong with a page for those who cannot see it, or who must not be tracked.

Prints a line for each finding. Rules of WCAG 2.2 that a program can check, and that nothing is
fetched or run.
"""

import base64
import hashlib
import json
import re
import sys
from html.parser import HTMLParser

VOID = {"meta", "img", "br", "link", "input", "hr", "rect", "path", "circle", "use"}
LANDMARKS = {"header", "main", "footer", "nav"}
problems = []


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.level = [], set(), 0
        self.seen = set()
        self.labels, self.table = [], None
        self.text, self.scripts, self.data = "", [], {}

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        values = dict(attributes)
        if len(names) != len(set(names)):
            problems.append(f"<{tag}> has an attribute twice")
        self.seen.add(tag)
        if tag == "script" and values.get("type") == "application/json":
            self.data[values.get("id")] = ""
            if names != ["type", "id"] + ["data-count"] * (values.get("id") == "rows"):
                problems.append(f"<script> of data has {attributes}")
        elif tag == "script":
            self.scripts.append("")
            if attributes != [("id", "script")]:
                problems.append(f"<script> has {attributes}")
        self.attributes = values
        if tag in ("link", "iframe", "object", "embed", "form", "base", "audio", "video"):
            problems.append(f"<{tag}> is there")
        for name, value in attributes:
            if name.startswith("on"):
                problems.append(f"<{tag}> has {name}")
            if name in ("src", "href", "action", "data", "srcset", "poster", "background"):
                if not re.match(r"(#[a-z-]+$|data:image/(jpeg|png|webp);base64,[A-Za-z0-9+/=]+$)", value or ""):
                    problems.append(f"<{tag}> leads to {value[:60]!r}")
            if name == "style" and re.search(r"url|expression|@", value or ""):
                problems.append(f"<{tag}> has style {value!r}")
        if "id" in values:
            if values["id"] in self.ids:
                problems.append(f"id {values['id']!r} twice")
            self.ids.add(values["id"])
        self.labels += [values[name] for name in ("aria-labelledby",) if name in values]
        if tag == "html" and values.get("lang") != "en":
            problems.append("the page has no language")
        if tag == "img" and not values.get("alt"):
            problems.append("a picture has no alternative text")
        is_beside = values.get("aria-hidden") == "true" or "hidden" in values
        if tag == "svg" and not is_beside and not (values.get("role") == "img" and values.get("aria-label")):
            problems.append("a chart has no label")
        if tag == "table":
            self.table = set()
        if self.table is not None:
            self.table.add(tag)
            if tag == "th" and values.get("scope") not in ("col", "row"):
                problems.append("a header has no scope")
        if re.fullmatch("h[1-6]", tag):
            level = int(tag[1])
            if level > self.level + 1:
                problems.append(f"<{tag}> follows <h{self.level}>")
            self.level = level
        if tag == "div" and "scroller" in (values.get("class") or ""):
            if values.get("tabindex") != "0" or not values.get("aria-label"):
                problems.append("what scrolls cannot be reached by the keyboard")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            problems.append(f"</{tag}> closes nothing")
        if tag == "table":
            if not {"caption", "thead", "tbody", "th"} <= self.table:
                problems.append("a table has no caption or headers")
            self.table = None

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            if self.attributes.get("type") == "application/json":
                self.data[self.attributes.get("id")] += data
            else:
                self.scripts[-1] += data
        self.text += data


def luminance(color):
    if len(color) == 4:
        color = "#" + "".join(c * 2 for c in color[1:])
    parts = [int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    parts = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(first, second):
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def rules(text, prefix):
    """The rules in all blocks that begin with a prefix, and the text without them."""
    inside, outside = "", text
    while (start := outside.find(prefix)) >= 0:
        end, depth = outside.index("{", start), 0
        while True:
            depth += {"{": 1, "}": -1}.get(outside[end], 0)
            end += 1
            if depth == 0:
                break
        inside += outside[start:end]
        outside = outside[:start] + outside[end:]
    return inside, outside


def check_colors(text, name):
    text = text.replace(": ", ":")
    colors = dict(re.findall(r"--([a-z0-9-]+):(#[0-9a-f]{3,6})\b", text))
    grounds = ["bg", "sunken", "surface", "raised"]
    texts = [(ink, ground) for ink in ["ink", "ink-2"] for ground in grounds]
    texts += [("accent", "bg"), ("accent", "accent-soft"), ("on-accent", "accent")]
    texts += [(name, name + "-soft") for name in ["good", "warn", "bad", "info"]]
    shapes = ["good", "quiet", "info", "heart", "warn", "bad", "accent"]
    for ink, ground in texts:
        if contrast(colors[ink], colors[ground]) < 4.5:
            problems.append(f"{name}: {ink} on {ground} is {contrast(colors[ink], colors[ground]):.1f}")
    for shape in shapes:
        if contrast(colors[shape], colors["bg"]) < 3:
            problems.append(f"{name}: {shape} is {contrast(colors[shape], colors['page']):.1f}")


with open(sys.argv[1], encoding="utf-8") as file:
    source = file.read()
page = Page()
page.feed(source)
page.close()
if page.open:
    problems.append(f"left open: {page.open}")
for name in LANDMARKS | {"h1", "title"}:
    if name not in page.seen:
        problems.append(f"no <{name}>")
for label in page.labels:
    if label not in page.ids:
        problems.append(f"no element is {label!r}")
for target in re.findall(r'href="#([a-z-]+)"', source):
    if target not in page.ids:
        problems.append(f"a link leads to nothing: {target}")
if "default-src 'none'" not in source:
    problems.append("the page has no policy")
# The one script is the one that the policy knows; no text of a library is in it. The other two are data.
allowed = re.findall(r"script-src ([^;\"]*)", source)
digests = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in page.scripts]
if len(digests) != 1 or allowed != [f"'sha256-{digests[0]}'"]:
    problems.append(f"scripts {digests}, allowed {allowed}")
if sorted(page.data) != ["choices", "rows"]:
    problems.append(f"data {sorted(page.data)}")
for name, text in page.data.items():
    if "<" in text or not isinstance(json.loads(text), list):
        problems.append(f"{name} is no data")
# Direction and control characters would change what a person reads.
for match in re.findall("[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]", source):
    problems.append(f"U+{ord(match):04X} is there")
style = re.search("<style>(.*?)</style>", source, re.S).group(1)
# Dark colors are those of a screen alone: paper has the light ones.
dark, light = rules(
    re.sub(r"/\*.*?\*/", "", style, flags=re.S), "@media screen and (prefers-color-scheme: dark)"
)
check_colors(light, "light")
check_colors(dark, "dark")
if re.search(r"--[a-z0-9-]+:\s*#", rules(light, "@media print")[0]):
    problems.append("paper has colors of its own")
print("\n".join(sorted(set(problems))))
