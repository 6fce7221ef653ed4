//! Errors of the PostgreSQL server in Db2's terms.
//!
//! An error that a function of the support schema raises carries its SQLCODE in HINT (`SQLCODE=-138`), its tokens in DETAIL, and Db2's
//! SQLSTATE. Other errors are translated by SQLSTATE; words of the message refine some of them, so the session has `lc_messages` C.

use super::{Place, SqlError};
use crate::column_guard;
use crate::problem::not_a_type;

/// Between two tokens in the DETAIL of an error that the support schema raises.
pub const TOKEN_SEPARATOR: char = '\u{1f}';

const CODE_IN_HINT: &str = "SQLCODE=";
/// Reason codes of -911 and -913: deadlock, time-out.
const DEADLOCK: &str = "00C90088";
const TIMEOUT: &str = "00C9008E";
/// Type of resource in -911, -913 and -904: table; page.
const TABLE_TYPE: &str = "00000210";
const PAGE_TYPE: &str = "00000302";
/// Reason codes of -904: no storage, data set error, too many threads.
const NO_STORAGE: &str = "00E30083";
const EXTEND_FAILED: &str = "00D70025";
const INPUT_OUTPUT_ERROR: &str = "00C90080";

/// The fields of the server's ErrorResponse that tell the SQLCODE; empty where it sent none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ServerError {
    pub severity: String,
    /// SQLSTATE.
    pub code: String,
    pub message: String,
    pub detail: String,
    pub hint: String,
    /// Character of the server's text at which the error is, from 1; 0: none.
    pub position: u32,
    pub table: String,
    pub column: String,
    pub constraint: String,
}

/// What the server does not say of the statement that failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ErrorContext<'a> {
    /// A deadlock or time-out rolls back the unit of work: -911. Otherwise the program decides: -913.
    pub rolls_back: bool,
    /// The statement has input host variables or parameters.
    pub has_inputs: bool,
    /// Its text: the first word is looked at.
    pub statement: &'a str,
    /// The text that the server has of it, for the position of the error.
    pub text: &'a str,
    /// The authorization ID, for -551.
    pub authorization: &'a str,
}

impl ErrorContext<'_> {
    /// The statement defines an object; a block and the call of a procedure are translations of definitions.
    fn defines(&self) -> bool {
        ["CREATE", "ALTER", "DO"].iter().any(|word| self.begins(word)) || self.statement.starts_with("CALL db2.create_index(")
    }

    /// The statement gives values to columns.
    fn assigns(&self) -> bool {
        ["INSERT", "UPDATE", "MERGE"].iter().any(|word| self.begins(word))
    }

    fn begins(&self, word: &str) -> bool {
        self.first_word().is_some_and(|first| first.eq_ignore_ascii_case(word))
    }

    /// The first word of the statement; a guard ahead of it does not count.
    fn first_word(&self) -> Option<&str> {
        column_guard::behind(self.statement).split_whitespace().next()
    }
}

/// The SQLCODE, SQLSTATE and tokens for an error of the server.
pub fn from_server(error: &ServerError, context: ErrorContext) -> SqlError {
    let cause = format!("{} {}: {}", error.severity, error.code, error.message);
    if let Some(raised) = raised_by_us(error) {
        // Its words are those of its code, and the first of its tokens is a name in most.
        let offset = raised.tokens.first().and_then(|name| place_of(context.statement, name));
        return SqlError { cause, place: Place { offset, text: String::new() }, ..raised };
    }
    let place = Place { offset: offset_of(error, &context), text: sentence(error) };
    SqlError { cause, place, ..translated(error, context) }
}

