//! CEMT's explanations of a failed command for an operator, from `tables/operator_words.tsv`.

use exec::condition;
use region::exec_interface::call::{Call, Response};
use region::system_initialization;

const TABLE: &str = include_str!("../../tables/operator_words.tsv");

fn words_of(command: &str, condition: &str, resp2: i32) -> Option<&'static str> {
    let rows = TABLE.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| line.split('\t').collect::<Vec<&str>>()).find_map(|columns| match columns[..] {
        [of, with, number, words] if of == command && with == condition && number.parse() == Ok(resp2) => Some(words),
        _ => None,
    })
}

/// Words with the bounds of the parameter they name.
fn with_bounds(words: &str) -> String {
    match words.split_once('{').and_then(|(before, rest)| Some((before, rest.strip_suffix('}')?))) {
        Some((before, parameter)) => format!("{before}{}", system_initialization::bounds(parameter).to_uppercase()),
        None => words.to_string(),
    }
}

/// A condition in CEMT's words, if the tables have them for the command.
pub fn not_normal(call: &Call, response: Response) -> String {
    let (condition, resp2) = (response.condition, response.resp2);
    if let Some(words) = words_of(call.command().name(), condition.name(), resp2) {
        return with_bounds(words);
    }
    let absent = [
        condition::TRANSIDERR,
        condition::PGMIDERR,
        condition::FILENOTFOUND,
        condition::TERMIDERR,
        condition::QIDERR,
        condition::TCIDERR,
        condition::TASKIDERR,
        condition::NOTFND,
    ];
    if absent.contains(&condition) && resp2 <= 1 || condition == condition::TRANSIDERR {
        return "NOT FOUND".to_string();
    }
    match condition {
        condition::NOTAUTH => "NOT AUTHORIZED".to_string(),
        condition::PGMIDERR
        | condition::FILENOTFOUND
        | condition::TERMIDERR
        | condition::QIDERR
        | condition::TCIDERR
        | condition::TASKIDERR
            if resp2 == 7 || resp2 == 18 || resp2 == 23 =>
        {
            "NOT FOUND".to_string()
        }
        _ => match exec::resp2_meaning(call.command().name(), condition, i64::from(resp2)) {
            Some(meaning) => format!("{} {resp2}: {}", condition.name(), meaning.to_uppercase()),
            None => format!("{} {resp2}", condition.name()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_of_a_command_and_a_condition() {
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let columns: Vec<&str> = line.split('\t').collect();
            assert!(exec::command_by_name(columns[0]).is_some() && exec::condition_by_name(columns[1]).is_some(), "{line}");
            assert_eq!(words_of(columns[0], columns[1], columns[2].parse().unwrap()), Some(columns[3]));
        }
        assert_eq!(words_of("SET FILE", "INVREQ", 999), None);
    }

    #[test]
    fn bounds_are_those_of_the_parameter() {
        let words = |resp2| with_bounds(words_of("SET SYSTEM", "INVREQ", resp2).unwrap());
        assert_eq!(words(1), "AKP IS NOT 0 OR 50 TO 65535");
        assert_eq!(words(3), "MAXTASKS IS NOT 10 TO 2000");
        assert_eq!(words(8), "TIME IS NOT 100 TO 3600000");
        assert_eq!(words(16), "EDSALIMIT IS NOT 64M TO 2047M");
        assert_eq!(words(10), "NUMBER OF TCBS IS NOT VALID");
    }
}
