//! Editing by PICTURE.
//!
//! `unsafe` here edits areas that these tests own, as long as their pictures.

use super::*;
use crate::code_page::{CCSID_037, CCSID_819, CodePage};

struct Case {
    picture: Picture,
    attributes: Attributes,
    session: Session,
}

fn case_with(text: &str, options: &PictureOptions<'_>) -> Case {
    let picture = compile(text, options).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    let mut attributes = Attributes::new(picture.category, picture.characters);
    attributes.digits = picture.digits;
    attributes.scale = picture.scale;
    let mut session = Session::new(options.code_page);
    session.decimal_comma = options.decimal_comma;
    Case { picture, attributes, session }
}

fn options(page: &'static CodePage) -> PictureOptions<'static> {
    PictureOptions { decimal_comma: false, currencies: &[], code_page: page }
}

impl Case {
    fn edit(&mut self, coefficient: i128, scale: i32) -> String {
        self.session.edit_programs = self.picture.program.as_ptr();
        let mut area = vec![0u8; self.attributes.length as usize];
        unsafe { edit(&Decimal::new(coefficient, scale), area.as_mut_ptr(), &self.attributes, &self.session) };
        self.session.code_page.decode(&area)
    }

    fn deedit(&mut self, text: &str) -> Decimal {
        self.session.edit_programs = self.picture.program.as_ptr();
        let area = self.session.code_page.encode(text);
        unsafe { deedit(area.as_ptr(), &self.attributes, &self.session) }.unwrap()
    }
}

fn edited(picture: &str, coefficient: i128, scale: i32) -> String {
    let mut ascii = case_with(picture, &options(&CCSID_819));
    let mut ebcdic = case_with(picture, &options(&CCSID_037));
    let text = ascii.edit(coefficient, scale);
    assert_eq!(ebcdic.edit(coefficient, scale), text, "{picture}");
    text
}

/// Examples of the Language Reference, chapter "PICTURE clause editing".
#[test]
fn documented_examples() {
    for (picture, coefficient, scale, want) in [
        ("999.99", 1234, 3, "001.23"),
        ("999.99", 1234, 2, "012.34"),
        ("999.99", 1234, 1, "123.40"),
        ("999.99", 1234, 0, "234.00"),
        ("999.99+", 67777, 2, "677.77+"),
        ("+999.99", 67777, 2, "+677.77"),
        ("9999.99-", -12345, 3, "0012.34-"),
        ("$999.99", -12345, 2, "$123.45"),
        ("-$999.99", -123456, 3, "-$123.45"),
        ("-$999.99", 123456, 3, " $123.45"),
        ("$9999.99CR", 12345, 2, "$0123.45  "),
        ("$9999.99DB", -12345, 2, "$0123.45DB"),
        ("$$$$.99", 123, 3, "   $.12"),
        ("$$$9.99", 12, 2, "  $0.12"),
        ("$,$$$,999.99", -123456, 2, "   $1,234.56"),
        ("+,+++,999.99", -123456789, 3, " -123,456.78"),
        ("$$,$$$,$$$.99CR", -1234567, 0, "$1,234,567.00CR"),
        ("++,+++,+++.+++", 0, 0, "              "),
        ("****.**", 0, 0, "****.**"),
        ("ZZZZ.ZZ", 0, 0, "       "),
        ("ZZZZ.99", 0, 0, "    .00"),
        ("****.99", 0, 0, "****.00"),
        ("ZZ99.99", 0, 0, "  00.00"),
        ("Z,ZZZ.ZZ+", 12345, 2, "  123.45+"),
        ("*,***.**+", 12345, 2, "**123.45+"),
        ("**,***,***.**+", 1234567889, 2, "12,345,678.89+"),
        ("$Z,ZZZ,ZZZ.ZZCR", 1234567, 2, "$   12,345.67  "),
        ("$B*,***,***.**BBDB", -1234567, 2, "$ ***12,345.67  DB"),
    ] {
        assert_eq!(edited(picture, coefficient, scale), want, "{picture} {coefficient}e-{scale}");
    }
}

#[test]
fn insertion_scaling_and_blank_when_zero() {
    assert_eq!(edited("99/99/9999", 12312025, 0), "12/31/2025");
    assert_eq!(edited("9B9B9", 123, 0), "1 2 3");
    assert_eq!(edited("99,B999,B000", 1234, 0), "01, 234, 000");
    assert_eq!(edited("Z9V99", 1234, 2), "1234");
    assert_eq!(edited("ZZ9PP", 12300, 0), "123");
    assert_eq!(edited("+++9", -5, 0), "  -5");
    assert_eq!(edited("---9", 5, 0), "   5");
    assert_eq!(edited("--,---,--9.99", -123456, 2), "    -1,234.56");
    let mut blank = case_with("ZZ9.99", &options(&CCSID_037));
    blank.attributes.flags = Attributes::BLANK_WHEN_ZERO;
    assert_eq!(blank.edit(0, 0), "      ");
    assert_eq!(blank.edit(1, 2), "  0.01");
}

#[test]
fn decimal_comma_and_currency_text() {
    let euro = [Currency { symbol: 'E', text: "EUR " }];
    let options = PictureOptions { decimal_comma: true, currencies: &euro, code_page: &CCSID_037 };
    assert_eq!(case_with("Z.ZZZ.ZZ9,99", &options).edit(123456789, 2), "1.234.567,89");
    assert_eq!(case_with("EEE.EE9,99", &options).edit(123456, 2), " EUR 1.234,56");
    assert_eq!(case_with("E999,99", &options).edit(123456, 2), "EUR 234,56");
}

#[test]
fn categories() {
    let compiled = |text: &str| compile(text, &options(&CCSID_037)).unwrap();
    for (text, category, characters, digits, scale, signed) in [
        ("X(10)", Usage::Alphanumeric, 10, 0, 0, false),
        ("A(5)", Usage::Alphabetic, 5, 0, 0, false),
        ("XX99AA", Usage::Alphanumeric, 6, 0, 0, false),
        ("XXBXX/X0", Usage::AlphanumericEdited, 8, 0, 0, false),
        ("S9(7)V99", Usage::Zoned, 9, 9, 2, true),
        ("9(3)PP", Usage::Zoned, 3, 3, -2, false),
        ("PP9(3)", Usage::Zoned, 3, 3, 5, false),
        ("VPP9(3)", Usage::Zoned, 3, 3, 5, false),
        ("SP9", Usage::Zoned, 1, 1, 2, true),
        ("N(4)", Usage::National, 4, 0, 0, false),
        ("NNBNN", Usage::NationalEdited, 5, 0, 0, false),
        ("G(4)", Usage::Dbcs, 4, 0, 0, false),
        ("U(4)", Usage::Utf8, 4, 0, 0, false),
        ("z(5)9.99cr", Usage::NumericEdited, 11, 8, 2, true),
        ("+9.9(5)E+99", Usage::FloatDisplay, 12, 6, 5, true),
    ] {
        let picture = compiled(text);
        let got = (picture.category, picture.characters, picture.digits, picture.scale, picture.signed);
        assert_eq!(got, (category, characters, digits, scale, signed), "{text}");
    }
}

#[test]
fn invalid_pictures_are_rejected() {
    for text in [
        "", "X(", "X(0)", "9S9", "9V9V9", "9.9.9", "Z*", "9Z", "$$++9", "+9-", "+9CR", "CR9", "9$", "Q", "XZ", "9(32)", "9P9", "NX",
        "S9.9", "+9E+9", "9+9",
    ] {
        assert!(compile(text, &options(&CCSID_037)).is_err(), "{text}");
    }
}

#[test]
fn deediting_undoes_editing() {
    for picture in ["Z,ZZZ,ZZ9.99-", "$$,$$$,$$9.99CR", "**,***,**9.99DB", "+,+++,++9.99", "999,999,999.99+", "-9(9).99"] {
        let mut case = case_with(picture, &options(&CCSID_037));
        for value in [0, 1, -1, 123, -99999, 12345678, -98765432, 99999999] {
            let text = case.edit(value, 2);
            assert_eq!(case.deedit(&text), Decimal::new(value, 2), "{picture} {text}");
        }
    }
}

#[test]
fn external_floating_point() {
    let mut case = case_with("+9.9(5)E+99", &options(&CCSID_037));
    case.session.edit_programs = case.picture.program.as_ptr();
    for (value, text) in [(1234.0, "+1.23400E+03"), (-0.00012, "-1.20000E-04"), (0.0, "+0.00000E+00")] {
        let mut area = vec![0u8; 12];
        unsafe { edit_float(value, area.as_mut_ptr(), &case.attributes, &case.session) };
        assert_eq!(CCSID_037.decode(&area), text);
        assert_eq!(unsafe { deedit_float(area.as_ptr(), &case.attributes, &case.session) }, Ok(value));
    }
}