/// What the text of the SQLCODE leaves open, in words for people; empty: nothing.
fn sentence(error: &ServerError) -> String {
    match error.code.as_str() {
        // `Key (a, b)=(1, 2) already exists.` The values are those of somebody's data, and stay out of consoles and logs.
        "23505" => match error.detail.strip_prefix("Key (").and_then(|rest| rest.split_once(")=(")) {
            Some((columns, _)) => {
                let (columns, name) = (columns.to_uppercase(), error.constraint.to_uppercase());
                format!("another row has the same {columns}, and unique index {name} allows one")
            }
            None => String::new(),
        },
        // `column "a" does not exist`, `column "a" of relation "t" does not exist`; the hint names `t.b`, which is like it.
        "42703" => {
            let column = column_in(&error.message);
            let near = error.hint.split("reference the column ").nth(1).map_or(String::new(), |_| quoted(&error.hint, 0).to_uppercase());
            match (near.split_once('.'), error.message.contains(" of relation ")) {
                (Some((table, near)), _) => format!("{column} is not a column of {table}; did you mean {near}?"),
                (None, true) => format!("{column} is not a column of {}", quoted(&error.message, 1).to_uppercase()),
                (None, false) => format!("{column} is not a column of the tables that are named"),
            }
        }
        "42P01" if !error.message.starts_with("missing") => format!("table {} does not exist", quoted(&error.message, 0).to_uppercase()),
        "42704" if error.message.starts_with("type ") => not_a_type(&quoted(&error.message, 0).to_uppercase()),
        _ => String::new(),
    }
}

/// The place in the statement of an error: of the word at which the server found it, or else of the name in its message.
fn offset_of(error: &ServerError, context: &ErrorContext) -> Option<usize> {
    let named = || place_of(context.statement, &quoted(&error.message, 0));
    offset_in(context.statement, context.text, error.position).or_else(named)
}

/// Where the last part of a name stands first.
fn place_of(statement: &str, name: &str) -> Option<usize> {
    let name = name.to_ascii_uppercase();
    places_of(&statement.to_ascii_uppercase(), name.rsplit('.').next()?).first().copied()
}

/// The server's text from the character at this position; empty if there is none.
fn behind(text: &str, position: u32) -> &str {
    let from = (position as usize).checked_sub(1).and_then(|from| text.char_indices().nth(from));
    from.map_or("", |(at, _)| &text[at..])
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '#' | '@' | '$')
}

/// Where a word stands in a statement.
fn places_of(statement: &str, word: &str) -> Vec<usize> {
    let is_whole = |at: &usize| {
        !statement[..*at].chars().next_back().is_some_and(is_part) && !statement[at + word.len()..].chars().next().is_some_and(is_part)
    };
    statement.match_indices(word).map(|(at, _)| at).filter(is_whole).collect()
}

/// The place in the statement of the word at a character of the server's text.
fn offset_in(statement: &str, text: &str, position: u32) -> Option<usize> {
    let rest = behind(text, position);
    let from = text.len() - rest.len();
    let rest = rest.trim_start_matches('"');
    let word = &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())];
    if word.is_empty() {
        return None;
    }
    let (statement, word) = (statement.to_ascii_uppercase(), word.to_ascii_uppercase());
    // Of several places it is the one with as many before it.
    let before = text[..from].split(|c| !is_part(c)).filter(|own| own.eq_ignore_ascii_case(&word)).count();
    let places = places_of(&statement, &word);
    places.get(before).or(places.last()).copied()
}

/// The name, with its qualifiers, at a character of the server's text.
fn word_at(text: &str, position: u32) -> String {
    let word = behind(text, position).split(|c| !is_part(c) && c != '.').next().unwrap_or_default();
    if word.is_empty() { "*N".to_string() } else { word.to_uppercase() }
}

/// An error raised by the support schema.
fn raised_by_us(error: &ServerError) -> Option<SqlError> {
    let code = error.hint.strip_prefix(CODE_IN_HINT)?.trim().parse().ok()?;
    let tokens: Vec<&str> = error.detail.split(TOKEN_SEPARATOR).filter(|_| !error.detail.is_empty()).collect();
    Some(SqlError::with_state(code, &error.code, &tokens))
}

fn translated(error: &ServerError, context: ErrorContext) -> SqlError {
    let message = error.message.as_str();
    match error.code.get(..2).unwrap_or_default() {
        "22" | "21" => data(error, context),
        "23" | "44" => constraint(error, context),
        "42" | "3F" | "2B" | "3D" => syntax_or_access(error, context),
        "40" => contention(&error.code, error, context),
        "53" => unavailable(if error.code == "53200" { NO_STORAGE } else { EXTEND_FAILED }, error),
        "54" => SqlError::new(-101, &[]),
        "55" => object_state(error, context),
        "57" => intervention(error),
        "08" => communication(message),
        "28" => SqlError::new(-922, &["CONNECT", "00F30085"]),
        "24" if message.contains("not a simply updatable") => SqlError::new(-510, &[]),
        "24" if message.contains("not positioned") => SqlError::new(-508, &[]),
        "24" | "34" => SqlError::new(-501, &[]),
        "25" if error.code == "25006" => SqlError::new(-817, &[]),
        "26" => SqlError::new(-518, &[]),
        "0A" if message.contains("scroll") => SqlError::new(-225, &[&quoted(message, 0)]),
        "0A" => SqlError::new(-142, &[]),
        "2F" | "38" => SqlError::new(-577, &[&quoted(message, 0)]),
        "3B" => SqlError::new(-880, &[&quoted(message, 0)]),
        "58" => unavailable(INPUT_OUTPUT_ERROR, error),
        "P0" => SqlError::with_state(-438, "45000", &[message]),
        class if is_of_application(class) => SqlError::with_state(-438, &error.code, &[message]),
        _ => SqlError::new(-901, &[message]),
    }
}

