//! Special registers that the run time keeps. The session has them as settings `db2.NAME`, which the support schema reads; the schema of
//! unqualified names is its search path. Settings travel with the next statement.

use crate::context::Context;
use crate::errors::{Done, Stop};
use crate::state::State;
use kernel::name::Name8;
use std::sync::Arc;

const SEARCH_PATH: &str = "search_path";
const LOCK_TIMEOUT: &str = "lock_timeout";
const APPLICATION_NAME: &str = "application_name";

/// Tells the session whose statements follow, if that has changed.
pub fn tell(state: &mut State, context: &Context) {
    if let Some((plan, user, bind)) = &state.told
        && *plan == context.plan
        && *user == context.authorization_id
        && (Arc::ptr_eq(bind, context.bind) || bind == context.bind)
    {
        return;
    }
    let user = name(context.authorization_id);
    let bind = context.bind;
    state.told = Some((context.plan, context.authorization_id, bind.clone()));
    state.link.authorization.clone_from(&user);
    set_register(state, "USER", &user);
    set_register(state, "CURRENT SQLID", &user);
    set_register(state, "CURRENT PACKAGESET", &bind.package_set);
    set_register(state, "CURRENT SERVER", bind.location());
    set_register(state, "PLAN", &name(context.plan));
    set_schema(state, &bind.qualifier);
    state.link.set(LOCK_TIMEOUT, &bind.lock_timeout.as_millis().to_string());
}

/// Tells the server's log and statistics for whom the statements that follow are executed; empty: for nobody in particular.
pub fn tell_application(state: &mut State, application: &Arc<str>) {
    if Arc::ptr_eq(&state.application, application) {
        return;
    }
    if state.application != *application {
        state.link.set(APPLICATION_NAME, application);
    }
    state.application = application.clone();
}

/// The registers that the last user of the session set have the values of a new session again.
/// `is_as_new`: all settings have them.
pub fn reset(state: &mut State, is_as_new: bool) {
    if is_as_new {
        state.told = None;
        state.application = Arc::default();
    }
    for register in std::mem::take(&mut state.own_registers) {
        set_register(state, &register, "");
        state.told = None;
    }
}

fn name(name: Name8) -> String {
    name.as_str().trim_end().to_string()
}

/// Name of the session's setting for a register.
fn setting(register: &str) -> String {
    format!("db2.{}", register.to_ascii_lowercase().replace(' ', "_"))
}

fn set_register(state: &mut State, register: &str, value: &str) {
    state.link.set(&setting(register), value);
}

/// A schema that is not for applications is none.
fn set_schema(state: &mut State, schema: &str) {
    let path = sql::search_path(schema).or_else(|_| sql::search_path("")).unwrap_or_default();
    set_register(state, "CURRENT SCHEMA", schema);
    state.link.set(SEARCH_PATH, &path);
}

/// SET CURRENT register = value.
pub fn set(state: &mut State, register: &str, value: &str) -> Done<()> {
    state.own_registers.push(register.to_string());
    let value = value.trim_matches('\'').trim_end();
    if matches!(register, "CURRENT SQLID" | "CURRENT SCHEMA") {
        sql::search_path(value).map_err(Stop::Sql)?;
    }
    match register {
        "CURRENT SQLID" => {
            set_register(state, register, value);
            set_schema(state, value);
        }
        "CURRENT SCHEMA" => set_schema(state, value),
        _ => set_register(state, register, value),
    }
    Ok(())
}
