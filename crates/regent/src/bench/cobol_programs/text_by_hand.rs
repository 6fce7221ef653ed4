//! The programs that move, search, sort and edit, written by hand.

use std::hint::black_box;
use std::io::Write;

use super::arithmetic_by_hand::{cents, whole};

/// Digits in groups of three.
fn grouped(mut value: u64, separator: u8, out: &mut [u8]) -> usize {
    let mut at = out.len();
    let mut count = 0;
    loop {
        if count > 0 && count % 3 == 0 {
            at -= 1;
            out[at] = separator;
        }
        at -= 1;
        out[at] = b'0' + (value % 10) as u8;
        value /= 10;
        count += 1;
        if value == 0 {
            return at;
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn edit_cents(value: i64, out: &mut [u8], fill: u8, currency: bool) {
    let cents = value.unsigned_abs() % 100;
    out.fill(fill);
    let point = out.len() - 3;
    out[point] = b'.';
    out[point + 1] = b'0' + (cents / 10) as u8;
    out[point + 2] = b'0' + (cents % 10) as u8;
    let at = grouped(value.unsigned_abs() / 100, b',', &mut out[..point]);
    if currency {
        out[at - 1] = b'$';
    }
}

pub fn editing() -> Vec<String> {
    let (mut first, mut second, mut third) = ([b' '; 15], [b' '; 16], [b'*'; 11]);
    for _ in 0..5_000_000 {
        let amount = black_box(123_456_789i64);
        edit_cents(amount, &mut first[..14], b' ', false);
        first[14] = if amount < 0 { b'-' } else { b' ' };
        let amount = black_box(-9_876_543i64);
        edit_cents(amount, &mut second[..14], b' ', true);
        second[14..].copy_from_slice(if amount < 0 { b"CR" } else { b"  " });
        third.fill(b'*');
        grouped(black_box(123_456), b',', &mut third);
        black_box((&first, &second, &third));
    }
    vec![format!("{} {} {}", text(&first), text(&second), text(&third))]
}

pub fn search() -> Vec<String> {
    let key = |value: u32| -> [u8; 8] {
        let mut key = [0; 8];
        let _ = write!(&mut key[..], "{value:08}");
        key
    };
    let small: Vec<([u8; 8], i32)> = (1..=100).map(|value| (key(value), value as i32)).collect();
    let big: Vec<([u8; 8], i32)> = (1..=1000).map(|value| (key(value * 3), value as i32)).collect();
    let mut hits = 0;
    for _ in 0..200_000 {
        let wanted = black_box(*b"00000050");
        hits += i64::from(small.iter().any(|entry| entry.0 == wanted));
    }
    let mut number = 0u32;
    for _ in 0..2_000_000 {
        number += 7;
        if number > 3000 {
            number -= 3000;
        }
        let wanted = digits8(number);
        hits += i64::from(big.binary_search_by(|entry| entry.0.cmp(&wanted)).is_ok());
    }
    vec![whole("HITS", hits)]
}

fn digits8(mut value: u32) -> [u8; 8] {
    let mut digits = [b'0'; 8];
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + (value % 10) as u8;
        value /= 10;
    }
    digits
}

pub fn strings() -> Vec<String> {
    let padded = |value: &str, length: usize| -> Vec<u8> { value.bytes().chain(std::iter::repeat(b' ')).take(length).collect() };
    let (first, last) = (padded("MARIA", 20), padded("GONZALEZ", 20));
    let list = padded("ALPHA,BETA,GAMMA,DELTA", 60);
    let mut full = [b' '; 60];
    let mut parts = [[b' '; 10]; 4];
    let mut total = 0usize;
    for _ in 0..2_000_000 {
        full.fill(b' ');
        let mut at = 0;
        let until_space = |word: &[u8]| word.iter().position(|byte| *byte == b' ').unwrap_or(word.len());
        for (word, length) in [(&last[..], until_space(black_box(&last))), (b", ", 2), (&first[..], until_space(&first))] {
            full[at..at + length].copy_from_slice(&word[..length]);
            at += length;
        }
        let mut words = black_box(&list).split(|byte| *byte == b',' || *byte == b' ');
        for part in &mut parts {
            let word = words.next().unwrap_or_default();
            part.fill(b' ');
            let length = word.len().min(10);
            part[..length].copy_from_slice(&word[..length]);
        }
        total += full.iter().filter(|byte| **byte == b'A').count();
        full.iter_mut().filter(|byte| **byte == b'Z').for_each(|byte| *byte = b'S');
        parts[0].fill(b' ');
        parts[0][..5].copy_from_slice(&full[2..7]);
        black_box((&full, &parts));
    }
    let joined: String = parts.iter().map(|part| text(part)).collect();
    vec![format!("{} {joined}", text(&full)), whole("TOT", total as i64)]
}

pub fn moves() -> Vec<String> {
    let mut long = [b' '; 80];
    long[..11].copy_from_slice(b"HELLO WORLD");
    let mut short = [b' '; 20];
    short[..5].copy_from_slice(b"SHORT");
    let (mut copy, mut wide) = ([0u8; 80], [0u8; 80]);
    let (mut zoned, mut nine, mut packed, mut binary) = ([b'0'; 9], [b'0'; 9], 0i64, 0i32);
    let digits9 = |mut value: u64| {
        let mut digits = [b'0'; 9];
        for digit in digits.iter_mut().rev() {
            *digit = b'0' + (value % 10) as u8;
            value /= 10;
        }
        digits
    };
    let value_of = |digits: &[u8; 9]| digits.iter().fold(0i64, |value, digit| value * 10 + i64::from(digit - b'0'));
    for _ in 0..10_000_000 {
        copy = *black_box(&long);
        wide.fill(b' ');
        wide[..20].copy_from_slice(black_box(&short));
        zoned = digits9(black_box(1_234_567));
        nine = digits9(black_box(31_415));
        packed = value_of(black_box(&nine));
        binary = (packed % 100_000) as i32;
        black_box((&copy, &wide, &zoned));
    }
    vec![
        format!("{}{}{}", text(&copy[..12]), text(&wide[..10]), text(&nine)),
        cents("Z7", value_of(&zoned)),
        whole("P9", packed),
        whole("B4", binary.into()),
    ]
}

#[derive(Clone, Copy)]
struct Record {
    key: [u8; 8],
    name: [u8; 30],
    balance: i64,
    text: [u8; 100],
}

pub fn groups() -> Vec<String> {
    let mut name = [b' '; 30];
    name[..15].copy_from_slice(b"GONZALEZ, MARIA");
    let mut words = [b' '; 100];
    words[..9].copy_from_slice(b"SOME TEXT");
    let first = Record { key: *b"12345678", name, balance: 500_000, text: words };
    let empty = Record { key: *b"00000000", name: [b' '; 30], balance: 0, text: [b' '; 100] };
    let mut second;
    let mut table = vec![empty; 50];
    let mut wide = [b' '; 400];
    let (mut at, mut count) = (0, 0i64);
    for _ in 0..3_000_000 {
        second = *black_box(&first);
        table[at] = second;
        wide.fill(b' ');
        wide[..8].copy_from_slice(&table[at].key);
        wide[8..38].copy_from_slice(&table[at].name);
        wide[38..138].copy_from_slice(&table[at].text);
        second = black_box(empty);
        second.key = first.key;
        second.name = first.name;
        second.balance = first.balance;
        black_box((&second, &wide));
        count += i64::from(table[at].name == first.name);
        at = (at + 1) % 50;
    }
    vec![format!("{} {}", whole("CHK", count), text(&wide[..38]))]
}

/// The generator of the sort programs.
fn next_seed(seed: i64) -> i64 {
    (seed * 8121 + 28_411) % 134_456
}

pub fn sorts() -> Vec<String> {
    let (mut seed, mut count, mut hash) = (12_345i64, 0i64, 0i64);
    for _ in 0..4 {
        let mut records: Vec<([u8; 8], i64, [u8; 40])> = Vec::with_capacity(50_000);
        for number in 1..=50_000 {
            seed = next_seed(seed);
            records.push((digits8(seed as u32), number * 100, [b' '; 40]));
        }
        records.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.cmp(&a.1)));
        for record in &records {
            count += 1;
            let key = record.0.iter().fold(0i64, |value, digit| value * 10 + i64::from(digit - b'0'));
            hash += key - record.1 / 100;
            if !(-100_000_000..=100_000_000).contains(&hash) {
                hash = 0;
            }
        }
    }
    vec![whole("CHK", count), whole("HASH", hash)]
}

