#!/usr/bin/env python3
"""Golden files from GnuCOBOL 3 (cobc -std=ibm): editing, MOVE, STRING, UNSTRING and INSPECT. Each case becomes statements of
one generated program whose output lines are the results. Needs cobc; the tests read only the .tsv files."""
import pathlib, random, subprocess, tempfile

HERE = pathlib.Path(__file__).resolve().parent
rng = random.Random(5)

def run(data, procedure):
    lines = ["IDENTIFICATION DIVISION.", "PROGRAM-ID. GOLDEN.", "DATA DIVISION.", "WORKING-STORAGE SECTION."]
    lines += data + ["PROCEDURE DIVISION.", "MAIN-PARA."] + procedure + ["    STOP RUN."]
    text = "\n".join("       " + line for line in lines) + "\n"
    with tempfile.TemporaryDirectory() as directory:
        source = pathlib.Path(directory, "golden.cob")
        source.write_text(text)
        done = subprocess.run(["cobc", "-x", "-std=ibm", "-free", "-o", directory + "/golden", str(source)], capture_output=True)
        assert done.returncode == 0, done.stderr.decode()[:2000]
        output = subprocess.run([directory + "/golden"], check=True, capture_output=True).stdout
    return output

def lines(output):
    return output.decode("latin-1").split("\n")[:-1]

def write(name, rows):
    HERE.joinpath(name).write_text("".join("\t".join(map(str, row)) + "\n" for row in rows), encoding="latin-1")

def literal(coefficient, scale):
    digits = str(abs(coefficient)).rjust(scale + 1, "0")
    text = digits[:len(digits) - scale] + ("." + digits[len(digits) - scale:] if scale else "")
    return ("-" if coefficient < 0 else "") + text

def editing():
    pictures = """999.99 ZZZ,ZZZ,ZZ9.99- ZZ9 ZZZ ZZZ.ZZ Z,ZZ9.99+ +ZZ9.99 -ZZ9.99 ZZ9.99CR ZZ9.99DB $ZZ,ZZ9.99 $99.99
        $$$,$$9.99 $$$,$$$.$$ $$$,$$9.99CR +++,++9.99 ---,--9.99 ++++.++ ----.-- **9.99 ***,***.** ***.** **,**9.99-
        99/99/99 9B9B9 990099 Z9V99 -9(5) 9(5)- +9(5) 9(5)+ -(6)9 +(4)9.9(3) ZZZBZZZ $*(5)9.99 $(6)9
        Z(7)9.9(4) $B9,999 $$9.99- Z,Z,Z 0Z9 B*9.9 ZZ,99 **,99 $$,99 9,999.9 ZP""".split()
    values = [(0, 0), (1, 2), (-1, 2), (5, 0), (-5, 0), (12, 0), (99, 2), (-99, 2), (123, 0), (1234, 2), (-1234, 2),
              (123456, 2), (-123456, 2), (99999999, 2), (-99999999, 2), (123456789, 0), (-100000, 0), (1000, 0), (7, 4)]
    data, procedure, cases = ["01  SRC PIC S9(9)V9(6)."], [], []
    for index, picture in enumerate(pictures):
        data.append(f"01  E{index} PIC {picture}.")
        for coefficient, scale in values:
            procedure += [f"    MOVE {literal(coefficient, scale)} TO SRC", f"    MOVE SRC TO E{index}",
                          f"    DISPLAY '>' E{index} '<'."]
            cases.append([picture, coefficient, scale])
    return [case + [line[1:-1]] for case, line in zip(cases, lines(run(data, procedure)))]

# picture and clauses of the items moved, with the attributes the test gives them
ITEMS = [("S9(5)V99", "zoned 7 2 trailing"), ("9(5)V99", "zoned 7 2 unsigned"), ("S9(7)", "zoned 7 0 trailing"),
         ("S9(3)", "zoned 3 0 trailing"), ("9(9)", "zoned 9 0 unsigned"),
         ("S9(5) SIGN LEADING SEPARATE", "zoned 5 0 leading-separate"),
         ("S9(5)V9 SIGN TRAILING SEPARATE", "zoned 6 1 trailing-separate"),
         ("S9(4) SIGN LEADING", "zoned 4 0 leading"),
         ("S9(7)V99 COMP-3", "packed 9 2 signed"), ("9(4) COMP-3", "packed 4 0 unsigned"),
         ("S9(13)V9(5) COMP-3", "packed 18 5 signed"), ("S9(4) COMP", "binary 4 0 signed"),
         ("S9(9) COMP", "binary 9 0 signed"), ("9(9) COMP", "binary 9 0 unsigned"),
         ("S9(15)V99 COMP", "binary 17 2 signed"), ("X(7)", "alphanumeric 7"), ("X(12)", "alphanumeric 12"),
         ("X(3)", "alphanumeric 3"), ("X(12) JUST", "justified 12"), ("X(3) JUST", "justified 3"),
         ("A(5)", "alphabetic 5")]

