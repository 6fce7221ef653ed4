//! MOVE between all categories.
//!
//! `unsafe` here moves between areas that these tests own, as long as their descriptions.

use super::*;
use crate::attributes::Sign;

struct Bench {
    session: Session,
}

impl Bench {
    fn bytes(&self, text: &str) -> Vec<u8> {
        self.session.code_page.encode(text)
    }

    fn moved(&self, source: &[u8], from: Attributes, to: Attributes) -> Vec<u8> {
        let mut target = vec![0xEE; to.length as usize];
        unsafe { move_field(source.as_ptr(), &from, target.as_mut_ptr(), &to, &self.session) }.unwrap();
        target
    }

    fn text(&self, bytes: &[u8]) -> String {
        self.session.code_page.decode(bytes)
    }
}

fn bench() -> Bench {
    Bench { session: Session::ebcdic() }
}

#[test]
fn characters_pad_truncate_and_justify() {
    let b = bench();
    let source = b.bytes("ABCDE");
    let from = Attributes::alphanumeric(5);
    let cases = [(3, false, "ABC"), (7, false, "ABCDE  "), (3, true, "CDE"), (7, true, "  ABCDE"), (5, true, "ABCDE")];
    for (length, justified, want) in cases {
        let to = Attributes::alphanumeric(length).with_flags(if justified { Attributes::JUSTIFIED } else { 0 });
        assert_eq!(b.text(&b.moved(&source, from, to)), want);
    }
    assert_eq!(b.text(&b.moved(&source, from, Attributes::group(6))), "ABCDE ");
}

#[test]
fn numbers_become_digits() {
    let b = bench();
    let packed = [0x00u8, 0x12, 0x3D];
    let from = Attributes::packed(5, 0, true);
    assert_eq!(b.text(&b.moved(&packed, from, Attributes::alphanumeric(8))), "00123   ");
    assert_eq!(b.text(&b.moved(&packed, from, Attributes::alphanumeric(3))), "001");
    let right = Attributes::alphanumeric(3).with_flags(Attributes::JUSTIFIED);
    assert_eq!(b.text(&b.moved(&packed, from, right)), "123");
    let mut scaled = from;
    scaled.scale = -2;
    assert_eq!(b.text(&b.moved(&packed, scaled, Attributes::alphanumeric(8))), "0012300 ");
    let binary = [0x00u8, 0x7B];
    assert_eq!(b.text(&b.moved(&binary, Attributes::binary(4, 0, true), Attributes::alphanumeric(5))), "0123 ");
    assert_eq!(b.text(&b.moved(&binary, Attributes::native_binary(4, 0, true), Attributes::alphanumeric(5))), "00123");
    let national = b.moved(&packed, from, Attributes::national(12));
    assert_eq!(national, [0, 0x30, 0, 0x30, 0, 0x31, 0, 0x32, 0, 0x33, 0, 0x20]);
}

#[test]
fn digits_become_numbers() {
    let b = bench();
    let to = Attributes::packed(5, 2, true);
    assert_eq!(b.moved(&b.bytes("0123"), Attributes::alphanumeric(4), to), [0x12, 0x30, 0x0C]);
    let long = b.bytes("999999999999912345");
    assert_eq!(b.moved(&long, Attributes::alphanumeric(18), Attributes::packed(5, 0, true)), [0x12, 0x34, 0x5C]);
    let mut target = [0u8; 3];
    let bad = b.bytes("12#");
    let error = unsafe { move_field(bad.as_ptr(), &Attributes::alphanumeric(3), target.as_mut_ptr(), &to, &b.session) };
    assert_eq!(error, Err(crate::Exception::Data));
}

