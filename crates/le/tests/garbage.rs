//! For any bytes in items, statements end with a result or an exception, never with a panic (overflow checks are on in tests), and write
//! only their own area.

use le::class::{Class, is_class};
use le::compare::compare;
use le::display::display;
use le::functions::{self, FunctionId, Value, ValueKind};
use le::movement::move_field;
use le::numeric::{Operation, apply, load_float, load_integer};
use le::{Attributes, Decimal, Rounding, Session, Sign, Trunc, Usage, edit};
use testing::Random;

const GUARD: usize = 16;

fn fill(random: &mut Random, area: &mut [u8]) {
    let kind = random.below(4);
    for byte in area {
        *byte = match kind {
            0 => random.below(256) as u8,
            1 => 0xF0 + random.below(10) as u8,
            2 => (random.below(10) << 4 | random.below(10)) as u8,
            _ => [0x00, 0xFF, 0x40, 0x7F, 0x80, 0x0C, 0x9D][random.below(7) as usize],
        };
    }
}

fn attributes(session: &Session, pool: &mut Vec<u8>) -> Vec<Attributes> {
    let mut all = Vec::new();
    for (digits, scale) in [(1, 0), (4, 2), (9, -3), (15, 15), (18, 7), (31, 31), (31, 0), (5, 9)] {
        for sign in [Sign::Unsigned, Sign::Trailing, Sign::Leading, Sign::TrailingSeparate, Sign::LeadingSeparate] {
            all.push(Attributes::zoned(digits, scale, sign));
            all.push(Attributes::national_zoned(digits, scale, sign));
        }
        for signed in [false, true] {
            all.push(Attributes::packed(digits, scale, signed));
            all.push(Attributes::binary(digits.min(18), scale, signed));
            all.push(Attributes::native_binary(digits.min(18), scale, signed));
        }
    }
    for length in [1, 7, 33] {
        all.push(Attributes::alphanumeric(length).with_flags(Attributes::JUSTIFIED));
        all.push(Attributes::group(length));
        all.push(Attributes::new(Usage::Utf8, length).with_flags(Attributes::JUSTIFIED));
        all.push(Attributes::national(2 * length));
    }
    all.extend([Attributes::float4(), Attributes::float8(), Attributes::new(Usage::Pointer, 4)]);
    let options = edit::PictureOptions { decimal_comma: false, currencies: &[], code_page: session.code_page };
    for text in ["$$$,$$9.99CR", "*(20)9", "+(12)", "9(31)", "XB(3)X/9", "-9V9(9)E-99", "P(3)ZZ9", "Z(3)P(9)"] {
        let picture = edit::compile(text, &options).unwrap();
        let mut item = Attributes::new(picture.category, picture.characters);
        (item.digits, item.scale, item.edit) = (picture.digits, picture.scale, pool.len() as u32);
        if picture.category != Usage::Zoned {
            all.push(item.with_flags(Attributes::BLANK_WHEN_ZERO));
        }
        pool.extend(&picture.program);
    }
    all
}

#[test]
fn statements_survive_any_bytes() {
    let mut random = Random::new(17);
    for base in [Session::ebcdic(), Session::ascii()] {
        for trunc in [Trunc::Std, Trunc::Opt, Trunc::Bin] {
            let mut session = base;
            session.trunc = trunc;
            let mut pool = Vec::new();
            let attributes = attributes(&session, &mut pool);
            session.edit_programs = pool.as_ptr();
            for source in &attributes {
                for target in &attributes {
                    statement(&session, source, target, &mut random);
                }
            }
        }
    }
}

fn statement(session: &Session, source: &Attributes, target: &Attributes, random: &mut Random) {
    let mut from = vec![0u8; source.length as usize];
    let mut area = vec![0xA5u8; target.length as usize + 2 * GUARD];
    let mut out = [0u8; 300];
    let end = GUARD + target.length as usize;
    fill(random, &mut from);
    fill(random, &mut area[GUARD..end]);
    let to = area[GUARD..].as_mut_ptr();
    // SAFETY: every area has the length of its attributes.
    unsafe {
        let _ = compare(from.as_ptr(), source, to, target, session);
        let _ = display(from.as_ptr(), source, &mut out, session);
        let _ = is_class(Class::Numeric, from.as_ptr(), source, session);
        let _ = load_integer(from.as_ptr(), source, session);
        let _ = load_float(from.as_ptr(), source, session);
        if source.is_numeric() && target.is_numeric() {
            let operation = [Operation::Add, Operation::Subtract, Operation::Multiply, Operation::Divide][random.below(4) as usize];
            let rounding = [Rounding::Truncation, Rounding::NearestAwayFromZero, Rounding::NearestEven];
            let rounding = rounding[random.below(3) as usize];
            let keep = random.below(2) == 0;
            let _ = apply(operation, from.as_ptr(), source, to, target, rounding, keep, session);
        }
        let _ = move_field(from.as_ptr(), source, to, target, session);
    }
    let intact = area[..GUARD].iter().chain(&area[end..]).all(|&byte| byte == 0xA5);
    assert!(intact, "{source:?} {target:?}");
}

#[test]
fn functions_survive_any_arguments() {
    let mut random = Random::new(99);
    let session = Session::ebcdic();
    let mut texts = vec![vec![0u8; 40]; 3];
    for round in 0..60_000u64 {
        let function = FunctionId((round % functions::TABLE.len() as u64) as u16);
        texts.iter_mut().for_each(|text| fill(&mut random, text));
        let arguments: Vec<Value> = (0..random.below(4) as usize)
            .map(|index| match random.below(6) {
                0 => Value::omitted(),
                1 => Value::integer(random.below(3_000_000) as i64 - 1_000),
                2 => Value::decimal(Decimal::new(random.number() as i128 * 1_000_003, random.below(31) as i32)),
                3 => Value::float((random.number() as f64 - 1e9) * 1e-6),
                4 => Value::characters(ValueKind::National, &texts[index.min(2)][..random.below(20) as usize * 2]),
                _ => Value::alphanumeric(&texts[index.min(2)][..random.below(41) as usize]),
            })
            .collect();
        let mut buffer = vec![0u8; functions::result_length_max(function, &arguments, &session)];
        // SAFETY: the arguments' bytes live until the call returns.
        let result = unsafe { functions::call(function, &arguments, &mut buffer, &session) };
        assert_ne!(result.err(), Some(le::Exception::BufferLength), "{}", functions::describe(function).name);
    }
}
