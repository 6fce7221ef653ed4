//! SQL statements on displays, before and after their execution (Db2, "Using the execution diagnostic facility with your program"): the call
//! to the resource manager, the statement, its input or output host variables, and afterwards the SQLCA.

use super::command::ADDRESS_COLUMN;
use super::display::Line;
use super::values;
use program::requests::{SqlRequest, SqlVariable};
use region::Task;
use region::storage_access::{self, Area};
use sql::{Statement, Variable, VariableType};

const COLUMN: u16 = 2;
const VARIABLE_COLUMN: u16 = 3;
const DATA_COLUMN: u16 = 13;
const TEXT_COLUMNS: usize = 76;
/// Bytes of a host variable on display.
const DATA_BYTES_MAX: usize = 24;
/// Host variables on display.
const VARIABLES_MAX: usize = 256;
const SQLCA_BYTES: usize = 136;

/// A field of the SQLCA: name, offset, length, form.
const SQLCA: [(&str, usize, usize, Form); 8] = [
    ("SQLCABC", 8, 4, Form::Integer),
    ("SQLCODE", 12, 4, Form::Integer),
    ("SQLERRML", 16, 2, Form::Integer),
    ("SQLERRMC", 18, 70, Form::Message),
    ("SQLERRP", 88, 8, Form::Text),
    ("SQLERRD(1-6)", 96, 24, Form::Integers),
    ("SQLWARN(0-A)", 120, 11, Form::Flags),
    ("SQLSTATE", 131, 5, Form::Plain),
];
const SQLCODE_OFFSET: usize = 12;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Integer,
    /// As long as SQLERRML says.
    Message,
    Text,
    Integers,
    Flags,
    Plain,
}

/// One statement of the running program.
pub struct SqlStatement {
    /// `None`: written by another version of the compiler.
    statement: Option<Statement>,
    places: Vec<SqlVariable>,
    program: String,
    number: u32,
    sqlca: usize,
    sqlcode: usize,
    pub line: u32,
}

impl SqlStatement {
    pub fn of(task: &Task, request: &SqlRequest) -> Option<SqlStatement> {
        let frame = task.frame?;
        let info = frame.program_info();
        let statement = info.sql.get(request.statement as usize).and_then(|text| Statement::decode(&text.bytes));
        Some(SqlStatement {
            places: places(request),
            statement,
            program: info.name.clone(),
            number: request.statement + 1,
            sqlca: request.sqlca as usize,
            sqlcode: request.sqlcode as usize,
            line: request.line,
        })
    }

    fn source(&self) -> &str {
        self.statement.as_ref().map_or("", |statement| &statement.source)
    }

    /// `EXEC SQL SELECT`.
    pub fn title(&self) -> String {
        format!("EXEC SQL {}", self.source().split_whitespace().next().unwrap_or_default().to_ascii_uppercase())
    }

    /// SQLCODE after the statement.
    pub fn code(&self) -> Option<i32> {
        let address = if self.sqlca != 0 { self.sqlca + SQLCODE_OFFSET } else { self.sqlcode };
        let bytes = Area::new(address, 4).read().ok().filter(|_| address != 0)?;
        Some(i32::from_be_bytes(bytes.try_into().ok()?))
    }

    pub fn lines(&self, task: &Task, executed: bool) -> Vec<Line> {
        let place = format!("DBRM={}, STMT={:05}, SECT={:05}", self.program, self.line, self.number);
        let plan = task.shared.db2_plan.get();
        let place = if executed && !plan.is_blank() { format!("PLAN={plan}, {place}") } else { place };
        let mut lines =
            vec![Line::text(COLUMN, "CALL TO RESOURCE MANAGER DSNCSQL"), Line::text(COLUMN, self.title()), Line::text(COLUMN, place)];
        lines.extend(wrapped(self.source()).into_iter().map(|text| Line::text(VARIABLE_COLUMN, text)));
        if executed {
            lines.extend(self.sqlca_lines(task));
        }
        let Some(statement) = &self.statement else { return lines };
        let (title, indexes) = if executed { ("OVAR", &statement.outputs) } else { ("IVAR", &statement.inputs) };
        for (number, index) in indexes.iter().take(VARIABLES_MAX).enumerate() {
            if let (Some(variable), Some(place)) = (statement.variables.get(usize::from(*index)), self.places.get(usize::from(*index))) {
                lines.extend(variable_lines(title, number + 1, variable, place));
            }
        }
        lines
    }

