//! Numeric items: reading, storing, checking.
//!
//! `unsafe` here passes areas that these tests own, as long as their descriptions.

use super::*;
use crate::attributes::Sign;

fn session() -> Session {
    Session::ebcdic()
}

fn store_in(value: Decimal, attributes: &Attributes, rounding: Rounding, keep: bool, session: &Session) -> (Vec<u8>, bool) {
    let mut area = vec![0x11u8; attributes.length as usize];
    let error = unsafe { store(&value, area.as_mut_ptr(), attributes, rounding, keep, session) };
    (area, error)
}

#[test]
fn stores_and_loads_every_usage() {
    let session = session();
    for attributes in [
        Attributes::packed(9, 2, true),
        Attributes::packed(31, 2, true),
        Attributes::zoned(9, 2, Sign::Trailing),
        Attributes::zoned(31, 2, Sign::LeadingSeparate),
        Attributes::national_zoned(9, 2, Sign::TrailingSeparate),
        Attributes::binary(9, 2, true),
        Attributes::native_binary(18, 2, true),
    ] {
        for value in [0i128, 1, -1, 1234567, -9999999] {
            let value = Decimal::new(value, 2);
            let (area, error) = store_in(value, &attributes, Rounding::Truncation, true, &session);
            assert!(!error);
            let got = unsafe { load(area.as_ptr(), &attributes, &session) }.unwrap();
            assert_eq!(decimal::compare(&got, &value), std::cmp::Ordering::Equal, "{attributes:?} {got:?}");
        }
    }
}

#[test]
fn size_error_keeps_or_truncates() {
    let session = session();
    let packed = Attributes::packed(3, 0, true);
    let (area, error) = store_in(Decimal::integer(-12345), &packed, Rounding::Truncation, true, &session);
    assert!(error && area == [0x11, 0x11]);
    let (area, error) = store_in(Decimal::integer(-12345), &packed, Rounding::Truncation, false, &session);
    assert!(error && area == [0x34, 0x5D]);
    let (area, _) = store_in(Decimal::integer(-1000), &packed, Rounding::Truncation, false, &session);
    assert_eq!(area, [0x00, 0x0C], "zero is positive");
    let (area, _) = store_in(Decimal::integer(-12), &Attributes::packed(3, 0, false), Rounding::Truncation, false, &session);
    assert_eq!(area, [0x01, 0x2F]);
    let (_, error) = store_in(Decimal::new(9995, 1), &packed, Rounding::NearestAwayFromZero, true, &session);
    assert!(error, "rounding happens before the size check");
    let (_, error) = store_in(Decimal::new(9995, 1), &packed, Rounding::Prohibited, true, &session);
    assert!(error);
}

#[test]
fn truncation_of_binary_follows_the_option() {
    let mut session = session();
    let half = Attributes::binary(4, 0, true);
    let value = Decimal::integer(123456); // X'1E240'
    assert_eq!(store_in(value, &half, Rounding::Truncation, false, &session), (vec![0x0D, 0x80], true)); // 3456
    session.trunc = Trunc::Opt;
    assert_eq!(store_in(value, &half, Rounding::Truncation, false, &session), (vec![0xE2, 0x40], true));
    session.trunc = Trunc::Bin;
    assert_eq!(store_in(value, &half, Rounding::Truncation, false, &session), (vec![0xE2, 0x40], true));
    assert!(!store_in(Decimal::integer(32767), &half, Rounding::Truncation, true, &session).1);
    assert!(store_in(Decimal::integer(32768), &half, Rounding::Truncation, true, &session).1);
    session.trunc = Trunc::Std;
    assert!(store_in(Decimal::integer(10000), &half, Rounding::Truncation, true, &session).1);
    let native = Attributes::native_binary(4, 0, false);
    assert_eq!(store_in(Decimal::integer(60000), &native, Rounding::Truncation, true, &session), (vec![0xEA, 0x60], false));
}

#[test]
fn long_and_short_paths_agree() {
    let session = session();
    let mut numbers = testing::Random::new(99);
    for round in 0..60_000u32 {
        let seed = numbers.number();
        let value = (seed as i64) >> (seed % 61);
        let scale = (seed >> 32) as i32 % 9;
        let digits = 1 + (seed >> 40) as u8 % 18;
        let rounding = [Rounding::Truncation, Rounding::NearestAwayFromZero, Rounding::NearestEven][round as usize % 3];
        let target = match round % 4 {
            0 => Attributes::packed(digits, (seed >> 50) as i8 % 7, round & 4 == 0),
            1 => Attributes::zoned(digits, (seed >> 50) as i8 % 7, Sign::Trailing),
            2 => Attributes::binary(digits, (seed >> 50) as i8 % 7, true),
            _ => Attributes::zoned(digits, (seed >> 50) as i8 % 7, Sign::Unsigned),
        };
        let decimal = Decimal::new(i128::from(value), scale);
        let mut long = vec![0u8; target.length as usize];
        let long_error = unsafe { store_long(&decimal, long.as_mut_ptr(), &target, rounding, false, &session) };
        let (short, short_error) = store_in(decimal, &target, rounding, false, &session);
        assert_eq!((short, short_error), (long.clone(), long_error), "{decimal:?} {target:?}");
        let got = unsafe { load(long.as_ptr(), &target, &session) }.unwrap();
        let again = unsafe { load_long(long.as_ptr(), &target, &session) }.unwrap();
        assert_eq!(got, again);
    }
}

