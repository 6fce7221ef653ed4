#!/usr/bin/env python3
"""Generates tables/*.bin, the code page tables of this crate, from the converters of ICU, which hold IBM's CDRA mappings
under the names ibm-<CCSID>_P<version>.

    python3 crates/codepage/tables/generate.py           writes the files
    python3 crates/codepage/tables/generate.py --check   compares them, and exits with 1 if one differs

Only facts are taken (which code stands for which character), by asking the converter for each code. The head of src/lib.rs
says which mapping was chosen where sources differ; the formats of the files are in src/single_byte.rs and src/double_byte.rs.
"""
import ctypes
import glob
import pathlib
import re
import struct
import sys

HERE = pathlib.Path(__file__).resolve().parent

# The order is the order in sbcs.bin, which src/single_byte.rs repeats.
EBCDIC = [
    (37, "ibm-37_P100-1995"), (273, "ibm-273_P100-1995"), (277, "ibm-277_P100-1995"), (278, "ibm-278_P100-1995"),
    (280, "ibm-280_P100-1995"), (284, "ibm-284_P100-1995"), (285, "ibm-285_P100-1995"), (297, "ibm-297_P100-1995"),
    (500, "ibm-500_P100-1995"), (870, "ibm-870_P100-1995"), (871, "ibm-871_P100-1995"), (875, "ibm-875_P100-1995"),
    (1025, "ibm-1025_P100-1995"), (1026, "ibm-1026_P100-1995"), (1047, "ibm-1047_P100-1995"),
    (1140, "ibm-1140_P100-1997"), (1141, "ibm-1141_P100-1997"), (1142, "ibm-1142_P100-1997"), (1143, "ibm-1143_P100-1997"),
    (1144, "ibm-1144_P100-1997"), (1145, "ibm-1145_P100-1997"), (1146, "ibm-1146_P100-1997"), (1147, "ibm-1147_P100-1997"),
    (1148, "ibm-1148_P100-1997"), (1149, "ibm-1149_P100-1997"), (1154, "ibm-1154_P100-1999"),
]
# 1252 has the euro sign, as CCSID 5348 has and Windows since 1998.
ASCII = [(437, "ibm-437_P100-1995"), (819, "ISO-8859-1"), (850, "ibm-850_P100-1995"), (923, "ibm-923_P100-1998"),
         (1252, "ibm-5348_P100-1997")]
# Mixed pages: CCSID, converter, name of the file with the double-byte part (pages that share one share the file).
MIXED = [
    (930, "ibm-930_P120-1999", "dbcs_300"), (933, "ibm-933_P110-1995", "dbcs_834"), (935, "ibm-935_P110-1999", "dbcs_837"),
    (937, "ibm-937_P110-1999", "dbcs_835"), (939, "ibm-939_P120-1999", "dbcs_300"), (1364, "ibm-1364_P110-2007", "dbcs_4930"),
    (1371, "ibm-1371_P100-1999", "dbcs_9027"), (1388, "ibm-1388_P103-2001", "dbcs_4933"),
    (1390, "ibm-1390_P110-2003", "dbcs_16684"), (1399, "ibm-1399_P110-2003", "dbcs_16684"),
]
SHIFT_OUT, SHIFT_IN, UNASSIGNED = 0x0E, 0x0F, 0xFFFD


def library():
    found = sorted(glob.glob("/usr/lib/*/libicuuc.so.[0-9]*") + glob.glob("/usr/lib*/libicuuc.so.[0-9]*"))
    if not found:
        sys.exit("libicuuc is not installed: nothing to generate the tables from")
    return ctypes.CDLL(found[0]), "_" + re.search(r"so\.(\d+)", found[0]).group(1)


LIBRARY, SUFFIX = library()


def function(name, result, *arguments):
    it = LIBRARY[name + SUFFIX]
    it.restype, it.argtypes = result, arguments
    return it


POINTER, STATUS = ctypes.c_void_p, ctypes.POINTER(ctypes.c_int)
OPEN = function("ucnv_open", POINTER, ctypes.c_char_p, STATUS)
TO_UNICODE = function("ucnv_toUChars", ctypes.c_int, POINTER, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_int, STATUS)
FROM_UNICODE = function("ucnv_fromUChars", ctypes.c_int, POINTER, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_int, STATUS)
SET_TO = function("ucnv_setToUCallBack", None, POINTER, POINTER, POINTER, POINTER, POINTER, STATUS)
SET_FROM = function("ucnv_setFromUCallBack", None, POINTER, POINTER, POINTER, POINTER, POINTER, STATUS)
FALLBACK = function("ucnv_setFallback", None, POINTER, ctypes.c_int8)


