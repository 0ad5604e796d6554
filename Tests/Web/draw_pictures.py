#!/usr/bin/env python3
"""Draws the photos of a gallery whose layout is known: 40 of them, of nine ratios, in months of 1 to 15.

draw_pictures.py FOLDER

Each has a color of its own that no neighbor has, a light upper left corner, and a date of capture. The same
files come out each time, so that positions on a page can be kept. Needs Pillow.
"""

import pathlib
import sys

from PIL import Image, ImageDraw

SIZES = [(1200, 900), (900, 1200), (1200, 800), (1600, 500), (1200, 675), (800, 1200), (1000, 1000), (675, 1200), (40, 30)]
# The number of photos of each month, the newest first; some have one alone.
MONTHS = [("2024:06", 12), ("2024:05", 1), ("2024:04", 2), ("2024:03", 1), ("2023:12", 9), ("2022:08", 15)]
HUES = [210, 30, 120, 280, 0, 170, 60, 320]
DATE_TIME_ORIGINAL = 0x9003
EXIF = 0x8769


def draw(number, size):
    width, height = size
    hue = HUES[number % len(HUES)] * 255 // 360
    picture = Image.new("HSV", size, (hue, 150 + number % 3 * 40, 130 + number % 4 * 30)).convert("RGB")
    pen = ImageDraw.Draw(picture)
    pen.rectangle((0, 0, width // 3, height // 3), fill=(235, 235, 225))
    pen.ellipse((width // 2, height // 2, width * 9 // 10, height * 9 // 10), fill=(25, 25, 35))
    return picture


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    number = 0
    for month, count in MONTHS:
        for position in range(count):
            number += 1
            tags = Image.Exif()
            # Three of a day, the newest first.
            day, hour = 28 - position // 3, 20 - position % 3
            tags[EXIF] = {DATE_TIME_ORIGINAL: f"{month}:{day:02} {hour:02}:00:00"}
            size = SIZES[(number - 1) % len(SIZES)]
            draw(number, size).save(folder / f"drawn{number:02}.jpg", quality=88, exif=tags)


if __name__ == "__main__":
    main()
