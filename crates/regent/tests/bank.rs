//! The bank sample, from its sources to its screens: `regent up samples/bank`, a teller at s3270, then IDCAMS.
//!
//! Expected balances and names come from the generator `BNKGEN` compiled from the same source by another compiler (GnuCOBOL).

mod support;

use support::terminal::Terminal;
use support::{Region, regent, root};

/// Extended attribute types of the 3270 data stream.
const HIGHLIGHTING: u8 = 0x41;
const FOREGROUND: u8 = 0x42;
const UNDERSCORE: u8 = 0xF4;
const GREEN: u8 = 0xF4;
const RED: u8 = 0xF2;
const BLUE: u8 = 0xF1;
/// Bits of a field attribute.
const PROTECTED: u8 = 0x20;
const NUMERIC: u8 = 0x10;
const DISPLAY_BITS: u8 = 0x0C;
const INTENSIFIED: u8 = 0x08;
const NONDISPLAY: u8 = 0x0C;

fn start() -> (Region, tempfile::TempDir) {
    let data = tempfile::tempdir().expect("a scratch directory");
    let region = Region::start(&root().join("samples/bank"), data.path(), &[]);
    (region, data)
}

fn sign_on(terminal: &mut Terminal, teller: &str, pin: &str) {
    terminal.transaction("BANK");
    terminal.expect("BRANCH TELLER SIGN-ON");
    terminal.fill(10, 42, teller);
    terminal.fill(12, 42, pin);
    terminal.enter();
    terminal.expect("MAIN MENU");
}

fn choose(terminal: &mut Terminal, option: &str, customer: &str, account: &str) {
    terminal.fill(15, 42, option);
    terminal.fill(16, 42, customer);
    terminal.fill(17, 42, account);
    terminal.enter();
}

#[test]
fn every_screen_of_the_bank() {
    let (region, data) = start();
    let mut terminal = Terminal::connect(region.port);
    terminal.expect("FIRST RIVER BANK - TYPE BANK AND PRESS ENTER");
    sign_on_screen(&mut terminal);
    menu_screen(&mut terminal);
    customer_screens(&mut terminal, region.port);
    account_screens(&mut terminal);
    browse_screens(&mut terminal);
    transfer_screens(&mut terminal);
    end_of_day(&mut terminal);
    terminal.pf(3);
    terminal.expect("SIGNED OFF. THANK YOU AND GOOD BYE.");
    drop(terminal);
    assert_eq!(region.stop(), 0);
    files_hold_what_the_screens_said(data.path());
    restart_finds_the_data(data.path());
}

/// A menu transaction: each option starts the transaction of its screen, and PF3 there comes back to the menu with the same teller.
#[test]
fn the_menu_transaction_leads_to_every_screen_and_back() {
    let (region, _data) = start();
    let mut terminal = Terminal::connect(region.port);
    sign_on(&mut terminal, "ADAMS", "4711");
    assert_eq!(terminal.cursor(), (15, 42), "the cursor stands at the option");
    for wrong in ["0", "X"] {
        choose(&mut terminal, wrong, "", "");
        terminal.expect("TYPE AN OPTION FROM 1 TO 9");
    }
    for (option, customer, account, heading) in [
        ("1", "1", "", "NUMBER OF ACCOUNTS"),
        ("2", "1", "", "NUMBER OF ACCOUNTS"),
        ("3", "", "1000000001", "OVERDRAFT LIMIT"),
        ("4", "", "1000000001", "OVERDRAFT LIMIT"),
        ("5", "", "1000000001", "ALL ACCOUNTS BY NUMBER"),
        ("6", "1", "", "ACCOUNTS OF CUSTOMER 00000001"),
        ("7", "", "", "FROM ACCOUNT"),
    ] {
        choose(&mut terminal, option, customer, account);
        terminal.expect(heading);
        assert!(!terminal.text().iter().any(|line| line.contains("MAIN MENU")), "option {option} left the menu");
        terminal.pf(3);
        terminal.expect("MAIN MENU");
        assert_eq!(terminal.at(2, 12, 10), "ROSE ADAMS", "the menu still knows the teller after option {option}");
    }
    terminal.pf(3);
    terminal.expect("SIGNED OFF. THANK YOU AND GOOD BYE.");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}

