//! Data types with their lengths, FOR BIT DATA and CCSID clauses.

use super::Parser;
use crate::ast::DataType;
use crate::lexer::{Literal, TokenKind};
use crate::problem::Problem;

/// Bytes that the units of a LOB's length stand for.
const UNITS: &[(&str, u64)] = &[("K", 1 << 10), ("M", 1 << 20), ("G", 1 << 30)];

impl Parser<'_> {
    pub fn data_type(&mut self) -> Result<DataType, Problem> {
        let name = self.name()?;
        if !name.qualifiers().is_empty() {
            return Ok(DataType::Distinct(name));
        }
        let data_type = match name.last() {
            "SMALLINT" => DataType::SmallInt,
            "INTEGER" | "INT" => DataType::Integer,
            "BIGINT" => DataType::BigInt,
            "DECIMAL" | "DEC" | "NUMERIC" => self.decimal()?,
            "DECFLOAT" => DataType::DecFloat { digits: self.length()?.unwrap_or(34) as u8 },
            "REAL" => DataType::Real,
            "DOUBLE" => {
                self.take("PRECISION");
                DataType::Double
            }
            "FLOAT" => match self.length()? {
                Some(digits) if digits <= 21 => DataType::Real,
                _ => DataType::Double,
            },
            "CHAR" | "CHARACTER" => self.character()?,
            "VARCHAR" => self.varying_character()?,
            "CLOB" => self.clob()?,
            "GRAPHIC" => DataType::Graphic { length: self.length()?.unwrap_or(1) as u32 },
            "VARGRAPHIC" => DataType::VarGraphic { length: self.length()?.unwrap_or(1) as u32 },
            "DBCLOB" => DataType::DbClob { length: self.length()?.unwrap_or(1 << 20) },
            "BINARY" => self.binary()?,
            "VARBINARY" => DataType::VarBinary { length: self.length()?.unwrap_or(1) as u32 },
            "BLOB" => DataType::Blob { length: self.length()?.unwrap_or(1 << 20) },
            "DATE" => DataType::Date,
            "TIME" => DataType::Time,
            "TIMESTAMP" => self.timestamp()?,
            "ROWID" => DataType::RowId,
            "XML" => DataType::Xml,
            "LONG" => self.long()?,
            _ if self.at_symbol("(") => return Err(Problem::not_a_type(name.offset, name.last())),
            _ => return Ok(DataType::Distinct(name)),
        };
        self.character_clauses(data_type)
    }

    fn decimal(&mut self) -> Result<DataType, Problem> {
        let offset = self.offset();
        let (mut precision, mut scale) = (5, 0);
        if self.take_symbol("(") {
            precision = self.unsigned()?;
            if self.take_symbol(",") {
                scale = self.unsigned()?;
            }
            self.expect_symbol(")")?;
        }
        if precision == 0 || precision > 31 || scale > precision {
            return Err(Problem::new(-604, "42611", offset, &["DECIMAL"], "the precision or scale of the decimal type is not valid"));
        }
        Ok(DataType::Decimal { precision: precision as u8, scale: scale as u8 })
    }

    /// (n), with a unit K, M or G and CODEUNITS or OCTETS.
    fn length(&mut self) -> Result<Option<u64>, Problem> {
        if !self.take_symbol("(") {
            return Ok(None);
        }
        let mut length = self.unsigned()?;
        if let Some((_, unit)) = UNITS.iter().find(|(word, _)| self.at_word(word)) {
            self.next();
            length = length.saturating_mul(*unit);
        }
        self.take_one(&["OCTETS", "CODEUNITS16", "CODEUNITS32"]);
        self.expect_symbol(")")?;
        if length == 0 || length > 1 << 31 {
            return Err(Problem::new(-604, "42611", self.offset(), &["LENGTH"], "the length of the data type is not valid"));
        }
        Ok(Some(length))
    }

    fn character(&mut self) -> Result<DataType, Problem> {
        if self.take("VARYING") {
            return self.varying_character();
        }
        if self.take_words(&["LARGE", "OBJECT"]) {
            return self.clob();
        }
        Ok(DataType::Char { length: self.length()?.unwrap_or(1) as u32, bits: false })
    }

    /// VARCHAR without a length is that of a CAST, which keeps the length of its operand.
    fn varying_character(&mut self) -> Result<DataType, Problem> {
        Ok(DataType::VarChar { length: self.length()?.unwrap_or(0) as u32, bits: false })
    }

    fn clob(&mut self) -> Result<DataType, Problem> {
        Ok(DataType::Clob { length: self.length()?.unwrap_or(1 << 20) })
    }

    fn binary(&mut self) -> Result<DataType, Problem> {
        if self.take("VARYING") {
            return Ok(DataType::VarBinary { length: self.length()?.unwrap_or(1) as u32 });
        }
        if self.take_words(&["LARGE", "OBJECT"]) {
            return Ok(DataType::Blob { length: self.length()?.unwrap_or(1 << 20) });
        }
        Ok(DataType::Binary { length: self.length()?.unwrap_or(1) as u32 })
    }

    fn long(&mut self) -> Result<DataType, Problem> {
        const LONG_LENGTH: u32 = 32_704;
        match self.take_one(&["VARCHAR", "VARGRAPHIC"]) {
            Some("VARCHAR") => Ok(DataType::VarChar { length: LONG_LENGTH, bits: false }),
            Some(_) => Ok(DataType::VarGraphic { length: LONG_LENGTH / 2 }),
            None => Err(self.unexpected("VARCHAR VARGRAPHIC")),
        }
    }

    fn timestamp(&mut self) -> Result<DataType, Problem> {
        let mut precision = 6;
        if self.at_symbol("(") && matches!(self.ahead(1).kind, TokenKind::Literal(Literal::Integer(_))) {
            self.next();
            precision = self.unsigned()?;
            self.expect_symbol(")")?;
        }
        if precision > 12 {
            return Err(Problem::new(-604, "42611", self.offset(), &["TIMESTAMP"], "the precision of the timestamp type is not valid"));
        }
        let zone = self.take_words(&["WITH", "TIME", "ZONE"]);
        if !zone {
            self.take_words(&["WITHOUT", "TIME", "ZONE"]);
        }
        Ok(DataType::Timestamp { precision: precision as u8, zone })
    }

    /// FOR BIT | SBCS | MIXED DATA and CCSID.
    fn character_clauses(&mut self, mut data_type: DataType) -> Result<DataType, Problem> {
        loop {
            if self.at_word("FOR") && self.ahead(2).is_word("DATA") {
                self.next();
                let subtype = self.take_one(&["BIT", "SBCS", "MIXED"]).ok_or_else(|| self.unexpected("BIT SBCS MIXED"))?;
                self.expect("DATA")?;
                if let DataType::Char { bits, .. } | DataType::VarChar { bits, .. } = &mut data_type {
                    *bits = subtype == "BIT";
                }
            } else if self.take("CCSID") {
                if self.take_one(&["EBCDIC", "ASCII", "UNICODE"]).is_none() {
                    self.unsigned()?;
                }
            } else {
                return Ok(data_type);
            }
        }
    }
}
