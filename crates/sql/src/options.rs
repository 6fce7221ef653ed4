//! Options of the coprocessor and of dynamic SQL that change the translation.

/// Options of the coprocessor that change the translation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitOptions {
    /// DEC(15) or DEC(31).
    pub decimal_precision: u8,
    /// Decimal point is a comma.
    pub comma: bool,
    /// The program's CCSID, for literals in hexadecimal.
    pub ccsid: u16,
    /// APOSTSQL (the default) or QUOTESQL.
    pub quote_sql: bool,
    /// Characters compare and sort in the sequence of the EBCDIC code page.
    pub ebcdic_order: bool,
}

impl Default for UnitOptions {
    fn default() -> UnitOptions {
        UnitOptions { decimal_precision: 15, comma: false, ccsid: 37, quote_sql: false, ebcdic_order: true }
    }
}

/// Options of dynamic SQL are those of the program that prepares it.
pub type DynamicOptions = UnitOptions;
