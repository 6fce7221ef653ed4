//! Date, time and other callable services.
//!
//! `unsafe` here passes areas to services: these tests own them and make them as long as the service asks.

use super::services::*;
use super::*;

fn settings() -> Settings {
    Settings::default()
}

fn session() -> Session {
    Session::ebcdic()
}

fn lilian(text: &str, picture: &str) -> Result<i32, Feedback> {
    let page = session().code_page;
    days(&page.encode(text), &page.encode(picture), &settings(), &session())
}

fn shown(day: i32, picture: &str) -> (String, Result<(), Feedback>) {
    let page = session().code_page;
    let mut out = [0u8; 80];
    let result = date(day, &page.encode(picture), &mut out, &settings(), &session());
    (page.decode(&out).trim_end().to_string(), result)
}

fn stamp(seconds: f64, picture: &str) -> String {
    let page = session().code_page;
    let mut out = [0u8; 80];
    timestamp(seconds, &page.encode(picture), &mut out, &settings(), &session()).unwrap();
    page.decode(&out).trim_end().to_string()
}

fn stamp_seconds(text: &str, picture: &str) -> Result<f64, Feedback> {
    let page = session().code_page;
    seconds(&page.encode(text), &page.encode(picture), &settings(), &session())
}

/// Programming Reference: May 16, 1988 is Lilian day 148138, a Monday.
#[test]
fn documented_dates() {
    for (text, picture) in [
        ("05/16/88", "MM/DD/YY"),
        ("5/16/88", "MM/DD/YY"),
        ("19880516", "YYYYMMDD"),
        ("880516", "YYMMDD"),
        ("1988-05-16", "YYYY-MM-DD"),
        ("16 MAY 1988", "DD MMM YYYY"),
        ("May 16, 1988", "Mmmmmmmmmz DD, YYYY"),
        ("88.137", "YY.DDD"),
        ("1988137", "YYYYDDD"),
        ("16.V   .88", "DD.RRRR.YY"),
        ("   05/16/1988 and more", "MM/DD/YYYY"),
    ] {
        assert_eq!(lilian(text, picture), Ok(148_138), "{text} {picture}");
    }
    for (picture, want) in [
        ("MM/DD/YY", "05/16/88"),
        ("ZM/ZD/YYYY", "5/16/1988"),
        ("YYYY.DDD", "1988.137"),
        ("DD MMM YYYY", "16 MAY 1988"),
        ("Wwwwwwwwwz, DD Mmm YYYY", "Monday, 16 May 1988"),
        ("Mmmmmmmmm DD, YYYY", "May       16, 1988"),
        ("WWW W", "MON M"),
        ("DD RRRZ YY", "16 V 88"),
        ("", "05/16/88"),
    ] {
        assert_eq!(shown(148_138, picture), (want.to_string(), Ok(())), "{picture}");
    }
    assert_eq!(day_of_week(148_138), Ok(2));
}

#[test]
fn documented_timestamps() {
    // 86,401 is the first second of October 15, 1582.
    assert_eq!(stamp_seconds("1582-10-15 00:00:01", "YYYY-MM-DD HH:MI:SS"), Ok(86_401.0));
    let seconds = stamp_seconds("92/06/03 15.35.03", "YY/MM/DD HH.MI.SS").unwrap();
    assert_eq!(stamp_seconds("92/6/3 3.35.03 PM", "YY/MM/DD HH.MI.SS AP"), Ok(seconds));
    assert_eq!(stamp_seconds("92.155 3.35.03 pm", "YY.DDD   HH.MI.SS AP"), Ok(seconds));
    assert_eq!(stamp_seconds("1992-05-17", "YYYY-MM-DD HH:MI"), stamp_seconds("1992-05-17-00:00:00", "YYYY-MM-DD-HH:MI:SS"));
    assert_eq!(stamp(seconds, "YYYY/MM/DD HH:MI:SS.999"), "1992/06/03 15:35:03.000");
    assert_eq!(stamp(seconds + 0.25, "ZH:MI AP 99"), "3:35 PM 25");
    assert_eq!(stamp(seconds, "hh.mi a.p."), "03.35 p.m.");
    assert_eq!(integers_of_seconds(seconds + 0.125), Ok([1992, 6, 3, 15, 35, 3, 125]));
    assert_eq!(seconds_of_integers(&[1992, 6, 3, 15, 35, 3, 0]), Ok(seconds));
    assert_eq!(integers_of_seconds(86_400.0), Ok([1582, 10, 15, 0, 0, 0, 0]));
    assert_eq!(integers_of_seconds(265_621_679_999.999), Ok([9999, 12, 31, 23, 59, 59, 999]));
}

