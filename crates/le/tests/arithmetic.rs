//! Arithmetic statements compared with vectors computed in exact rationals (golden/arithmetic.py), over packed, zoned and binary operands,
//! so that every path must give the same results.

use le::numeric::{Operation, apply_giving, load, store};
use le::{Attributes, Decimal, Rounding, Session, Sign};

const KEPT: i64 = 7;

fn rounding(name: &str) -> Rounding {
    match name {
        "truncation" => Rounding::Truncation,
        "nearest-away" => Rounding::NearestAwayFromZero,
        "nearest-even" => Rounding::NearestEven,
        "nearest-toward-zero" => Rounding::NearestTowardZero,
        "away" => Rounding::AwayFromZero,
        "greater" => Rounding::TowardGreater,
        "lesser" => Rounding::TowardLesser,
        "prohibited" => Rounding::Prohibited,
        _ => panic!("{name}"),
    }
}

fn item(value: i128, attributes: &Attributes, session: &Session) -> Vec<u8> {
    let mut area = vec![0u8; attributes.length as usize];
    let value = Decimal::new(value, attributes.scale.into());
    // SAFETY: the area has the length of its attributes.
    let error = unsafe { store(&value, area.as_mut_ptr(), attributes, Rounding::Truncation, true, session) };
    assert!(!error);
    area
}

fn check(line: &str, make: &dyn Fn(u8, i8) -> Option<Attributes>, session: &Session) {
    let fields: Vec<&str> = line.split('\t').collect();
    let number = |index: usize| fields[index].parse::<i128>().unwrap();
    let attributes = |digits: usize, scale: usize| make(number(digits) as u8, number(scale) as i8);
    let (Some(left), Some(right), Some(target)) = (attributes(3, 2), attributes(6, 5), attributes(7, 8)) else { return };
    let operation = match fields[0] {
        "+" => Operation::Add,
        "-" => Operation::Subtract,
        "*" => Operation::Multiply,
        _ => Operation::Divide,
    };
    let (a, b) = (item(number(1), &left, session), item(number(4), &right, session));
    let mut area = item(KEPT.into(), &target, session);
    // SAFETY: every area has the length of its attributes.
    let error = unsafe {
        apply_giving(operation, a.as_ptr(), &left, b.as_ptr(), &right, area.as_mut_ptr(), &target, rounding(fields[9]), true, session)
    };
    assert_eq!(error, Ok(fields[11] == "1"), "{line} {target:?}");
    let want = if fields[11] == "1" { KEPT.into() } else { number(10) };
    // SAFETY: as above.
    let got = unsafe { load(area.as_ptr(), &target, session) }.unwrap();
    assert_eq!(got.coefficient, want, "{line} {target:?}");
}

#[test]
fn statements_equal_exact_arithmetic() {
    let session = Session::ebcdic();
    let vectors = include_str!("golden/arithmetic.tsv");
    let usages: [&dyn Fn(u8, i8) -> Option<Attributes>; 5] = [
        &|digits, scale| Some(Attributes::packed(digits, scale, true)),
        &|digits, scale| Some(Attributes::zoned(digits, scale, Sign::Trailing)),
        &|digits, scale| Some(Attributes::zoned(digits, scale, Sign::LeadingSeparate)),
        &|digits, scale| Some(Attributes::national_zoned(digits, scale, Sign::TrailingSeparate)),
        &|digits, scale| (digits <= 18).then(|| Attributes::binary(digits, scale, true)),
    ];
    for line in vectors.lines() {
        for make in usages {
            check(line, make, &session);
        }
    }
}