#[test]
fn numbers_align_on_the_decimal_point() {
    let b = bench();
    let zoned = b.bytes("1234567");
    let from = Attributes::zoned(7, 3, Sign::Unsigned);
    assert_eq!(b.moved(&zoned, from, Attributes::packed(5, 1, true)), [0x12, 0x34, 0x5C]);
    assert_eq!(b.text(&b.moved(&zoned, from, Attributes::zoned(9, 4, Sign::Unsigned))), "012345670");
    let from = Attributes::zoned(3, 0, Sign::Trailing);
    assert_eq!(b.moved(&[0xF1, 0xF0, 0xD5], from, Attributes::zoned(2, 0, Sign::Trailing)), [0xF0, 0xD5]);
    assert_eq!(b.moved(&[0xF1, 0xF0, 0xD5], from, Attributes::binary(4, 0, true)), [0xFF, 0x97]);
}

/// Digits of a zoned item that is moved to a zoned one are not examined, and with the same places only the sign is made valid, not the
/// zones (APAR PH57790).
#[test]
fn invalid_zoned_data_moves_to_zoned_items_without_exception() {
    let mut b = bench();
    let spaces = [0x40u8; 3];
    let zoned = |digits, sign| Attributes::zoned(digits, 0, sign);
    let from = zoned(3, Sign::Unsigned);
    for kept in [false, true] {
        b.session.zones_kept = kept;
        assert_eq!(b.moved(&spaces, from, zoned(3, Sign::Unsigned)), [0x40, 0x40, 0xF0]);
        assert_eq!(b.moved(&[0, 0, 0], from, zoned(3, Sign::Trailing)), [0, 0, 0xC0]);
        assert_eq!(b.moved(&[0xC1, 0xC2, 0xC3], from, zoned(3, Sign::Trailing)), [0xC1, 0xC2, 0xC3]);
        assert_eq!(b.moved(&[0xFF, 0xFF, 0xFF], from, zoned(3, Sign::LeadingSeparate)), [0x4E, 0xFF, 0xFF, 0xFF]);
        assert_eq!(b.moved(&[0x40, 0x40, 0x41], zoned(3, Sign::Trailing), zoned(3, Sign::Leading)), [0xC0, 0x40, 0xF1]);
        assert_eq!(b.moved(&[0xD0, 0xF0, 0xF0], zoned(3, Sign::Leading), zoned(3, Sign::Trailing)), [0xF0, 0xF0, 0xC0]);
        assert_eq!(b.moved(&[0xD1, 0xF0, 0xF0], zoned(3, Sign::Leading), zoned(3, Sign::Trailing)), [0xF1, 0xF0, 0xD0]);
    }
    let long = [0x40u8; 20];
    let twenty = zoned(20, Sign::Unsigned);
    assert_eq!(b.moved(&long, twenty, twenty), [&[0x40; 19][..], &[0xF0]].concat());
    // Other places: INVDATA keeps the zones, too.
    assert_eq!(b.moved(&spaces, from, zoned(5, Sign::Unsigned)), [0xF0, 0xF0, 0x40, 0x40, 0xF0]);
    assert_eq!(b.moved(&spaces, from, zoned(2, Sign::Unsigned)), [0x40, 0xF0]);
    assert_eq!(b.moved(&spaces, from, Attributes::zoned(5, 2, Sign::Unsigned)), [0x40, 0x40, 0x40, 0xF0, 0xF0]);
    b.session.zones_kept = false;
    assert_eq!(b.moved(&spaces, from, zoned(5, Sign::Unsigned)), [0xF0; 5]);
    assert_eq!(b.moved(&spaces, from, zoned(20, Sign::Unsigned)), [0xF0; 20]);
    assert_eq!(b.moved(&long, twenty, zoned(2, Sign::Trailing)), [0xF0, 0xC0]);
    b.session.numproc = crate::Numproc::Pfd;
    assert_eq!(b.moved(&spaces, from, from), spaces);
    assert_eq!(b.moved(&[0xF1, 0xD2], zoned(2, Sign::Trailing), zoned(2, Sign::Unsigned)), [0xF1, 0xF2]);
}

