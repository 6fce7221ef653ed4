//! The time of the operations that compiled programs use most, in thread CPU nanoseconds, best of several runs. Each row is one loop body
//! of a COBOL benchmark program run by calls to this crate alone (no compiled code); the last column is the same statements in GnuCOBOL's
//! run time (3.1.2 and 3.3-dev, the faster one) measured on the reference machine.
//!
//! `cargo bench -p le`

use std::hint::black_box;

use le::inspect::{InspectKind, InspectPhrase, inspect_replace, inspect_tally};
use le::movement::{Figurative, move_field, move_figurative};
use le::numeric::{Operation, apply, apply_giving, load, store};
use le::string::{StringSource, string};
use le::unstring::{Delimiter, UnstringTarget, unstring};
use le::{Attributes, Decimal, Rounding, Session, Shape, Sign, decimal, edit};

fn cpu_nanoseconds() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the structure is writable.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

fn measure(name: &str, peer: f64, mut body: impl FnMut()) {
    const ROUNDS: u64 = 200_000;
    let mut best = f64::MAX;
    for _ in 0..9 {
        let start = cpu_nanoseconds();
        for _ in 0..ROUNDS {
            body();
        }
        best = best.min((cpu_nanoseconds() - start) as f64 / ROUNDS as f64);
    }
    println!("{name:<44} {best:8.1} ns   peer {peer:7.1} ns   {:5.1}x", peer / best);
}

struct Item {
    area: Vec<u8>,
    attributes: Attributes,
}

impl Item {
    fn new(attributes: Attributes) -> Item {
        Item { area: vec![0; attributes.length as usize], attributes }
    }

    fn number(attributes: Attributes, coefficient: i128, scale: i32, session: &Session) -> Item {
        let mut item = Item::new(attributes);
        let value = Decimal::new(coefficient, scale);
        // SAFETY: the area has the length of its attributes.
        unsafe { store(&value, item.area.as_mut_ptr(), &item.attributes, Rounding::Truncation, false, session) };
        item
    }

    fn text(length: u32, text: &str, session: &Session) -> Item {
        let mut item = Item::new(Attributes::alphanumeric(length));
        let bytes = session.code_page.encode(text);
        item.area.fill(session.code_page.space);
        item.area[..bytes.len()].copy_from_slice(&bytes);
        item
    }

    fn address(&mut self) -> *mut u8 {
        black_box(self.area.as_mut_ptr())
    }
}

fn arithmetic(session: &Session) {
    let mut one = Item::number(Attributes::packed(1, 0, true), 1, 0, session);
    let mut half = Item::number(Attributes::packed(3, 2, true), 50, 2, session);
    let mut counter = Item::number(Attributes::packed(9, 0, true), 0, 0, session);
    let mut price = Item::number(Attributes::packed(7, 2, true), 1234, 2, session);
    let mut quantity = Item::number(Attributes::packed(5, 0, true), 7, 0, session);
    let mut amount = Item::number(Attributes::packed(11, 2, true), 0, 2, session);
    let mut total = Item::number(Attributes::packed(15, 2, true), 0, 2, session);
    let truncation = Rounding::Truncation;
    // SAFETY: every area has the length of its attributes.
    let step = |operation, source: &mut Item, target: &mut Item| unsafe {
        let target_address = target.address();
        let _ = black_box(apply(
            operation,
            source.address(),
            &source.attributes,
            target_address,
            &target.attributes,
            truncation,
            false,
            session,
        ));
    };
    measure("ADD 1 TO packed 9", 187.0 / 4.0, || step(Operation::Add, &mut one, &mut counter));
    measure("4 packed statements (b01pack)", 187.0, || {
        step(Operation::Add, &mut one, &mut counter);
        // SAFETY: as above.
        unsafe {
            let _ = black_box(apply_giving(
                Operation::Multiply,
                price.address(),
                &price.attributes,
                quantity.address(),
                &quantity.attributes,
                amount.address(),
                &amount.attributes,
                truncation,
                false,
                session,
            ));
        }
        step(Operation::Add, &mut amount, &mut total);
        step(Operation::Subtract, &mut half, &mut total);
    });
    let mut zoned = Item::number(Attributes::zoned(9, 2, Sign::Trailing), 12345, 2, session);
    let mut zoned_total = Item::number(Attributes::zoned(15, 2, Sign::Trailing), 0, 2, session);
    measure("ADD zoned 9 TO zoned 15", 433.0 / 4.0, || step(Operation::Add, &mut zoned, &mut zoned_total));
}

