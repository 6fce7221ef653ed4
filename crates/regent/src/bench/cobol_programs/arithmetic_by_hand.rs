//! The arithmetic programs by hand: scaled integers in registers, as a Rust programmer would write them. Constants pass through `black_box`
//! in each iteration, so that the compiler cannot replace the computation by a closed formula.

use std::hint::black_box;

/// An edited number: minus sign at its left, two places.
pub fn cents(name: &str, value: i64) -> String {
    let sign = if value < 0 { "-" } else { "" };
    let text = format!("{sign}{}.{:02}", value.abs() / 100, value.abs() % 100);
    format!("{name}{text:>19}")
}

pub fn whole(name: &str, value: i64) -> String {
    format!("{name}{value:>16}")
}

pub fn packed() -> Vec<String> {
    let (mut counter, mut total) = (0i64, 0i64);
    for _ in 0..5_000_000 {
        counter = (counter + black_box(1)) % 1_000_000_000;
        let amount = black_box(1234) * black_box(7) % 100_000_000_000;
        total = (total + amount) % 1_000_000_000_000_000;
        total -= black_box(50);
    }
    vec![whole("CTR", counter), cents("TOTAL", total)]
}

pub fn binary() -> Vec<String> {
    let mut a = 0i32;
    for _ in 0..100_000_000 {
        a += black_box(3);
        a -= 2;
        if a > 500_000 {
            a = 0;
        }
    }
    vec![whole("A", a.into())]
}

pub fn floats() -> Vec<String> {
    let (mut y, z, mut t) = (1.5f64, 0.25f32, 0f64);
    for _ in 0..500_000 {
        let x = y * black_box(0.5) + f64::from(z);
        t += x;
        y = x / 2.0 + 0.75;
        if t > 1_000_000.0 {
            t = 0.0;
        }
    }
    vec![cents("T", (t * 100.0).round() as i64)]
}

/// Nearest, halves away from zero.
fn rounded(dividend: i128, divisor: i128) -> i128 {
    let half = divisor.abs() / 2;
    if (dividend < 0) == (divisor < 0) { (dividend.abs() + half) / divisor.abs() } else { -((dividend.abs() + half) / divisor.abs()) }
}

pub fn express() -> Vec<String> {
    let (mut a, d, c) = (12_345i64, 987_654i64, 125i64);
    let (b, e) = (7i64, 17i64);
    let (mut r, mut s) = (0i64, 0i64);
    for _ in 0..1_000_000 {
        let (b, c, d, e) = (black_box(b), black_box(c), black_box(d), black_box(e));
        // Three places, cut to two.
        let exact = (a + b * 100) * c - d * 10 + e * (a * 10 - c * 100) + e * e * 1000;
        r = exact / 10;
        let q = rounded((r + d) as i128 * e as i128 * 1000, (b * 10 + c) as i128) as i64;
        let sum = s * 100 + q - (r * 2 - e * 100) * 100 + a * e * c * 10;
        s = sum / 100;
        if !(-100_000_000_000..=100_000_000_000).contains(&s) {
            s = 0;
        }
        a += 1;
        if a > 99_900 {
            a = 100;
        }
    }
    vec![cents("R", r), cents("S", s)]
}

pub fn interest() -> Vec<String> {
    let (mut balance, mut interest, fee) = (1_000_000i64, 0i64, 125i64);
    let mut errors = 0;
    for _ in 0..2_000_000 {
        // Six places, to two.
        let product = balance as i128 * i128::from(black_box(42_500i64)) * i128::from(black_box(30i64));
        let result = rounded(product, 36_500 * 10_000) as i64;
        if result < 100_000_000_000 {
            interest = result
        } else {
            errors += 1
        }
        let next = balance + interest - black_box(fee);
        if next < 10_000_000_000_000 {
            balance = next
        } else {
            errors += 1
        }
        if balance > 5_000_000 {
            balance = 1_000_000;
        }
    }
    vec![cents("BAL", balance), cents("INT", interest), whole("ERRS", errors)]
}

pub fn tables() -> Vec<String> {
    let mut amounts = vec![[0i64; 40]; 50];
    let mut counts = vec![[0i16; 40]; 50];
    let mut flags = vec![[b' '; 40]; 50];
    let mut sums = [0i64; 40];
    let mut total = 0;
    for _ in 0..500 {
        for row in 0..50 {
            for column in 0..40 {
                amounts[row][column] += black_box(125);
                counts[row][column] += 1;
                if counts[row][column] > 100 {
                    counts[row][column] = 0;
                    flags[row][column] = b'X';
                }
                sums[column] += amounts[row][column];
            }
        }
        total += amounts[6][2];
    }
    black_box(&flags);
    vec![cents("TOT", total + sums[0] + sums[39])]
}

pub fn perform() -> Vec<String> {
    #[inline(never)]
    fn leaf(total: &mut i32) {
        *total += 2;
    }
    let mut total = 0i32;
    for _ in 0..300 {
        for _ in 0..300 {
            for _ in 0..300 {
                total += black_box(1);
                if total <= 500_000_000 {
                    leaf(&mut total);
                }
            }
        }
    }
    vec![whole("TOT", total.into())]
}

pub fn call() -> Vec<String> {
    #[inline(never)]
    fn called(state: &mut i32, argument: &mut i32, text: &[u8; 32]) {
        black_box(text);
        *state += 1;
        *argument += 1;
    }
    let (mut state, mut argument, text) = (0, 0, [b' '; 32]);
    let function: fn(&mut i32, &mut i32, &[u8; 32]) = black_box(called);
    for _ in 0..10_000_000 {
        function(&mut state, &mut argument, &text);
    }
    vec![whole("ARG1", argument.into())]
}
