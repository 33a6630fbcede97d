"""Cuts Fontsource's latin files to what the dashboard draws: a fifth of the bytes on a phone's first visit.

    python3 proof/fonts/cut.py <folder of the sources> public/fonts

The sources are `files/*-latin-opsz-normal.woff2` of @fontsource-variable/source-serif-4 5.3 and
`files/*-latin-wght-normal.woff2` of hanken-grotesk and geist-mono 5.3. Needs fontTools 4.38 or newer, with brotli.

A cut of Source Serif may not carry its reserved name (SIL Open Font License, section 3), so it is named Sluice Serif.
Its text has one optical size, that of titles and sentences (22 to 32 px); the figures of totals have the largest.

Each is cut in two: what the dashboard itself writes, and the letters that only names have, which a browser asks for
where one of them stands (`unicode-range` in app/styles/fonts.css).
"""

import sys
from io import BytesIO
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

KEPT_FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl", "liga", "tnum", "lnum"]
# Family, unique id, full name, PostScript name; and what the licence wants to stay: copyright, licence, its address.
FAMILY_NAMES = (1, 4, 16)
UNIQUE_NAMES = (3, 6)
KEPT_NAMES = [0, 1, 2, 3, 4, 5, 6, 13, 14]
ENGLISH = [*range(0x20, 0x7F), *map(ord, "\u00a0£±·×«»–—‘’“”•…€↑↓−")]
FIGURES = [ord(character) for character in "0123456789.,$€£¥+-−–'’()  %"]


def cut(source: Path, target: Path, family: str, axes: dict, characters: list[int]) -> None:
    font = TTFont(source)
    options = Options()
    options.layout_features = KEPT_FEATURES
    options.name_IDs = KEPT_NAMES
    options.hinting = False
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)
    # Read anew before the axes are cut: the tables of what was left out still stand in the font in memory.
    font.flavor = None
    smaller = BytesIO()
    font.save(smaller)
    smaller.seek(0)
    font = instantiateVariableFont(TTFont(smaller), axes)
    for record in font["name"].names:
        if record.nameID in FAMILY_NAMES:
            record.string = family
        if record.nameID in UNIQUE_NAMES:
            record.string = family.replace(" ", "")
    font.flavor = "woff2"
    font.save(target)


def cut_in_two(source: Path, target: Path, name: str, family: str, axes: dict) -> None:
    others = [character for character in TTFont(source).getBestCmap() if character not in ENGLISH]
    cut(source, target / f"{name}-english.woff2", family, axes, ENGLISH)
    cut(source, target / f"{name}-latin.woff2", family, axes, others)


def main(sources: Path, target: Path) -> None:
    serif = sources / "source-serif-4-latin-opsz-normal.woff2"
    cut_in_two(serif, target, "sluice-serif", "Sluice Serif", {"wght": (380, 500), "opsz": 28})
    cut(
        serif,
        target / "sluice-serif-figures.woff2",
        "Sluice Serif Figures",
        {"wght": (330, 400), "opsz": 60},
        FIGURES,
    )
    for name, family in (("hanken-grotesk", "Hanken Grotesk"), ("geist-mono", "Geist Mono")):
        cut_in_two(sources / f"{name}-latin-wght-normal.woff2", target, name, family, {"wght": (400, 600)})


main(Path(sys.argv[1]), Path(sys.argv[2]))
