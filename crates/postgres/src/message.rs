//! Messages of the server, as views of the bytes received.
//!
//! Invariant: a view is only made of a whole message, and every length in it is checked before it is used: no input panics.

use crate::error::{Broken, ServerError};
use std::str::from_utf8;

/// A message of the server. Notices, parameters and notifications are not among them: the session keeps them.
#[derive(Debug)]
pub enum Message<'a> {
    ParseComplete,
    BindComplete,
    CloseComplete,
    NoData,
    ParameterDescription(Parameters<'a>),
    RowDescription(RowDescription<'a>),
    DataRow(Row<'a>),
    /// The command tag: `UPDATE 3`.
    CommandComplete(&'a str),
    EmptyQuery,
    /// The portal has more rows than were asked for.
    Suspended,
    CopyIn,
    CopyOut,
    CopyData(&'a [u8]),
    CopyDone,
    Error(Box<ServerError>),
    ReadyForQuery(u8),
    Authentication {
        kind: i32,
        body: &'a [u8],
    },
    BackendKey {
        process: i32,
        secret: i32,
    },
}

/// Messages that the session takes for itself.
pub(crate) enum Aside<'a> {
    Notice(Box<ServerError>),
    Parameter(&'a str, &'a str),
    Ignored,
}

pub(crate) enum Decoded<'a> {
    Message(Message<'a>),
    Aside(Aside<'a>),
}

const MALFORMED: Broken = Broken::Protocol("a malformed message");

pub(crate) fn decode(tag: u8, body: &[u8]) -> Result<Decoded<'_>, Broken> {
    let mut reader = Reader { bytes: body };
    let message = match tag {
        b'1' => Message::ParseComplete,
        b'2' => Message::BindComplete,
        b'3' => Message::CloseComplete,
        b'n' => Message::NoData,
        b't' => Message::ParameterDescription(Parameters::new(body).ok_or(MALFORMED)?),
        b'T' => Message::RowDescription(RowDescription::new(body).ok_or(MALFORMED)?),
        b'D' => Message::DataRow(Row::new(body).filter(Row::is_whole).ok_or(MALFORMED)?),
        b'C' => Message::CommandComplete(reader.text().ok_or(MALFORMED)?),
        b'I' => Message::EmptyQuery,
        b's' => Message::Suspended,
        b'G' => Message::CopyIn,
        b'H' => Message::CopyOut,
        b'd' => Message::CopyData(body),
        b'c' => Message::CopyDone,
        b'E' => Message::Error(Box::new(server_error(reader))),
        b'Z' => Message::ReadyForQuery(*body.first().ok_or(MALFORMED)?),
        b'R' => Message::Authentication { kind: reader.i32().ok_or(MALFORMED)?, body: reader.bytes },
        b'K' => Message::BackendKey { process: reader.i32().ok_or(MALFORMED)?, secret: reader.i32().ok_or(MALFORMED)? },
        b'N' => return Ok(Decoded::Aside(Aside::Notice(Box::new(server_error(reader))))),
        b'S' => {
            let (name, value) = (reader.text().ok_or(MALFORMED)?, reader.text().ok_or(MALFORMED)?);
            return Ok(Decoded::Aside(Aside::Parameter(name, value)));
        }
        b'A' | b'v' => return Ok(Decoded::Aside(Aside::Ignored)),
        _ => return Err(Broken::Protocol("an unknown message")),
    };
    Ok(Decoded::Message(message))
}

#[derive(Clone, Copy, Debug)]
struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (head, tail) = self.bytes.split_at_checked(length)?;
        self.bytes = tail;
        Some(head)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn i16(&mut self) -> Option<i16> {
        self.array().map(i16::from_be_bytes)
    }

    fn i32(&mut self) -> Option<i32> {
        self.array().map(i32::from_be_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_be_bytes)
    }

    /// Up to a zero byte, which is taken too.
    fn text(&mut self) -> Option<&'a str> {
        let end = self.bytes.iter().position(|byte| *byte == 0)?;
        let text = from_utf8(self.take(end)?).ok()?;
        self.take(1)?;
        Some(text)
    }
}

/// The field types of an error or notice (protocol documentation, "Error and Notice Message Fields").
mod field {
    pub const SEVERITY: u8 = b'S';
    /// Never translated; preferred.
    pub const SEVERITY_NONLOCALIZED: u8 = b'V';
    pub const CODE: u8 = b'C';
    pub const MESSAGE: u8 = b'M';
    pub const DETAIL: u8 = b'D';
    pub const HINT: u8 = b'H';
    pub const POSITION: u8 = b'P';
    pub const CONTEXT: u8 = b'W';
    pub const SCHEMA: u8 = b's';
    pub const TABLE: u8 = b't';
    pub const COLUMN: u8 = b'c';
    pub const DATA_TYPE: u8 = b'd';
    pub const CONSTRAINT: u8 = b'n';
}

/// What of the fields is there: a server's error is told even if it is not well formed.
fn server_error(mut reader: Reader) -> ServerError {
    let mut error = ServerError::default();
    while let Some(&[kind]) = reader.take(1).map(|byte| <&[u8; 1]>::try_from(byte).unwrap_or(&[0])) {
        let Some(end) = reader.bytes.iter().position(|byte| *byte == 0).filter(|_| kind != 0) else { break };
        let text = String::from_utf8_lossy(&reader.bytes[..end]).into_owned();
        reader.bytes = &reader.bytes[end + 1..];
        match kind {
            field::SEVERITY if error.severity.is_empty() => error.severity = text,
            field::SEVERITY_NONLOCALIZED => error.severity = text,
            field::CODE => error.code = text,
            field::MESSAGE => error.message = text,
            field::DETAIL => error.detail = text,
            field::HINT => error.hint = text,
            field::POSITION => error.position = text.parse().unwrap_or(0),
            field::CONTEXT => error.context = text,
            field::SCHEMA => error.schema = text,
            field::TABLE => error.table = text,
            field::COLUMN => error.column = text,
            field::DATA_TYPE => error.data_type = text,
            field::CONSTRAINT => error.constraint = text,
            _ => {}
        }
    }
    error
}

/// The types of a statement's parameters.
#[derive(Clone, Copy, Debug)]
pub struct Parameters<'a> {
    reader: Reader<'a>,
}

