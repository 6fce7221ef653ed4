//! Requests that set breakpoints.

use super::requests::{BreakpointLocations, SetBreakpoints, SetExceptionBreakpoints, SetFunctionBreakpoints, Source, arguments};
use super::{Answer, Session};
use crate::breakpoints::{BREAKPOINTS_MAX, Exceptions, FunctionBreakpoint, LineBreakpoint, Plan, Terms, sources_at};
use crate::client::shown_number;
use program::module;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Why a breakpoint is not verified.
/// Of sources in C and C++.
const C_EXTENSIONS: [&str; 4] = ["c", "cpp", "cxx", "cc"];
const NO_COMMAND: &str =
    "a program written in C or C++ stops at its EXEC CICS commands only, and none that is loaded has one there or behind";
const NOT_LOADED: &str = "no program that is loaded and compiled with TEST has it; it is looked for in each program that begins";

impl Session {
    /// Replaces the plan, for running tasks too.
    fn change(&mut self, change: impl FnOnce(&mut Plan)) {
        self.plan = Arc::new(self.plan.with(change));
        if let Some(client) = &self.client {
            client.set_plan(self.plan.clone());
        }
    }

    fn next_breakpoint(&mut self) -> u64 {
        self.last_breakpoint += 1;
        self.last_breakpoint
    }

    /// The number of a line as the source has it, from the client's.
    fn line(&self, line: u32) -> u32 {
        line.saturating_add(1) - self.first_line
    }

    /// The number of a line as the client has it.
    pub(super) fn shown_line(&self, line: u32) -> u32 {
        shown_number(line, self.first_line)
    }

    pub(super) fn shown_column(&self, column: u32) -> u32 {
        shown_number(column, self.first_column)
    }

    pub(super) fn set_breakpoints(&mut self, given: &Value) -> Answer {
        let given: SetBreakpoints = arguments(given)?;
        let source = path_of(&given.source)?;
        let of_others = self.plan.lines.iter().filter(|breakpoint| breakpoint.source != source).count();
        if of_others + given.breakpoints.len() > BREAKPOINTS_MAX {
            return Err(format!("more than {BREAKPOINTS_MAX} breakpoints"));
        }
        let mut accepted = Vec::new();
        let mut results = Vec::new();
        for one in given.breakpoints {
            let id = self.next_breakpoint();
            let line = one.line;
            let column = one.column.map(|column| column.saturating_add(1) - self.first_column);
            let terms = Terms::parse(one.condition.as_deref(), one.hit_condition.as_deref(), one.log_message.as_deref());
            results.push(terms.map(|terms| {
                accepted.push(LineBreakpoint::new(id, &source, self.line(line), column, terms));
                (id, Some(line))
            }));
        }
        self.change(|plan| {
            plan.lines.retain(|breakpoint| breakpoint.source != source);
            plan.lines.extend(accepted);
        });
        let places = self.places();
        let is_c = source.extension().is_some_and(|extension| C_EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known)));
        let missing = if is_c { NO_COMMAND } else { NOT_LOADED };
        let shown = results.into_iter().map(|result| self.breakpoint(result, &places, missing)).collect::<Vec<Value>>();
        Ok(json!({ "breakpoints": shown }))
    }

    pub(super) fn set_function_breakpoints(&mut self, given: &Value) -> Answer {
        let given: SetFunctionBreakpoints = arguments(given)?;
        if given.breakpoints.len() > BREAKPOINTS_MAX {
            return Err(format!("more than {BREAKPOINTS_MAX} breakpoints"));
        }
        let mut accepted = Vec::new();
        let mut results = Vec::new();
        for one in given.breakpoints {
            let id = self.next_breakpoint();
            let made = Terms::parse(one.condition.as_deref(), one.hit_condition.as_deref(), None)
                .and_then(|terms| FunctionBreakpoint::new(id, &one.name, terms));
            results.push(made.map(|breakpoint| {
                accepted.push(breakpoint);
                (id, None)
            }));
        }
        self.change(|plan| plan.functions = accepted);
        let places = self.places();
        let shown = results.into_iter().map(|result| self.breakpoint(result, &places, NOT_LOADED)).collect::<Vec<Value>>();
        Ok(json!({ "breakpoints": shown }))
    }

    pub(super) fn set_exception_breakpoints(&mut self, given: &Value) -> Answer {
        let given: SetExceptionBreakpoints = arguments(given)?;
        let mut exceptions = Exceptions::default();
        for filter in &given.filters {
            match filter.as_str() {
                "abends" => exceptions.abends = true,
                "conditions" => exceptions.conditions = true,
                "commands" => exceptions.commands = true,
                other => return Err(format!("there is no exception filter {other}")),
            }
        }
        self.change(|plan| plan.exceptions = exceptions);
        Ok(Value::Null)
    }

    /// The breakpoints that have a place in a loaded module, with the line of those that are at lines.
    fn places(&self) -> Vec<(u64, Option<u32>)> {
        let mut places = Vec::new();
        for loaded in module::loaded() {
            let resolved = self.plan.of_module(&loaded);
            places.extend(resolved.found.iter().map(|(at, line)| (self.plan.id(*at), *line)));
        }
        places
    }

    /// Breakpoints set before the client is known to the tasks are marked when it is.
    pub(super) fn tell_places(&self) {
        if let Some(client) = &self.client {
            self.places().into_iter().for_each(|(id, _)| client.is_verified(id));
        }
    }

    /// A breakpoint with the line it was asked for, or why it was not accepted. `missing`: why it has no place yet.
    fn breakpoint(&self, result: Result<(u64, Option<u32>), String>, places: &[(u64, Option<u32>)], missing: &str) -> Value {
        let (id, line) = match result {
            Ok(accepted) => accepted,
            Err(why) => return json!({ "verified": false, "message": why, "reason": "failed" }),
        };
        let place = places.iter().find(|(known, _)| *known == id);
        let mut shown = json!({ "id": id, "verified": place.is_some() });
        if place.is_none() {
            shown["message"] = missing.into();
            shown["reason"] = "pending".into();
        } else if let Some(client) = &self.client {
            client.is_verified(id);
        }
        let moved = place.and_then(|(_, line)| *line).map(|line| self.shown_line(line));
        if let Some(line) = moved.or(line) {
            shown["line"] = line.into();
        }
        shown
    }

    /// The statements between two lines.
    pub(super) fn breakpoint_locations(&mut self, given: &Value) -> Answer {
        let given: BreakpointLocations = arguments(given)?;
        let source = path_of(&given.source)?;
        let (first, last) = (self.line(given.line), self.line(given.end_line.unwrap_or(given.line)));
        let mut found = Vec::new();
        for loaded in module::loaded() {
            let Some(debugging) = &loaded.debugging else { continue };
            let sources = sources_at(debugging, Path::new(&source));
            let inside = debugging.statements.iter().filter(|statement| sources.contains(&statement.source));
            found.extend(inside.filter(|statement| (first..=last).contains(&statement.line)).map(|one| (one.line, one.column)));
        }
        found.sort_unstable();
        found.dedup();
        let place = |(line, column): (u32, u32)| json!({ "line": self.shown_line(line), "column": self.shown_column(column) });
        Ok(json!({ "breakpoints": found.into_iter().map(place).collect::<Vec<Value>>() }))
    }
}

fn path_of(source: &Source) -> Result<PathBuf, String> {
    let name = source.name.as_deref().unwrap_or("the source");
    source.path.as_ref().map(PathBuf::from).ok_or_else(|| format!("{name} has no path"))
}
