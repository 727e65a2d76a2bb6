#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the icon's files for macOS and Windows from the drawing. rsvg-convert draws it in each size; the files are written here, without other tools.

    icon_files.py --rsvg-convert PROGRAM --svg FILE [--icns FILE] [--ico FILE]

icns: | "icns" | size u32 | elements: type (4 letters), size u32 with this head, data | big-endian. Elements of 16 and 32 pixels have runs of red, green and
blue, and a mask of their own, since PNG in them is not shown in bundles; all others are PNG.
ico: | 0 u16 | 1 u16 | count u16 | entries: width u8, height u8, 0 u16, planes u16, bits u16, size u32, offset u32 | images | little-endian. 256 pixels are
written as 0 and are PNG, all others are bitmaps, upside down, with blue first and a mask of one bit.
"""
import argparse
import pathlib
import struct
import subprocess
import zlib

ICNS_RUNS = [(b"is32", b"s8mk", 16), (b"il32", b"l8mk", 32)]
ICNS_PNG = [(b"ic11", 32), (b"ic12", 64), (b"ic07", 128), (b"ic13", 256), (b"ic08", 256), (b"ic14", 512), (b"ic09", 512), (b"ic10", 1024)]
ICO_BITMAPS = [16, 20, 24, 32, 40, 48, 64]
ICO_PNG = 256
PNG_HEAD = b"\x89PNG\r\n\x1a\n"


def draw(program, svg, size):
    """The drawing as PNG."""
    return subprocess.run([program, f"--width={size}", f"--height={size}", str(svg)], check=True, stdout=subprocess.PIPE).stdout


def unfiltered(kind, line, above):
    """A row of pixels of four bytes, as it was before PNG's filter (PNG specification, chapter 9)."""
    row = bytearray(line)
    for i, value in enumerate(line):
        left, up, corner = (row[i - 4], above[i], above[i - 4]) if i >= 4 else (0, above[i], 0)
        guess = left + up - corner
        nearest = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
        row[i] = value + (0, left, up, (left + up) // 2, nearest)[kind] & 0xFF
    return bytes(row)


def pixels(png):
    """Rows of red, green, blue and alpha. The picture must be as rsvg-convert makes them: 8 bits each, not interlaced."""
    at, data, size = len(PNG_HEAD), b"", None
    while at < len(png):
        length, name = struct.unpack(">I4s", png[at:at + 8])
        content = png[at + 8:at + 8 + length]
        if name == b"IHDR":
            size, form = struct.unpack(">II", content[:8]), content[8:]
        elif name == b"IDAT":
            data += content
        at += length + 12
    if form != bytes([8, 6, 0, 0, 0]):
        raise ValueError(f"the form of the PNG is {form.hex()}, not that of red, green, blue and alpha")
    raw, rows, above = zlib.decompress(data), [], bytes(size[0] * 4)
    for y in range(size[1]):
        start = y * (size[0] * 4 + 1)
        above = unfiltered(raw[start], raw[start + 1:start + 1 + size[0] * 4], above)
        rows.append(above)
    return rows


def runs(values):
    """Bytes as icns packs them: n < 128 is followed by n + 1 bytes, n >= 128 by one byte that stands there n - 125 times."""
    out, at, literal = bytearray(), 0, bytearray()

    def flush():
        for start in range(0, len(literal), 128):
            piece = literal[start:start + 128]
            out.append(len(piece) - 1)
            out.extend(piece)
        literal.clear()

    while at < len(values):
        end = at
        while end < len(values) and values[end] == values[at] and end - at < 130:
            end += 1
        if end - at >= 3:
            flush()
            out.extend((end - at + 125, values[at]))
        else:
            literal.extend(values[at:end])
        at = end
    flush()
    return bytes(out)


def icns(drawn):
    """drawn(size): the drawing as PNG."""
    elements = []
    for colours, mask, size in ICNS_RUNS:
        flat = b"".join(pixels(drawn(size)))
        elements += [(colours, b"".join(runs(flat[channel::4]) for channel in range(3))), (mask, flat[3::4])]
    elements += [(name, drawn(size)) for name, size in ICNS_PNG]
    body = b"".join(name + struct.pack(">I", len(data) + 8) + data for name, data in elements)
    return b"icns" + struct.pack(">I", len(body) + 8) + body


def bitmap(rows):
    size = len(rows)
    colours = b"".join(bytes(value for x in range(0, size * 4, 4) for value in (row[x + 2], row[x + 1], row[x], row[x + 3])) for row in reversed(rows))
    line = (size + 31) // 32 * 4
    bits = b"".join(int("".join("0" if row[x + 3] else "1" for x in range(0, size * 4, 4)).ljust(line * 8, "0"), 2).to_bytes(line, "big") for row in reversed(rows))
    return struct.pack("<IiiHHIIiiII", 40, size, size * 2, 1, 32, 0, len(colours) + len(bits), 0, 0, 0, 0) + colours + bits


def ico(drawn):
    images = [(size, bitmap(pixels(drawn(size)))) for size in ICO_BITMAPS] + [(0, drawn(ICO_PNG))]
    at, entries = 6 + 16 * len(images), b""
    for size, data in images:
        entries += struct.pack("<BBBBHHII", size, size, 0, 0, 1, 32, len(data), at)
        at += len(data)
    return struct.pack("<HHH", 0, 1, len(images)) + entries + b"".join(data for _, data in images)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rsvg-convert", required=True)
    parser.add_argument("--svg", type=pathlib.Path, required=True)
    parser.add_argument("--icns", type=pathlib.Path)
    parser.add_argument("--ico", type=pathlib.Path)
    options = parser.parse_args()

    def drawn(size):
        return draw(options.rsvg_convert, options.svg, size)
    for path, make in ((options.icns, icns), (options.ico, ico)):
        if path:
            path.write_bytes(make(drawn))


if __name__ == "__main__":
    main()
