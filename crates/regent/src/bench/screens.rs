//! The work of a teller of the bank: the sequence of inputs at one terminal, and the expected contents of each answer.
//!
//! One round is ten transactions: menu to an account, another account, back, menu to the list, two pages on, back, menu to
//! the transfer, a transfer (one unit of work over three records), back.

use bms::address::Addressing;
use bms::constants::{AID_ENTER, AID_PF3, AID_PF8, ORDER_SBA};
use le::code_page::CodePage;
use torture::Random;

/// Accounts of the sample; those up to `CURRENT_ACCOUNTS` are current accounts with money in them.
const ACCOUNTS: u64 = 100_000;
const CURRENT_ACCOUNTS: u64 = 40_000;
const ACCOUNT_BASE: u64 = 1_000_000_000;
const PAGE_LINES: u64 = 14;

const COLUMNS: u16 = 80;
/// Places of input fields: row and column of their first character.
const TELLER: (u16, u16) = (10, 42);
const PIN: (u16, u16) = (12, 42);
const OPTION: (u16, u16) = (15, 42);
const MENU_ACCOUNT: (u16, u16) = (17, 42);
const ACCOUNT: (u16, u16) = (4, 24);
const FROM: (u16, u16) = (5, 24);
const TO: (u16, u16) = (7, 24);
const AMOUNT: (u16, u16) = (9, 24);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Greeting,
    SignOn,
    Menu,
    Account,
    OtherAccount,
    AccountLeft,
    List,
    NextPage,
    LastPage,
    ListLeft,
    Transfer,
    TransferDone,
    TransferLeft,
}

/// A text of the screen, and an account whose number must be on it.
type Expected = (&'static str, Option<u64>);

/// One terminal and its teller.
pub struct Teller {
    number: u64,
    step: Step,
    account: u64,
    random: Random,
    /// Texts that the answer must contain: the screen, and the record.
    expected: [Vec<u8>; 2],
    page: &'static CodePage,
}

impl Teller {
    pub fn new(number: usize, page: &'static CodePage) -> Teller {
        let number = number as u64;
        let expected = [page.encode("FIRST RIVER BANK"), Vec::new()];
        Teller { number, step: Step::Greeting, account: 0, random: Random::new(number), expected, page }
    }

    pub fn is_at_menu(&self) -> bool {
        self.step == Step::Menu
    }

    /// True if the record is the screen the last input must give.
    pub fn accepts(&self, record: &[u8]) -> bool {
        self.expected.iter().all(|text| contains(record, text))
    }

    pub fn step_name(&self) -> String {
        format!("{:?}", self.step)
    }

    fn random_account(&mut self) -> u64 {
        loop {
            let account = ACCOUNT_BASE + 1 + self.random.below(ACCOUNTS - 4 * PAGE_LINES);
            // Runs of a character come as a repeat order, in which the text is not found.
            if (0..3).all(|page| !has_run(account + page * PAGE_LINES) && !has_run(account + (page + 1) * PAGE_LINES - 1)) {
                return account;
            }
        }
    }

    /// The next input.
    pub fn next(&mut self, record: &mut Vec<u8>) {
        let (step, expected) = match self.step {
            Step::Greeting => {
                input(record, AID_ENTER, (1, 5));
                record.extend(self.page.encode("BANK"));
                (Step::SignOn, ("BRANCH TELLER SIGN-ON", None))
            }
            Step::SignOn => {
                input(record, AID_ENTER, PIN);
                self.field(record, TELLER, "ADAMS");
                self.field(record, PIN, "4711");
                (Step::Menu, ("MAIN MENU", None))
            }
            Step::Menu => {
                self.account = self.random_account();
                self.choose(record, "3");
                (Step::Account, ("OVERDRAFT LIMIT", Some(self.account)))
            }
            Step::Account => {
                self.account = self.random_account();
                input(record, AID_ENTER, ACCOUNT);
                self.field(record, ACCOUNT, &self.account.to_string());
                (Step::OtherAccount, ("BAIN", Some(self.account)))
            }
            Step::OtherAccount => self.leave(record, Step::AccountLeft),
            Step::AccountLeft => {
                self.choose(record, "5");
                (Step::List, ("ALL ACCOUNTS BY NUMBER", Some(self.account + PAGE_LINES - 1)))
            }
            Step::List => self.next_page(record, Step::NextPage),
            Step::NextPage => self.next_page(record, Step::LastPage),
            Step::LastPage => self.leave(record, Step::ListLeft),
            Step::ListLeft => {
                self.choose(record, "7");
                (Step::Transfer, ("FUNDS TRANSFER", None))
            }
            Step::Transfer => {
                self.transfer(record);
                (Step::TransferDone, ("TRANSFER DONE", None))
            }
            Step::TransferDone => self.leave(record, Step::TransferLeft),
            Step::TransferLeft => {
                self.step = Step::Menu;
                return self.next(record);
            }
        };
        self.step = step;
        let (screen, account) = expected;
        self.expected = [self.page.encode(screen), account.map_or(Vec::new(), |account| self.page.encode(last_digits(account).as_str()))];
    }

    fn leave(&self, record: &mut Vec<u8>, next: Step) -> (Step, Expected) {
        input(record, AID_PF3, ACCOUNT);
        (next, ("MAIN MENU", None))
    }

    fn next_page(&mut self, record: &mut Vec<u8>, next: Step) -> (Step, Expected) {
        input(record, AID_PF8, ACCOUNT);
        self.account += PAGE_LINES;
        (next, ("ALL ACCOUNTS BY NUMBER", Some(self.account + PAGE_LINES - 1)))
    }

    fn choose(&self, record: &mut Vec<u8>, option: &str) {
        input(record, AID_ENTER, MENU_ACCOUNT);
        self.field(record, OPTION, option);
        self.field(record, MENU_ACCOUNT, &self.account.to_string());
    }

    /// A cent between two accounts that only this terminal uses.
    fn transfer(&self, record: &mut Vec<u8>) {
        let from = ACCOUNT_BASE + 1 + 2 * self.number % CURRENT_ACCOUNTS;
        input(record, AID_ENTER, AMOUNT);
        self.field(record, FROM, &from.to_string());
        self.field(record, TO, &(from + 1).to_string());
        self.field(record, AMOUNT, "0.01");
    }

    fn field(&self, record: &mut Vec<u8>, place: (u16, u16), text: &str) {
        record.push(ORDER_SBA);
        record.extend(address(place));
        record.extend(self.page.encode(text));
    }
}

/// As a comparison of every window, but a comparison only where the first byte is right.
fn contains(record: &[u8], text: &[u8]) -> bool {
    let Some(&first) = text.first() else { return true };
    let mut rest = record;
    while let Some(at) = rest.iter().position(|byte| *byte == first) {
        if rest[at..].starts_with(text) {
            return true;
        }
        rest = &rest[at + 1..];
    }
    false
}

/// The digits of an account number that differ.
fn last_digits(account: u64) -> String {
    format!("{:05}", account % ACCOUNTS)
}

fn has_run(account: u64) -> bool {
    let digits = last_digits(account);
    digits.starts_with('0') || digits.as_bytes().windows(3).any(|window| window[0] == window[1] && window[1] == window[2])
}

fn input(record: &mut Vec<u8>, aid: u8, cursor: (u16, u16)) {
    record.push(aid);
    record.extend(address(cursor));
}

fn address((row, column): (u16, u16)) -> [u8; 2] {
    Addressing::Bits12.encode((row - 1) * COLUMNS + column - 1)
}
