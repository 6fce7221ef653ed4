//! Results as DSNTEP2 prints them: a table with its columns' names, and the number of rows.

use postgres::{Row, RowDescription, oid};

/// The results of statements, as text.
#[derive(Default)]
pub struct Listing {
    text: String,
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

struct Column {
    name: String,
    kind: u32,
    width: usize,
}

/// The server's name of an expression; Db2 gives it none.
const UNNAMED: &str = "?column?";

/// What stands for NULL.
const NULL: &str = "?";

impl Listing {
    /// A statement begins.
    pub fn begin(&mut self) {
        self.columns.clear();
        self.rows.clear();
    }

    pub fn describe(&mut self, description: &RowDescription<'_>) {
        let column = |column: postgres::Column<'_>| {
            let name = if column.name == UNNAMED { String::new() } else { column.name.to_uppercase() };
            Column { width: name.chars().count(), name, kind: column.data_type }
        };
        self.columns = description.columns().map(column).collect();
    }

    pub fn row(&mut self, row: &Row<'_>) {
        let mut cells = Vec::with_capacity(self.columns.len());
        for (column, value) in self.columns.iter_mut().zip(row.columns()) {
            let cell = value.map_or_else(|| NULL.to_string(), |value| shown(&String::from_utf8_lossy(value), column.kind));
            column.width = column.width.max(cell.chars().count());
            cells.push(cell);
        }
        self.rows.push(cells);
    }

    /// A statement has ended; `tag` is that of the server.
    pub fn complete(&mut self, tag: &str) {
        if !self.columns.is_empty() {
            self.table();
            let (count, noun) = (self.rows.len(), if self.rows.len() == 1 { "row" } else { "rows" });
            self.line(&format!("{count} {noun}"));
        } else if let Some(count) = changed(tag) {
            self.line(&format!("{count} {} {}", if count == "1" { "row" } else { "rows" }, verb(tag)));
        }
    }

    fn table(&mut self) {
        let cells = |texts: &mut dyn Iterator<Item = &String>, columns: &[Column]| -> String {
            let padded = texts.zip(columns).map(|(text, column)| match is_number(column.kind) {
                true => format!("{text:>width$}", width = column.width),
                false => format!("{text:<width$}", width = column.width),
            });
            padded.collect::<Vec<_>>().join(" | ").trim_end().to_string()
        };
        let mut lines = vec![cells(&mut self.columns.iter().map(|column| &column.name), &self.columns)];
        lines.push(self.columns.iter().map(|column| "-".repeat(column.width)).collect::<Vec<_>>().join("-+-"));
        lines.extend(self.rows.iter().map(|row| cells(&mut row.iter(), &self.columns)));
        lines.iter().for_each(|line| self.line(line));
    }

    pub fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    pub fn take_rows(&mut self) -> Vec<Vec<String>> {
        std::mem::take(&mut self.rows)
    }

    /// What has been written since the last call.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }
}

fn is_number(kind: u32) -> bool {
    [oid::INT2, oid::INT4, oid::INT8, oid::NUMERIC, oid::FLOAT4, oid::FLOAT8].contains(&kind)
}

/// A value as Db2 writes it: times with periods, timestamps with hyphens and periods.
fn shown(text: &str, kind: u32) -> String {
    match kind {
        oid::TIME => text.replace(':', "."),
        oid::TIMESTAMP => {
            let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
            format!("{}.{fraction:0<6}", whole.replace(' ', "-").replace(':', "."))
        }
        _ => text.trim_end().to_string(),
    }
}

/// The number of rows that a tag tells of: `UPDATE 3`, `INSERT 0 3`.
fn changed(tag: &str) -> Option<&str> {
    ["INSERT", "UPDATE", "DELETE", "MERGE"].iter().any(|verb| tag.starts_with(verb)).then(|| tag.rsplit(' ').next())?
}

fn verb(tag: &str) -> &'static str {
    match tag.split(' ').next() {
        Some("INSERT") => "inserted",
        Some("UPDATE") => "updated",
        Some("DELETE") => "deleted",
        _ => "merged",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_as_db2_writes_them() {
        assert_eq!(shown("2026-11-26 19:30:01.5", oid::TIMESTAMP), "2026-11-26-19.30.01.500000");
        assert_eq!(shown("19:30:01", oid::TIME), "19.30.01");
        assert_eq!(shown("AB  ", oid::BPCHAR), "AB");
        assert_eq!((changed("INSERT 0 3"), verb("INSERT 0 3")), (Some("3"), "inserted"));
        assert_eq!(changed("CREATE TABLE"), None);
    }
}
