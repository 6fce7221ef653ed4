//! Texts that are no statements: nothing panics, nothing overflows the stack, long lists take linear time.

use crate::cases;
use sql::UnitOptions;
use std::fmt::Write;
use std::time::{Duration, Instant};

fn outcome(text: &str) {
    let _ = cases::static_outcome(&cases::unit(true), text);
    let _ = sql::translate(text, &UnitOptions::default());
}

/// Every prefix of every case, and every case without one of its words.
#[test]
fn truncated_statements_are_refused_or_translated() {
    let unit = cases::unit(true);
    for table in [cases::STATIC, cases::DECLARED, cases::DYNAMIC] {
        for case in cases::cases(table) {
            let source = case.source;
            for (end, _) in source.char_indices() {
                let _ = cases::parse(&source[..end]);
            }
            let words: Vec<&str> = source.split(' ').collect();
            for left_out in 0..words.len() {
                let text = [&words[..left_out], &words[left_out + 1..]].concat().join(" ");
                let _ = std::panic::catch_unwind(|| cases::static_outcome(&unit, &text)).map_err(|panic| {
                    let message = panic.downcast_ref::<String>().cloned().unwrap_or_default();
                    assert!(message.contains("describes no variable"), "{text}: {message}");
                });
            }
        }
    }
}

/// A small generator of pseudo-random numbers, so that failures repeat.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

#[test]
fn random_tokens_do_not_panic() {
    let words: Vec<String> = [cases::STATIC, cases::DECLARED, cases::DYNAMIC]
        .iter()
        .flat_map(|table| cases::cases(table))
        .flat_map(|case| case.source.split_whitespace().map(str::to_string).collect::<Vec<_>>())
        .chain(["(", ")", ",", "'", ":", "?", "¬=", "X'4", "''", "--", "/*", "1E", ".", "é", "\u{0}"].map(str::to_string))
        .collect();
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for _ in 0..20_000 {
        let count = 1 + random.below(14);
        let text: Vec<&str> = (0..count).map(|_| words[random.below(words.len())].as_str()).collect();
        let _ = sql::translate(&text.join(" "), &UnitOptions::default());
        let _ = cases::parse(&text.join(" "));
    }
}

#[test]
fn nesting_is_bounded_and_does_not_overflow_a_small_stack() {
    let nest =
        |open: &str, close: &str, depth: usize| format!("SELECT {}1{} FROM SYSIBM.SYSDUMMY1", open.repeat(depth), close.repeat(depth));
    let texts = [
        ("(", ")"),
        ("- ", ""),
        ("ABS(", ")"),
        ("(SELECT ", " FROM T)"),
        ("CASE WHEN 1 = 1 THEN ", " END"),
        ("CAST(", " AS INTEGER)"),
        ("CASE WHEN NOT NOT (1 = ", ") THEN 1 END"),
        ("CASE WHEN EXISTS (SELECT 1 FROM T WHERE 1 = ", ") THEN 1 END"),
    ];
    let stack = std::thread::Builder::new().stack_size(1 << 20).spawn(move || {
        for (open, close) in texts {
            let accepted = |depth: usize| sql::translate(&nest(open, close, depth), &UnitOptions::default());
            let deepest = (1..200).take_while(|depth| accepted(*depth).is_ok()).last().expect("one level is accepted");
            assert!(deepest >= 15, "{open}: {deepest}");
            assert_eq!(accepted(deepest + 1).unwrap_err().code, -101, "{open}");
            assert_eq!(accepted(100_000).unwrap_err().code, -101, "{open}");
        }
        let joins = format!("SELECT 1 FROM {}T{}", "(".repeat(50_000), ")".repeat(50_000));
        assert_eq!(sql::translate(&joins, &UnitOptions::default()).unwrap_err().code, -101);
    });
    stack.expect("a thread").join().expect("no overflow");
}

#[test]
fn long_lists_take_linear_time() {
    let list = |item: &dyn Fn(usize) -> String, separator: &str, count: usize| {
        let mut text = String::new();
        for index in 0..count {
            write!(text, "{}{}", if index == 0 { "" } else { separator }, item(index)).unwrap();
        }
        text
    };
    let shapes: [&dyn Fn(usize) -> String; 5] = [
        &|count| format!("SELECT A FROM T WHERE A IN ({})", list(&|index| index.to_string(), ", ", count)),
        &|count| format!("SELECT {} FROM T", list(&|index| format!("C{index}"), ", ", count)),
        &|count| format!("SELECT A FROM T WHERE {}", list(&|index| format!("A = {index}"), " OR ", count)),
        &|count| format!("SELECT {} FROM T", list(&|index| index.to_string(), " + ", count)),
        &|count| list(&|_| "SELECT A FROM T".to_string(), " UNION ALL ", count),
    ];
    for shape in shapes {
        let time = |count: usize| {
            let text = shape(count);
            let run = || {
                let start = Instant::now();
                sql::translate(&text, &UnitOptions::default()).expect("a statement");
                start.elapsed()
            };
            // The quickest of some runs: other tests share the processors.
            (0..5).map(|_| run()).min().expect("a run")
        };
        let (short, long) = (time(2_000), time(20_000));
        assert!(long < short * 40 + Duration::from_millis(100), "{short:?} {long:?}: {}", &shape(2)[..30]);
    }
    outcome(&"(".repeat(1 << 20));
}
