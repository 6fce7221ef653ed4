//! Special registers of the JSON and XML statements, and items of varying length whose storage the run time provides.

use super::Parser;
use crate::data::tree::{blank_item, new_base};
use crate::names::Named;
use crate::program::*;

/// Characters of a dynamic-length item without LIMIT: its storage is set aside. (IBM's limit of storage is far larger.)
pub const DYNAMIC_LENGTH_DEFAULT: u32 = 32_767;
/// The largest LIMIT.
pub const DYNAMIC_LENGTH_MAX: u32 = 16_000_000;

/// The most bytes a text register shows.
const TEXT_LENGTH_MAX: u32 = 1 << 20;

impl Parser<'_> {
    /// The register of that name: the program's, a containing program's, or a new one.
    pub fn markup_item(&mut self, name: &str) -> ItemId {
        if let Ok(Named::Item(item)) = self.unit.names.find(&self.unit.program, name, &[]) {
            self.unit.program.items[item.0 as usize].referenced = true;
            return item;
        }
        // Only names known to `markup_register` are requested.
        self.markup_register(name).unwrap_or(ItemId(0))
    }

    /// Creates a register when first used. All are GLOBAL.
    pub fn markup_register(&mut self, name: &str) -> Option<ItemId> {
        let id = match name {
            "XML-CODE" | "JSON-CODE" | "JSON-STATUS" | "XML-INFORMATION" => self.binary_register(name),
            "XML-EVENT" => {
                let mut item = blank_item(name, 77, BaseId(0), Span::NONE);
                (item.category, item.usage) = (Category::Alphanumeric, Usage::Display);
                let image = vec![self.encoder.page.ascii(b' '); 30];
                self.unit.division.add_register(&mut self.unit.program, item, &image)
            }
            "XML-TEXT" | "XML-NAMESPACE" | "XML-NAMESPACE-PREFIX" => self.varying_item(name, Category::Alphanumeric, TEXT_LENGTH_MAX),
            "XML-NTEXT" | "XML-NNAMESPACE" | "XML-NNAMESPACE-PREFIX" => self.varying_item(name, Category::National, TEXT_LENGTH_MAX),
            _ => return None,
        };
        let item = &mut self.unit.program.items[id.0 as usize];
        (item.referenced, item.global) = (true, true);
        self.unit.names.add(name, Named::Item(id));
        Some(id)
    }

    /// A register S9(9) BINARY.
    fn binary_register(&mut self, name: &str) -> ItemId {
        let mut item = blank_item(name, 77, BaseId(0), Span::NONE);
        (item.category, item.usage, item.digits, item.sign) = (Category::Numeric, Usage::Binary, 9, Sign::Trailing);
        self.unit.division.add_register(&mut self.unit.program, item, &[0; 4])
    }

    /// An item whose address and length the run time sets: its base is a linkage base, its length the number of occurrences of a table of
    /// single bytes (or national characters) that depends on a word of the registers.
    fn varying_item(&mut self, name: &str, category: Category, length_max: u32) -> ItemId {
        let width = if category == Category::National { 2 } else { 1 };
        let length = {
            let mut item = blank_item("", 77, BaseId(0), Span::NONE);
            (item.category, item.usage, item.digits, item.sign) = (Category::Numeric, Usage::NativeBinary, 9, Sign::Trailing);
            item.global = true;
            self.unit.division.add_register(&mut self.unit.program, item, &[0; 4])
        };
        let base = new_base(&mut self.unit.program, BaseKind::Linkage, name);
        self.unit.program.bases[base.0 as usize].length = length_max;
        let table = self.add_plain(blank_item("", 77, base, Span::NONE));
        let stride = Size::fixed(width);
        let unit = &mut self.unit.program.items[table.0 as usize];
        (unit.category, unit.usage) = (Category::Alphanumeric, Usage::Display);
        (unit.length, unit.length_max, unit.global) = (stride.clone(), width, true);
        let max = length_max / width;
        unit.occurs =
            Some(Box::new(Occurs { min: 0, max, depending: Some(length), stride: stride.clone(), keys: Vec::new(), indexes: Vec::new() }));
        let mut item = blank_item(name, 77, base, Span::NONE);
        item.category = category;
        item.usage = if category == Category::National { Usage::National } else { Usage::Display };
        item.length = Size { fixed: 0, terms: vec![SizeTerm { table, stride }] };
        item.length_max = length_max;
        self.add_plain(item)
    }

    /// Gives the dynamic-length items their lengths: initially that of their VALUE, or zero.
    pub fn make_dynamic_items(&mut self) {
        for id in std::mem::take(&mut self.unit.division.dynamic) {
            let item = self.item(id).clone();
            let width = if item.category == Category::National { 2 } else { 1 };
            let start = match item.value.as_ref().map(|value| &value.value) {
                Some(LiteralValue::Alphanumeric(bytes)) => bytes.len() as u32,
                Some(LiteralValue::National(bytes)) => bytes.len() as u32 / 2,
                Some(_) => 1,
                None => 0,
            };
            let most = item.length_max / width;
            let mut register = blank_item("", 77, BaseId(0), Span::NONE);
            (register.category, register.usage, register.digits, register.sign) =
                (Category::Numeric, Usage::NativeBinary, 9, Sign::Trailing);
            register.global = item.global;
            let image = start.min(most).to_be_bytes();
            let length = self.unit.division.add_register(&mut self.unit.program, register, &image);
            let mut table = blank_item("", 77, item.base, Span::NONE);
            let stride = Size::fixed(width);
            (table.category, table.usage, table.length) = (Category::Alphanumeric, Usage::Display, stride.clone());
            (table.length_max, table.offset, table.global) = (width, item.offset.clone(), item.global);
            table.occurs = Some(Box::new(Occurs {
                min: 0,
                max: most,
                depending: Some(length),
                stride: stride.clone(),
                keys: Vec::new(),
                indexes: Vec::new(),
            }));
            let table = self.add_plain(table);
            self.unit.program.items[id.0 as usize].length = Size { fixed: 0, terms: vec![SizeTerm { table, stride }] };
        }
    }

    fn add_plain(&mut self, mut item: Item) -> ItemId {
        let id = ItemId(self.unit.program.items.len() as u32);
        item.end = ItemId(id.0 + 1);
        self.unit.program.items.push(item);
        self.unit.division.pending.push(crate::data::tree::Pending::default());
        self.unit.division.laid_out = self.unit.program.items.len();
        id
    }
}
