//! Unloads the rows of a query as DSNTIAUL does: each column in its internal format, a column that can be null with a byte behind it, which is
//! `?` for NULL; and the LOAD statement that reads such records.
//!
//! A varying column has its halfword of length, and room for its longest value. An expression has no byte for NULL, because the server does not
//! say whether it can be null: one that is NULL ends the unload with an error.

use super::record::of_column;
use super::{CCSID_EBCDIC, LoadError, Task};
use crate::convert::{DateTimeOptions, HostVariable, Page, decode};
use crate::link::Column;
use crate::types::{self, Family};
use postgres::{Message, Session, Wait};
use sql::{KnownColumn, Variable, VariableType};

/// What an unload wrote.
#[derive(Debug)]
pub struct Unloaded {
    pub rows: u64,
    pub record_bytes: usize,
    /// LOAD statement for these records.
    pub statement: String,
}

struct Field {
    column: Column,
    host: HostVariable,
    /// Where it begins, from 0.
    start: usize,
    can_be_null: bool,
}

/// Bytes of a text or of bytes whose type has no length.
const LENGTH: u32 = 4000;
const LONGEST_RECORD: usize = 32_760;
/// The byte behind a column that is not null.
const NOT_NULL: u8 = 0;

/// Unloads the rows of a query, which is PostgreSQL's; `known` is what its text tells of the columns. `table` is for the LOAD statement, and so is `number`, that of SYSREC.
pub fn unload(
    session: &mut Session,
    (query, known): (&str, &[KnownColumn]),
    (table, number): (&str, usize),
    ccsid: u16,
    put: &mut dyn FnMut(&[u8]) -> Result<(), String>,
    wait: &mut dyn Wait,
) -> Result<Unloaded, LoadError> {
    let page = Page::of(if ccsid == 0 { CCSID_EBCDIC } else { ccsid });
    let mut task = Task { session, wait };
    let mut columns = task.describe(query)?;
    if columns.is_empty() {
        return Err(LoadError::Session("the statement returns no columns".to_string()));
    }
    for (column, known) in columns.iter_mut().zip(known) {
        column.kind.modifier = known.modifier.unwrap_or(column.kind.modifier);
    }
    let nullable = task.nullable(&columns)?;
    let (fields, record_bytes) = layout(columns, &nullable, page);
    if record_bytes > LONGEST_RECORD {
        return Err(LoadError::Session(format!("the record has {record_bytes} bytes, and the longest {LONGEST_RECORD}")));
    }
    let rows = task.rows(query, &fields, record_bytes, put)?;
    Ok(Unloaded { rows, record_bytes, statement: load_statement(&fields, table, number) })
}

impl Task<'_> {
    /// Which of the columns are columns of tables that can be null.
    fn nullable(&mut self, columns: &[Column]) -> Result<Vec<bool>, LoadError> {
        let list: Vec<String> = columns.iter().map(|column| format!("({}, {})", column.table, column.number)).collect();
        let query =
            format!("SELECT attrelid, attnum FROM pg_attribute WHERE NOT attnotnull AND (attrelid, attnum) IN ({})", list.join(", "));
        let mut found = Vec::new();
        self.session.query(&query);
        self.answers(&query, |message| {
            if let Message::DataRow(row) = message {
                let number = |text: Option<&[u8]>| text.and_then(|text| String::from_utf8_lossy(text).parse::<i64>().ok());
                let values: Vec<Option<i64>> = row.columns().map(number).collect();
                found.push((values[0], values[1]));
            }
        })?;
        let is_found = |column: &Column| found.contains(&(Some(i64::from(column.table)), Some(i64::from(column.number))));
        Ok(columns.iter().map(is_found).collect())
    }

    fn rows(
        &mut self,
        query: &str,
        fields: &[Field],
        record_bytes: usize,
        put: &mut dyn FnMut(&[u8]) -> Result<(), String>,
    ) -> Result<u64, LoadError> {
        self.session.parse("", query, &[]);
        let Ok(()) = self.session.bind("", "", 0, |_, _| Ok::<bool, std::convert::Infallible>(false));
        self.session.execute("", 0);
        self.session.sync();
        let (mut rows, mut failure) = (0, None);
        let mut record = vec![0; record_bytes];
        self.answers(query, |message| {
            if let (Message::DataRow(row), None) = (message, &failure) {
                rows += 1;
                let values: Vec<Option<&[u8]>> = row.columns().collect();
                let made = fill(&mut record, fields, &values).map_err(|(field, why)| LoadError::Record { record: rows, field, why });
                failure = made.and_then(|()| put(&record).map_err(LoadError::Session)).err();
            }
        })?;
        failure.map_or(Ok(rows as u64), Err)
    }
}

