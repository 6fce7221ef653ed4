//! INITIALIZE of elementary items (Language Reference, "INITIALIZE statement").
//!
//! `unsafe` here writes the item: see `lib.rs`.

use crate::attributes::{Attributes, Usage};
use crate::movement::{Figurative, move_figurative};
use crate::session::Session;

/// Sets an elementary item to the default of its category: zero for numeric and numeric-edited items, spaces for characters, null for
/// pointers and zero for indexes. It also initializes items without VALUE on request.
///
/// # Safety
/// The area must be writable for the length of its attributes.
pub unsafe fn initialize(area: *mut u8, attributes: &Attributes, session: &Session) {
    let figurative = match attributes.usage {
        Usage::Zoned
        | Usage::Packed
        | Usage::Binary
        | Usage::NativeBinary
        | Usage::NationalZoned
        | Usage::NumericEdited
        | Usage::NationalNumericEdited
        | Usage::FloatDisplay
        | Usage::Float4
        | Usage::Float8 => Figurative::Zero,
        Usage::Index | Usage::Pointer | Usage::FunctionPointer => {
            area.write_bytes(0, attributes.length as usize);
            return;
        }
        Usage::Dbcs => {
            area.write_bytes(session.code_page.space, attributes.length as usize);
            return;
        }
        _ => Figurative::Space,
    };
    move_figurative(figurative, area, attributes, session);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_of_categories() {
        let session = Session::ebcdic();
        let initial = |attributes: Attributes| {
            let mut area = vec![0xEE; attributes.length as usize];
            unsafe { initialize(area.as_mut_ptr(), &attributes, &session) };
            area
        };
        assert_eq!(initial(Attributes::packed(3, 1, true)), [0x00, 0x0C]);
        assert_eq!(initial(Attributes::packed(3, 1, false)), [0x00, 0x0F]);
        assert_eq!(initial(Attributes::binary(4, 0, true)), [0, 0]);
        assert_eq!(initial(Attributes::float4()), [0, 0, 0, 0]);
        assert_eq!(initial(Attributes::alphanumeric(2)), [0x40, 0x40]);
        assert_eq!(initial(Attributes::national(4)), [0, 0x20, 0, 0x20]);
        assert_eq!(initial(Attributes::new(Usage::Pointer, 4)), [0; 4]);
    }
}