impl<'a> Parameters<'a> {
    fn new(body: &'a [u8]) -> Option<Parameters<'a>> {
        let mut reader = Reader { bytes: body };
        let count = usize::try_from(reader.i16()?).ok()?;
        (reader.bytes.len() == 4 * count).then_some(Parameters { reader })
    }

    /// Object identifiers of the types.
    pub fn types(&self) -> impl Iterator<Item = u32> + 'a {
        let mut reader = self.reader;
        std::iter::from_fn(move || reader.u32())
    }
}

/// A column of a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column<'a> {
    pub name: &'a str,
    /// The table it is of, and its number there; 0: it is computed.
    pub table: u32,
    pub number: i16,
    pub data_type: u32,
    /// Bytes of a value; negative: they vary.
    pub length: i16,
    /// Length of a character type, precision and scale of a number: -1 if there is none.
    pub modifier: i32,
    pub is_binary: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct RowDescription<'a> {
    reader: Reader<'a>,
    count: usize,
}

impl<'a> RowDescription<'a> {
    fn new(body: &'a [u8]) -> Option<RowDescription<'a>> {
        let mut reader = Reader { bytes: body };
        let count = usize::try_from(reader.i16()?).ok()?;
        let description = RowDescription { reader, count };
        (description.columns().count() == count).then_some(description)
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub fn columns(&self) -> impl Iterator<Item = Column<'a>> + 'a {
        let mut reader = self.reader;
        (0..self.count).map_while(move |_| {
            Some(Column {
                name: reader.text()?,
                table: reader.u32()?,
                number: reader.i16()?,
                data_type: reader.u32()?,
                length: reader.i16()?,
                modifier: reader.i32()?,
                is_binary: reader.i16()? == 1,
            })
        })
    }
}

/// A row of a result.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    body: &'a [u8],
    reader: Reader<'a>,
    count: usize,
}

impl<'a> Row<'a> {
    /// The values of a row that a caller kept: [`Row::bytes`].
    pub fn new(body: &'a [u8]) -> Option<Row<'a>> {
        let mut reader = Reader { bytes: body };
        let count = usize::try_from(reader.i16()?).ok()?;
        Some(Row { body, reader, count })
    }

    /// The row as it was received, from which [`Row::new`] makes it again.
    pub fn bytes(&self) -> &'a [u8] {
        self.body
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether the values fill the row exactly.
    fn is_whole(&self) -> bool {
        let mut columns = self.columns();
        columns.by_ref().count() == self.count && columns.reader.bytes.is_empty()
    }

    /// The values in order; `None` is NULL.
    pub fn columns(&self) -> Columns<'a> {
        Columns { reader: self.reader, left: self.count }
    }
}

/// The values of a row.
#[derive(Clone, Debug)]
pub struct Columns<'a> {
    reader: Reader<'a>,
    left: usize,
}

impl<'a> Iterator for Columns<'a> {
    type Item = Option<&'a [u8]>;

    #[inline]
    fn next(&mut self) -> Option<Option<&'a [u8]>> {
        self.left = self.left.checked_sub(1)?;
        match self.reader.i32()? {
            -1 => Some(None),
            length => self.reader.take(usize::try_from(length).ok()?).map(Some),
        }
    }
}
