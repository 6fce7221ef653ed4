//! The kind of comparison for two operands: Language Reference, "Relation conditions", comparison tables.

use crate::program::*;

/// The property of an operand that decides the comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Fixed-point number; `integer`: an integer item or literal, which can also be compared as text.
    Numeric {
        integer: bool,
    },
    Float,
    /// Alphanumeric, alphabetic, edited, group.
    Text,
    Group,
    National,
    /// Converted to UTF-8 and compared by bytes, which is the order of code points.
    Utf8,
    Dbcs,
    IndexName,
    IndexItem,
    Pointer,
    ProcedurePointer,
    /// ZERO.
    Zero,
    /// Other figurative constants and ALL literals.
    Figurative,
    Null,
}

/// The comparison, or why there is none.
pub fn kind(left: Side, right: Side) -> Result<CompareKind, &'static str> {
    use Side::*;
    Ok(match (left, right) {
        (Pointer | Null, Pointer | Null) => CompareKind::Pointer,
        (ProcedurePointer | Null, ProcedurePointer | Null) => CompareKind::Pointer,
        (ProcedurePointer, Pointer) | (Pointer, ProcedurePointer) => CompareKind::Pointer,
        // 31-bit addresses held in binary items are compared with pointers in older programs.
        (Pointer | Null, Numeric { .. } | Zero) | (Numeric { .. } | Zero, Pointer | Null) => CompareKind::Numeric,
        (Pointer | ProcedurePointer, _) | (_, Pointer | ProcedurePointer) => {
            return Err("a pointer can be compared with a pointer or NULL only");
        }
        (Null, _) | (_, Null) => CompareKind::Alphanumeric,
        (IndexName | IndexItem, IndexName | IndexItem) => CompareKind::Index,
        (IndexName, Numeric { .. } | Zero) | (Numeric { .. } | Zero, IndexName) => CompareKind::Index,
        (IndexItem, Numeric { .. } | Zero) | (Numeric { .. } | Zero, IndexItem) => CompareKind::Index,
        (IndexName | IndexItem, _) | (_, IndexName | IndexItem) => return Err("an index can be compared with an index or an integer only"),
        (Float, Numeric { .. } | Float | Zero) | (Numeric { .. } | Zero, Float) => CompareKind::Float,
        (Numeric { .. } | Zero, Numeric { .. } | Zero) => {
            if left == Zero && right == Zero {
                CompareKind::Alphanumeric
            } else {
                CompareKind::Numeric
            }
        }
        (Float, _) | (_, Float) => return Err("a floating-point operand can be compared with a numeric operand only"),
        (Utf8, Numeric { .. } | Dbcs) | (Numeric { .. } | Dbcs, Utf8) => {
            return Err("a UTF-8 operand can be compared with alphanumeric, national and UTF-8 operands only");
        }
        (Utf8, _) | (_, Utf8) => CompareKind::National,
        (National, Dbcs) | (Dbcs, National) => CompareKind::National,
        (National, _) | (_, National) => CompareKind::National,
        (Numeric { integer: true }, _) | (_, Numeric { integer: true }) => CompareKind::Alphanumeric,
        (Numeric { .. }, Group) | (Group, Numeric { .. }) => CompareKind::Alphanumeric,
        (Numeric { .. }, _) | (_, Numeric { .. }) => {
            return Err("a numeric operand that is not an integer item or literal cannot be compared with an alphanumeric one");
        }
        _ => CompareKind::Alphanumeric,
    })
}