fn sign_on_screen(terminal: &mut Terminal) {
    terminal.transaction("BANK");
    terminal.expect("BRANCH TELLER SIGN-ON");
    assert_eq!(terminal.at(1, 2, 4), "BANK");
    assert_eq!(terminal.cursor(), (10, 42));
    let (basic, extended) = terminal.attribute(10, 41);
    assert_eq!(basic & (PROTECTED | NUMERIC | DISPLAY_BITS), 0, "the teller ID is an open field");
    assert!(extended.contains(&(FOREGROUND, GREEN)) && extended.contains(&(HIGHLIGHTING, UNDERSCORE)), "{extended:?}");
    let (basic, _) = terminal.attribute(12, 41);
    assert_eq!(basic & DISPLAY_BITS, NONDISPLAY, "the PIN is not shown");
    assert_eq!(basic & (PROTECTED | NUMERIC), NUMERIC);
    let (basic, extended) = terminal.attribute(24, 1);
    assert_eq!(basic & (PROTECTED | NUMERIC), PROTECTED | NUMERIC, "text is autoskip");
    assert!(extended.contains(&(FOREGROUND, BLUE)));
    terminal.fill(10, 42, "NOBODY");
    terminal.enter();
    terminal.expect("TELLER ID IS NOT KNOWN");
    assert!(terminal.attribute(10, 41).1.contains(&(FOREGROUND, RED)), "the wrong field turns red");
    assert_eq!(terminal.attribute(23, 1).0 & DISPLAY_BITS, INTENSIFIED);
    terminal.fill(10, 42, "ADAMS");
    terminal.fill(12, 42, "1234");
    terminal.enter();
    terminal.expect("PIN IS WRONG");
    assert_eq!(terminal.cursor(), (12, 42));
    terminal.pf(5);
    terminal.expect("THAT KEY HAS NO FUNCTION HERE");
    terminal.fill(10, 42, "ADAMS");
    terminal.fill(12, 42, "4711");
    terminal.enter();
    terminal.expect("MAIN MENU");
    assert_eq!(terminal.at(2, 12, 10), "ROSE ADAMS");
}

fn menu_screen(terminal: &mut Terminal) {
    assert_eq!(terminal.cursor(), (15, 42));
    terminal.enter();
    terminal.expect("TYPE AN OPTION FROM 1 TO 9");
    assert!(terminal.attribute(15, 41).1.contains(&(FOREGROUND, RED)));
    terminal.pf(12);
    terminal.expect("THAT KEY HAS NO FUNCTION HERE");
}

fn customer_screens(terminal: &mut Terminal, port: u16) {
    choose(terminal, "1", "1", "");
    terminal.expect("NUMBER OF ACCOUNTS");
    assert_eq!(terminal.at(6, 24, 20).trim_end(), "MARY");
    assert_eq!(terminal.at(7, 24, 25).trim_end(), "ANDERSON");
    assert_eq!(terminal.at(8, 24, 30).trim_end(), "8179 RIVER ROAD");
    assert_eq!(terminal.at(9, 24, 25).trim_end(), "BRISTOL");
    assert_eq!(terminal.at(16, 24, 4), "   3");
    terminal.fill(4, 24, "2");
    terminal.enter();
    terminal.expect("1207 RIVER ROAD");
    terminal.fill(4, 24, "99999999");
    terminal.enter();
    terminal.expect("CUSTOMER NOT FOUND");
    terminal.pf(3);
    terminal.expect("MAIN MENU");

    // Two tellers change the same customer: the second one's before-image is no longer true.
    let mut other = Terminal::connect(port);
    sign_on(&mut other, "BAKER", "2468");
    choose(terminal, "2", "5", "");
    choose(&mut other, "2", "5", "");
    terminal.expect("NUMBER OF ACCOUNTS");
    other.expect("NUMBER OF ACCOUNTS");
    terminal.fill(9, 24, "NEWTOWN");
    terminal.pf(5);
    terminal.expect("CUSTOMER UPDATED");
    assert_eq!(terminal.at(17, 45, 5), "ADAMS");
    other.fill(9, 24, "OLDTOWN");
    other.pf(5);
    other.expect("CHANGED BY ANOTHER TELLER. READ IT AGAIN");
    other.enter();
    other.expect("NEWTOWN");
    other.fill(13, 24, "X");
    other.pf(5);
    other.expect("STATUS MUST BE A OR C");
    assert_eq!(other.cursor(), (13, 24));

    // Add, find in use, delete.
    terminal.clear();
    terminal.fill(4, 24, "50001");
    terminal.fill(6, 24, "GRACE");
    terminal.fill(7, 24, "HOPPER");
    terminal.pf(6);
    terminal.expect("CUSTOMER ADDED");
    terminal.fill(4, 24, "1");
    terminal.pf(6);
    terminal.expect("CUSTOMER NUMBER IS IN USE");
    terminal.fill(4, 24, "50001");
    terminal.enter();
    terminal.expect("HOPPER");
    terminal.pf(9);
    terminal.expect("CUSTOMER DELETED");
    terminal.fill(4, 24, "50001");
    terminal.enter();
    terminal.expect("CUSTOMER NOT FOUND");
    terminal.pf(3);
    terminal.expect("MAIN MENU");
}

