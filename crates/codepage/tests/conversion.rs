//! The public interface of the tables: charts published by IBM, conversion in pieces, counts, shift states, expansion.

use codepage::*;
use proptest::prelude::*;

fn converted(text: &[u8], from: &CodePage, to: &CodePage) -> (Vec<u8>, Conversion) {
    let mut out = vec![0; expansion_max(text.len(), from, to)];
    let mut converter = Converter::new(from, to);
    let mut done = converter.convert(text, &mut out, true);
    assert_eq!(done.end, End::Complete, "{} to {}", from.ccsid, to.ccsid);
    done.written += converter.finish(&mut out, done.written);
    out.truncate(done.written);
    (out, done)
}

#[test]
fn characters_stand_where_the_published_charts_have_them() {
    let at = |ccsid: u16, text: &str, bytes: &[u8]| assert_eq!(by_ccsid(ccsid).unwrap().encode(text), bytes, "{ccsid} {text}");
    at(37, "AIRSZ 059aijsz", &[0xC1, 0xC9, 0xD9, 0xE2, 0xE9, 0x40, 0xF0, 0xF5, 0xF9, 0x81, 0x89, 0x91, 0xA2, 0xA9]);
    at(37, "[]^|!¬¢", &[0xBA, 0xBB, 0xB0, 0x4F, 0x5A, 0x5F, 0x4A]);
    at(1047, "[]^|!¬¢", &[0xAD, 0xBD, 0x5F, 0x4F, 0x5A, 0xB0, 0x4A]);
    at(1140, "€", &[0x9F]);
    at(273, "ÄÖÜäöüß§$", &[0x4A, 0xE0, 0x5A, 0xC0, 0x6A, 0xD0, 0xA1, 0x7C, 0x5B]);
    at(277, "ÆØÅæøå$#@", &[0x7B, 0x7C, 0x5B, 0xC0, 0x6A, 0xD0, 0x67, 0x4A, 0x80]);
    at(278, "ÄÖÅäöå$", &[0x7B, 0x7C, 0x5B, 0xC0, 0x6A, 0xD0, 0x67]);
    at(285, "£$", &[0x5B, 0x4A]);
    at(297, "àéùç$£°", &[0x7C, 0xC0, 0x6A, 0xE0, 0x5B, 0x7B, 0x4A]);
    at(1026, "İıŞşĞğÜüÖö\"$", &[0x5B, 0x79, 0x7C, 0x6A, 0x5A, 0xD0, 0x7F, 0xE0, 0x7B, 0xA1, 0xFC, 0xAD]);
    at(1142, "€", &[0x5A]);
    at(1143, "€", &[0x5A]);
    at(939, "a日本b", &[0x81, 0x0E, 0x45, 0x62, 0x45, 0x66, 0x0F, 0x82]);
    at(930, "a", &[0x62]);
    at(1399, "€", &[0xE1]);
    at(1200, "A€", &[0, 0x41, 0x20, 0xAC]);
    at(300, "日本", &[0x45, 0x62, 0x45, 0x66]);
    at(300, "日A", &[0x45, 0x62, 0xFE, 0xFE]);
}

#[test]
fn a_ccsid_finds_its_page_and_no_other() {
    assert!(ALL.windows(2).all(|pair| pair[0].ccsid < pair[1].ccsid));
    for page in ALL {
        assert!(std::ptr::eq(by_ccsid(page.ccsid).unwrap(), page));
    }
    assert!([0, 38, 1153, 65535].into_iter().all(|ccsid| by_ccsid(ccsid).is_none()));
}

#[test]
fn every_byte_round_trips_and_folds_within_its_page() {
    for page in ALL.iter().filter(|page| page.is_single_byte() || page.is_mixed()) {
        for byte in 0..=255u8 {
            if page.to_unicode[usize::from(byte)] != UNASSIGNED {
                assert_eq!(page.byte_of(page.character_of(byte)), Some(byte), "{} {byte:02X}", page.ccsid);
            }
            let (upper, lower) = (page.upper[usize::from(byte)], page.lower[usize::from(byte)]);
            let dotless = page.character_of(byte) == 'ı';
            assert!(upper == byte || dotless || page.lower[usize::from(upper)] == byte, "{} {byte:02X}", page.ccsid);
            assert!(lower == byte || page.upper[usize::from(lower)] == byte, "{} {byte:02X}", page.ccsid);
        }
        assert_eq!(page.byte_of('\u{FFFD}'), None);
    }
}