fn interest(session: &Session) {
    let mut balance = Item::number(Attributes::packed(13, 2, true), 1_000_000, 2, session);
    let mut rate = Item::number(Attributes::packed(7, 4, true), 42500, 4, session);
    let mut days = Item::number(Attributes::binary(4, 0, true), 30, 0, session);
    let mut interest = Item::number(Attributes::packed(11, 2, true), 0, 2, session);
    let mut fee = Item::number(Attributes::zoned(7, 2, Sign::Trailing), 125, 2, session);
    let year = Decimal::integer(36500);
    measure("2 COMPUTE of interest (b10int)", 359.0, || {
        // SAFETY: every area has the length of its attributes.
        unsafe {
            let b = load(balance.address(), &balance.attributes, session).unwrap();
            let r = load(rate.address(), &rate.attributes, session).unwrap();
            let d = load(days.address(), &days.attributes, session).unwrap();
            let product = decimal::multiply(&b, &r, Shape::new(14, 6));
            let product = decimal::multiply(&product, &d, Shape::new(18, 6));
            let value = decimal::divide(&product, &year, Shape::new(18, 6)).unwrap();
            store(&value, interest.address(), &interest.attributes, Rounding::NearestAwayFromZero, true, session);
            let i = load(interest.address(), &interest.attributes, session).unwrap();
            let f = load(fee.address(), &fee.attributes, session).unwrap();
            let sum = decimal::subtract(&decimal::add(&b, &i, Shape::new(12, 2)), &f, Shape::new(13, 2));
            black_box(sum);
            store(&b, balance.address(), &balance.attributes, Rounding::Truncation, true, session);
        }
    });
}

fn editing(session: &mut Session) {
    let options = edit::PictureOptions { decimal_comma: false, currencies: &[], code_page: session.code_page };
    let mut pool = Vec::new();
    let mut targets: Vec<Item> = ["ZZZ,ZZZ,ZZ9.99-", "$$$,$$$,$$9.99CR", "***,***,**9"]
        .iter()
        .map(|text| {
            let picture = edit::compile(text, &options).unwrap();
            let mut attributes = Attributes::new(picture.category, picture.characters);
            (attributes.digits, attributes.scale, attributes.edit) = (picture.digits, picture.scale, pool.len() as u32);
            pool.extend(&picture.program);
            Item::new(attributes)
        })
        .collect();
    session.edit_programs = pool.as_ptr();
    let session = &*session;
    let mut sources = [
        Item::number(Attributes::packed(11, 2, true), 123456789, 2, session),
        Item::number(Attributes::zoned(11, 2, Sign::Trailing), -9876543, 2, session),
        Item::number(Attributes::binary(9, 0, true), 123456, 0, session),
    ];
    measure("3 edited MOVEs (b03edit)", 298.0, || {
        for (source, target) in sources.iter_mut().zip(&mut targets) {
            // SAFETY: every area has the length of its attributes.
            unsafe {
                let _ = move_field(source.address(), &source.attributes, target.address(), &target.attributes, session);
            }
        }
    });
}