fn account_screens(terminal: &mut Terminal) {
    choose(terminal, "3", "", "1000000001");
    terminal.expect("OVERDRAFT LIMIT");
    assert_eq!(terminal.at(9, 24, 17), "        44,753.41");
    assert_eq!(terminal.at(10, 24, 17), "        45,253.41");
    assert_eq!(terminal.at(6, 34, 13), "MARY ANDERSON");
    assert_eq!(terminal.at(7, 24, 3), "CHK");
    terminal.pf(5);
    terminal.expect("READ THE ACCOUNT IN UPDATE MODE FIRST");
    terminal.pf(3);
    terminal.expect("MAIN MENU");
    choose(terminal, "4", "", "1000000002");
    terminal.expect("OVERDRAFT LIMIT");
    terminal.fill(11, 24, "750.5");
    terminal.fill(12, 24, "2.125");
    terminal.pf(5);
    terminal.expect("ACCOUNT UPDATED");
    assert_eq!(terminal.at(11, 24, 12), "      750.50");
    assert_eq!(terminal.at(12, 24, 7), "  2.125");
    terminal.fill(11, 24, "7-5");
    terminal.pf(5);
    terminal.expect("THAT IS NOT A NUMBER");
    terminal.clear();
    terminal.fill(4, 24, "2000000001");
    terminal.fill(6, 24, "3");
    terminal.fill(7, 24, "SAV");
    terminal.pf(6);
    terminal.expect("ACCOUNT ADDED");
    terminal.pf(9);
    terminal.expect("ACCOUNT DELETED");
    terminal.pf(3);
    terminal.expect("MAIN MENU");
}

fn browse_screens(terminal: &mut Terminal) {
    choose(terminal, "5", "", "1000000001");
    terminal.expect("ALL ACCOUNTS BY NUMBER");
    assert_eq!(terminal.at(7, 3, 10), "1000000001");
    assert_eq!(terminal.at(20, 3, 10), "1000000014");
    terminal.pf(8);
    terminal.expect("1000000028");
    assert_eq!(terminal.at(7, 3, 10), "1000000015");
    terminal.pf(8);
    terminal.expect("1000000042");
    terminal.pf(7);
    terminal.expect("1000000015");
    assert_eq!(terminal.at(20, 3, 10), "1000000028");
    terminal.pf(7);
    terminal.expect("1000000001");
    terminal.pf(7);
    terminal.expect("TOP OF LIST");
    terminal.fill(4, 17, "1000099995");
    terminal.enter();
    terminal.expect("END OF LIST");
    assert_eq!(terminal.at(12, 3, 10), "1000100000");
    assert_eq!(terminal.at(13, 3, 10).trim(), "");
    assert!(terminal.attribute(12, 2).1.contains(&(FOREGROUND, RED)), "a loan is a negative balance, shown in red");
    terminal.pf(3);
    terminal.expect("MAIN MENU");
    choose(terminal, "6", "1", "");
    terminal.expect("ACCOUNTS OF CUSTOMER 00000001");
    let accounts: Vec<String> = (7..11).map(|row| terminal.at(row, 3, 10)).collect();
    assert_eq!(accounts, ["1000000001", "1000040001", "1000080001", "          "]);
    terminal.pf(3);
    terminal.expect("MAIN MENU");
}

fn transfer(terminal: &mut Terminal, from: &str, to: &str, amount: &str) {
    terminal.fill(5, 24, from);
    terminal.fill(7, 24, to);
    terminal.fill(9, 24, amount);
    terminal.fill(11, 24, "RENT");
    terminal.enter();
}

