//! Host variables: data items of the program as SQL sees them.

use super::super::Parser;
use super::super::cursor::Parsed;
use crate::lexer::ExecBlock;
use crate::names::QualifiedName;
use crate::program::*;
use ::sql::{HostReference, Variable, VariableType};

/// One elementary host variable.
pub struct HostVariable {
    pub variable: Variable,
    pub data: Reference,
    pub indicator: Option<Reference>,
}

/// Level of the length and the text of a varying string.
const VARYING_LEVEL: u8 = 49;
/// CCSID of a variable that is in the program's own code page.
const PROGRAM_CCSID: u16 = 0;
const UTF_16: u16 = 1200;
const UTF_8: u16 = 1208;
/// Bytes of an indicator.
const INDICATOR_BYTES: u32 = 2;
/// Longest decimal of Db2.
const DECIMAL_DIGITS_MAX: u8 = 31;

impl<'a> Parser<'a> {
    /// The variables that a reference of a statement stands for.
    pub fn host_variable(&mut self, block: &'a ExecBlock, span: Span, reference: &HostReference) -> Parsed<Vec<HostVariable>> {
        let place = self.host_place(block, span, reference);
        let item = self.host_item(&reference.name, place)?;
        let indicator = match &reference.indicator {
            Some(name) => Some(self.indicator(name, place)?),
            None => None,
        };
        if reference.role == ::sql::Role::Descriptor {
            let variable = self.variable_of(item, VariableType::Descriptor, self.item(item).length_max);
            return Ok(vec![HostVariable { variable, data: Reference::plain(item, place), indicator: None }]);
        }
        let is_structure = self.item(item).category == Category::Group && !self.is_varying(item);
        if is_structure && !reference.structure {
            let message = format!("{} is a group; a host variable here is one elementary item", self.item(item).name);
            return self.fail_at(place, message);
        }
        let mut elements = Vec::new();
        if is_structure {
            self.elements_of(item, &mut elements);
        } else {
            elements.push(item);
        }
        let count = elements.len();
        elements
            .into_iter()
            .enumerate()
            .map(|(number, element)| self.host_element(element, indicator, (number, count), reference, place))
            .collect()
    }

    fn host_item(&mut self, name: &[String], place: Span) -> Parsed<ItemId> {
        let (last, outer) = name.split_last().expect("a reference has a name");
        let qualifiers = outer.iter().rev().map(|name| name.as_str().into()).collect();
        let name = QualifiedName { name: last.as_str().into(), qualifiers, span: place };
        match self.resolve(&name)? {
            crate::names::Named::Item(item) => Ok(item),
            _ => self.fail_at(place, format!("{} is not a data item", name.text())),
        }
    }

    /// An indicator variable, or an array of them for a structure.
    fn indicator(&mut self, name: &[String], place: Span) -> Parsed<ItemId> {
        let mut item = self.host_item(name, place)?;
        // The group over an indicator array may be named instead of the array.
        if self.item(item).category == Category::Group {
            let children: Vec<ItemId> = self.unit.program.children(item).collect();
            if let [only] = children[..] {
                item = only;
            }
        }
        let described = self.item(item);
        let binary = matches!(described.usage, Usage::Binary | Usage::NativeBinary);
        if binary && described.length_max == INDICATOR_BYTES {
            return Ok(item);
        }
        let message = format!("{} is not an indicator variable: that is PIC S9(4) COMP", described.name);
        self.fail_at(place, message)
    }

    /// The elementary items of a structure, strings of varying length whole.
    fn elements_of(&self, group: ItemId, elements: &mut Vec<ItemId>) {
        for child in self.unit.program.children(group) {
            let item = self.item(child);
            if item.redefines.is_some() || item.level > VARYING_LEVEL {
                continue;
            }
            if item.category == Category::Group && !self.is_varying(child) {
                self.elements_of(child, elements);
            } else {
                elements.push(child);
            }
        }
    }

    /// Two items of level 49: a length and a text.
    fn is_varying(&self, item: ItemId) -> bool {
        if self.item(item).category != Category::Group {
            return false;
        }
        let children: Vec<&Item> = self.unit.program.children(item).map(|child| self.item(child)).collect();
        let [length, text] = children[..] else { return false };
        length.level == VARYING_LEVEL
            && text.level == VARYING_LEVEL
            && matches!(length.usage, Usage::Binary | Usage::NativeBinary)
            && matches!(length.length_max, 2 | 4)
            && !text.is_group()
    }

    fn host_element(
        &mut self,
        item: ItemId,
        indicator: Option<ItemId>,
        (number, count): (usize, usize),
        reference: &HostReference,
        place: Span,
    ) -> Parsed<HostVariable> {
        let (kind, length) = self.host_type(item, place)?;
        let mut variable = self.variable_of(item, kind, length);
        let data = self.element(item, reference.array, &mut variable.stride, &mut variable.occurs, place)?;
        let indicator = match indicator {
            Some(indicator) => self.indicator_element(indicator, (number, count), &mut variable, place)?,
            None => None,
        };
        variable.indicator = indicator.is_some();
        Ok(HostVariable { variable, data, indicator })
    }

    /// The item itself, or, of an array that may stand here, its first element.
    fn element(&mut self, item: ItemId, array: bool, stride: &mut u32, occurs: &mut u32, place: Span) -> Parsed<Reference> {
        let described = self.item(item);
        let (name, dimensions) = (described.name.clone(), described.dimensions.clone());
        let mut reference = Reference::plain(item, place);
        let [table] = dimensions[..] else {
            return match dimensions.is_empty() {
                true => Ok(reference),
                false => self.fail_at(place, format!("{name} is in more than one table")),
            };
        };
        if !array {
            return self.fail_at(place, format!("{name} is a table element; a host variable array is not valid here"));
        }
        let table = self.item(table).occurs.as_deref().expect("a dimension is a table");
        (*stride, *occurs) = (table.stride.fixed, table.max);
        reference.subscripts.push(Subscript::Literal(1));
        Ok(reference)
    }

