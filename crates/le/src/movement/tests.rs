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

#[test]
fn invalid_zoned_data_moves_without_exception_but_not_to_packed() {
    let b = bench();
    let spaces = [0x40u8; 3];
    let from = Attributes::zoned(3, 0, Sign::Unsigned);
    assert_eq!(b.moved(&spaces, from, Attributes::zoned(5, 0, Sign::Unsigned)), [0xF0; 5]);
    assert_eq!(b.moved(&[0xC1, 0xC2, 0xC3], from, Attributes::zoned(3, 0, Sign::Trailing)), [0xF1, 0xF2, 0xC3]);
    let mut target = [0u8; 2];
    let to = Attributes::packed(3, 0, true);
    let error = unsafe { move_field(spaces.as_ptr(), &from, target.as_mut_ptr(), &to, &b.session) };
    assert_eq!(error, Err(crate::Exception::Data));
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
