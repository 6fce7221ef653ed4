#!/usr/bin/env python3
"""Golden vectors of ADD, SUBTRACT, MULTIPLY, DIVIDE ... GIVING with ROUNDED modes and size errors, by exact rational
arithmetic. Writes arithmetic.tsv: operation, coefficient and scale of both operands, digits and scale of the target,
mode, stored coefficient, size error."""
import pathlib, random
from fractions import Fraction

MODES = ["truncation", "nearest-away", "nearest-even", "nearest-toward-zero", "away", "greater", "lesser", "prohibited"]

def rounded(value, mode):
    """Integer nearest to value by the mode, or None when prohibited."""
    sign = -1 if value < 0 else 1
    whole, rest = divmod(abs(value), 1)
    whole = int(whole)
    if rest == 0:
        return sign * whole
    up = {"truncation": False, "prohibited": None, "away": True,
          "greater": sign > 0, "lesser": sign < 0,
          "nearest-away": rest >= Fraction(1, 2), "nearest-toward-zero": rest > Fraction(1, 2),
          "nearest-even": rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2 == 1)}[mode]
    return None if up is None else sign * (whole + up)

def operand(rng, limit):
    digits = rng.randint(1, limit)
    scale = rng.randint(0, min(digits, 9))
    kind = rng.random()
    if kind < 0.1:
        value = 10 ** digits - 1
    elif kind < 0.2:
        value = 5 * 10 ** rng.randint(0, digits - 1)
    else:
        value = rng.randrange(10 ** rng.randint(1, digits))
    return (-value if rng.random() < 0.4 else value), scale, digits

rng = random.Random(20240229)
rows = []
while len(rows) < 4000:
    limit = rng.choice([5, 9, 15, 18, 31])
    (a, a_scale, a_digits), (b, b_scale, b_digits) = operand(rng, limit), operand(rng, limit)
    operation = rng.choice("+-*/")
    if operation == "/" and b == 0:
        continue
    digits = rng.randint(1, limit)
    scale = rng.randint(0, min(digits, 9))
    mode = rng.choice(MODES)
    x, y = Fraction(a, 10 ** a_scale), Fraction(b, 10 ** b_scale)
    exact = {"+": x + y, "-": x - y, "*": x * y}[operation] if operation != "/" else x / y
    whole = rounded(exact * 10 ** scale, mode)
    error = whole is None or abs(whole) >= 10 ** digits
    rows.append([operation, a, a_scale, a_digits, b, b_scale, b_digits, digits, scale, mode,
                 "-" if error else whole, int(error)])
out = pathlib.Path(__file__).with_suffix(".tsv")
out.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows))