    /// The indicator of element `number` of `count`: of a structure, the element of the indicator array, if it has so many.
    fn indicator_element(
        &mut self,
        indicator: ItemId,
        (number, count): (usize, usize),
        variable: &mut Variable,
        place: Span,
    ) -> Parsed<Option<Reference>> {
        let mut occurs = 0;
        let is_table = !self.item(indicator).dimensions.is_empty();
        let mut reference = self.element(indicator, true, &mut variable.indicator_stride, &mut occurs, place)?;
        if variable.occurs > 0 || !is_table {
            // The indicators of an array's elements, or the one indicator, which is of the first element of a structure.
            return Ok((number == 0 || variable.occurs > 0).then_some(reference));
        }
        variable.indicator_stride = 0;
        if number as u32 >= occurs {
            return Ok(None);
        }
        debug_assert!(number < count);
        reference.subscripts = vec![Subscript::Literal(number as u32 + 1)];
        Ok(Some(reference))
    }

    fn variable_of(&self, item: ItemId, kind: VariableType, length: u32) -> Variable {
        let described = self.item(item);
        let ccsid = match described.usage {
            Usage::National => UTF_16,
            Usage::Utf8 => UTF_8,
            _ => PROGRAM_CCSID,
        };
        Variable {
            name: described.name.to_string(),
            kind,
            length,
            precision: described.digits,
            scale: described.scale,
            ccsid,
            indicator: false,
            stride: 0,
            indicator_stride: 0,
            occurs: 0,
        }
    }

    /// The SQL type of an item, and its length in characters, bytes or digits.
    fn host_type(&mut self, item: ItemId, place: Span) -> Parsed<(VariableType, u32)> {
        if self.is_varying(item) {
            return self.varying_type(item, place);
        }
        let described = self.item(item);
        let (length, digits) = (described.length_max, u32::from(described.digits));
        let ieee = self.options.uses_binary_floating_point();
        let kind = match (described.category, described.usage) {
            (Category::Alphanumeric | Category::Alphabetic, _) => (VariableType::Char, length),
            (Category::Dbcs, _) | (Category::National, Usage::National) => (VariableType::Graphic, length / 2),
            (Category::Utf8, _) => (VariableType::Char, length),
            (Category::InternalFloat, Usage::Float) if ieee => (VariableType::IeeeReal, length),
            (Category::InternalFloat, Usage::Float) => (VariableType::Real, length),
            (Category::InternalFloat, _) if ieee => (VariableType::IeeeDouble, length),
            (Category::InternalFloat, _) => (VariableType::Double, length),
            (Category::Numeric, _) if described.digits > DECIMAL_DIGITS_MAX => {
                let message = format!("{} has {digits} digits; a host variable has at most {DECIMAL_DIGITS_MAX}", described.name);
                return self.fail_at(place, message);
            }
            (Category::Numeric, Usage::Binary | Usage::NativeBinary) => match length {
                2 => (VariableType::SmallInt, length),
                4 => (VariableType::Integer, length),
                _ => (VariableType::BigInt, length),
            },
            (Category::Numeric, Usage::Packed) => (VariableType::Packed, digits),
            (Category::Numeric, Usage::Display) => match described.sign {
                Sign::Unsigned => (VariableType::Zoned { signed: false }, digits),
                Sign::Trailing => (VariableType::Zoned { signed: true }, digits),
                Sign::LeadingSeparate => (VariableType::SignSeparate { leading: true }, digits),
                Sign::TrailingSeparate => (VariableType::SignSeparate { leading: false }, digits),
                Sign::Leading => return self.no_host_variable(item, "its sign is in the first digit", place),
            },
            (Category::NumericEdited | Category::AlphanumericEdited | Category::NationalEdited, _) => {
                return self.no_host_variable(item, "it is edited", place);
            }
            (Category::Pointer | Category::ProcedurePointer | Category::FunctionPointer | Category::ObjectReference, _) => {
                return self.no_host_variable(item, "it holds an address", place);
            }
            (Category::Index, _) => return self.no_host_variable(item, "it is an index", place),
            _ => return self.no_host_variable(item, "SQL has no type for it", place),
        };
        Ok(kind)
    }

    /// VARCHAR with a halfword length, CLOB with a fullword.
    fn varying_type(&mut self, item: ItemId, place: Span) -> Parsed<(VariableType, u32)> {
        let children: Vec<ItemId> = self.unit.program.children(item).collect();
        let (count_bytes, text) = (self.item(children[0]).length_max, self.item(children[1]));
        let (length, is_long) = (text.length_max, count_bytes == 4);
        match text.category {
            Category::Alphanumeric | Category::Alphabetic | Category::Utf8 if is_long => Ok((VariableType::Clob, length)),
            Category::Alphanumeric | Category::Alphabetic | Category::Utf8 => Ok((VariableType::VarChar, length)),
            Category::Dbcs | Category::National if is_long => Ok((VariableType::DbClob, length / 2)),
            Category::Dbcs | Category::National => Ok((VariableType::VarGraphic, length / 2)),
            _ => self.no_host_variable(item, "the second item of level 49 is no text", place),
        }
    }

    fn no_host_variable<T>(&mut self, item: ItemId, why: &str, place: Span) -> Parsed<T> {
        let message = format!("{} cannot be a host variable: {why}", self.item(item).name);
        self.fail_at(place, message)
    }
}