/// Classes of SQLSTATE that applications choose in SIGNAL: 7 to 9, I to Z.
fn is_of_application(class: &str) -> bool {
    class != "XX" && class.starts_with(|first: char| ('7'..='9').contains(&first) || ('I'..='Z').contains(&first))
}

/// Class 22, data exception, and 21, cardinality.
fn data(error: &ServerError, context: ErrorContext) -> SqlError {
    let message = error.message.as_str();
    let is_of_time = ["date", "time", "interval"].iter().any(|word| message.contains(word));
    match error.code.as_str() {
        "21000" => SqlError::new(-811, &[]),
        "22001" if context.has_inputs => SqlError::new(-302, &["*N"]),
        "22001" => SqlError::new(-404, &[]),
        "22002" | "22004" => SqlError::new(-305, &["*N"]),
        // The sum of two SMALLINTs is an INTEGER in Db2, so only an assignment leaves the range.
        "22003" if context.assigns() && (message.starts_with("smallint") || message.contains("field overflow")) => SqlError::new(-406, &[]),
        "22003" if message.contains("field overflow") || message.contains("out of range for type") || message.starts_with("value") => {
            SqlError::new(-413, &[])
        }
        "22003" => SqlError::new(-802, &["FIXED POINT OVERFLOW", "*N", &arithmetic_type(message), "*N"]),
        "22012" => SqlError::with_state(-802, "22012", &["ZERO DIVIDE", "DIVISION", "*N", "*N"]),
        "22007" => SqlError::new(-180, &[&quoted(message, 0)]),
        "22008" if message.contains("value out of range") => SqlError::new(-181, &[&quoted(message, 0)]),
        "22008" | "22015" => SqlError::new(-183, &[]),
        "22P02" if is_of_time => SqlError::new(-180, &[&quoted(message, 0)]),
        "22P02" | "22018" => SqlError::new(-420, &[&type_in(message)]),
        "22011" => SqlError::new(-138, &[]),
        "22019" | "22025" | "2200C" => SqlError::new(-130, &[]),
        "22021" | "22P05" => SqlError::new(-331, &["*N"]),
        "2200H" => SqlError::new(-359, &[]),
        "22023" | "2201E" | "2201F" => SqlError::new(-171, &["*N", "*N"]),
        _ => SqlError::new(-901, &[message]),
    }
}

/// The type in `integer out of range`.
fn arithmetic_type(message: &str) -> String {
    message.split(" out of range").next().unwrap_or_default().to_uppercase()
}

/// The type in `invalid input syntax for type integer: "x"`, as the function that converts to it.
fn type_in(message: &str) -> String {
    let name = message.split("for type ").nth(1).and_then(|rest| rest.split(':').next()).unwrap_or("*N");
    let db2 = match name {
        "numeric" => "DECIMAL",
        "double precision" => "DOUBLE",
        name => return name.to_uppercase(),
    };
    db2.to_string()
}

/// Class 23, integrity constraints, and 44, WITH CHECK OPTION.
fn constraint(error: &ServerError, context: ErrorContext) -> SqlError {
    let name = error.constraint.to_uppercase();
    let no_row = "0000000000";
    match error.code.as_str() {
        "23505" if context.defines() || error.message.starts_with("could not create unique index") => SqlError::new(-603, &[no_row]),
        "23505" | "23P01" => SqlError::new(-803, &[&name, no_row]),
        "23503" | "23001" if error.detail.contains("still referenced") || error.code == "23001" => {
            let code = if context.begins("UPDATE") { -531 } else { -532 };
            SqlError::new(code, &[&name, no_row])
        }
        "23503" => SqlError::new(-530, &[&name]),
        "23502" => SqlError::new(-407, &[&error.column.to_uppercase()]),
        "23514" if context.defines() => SqlError::new(-544, &[&name]),
        "23514" if error.message.contains("no partition") => SqlError::new(-327, &[]),
        "23514" => SqlError::new(-545, &[&name]),
        "44000" => SqlError::new(-161, &[]),
        _ => SqlError::new(-901, &[&error.message]),
    }
}