def moves():
    values = [(0, 0), (1, 0), (-1, 0), (12345, 2), (-12345, 2), (123, 0), (-999, 0), (9999, 0), (99999, 0), (-5, 1)]
    data, procedure, cases = [], [], []
    for index, (picture, _) in enumerate(ITEMS):
        data += [f"01  S{index} PIC {picture}.", f"01  T{index} PIC {picture}.", f"01  X{index} REDEFINES T{index} PIC X({size(index)})."]
    for source, (_, kind) in enumerate(ITEMS):
        numeric = kind.split()[0] in ("zoned", "packed", "binary")
        for target, (_, to) in enumerate(ITEMS):
            to_numeric = to.split()[0] in ("zoned", "packed", "binary")
            if numeric and not to_numeric and kind.split()[2] != "0":
                continue  # a fraction moved to characters is not allowed
            if numeric and to.startswith("alphabetic") or (kind.startswith("alphabetic") and to_numeric):
                continue
            for value in values if numeric else ["1234567", "ABC", "12", "     ", "007"]:
                if not numeric and to_numeric and (not value.strip().isdigit() or value.strip() != value):
                    continue
                if not numeric and to_numeric and len(value) != int(kind.split()[1]):
                    continue  # trailing spaces are no digits
                if numeric:
                    coefficient, scale = value
                    whole = abs(coefficient) // 10 ** scale
                    if whole >= 10 ** (int(kind.split()[1]) - int(kind.split()[2])):
                        continue
                    if coefficient < 0 and kind.endswith("unsigned"):
                        continue
                    if scale > int(kind.split()[2]):
                        continue
                    given, shown = literal(coefficient, scale), f"{coefficient}/{scale}"
                else:
                    given, shown = f"'{value}'", value.replace(" ", "_")
                procedure += [f"    MOVE {given} TO S{source}", f"    MOVE S{source} TO T{target}",
                              f"    DISPLAY '>' X{target}."]
                cases.append([kind, shown, to, size(target)])
    output, at, rows = run(data, procedure), 0, []
    for *case, length in cases:
        assert output[at:at + 1] == b">", case
        rows.append(case + [output[at + 1:at + 1 + length].hex()])
        at += length + 2
    return rows

def size(index):
    kind = ITEMS[index][1].split()
    digits = int(kind[1])
    if kind[0] == "zoned":
        return digits + (1 if "separate" in kind[3] else 0)
    if kind[0] == "packed":
        return digits // 2 + 1
    if kind[0] == "binary":
        return 2 if digits < 5 else 4 if digits < 10 else 8
    return digits

def word(letters, low, high):
    return "".join(rng.choice(letters) for _ in range(rng.randint(low, high)))

def strings():
    data = ["01  T PIC X(12).", "01  P PIC 9(3).", "01  O PIC X."]
    procedure, cases = [], []
    for _ in range(300):
        sources = [(word("AB ,", 1, 6), rng.choice([None, " ", ",", "A", "B "])) for _ in range(rng.randint(1, 4))]
        pointer = rng.choice([1, 1, 1, 2, 5, 12, 13, 0])
        clauses = " ".join(f"'{s}' DELIMITED BY " + (f"'{d}'" if d else "SIZE") for s, d in sources)
        procedure += ["    MOVE ALL '.' TO T", f"    MOVE {pointer} TO P", "    MOVE 'N' TO O"]
        procedure += ["    STRING"] + [f"      '{s}' DELIMITED BY " + (f"'{d}'" if d else "SIZE") for s, d in sources]
        procedure += ["      INTO T POINTER P", "      ON OVERFLOW MOVE 'Y' TO O", "    END-STRING",
                      "    DISPLAY '>' T '<' P O."]
        cases.append([";".join(f"{s}|{d or ''}" for s, d in sources), pointer])
    return [case + [line] for case, line in zip(cases, lines(run(data, procedure)))]

