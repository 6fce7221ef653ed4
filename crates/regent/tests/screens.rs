//! Screens as a user of s3270 sees them: logical messages page by page, text, extended attributes, attention keys, screen sizes.

mod support;

use support::golden::{agrees, shows};
use support::terminal::Terminal;
use support::{Region, root};

fn start(data: &tempfile::TempDir) -> Region {
    Region::start(&root().join("crates/regent/tests/applications/screens"), data.path(), &[])
}

fn command(terminal: &mut Terminal, text: &str) {
    terminal.clear();
    terminal.type_text(text);
    terminal.enter();
}

#[test]
fn commands_answer_as_documented() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = start(&data);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("SCHK");
    terminal.expect("SCHK: 0059 CHECKS, 0000 FAULTS");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn receive_and_converse_honour_length_and_truncation_options() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = start(&data);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("SRCV ABCDEFGH");
    terminal.expect("TYPE:");
    terminal.type_text("hello");
    terminal.enter();
    terminal.type_text("again");
    terminal.enter();
    terminal.enter();
    terminal.expect("SRCV: 0009 CHECKS, 0000 FAULTS");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn a_message_is_paged_by_the_operator() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = start(&data);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("SPGA");
    terminal.expect("ITEM0001");
    // Header of two lines, trailer of two: twenty items on a page.
    assert_eq!((terminal.row(1), terminal.row(3)), (" LIST OF ITEM       0001".to_string(), "   ITEM0001".to_string()));
    assert_eq!((terminal.row(22), terminal.row(24)), ("   ITEM0020".to_string(), " END OF PAGE".to_string()));
    terminal.pf(8);
    terminal.expect("ITEM0021");
    assert_eq!((terminal.row(1), terminal.row(22)), (" LIST OF ITEM       0002".to_string(), "   ITEM0040".to_string()));
    terminal.pf(8);
    terminal.expect("DFHTP4107");
    terminal.pf(7);
    terminal.expect("ITEM0001");
    terminal.pf(3);
    terminal.expect("DFHTP4128");
    command(&mut terminal, "P/2");
    terminal.expect("ITEM0021");
    command(&mut terminal, "P/-1");
    terminal.expect("ITEM0001");
    command(&mut terminal, "CSPG P/L");
    terminal.expect("ITEM0040");
    command(&mut terminal, "P/X");
    terminal.expect("DFHTP4106");
    command(&mut terminal, "P/Q");
    terminal.expect("DFHTP4102 00000");
    command(&mut terminal, "P/A");
    terminal.expect("DFHTP4101");
    command(&mut terminal, "X/CEMT I TRA(SPGA)");
    terminal.expect("Tra(SPGA)");
    terminal.pf(3);
    terminal.expect("SESSION ENDED");
    command(&mut terminal, "P/1");
    terminal.expect("ITEM0001");
    command(&mut terminal, "T/B");
    terminal.expect("DFHTP4122");
    // The chained transaction has ended the conversation.
    command(&mut terminal, "P/1");
    terminal.expect("DFHTP4104");
    command(&mut terminal, "T/A");
    terminal.expect("DFHTP4103");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn retain_release_and_operpurge() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = start(&data);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("SPGB");
    terminal.expect("ITEM0001");
    terminal.pf(8);
    terminal.expect("ITEM0021");
    command(&mut terminal, "SOMETHING");
    terminal.expect("AFTER PAGES: SOMETHING");

    terminal.transaction("SPGC");
    terminal.expect("ITEM0001");
    command(&mut terminal, "P/N");
    terminal.expect("ITEM0021");
    // Anything else ends the display and is the input of the next transaction.
    command(&mut terminal, "WHATEVER");
    terminal.expect("NEXT TRANSACTION RUNS");

    terminal.transaction("SPGD");
    terminal.expect("ITEM0001");
    command(&mut terminal, "CEMT I TASK");
    terminal.expect("DFHTP4126");
    command(&mut terminal, "P/2");
    terminal.expect("ITEM0021");
    command(&mut terminal, "T/C");
    terminal.expect("DFHTP4122");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn a_page_is_copied_to_another_terminal() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = start(&data);
    let mut terminal = Terminal::connect(region.port);
    let mut other = Terminal::connect(region.port);
    other.expect("TERMID=");
    let screen = other.text().join(" ");
    let name: String = screen.split("TERMID=").nth(1).expect("a terminal name").chars().take(4).collect();
    terminal.transaction("SPGA");
    terminal.expect("ITEM0001");
    command(&mut terminal, &format!("C/{name}"));
    terminal.expect("DFHTP4123");
    other.expect("ITEM0001");
    command(&mut terminal, "C/ZZZZ");
    terminal.expect("DFHTP4110");
    drop((terminal, other));
    assert_eq!(region.stop(), 0);
}