fn transfer_screens(terminal: &mut Terminal) {
    choose(terminal, "7", "", "");
    terminal.expect("FUNDS TRANSFER");
    transfer(terminal, "1000000001", "1000000001", "1");
    terminal.expect("THE TWO ACCOUNTS ARE THE SAME");
    transfer(terminal, "1000000001", "1999999999", "1");
    terminal.expect("ACCOUNT NOT FOUND");
    transfer(terminal, "1000000001", "1000000003", "99999999");
    terminal.expect("NOT ENOUGH MONEY IN THE ACCOUNT");
    transfer(terminal, "1000000001", "1000000003", "753.41");
    terminal.expect("TRANSFER DONE");
    assert_eq!(terminal.at(5, 37, 17), "        44,000.00");
    terminal.pf(3);
    terminal.expect("MAIN MENU");
    choose(terminal, "3", "", "1000000001");
    terminal.expect("44,000.00");
    terminal.pf(3);
    terminal.expect("MAIN MENU");
}

fn end_of_day(terminal: &mut Terminal) {
    choose(terminal, "8", "", "");
    terminal.expect("END-OF-DAY LISTING STARTED");
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    let listing = loop {
        let listing = read_listing(terminal);
        if listing.contains("TRANSFERS   ") {
            break listing;
        }
        assert!(std::time::Instant::now() < deadline, "the listing is not finished:\n{listing}");
        std::thread::sleep(std::time::Duration::from_millis(200));
    };
    assert!(listing.contains("FIRST RIVER BANK  END-OF-DAY LISTING"), "{listing}");
    // The sum over the generated file, worked out by hand from the file that the other compiler made.
    assert!(listing.contains("ALL ACCOUNTS     100,000       1,500,886,104.16"), "{listing}");
    assert!(listing.contains("TRANSFERS              1                 753.41"), "{listing}");
}

/// All pages of the listing as far as it has been written; ends on the menu.
fn read_listing(terminal: &mut Terminal) -> String {
    let mut listing = String::new();
    choose(terminal, "9", "", "");
    for _ in 0..50 {
        let screen = terminal.text().join("\n");
        listing.push_str(&screen);
        if screen.contains("END OF LISTING") || screen.contains("MAIN MENU") {
            break;
        }
        terminal.pf(8);
    }
    if !listing.contains("MAIN MENU") {
        terminal.pf(3);
    }
    terminal.expect("MAIN MENU");
    listing
}

fn idcams(data: &std::path::Path, statements: &str) -> (String, i32) {
    let file = data.join("statements.txt");
    std::fs::write(&file, statements).unwrap();
    let output = regent().arg("idcams").arg(&file).arg("--data").arg(data.join("data")).output().expect("regent runs");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code().unwrap_or(-1))
}

fn files_hold_what_the_screens_said(data: &std::path::Path) {
    let (listing, code) = idcams(data, " PRINT INDATASET(BANK.PROD.JOURNAL) CHARACTER\n");
    assert_eq!(code, 0, "{listing}");
    assert_eq!(listing.matches("RENT").count(), 1, "{listing}");
    assert!(listing.contains("10000000011000000003"), "{listing}");
    let (listing, _) = idcams(data, " PRINT IDS(BANK.PROD.CUSTOMER) CHAR FROMKEY(00000005) COUNT(1)\n");
    assert!(listing.contains("NEWTOWN"), "{listing}");
    let (listing, _) = idcams(data, " PRINT IDS(BANK.PROD.ACCOUNT) HEX FROMKEY(1000000001) COUNT(1)\n");
    // The balance is 0000044000.00 as S9(11)V99 COMP-3.
    assert!(listing.replace(' ', "").contains("0000004400000C"), "{listing}");
}

fn restart_finds_the_data(data: &std::path::Path) {
    let region = Region::start(&root().join("samples/bank"), data, &[]);
    let second = Region::try_start(&root().join("samples/bank"), data, &[]);
    let output = second.err().expect("a second start on live data is refused").join("\n");
    assert!(output.contains("in use"), "{output}");
    let mut terminal = Terminal::connect(region.port);
    sign_on(&mut terminal, "ADAMS", "4711");
    choose(&mut terminal, "3", "", "1000000001");
    terminal.expect("44,000.00");
    drop(terminal);
    assert_eq!(region.stop(), 0);
}