/// MOVE, comparison and editing of short decimal items by digits equal the general path.
#[test]
fn decimal_path_agrees_with_the_general_one() {
    use crate::compare::compare;
    use crate::movement::move_field;
    let session = session();
    let mut numbers = testing::Random::new(4242);
    for _ in 0..80_000u32 {
        let seed = numbers.number();
        let random = |shift: u32, limit: u64| (seed >> shift) % limit;
        let pick = |shift: u32| {
            let digits = 1 + random(shift, 17) as u8;
            let scale = random(shift + 5, 7) as i8 - 2;
            let signed = random(shift + 9, 3) > 0;
            let sign = if signed { Sign::Trailing } else { Sign::Unsigned };
            match random(shift + 12, 4) {
                0 => Attributes::packed(digits, scale, signed),
                1 => Attributes::zoned(digits, scale, sign),
                2 => Attributes::zoned(digits, scale, if signed { Sign::Leading } else { sign }),
                _ => Attributes::binary(digits, scale, signed),
            }
        };
        let (from, to) = (pick(3), pick(24));
        let value = Decimal::new(i128::from(seed as i64 >> (seed % 60)), from.scale.into());
        let (source, _) = store_in(value, &from, Rounding::Truncation, false, &session);
        let held = unsafe { load_long(source.as_ptr(), &from, &session) }.unwrap();
        let mut want = vec![0u8; to.length as usize];
        unsafe { store_long(&held, want.as_mut_ptr(), &to, Rounding::Truncation, false, &session) };
        let mut got = vec![0u8; to.length as usize];
        unsafe { move_field(source.as_ptr(), &from, got.as_mut_ptr(), &to, &session) }.unwrap();
        assert_eq!(got, want, "{held:?} {from:?} {to:?}");
        let moved = unsafe { load_long(got.as_ptr(), &to, &session) }.unwrap();
        let order = unsafe { compare(source.as_ptr(), &from, got.as_ptr(), &to, &session) };
        assert_eq!(order, Ok(decimal::compare(&held, &moved)), "{from:?} {to:?}");
    }
}

#[test]
fn statements() {
    let session = session();
    let (a, b) = (Attributes::packed(5, 2, true), Attributes::zoned(7, 1, Sign::Trailing));
    let make = |value, attributes: &Attributes| store_in(value, attributes, Rounding::Truncation, false, &session).0;
    let source = make(Decimal::new(1255, 2), &a);
    // 1113.1 and 12.55, rounded to one decimal place.
    for (operation, want) in
        [(Operation::Add, 11257), (Operation::Subtract, 11006), (Operation::Multiply, 139694), (Operation::Divide, 887)]
    {
        let mut target = make(Decimal::new(11131, 1), &b);
        let rounding = Rounding::NearestAwayFromZero;
        let error = unsafe { apply(operation, source.as_ptr(), &a, target.as_mut_ptr(), &b, rounding, false, &session) };
        assert_eq!(error, Ok(false));
        assert_eq!(unsafe { load(target.as_ptr(), &b, &session) }.unwrap().coefficient, want, "{operation:?}");
    }
    let zero = make(Decimal::ZERO, &a);
    let mut target = make(Decimal::integer(1), &b);
    let divide = |keep, target: &mut Vec<u8>| unsafe {
        apply(Operation::Divide, zero.as_ptr(), &a, target.as_mut_ptr(), &b, Rounding::Truncation, keep, &session)
    };
    assert_eq!(divide(true, &mut target), Ok(true));
    assert_eq!(divide(false, &mut target), Err(Exception::DecimalDivide));
}

#[test]
fn floating_targets_round_at_the_low_order_position() {
    let session = session();
    let packed = Attributes::packed(5, 2, true);
    let mut area = [0u8; 3];
    let stored = unsafe { store_float(-1.005000001, area.as_mut_ptr(), &packed, Rounding::Truncation, false, &session) };
    assert_eq!((stored, area), (Ok(false), [0x00, 0x10, 0x1D]));
    assert_eq!(unsafe { store_float(1e30, area.as_mut_ptr(), &packed, Rounding::Truncation, true, &session) }, Ok(true));
    let mut short = [0u8; 4];
    unsafe { store_float(1234.0, short.as_mut_ptr(), &Attributes::float4(), Rounding::Truncation, false, &session) }.unwrap();
    assert_eq!(short, [0x43, 0x4D, 0x20, 0x00]);
}