/// Fields one behind the other, and the length of the record.
fn layout(columns: Vec<Column>, nullable: &[bool], page: &'static Page) -> (Vec<Field>, usize) {
    let mut start = 0;
    let mut fields = Vec::new();
    for (column, can_be_null) in columns.into_iter().zip(nullable) {
        let host = HostVariable { variable: variable_of(&column), page };
        let length = host.bytes_max() + usize::from(*can_be_null);
        fields.push(Field { column, host, start, can_be_null: *can_be_null });
        start += length;
    }
    (fields, start)
}

fn variable_of(column: &Column) -> Variable {
    let declared = types::length_of(column.kind.modifier).unwrap_or(LENGTH);
    match types::family(column.kind.oid) {
        Family::Text { fixed: false } | Family::Other => Variable::single(VariableType::VarChar, declared, 0, 0),
        Family::Bytes => Variable::single(VariableType::VarBinary, LENGTH, 0, 0),
        _ => of_column(Some(column), None),
    }
}

fn fill(record: &mut [u8], fields: &[Field], values: &[Option<&[u8]>]) -> Result<(), (String, String)> {
    let (mut scratch, mut bytes) = (Vec::new(), Vec::new());
    record.fill(0);
    for (field, value) in fields.iter().zip(values) {
        let end = field.start + field.host.bytes_max();
        let fault = |why: String| (field.column.name.to_uppercase(), why);
        match value {
            Some(value) => {
                bytes.clear();
                let stored = decode(field.column.kind, &field.host, value, DateTimeOptions::ISO, &mut scratch, &mut bytes);
                stored.map_err(|why| fault(format!("{why:?}")))?;
                record[field.start..field.start + bytes.len()].copy_from_slice(&bytes);
                if field.can_be_null {
                    record[end] = NOT_NULL;
                }
            }
            None if field.can_be_null => record[end] = field.host.page.code_page.encode("?")[0],
            None => return Err(fault("the expression is NULL, and the record has no room to say so: use COALESCE".to_string())),
        }
    }
    Ok(())
}

/// LOAD for these records.
fn load_statement(fields: &[Field], table: &str, number: usize) -> String {
    let mut text = format!("LOAD DATA LOG NO INDDN SYSREC{number:02} INTO TABLE\n    {table}\n (\n");
    for (index, field) in fields.iter().enumerate() {
        let end = field.start + field.host.bytes_max();
        let comma = if index + 1 < fields.len() { "," } else { "" };
        let null_if = if field.can_be_null { format!("\n   NULLIF({})='?'", end + 1) } else { String::new() };
        let kind = kind_of(field);
        // The length of a varying field is in the record.
        let place = if field.host.length_field().is_some() { format!("{}", field.start + 1) } else { format!("{}:{end}", field.start + 1) };
        text += &format!(" {} POSITION({place})\n   {kind}{null_if}{comma}\n", field.column.name.to_uppercase());
    }
    text + " )\n"
}

fn kind_of(field: &Field) -> String {
    let length = field.host.variable.length;
    match types::family(field.column.kind.oid) {
        Family::Integer { bytes: 2 } | Family::Boolean => "SMALLINT".to_string(),
        Family::Integer { bytes: 4 } => "INTEGER".to_string(),
        Family::Integer { .. } => "BIGINT".to_string(),
        Family::Numeric => "DECIMAL".to_string(),
        Family::Float { bytes } => format!("FLOAT({})", if bytes == 4 { 21 } else { 53 }),
        Family::Text { fixed: true } => format!("CHAR({length})"),
        Family::Text { fixed: false } | Family::Other => "VARCHAR".to_string(),
        Family::Date => format!("DATE EXTERNAL({length})"),
        Family::Time => format!("TIME EXTERNAL({length})"),
        Family::Timestamp => format!("TIMESTAMP EXTERNAL({length})"),
        Family::Bytes => "VARBINARY".to_string(),
    }
}
