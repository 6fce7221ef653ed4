//! The server with s3270: TN3270 and TN3270E, models 2 to 5 and dynamic, extended or not; text, attributes, cursor.

mod common;

use std::sync::atomic::Ordering;

use common::{S3270, start};
use tn3270::Config;

/// One conversation in a model's alternate or default size.
fn converse(model: &str, prefix: &str, alternate: bool, rows: usize, columns: usize) {
    let (server, host) = start(Config::default(), alternate);
    let port = server.local_address().port();
    let mut terminal = S3270::start(&["-model", model, &format!("{prefix}MYLU@127.0.0.1:{port}")]);
    terminal.run("Wait(5,InputField)");
    let screen = terminal.rows();
    assert_eq!((screen.len(), screen[0].chars().count()), (rows, columns), "{model}");
    assert_eq!(&screen[0][30..39], "ECHO HOST");
    assert!(screen[23].starts_with(" ready "), "{screen:#?}");
    assert_eq!(&screen[0][60..64], "MYLU");
    assert_eq!(terminal.cursor(), (3, 11));
    terminal.run("String(\"Grace\")");
    terminal.run("Tab()");
    terminal.run("String(\"42\")");
    terminal.run("Tab()");
    terminal.run("String(\"xyz\")");
    terminal.run("Enter()");
    terminal.run("Wait(5,Unlock)");
    let screen = terminal.rows();
    assert_eq!(screen[23].trim(), "ENTER name=Grace amount=000042 secret=xyz", "{model} {prefix}");
    assert_eq!(screen[4].trim(), "", "a dark field is not shown");
    terminal.run("PF(5)");
    terminal.run("Wait(5,Unlock)");
    assert!(terminal.rows()[23].starts_with(" PF5 name=Grace "));
    terminal.run("PA(1)");
    terminal.run("Wait(5,Unlock)");
    assert_eq!(terminal.rows()[23].trim(), "PA1 no data to map");
    terminal.run("Clear()");
    terminal.run("Wait(5,Unlock)");
    assert_eq!(terminal.rows()[23].trim(), "cleared");
    terminal.run("Enter()");
    terminal.run("Wait(5,Unlock)");
    assert_eq!(terminal.rows()[23].trim(), "ENTER no data to map");
    terminal.run("PF(3)");
    terminal.run("Wait(5,Disconnect)");
    drop(terminal);
    for _ in 0..100 {
        if host.ended.load(Ordering::Relaxed) == 1 {
            assert_eq!(server.session_count(), 0);
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("the session did not end");
}

#[test]
fn tn3270e_models() {
    for (model, rows, columns) in [("3279-2", 24, 80), ("3279-3", 32, 80), ("3279-4", 43, 80), ("3279-5", 27, 132)] {
        converse(model, "", true, rows, columns);
    }
}

#[test]
fn tn3270_models() {
    for (model, rows, columns) in [("3279-2", 24, 80), ("3279-3", 32, 80), ("3279-4", 43, 80), ("3279-5", 27, 132)] {
        converse(model, "N:", true, rows, columns);
    }
}

#[test]
fn base_data_stream() {
    converse("3278-2", "S:", false, 24, 80);
    converse("3278-4", "S:N:", true, 43, 80);
}

#[test]
fn colours_and_attributes() {
    let (server, _host) = start(Config::default(), false);
    let port = server.local_address().port();
    let mut terminal = S3270::start(&["-model", "3279-2", &format!("127.0.0.1:{port}")]);
    terminal.run("Wait(5,InputField)");
    let buffer = terminal.run("ReadBuffer(Ascii)");
    let cell = |row: usize, column: usize| buffer[row - 1].split_whitespace().nth(column - 1).unwrap().to_string();
    assert_eq!(cell(1, 30), "SF(c0=f8)");
    assert_eq!(cell(3, 10), "SF(c0=c0,42=f4)");
    assert_eq!(cell(4, 10), "SF(c0=d0)");
    assert_eq!(cell(5, 10), "SF(c0=cc)");
    assert_eq!(cell(24, 1), "SF(c0=e8,42=f2)");
    // DATAONLY changes the data and leaves colour and attributes.
    terminal.run("String(\"a\")");
    terminal.run("Enter()");
    terminal.run("Wait(5,Unlock)");
    let buffer = terminal.run("ReadBuffer(Ascii)");
    assert_eq!(buffer[23].split_whitespace().next().unwrap(), "SF(c0=e8,42=f2)");
    assert_eq!(buffer[2].split_whitespace().nth(9).unwrap(), "SF(c0=c1,42=f4)");
}

#[test]
fn dynamic_size_comes_from_the_query() {
    let (server, _host) = start(Config::default(), true);
    let port = server.local_address().port();
    let mut terminal = S3270::start(&["-model", "3279-2", "-oversize", "100x50", &format!("127.0.0.1:{port}")]);
    terminal.run("Wait(5,InputField)");
    let screen = terminal.rows();
    assert_eq!((screen.len(), screen[0].chars().count()), (50, 100));
    assert!(screen[23].starts_with(" ready "));
    let mut terminal = S3270::start(&["-model", "3279-5", "-oversize", "160x62", &format!("N:127.0.0.1:{port}")]);
    terminal.run("Wait(5,InputField)");
    assert_eq!(terminal.cursor(), (3, 11), "14-bit addresses");
    terminal.run("String(\"far\")");
    terminal.run("Enter()");
    terminal.run("Wait(5,Unlock)");
    assert!(terminal.rows()[23].starts_with(" ENTER name=far "));
}

#[test]
fn names_attention_and_refusals() {
    let (server, host) = start(Config::default(), false);
    let port = server.local_address().port();
    let mut first = S3270::start(&[&format!("LUX@127.0.0.1:{port}")]);
    first.run("Wait(5,InputField)");
    let mut unnamed = S3270::start(&[&format!("127.0.0.1:{port}")]);
    unnamed.run("Wait(5,InputField)");
    assert_eq!(&unnamed.rows()[0][60..68], "TCP00001");
    // A name in use, or unknown, is refused; s3270 then tries traditional TN3270 with the same name and is told why.
    for (name, why) in [("LUX", "The terminal name is in use."), ("NOSUCH", "There is no terminal of this name.")] {
        let mut other = S3270::start(&[&format!("{name}@127.0.0.1:{port}")]);
        let _ = other.try_run("Wait(5,Disconnect)");
        let screen = other.rows();
        assert!(screen.iter().any(|row| row.contains(why)), "{screen:#?}");
    }
    first.run("Attn()");
    first.run("SysReq()");
    for _ in 0..100 {
        if host.attentions.load(Ordering::Relaxed) == 1 && host.system_requests.load(Ordering::Relaxed) == 1 {
            assert!(host.responses.load(Ordering::Relaxed) >= 2, "RESPONSES were asked for");
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("attention {:?} system request {:?}", host.attentions, host.system_requests);
}