    fn sqlca_lines(&self, task: &Task) -> Vec<Line> {
        if self.sqlca == 0 {
            let code = self.code().map_or("NOT KNOWN".to_string(), |code| code.to_string());
            return vec![Line::text(VARIABLE_COLUMN, format!("SQLCODE      = {code}"))];
        }
        let Ok(bytes) = Area::new(self.sqlca, SQLCA_BYTES).read() else {
            return vec![Line::text(COLUMN, "SQL COMMUNICATION AREA: NOT ADDRESSABLE")];
        };
        let page = &task.region.code_page;
        let fields = SQLCA.iter().map(|(name, offset, length, form)| {
            let data = &bytes[*offset..offset + length];
            let text = match form {
                Form::Integer => format!("{:03}", integer(data)),
                Form::Message => {
                    let length = integer(&bytes[16..18]).clamp(0, data.len() as i64) as usize;
                    format!("'{}'", values::characters(page, &data[..length.min(DATA_BYTES_MAX)]))
                }
                Form::Text => format!("'{}'", values::characters(page, data)),
                Form::Integers => data.chunks(4).map(|word| format!("{:03}", integer(word))).collect::<Vec<_>>().join(", "),
                Form::Flags => {
                    let flags = values::characters(page, data);
                    let shown: Vec<String> = flags.chars().map(|c| if c == ' ' { '_' } else { c }.to_string()).collect();
                    format!("'{}'", shown.join(" "))
                }
                Form::Plain => values::characters(page, data),
            };
            Line::text(VARIABLE_COLUMN, format!("{name:<13}= {text}"))
                .and_text(ADDRESS_COLUMN, format!("AT X'{:08X}'", self.sqlca + offset))
        });
        std::iter::once(Line::text(COLUMN, "SQL COMMUNICATION AREA:")).chain(fields).collect()
    }
}

/// The places of the request's variables: two doublewords each, in the storage of the running statement.
fn places(request: &SqlRequest) -> Vec<SqlVariable> {
    const WORD: usize = 8;
    let count = (request.variable_count as usize).min(VARIABLES_MAX);
    let mut bytes = vec![0; count * 2 * WORD];
    if storage_access::read(request.variables.expose_provenance(), &mut bytes).is_err() {
        return Vec::new();
    }
    let word = |bytes: &[u8]| u64::from_ne_bytes(bytes.try_into().expect("eight bytes"));
    bytes.chunks_exact(2 * WORD).map(|pair| SqlVariable { address: word(&pair[..WORD]), indicator: word(&pair[WORD..]) }).collect()
}

fn integer(bytes: &[u8]) -> i64 {
    let start = if bytes[0] & 0x80 != 0 { -1 } else { 0 };
    bytes.iter().fold(start, |value, byte| value << 8 | i64::from(*byte))
}

/// A text in lines of the display.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut().filter(|line| line.len() + 1 + word.len() <= TEXT_COLUMNS) {
            Some(line) => *line = format!("{line} {word}"),
            None => lines.push(word.chars().take(TEXT_COLUMNS).collect()),
        }
    }
    lines
}

fn variable_lines(title: &str, number: usize, variable: &Variable, place: &SqlVariable) -> [Line; 2] {
    let indicator = indicator(variable, place);
    let heading = format!(
        "{title} {number:03}: TYPE={:<12} LEN={:05}, IND={indicator:03}",
        format!("{},", type_name(variable.kind)),
        shown_length(variable)
    );
    let heading = Line::text(VARIABLE_COLUMN, heading).and_text(ADDRESS_COLUMN, format!("AT X'{:08X}'", place.address));
    let length = stored_bytes(variable);
    let data = match Area::new(place.address as usize, length.min(DATA_BYTES_MAX)).read() {
        Ok(bytes) => format!("DATA=X'{}'{}", values::hexadecimal(&bytes), if length > DATA_BYTES_MAX { "..." } else { "" }),
        Err(_) => "DATA=NOT ADDRESSABLE".to_string(),
    };
    [heading, Line::text(DATA_COLUMN, data)]
}

