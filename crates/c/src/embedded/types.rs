//! Types of C as far as host variables have them, and the sizes that follow from them.

use sql::VariableType;
use std::rc::Rc;

/// A type. Sizes are those of 31-bit programs: pointers and long have four bytes.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    Integer {
        bytes: u32,
        unsigned: bool,
    },
    /// A character, signed or not.
    Character,
    /// sqldbchar, wchar_t: two bytes.
    DoubleByte,
    Real {
        bytes: u32,
    },
    Structure(Rc<Structure>),
    Pointer(Box<Type>),
    /// `None`: its length is not known here.
    Array(Box<Type>, Option<u32>),
    /// SQL TYPE IS: the form and its length.
    Sql(VariableType, u32),
    /// As the source names it.
    Other(String),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Structure {
    pub is_union: bool,
    pub members: Vec<(String, Type)>,
    /// Its numbers have the least significant byte first.
    pub reversed: bool,
    /// Its members are known: it is not only declared.
    pub complete: bool,
    /// Bytes and alignment.
    size: Option<(u32, u32)>,
    nesting: u32,
}

/// Levels of pointers, arrays and structures in each other.
const NESTING_MAX: u32 = 64;

impl Structure {
    pub fn new(is_union: bool, members: Vec<(String, Type)>, reversed: bool, packed: bool) -> Structure {
        let nesting = members.iter().map(|(_, kind)| nesting(kind)).max().unwrap_or(0) + 1;
        if nesting > NESTING_MAX {
            return Structure::unknown(is_union);
        }
        let size = size_of_members(is_union, &members, packed);
        Structure { is_union, members, reversed, complete: true, size, nesting }
    }

    /// One that is only declared.
    pub fn unknown(is_union: bool) -> Structure {
        Structure { is_union, members: Vec::new(), reversed: false, complete: false, size: None, nesting: 1 }
    }

    pub fn member(&self, name: &str) -> Option<&Type> {
        self.members.iter().find(|(known, _)| known == name).map(|(_, kind)| kind)
    }

    /// The two members of a string of varying length: a halfword and characters.
    pub fn varying(&self) -> Option<(VariableType, u32)> {
        let [(_, Type::Integer { bytes: 2, .. }), (_, Type::Array(element, Some(length)))] = self.members.as_slice() else { return None };
        let kind = match **element {
            Type::Character => VariableType::VarChar,
            Type::DoubleByte => VariableType::VarGraphic,
            _ => return None,
        };
        (!self.is_union).then_some((kind, *length))
    }
}

impl Structure {
    /// A fullword length and a pointer to characters: a bounded character pointer of Db2.
    pub fn is_bounded_pointer(&self) -> bool {
        let [(_, Type::Integer { bytes: 4, .. }), (_, Type::Pointer(target))] = self.members.as_slice() else { return false };
        !self.is_union && matches!(**target, Type::Character | Type::DoubleByte)
    }
}

impl Type {
    pub fn pointer(target: Type) -> Type {
        bounded(target, Type::Pointer)
    }

    pub fn array(element: Type, length: Option<u32>) -> Type {
        bounded(element, |element| Type::Array(element, length))
    }
}

fn bounded(inner: Type, outer: impl FnOnce(Box<Type>) -> Type) -> Type {
    if nesting(&inner) < NESTING_MAX { outer(Box::new(inner)) } else { Type::Other("nested too deeply".to_string()) }
}

fn nesting(kind: &Type) -> u32 {
    match kind {
        Type::Pointer(inner) | Type::Array(inner, _) => nesting(inner) + 1,
        Type::Structure(structure) => structure.nesting,
        _ => 0,
    }
}

/// Bytes of a pointer.
const POINTER_BYTES: u32 = 4;
/// Most bytes of the length field in front of a LOB's data.
const LENGTH_BYTES: u32 = 4;

/// The bytes of a type and its alignment; `None`: unknown.
pub fn size(kind: &Type) -> Option<(u32, u32)> {
    Some(match kind {
        Type::Integer { bytes, .. } | Type::Real { bytes } => (*bytes, *bytes),
        Type::Character => (1, 1),
        Type::DoubleByte => (2, 2),
        Type::Pointer(_) => (POINTER_BYTES, POINTER_BYTES),
        Type::Array(element, count) => {
            let (bytes, alignment) = size(element)?;
            (bytes.checked_mul((*count)?)?, alignment)
        }
        Type::Structure(structure) => structure.size?,
        Type::Sql(kind, length) => sql_size(*kind, *length)?,
        Type::Other(_) => return None,
    })
}

fn size_of_members(is_union: bool, members: &[(String, Type)], packed: bool) -> Option<(u32, u32)> {
    let (mut end, mut most) = (0u32, 1);
    for (_, member) in members {
        let (bytes, alignment) = size(member)?;
        let alignment = if packed { 1 } else { alignment };
        most = most.max(alignment);
        end = match is_union {
            true => end.max(bytes),
            false => end.checked_next_multiple_of(alignment)?.checked_add(bytes)?,
        };
    }
    Some((end.checked_next_multiple_of(most)?, most))
}

fn sql_size(kind: VariableType, length: u32) -> Option<(u32, u32)> {
    use VariableType::*;
    Some(match kind {
        Binary => (length, 1),
        VarBinary | RowId => ((2 + length).next_multiple_of(2), 2),
        Clob | Blob => (length.checked_add(LENGTH_BYTES)?.checked_next_multiple_of(4)?, 4),
        DbClob => (length.checked_mul(2)?.checked_add(LENGTH_BYTES)?.checked_next_multiple_of(4)?, 4),
        _ => (4, 4),
    })
}

/// What a message calls a type.
pub fn described(kind: &Type) -> String {
    match kind {
        Type::Integer { unsigned: true, .. } => "an unsigned number".to_string(),
        Type::Integer { .. } => "a number".to_string(),
        Type::Character => "a character".to_string(),
        Type::DoubleByte => "a double-byte character".to_string(),
        Type::Real { .. } => "a floating-point number".to_string(),
        Type::Structure(structure) if structure.is_union => "a union".to_string(),
        Type::Structure(_) => "a structure".to_string(),
        Type::Pointer(_) => "a pointer".to_string(),
        Type::Array(..) => "an array".to_string(),
        Type::Sql(..) => "an SQL TYPE".to_string(),
        Type::Other(name) => format!("of type {name}"),
    }
}