#[test]
fn text_has_headers_trailers_lines_and_colours() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = start(&data);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("STXA");
    terminal.expect("REPORT PAGE   1");
    assert_eq!((terminal.row(2), terminal.row(23), terminal.row(24)), row3(" LINE 0001", " LINE 0022", " CONTINUE"));
    terminal.pf(8);
    terminal.expect("REPORT PAGE   2");
    terminal.pf(8);
    terminal.expect("REPORT PAGE   3");
    assert_eq!((terminal.row(2), terminal.row(7), terminal.row(24)), row3(" LINE 0045", " LINE 0050", " NOMORE"));
    terminal.transaction("STXB");
    terminal.expect("TENTH LINE");
    assert_eq!((terminal.row(10), terminal.row(24), terminal.row(1)), row3(" TENTH LINE", " LAST LINE", ""));
    terminal.transaction("STXC");
    terminal.expect("PLAIN RED AGAIN");
    let buffer = terminal.act("ReadBuffer(Ascii)").first().cloned().unwrap_or_default();
    assert!(buffer.contains("SA(42=f2)"), "{buffer}");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn dsnc_shows_a_row_a_line() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = start(&data);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("DSNC DISP STAT");
    terminal.expect("2-PH");
    assert_eq!(terminal.row(1).split_whitespace().next(), Some("DB2ENTRY"));
    assert_eq!(terminal.row(2).split_whitespace().next(), Some("*COMMAND"));
    assert_eq!(terminal.row(3).split_whitespace().next(), Some("*POOL"));
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

fn row3(a: &str, b: &str, c: &str) -> (String, String, String) {
    (a.to_string(), b.to_string(), c.to_string())
}

#[test]
fn extended_attributes_of_map_and_program() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = start(&data);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("SATT");
    terminal.expect("RED U");
    const HIGHLIGHT: u8 = 0x41;
    const COLOR: u8 = 0x42;
    let has = |attribute: (u8, Vec<(u8, u8)>), kind, value| attribute.1.contains(&(kind, value));
    assert!(has(terminal.attribute(1, 1), COLOR, 0xF2) && has(terminal.attribute(1, 1), HIGHLIGHT, 0xF4));
    // The program's colour and highlighting go over the map's.
    assert!(has(terminal.attribute(2, 1), COLOR, 0xF5) && has(terminal.attribute(2, 1), HIGHLIGHT, 0xF2));
    terminal.enter();
    // DATAONLY changes the colour alone.
    assert!(has(terminal.attribute(2, 1), COLOR, 0xF6) && has(terminal.attribute(2, 1), HIGHLIGHT, 0xF2));
    terminal.expect("GREEN");
    // A display of one colour gets the highlighting only.
    let mut plain = Terminal::connect_as(region.port, "3278-2", &[]);
    plain.transaction("SATT");
    plain.expect("RED U");
    assert_eq!(plain.attribute(1, 1).1, [(HIGHLIGHT, 0xF4)]);
    drop((terminal, plain));
    assert_eq!(region.stop(), 0);
}

#[test]
fn each_attention_key_reaches_the_program() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = start(&data);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("SKEY");
    terminal.expect("KEY CHECK");
    let shown = |terminal: &mut Terminal, expected: &str| {
        terminal.expect(expected);
    };
    // ENTER with one field typed and one with FSET; the cursor is behind what was typed.
    terminal.fill(3, 11, "ABC");
    terminal.enter();
    shown(&mut terminal, "AID 7D CPOSN 0173 RESP 00 L 03 05 F 02 00");
    // MDT of the map's FSET field only.
    terminal.enter();
    shown(&mut terminal, "AID 7D CPOSN 0170 RESP 00 L 00 05 F 02 00");
    // A field that was erased: length zero and X'80', and the cursor in it X'02'.
    terminal.move_to(4, 11);
    terminal.act("EraseEOF");
    terminal.pf(1);
    shown(&mut terminal, "AID F1 CPOSN 0250 RESP 00 L 00 00 F 00 82");
    terminal.pf(24);
    shown(&mut terminal, "AID 4C");
    // PA keys and CLEAR send no data: MAPFAIL, and the cursor is where it was.
    terminal.fill(3, 11, "LOST");
    terminal.pa(1);
    shown(&mut terminal, "AID 6C CPOSN 0000 RESP 36 L 00 00 F 00 00");
    terminal.pa(2);
    shown(&mut terminal, "AID 6E");
    terminal.pa(3);
    shown(&mut terminal, "AID 6B");
    terminal.clear();
    shown(&mut terminal, "AID 6D CPOSN 0000 RESP 36");
    // FRSET takes the MDT of the FSET field away: ENTER alone has nothing to map.
    terminal.pf(2);
    shown(&mut terminal, "AID F2");
    terminal.enter();
    shown(&mut terminal, "AID 7D CPOSN 0170 RESP 36 L 00 00 F 00 00");
    terminal.pf(3);
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