/// Class 42, syntax and access, and objects that do not exist or have dependents.
fn syntax_or_access(error: &ServerError, context: ErrorContext) -> SqlError {
    let message = error.message.as_str();
    let name = quoted(message, 0).to_uppercase();
    match error.code.as_str() {
        "42601" if message.contains("more target columns") || message.contains("more expressions") => SqlError::new(-117, &[]),
        "42601" if message.contains("multiple assignments") => SqlError::new(-121, &[&name]),
        "42601" if message.contains("same number of columns") && column_guard::begins(behind(context.text, error.position)) => {
            SqlError::new(-117, &[])
        }
        "42601" if message.starts_with("subquery ") => SqlError::new(-412, &[]),
        "42601" if message.contains("same number of columns") => SqlError::new(-421, &[]),
        "42601" => SqlError::new(-104, &[&quoted(message, 0), "*N"]),
        "42501" => denied(message, context),
        "42P01" if message.contains("FROM-clause entry") => SqlError::new(-206, &[&word_at(context.text, error.position)]),
        "42P01" | "42704" | "3F000" | "3D000" | "42P02" => SqlError::new(-204, &[&name]),
        "42703" if context.defines() => SqlError::new(-205, &[&name, &quoted(message, 1).to_uppercase()]),
        "42703" => SqlError::new(-206, &[&column_in(message)]),
        "42702" => SqlError::new(-203, &[&name]),
        "42712" => SqlError::new(-212, &[&name]),
        "42701" if context.begins("INSERT") => SqlError::new(-121, &[&name]),
        "42701" => SqlError::new(-612, &[&name]),
        "42803" if message.contains("not allowed") => SqlError::new(-120, &[]),
        "42803" => SqlError::new(-122, &[]),
        "42883" if message.starts_with("operator") => SqlError::new(-401, &[&operator_in(message)]),
        // The names and numbers of arguments of Db2's own functions have been looked at.
        "42883" if message.starts_with("function db2.") => SqlError::new(-171, &["1", &routine_in(message)]),
        "42883" => SqlError::new(-440, &[&routine_in(message)]),
        "42725" => SqlError::new(-245, &[&routine_in(message)]),
        "42804" if message.contains("is of type") => SqlError::new(-408, &[&name]),
        "42804" if ["UNION", "INTERSECT", "EXCEPT"].iter().any(|word| message.starts_with(word)) => SqlError::new(-415, &[]),
        "42804" => SqlError::new(-401, &["*N"]),
        "42846" => SqlError::new(-461, &[&type_after(message, "cast type "), &type_after(message, " to ")]),
        "42P18" | "42P08" => SqlError::new(-418, &[]),
        "42710" | "42P07" | "42P06" | "42P04" => SqlError::new(-601, &[&name, object_kind(message)]),
        "42723" => SqlError::new(-454, &[&name]),
        "42830" if message.contains("no unique constraint") => SqlError::new(-573, &[&name]),
        "42830" => SqlError::new(-538, &[&name, "*N"]),
        "42809" => SqlError::new(-159, &[&name, "TABLE"]),
        "428C9" => SqlError::new(-798, &[&name]),
        "42P03" => SqlError::new(-502, &[]),
        "42P10" if message.starts_with("ORDER BY position") => SqlError::new(-125, &[]),
        "42P10" => SqlError::new(-208, &[&name]),
        "42611" | "42P16" => SqlError::new(-604, &[]),
        "42622" => SqlError::new(-107, &[&name, "128"]),
        "2BP01" => dependent(message),
        _ => SqlError::new(-84, &[message]),
    }
}

/// `permission denied for table x`.
fn denied(message: &str, context: ErrorContext) -> SqlError {
    let object = message.rsplit(' ').next().unwrap_or("*N").to_uppercase();
    let operation = context.first_word().unwrap_or("*N").to_uppercase();
    SqlError::new(-551, &[context.authorization, &operation, &object])
}

