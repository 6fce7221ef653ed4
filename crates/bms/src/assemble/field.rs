//! DFHMDF.

use super::{Assembler, numbers};
use crate::attribute::{Extended, attribute_byte};
use crate::constants::*;
use crate::diagnostic::Severity;
use crate::model::{Field, FieldJustify};
use crate::operand::{Operand, Value};
use crate::source::Statement;

/// LENGTH of a field.
const FIELD_LENGTH_MAX: u32 = 256;

/// Operands seen so far that need the others before they can be judged.
#[derive(Default)]
struct Draft {
    field: Field,
    position: Option<u32>,
    length: Option<u32>,
    bits: u8,
    protection: Option<u8>,
    numeric: bool,
    attribute_given: bool,
    justify: Option<FieldJustify>,
}

impl Assembler<'_> {
    pub(super) fn build_field(&mut self, statement: &Statement, operands: &[Operand], lines: u16, columns: u16) -> Option<Field> {
        let mut draft = Draft { field: Field { name: statement.label.clone(), occurs: 1, ..Field::default() }, ..Draft::default() };
        for operand in operands {
            self.field_operand(operand, &mut draft, lines, columns);
        }
        let mut field = std::mem::take(&mut draft.field);
        let Some(position) = draft.position else {
            if !operands.iter().any(|operand| operand.key == "POS") {
                self.at(Severity::Error, statement.line, 1, "POS", "POS is missing".to_string());
            }
            return None;
        };
        field.position = position as u16;
        field.length = self.field_length(statement, operands, &draft, &field)?;
        field.extended = field.extended.or(&self.state.map_defaults.extended);
        field.attribute = attribute_byte(draft.attribute_bits());
        let default_justify = FieldJustify { right: draft.numeric, zero_fill: draft.numeric };
        field.justify = draft.justify.unwrap_or(default_justify);
        self.check_extent(statement, operands, &mut field, lines, columns);
        Some(field)
    }

    fn field_operand(&mut self, operand: &Operand, draft: &mut Draft, lines: u16, columns: u16) {
        if let Some(kind) = Extended::ALL.into_iter().find(|kind| kind.operand() == operand.key) {
            if let Some(value) = self.extended_value(operand, kind) {
                draft.field.extended.set(kind, Some(value));
            }
            return;
        }
        match operand.key.as_str() {
            "POS" => draft.position = self.position(operand, lines, columns),
            "LENGTH" => match operand.value.number().filter(|&length| length <= FIELD_LENGTH_MAX) {
                Some(length) => draft.length = Some(length),
                None => self.error(operand, format!("expected a number from 0 to {FIELD_LENGTH_MAX}")),
            },
            "ATTRB" => self.attributes(operand, draft),
            "JUSTIFY" => draft.justify = self.justify(operand),
            "INITIAL" | "XINIT" | "GINIT" => {
                if draft.field.initial.is_some() {
                    self.error(operand, "only one of INITIAL, XINIT and GINIT can be given");
                }
                draft.field.initial = self.initial(operand);
            }
            "GRPNAME" => match operand.value.word() {
                Some(name) if (1..=30).contains(&name.len()) && name.is_ascii() => draft.field.group = name.to_string(),
                _ => self.error(operand, "expected a name"),
            },
            "OCCURS" => match operand.value.number() {
                Some(count) if (1..=32_767).contains(&count) => (draft.field.occurs, draft.field.occurs_given) = (count as u16, true),
                _ => self.error(operand, "expected a number from 1"),
            },
            "PICIN" => draft.field.picture_in = self.picture(operand),
            "PICOUT" => draft.field.picture_out = self.picture(operand),
            "CASE" if operand.value.word() == Some("MIXED") => draft.field.case_mixed = true,
            "CASE" => self.error(operand, "expected MIXED"),
            "PFIELD" | "FLDSEP" => {}
            _ => self.error(operand, "DFHMDF has no such operand"),
        }
    }

    fn position(&mut self, operand: &Operand, lines: u16, columns: u16) -> Option<u32> {
        let size = lines as u32 * columns as u32;
        let position = match (numbers(&operand.value).as_deref(), &operand.value) {
            (Some(&[line, column]), _) if (1..=lines as u32).contains(&line) && (1..=columns as u32).contains(&column) => {
                Some((line - 1) * columns as u32 + column - 1)
            }
            (Some(&[number]), Value::Word(_)) if number < size => Some(number),
            _ => None,
        };
        if position.is_none() {
            self.error(
                operand,
                format!("expected (line,column) within the map's {lines} lines and {columns} columns, or a number below {size}"),
            );
        }
        position
    }

    fn attributes(&mut self, operand: &Operand, draft: &mut Draft) {
        draft.attribute_given = true;
        let Some(words) = operand.value.words() else { return self.error(operand, "expected a list of attributes") };
        let mut intensity = None;
        for word in words {
            let (protection, bits) = match word {
                "ASKIP" => (Some(FA_PROTECT | FA_NUMERIC), None),
                "PROT" => (Some(FA_PROTECT), None),
                "UNPROT" => (Some(0), None),
                "NUM" => {
                    draft.numeric = true;
                    (None, None)
                }
                "BRT" => (None, Some(FA_INT_HIGH_SEL)),
                "NORM" => (None, Some(FA_INT_NORM_NSEL)),
                "DRK" => (None, Some(FA_INT_ZERO_NSEL)),
                "DET" => {
                    draft.field.detectable = true;
                    (None, None)
                }
                "IC" => {
                    draft.field.initial_cursor = true;
                    (None, None)
                }
                "FSET" => {
                    draft.bits |= FA_MODIFY;
                    (None, None)
                }
                "" => (None, None),
                _ => {
                    self.error(operand, format!("{word}: expected ASKIP, PROT, UNPROT, NUM, BRT, NORM, DRK, DET, IC or FSET"));
                    (None, None)
                }
            };
            // The macro joins the bits: ASKIP with PROT is ASKIP, and many maps have it.
            let protection = match (draft.protection, protection) {
                (Some(earlier), Some(now)) => {
                    if (earlier == 0) != (now == 0) {
                        self.warning(operand, "UNPROT with ASKIP or PROT: the field is protected");
                    }
                    Some(earlier | now)
                }
                (earlier, now) => now.or(earlier),
            };
            if bits.is_some() && intensity.is_some() && bits != intensity {
                self.error(operand, "BRT, NORM and DRK exclude each other");
            }
            draft.protection = protection;
            intensity = bits.or(intensity);
        }
        draft.bits |= intensity.unwrap_or(FA_INT_NORM_NSEL);
        if draft.field.detectable && intensity.unwrap_or(FA_INT_NORM_NSEL) == FA_INT_NORM_NSEL {
            draft.bits |= FA_INT_NORM_SEL;
        }
    }

    fn justify(&mut self, operand: &Operand) -> Option<FieldJustify> {
        let mut justify = FieldJustify::default();
        let mut filled = false;
        for word in operand.value.words()? {
            match word {
                "LEFT" => justify.right = false,
                "RIGHT" => justify.right = true,
                "BLANK" | "ZERO" => {
                    filled = true;
                    justify.zero_fill = word == "ZERO";
                }
                _ => self.error(operand, format!("{word}: expected LEFT or RIGHT, BLANK or ZERO")),
            }
        }
        if !filled {
            justify.zero_fill = justify.right;
        }
        Some(justify)
    }

    fn initial(&mut self, operand: &Operand) -> Option<Vec<u8>> {
        let text = match (&operand.value, operand.key.as_str()) {
            (Value::Text { text, .. }, _) => text,
            (Value::Word(word), "XINIT") => word,
            _ => {
                self.error(operand, "expected a quoted string");
                return None;
            }
        };
        if operand.key == "XINIT" {
            let digits: Option<Vec<u8>> = text.chars().map(|digit| digit.to_digit(16).map(|value| value as u8)).collect();
            let Some(digits) = digits.filter(|digits| digits.len() % 2 == 0) else {
                self.error(operand, "expected an even number of hexadecimal digits");
                return None;
            };
            return Some(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect());
        }
        for character in text.chars().filter(|character| self.page.try_encode(character.encode_utf8(&mut [0; 4])).is_err()) {
            self.at(
                Severity::Warning,
                operand.line,
                operand.column,
                &operand.key,
                format!("code page {} has no {character:?}: a question mark is put", self.page.ccsid),
            );
        }
        Some(crate::text::encode(self.page, text))
    }

    fn picture(&mut self, operand: &Operand) -> Option<String> {
        let text = match &operand.value {
            Value::Text { text, .. } => text.clone(),
            Value::Word(word) => word.clone(),
            Value::List(_) => String::new(),
        };
        if picture_length(&text).is_none() {
            self.error(operand, "expected a picture of 1 to 256 characters");
            return None;
        }
        Some(text)
    }

    /// LENGTH, or by default the length of INITIAL or a picture.
    fn field_length(&mut self, statement: &Statement, operands: &[Operand], draft: &Draft, field: &Field) -> Option<u16> {
        let picture = [&field.picture_in, &field.picture_out].into_iter().flatten().find_map(|picture| picture_length(picture));
        let initial = field.initial.as_ref().map(|initial| initial.len() as u32);
        // A stopper needs no LENGTH.
        let stopper = (field.name.is_empty() && field.group.is_empty()).then_some(0);
        let Some(length) = draft.length.or(initial).or(picture).or(stopper) else {
            if !operands.iter().any(|operand| operand.key == "LENGTH") {
                self.at(
                    Severity::Error,
                    statement.line,
                    1,
                    "LENGTH",
                    "LENGTH is missing, and there is no INITIAL or picture to take it from".to_string(),
                );
            }
            return None;
        };
        if length == 0 && !field.name.is_empty() {
            self.at(Severity::Error, statement.line, 1, "LENGTH", "a named field needs a length of at least 1".to_string());
        }
        if let Some(picture) = picture.filter(|&picture| picture != length) {
            self.at(
                Severity::Warning,
                statement.line,
                1,
                "PICIN",
                format!("the picture describes {picture} characters, the field has {length}"),
            );
        }
        Some(length.min(FIELD_LENGTH_MAX) as u16)
    }

    fn check_extent(&mut self, statement: &Statement, operands: &[Operand], field: &mut Field, lines: u16, columns: u16) {
        if let Some(initial) = field.initial.as_mut().filter(|initial| initial.len() > field.length as usize) {
            initial.truncate(field.length as usize);
            if let Some(operand) = operands.iter().find(|operand| matches!(operand.key.as_str(), "INITIAL" | "XINIT" | "GINIT")) {
                self.warning(operand, format!("longer than the field, cut to {} characters", field.length));
            }
        }
        if !field.group.is_empty() && field.occurs_given {
            self.at(Severity::Error, statement.line, 1, "OCCURS", "OCCURS and GRPNAME exclude each other".to_string());
            (field.occurs, field.occurs_given) = (1, false);
        }
        let size = lines as u32 * columns as u32;
        let end = field.position as u32 + field.occurs as u32 * (field.length as u32 + 1);
        if end > size {
            let severity = if field.occurs_given { Severity::Error } else { Severity::Warning };
            self.at(severity, statement.line, 1, "LENGTH", format!("the field ends {} positions past the map", end - size));
            if field.occurs_given {
                field.occurs = 1;
            }
        }
    }
}

