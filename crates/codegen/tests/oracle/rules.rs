//! Accepted differences: IBM's documented behaviour where GnuCOBOL differs.

use super::check::Check;

pub struct Rule {
    pub name: &'static str,
    /// Where IBM says so.
    pub source: &'static str,
    pub applies: fn(&Check, &[String], &[String]) -> bool,
}

pub const RULES: &[Rule] = &[
    Rule {
        name: "intermediate results",
        source: "Programming Guide, Intermediate results and arithmetic precision: a quotient within an expression keeps dmax \
                 decimal places, no more than 30 (ARITH(EXTEND): 31) digits are kept; as computed by the test from the manual's tables",
        applies: |check, ours, _| check.kind == "expression" && check.expected.as_deref() == Some(ours),
    },
    Rule {
        name: "remainder after a size error",
        source: "Language Reference, DIVIDE statement, ON SIZE ERROR phrase: when the quotient has a size error, quotient and \
                 remainder are unchanged; as computed by the test",
        applies: |check, ours, _| check.has("remainder") && check.expected.as_deref() == Some(ours),
    },
    Rule {
        name: "expected value",
        source: "the result is that of exact arithmetic, as computed by the test; a result that is cut \
                 to zero is positive (Programming Guide, NUMPROC: system standards), where GnuCOBOL keeps the minus sign",
        applies: |check, ours, _| check.expected.as_deref() == Some(ours),
    },
    Rule {
        name: "digits lost by editing",
        source: "Language Reference, MOVE statement: the value is truncated to the picture's digits before it is edited; GnuCOBOL \
                 ends zero suppression where a digit was lost",
        applies: |check, ours, peers| {
            (check.kind == "editing" || check.has("to-edited")) && significant(peers).ends_with(&significant(ours))
        },
    },
    Rule {
        name: "BEFORE with AFTER",
        source: "Language Reference, INSPECT statement, BEFORE and AFTER phrases: each delimiter is its first occurrence in the \
                 item; GnuCOBOL looks for that of BEFORE behind that of AFTER",
        applies: |check, _, _| check.kind == "inspect" && check.code.iter().any(|line| line.contains("AFTER") && line.contains("BEFORE")),
    },
    Rule {
        name: "COMP-5 as characters",
        source: "Programming Guide, TRUNC(BIN) and COMP-5: a binary item whose whole range counts is converted to 5, 10 or 19 digits \
                 by its length, not by its picture",
        applies: |check, _, _| {
            let code = check.code.join(" ");
            let native = check.data.iter().find(|entry| code.starts_with(&format!("MOVE {} ", entry.split(' ').nth(1).unwrap_or("?"))));
            check.kind == "move" && native.is_some_and(|entry| entry.contains("COMP-5"))
        },
    },
    Rule {
        name: "ALL literal to an edited item",
        source: "Language Reference, MOVE statement: a figurative constant takes the receiver's length and is edited; GnuCOBOL \
                 fills the receiver without editing",
        applies: |check, _, _| check.has("to-alphabetic") && check.code.iter().any(|line| line.contains("ALL '12'")),
    },
    Rule {
        name: "CR and DB",
        source: "Language Reference, Editing sign, NUMVAL and NUMVAL-C: CR and DB both mean a negative value; GnuCOBOL's NUMVAL takes \
                 both as positive, its NUMVAL-C DB",
        applies: |check, _, _| {
            let negative = |line: &String| line.contains("DB'") || line.contains("CR'");
            (check.has("NUMVAL-C") || check.has("NUMVAL")) && check.code.iter().any(negative)
                || check.has("from-edited") && check.data.iter().any(|entry| entry.contains("DB.") || entry.contains("CR."))
        },
    },
    Rule {
        name: "number to a JUSTIFIED item",
        source: "Language Reference, JUSTIFIED clause: a sender that is longer loses its leftmost characters; GnuCOBOL cuts the \
                 rightmost of a number's",
        applies: |check, ours, peers| {
            let justified = check.data.iter().any(|entry| entry.contains("JUSTIFIED"));
            check.kind == "move" && check.has("from-number") && justified && ours.len() == peers.len()
        },
    },
    Rule {
        name: "long literal to a binary item",
        source: "Programming Guide, TRUNC(STD): a number is cut to the picture's low-order digits; GnuCOBOL lets a literal that is \
                 longer than the item overflow its bytes",
        applies: |check, _, _| {
            let binary = check.data.last().is_some_and(|entry| entry.contains(" COMP VALUE"));
            check.has("from-literal") && check.has("to-number") && binary
        },
    },
    Rule {
        name: "zero is positive",
        source: "Programming Guide, NUMPROC: a zero has the preferred plus sign; GnuCOBOL keeps the minus sign of a value cut to zero",
        applies: |check, ours, peers| {
            let zero = |result: &String| result.replace("2B", "").chars().all(|digit| "03C".contains(digit));
            let either = |result: &String| result.replace("2D", "").chars().all(|digit| "037CD".contains(digit));
            check.kind == "move" && ours.iter().all(zero) && peers.iter().all(either)
        },
    },
    Rule {
        name: "signed literal to a group",
        source: "Language Reference, MOVE statement, Group moves: the literal's characters are moved without conversion, the last \
                 digit with its sign; GnuCOBOL drops the sign",
        applies: |check, _, _| check.has("from-literal") && check.code.iter().any(|line| line.contains("MOVE -7 TO G")),
    },
];

/// The digits of edited results without the zeros before them.
fn significant(results: &[String]) -> String {
    let digits: String = results.concat().chars().filter(char::is_ascii_digit).collect();
    digits.trim_start_matches('0').to_string()
}

pub fn explaining(check: &Check, ours: &[String], peers: &[String]) -> Option<&'static Rule> {
    RULES.iter().find(|rule| (rule.applies)(check, ours, peers))
}