/// The same screens when the region's data are ASCII.
#[test]
fn an_ascii_region_talks_to_the_same_terminals() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let application = root().join("crates/regent/tests/applications/screens");
    let region = Region::start(&application, data.path(), &["--sit", "LOCALCCSID=819"]);
    let mut terminal = Terminal::connect(region.port);
    terminal.transaction("SPGB");
    terminal.expect("ITEM0001");
    assert_eq!(terminal.row(1), " LIST OF ITEM       0001");
    command(&mut terminal, "P/2");
    terminal.expect("ITEM0021");
    command(&mut terminal, "SOMETHING");
    terminal.expect("AFTER PAGES: SOMETHING");
    terminal.transaction("SKEY");
    terminal.expect("KEY CHECK");
    terminal.fill(3, 11, "ABC");
    terminal.enter();
    terminal.expect("L 03 05 F 02 00");
    terminal.pf(3);
    terminal.transaction("STXB");
    terminal.expect("TENTH LINE");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

#[test]
fn screen_sizes_of_models_and_profiles() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = start(&data);
    for (model, rows, columns) in [("3279-2-E", 24, 80), ("3279-3-E", 32, 80), ("3279-4-E", 43, 80), ("3279-5-E", 27, 132)] {
        let mut terminal = Terminal::connect_as(region.port, model, &[]);
        let alternate = format!("ALT {rows:03}X{columns:03}");
        terminal.transaction("SDEF");
        terminal.expect("PROFILE    NOW 024X080");
        terminal.expect(&alternate);
        terminal.expect("COLOR HILIGHT INQUIRED");
        assert_eq!(terminal.size(), (24, 80), "{model}");
        terminal.enter();
        terminal.expect("AFTER      NOW 024X080");
        assert_eq!(terminal.size(), (rows, columns), "{model}");
        terminal.enter();
        terminal.expect(&format!("ALTERNATE  NOW {rows:03}X{columns:03}"));
        assert_eq!(terminal.size(), (24, 80), "{model}");
        terminal.enter();
        terminal.expect("DEFAULT    NOW 024X080");
        // The transaction's profile asks for the alternate screen.
        terminal.transaction("SALT");
        terminal.expect("PROFILE");
        assert_eq!(terminal.size(), (rows, columns), "{model}");
    }
    let mut plain = Terminal::connect_as(region.port, "3278-2", &[]);
    plain.transaction("SDEF");
    plain.expect("PROFILE");
    let row = plain.row(1);
    assert!(row.contains(" HILIGHT") && !row.contains("COLOR") && !row.contains("INQUIRED"), "{row}");
    drop(plain);
    assert_eq!(region.stop(), 0);
}

/// The screens of the page about basic mapping support, on 24 by 80 and 27 by 132.
#[test]
fn the_screens_of_the_page_about_maps() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = Region::start(&root().join("crates/regent/tests/applications/maps"), data.path(), &[]);
    let show = |terminal: &mut Terminal, transaction: &str, name: &str, text: &str| {
        command(terminal, transaction);
        terminal.expect(text);
        shows(terminal, name);
    };
    let mut terminal = Terminal::connect_as(region.port, "3279-2-E", &[]);
    show(&mut terminal, "MPFO", "map_data", "LOVELACE");
    show(&mut terminal, "MPON", "map_only", "(name)");
    show(&mut terminal, "MPDO", "map_data_only", "SECOND OUTPUT");
    show(&mut terminal, "MPNX", "map_places", "THE LAST LINE");
    show(&mut terminal, "MPIM", "map_image", "AN IMAGE");
    show(&mut terminal, "MPAC", "map_page_1", "LIST OF ACCOUNTS");
    show(&mut terminal, "P/N", "map_page_2", "PAGE   2");
    show(&mut terminal, "MPTX", "text_lines", "SEND TEXT");
    show(&mut terminal, "MPTP", "text_page", "DAILY REPORT");
    let mut wide = Terminal::connect_as(region.port, "3279-5-E", &[]);
    show(&mut wide, "MPFW", "wide_map_data", "LOVELACE");
    show(&mut wide, "MPWI", "wide_map", "LINE 27");
    show(&mut wide, "MPTW", "wide_text", "SEND TEXT");
    assert_eq!(wide.size(), (27, 132));
    drop((terminal, wide));
    assert_eq!(region.stop(), 0);
    assert_eq!(agrees("docs/maps.md"), 12);
}