/// The characters needed by COBOL, CICS names and the run time are in every page, at the expected codes.
#[test]
fn every_page_has_the_characters_of_the_cobol_character_set() {
    for page in ALL.iter().filter(|page| page.is_single_byte() || page.is_mixed()) {
        for character in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 +-*/=$,;.\"'()><:_&%?#@".chars() {
            assert!(page.byte_of(character).is_some(), "{} {character}", page.ccsid);
        }
        for digit in 0..10u8 {
            assert_eq!(page.ascii(b'0' + digit), page.zone | digit);
            assert!(page.is_digit(page.zone | digit));
        }
        assert_eq!((page.zone_plus, page.space), if page.is_ebcdic() { (0xC0, 0x40) } else { (0x30, 0x20) });
        assert_eq!(page.decode(&[page.dollar, page.quote, page.apostrophe]), "$\"'");
    }
}

#[test]
fn folding_knows_the_letters_of_the_page_and_leaves_double_byte_characters() {
    let folded = |ccsid: u16, text: &str| {
        let page = by_ccsid(ccsid).unwrap();
        let mut bytes = page.encode(text);
        page.fold_upper(&mut bytes);
        page.decode(&bytes)
    };
    assert_eq!(folded(273, "größe äöü"), "GRÖßE ÄÖÜ");
    assert_eq!(folded(277, "æøå"), "ÆØÅ");
    assert_eq!(folded(1026, "şığ"), "ŞIĞ");
    assert_eq!(folded(1025, "привет"), "ПРИВЕТ");
    assert_eq!(folded(875, "αβγ"), "ΑΒΓ");
    // Bytes of the Kanji are letters in the single-byte part.
    assert_eq!(folded(939, "a海b"), "A海B");
    assert_eq!(folded(930, "abc"), "ABC");
    let page = &CCSID_273;
    let mut bytes = page.encode("ÄÖ");
    page.fold_lower(&mut bytes);
    assert_eq!(page.decode(&bytes), "äö");
}

#[test]
fn missing_characters_are_counted_and_substituted() {
    assert_eq!(CCSID_037.encode("a€b"), [0x81, 0x3F, 0x82]);
    assert_eq!(CCSID_037.try_encode("a€b"), Err('€'));
    assert_eq!(CCSID_939.try_encode("a日\u{1F600}"), Err('\u{1F600}'));
    assert_eq!(CCSID_939.try_encode("日").unwrap(), [0x0E, 0x45, 0x62, 0x0F]);
    let (out, done) = converted("a€b😀".as_bytes(), &CCSID_1208, &CCSID_037);
    assert_eq!((out, done.substituted, done.first_substituted), (vec![0x81, 0x3F, 0x82, 0x3F], 2, Some('€')));
    let (out, done) = converted("é\u{1F600}".as_bytes(), &CCSID_1208, &CCSID_939);
    assert_eq!((out, done.substituted), (vec![0x3F, 0x0E, 0xFE, 0xFE, 0x0F], 2));
    let (_, done) = converted("abc".as_bytes(), &CCSID_1208, &CCSID_037);
    assert!(done.is_exact());
}

#[test]
fn malformed_bytes_are_counted_one_by_one() {
    let (out, done) = converted(&[0xC3, 0x41, 0xFF], &CCSID_1208, &CCSID_1208);
    assert_eq!((std::str::from_utf8(&out), done.malformed), (Ok("\u{FFFD}A\u{FFFD}"), 2));
    assert_eq!(converted(&[0xD8, 0x00, 0x00, 0x41], &CCSID_1200, &CCSID_1208).0, "\u{FFFD}A".as_bytes());
    // An unassigned byte; half a double-byte character before shift-in; a code without a character; text that ends shifted.
    assert_eq!(converted(&[0xFD], &CCSID_875, &CCSID_1208).1.malformed, 1);
    let (out, done) = converted(&[0x0E, 0x45, 0x0F, 0x81], &CCSID_939, &CCSID_1208);
    assert_eq!((std::str::from_utf8(&out), done.malformed), (Ok("\u{FFFD}a"), 1));
    assert_eq!(converted(&[0x0E, 0xFD, 0xFD, 0x45, 0x62, 0x0F], &CCSID_939, &CCSID_1208).0, "\u{FFFD}日".as_bytes());
    assert_eq!(converted(&[0x0E, 0x45, 0x62], &CCSID_939, &CCSID_1208).0, "日".as_bytes());
    // A control character SO or SI of Unicode must not become a shift.
    assert_eq!(converted(b"a\x0Eb", &CCSID_1208, &CCSID_939), {
        let mut done = converted(b"a\x1Ab", &CCSID_1208, &CCSID_939).1;
        (done.substituted, done.first_substituted) = (1, Some('\u{E}'));
        (vec![0x81, 0x3F, 0x82], done)
    });
}

/// Whole characters are converted as far as they fit, including the shift-in; the rest follows in the next piece.
#[test]
fn a_target_that_is_full_takes_whole_characters_and_the_shift() {
    let source = "ab日本c".as_bytes();
    for room in 0..=9 {
        let mut out = vec![0u8; room];
        let (read, written) = convert_prefix(source, &CCSID_1208, &mut out, &CCSID_939);
        let whole = std::str::from_utf8(&source[..read]).unwrap();
        assert_eq!(CCSID_939.encode(whole), out[..written], "{room}");
        let expected = match room {
            0..=1 => room,
            2..=5 => 2,
            6..=7 => 5,
            8 => 8,
            _ => source.len(),
        };
        assert_eq!(read, expected, "{room}");
    }
}

