//! A good morning transaction defined by the application.

mod support;

use support::Region;
use support::terminal::Terminal;

#[test]
fn the_keyboard_is_unlocked_after_a_greeting_that_locks_it() {
    let data = tempfile::tempdir().unwrap();
    let application = support::root().join("crates/regent/tests/applications/greeting");
    let region = Region::start(&application, data.path(), &[]);
    let mut terminal = Terminal::connect(region.port);
    terminal.expect("OWN GREETING");
    // The write left the keyboard locked, but the transaction is over: the next one can be typed.
    terminal.unlocked();
    terminal.transaction("CEMT I TASK");
    terminal.expect("RESPONSE");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}