fn moves(session: &Session) {
    let mut a80 = Item::text(80, "HELLO WORLD", session);
    let mut b80 = Item::text(80, "", session);
    let mut c20 = Item::text(20, "SHORT", session);
    let mut d80 = Item::text(80, "", session);
    let mut p7 = Item::number(Attributes::packed(9, 2, true), 1234567, 2, session);
    let mut z7 = Item::number(Attributes::zoned(9, 2, Sign::Trailing), 0, 2, session);
    let mut b9 = Item::number(Attributes::binary(9, 0, true), 31415, 0, session);
    let mut z9 = Item::number(Attributes::zoned(9, 0, Sign::Unsigned), 0, 0, session);
    let mut p9 = Item::number(Attributes::packed(9, 0, true), 0, 0, session);
    let mut b4 = Item::number(Attributes::binary(4, 0, true), 0, 0, session);
    // SAFETY: every area has the length of its attributes.
    let step = |source: &mut Item, target: &mut Item| unsafe {
        let to = target.address();
        let _ = move_field(source.address(), &source.attributes, to, &target.attributes, session);
    };
    measure("MOVE X(80) TO X(80)", 10.0, || step(&mut a80, &mut b80));
    measure("MOVE packed 9 TO zoned 9", 30.0, || step(&mut p7, &mut z7));
    measure("6 MOVEs (b08move)", 148.0, || {
        step(&mut a80, &mut b80);
        step(&mut c20, &mut d80);
        step(&mut p7, &mut z7);
        step(&mut b9, &mut z9);
        step(&mut z9, &mut p9);
        step(&mut p9, &mut b4);
    });
}

fn phrase(comparand: &u8, replacement: &u8) -> InspectPhrase {
    InspectPhrase {
        kind: InspectKind::All,
        counter: 0,
        comparand,
        replacement,
        before: std::ptr::null(),
        after: std::ptr::null(),
        comparand_length: 1,
        replacement_length: 1,
        before_length: 0,
        after_length: 0,
        work: [0; 4],
    }
}

fn strings(session: &Session) {
    let page = session.code_page;
    let mut last = Item::text(20, "GONZALEZ", session);
    let mut first = Item::text(20, "MARIA", session);
    let mut full = Item::text(60, "", session);
    let mut list = Item::text(60, "ALPHA,BETA,GAMMA,DELTA", session);
    let mut words: Vec<Item> = (0..4).map(|_| Item::text(10, "", session)).collect();
    let separator = page.encode(", ");
    let letters = page.encode("AZS");
    let ten = Attributes::alphanumeric(10);
    let none = std::ptr::null();
    measure("STRING, UNSTRING, 2 INSPECT, 3 MOVE (b05str)", 836.0, || {
        // SAFETY: every area has the length of its attributes.
        unsafe {
            move_figurative(Figurative::Space, full.address(), &full.attributes, session);
            let sources = [
                StringSource { address: last.address(), length: 20, delimiter: &page.space, delimiter_length: 1 },
                StringSource { address: separator.as_ptr(), length: 2, delimiter: none, delimiter_length: 0 },
                StringSource { address: first.address(), length: 20, delimiter: &page.space, delimiter_length: 1 },
            ];
            let mut pointer = 1;
            string(&sources, full.address(), &full.attributes, &mut pointer, session);
            let delimiters = [Delimiter { address: &page.comma, length: 1, all: 0 }, Delimiter { address: &page.space, length: 1, all: 0 }];
            let null = std::ptr::null_mut();
            let into: [UnstringTarget; 4] = std::array::from_fn(|index| UnstringTarget {
                address: words[index].area.as_mut_ptr(),
                attributes: &ten,
                delimiter_address: null,
                delimiter_attributes: std::ptr::null(),
                count_address: null,
                count_attributes: std::ptr::null(),
            });
            let (mut position, mut tally) = (1, 0);
            let _ = unstring(list.address(), &list.attributes, &delimiters, &into, &mut position, &mut tally, session);
            let mut counters = [0];
            inspect_tally(full.address(), &full.attributes, &mut [phrase(&letters[0], &0)], &mut counters, session);
            black_box(counters);
            let mut replace = [phrase(&letters[1], &letters[2])];
            inspect_replace(full.address(), &full.attributes, &mut replace, session);
            let part = full.address().add(2);
            let _ = move_field(part, &Attributes::alphanumeric(5), words[0].address(), &ten, session);
        }
    });
}

fn main() {
    let mut session = Session::ebcdic();
    arithmetic(&session);
    interest(&session);
    editing(&mut session);
    moves(&session);
    strings(&session);
}
