"""Takes the coded pictures of a HEIC or an AVIF out of their boxes, for the programs in floors.

The output is the decoder's configuration and then each coded picture of the primary item, its tiles in order; before
each is its length, four bytes, big-endian. Source: ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12, 6.6.2.3 and 9.3.
"""

import struct


def packets(picture):
    """Returns the bytes for floors/heic.c or floors/avif.c; nothing of thumbnails, alpha and depth is in them."""
    meta = dict(boxes(picture))[b"meta"][4:]
    parts = dict(boxes(meta))
    (primary,) = struct.unpack_from(">I" if parts[b"pitm"][0] else ">H", parts[b"pitm"], 4)
    places = item_places(parts[b"iloc"])
    items = tiles(parts, primary) or [primary]
    coded = []
    for item in items:
        method, extents = places[item]
        data = parts.get(b"idat", b"") if method == 1 else picture
        coded.append(b"".join(data[offset:offset + length] for offset, length in extents))
    return b"".join(struct.pack(">I", len(one)) + one for one in [configuration(parts, items[0]), *coded])


def boxes(data):
    """Yields the type and the content of each box."""
    at = 0
    while at + 8 <= len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        start = at + 8
        if size == 1:
            (size,) = struct.unpack_from(">Q", data, start)
            start += 8
        end = at + size if size else len(data)
        yield kind, data[start:end]
        at = end


def item_places(iloc):
    """Returns how each item is stored, and the offset and length of its extents."""
    version, wide = iloc[0], ">I" if iloc[0] == 2 else ">H"
    offset_size, length_size = iloc[4] >> 4, iloc[4] & 15
    base_size, index_size = iloc[5] >> 4, (iloc[5] & 15 if version else 0)
    at = 6

    def number(size):
        nonlocal at
        at += size
        return int.from_bytes(iloc[at - size:at], "big")

    places = {}
    for _ in range(number(struct.calcsize(wide))):
        item = number(struct.calcsize(wide))
        method = number(2) & 15 if version else 0
        number(2)
        base = number(base_size)
        extents = []
        for _ in range(number(2)):
            number(index_size)
            offset = base + number(offset_size)
            extents.append((offset, number(length_size)))
        places[item] = (method, extents)
    return places


def tiles(parts, primary):
    """Returns the items of which a grid is made, none if it is no grid."""
    references = parts.get(b"iref", b"")
    wide = "I" if references[:1] == b"\1" else "H"
    for kind, content in boxes(references[4:]):
        source, count = struct.unpack_from(f">{wide}H", content)
        if kind == b"dimg" and source == primary:
            return list(struct.unpack_from(f">{count}{wide}", content, struct.calcsize(f">{wide}H")))
    return []


def configuration(parts, item):
    """Returns the content of the property `hvcC` or `av1C` that the item has."""
    properties = dict(boxes(parts[b"iprp"]))
    known = list(boxes(properties[b"ipco"]))
    links = properties[b"ipma"]
    version, flags = links[0], links[3]
    at = 8
    for _ in range(struct.unpack_from(">I", links, 4)[0]):
        size = 4 if version else 2
        one, count = int.from_bytes(links[at:at + size], "big"), links[at + size]
        at += size + 1
        width = 2 if flags & 1 else 1
        for _ in range(count):
            index = int.from_bytes(links[at:at + width], "big") & (0x7fff if width == 2 else 0x7f)
            at += width
            if one == item and index and known[index - 1][0] in (b"hvcC", b"av1C"):
                return known[index - 1][1]
    raise ValueError("the picture has no decoder configuration")
