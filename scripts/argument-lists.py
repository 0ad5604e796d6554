#!/usr/bin/env python3
"""Puts the arguments of a call on one line where the whole line then fits, and joins nothing else.

scripts/argument-lists.py           Rewrites the Swift files of Sources and Tests.
scripts/argument-lists.py --check   Prints FILE:LINE of each list that would be joined, and exits 1 if there is any.

swift-format breaks before each argument of a list that does not fit, and keeps the breaks that it finds, so that a list
which fits again stays broken without this.
"""

import glob
import re
import sys

# Two less than .swift-format's lineLength: it breaks some lists with brackets that reach its end.
COLUMNS = 108
# The end of a line that calls something: a name, a closing bracket or quote, or a generic argument, and "(".
CALL = re.compile(r'[\w)\]>}?!"`]\($')
DECLARATION = re.compile(r"\b(?:func|init|subscript|case|macro|#if|#elseif)\b")
TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
# What a list that is joined must not have: comments, texts of several lines, and the beginning of a closure.
NEVER = re.compile(r'//|/\*|"""|#"|\bin$|\{$')


def is_declaration(line):
    """Whether a line declares what has parameters, which are no arguments."""
    code = TEXT.sub('""', line)
    match = DECLARATION.search(code)
    if not match:
        return code.lstrip().startswith("@")
    # "case .a(" in a switch is a pattern, and "self.init(" a call.
    return not re.search(r"\.init\($", code)


def joined(lines, first):
    """The list that begins at the end of a line, as (its last line, the line in its place); None if it stays."""
    head = lines[first]
    indent = len(head) - len(head.lstrip())
    parts = []
    for last in range(first + 1, len(lines)):
        line = lines[last]
        text = line.strip()
        depth = len(line) - len(line.lstrip())
        if depth == indent and text.startswith(")"):
            # A range keeps the breaks of both its ends.
            if text.startswith(").."):
                return None
            whole = head + " ".join(parts) + text
            return (last, whole) if parts and len(whole) <= COLUMNS else None
        if depth != indent + 2 or not text or NEVER.search(text) or not is_whole(text):
            return None
        if parts and not parts[-1].endswith(","):
            return None
        parts.append(text)
    return None


def is_whole(text):
    """Whether every bracket that a line opens is closed in it, and no other."""
    depth = 0
    for character in TEXT.sub('""', text):
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return depth == 0


def join(text):
    """The text with its lists joined, and the numbers of the lines at which they began."""
    lines, found = text.split("\n"), []
    # From the end, so that a list is joined before the one that it stands in.
    in_text = quoted(lines)
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number]
        if in_text[number] or not CALL.search(line) or "//" in TEXT.sub('""', line) or is_declaration(line):
            continue
        result = joined(lines, number)
        if result:
            lines[number:result[0] + 1] = [result[1]]
            found.append(number + 1)
    return "\n".join(lines), found


def quoted(lines):
    """For each line whether it lies in a text of several lines."""
    inside, result = False, []
    for line in lines:
        result.append(inside)
        if line.count('"""') % 2:
            inside = not inside
    return result


def main():
    is_check = sys.argv[1:] == ["--check"]
    paths = sorted(glob.glob("Sources/**/*.swift", recursive=True) + glob.glob("Tests/**/*.swift", recursive=True))
    count = 0
    for path in paths + ["Package.swift"]:
        with open(path, encoding="utf-8") as file:
            before = file.read()
        after, found = join(before)
        count += len(found)
        if is_check:
            for number in reversed(found):
                print(f"{path}:{number}: the arguments fit on one line: scripts/argument-lists.py joins them")
        elif after != before:
            with open(path, "w", encoding="utf-8") as file:
                file.write(after)
    if not is_check:
        print(f"argument-lists: {count} joined")
    sys.exit(is_check and count > 0)


main()
