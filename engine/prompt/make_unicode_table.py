#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes unicode_table.cpp, the character classes that the pre-tokenizers ask for, from the Unicode Character Database.

    make_unicode_table.py [FOLDER] [OUTPUT]

FOLDER holds UnicodeData.txt and PropList.txt (Debian's package unicode-data puts them into /usr/share/unicode, the default).
OUTPUT is unicode_table.cpp beside this script unless given. Run it again when a newer database is wanted; the result is committed.
"""
import os
import re
import sys

# Bits as in unicode_table.h.
LETTER, NUMBER, SPACE, MARK, UPPER, LOWER, PUNCTUATION, SYMBOL = (1 << i for i in range(8))
MAJOR = {"L": LETTER, "N": NUMBER, "M": MARK, "P": PUNCTUATION, "S": SYMBOL}
MINOR = {"Lu": UPPER, "Lt": UPPER, "Ll": LOWER}
CODE_POINTS = 0x110000


def read_categories(path, classes):
    """UnicodeData.txt: code;name;category;...; a pair of lines named <..., First> and <..., Last> stands for a range."""
    first = 0
    with open(path, encoding="ascii") as lines:
        for line in lines:
            code, name, category = line.split(";")[:3]
            code = int(code, 16)
            if name.endswith(", First>"):
                first = code
                continue
            begin = first if name.endswith(", Last>") else code
            bits = MAJOR.get(category[0], 0) | MINOR.get(category, 0)
            for point in range(begin, code + 1):
                classes[point] |= bits


def read_white_space(path, classes):
    """PropList.txt: "0009..000D ; White_Space # ..."; returns the database's version, which stands in the first line."""
    with open(path, encoding="utf-8") as lines:
        text = lines.read()
    for begin, end in re.findall(r"^([0-9A-F]+)(?:\.\.([0-9A-F]+))? +; White_Space\b", text, re.M):
        for point in range(int(begin, 16), int(end or begin, 16) + 1):
            classes[point] |= SPACE
    return re.match(r"# PropList-([0-9.]+)\.txt", text).group(1)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    folder = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode"
    output = sys.argv[2] if len(sys.argv) > 2 else os.path.join(here, "unicode_table.cpp")
    classes = bytearray(CODE_POINTS)
    read_categories(os.path.join(folder, "UnicodeData.txt"), classes)
    version = read_white_space(os.path.join(folder, "PropList.txt"), classes)

    entries = [p << 8 | classes[p] for p in range(CODE_POINTS) if p == 0 or classes[p] != classes[p - 1]]
    rows = [", ".join(f"0x{e:x}" for e in entries[i:i + 10]) for i in range(0, len(entries), 10)]
    with open(output, "w", encoding="ascii", newline="\n") as out:
        out.write(f"""// SPDX-License-Identifier: Apache-2.0
// Made by make_unicode_table.py from the Unicode Character Database {version}; not edited by hand.
// Each entry: first code point << 8 | classes (the bits of CharacterClass), good up to the next entry's code point.
#include "prompt/unicode_table.h"

namespace coterie::engine {{

const char* const kUnicodeVersion = "{version}";

// clang-format off
const uint32_t kUnicodeRanges[] = {{
    {(","+chr(10)+"    ").join(rows)},
}};
// clang-format on

const size_t kUnicodeRangeCount = sizeof(kUnicodeRanges) / sizeof(kUnicodeRanges[0]);

}} // namespace coterie::engine
""")


if __name__ == "__main__":
    main()