/// The sign of an unsigned item is forced and PACK ignores zones (Programming Guide, "Sign representation of zoned and
/// packed-decimal data"); a signed item has none where it is blank, unless INVDATA(CLEANSIGN) makes it one.
#[test]
fn blanks_and_low_values_are_zero_to_packed_and_binary_items() {
    let mut b = bench();
    let numbers = [Attributes::packed(3, 0, true), Attributes::binary(4, 0, true), Attributes::float8(), Attributes::packed(20, 2, true)];
    for bytes in [[0x40u8; 20], [0; 20]] {
        for (digits, to) in [3u8, 16, 18, 20].into_iter().flat_map(|digits| numbers.map(|to| (digits, to))) {
            let zero = b.moved(&[0xF0; 20], Attributes::zoned(digits, 0, Sign::Unsigned), to);
            assert_eq!(b.moved(&bytes, Attributes::zoned(digits, 0, Sign::Unsigned), to), zero);
            let signed = Attributes::zoned(digits, 0, Sign::Trailing);
            let mut target = vec![0u8; to.length as usize];
            let mut moved = |session: &Session| unsafe { move_field(bytes.as_ptr(), &signed, target.as_mut_ptr(), &to, session) };
            b.session.signs_cleaned = false;
            assert_eq!(moved(&b.session), Err(crate::Exception::Data));
            b.session.signs_cleaned = true;
            assert_eq!(moved(&b.session), Ok(()));
            assert_eq!(target, zero);
        }
    }
}

/// Zoned to characters, and characters to zoned: bytes, of which nothing is looked at.
#[test]
fn zoned_items_and_characters_exchange_bytes() {
    let mut b = bench();
    let zoned = |digits, sign| Attributes::zoned(digits, 0, sign);
    let x = Attributes::alphanumeric;
    for bytes in [[0x40u8; 5], [0; 5], [0xFF; 5], [0xF1, 0x40, 0xC3, 0x5A, 0xFF]] {
        assert_eq!(b.moved(&bytes, zoned(5, Sign::Unsigned), x(5)), bytes);
        assert_eq!(b.moved(&bytes, zoned(5, Sign::Unsigned), x(7))[..5], bytes);
        assert_eq!(b.moved(&bytes, zoned(5, Sign::Unsigned), x(3)), bytes[..3]);
    }
    let right = x(4).with_flags(Attributes::JUSTIFIED);
    assert_eq!(b.moved(&[0x40, 0xF1], zoned(2, Sign::Unsigned), right), [0x40, 0x40, 0x40, 0xF1]);
    assert_eq!(b.moved(&[0x40, 0xC1], zoned(2, Sign::Unsigned), Attributes::national(4)), [0, 0x20, 0, 0x41]);
    // The sign is left out.
    assert_eq!(b.moved(&[0x40, 0x40], zoned(2, Sign::Trailing), x(2)), [0x40, 0xF0]);
    assert_eq!(b.moved(&[0xD1, 0xF2], zoned(2, Sign::Leading), x(2)), [0xF1, 0xF2]);
    assert_eq!(b.moved(&[0x40, 0xF1, 0xF2], zoned(2, Sign::LeadingSeparate), x(3)), [0xF1, 0xF2, 0x40]);
    assert_eq!(b.moved(&[0x40, 0xF2], Attributes::zoned(2, -2, Sign::Unsigned), x(5)), [0x40, 0xF2, 0xF0, 0xF0, 0x40]);
    // Characters of as many places keep their zones but for the sign (APAR PH57790); INVDATA keeps them always.
    assert_eq!(b.moved(&[0xC1, 0x40, 0x5B], x(3), zoned(3, Sign::Unsigned)), [0xC1, 0x40, 0xFB]);
    assert_eq!(b.moved(&[0xC1, 0x40, 0xC3], x(3), zoned(3, Sign::Trailing)), [0xC1, 0x40, 0xC3]);
    assert_eq!(b.moved(&[0xC1, 0x40, 0x40], x(3), zoned(2, Sign::Unsigned)), [0xF0, 0xF0]);
    b.session.zones_kept = true;
    assert_eq!(b.moved(&[0xC1, 0x40, 0x40], x(3), zoned(2, Sign::Unsigned)), [0x40, 0xF0]);
    assert_eq!(b.moved(&[0x40; 2], x(2), zoned(3, Sign::Unsigned)), [0xF0, 0x40, 0xF0]);
}