/// `cannot drop table x because other objects depend on it`.
fn dependent(message: &str) -> SqlError {
    let words: Vec<String> = message.split_whitespace().map(str::to_uppercase).collect();
    let word = |at: usize| words.get(at).map_or("*N", String::as_str);
    SqlError::new(-478, &[word(3), word(2), "*N"])
}

/// `column "x" does not exist` or `column t.x does not exist`.
fn column_in(message: &str) -> String {
    match message.strip_prefix("column ").and_then(|rest| rest.split(" does").next()) {
        Some(name) if !name.contains('"') => name.to_uppercase(),
        _ => quoted(message, 0).to_uppercase(),
    }
}

/// `operator does not exist: integer = text`.
fn operator_in(message: &str) -> String {
    let operands = message.split(": ").nth(1).unwrap_or_default();
    let is_operator = |word: &&str| word.bytes().all(|byte| b"+-*/<>=~!@#%^&|?".contains(&byte));
    operands.split_whitespace().find(is_operator).unwrap_or("*N").to_string()
}

/// `function db2.x(integer) does not exist`.
fn routine_in(message: &str) -> String {
    let name = message.split_whitespace().nth(1).and_then(|word| word.split('(').next()).unwrap_or("*N");
    name.strip_prefix("db2.").unwrap_or(name).to_uppercase()
}

fn type_after(message: &str, words: &str) -> String {
    let rest = message.split(words).nth(1).unwrap_or("*N");
    rest.split(" to ").next().unwrap_or("*N").to_uppercase()
}

/// `relation "x" already exists`, as Db2 names the kind.
fn object_kind(message: &str) -> &'static str {
    let is = |word: &str| message.starts_with(word);
    match () {
        () if is("schema") => "SCHEMA",
        () if is("type") => "TYPE",
        () if is("constraint") => "CONSTRAINT",
        () if is("trigger") => "TRIGGER",
        () => "TABLE",
    }
}

fn contention(code: &str, error: &ServerError, context: ErrorContext) -> SqlError {
    let reason = if code == "55P03" { TIMEOUT } else { DEADLOCK };
    let (kind, name) = match error.table.as_str() {
        "" => (PAGE_TYPE, "*N".to_string()),
        table => (TABLE_TYPE, table.to_uppercase()),
    };
    let code = if context.rolls_back { -911 } else { -913 };
    SqlError::new(code, &[reason, kind, &name])
}

fn object_state(error: &ServerError, context: ErrorContext) -> SqlError {
    let message = error.message.as_str();
    match error.code.as_str() {
        "55P03" => contention("55P03", error, context),
        "55000" if message.contains("not yet defined in this session") => SqlError::new(-845, &[&quoted(message, 0).to_uppercase()]),
        "55000" if message.contains("cannot insert into") || message.contains("cannot update") || message.contains("cannot delete") => {
            SqlError::new(-150, &[])
        }
        "55006" => SqlError::new(-951, &[&quoted(message, 0).to_uppercase(), "TABLE"]),
        _ => SqlError::new(-901, &[message]),
    }
}

/// Class 57: somebody or something ended the statement or the session.
fn intervention(error: &ServerError) -> SqlError {
    match error.code.as_str() {
        "57014" if error.message.contains("statement timeout") => SqlError::new(-905, &["ASUTIME", "*N", "*N", "*N"]),
        "57014" => SqlError::new(-952, &[]),
        "57P03" => SqlError::new(-923, &["CONNECT", "00F30002", "*N", "*N"]),
        _ => SqlError::new(-924, &["0001", "00F30018", "*N"]),
    }
}

fn communication(message: &str) -> SqlError {
    SqlError::new(-30081, &["TCP/IP", "SOCKETS", "*N", message, "*N", "*N", "*N"])
}

fn unavailable(reason: &str, error: &ServerError) -> SqlError {
    let name = if error.table.is_empty() { "*N".to_string() } else { error.table.to_uppercase() };
    SqlError::new(-904, &[reason, TABLE_TYPE, &name])
}

/// The nth text in double quotes of a message.
fn quoted(message: &str, nth: usize) -> String {
    let begin = message.match_indices('"').nth(nth * 2).map(|(at, _)| at + 1);
    let text = begin.and_then(|begin| message[begin..].split('"').next());
    text.unwrap_or("*N").to_string()
}