impl Draft {
    /// Without ATTRB a field is auto-skip; with ATTRB but without a word on protection it is unprotected.
    fn attribute_bits(&self) -> u8 {
        if !self.attribute_given {
            return FA_PROTECT | FA_NUMERIC;
        }
        self.bits | self.protection.unwrap_or(0) | if self.numeric { FA_NUMERIC } else { 0 }
    }
}

/// Character positions of a COBOL picture: repetitions counted, V P S not. Clauses may follow it after a blank (BLANK WHEN ZERO).
pub fn picture_length(picture: &str) -> Option<u32> {
    let characters: Vec<char> = picture.split_whitespace().next()?.chars().collect();
    let mut length = 0u32;
    let mut index = 0;
    let mut previous = 0;
    while index < characters.len() {
        if characters[index] == '(' {
            let close = characters[index..].iter().position(|&character| character == ')')? + index;
            let count: u32 = characters[index + 1..close]
                .iter()
                .collect::<String>()
                .parse()
                .ok()
                .filter(|&count| (1..=FIELD_LENGTH_MAX).contains(&count))?;
            length += (count - 1) * previous;
            index = close + 1;
            continue;
        }
        previous = match characters[index].to_ascii_uppercase() {
            'V' | 'P' | 'S' => 0,
            // CR and DB are two characters each and are counted letter by letter.
            _ => 1,
        };
        length += previous;
        index += 1;
    }
    (1..=FIELD_LENGTH_MAX).contains(&length).then_some(length)
}
