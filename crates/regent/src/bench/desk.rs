//! The work at one terminal of the relational workload: the inputs of its transaction, and what each answer must contain.

use bms::address::Addressing;
use bms::constants::{AID_ENTER, ORDER_SBA};
use le::code_page::CodePage;
use torture::Random;

/// Transactions of the workload, RT01 to RT07.
const TRANSACTIONS: usize = 7;
const COLUMNS: u16 = 80;
/// Places of input fields: row and column of their first character.
const TRANSACTION: (u16, u16) = (1, 1);
const CUSTOMER: (u16, u16) = (4, 21);
const ITEM: (u16, u16) = (5, 21);
const ORDER: (u16, u16) = (6, 21);
const TABLES: (u16, u16) = (7, 21);
/// Customers and items for each unit of the scale, and orders that have a payment.
const CUSTOMERS: u64 = 1000;
const ORDERS: u64 = 2000;
/// Keys that a transaction reads beyond the one it is given.
const MARGIN: u64 = 40;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Greeting,
    FirstScreen,
    Work,
}

pub struct Desk {
    transaction: String,
    scale: u64,
    tables: u8,
    step: Step,
    random: Random,
    expected: Vec<u8>,
    page: &'static CodePage,
}

impl Desk {
    pub fn new(number: usize, scale: u64, tables: u8, page: &'static CodePage) -> Desk {
        let transaction = format!("RT0{}", number % TRANSACTIONS + 1);
        let expected = page.encode("RELATIONAL WORKLOAD");
        Desk { transaction, scale, tables, step: Step::Greeting, random: Random::new(number as u64), expected, page }
    }

    /// True if the record is the screen that the last input must give.
    pub fn accepts(&self, record: &[u8]) -> bool {
        record.windows(self.expected.len()).any(|window| window == self.expected)
    }

    pub fn describe(&self, record: &[u8]) -> String {
        let text: String = self.page.decode(record).chars().filter(|c| !c.is_control()).collect();
        format!("{}: {text}", self.transaction)
    }

    /// The next input.
    pub fn next(&mut self, record: &mut Vec<u8>) {
        record.push(AID_ENTER);
        match self.step {
            Step::Greeting => {
                record.extend(address((TRANSACTION.0, TRANSACTION.1 + 4)));
                record.extend(self.page.encode(&self.transaction));
                self.step = Step::FirstScreen;
            }
            Step::FirstScreen | Step::Work => {
                record.extend(address(CUSTOMER));
                let customer = 1 + self.random.below(CUSTOMERS * self.scale - MARGIN);
                let item = 1 + self.random.below(CUSTOMERS * self.scale - MARGIN);
                let order = 1 + self.random.below(ORDERS * self.scale - MARGIN);
                for (place, number) in [(CUSTOMER, customer), (ITEM, item), (ORDER, order)] {
                    self.field(record, place, &format!("{number:09}"));
                }
                let tables = self.tables.to_string();
                self.field(record, TABLES, &tables);
                self.expected = self.page.encode("DONE");
                self.step = Step::Work;
            }
        }
    }

    fn field(&self, record: &mut Vec<u8>, place: (u16, u16), text: &str) {
        record.push(ORDER_SBA);
        record.extend(address(place));
        record.extend(self.page.encode(text));
    }
}

fn address((row, column): (u16, u16)) -> [u8; 2] {
    Addressing::Bits12.encode((row - 1) * COLUMNS + column - 1)
}
