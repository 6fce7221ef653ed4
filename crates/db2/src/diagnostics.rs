//! GET DIAGNOSTICS: what the statement before reported, and each of its conditions.

use crate::compiled::Call;
use crate::conditions::Condition;
use crate::context::Context;
use crate::convert::{ColumnType, DateTimeOptions};
use crate::errors::Done;
use crate::state::State;
use postgres::oid;
use sql::DiagnosticItem;

/// The value of an item.
enum Item {
    Number(i64),
    Text(String),
}

/// GET DIAGNOSTICS.
pub fn get(state: &mut State, call: &Call, items: &[DiagnosticItem], context: &mut Context) -> Done<()> {
    for item in items {
        let condition = item.condition.as_ref().map(|number| state.number(call, number)).transpose()?;
        let value = match condition {
            None => statement_item(state, &item.name, context),
            Some(number) => {
                let found = usize::try_from(number - 1).ok().and_then(|index| state.diagnostics.conditions.get(index));
                condition_item(found, &item.name, context)
            }
        };
        let index = usize::from(item.receiver);
        let receiver = (&call.compiled.hosts[index], call.places[index]);
        let (oid, bytes) = match &value {
            Item::Number(number) => (oid::INT8, number.to_be_bytes().to_vec()),
            Item::Text(text) => (oid::VARCHAR, text.clone().into_bytes()),
        };
        let column = (ColumnType { oid, modifier: -1 }, Some(&bytes[..]));
        state.delivery.column(receiver, 0, column, u32::from(item.receiver) + 1, DateTimeOptions::default(), &mut state.locators)?;
    }
    Ok(())
}

fn statement_item(state: &State, name: &str, context: &Context) -> Item {
    let diagnostics = &state.diagnostics;
    match name {
        "NUMBER" => Item::Number(diagnostics.conditions.len().max(1) as i64),
        "ROW_COUNT" | "DB2_NUMBER_ROWS" => Item::Number(diagnostics.rows),
        "MORE" => Item::Text("N".to_string()),
        "DB2_LAST_ROW" => {
            let at_end = diagnostics.conditions.iter().any(|condition| condition.error.code == crate::errors::code::NOT_FOUND);
            Item::Number(if at_end { i64::from(crate::errors::code::NOT_FOUND) } else { 0 })
        }
        "DB2_NUMBER_RESULT_SETS" | "DB2_RETURN_STATUS" | "DB2_NUMBER_PARAMETER_MARKERS" | "DB2_SQL_ATTR_CURSOR_HOLD" => Item::Number(0),
        "DB2_GET_DIAGNOSTICS_DIAGNOSTICS" => Item::Text(String::new()),
        _ => condition_item(diagnostics.conditions.first(), name, context),
    }
}

fn condition_item(condition: Option<&Condition>, name: &str, context: &Context) -> Item {
    let error = condition.map(|condition| &condition.error);
    match name {
        "DB2_RETURNED_SQLCODE" => Item::Number(error.map_or(0, |error| i64::from(error.code))),
        "RETURNED_SQLSTATE" => Item::Text(error.map_or("00000".to_string(), |error| String::from_utf8_lossy(&error.state).into_owned())),
        "MESSAGE_TEXT" => Item::Text(error.map(|error| sql::message_text(error.code, &error.tokens)).unwrap_or_default()),
        "DB2_ROW_NUMBER" => Item::Number(condition.map_or(0, |condition| condition.row)),
        "DB2_MODULE_DETECTING_ERROR" => Item::Text(error.map_or(String::new(), |error| error.procedure().to_string())),
        "DB2_TOKEN_COUNT" => Item::Number(error.map_or(0, |error| error.tokens.len() as i64)),
        "DB2_MESSAGE_ID" => Item::Text(error.map(|error| message_id(error.code)).unwrap_or_default()),
        "SERVER_NAME" | "DB2_SERVER_CLASS_NAME" => Item::Text(context.bind.location().to_string()),
        "CONDITION_NUMBER" => Item::Number(1),
        _ => match name.strip_prefix("DB2_ORDINAL_TOKEN_").and_then(|number| number.parse::<usize>().ok()) {
            Some(number) => Item::Text(error.and_then(|error| error.tokens.get(number.wrapping_sub(1)).cloned()).unwrap_or_default()),
            None if name.starts_with("DB2_") => Item::Number(0),
            None => Item::Text(String::new()),
        },
    }
}

/// The number of the message of a code: DSNT408I for errors, DSNT404I for warnings.
fn message_id(code: i32) -> String {
    if code < 0 { "DSNT408I" } else { "DSNT404I" }.to_string()
}
