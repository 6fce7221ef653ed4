//! Intrinsic functions.
//!
//! `unsafe` here calls functions with arguments and a buffer that these tests own.

use super::*;

/// A test argument: numbers as text with a decimal point, characters in quotes, floats with an f.
fn argument(session: &Session, text: &str) -> Value {
    if let Some(quoted) = text.strip_prefix('\'') {
        let bytes = session.code_page.encode(quoted.strip_suffix('\'').unwrap()).leak();
        return Value::alphanumeric(bytes);
    }
    if let Some(quoted) = text.strip_prefix("n'") {
        return Value::characters(ValueKind::National, CCSID_1200.encode(quoted.strip_suffix('\'').unwrap()).leak());
    }
    if let Some(quoted) = text.strip_prefix("u'") {
        return Value::characters(ValueKind::Utf8, quoted.strip_suffix('\'').unwrap().to_string().leak().as_bytes());
    }
    if let Some(float) = text.strip_suffix('f') {
        return Value::float(float.parse().unwrap());
    }
    if text == "_" {
        return Value::omitted();
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    Value::decimal(Decimal::new(format!("{whole}{fraction}").parse().unwrap(), fraction.len() as i32))
}

fn shown(session: &Session, value: &Value) -> String {
    match value.kind {
        ValueKind::Decimal => {
            let value = value.decimal;
            if value.scale <= 0 {
                return (value.coefficient * 10i128.pow(value.scale.unsigned_abs())).to_string();
            }
            let sign = if value.coefficient < 0 { "-" } else { "" };
            let digits = format!("{:0width$}", value.coefficient.abs(), width = value.scale as usize + 1);
            let (whole, fraction) = digits.split_at(digits.len() - value.scale as usize);
            format!("{sign}{whole}.{fraction}")
        }
        ValueKind::Float => format!("{:.6}", value.float),
        ValueKind::National => CCSID_1200.decode(value.bytes()),
        ValueKind::Utf8 => CCSID_1208.decode(value.bytes()),
        ValueKind::Alphanumeric => session.code_page.decode(value.bytes()),
        ValueKind::Omitted => "_".into(),
    }
}

fn evaluate_in(session: &Session, name: &str, arguments: &[&str]) -> Result<String> {
    let arguments: Vec<Value> = arguments.iter().map(|text| argument(session, text)).collect();
    let function = find(name).unwrap_or_else(|| panic!("{name}"));
    let mut buffer = vec![0u8; result_length_max(function, &arguments, session)];
    unsafe { call(function, &arguments, &mut buffer, session) }.map(|value| shown(session, &value))
}

fn evaluate(name: &str, arguments: &[&str]) -> String {
    let text = evaluate_in(&Session::ebcdic(), name, arguments).unwrap_or_else(|e| panic!("{name} {arguments:?} {e}"));
    let in_ascii = evaluate_in(&Session::ascii(), name, arguments);
    if !matches!(name, "ORD" | "CHAR" | "HEX-OF" | "BIT-OF" | "HEX-TO-CHAR" | "BIT-TO-CHAR" | "UUID4" | "MAX" | "CURRENT-DATE") {
        assert_eq!(in_ascii.as_deref(), Ok(text.as_str()), "{name}");
    }
    text
}

#[test]
fn table_is_sorted_and_found() {
    assert!(TABLE.windows(2).all(|pair| pair[0].name < pair[1].name));
    for row in TABLE {
        assert_eq!(describe(find(row.name).unwrap()).name, row.name);
        assert!(row.arguments_min <= row.arguments_max);
    }
    assert!(find("NO-SUCH").is_none());
}

#[test]
fn values() {
    for (name, arguments, want) in [
        ("ABS", &["-1.5"][..], "1.5"),
        ("SIGN", &["-0.1"], "-1"),
        ("INTEGER", &["-1.5"], "-2"),
        ("INTEGER-PART", &["-1.5"], "-1"),
        ("MOD", &["11", "5"], "1"),
        ("MOD", &["-11", "5"], "4"),
        ("MOD", &["11", "-5"], "-4"),
        ("MOD", &["-11", "-5"], "-1"),
        ("REM", &["-11", "5"], "-1"),
        ("REM", &["7.5", "2"], "1.5"),
        ("FACTORIAL", &["5"], "120"),
        ("FACTORIAL", &["0"], "1"),
        ("MAX", &["1", "3.5", "-2"], "3.5"),
        ("MAX", &["'b'", "'A'", "'a'"], "A"),
        ("MIN", &["1", "3.5", "-2"], "-2"),
        ("ORD-MAX", &["1", "3", "3"], "2"),
        ("ORD-MIN", &["1", "0", "3"], "2"),
        ("SUM", &["1.25", "2", "-0.5"], "2.75"),
        ("MEAN", &["1", "2", "4"], "2.33333333333333333333333333333"),
        ("MEDIAN", &["9", "1", "4", "7"], "5.5"),
        ("MEDIAN", &["9", "1", "4"], "4"),
        ("MIDRANGE", &["1", "2", "6"], "3.5"),
        ("RANGE", &["1", "2.5", "6"], "5"),
        ("VARIANCE", &["1", "3", "5"], "2.666667"),
        ("STANDARD-DEVIATION", &["1", "3", "5"], "1.632993"),
        ("SQRT", &["2"], "1.414214"),
        ("LOG10", &["1000"], "3.000000"),
        ("EXP10", &["2"], "100.000000"),
        ("ANNUITY", &["0.12", "10"], "0.176984"),
        ("ANNUITY", &["0", "4"], "0.250000"),
        ("PRESENT-VALUE", &["0.1", "110", "121"], "200.000000"),
        ("ACOS", &["1"], "0.000000"),
        ("ATAN", &["1"], "0.785398"),
        ("LENGTH", &["n'abc'"], "3"),
        ("BYTE-LENGTH", &["n'abc'"], "6"),
        ("UPPER-CASE", &["'abcé1'"], "ABCÉ1"),
        ("LOWER-CASE", &["n'ABCÉ'"], "abcé"),
        ("UPPER-CASE", &["u'aéß'"], "AÉß"),
        ("REVERSE", &["'abc '"], " cba"),
        ("REVERSE", &["u'aé€'"], "€éa"),
        ("TRIM", &["'  ab  '"], "ab"),
        ("TRIM", &["'  ab  '", "1"], "ab  "),
        ("TRIM", &["'  ab  '", "2"], "  ab"),
        ("TRIM", &["'    '"], ""),
        ("CONCAT", &["'ab'", "'c'"], "abc"),
        ("FIND-STRING", &["'abcabC'", "'c'"], "3"),
        ("FIND-STRING", &["'abcabC'", "'c'", "3"], "6"),
        ("DISPLAY-OF", &["n'aé'"], "aé"),
        ("NATIONAL-OF", &["'aé'"], "aé"),
        ("ULENGTH", &["u'aé€'"], "3"),
        ("UPOS", &["u'aé€'", "3"], "4"),
        ("UWIDTH", &["u'aé€'", "3"], "3"),
        ("USUBSTR", &["u'aé€x'", "2", "2"], "é€"),
        ("USUPPLEMENTARY", &["u'aé😀'"], "4"),
        ("USUPPLEMENTARY", &["n'aé😀'"], "3"),
        ("UVALID", &["u'aé'"], "0"),
    ] {
        assert_eq!(evaluate(name, arguments), want, "{name} {arguments:?}");
    }
}

#[test]
fn code_page_dependent() {
    assert_eq!(evaluate("ORD", &["'A'"]), "194"); // X'C1' + 1
    assert_eq!(evaluate("CHAR", &["194"]), "A");
    assert_eq!(evaluate("HEX-OF", &["'A1'"]), "C1F1");
    assert_eq!(evaluate("HEX-TO-CHAR", &["'C1f1'"]), "A1");
    assert_eq!(evaluate("BIT-OF", &["'A'"]), "11000001");
    assert_eq!(evaluate("BIT-TO-CHAR", &["'11000001'"]), "A");
    let uuid = evaluate("UUID4", &[]);
    assert_eq!((uuid.len(), &uuid[14..15], &uuid[8..9]), (36, "4", "-"));
}

#[test]
fn numbers_in_text() {
    for (name, text, want) in [
        ("NUMVAL", " - 12.34 ", "-12.34"),
        ("NUMVAL", "12.34CR", "-12.34"),
        ("NUMVAL", ".5", "0.5"),
        ("NUMVAL", "007", "7"),
        ("NUMVAL", "12X", "0"),
        ("TEST-NUMVAL", "12X", "3"),
        ("TEST-NUMVAL", "  ", "3"),
        ("TEST-NUMVAL", "+1-", "3"),
        ("TEST-NUMVAL", "1 2", "3"),
        ("TEST-NUMVAL", "-1.5 ", "0"),
        ("NUMVAL-C", " -$1,234.56", "-1234.56"),
        ("NUMVAL-C", "$ 1,234.56 DB", "-1234.56"),
        ("TEST-NUMVAL-C", "$1,2", "0"),
        ("TEST-NUMVAL-C", "1.2,3", "4"),
        ("NUMVAL-F", " 1.5E2", "150"),
        ("NUMVAL-F", "-1.5 E -2", "-0.015"),
        ("TEST-NUMVAL-F", "1.5E", "5"),
    ] {
        assert_eq!(evaluate(name, &[&format!("'{text}'")]), want, "{name} {text}");
    }
    assert_eq!(evaluate("NUMVAL-C", &["'EUR 1,5'", "'EUR'"]), "15");
    let mut session = Session::ebcdic();
    session.decimal_comma = true;
    assert_eq!(evaluate_in(&session, "NUMVAL-C", &["'$1.234,56'"]).as_deref(), Ok("1234.56"));
}

#[test]
fn dates() {
    for (name, arguments, want) in [
        ("INTEGER-OF-DATE", &["16010101"][..], "1"),
        ("INTEGER-OF-DATE", &["20240229"], "154557"),
        ("INTEGER-OF-DATE", &["20230229"], "0"),
        ("DATE-OF-INTEGER", &["154557"], "20240229"),
        ("INTEGER-OF-DAY", &["2024060"], "154557"),
        ("DAY-OF-INTEGER", &["154557"], "2024060"),
        ("TEST-DATE-YYYYMMDD", &["20230229"], "3"),
        ("TEST-DATE-YYYYMMDD", &["20231329"], "2"),
        ("TEST-DATE-YYYYMMDD", &["16000101"], "1"),
        ("TEST-DAY-YYYYDDD", &["2023366"], "2"),
        ("COMBINED-DATETIME", &["143951", "18867.812479168304"], "143951.18867812479168304"),
        ("FORMATTED-DATE", &["'YYYY-MM-DD'", "154557"], "2024-02-29"),
        ("FORMATTED-DATE", &["'YYYYDDD'", "154557"], "2024060"),
        ("FORMATTED-DATE", &["'YYYY-Www-D'", "154557"], "2024-W09-4"),
        ("FORMATTED-TIME", &["'hh:mm:ss.ss'", "3661.5"], "01:01:01.50"),
        ("FORMATTED-TIME", &["'hhmmss+hhmm'", "3661", "-90"], "010101-0130"),
        ("FORMATTED-TIME", &["'hhmmssZ'", "3661", "90"], "233101Z"),
        ("FORMATTED-DATETIME", &["'YYYYMMDDThhmmss'", "154557", "86399"], "20240229T235959"),
        ("FORMATTED-DATETIME", &["'YYYY-MM-DDThh:mm:ssZ'", "154557", "1800", "60"], "2024-02-28T23:30:00Z"),
        ("INTEGER-OF-FORMATTED-DATE", &["'YYYY-MM-DD'", "'2024-02-29'"], "154557"),
        ("INTEGER-OF-FORMATTED-DATE", &["'YYYYWwwD'", "'2024W094'"], "154557"),
        ("SECONDS-FROM-FORMATTED-TIME", &["'hh:mm:ss.sss'", "'01:01:01.250'"], "3661.25"),
        ("TEST-FORMATTED-DATETIME", &["'YYYYMMDD'", "'20231301'"], "6"),
        ("TEST-FORMATTED-DATETIME", &["'YYYY-MM-DD'", "'2023-02-29'"], "10"),
        ("TEST-FORMATTED-DATETIME", &["'YYYYMMDDThhmmss'", "'20230228T235959'"], "0"),
        // The fraction begins with the character in the format.
        ("FORMATTED-TIME", &["'hhmmss.ss'", "3661.25"], "010101.25"),
        ("FORMATTED-TIME", &["'hhmmss,ss'", "3661.25"], "010101,25"),
        ("FORMATTED-DATETIME", &["'YYYY-MM-DDThh:mm:ss,s+hh:mm'", "154557", "1.5", "-90"], "2024-02-29T00:00:01,5-01:30"),
        ("SECONDS-FROM-FORMATTED-TIME", &["'hhmmss,ss'", "'010101,25'"], "3661.25"),
        ("SECONDS-FROM-FORMATTED-TIME", &["'hhmmss.sssssssss'", "'000000.999999999'"], "0.999999999"),
    ] {
        assert_eq!(evaluate(name, arguments), want, "{name} {arguments:?}");
    }
    let now = evaluate("CURRENT-DATE", &[]);
    assert!(now.len() == 21 && now.ends_with("+0000"), "{now}");
    let year: i64 = now[..4].parse().unwrap();
    let expanded: i64 = evaluate("YEAR-TO-YYYY", &["70", "50"]).parse().unwrap();
    assert!(expanded % 100 == 70 && (year - 50..=year + 50).contains(&expanded));
}

#[test]
fn arguments_outside_their_domain() {
    let session = Session::ebcdic();
    for (name, arguments) in [
        ("ACOS", &["1.1"][..]),
        ("LOG", &["0"]),
        ("SQRT", &["-1"]),
        ("FACTORIAL", &["29"]),
        ("MOD", &["1", "0"]),
        ("CHAR", &["257"]),
        ("DATE-OF-INTEGER", &["0"]),
        ("ABS", &[]),
        ("ABS", &["1", "2"]),
        ("ABS", &["'A'"]),
        ("FORMATTED-DATE", &["'YYYY?MM'", "1"]),
    ] {
        assert_eq!(evaluate_in(&session, name, arguments), Err(Exception::FunctionArgument), "{name}");
    }
}

#[test]
fn random_is_a_sequence_of_its_seed() {
    let mut state = 0;
    let mut session = Session::ebcdic();
    session.random = &mut state;
    let first = evaluate_in(&session, "RANDOM", &["7"]).unwrap();
    let second = evaluate_in(&session, "RANDOM", &[]).unwrap();
    assert_ne!(first, second);
    assert_eq!(evaluate_in(&session, "RANDOM", &["7"]).unwrap(), first);
    assert_eq!(evaluate_in(&session, "RANDOM", &[]).unwrap(), second);
    for _ in 0..1000 {
        let value: f64 = evaluate_in(&session, "RANDOM", &[]).unwrap().parse().unwrap();
        assert!((0.0..=1.0).contains(&value));
    }
}

/// Language Reference, TEST-FORMATTED-DATETIME: the first character at which it can be determined that the value is wrong. The first
/// four rows are the manual's own.
#[test]
fn the_first_character_that_makes_a_date_or_time_wrong() {
    for (format, text, position) in [
        ("YYYYMMDD", "20051314", "6"),
        ("YYYYMMDD", "15990316", "2"),
        ("YYYYMMDD", "19959215", "5"),
        ("YYYYMMDDThhmmss", "19950215T0514:27", "14"),
        ("YYYYMMDD", "00000101", "1"),
        ("YYYYMMDD", "01", "1"),
        ("YYYYMMDD", "16000101", "4"),
        ("YYYYMMDD", "16010001", "6"),
        ("YYYYMMDD", "20230230", "7"),
        ("YYYYMMDD", "20230229", "8"),
        ("YYYYMMDD", "20240229", "0"),
        ("YYYYMMDD", "20230431", "8"),
        ("YYYYMMDD", "20230400", "8"),
        ("YYYYMMDD", "2023040", "8"),
        ("YYYYMMDD", "202304011", "9"),
        ("YYYY-MM-DD", "2023/04-01", "5"),
        // 1601 began on a Monday and has 52 weeks; 2020 has 53.
        ("YYYYWwwD", "1601W531", "7"),
        ("YYYYWwwD", "2020W537", "0"),
        ("YYYYWwwD", "2020W541", "7"),
        ("YYYYWwwD", "2020W601", "6"),
        ("YYYYWwwD", "2020W001", "7"),
        ("YYYYWwwD", "2020w011", "5"),
        ("YYYY-Www-D", "2020-W01-8", "10"),
        ("YYYY-Www-D", "2020-W01-0", "10"),
        // The last week of 9999 ends in 10000.
        ("YYYYWwwD", "9999W525", "0"),
        ("YYYYWwwD", "9999W526", "8"),
        ("YYYYDDD", "2023366", "7"),
        ("YYYYDDD", "2024366", "0"),
        ("YYYYDDD", "2023370", "6"),
        ("YYYYDDD", "2023400", "5"),
        ("YYYYDDD", "2023000", "7"),
        ("YYYY-DDD", "2023-366", "8"),
        ("hhmmss", "240000", "2"),
        ("hhmmss", "300000", "1"),
        ("hhmmss", "006000", "3"),
        ("hh:mm:ss", "23:59:60", "7"),
        ("hh:mm:ss", "23:59-59", "6"),
        ("hhmmss.ss", "101112.34", "0"),
        ("hhmmss.ss", "101112,34", "7"),
        ("hhmmss,ss", "101112.34", "7"),
        ("hhmmss,ss", "101112,3", "9"),
        ("hhmmssZ", "101112z", "7"),
        ("hhmmss+hhmm", "101112+2400", "9"),
        ("hhmmss+hhmm", "101112-0060", "10"),
        ("hh:mm:ss+hh:mm", "10:11:12*01:00", "9"),
        ("YYYY-MM-DDThh:mm:ss.sssZ", "2023-02-28T23:59:59.999Z", "0"),
        ("YYYY-MM-DDThh:mm:ss.sssZ", "2023-02-28 23:59:59.999Z", "11"),
    ] {
        let (of, value) = (format!("'{format}'"), format!("'{text}'"));
        assert_eq!(evaluate("TEST-FORMATTED-DATETIME", &[of.as_str(), value.as_str()]), position, "{format} {text}");
    }
}
