//! CAST.

use super::{Emitter, Place};
use crate::ast::{DataType, Expression, ExpressionKind};
use crate::problem::Problem;

impl Emitter<'_> {
    /// CAST(value AS to): Db2 truncates where PostgreSQL rounds.
    pub fn cast(&mut self, value: &Expression, to: &DataType) -> Result<String, Problem> {
        use DataType::*;
        let bare = matches!(value.kind, ExpressionKind::Null | ExpressionKind::Marker(_));
        if bare {
            let text = self.value(value, &Place::Alone)?;
            return Ok(format!("{text}::{}", self.type_name(to)?));
        }
        let from = self.type_of(value);
        let exact = from.as_ref().is_some_and(DataType::is_integer);
        let place = if to.is_datetime() { Place::Assigned(Some(to.clone())) } else { Place::Alone };
        let typed = matches!(value.kind, ExpressionKind::Host(_));
        let text = self.value(value, if typed { &Place::Alone } else { &place })?;
        Ok(match to {
            SmallInt | Integer | BigInt if exact => format!("{text}::{}", type_name(to)),
            SmallInt => format!("db2.smallint({text})"),
            Integer => format!("db2.integer({text})"),
            BigInt => format!("db2.bigint({text})"),
            Decimal { precision, scale } => format!("db2.to_decimal({text}, {precision}, {scale})"),
            DecFloat { digits: 34 } => format!("db2.decfloat({text})"),
            DecFloat { digits } => format!("db2.decfloat({text}, {digits})"),
            Real => format!("db2.real({text})"),
            Double => format!("db2.double({text})"),
            Char { length, bits: false } | Graphic { length } => format!("db2.to_char({text}, {length})"),
            VarChar { length, bits: false } | VarGraphic { length } => format!("db2.to_varchar({text}, {length})"),
            Clob { .. } | DbClob { .. } => format!("db2.clob({text})"),
            Char { .. } | VarChar { .. } | Binary { .. } | VarBinary { .. } | Blob { .. } => format!("db2.blob({text})"),
            Date => format!("db2.date({text})"),
            Time => format!("db2.time({text})"),
            Timestamp { .. } => format!("db2.timestamp({text})"),
            RowId => format!("{text}::bytea"),
            Xml => format!("{text}::xml"),
            Distinct(_) => format!("{text}::{}", self.type_name(to)?),
        })
    }
}

impl Emitter<'_> {
    /// The type of the server, which has to be one of the application if Db2 does not have it.
    pub fn type_name(&mut self, data_type: &DataType) -> Result<String, Problem> {
        match data_type {
            DataType::Distinct(name) => self.names.distinct_type(name),
            _ => Ok(type_name(data_type)),
        }
    }

    /// A value where one of type `to` stands: Db2 converts strings to numbers, dates and times, PostgreSQL constants alone.
    pub fn converted(&mut self, value: &Expression, to: &DataType) -> Result<String, Problem> {
        let string = self.type_of(value).is_some_and(|data_type| data_type.is_character());
        let constant = matches!(value.kind, ExpressionKind::Literal(_));
        if constant && string {
            let text = self.value(value, &Place::Compared(Some(to.clone())))?;
            return Ok(if to.is_number() { format!("{text}::numeric") } else { text });
        }
        let text = self.value(value, &Place::Alone)?;
        Ok(match to {
            _ if !string => text,
            DataType::Date => format!("db2.date({text})"),
            DataType::Time => format!("db2.time({text})"),
            DataType::Timestamp { .. } => format!("db2.timestamp({text})"),
            _ if to.is_number() => format!("db2.decfloat({text})"),
            _ => text,
        })
    }
}

/// The type of the server for a type of Db2.
fn type_name(data_type: &DataType) -> String {
    use DataType::*;
    match data_type {
        SmallInt => "int2".to_string(),
        Integer => "int4".to_string(),
        BigInt => "int8".to_string(),
        Decimal { precision, scale } => format!("numeric({precision},{scale})"),
        DecFloat { .. } => "numeric".to_string(),
        Real => "float4".to_string(),
        Double => "float8".to_string(),
        Char { length, bits: false } | Graphic { length } => format!("char({length})"),
        VarChar { length: 0, bits: false } | VarGraphic { length: 0 } => "varchar".to_string(),
        VarChar { length, bits: false } | VarGraphic { length } => format!("varchar({length})"),
        Clob { .. } | DbClob { .. } => "text".to_string(),
        Char { .. } | VarChar { .. } | Binary { .. } | VarBinary { .. } | Blob { .. } | RowId => "bytea".to_string(),
        Date => "date".to_string(),
        Time => "time(0)".to_string(),
        Timestamp { precision, zone } => {
            const PRECISION_MAX: u8 = 6;
            format!("timestamp({}){}", precision.min(&PRECISION_MAX), if *zone { " with time zone" } else { "" })
        }
        Xml => "xml".to_string(),
        Distinct(name) => crate::names::object(name),
    }
}