#[test]
fn overlap_moves_from_the_left() {
    let b = bench();
    let mut area = b.bytes("*         ");
    let attributes = Attributes::alphanumeric(9);
    unsafe {
        let base = area.as_mut_ptr();
        move_field(base, &attributes, base.add(1), &attributes, &b.session).unwrap();
    }
    assert_eq!(b.text(&area), "**********");
    let mut area = b.bytes("0123456789");
    unsafe {
        let base = area.as_mut_ptr();
        move_field(base.add(2), &Attributes::alphanumeric(8), base, &Attributes::alphanumeric(8), &b.session).unwrap();
    }
    assert_eq!(b.text(&area), "2345678989");
}

#[test]
fn figurative_constants() {
    let b = bench();
    let fill = |figurative, to: Attributes| {
        let mut target = vec![0xEE; to.length as usize];
        unsafe { move_figurative(figurative, target.as_mut_ptr(), &to, &b.session) };
        target
    };
    assert_eq!(fill(Figurative::Zero, Attributes::packed(3, 0, true)), [0x00, 0x0C]);
    assert_eq!(fill(Figurative::Zero, Attributes::alphanumeric(2)), [0xF0, 0xF0]);
    assert_eq!(fill(Figurative::Space, Attributes::alphanumeric(2)), [0x40, 0x40]);
    assert_eq!(fill(Figurative::HighValue, Attributes::group(2)), [0xFF, 0xFF]);
    assert_eq!(fill(Figurative::Space, Attributes::national(4)), [0x00, 0x20, 0x00, 0x20]);
    let all = |literal: &str, to: Attributes| {
        let mut target = vec![0xEE; to.length as usize];
        unsafe { move_all(&b.bytes(literal), target.as_mut_ptr(), &to, &b.session) }.unwrap();
        target
    };
    assert_eq!(b.text(&all("AB", Attributes::alphanumeric(5))), "ABABA");
    assert_eq!(all("12", Attributes::packed(5, 0, true)), [0x12, 0x12, 0x1C]);
}

#[test]
fn national_and_utf8() {
    let b = bench();
    let source = b.bytes("Aé");
    assert_eq!(b.moved(&source, Attributes::alphanumeric(2), Attributes::national(6)), [0, 0x41, 0, 0xE9, 0, 0x20]);
    let utf8 = Attributes::new(Usage::Utf8, 4);
    assert_eq!(b.moved(&source, Attributes::alphanumeric(2), utf8), [0x41, 0xC3, 0xA9, 0x20]);
    assert_eq!(b.moved(&source, Attributes::alphanumeric(2), Attributes::new(Usage::Utf8, 2)), [0x41, 0x20]);
    let right = Attributes::national(2).with_flags(Attributes::JUSTIFIED);
    assert_eq!(b.moved(&source, Attributes::alphanumeric(2), right), [0, 0xE9]);
    assert_eq!(b.moved(&[0, 0x31, 0, 0x32], Attributes::national(4), Attributes::packed(3, 0, true)), [0x01, 0x2C]);
}

#[test]
fn edited_characters() {
    let mut b = bench();
    let options = crate::edit::PictureOptions { decimal_comma: false, currencies: &[], code_page: b.session.code_page };
    let picture = crate::edit::compile("XX/XXBX0", &options).unwrap();
    b.session.edit_programs = picture.program.as_ptr();
    let to = Attributes::new(Usage::AlphanumericEdited, 8);
    assert_eq!(b.text(&b.moved(&b.bytes("ABCDEFG"), Attributes::alphanumeric(7), to)), "AB/CD E0");
    assert_eq!(b.text(&b.moved(&b.bytes("ABC"), Attributes::alphanumeric(3), to)), "AB/C   0");
    let mut target = [0u8; 8];
    unsafe { move_figurative(Figurative::Zero, target.as_mut_ptr(), &to, &b.session) };
    assert_eq!(b.text(&target), "00/00 00");
}