/// The value of the indicator variable; 0 without one.
fn indicator(variable: &Variable, place: &SqlVariable) -> i64 {
    let bytes = Area::new(place.indicator as usize, 2).read().ok().filter(|_| variable.indicator && place.indicator != 0);
    bytes.map_or(0, |mut bytes| {
        if variable.indicator_reversed {
            bytes.reverse();
        }
        integer(&bytes)
    })
}

/// LEN: bytes of a number, characters of anything else.
fn shown_length(variable: &Variable) -> usize {
    let is_number = matches!(
        variable.kind,
        VariableType::SmallInt
            | VariableType::Integer
            | VariableType::BigInt
            | VariableType::Packed
            | VariableType::Real
            | VariableType::IeeeReal
            | VariableType::Double
            | VariableType::IeeeDouble
    );
    if is_number { stored_bytes(variable) } else { variable.length as usize }
}

/// Bytes a variable has in storage, with its length field.
fn stored_bytes(variable: &Variable) -> usize {
    let length = variable.length as usize;
    match variable.kind {
        VariableType::SmallInt => 2,
        VariableType::Integer | VariableType::Real | VariableType::IeeeReal => 4,
        VariableType::ClobLocator | VariableType::BlobLocator | VariableType::DbClobLocator | VariableType::ResultSetLocator => 4,
        VariableType::BigInt | VariableType::Double | VariableType::IeeeDouble => 8,
        VariableType::Packed => usize::from(variable.precision) / 2 + 1,
        VariableType::Zoned { .. } => usize::from(variable.precision),
        VariableType::SignSeparate { .. } => usize::from(variable.precision) + 1,
        VariableType::VarChar | VariableType::VarBinary => length + 2,
        VariableType::Graphic | VariableType::NulTerminatedGraphic => length * 2,
        VariableType::VarGraphic => length * 2 + 2,
        VariableType::Clob | VariableType::Blob => length + 4,
        VariableType::DbClob => length * 2 + 4,
        VariableType::Char | VariableType::NulTerminated | VariableType::Binary | VariableType::RowId | VariableType::Descriptor => length,
    }
}

/// The type as SQL names it.
fn type_name(kind: VariableType) -> &'static str {
    match kind {
        VariableType::SmallInt => "SMALLINT",
        VariableType::Integer => "INTEGER",
        VariableType::BigInt => "BIGINT",
        VariableType::Packed | VariableType::Zoned { .. } => "DECIMAL",
        VariableType::SignSeparate { .. } => "NUMERIC",
        VariableType::Real | VariableType::IeeeReal => "REAL",
        VariableType::Double | VariableType::IeeeDouble => "DOUBLE",
        VariableType::Char => "CHAR",
        VariableType::VarChar | VariableType::NulTerminated => "VARCHAR",
        VariableType::Graphic => "GRAPHIC",
        VariableType::VarGraphic | VariableType::NulTerminatedGraphic => "VARGRAPHIC",
        VariableType::Binary => "BINARY",
        VariableType::VarBinary => "VARBINARY",
        VariableType::Clob => "CLOB",
        VariableType::Blob => "BLOB",
        VariableType::DbClob => "DBCLOB",
        VariableType::ClobLocator | VariableType::BlobLocator | VariableType::DbClobLocator => "LOCATOR",
        VariableType::RowId => "ROWID",
        VariableType::ResultSetLocator => "RESULT SET",
        VariableType::Descriptor => "SQLDA",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_statement_is_shown_in_lines() {
        let text = "SELECT ".repeat(20);
        let lines = wrapped(&text);
        assert_eq!(lines.len(), 2);
        assert!(lines.iter().all(|line| line.len() <= TEXT_COLUMNS));
        assert_eq!(wrapped(&"X".repeat(200)), ["X".repeat(TEXT_COLUMNS)]);
    }

    #[test]
    fn numbers_of_the_sqlca_have_a_sign() {
        assert_eq!(integer(&[0xFF, 0xFF, 0xFC, 0xDB]), -805);
        assert_eq!(integer(&[0, 136]), 136);
    }
}