class Converter:
    """One ICU converter that stops at what it cannot convert."""

    def __init__(self, name, fallback=False):
        status = ctypes.c_int(0)
        self.converter = OPEN(name.encode(), ctypes.byref(status))
        if status.value > 0:
            sys.exit(f"ICU has no converter {name}")
        stop = [ctypes.cast(LIBRARY[f"UCNV_{way}_U_CALLBACK_STOP{SUFFIX}"], POINTER) for way in ("TO", "FROM")]
        SET_TO(self.converter, stop[0], None, None, None, ctypes.byref(status))
        SET_FROM(self.converter, stop[1], None, None, None, ctypes.byref(status))
        FALLBACK(self.converter, int(fallback))

    def decode(self, data):
        status, out = ctypes.c_int(0), ctypes.create_string_buffer(64)
        units = TO_UNICODE(self.converter, out, 32, data, len(data), ctypes.byref(status))
        return out.raw[:2 * units].decode("utf-16-le") if status.value <= 0 else None

    def encode(self, text):
        status, out, units = ctypes.c_int(0), ctypes.create_string_buffer(64), text.encode("utf-16-le")
        length = FROM_UNICODE(self.converter, out, 64, units, len(units) // 2, ctypes.byref(status))
        return out.raw[:length] if status.value <= 0 else None


def single_bytes(converter, ascii_page, mixed):
    """The Unicode value of each byte."""
    values = []
    for byte in range(256):
        if mixed and byte in (SHIFT_OUT, SHIFT_IN):
            values.append(UNASSIGNED)
            continue
        # The controls of an ASCII page are those of ISO 646; IBM's PC mapping exchanges 1A, 1C and 7F.
        text = chr(byte) if ascii_page and byte in (0x1A, 0x1C, 0x7F) else converter.decode(bytes([byte]))
        values.append(UNASSIGNED if text is None or len(text) != 1 else ord(text))
        if values[-1] != UNASSIGNED and not (ascii_page and byte in (0x1A, 0x1C, 0x7F)):
            assert converter.encode(text) == bytes([byte]), (byte, text)
        # The micro sign of 437, which everybody else takes for U+00B5, as all other pages have it.
        if values[-1] == 0x03BC and ascii_page:
            values[-1] = 0x00B5
    assigned = [value for value in values if value != UNASSIGNED]
    assert len(set(assigned)) == len(assigned) and max(assigned) < 0x10000
    return values


def folded(values, upper):
    """For each byte the byte of the same letter in the other case. Only pairs that fold both ways count, and the dotless i,
    whose capital is I in every language."""
    reverse = {value: byte for byte, value in enumerate(values) if value != UNASSIGNED}
    out = []
    for byte, value in enumerate(values):
        text = chr(value)
        other = text.upper() if upper else text.lower()
        back = other.lower() if upper else other.upper()
        pair = len(other) == 1 and back == text and (text.islower() if upper else text.isupper())
        pair = pair or (upper and text == "\u0131")
        out.append(reverse.get(ord(other), byte) if pair else byte)
    return bytes(out)


def single_byte_record(values):
    return struct.pack(">256H", *values) + folded(values, True) + folded(values, False)


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def difference(value):
    return varint(2 * value if value >= 0 else -2 * value - 1)


def double_bytes(name, single):
    """The file of the double-byte part: src/double_byte.rs has its format."""
    converter, lenient = Converter(name), Converter(name, fallback=True)
    shifted = lambda code: bytes([SHIFT_OUT, code >> 8, code & 0xFF, SHIFT_IN])
    codes = [0x4040] + [high << 8 | low for high in range(0x41, 0xFF) for low in range(0x41, 0xFF)]
    texts = {code: text for code in codes if (text := converter.decode(shifted(code))) is not None}
    singles = {chr(value) for value in single if value != UNASSIGNED}
    # A code whose character is written with another code: it is only read. The single-byte part takes precedence in mixed
    # text, but pure double-byte text needs the code of a character that is in both.
    only_read = [code for code, text in texts.items() if text not in singles and converter.encode(text) != shifted(code)]
    only_written = []
    for value in range(0x80, 0x10000):
        if 0xD800 <= value < 0xE000 or chr(value) in singles or converter.encode(chr(value)) is not None:
            continue
        data = lenient.encode(chr(value))
        if data is not None and len(data) == 4:
            only_written.append((value, data[1] << 8 | data[2]))
    out, runs, expected = bytearray(), [], None
    single_texts = {code: text for code, text in texts.items() if len(text) == 1}
    for code in sorted(single_texts):
        if code != expected:
            runs.append([code, []])
        runs[-1][1].append(ord(single_texts[code]))
        expected = code + 1
    out += varint(len(runs))
    last_code, last_value = 0, 0
    for code, values in runs:
        out += varint(code - last_code) + varint(len(values))
        for value in values:
            out += difference(value - last_value - 1)
            last_value = value
        last_code = code + len(values)
    pairs = [(code, text) for code, text in sorted(texts.items()) if len(text) == 2]
    out += varint(len(pairs)) + b"".join(varint(code) + varint(ord(text[0])) + varint(ord(text[1])) for code, text in pairs)
    out += varint(len(only_read)) + b"".join(map(varint, only_read))
    out += varint(len(only_written)) + b"".join(varint(value) + varint(code) for value, code in only_written)
    assert all(len(text) in (1, 2) for text in texts.values())
    return bytes(out)


def main():
    files, records = {}, b""
    for ascii_page, pages in ((False, EBCDIC), (True, ASCII)):
        for _, name in pages:
            records += single_byte_record(single_bytes(Converter(name), ascii_page, False))
    for ccsid, name, file in MIXED:
        single = single_bytes(Converter(name), False, True)
        records += single_byte_record(single)
        data = double_bytes(name, single)
        assert files.setdefault(file, data) == data, f"{ccsid}: its double-byte part is not that of the page it shares {file} with"
    files["sbcs"] = records
    differing = []
    for file, data in sorted(files.items()):
        path = HERE / (file + ".bin")
        if "--check" in sys.argv:
            if not path.exists() or path.read_bytes() != data:
                differing.append(path.name)
        else:
            path.write_bytes(data)
            print(f"{path.name}: {len(data)} bytes")
    if differing:
        sys.exit("not what the generator makes: " + ", ".join(differing))


main()