pub fn table_sort() -> Vec<String> {
    let (mut seed, mut check) = (12_345i64, 0i64);
    let mut table: Vec<([u8; 8], i32, [u8; 8])> = vec![([b'0'; 8], 0, [b'0'; 8]); 5000];
    for _ in 0..20 {
        for entry in &mut table {
            seed = next_seed(seed);
            let digits = digits8(seed as u32);
            *entry = (digits, seed as i32 - 60_000, digits);
        }
        table.sort_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)));
        check += i64::from(table[2499].1);
    }
    vec![format!("{} {}{}", whole("CHK", check), text(&table[0].0), text(&table[4999].2))]
}

struct Account {
    number: u32,
    name: [u8; 30],
    balance: i64,
    limit: i64,
    status: u8,
    count: i64,
}

pub fn transact() -> Vec<String> {
    const RATES: [(&[u8; 3], i64); 5] = [(b"USD", 10_000), (b"GBP", 12_701), (b"JPY", 67), (b"EUR", 10_823), (b"CHF", 11_304)];
    let mut name = [b' '; 30];
    name[..15].copy_from_slice(b"GONZALEZ, MARIA");
    let mut out = [b' '; 100];
    let (mut amount, mut check) = (12_345i64, 0i64);
    let transaction = black_box(*b"PAYM");
    let reference = black_box(*b"INVOICE 2024/17     ");
    for _ in 0..500_000 {
        out.fill(b' ');
        let account = black_box(Account { number: 123, name, balance: 500_000, limit: 100_000, status: b'O', count: 41 });
        let kind = match &black_box(transaction) {
            b"INQY" => 1,
            b"XFER" => 2,
            b"PAYM" => 0,
            _ => 9,
        };
        if kind != 0 || account.number != 123 || account.status == b'C' || account.status == b'X' {
            continue;
        }
        let Some(rate) = RATES.iter().find(|rate| rate.0 == black_box(b"EUR")) else { continue };
        let dollars = (amount * rate.1 + 5_000) / 10_000;
        let fee = if dollars < 10_000 { 50 } else { (dollars * 125 + 5_000) / 10_000 };
        if dollars > account.limit {
            continue;
        }
        let balance = account.balance - dollars - fee;
        let mut at = 8;
        let mut number = account.number;
        while number > 0 {
            at -= 1;
            out[at] = b'0' + (number % 10) as u8;
            number /= 10;
        }
        out[9..29].copy_from_slice(&account.name[..20]);
        edit_cents(dollars, &mut out[29..41], b' ', false);
        edit_cents(balance, &mut out[42..59], b' ', false);
        out[60..63].copy_from_slice(b"OK ");
        let length = reference.windows(2).position(|pair| pair == b"  ").unwrap_or(20);
        out[63..63 + length].copy_from_slice(&reference[..length]);
        out[64 + length..67 + length].copy_from_slice(b"EUR");
        amount += 100;
        if amount > 90_000 {
            amount = 123;
        }
        check += account.count + 1;
        black_box(&out);
    }
    vec![text(&out), whole("CHK", check)]
}
