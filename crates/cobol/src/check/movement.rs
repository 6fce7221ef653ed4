//! The legal MOVEs: Language Reference, MOVE statement, "Elementary moves".

use crate::program::Category;

/// The legality of a MOVE between two categories.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Legality {
    Legal,
    /// Not legal, but its meaning is plain: done, with a message.
    Doubtful(&'static str),
    Illegal(&'static str),
}

/// The sender of a MOVE.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sender {
    Item(Category),
    /// Numeric literal or function; with decimals or without.
    Number {
        integer: bool,
    },
    Float,
    Text,
    /// SPACE.
    Space,
    /// ZERO and ALL of digits.
    Zero,
    /// HIGH-VALUE, LOW-VALUE, QUOTE, ALL literal.
    Figurative,
    National,
    Utf8,
    Dbcs,
    Address,
}

/// Whether `sender` can be moved to an item of category `to`. `integer`: the numeric sender has no decimals.
pub fn legality(sender: Sender, integer: bool, to: Category) -> Legality {
    use Category::*;
    use Legality::*;
    if matches!(to, Index) {
        return Illegal("an index cannot be the receiver of MOVE; use SET");
    }
    if matches!(to, Pointer | ProcedurePointer | FunctionPointer | ObjectReference) {
        return Illegal("a pointer cannot be the receiver of MOVE; use SET");
    }
    match sender {
        Sender::Item(Index) => return Illegal("an index cannot be moved; use SET"),
        Sender::Item(Pointer | ProcedurePointer | FunctionPointer | ObjectReference) | Sender::Address => {
            return Illegal("a pointer cannot be moved; use SET");
        }
        Sender::Item(Group) => return Legal,
        _ if to == Group => return Legal,
        _ => {}
    }
    let to_number = matches!(to, Numeric | NumericEdited | InternalFloat | ExternalFloat);
    let to_national = matches!(to, National | NationalEdited);
    match sender {
        Sender::Item(category) => from_item(category, integer, to, to_number, to_national),
        Sender::Number { integer } => from_number(integer, to),
        Sender::Float => match to {
            Alphabetic | Alphanumeric | AlphanumericEdited | National | NationalEdited | Utf8 | Dbcs => {
                Illegal("a floating-point value cannot be moved to this item")
            }
            _ => Legal,
        },
        Sender::Text => {
            if to == Dbcs {
                Illegal("an alphanumeric value cannot be moved to a DBCS item")
            } else {
                Legal
            }
        }
        Sender::Space if to_number && to != NumericEdited => Doubtful("SPACE is moved to a numeric item"),
        Sender::Figurative if to_number && to != NumericEdited => Doubtful("this figurative constant is moved to a numeric item"),
        Sender::Zero if to == Alphabetic => Doubtful("ZERO is moved to an alphabetic item"),
        Sender::Zero | Sender::Space | Sender::Figurative => Legal,
        Sender::National => {
            if to_national || to_number || to == Utf8 {
                Legal
            } else {
                Illegal("a national value cannot be moved to this item")
            }
        }
        Sender::Utf8 => {
            if to_national || to == Utf8 {
                Legal
            } else {
                Illegal("a UTF-8 value cannot be moved to this item; DISPLAY-OF converts it")
            }
        }
        Sender::Address => Illegal("a pointer cannot be moved; use SET"),
        Sender::Dbcs => {
            if to == Dbcs || to_national {
                Legal
            } else {
                Illegal("a DBCS value cannot be moved to this item")
            }
        }
    }
}

fn from_item(category: Category, integer: bool, to: Category, to_number: bool, to_national: bool) -> Legality {
    use Category::*;
    use Legality::*;
    match category {
        Alphabetic if to_number => Doubtful("an alphabetic item is moved to a numeric one"),
        AlphanumericEdited if to_number => Doubtful("an alphanumeric-edited item is moved to a numeric one"),
        NumericEdited if to == Alphabetic => Illegal("a numeric-edited item cannot be moved to an alphabetic one"),
        Alphabetic | Alphanumeric | AlphanumericEdited | NumericEdited if to == Dbcs => Illegal("this item cannot be moved to a DBCS item"),
        Numeric => from_number(integer, to),
        Utf8 if !to_national && to != Utf8 => Illegal("a UTF-8 item cannot be moved to this item; DISPLAY-OF converts it"),
        InternalFloat | ExternalFloat => match to {
            Alphabetic | Alphanumeric | AlphanumericEdited | National | NationalEdited | Utf8 | Dbcs => {
                Illegal("a floating-point item cannot be moved to this item")
            }
            _ => Legal,
        },
        National | NationalEdited if !to_national && !to_number && to != Utf8 => Illegal("a national item cannot be moved to this item"),
        Dbcs if to != Dbcs && !to_national => Illegal("a DBCS item cannot be moved to this item"),
        _ => Legal,
    }
}

fn from_number(integer: bool, to: Category) -> Legality {
    use Category::*;
    use Legality::*;
    match to {
        Alphabetic => Doubtful("a number is moved to an alphabetic item"),
        Dbcs => Illegal("a number cannot be moved to a DBCS item"),
        Utf8 => Illegal("a number cannot be moved to a UTF-8 item"),
        Alphanumeric | AlphanumericEdited | National | NationalEdited if !integer => {
            Doubtful("a number with decimal places is moved to an alphanumeric item; its digits are moved without the decimal point")
        }
        _ => Legal,
    }
}