#[test]
fn conversion_in_pieces_equals_conversion_of_the_whole() {
    let text = "Zürich 東京 か\u{309A} 1€";
    for (from, to) in [(&CCSID_1208, &CCSID_1399), (&CCSID_1399, &CCSID_1208), (&CCSID_1200, &CCSID_1390)] {
        let source = from.encode(text);
        let whole = converted(&source, from, to).0;
        let mut converter = Converter::new(from, to);
        let mut made: Vec<u8> = Vec::new();
        let mut pending: Vec<u8> = Vec::new();
        for (index, byte) in source.iter().enumerate() {
            pending.push(*byte);
            let mut out = [0u8; 16];
            let done = converter.convert(&pending, &mut out, index + 1 == source.len());
            pending.drain(..done.read);
            made.extend(&out[..done.written]);
        }
        let mut out = [0u8; 1];
        let closing = converter.finish(&mut out, 0);
        made.extend(&out[..closing]);
        assert_eq!(made, whole, "{} to {}", from.ccsid, to.ccsid);
    }
}

#[test]
fn a_letter_with_a_mark_is_one_double_byte_character() {
    let (bytes, done) = convert_text("か\u{309A}", &CCSID_1399);
    assert!(done.is_exact());
    assert_eq!(bytes.len(), 4);
    assert_eq!(CCSID_1399.decode(&bytes), "か\u{309A}");
    let double = CCSID_1399.double_byte.unwrap();
    assert_eq!(double.try_encode("か\u{309A}").unwrap(), bytes[1..3]);
    assert_eq!(double.decode(DOUBLE_BYTE_BLANK), Some(Characters::One('\u{3000}')));
}

#[test]
fn double_byte_codes_come_back_unless_they_are_only_read() {
    for page in ALL.iter().filter(|page| page.is_mixed()) {
        let double = page.double_byte.unwrap();
        let mut changed = 0;
        for code in 0x4040..=0xFEFEu16 {
            let back = match double.decode(code) {
                Some(Characters::One(character)) => double.encode(character),
                Some(Characters::Two(base, mark)) => double.encode_pair(base, mark),
                None => continue,
            };
            changed += usize::from(back != Some(code));
        }
        // The pages of Taiwan have 189 characters twice.
        let expected = if matches!(page.ccsid, 937 | 1371) { 189 } else { 0 };
        assert_eq!(changed, expected, "{}", page.ccsid);
        assert_eq!(double.decode(DOUBLE_BYTE_BLANK), Some(Characters::One('\u{3000}')), "{}", page.ccsid);
    }
}

#[test]
fn the_fast_path_equals_general_conversion() {
    for from in ALL.iter().filter(|page| page.is_single_byte()) {
        for to in ALL.iter().filter(|page| page.is_single_byte()) {
            let all: Vec<u8> = (0..=255).collect();
            let table = translation(from, to);
            assert_eq!(converted(&all, from, to).0, table, "{} to {}", from.ccsid, to.ccsid);
            let mut out = [0u8; 256];
            assert_eq!(convert_prefix(&all, from, &mut out, to), (256, 256));
            assert_eq!(out, table);
        }
    }
    assert_eq!(translation(&CCSID_037, &CCSID_1140)[0x9F], 0x3F);
}

fn a_page() -> impl Strategy<Value = &'static CodePage> {
    (0..ALL.len()).prop_map(|index| ALL[index])
}

proptest! {
    /// No bytes make a conversion panic, expand beyond its bound, or leave a mixed text shifted.
    #[test]
    fn any_bytes_convert_within_the_bound(source in prop::collection::vec(any::<u8>(), 0..64), from in a_page(), to in a_page(), room in 0usize..80) {
        let (out, done) = converted(&source, from, to);
        prop_assert_eq!(done.read, source.len());
        if to.is_mixed() {
            let mut reader = Reader::new(to);
            let mut at = 0;
            while at < out.len() {
                let (taken, width) = reader.take(&out[at..]);
                prop_assert!(taken != Taken::Incomplete);
                at += width;
            }
            prop_assert!(!reader.is_shifted());
        }
        let mut short = vec![0; room];
        let (read, written) = convert_prefix(&source, from, &mut short, to);
        prop_assert!(read <= source.len() && written <= room);
    }

    /// Text of a page round-trips through Unicode.
    #[test]
    fn text_round_trips_through_its_page(bytes in prop::collection::vec(any::<u8>(), 0..64), page in a_page()) {
        let text = page.decode(&bytes);
        prop_assume!(!text.contains('\u{FFFD}'));
        prop_assert_eq!(page.decode(&page.encode(&text)), text);
    }
}
