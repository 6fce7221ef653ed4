//! A structure that a parameter of an exit point leads to, filled in field by field (`exec/tables/exit_structures.tsv`).

use super::packed::pack;
use crate::code_page::RegionCodePage;
use exec::{ExitForm, ExitStructure, exit_structure};

/// The bytes of a structure: zeros, and blanks in its fields of characters.
pub struct ExitRecord<'a> {
    structure: &'static ExitStructure,
    code_page: &'a RegionCodePage,
    bytes: Vec<u8>,
}

impl<'a> ExitRecord<'a> {
    pub fn new(structure: &str, code_page: &'a RegionCodePage) -> Self {
        let structure = exit_structure(structure);
        let mut bytes = vec![0; structure.length()];
        for field in &structure.fields {
            if let ExitForm::Text(length) = field.form {
                bytes[field.offset..field.offset + length].fill(code_page.space());
            }
        }
        Self { structure, code_page, bytes }
    }

    pub fn text(mut self, field: &str, text: &str) -> Self {
        let field = self.structure.field(field);
        self.code_page.fill(text, &mut self.bytes[field.offset..field.offset + field.form.length()]);
        self
    }

    /// A number, an address or a packed decimal; digits that the field does not hold are cut.
    pub fn number(mut self, field: &str, value: u64) -> Self {
        let field = self.structure.field(field);
        let place = &mut self.bytes[field.offset..field.offset + field.form.length()];
        match field.form {
            ExitForm::Packed(_) => pack(place, value),
            _ => {
                let bytes = value.to_be_bytes();
                place.copy_from_slice(&bytes[bytes.len() - place.len()..]);
            }
        }
        self
    }

    /// A structure that a program has filled in.
    pub fn of_bytes(structure: &str, code_page: &'a RegionCodePage, bytes: Vec<u8>) -> Self {
        let structure = exit_structure(structure);
        debug_assert_eq!(bytes.len(), structure.length());
        Self { structure, code_page, bytes }
    }

    pub fn bytes_of(mut self, field: &str, bytes: &[u8]) -> Self {
        let field = self.structure.field(field);
        self.bytes[field.offset..field.offset + bytes.len().min(field.form.length())].copy_from_slice(bytes);
        self
    }

    /// The text of a field, without blanks at its end.
    pub fn get(&self, field: &str) -> String {
        let field = self.structure.field(field);
        self.code_page.text(&self.bytes[field.offset..field.offset + field.form.length()]).trim_end().to_string()
    }

    /// The number in a field.
    pub fn value(&self, field: &str) -> u64 {
        let field = self.structure.field(field);
        self.bytes[field.offset..field.offset + field.form.length()].iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
    }

    /// Whether a field has the value of this name.
    pub fn is(&self, field: &str, value: &str) -> bool {
        self.get(field) == self.structure.value(value)
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_their_form() {
        let page = RegionCodePage::new(RegionCodePage::by_ccsid(37).unwrap());
        let bytes = ExitRecord::new("DFHPCUE", &page).number("PCUE_TASK_NUMBER", 1234).text("PCUE_TRANSACTION_ID", "AB").into_bytes();
        assert_eq!(bytes[1..8], [0x01, 0x23, 0x4C, 0xC1, 0xC2, 0x40, 0x40]);
        assert_eq!(bytes.len(), exit_structure("DFHPCUE").length());
    }
}
