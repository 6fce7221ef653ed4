//! CALL: the row that the server answers with has the parameters that the procedure sets, which need not be all that are host variables.

use crate::command::Command;
use crate::compiled::{Call, Operands, StatementId, new_id};
use crate::context::Context;
use crate::errors::{Done, Stop, code};
use crate::execute;
use crate::link::{Form, Key};
use crate::rows::Rows;
use crate::state::{Known, State};
use sql::Text;
use sql::names::string;

/// CALL with parameters in host variables; `outputs` are all of them.
pub fn call(state: &mut State, call: &Call, procedure: &Text, inputs: Operands, outputs: Operands, context: &mut Context) -> Done<()> {
    let text = &call.statement().text;
    let (text, name_check) = match text.starts_with('(') {
        true => {
            let (name, check) = sql::procedure(&state.text(call, procedure)?)?;
            (format!("CALL {name}{text}"), check)
        }
        false => (text.clone(), String::new()),
    };
    let (id, modes) = known(state, call.compiled.id, &text, &name_check, context)?;
    let order = outputs_of(&text, &modes, outputs.order);
    let key = Key { id, form: Form::Plain };
    // What a parameter that is only set holds before the call is nobody's business, and need not be valid.
    let (text, given) = without_outputs(&text, &modes, inputs.order);
    let inputs = Operands { order: &given, ..inputs };
    let command =
        Command { key, text: &text, check: &call.statement().check, isolation: None, changes: true, searched: false, is_unobserved: false };
    if order.is_empty() {
        return execute::execute(state, command, inputs, context);
    }
    match execute::select_into(state, command, inputs, Operands { order: &order, ..outputs }, context) {
        // A procedure that sets nothing answers without a row.
        Err(Stop::Sql(error)) if error.code == code::NOT_FOUND => Ok(()),
        done => done,
    }
}

/// The number of the text in this process, and the modes of its procedure's parameters.
fn known(state: &mut State, statement: StatementId, text: &str, check: &str, context: &mut Context) -> Done<(StatementId, String)> {
    let name = text[..list_of(text)].trim_start_matches("CALL ").trim().to_string();
    if let Some(known) = state.procedures.iter().find(|known| known.statement == statement && known.name == name) {
        return Ok((known.id, known.modes.clone()));
    }
    let query = format!(
        "SELECT pg_catalog.array_to_string(proargmodes, '')::pg_catalog.text FROM pg_catalog.pg_proc WHERE oid = pg_catalog.to_regproc({})",
        string(&name)
    );
    if !check.is_empty() {
        state.link.run_text(check, &mut Rows::default(), context.wait)?;
    }
    let mut rows = Rows::default();
    state.link.run_text(&query, &mut rows, context.wait)?;
    let modes = rows.take().and_then(|mut row| row.next().flatten().map(|modes| String::from_utf8_lossy(modes).into_owned()));
    let (id, modes) = (new_id(), modes.unwrap_or_default());
    state.procedures.push(Known { statement, name, id, modes: modes.clone() });
    Ok((id, modes))
}

/// Those of the host variables that the procedure sets.
fn outputs_of(text: &str, modes: &str, hosts: &[u16]) -> Vec<u16> {
    let mut hosts = hosts.iter();
    let mut outputs = Vec::new();
    for (argument, mode) in arguments(text).iter().zip(modes.chars()) {
        let Some(host) = argument.contains('$').then(|| hosts.next()).flatten() else { continue };
        if matches!(mode, 'o' | 'b') {
            outputs.push(*host);
        }
    }
    outputs
}

/// The call with NULL for what the procedure only sets, and the host variables of the other parameters, which are numbered anew.
fn without_outputs(text: &str, modes: &str, hosts: &[u16]) -> (String, Vec<u16>) {
    let head = &text[..list_of(text)];
    if head.len() == text.len() || !modes.contains('o') {
        return (text.to_string(), hosts.to_vec());
    }
    let (mut numbers, mut written): (Vec<usize>, Vec<String>) = Default::default();
    for (at, argument) in arguments(text).into_iter().enumerate() {
        if modes.chars().nth(at) == Some('o') {
            written.push("NULL".to_string());
            continue;
        }
        let mut parts = argument.split('$');
        let mut anew = parts.next().unwrap_or_default().to_string();
        for part in parts {
            let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let Ok(number) = part[..digits].parse::<usize>() else {
                // A dollar sign of a constant.
                anew += &format!("${part}");
                continue;
            };
            let known = numbers.iter().position(|known| *known == number).unwrap_or_else(|| {
                numbers.push(number);
                numbers.len() - 1
            });
            anew += &format!("${}{}", known + 1, &part[digits..]);
        }
        written.push(anew);
    }
    let order: Option<Vec<u16>> = numbers.iter().map(|number| hosts.get(number.checked_sub(1)?).copied()).collect();
    // A constant with a dollar sign and digits is no parameter: the call is left as it is.
    order.map_or_else(|| (text.to_string(), hosts.to_vec()), |order| (format!("{head}({})", written.join(",")), order))
}

/// The arguments of the call, as they are written.
fn arguments(text: &str) -> Vec<&str> {
    let list = text[list_of(text)..].trim_end();
    let list = list.strip_prefix('(').and_then(|list| list.strip_suffix(')')).unwrap_or_default();
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, byte) in unquoted(list) {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b',' if depth == 0 => {
                found.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(&list[start..]);
    found
}

/// Where the list of arguments begins: the name before it may have a parenthesis in its quotes.
fn list_of(text: &str) -> usize {
    unquoted(text).find(|(_, byte)| *byte == b'(').map_or(text.len(), |(at, _)| at)
}

/// The bytes of a text with their places, except those of strings and delimited names.
fn unquoted(text: &str) -> impl Iterator<Item = (usize, u8)> {
    let mut quote = None;
    text.bytes().enumerate().filter(move |(_, byte)| match (quote, byte) {
        (None, b'\'' | b'"') => {
            quote = Some(*byte);
            false
        }
        (Some(open), byte) => {
            quote = quote.filter(|_| open != *byte);
            false
        }
        (None, _) => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_that_are_set_are_those_of_the_modes() {
        let text = "CALL p(CAST($1 AS int), f(1, ','), $2, $3)";
        assert_eq!(arguments(text).len(), 4);
        assert_eq!(outputs_of(text, "iiob", &[7, 8, 9]), [8, 9]);
        assert_eq!(outputs_of(text, "", &[7, 8, 9]), [0u16; 0]);
        assert_eq!(without_outputs(text, "iiob", &[7, 8, 9]), ("CALL p(CAST($1 AS int), f(1, ','),NULL, $2)".to_string(), vec![7, 9]));
        assert_eq!(without_outputs(text, "iiib", &[7, 8, 9]), (text.to_string(), vec![7, 8, 9]));
        assert_eq!(without_outputs("CALL p($2, $1, '$9')", "oii", &[7, 8]), ("CALL p($2, $1, '$9')".to_string(), vec![7, 8]));
        let text = "CALL \"a(\"\"b\".\"c,d(\"($1, $2::\"e,f\", 'g,'',(')";
        assert_eq!(&text[..list_of(text)], "CALL \"a(\"\"b\".\"c,d(\"");
        assert_eq!(arguments(text), ["$1", " $2::\"e,f\"", " 'g,'',('"]);
    }
}
