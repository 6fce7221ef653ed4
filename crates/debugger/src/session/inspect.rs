//! Requests about a stopped task: its frames, variables and storage.

use super::handles::Handle;
use super::requests::{Continue, Evaluate, ReadMemory, Scopes, SetExpression, SetVariable, StackTrace, Variables, WriteMemory, arguments};
use super::{Answer, Session};
use crate::base64;
use crate::client::source_of;
use crate::place::Place;
use crate::stop::View;
use crate::variables::{self, Row};
use region::storage_access::Area;
use serde_json::{Value, json};

/// Bytes of one readMemory or writeMemory.
const MEMORY_BYTES_MAX: u64 = 64 * 1024;
/// Programs form addresses below this.
const ADDRESS_END: u64 = 1 << 31;

impl Session {
    /// Lets a stopped task do work.
    fn ask<R: Send + 'static>(&self, task: u32, work: impl FnOnce(&mut View) -> Result<R, String> + Send + 'static) -> Result<R, String> {
        self.task(u64::from(task))?.desk.ask(work)?
    }

    pub(super) fn stack_trace(&mut self, given: &Value) -> Answer {
        let given: StackTrace = arguments(given)?;
        let watched = self.task(given.thread_id)?;
        let places: Vec<(String, Place)> =
            watched.desk.ask(|view| view.entries.iter().map(|entry| (entry.name(), entry.place())).collect())?;
        let total = places.len();
        let wanted = given.levels.filter(|levels| *levels > 0).unwrap_or(usize::MAX);
        let mut frames = Vec::new();
        for (index, (name, place)) in places.into_iter().enumerate().skip(given.start_frame.unwrap_or(0)).take(wanted) {
            let id = self.handles.add(watched.identity.number, Handle::Frame(index))?;
            let mut frame = json!({
                "id": id,
                "name": name,
                "line": self.shown_line(place.line),
                "column": self.shown_column(place.column.max(1)),
            });
            match &place.source {
                Some(source) => frame["source"] = source_of(source),
                None => frame["presentationHint"] = "subtle".into(),
            }
            frames.push(frame);
        }
        Ok(json!({ "stackFrames": frames, "totalFrames": total }))
    }

    pub(super) fn scopes(&mut self, given: &Value) -> Answer {
        let given: Scopes = arguments(given)?;
        let (task, entry) = self.handles.frame(given.frame_id)?;
        let found = self.ask(task, move |view| variables::scopes(view, entry))?;
        let mut scopes = Vec::new();
        for (name, inside) in found {
            let number = self.handles.add(task, Handle::Variables(inside))?;
            scopes.push(json!({ "name": name, "variablesReference": number, "expensive": false }));
        }
        Ok(json!({ "scopes": scopes }))
    }

    pub(super) fn variables(&mut self, given: &Value) -> Answer {
        let given: Variables = arguments(given)?;
        let (task, inside) = self.handles.variables(given.variables_reference)?;
        // A count of 0 asks for all.
        let is_indexed = given.filter.as_deref() != Some("named");
        let range = given.count.filter(|count| *count > 0 && is_indexed).map(|count| (given.start.unwrap_or(0), count));
        let rows = self.ask(task, move |view| variables::rows(view, &inside, range))?;
        let shown: Vec<Value> = rows.into_iter().map(|row| self.variable(task, row)).collect::<Result<_, _>>()?;
        Ok(json!({ "variables": shown }))
    }

    fn variable(&mut self, task: u32, row: Row) -> Answer {
        let name = row.name.clone();
        let mut shown = self.value(task, row, "value")?;
        shown["name"] = name.into();
        Ok(shown)
    }

    /// The common fields of variables and of results, which call the value `result`.
    fn value(&mut self, task: u32, row: Row, value: &str) -> Answer {
        let number = match row.inside {
            Some(inside) => self.handles.add(task, Handle::Variables(inside))?,
            None => 0,
        };
        let mut shown = json!({ value: row.value, "type": row.kind, "variablesReference": number });
        if row.indexed > 0 {
            shown["indexedVariables"] = row.indexed.into();
        }
        if let Some(name) = row.evaluate_name {
            shown["evaluateName"] = name.into();
        }
        if let Some(address) = row.memory {
            shown["memoryReference"] = format!("0x{address:08X}").into();
        }
        Ok(shown)
    }

    pub(super) fn set_variable(&mut self, given: &Value) -> Answer {
        let SetVariable { variables_reference, name, value } = arguments(given)?;
        let (task, inside) = self.handles.variables(variables_reference)?;
        let row = self.ask(task, move |view| variables::set(view, &inside, &name, &value))?;
        self.value(task, row, "value")
    }

    pub(super) fn set_expression(&mut self, given: &Value) -> Answer {
        let SetExpression { expression, value, frame_id } = arguments(given)?;
        let (task, entry) = self.frame(frame_id)?;
        let row = self.ask(task, move |view| variables::set_expression(view, entry, &expression, &value))?;
        self.value(task, row, "value")
    }

    fn frame(&self, frame: Option<u64>) -> Result<(u32, usize), String> {
        self.handles.frame(frame.ok_or("an expression is evaluated in a frame of a stopped task")?)
    }

    pub(super) fn evaluate(&mut self, given: &Value) -> Answer {
        let Evaluate { expression, frame_id } = arguments(given)?;
        let (task, entry) = self.frame(frame_id)?;
        let row = self.ask(task, move |view| variables::evaluated(view, entry, &expression))?;
        self.value(task, row, "result")
    }

    pub(super) fn exception_info(&mut self, given: &Value) -> Answer {
        let given: Continue = arguments(given)?;
        let event = self.task(given.thread_id)?.event().ok_or("the task has not stopped for an exceptional event")?;
        Ok(json!({ "exceptionId": event.name, "description": event.text, "breakMode": "always" }))
    }

    /// A stopped task of the client: storage is read and written by it.
    fn any_stopped(&self) -> Result<u32, String> {
        let own = crate::tasks::Debugging::of(self.region).tasks_of(self.client()?);
        let stopped = own.iter().find(|watched| watched.desk.is_open());
        stopped.map(|watched| watched.identity.number).ok_or_else(|| "no task is stopped".to_string())
    }

    pub(super) fn read_memory(&mut self, given: &Value) -> Answer {
        let given: ReadMemory = arguments(given)?;
        let address = address_of(&given.memory_reference, given.offset)?;
        let count = given.count.min(MEMORY_BYTES_MAX).min(ADDRESS_END - address);
        let bytes = self.ask(self.any_stopped()?, move |_| Ok(readable(address, count)))?;
        let unreadable = given.count - bytes.len() as u64;
        Ok(json!({ "address": format!("0x{address:08X}"), "unreadableBytes": unreadable, "data": base64::encode(&bytes) }))
    }

    pub(super) fn write_memory(&mut self, given: &Value) -> Answer {
        let given: WriteMemory = arguments(given)?;
        let address = address_of(&given.memory_reference, given.offset)?;
        let bytes = base64::decode(&given.data).ok_or("the data is not base64")?;
        if bytes.len() as u64 > MEMORY_BYTES_MAX.min(ADDRESS_END - address) {
            return Err(format!("more than {MEMORY_BYTES_MAX} bytes, or beyond the storage of programs"));
        }
        let written = bytes.len();
        let fault = move |_| format!("the storage at {address:08X} cannot be written");
        self.ask(self.any_stopped()?, move |_| Area::new(address as usize, bytes.len()).write(&bytes).map_err(fault))?;
        Ok(json!({ "bytesWritten": written }))
    }
}

/// As many bytes as can be read from the address on.
fn readable(address: u64, count: u64) -> Vec<u8> {
    let all = Area::new(address as usize, count as usize);
    if let Ok(bytes) = all.read() {
        return bytes;
    }
    let piece = |at: usize| Area::new(at, 1).read().ok().map(|bytes| bytes[0]);
    (all.address..all.address + all.length).map_while(piece).collect()
}

fn address_of(reference: &str, offset: Option<i64>) -> Result<u64, String> {
    let address = reference.strip_prefix("0x").and_then(|digits| i64::from_str_radix(digits, 16).ok());
    let address = address.and_then(|address| address.checked_add(offset.unwrap_or(0)));
    let address = address.and_then(|address| u64::try_from(address).ok()).filter(|address| *address < ADDRESS_END);
    address.ok_or_else(|| format!("{reference} with its offset is not an address of a program's storage"))
}