def unstrings():
    data = ["01  S PIC X(16)."] + [f"01  T{i} PIC X(4)." for i in range(3)] + [f"01  D{i} PIC X(2)." for i in range(3)]
    data += [f"01  C{i} PIC 99." for i in range(3)] + ["01  P PIC 9(3).", "01  N PIC 99.", "01  O PIC X."]
    procedure, cases = [], []
    for _ in range(300):
        source = word("AB,* ", 16, 16)
        delimiters = [(rng.choice([",", "*", " ", "A,", ",,"]), rng.random() < 0.4) for _ in range(rng.randint(0, 3))]
        pointer = rng.choice([1, 1, 1, 2, 7, 16, 17, 0])
        count = rng.randint(1, 3)
        procedure += [f"    MOVE '{source}' TO S", f"    MOVE {pointer} TO P", "    MOVE 0 TO N", "    MOVE 'N' TO O"]
        for i in range(3):
            procedure += [f"    MOVE ALL '.' TO T{i} D{i}", f"    MOVE 99 TO C{i}"]
        procedure += ["    UNSTRING S"]
        for i, (d, every) in enumerate(delimiters):
            procedure += ["      " + ("OR " if i else "DELIMITED BY ") + ("ALL " if every else "") + f"'{d}'"]
        procedure += ["      INTO"]
        for i in range(count):
            procedure += [f"      T{i}" + (f" DELIMITER IN D{i} COUNT IN C{i}" if delimiters else "")]
        procedure += ["      POINTER P TALLYING N", "      ON OVERFLOW MOVE 'Y' TO O", "    END-UNSTRING",
                      "    DISPLAY '>' " + " ".join(f"T{i} '|' D{i} '|' C{i} '|'" for i in range(3)) + " P N O."]
        cases.append([source, ";".join(("ALL" if e else "") + "=" + d for d, e in delimiters), count, pointer])
    return [case + [line] for case, line in zip(cases, lines(run(data, procedure)))]

def inspects():
    data = ["01  S PIC X(14)."] + [f"01  C{i} PIC 9(3)." for i in range(3)]
    procedure, cases = [], []
    def limits():
        text, shown = "", ""
        for name in ("BEFORE", "AFTER"):
            if rng.random() < 0.3:
                given = word("ABC", 1, 2)
                text += f" {name} INITIAL '{given}'"
                shown += f",{name}={given}"
        return text, shown
    for _ in range(400):
        source = word("AABBC", 14, 14)
        kind = rng.choice(["tally", "replace", "convert"])
        procedure += [f"    MOVE '{source}' TO S"] + [f"    MOVE 0 TO C{i}" for i in range(3)]
        phrases, text_lines = [], []
        if kind == "convert":
            size = rng.randint(1, 3)
            given, to = word("ABC", size, size), word("XYZ", size, size)
            text, shown = limits()
            text_lines = [f"      CONVERTING '{given}' TO '{to}'{text}"]
            phrases = [f"CONVERT,{given},{to}{shown}"]
        for i in range(rng.randint(1, 3) if kind != "convert" else 0):
            form = rng.choice(["CHARACTERS", "ALL", "ALL", "LEADING"] + (["FIRST"] if kind == "replace" else []))
            text, shown = limits()
            size = 1 if form == "CHARACTERS" else rng.randint(1, 2)
            given = "" if form == "CHARACTERS" else word("ABC", size, size)
            to = word("XYZ", size, size)
            operand = f"{form} '{given}'" if given else form
            if kind == "tally":
                text_lines.append(f"      C{i} FOR {operand}{text}")
                phrases.append(f"{form},{given},{shown}")
            else:
                text_lines.append(f"      {operand} BY '{to}'{text}")
                phrases.append(f"{form},{given},{to}{shown}")
        verb = {"tally": "TALLYING", "replace": "REPLACING"}.get(kind)
        procedure += [f"    INSPECT S" + (f" {verb}" if verb else "")] + text_lines
        procedure += ["    DISPLAY '>' S '<' C0 C1 C2."]
        cases.append([kind, source, ";".join(phrases)])
    return [case + [line] for case, line in zip(cases, lines(run(data, procedure)))]

write("editing.tsv", editing())
write("moves.tsv", moves())
write("strings.tsv", strings())
write("unstrings.tsv", unstrings())
write("inspects.tsv", inspects())