#[test]
fn feedback_codes() {
    assert_eq!(lilian("13/01/88", "MM/DD/YY"), Err(Feedback::MONTH));
    assert_eq!(lilian("02/30/88", "MM/DD/YY"), Err(Feedback::DATE));
    assert_eq!(lilian("10/14/1582", "MM/DD/YYYY"), Err(Feedback::DATE_RANGE));
    assert_eq!(lilian("XX/01/88", "MM/DD/YY"), Err(Feedback::DAYS_NONNUMERIC));
    assert_eq!(lilian("", "MM/DD/YY"), Err(Feedback::INSUFFICIENT));
    assert_eq!(shown(0, "MM/DD/YY"), (String::new(), Err(Feedback::LILIAN_RANGE)));
    assert_eq!(shown(148_138, "Wwwwz"), (String::new(), Err(Feedback::NAME_WIDTH)));
    assert_eq!(stamp_seconds("1992-05-17 24:00", "YYYY-MM-DD HH:MI"), Err(Feedback::HOURS));
    assert_eq!(integers_of_seconds(86_399.0), Err(Feedback::SECONDS_RANGE));
    assert_eq!(seconds_of_integers(&[1992, 2, 30, 0, 0, 0, 0]), Err(Feedback::DAY));
    assert_eq!(day_of_week(3_074_325), Err(Feedback::LILIAN_RANGE));
    assert_eq!(Feedback::INSUFFICIENT.token(), [0, 3, 0x09, 0xCB, 0x59, 0xC3, 0xC5, 0xC5, 0, 0, 0, 0]);
    assert_eq!(&Feedback::INSUFFICIENT.symbol(), b"CEE2EB");
    assert_eq!(&Feedback::NAME_WIDTH.symbol(), b"CEE2F6");
    assert_eq!(Feedback::SUCCESS.token(), [0; 12]);
}

#[test]
fn calls_by_address() {
    let session = session();
    let page = session.code_page;
    let mut settings = Settings::default();
    let string = |text: &str| {
        let mut bytes = (text.len() as u16).to_be_bytes().to_vec();
        bytes.extend(page.encode(text));
        bytes
    };
    let (mut text, mut picture) = (string("19880516"), string("YYYYMMDD"));
    let mut day = [0u8; 4];
    let mut feedback = [0xFFu8; 12];
    let (service, arguments) = find("CEEDAYS").unwrap();
    let addresses = [text.as_mut_ptr(), picture.as_mut_ptr(), day.as_mut_ptr(), feedback.as_mut_ptr()];
    let outcome = unsafe { call(service, arguments, &addresses, &session, &mut settings) };
    assert_eq!((outcome, i32::from_be_bytes(day), feedback), (Outcome::Done(Feedback::SUCCESS), 148_138, [0; 12]));
    let mut bad = string("XX");
    let addresses = [bad.as_mut_ptr(), picture.as_mut_ptr(), day.as_mut_ptr(), std::ptr::null_mut()];
    let outcome = unsafe { call(service, arguments, &addresses, &session, &mut settings) };
    assert_eq!(outcome, Outcome::Condition(Feedback::DAYS_NONNUMERIC));
    let (mut code, mut clean_up) = (1234i32.to_be_bytes(), 0i32.to_be_bytes());
    let addresses = [code.as_mut_ptr(), clean_up.as_mut_ptr()];
    let (service, arguments) = find("CEE3ABD").unwrap();
    let outcome = unsafe { call(service, arguments, &addresses, &session, &mut settings) };
    assert_eq!(outcome, Outcome::Abend { code: 1234, reason: 0, clean_up: 0 });
    assert_eq!(&user_abend_code(1234), b"1234");
    let (service, arguments) = find("CEELOCT").unwrap();
    assert_eq!(unsafe { call(service, arguments, &[], &session, &mut settings) }, Outcome::Arguments);
    let (mut seconds, mut gregorian) = ([0u8; 8], [0u8; 17]);
    let addresses = [day.as_mut_ptr(), seconds.as_mut_ptr(), gregorian.as_mut_ptr()];
    unsafe { call(service, arguments, &addresses, &session, &mut settings) };
    let text = page.decode(&gregorian);
    assert_eq!(lilian(&text[..8], "YYYYMMDD"), Ok(i32::from_be_bytes(day)));
}

#[test]
fn century_window() {
    assert_eq!(CenturyWindow::default().year(15, 1995), 1915);
    assert_eq!(CenturyWindow::default().year(14, 1995), 2014);
    assert_eq!(CenturyWindow { years_before: 0 }.year(95, 1995), 1995);
    assert_eq!(CenturyWindow { years_before: 0 }.year(94, 1995), 2094);
}
