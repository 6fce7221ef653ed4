//! Builds the item tree of a section from its entries: levels, REDEFINES, level 66, 77 and 88.
//!
//! Invariants: items are appended in preorder; when a group is closed its `end` is set; index-names are appended only
//! when the section is finished, so that they do not fall between the members of a record.

use super::entry::{Entry, Section};
use crate::data::value::number_as_float;
use crate::names::{Named, Names, QualifiedName};
use crate::program::*;
use crate::report::Report;
use rustc_hash::FxHashMap;

/// The parts of an entry needed for layout and resolution after the item is created.
#[derive(Clone, Debug, Default)]
pub struct Pending {
    pub picture: Option<(Box<str>, Span)>,
    pub usage: Option<Usage>,
    pub sign: Option<super::entry::SignClause>,
    /// SIGN is written at the item itself, not at a group that contains it.
    pub sign_written: bool,
    pub depending: Option<QualifiedName>,
    pub keys: Vec<(QualifiedName, bool)>,
    pub renames: Option<(QualifiedName, Option<QualifiedName>)>,
    /// The description was copied and need not be derived.
    pub described: bool,
    /// OCCURS n TO UNBOUNDED.
    pub unbounded: bool,
    /// DYNAMIC LENGTH: the limit in characters.
    pub dynamic: Option<u32>,
    /// BYTE-LENGTH of a UTF-8 item.
    pub byte_length: Option<u32>,
    /// GROUP-USAGE, NATIONAL or UTF-8, of this group or of one that contains the item.
    pub group_usage: Option<Usage>,
}

/// State of the data division while it is parsed.
#[derive(Default)]
pub struct DataDivision {
    /// By item, in the order of the program's items.
    pub pending: Vec<Pending>,
    open: Vec<(u8, ItemId)>,
    indexes: Vec<(ItemId, Box<str>, Span)>,
    last_elementary: Option<ItemId>,
    pub working: Option<BaseId>,
    pub local: Option<BaseId>,
    pub registers: Option<BaseId>,
    index_base: Option<BaseId>,
    external: FxHashMap<Box<str>, BaseId>,
    /// Items laid out already.
    pub laid_out: usize,
    /// Level 01 and 77 items not yet placed, with their section.
    pub roots: Vec<(ItemId, Section)>,
    /// Several VALUE literals on one table item (an extension): consecutive occurrences.
    pub table_values: Vec<(ItemId, Vec<ValueRange>)>,
    /// Dynamic-length items, whose lengths are made when all items have their places.
    pub dynamic: Vec<ItemId>,
    /// Groups that contain one: they are not moved as a whole.
    pub dynamic_groups: Vec<ItemId>,
}

impl DataDivision {
    /// Adds one entry.
    pub fn add(&mut self, program: &mut Program, names: &mut Names, report: &mut Report, entry: Entry, section: Section) {
        match entry.level {
            88 => self.add_condition(program, names, report, entry),
            66 => self.add_renames(program, names, report, entry),
            1 | 77 => {
                self.close(program, 0);
                self.add_item(program, names, report, entry, section, None);
            }
            2..=49 => self.add_subordinate(program, names, report, entry, section),
            level => report.severe(entry.span, format!("{level} is not a level number; expected 01 to 49, 66, 77 or 88")),
        }
    }

    fn add_subordinate(&mut self, program: &mut Program, names: &mut Names, report: &mut Report, entry: Entry, section: Section) {
        let level = entry.level;
        let mut sibling_level = None;
        while self.open.last().is_some_and(|open| open.0 >= level) {
            if let Some((closed, id)) = self.open.pop() {
                sibling_level = Some(closed);
                program.items[id.0 as usize].end = ItemId(program.items.len() as u32);
            }
        }
        let Some((parent_level, parent)) = self.open.last().copied() else {
            report.severe(entry.span, format!("level {level:02} has no level 01 before it"));
            let mut first = entry;
            first.level = 1;
            return self.add(program, names, report, first, section);
        };
        if parent_level == 77 {
            report.severe(entry.span, "a level 77 item cannot have subordinate items");
        }
        if sibling_level.is_some_and(|sibling| sibling != level) && sibling_level > Some(level) {
            report.warning(entry.span, format!("level {level:02} does not match the level of the items before it in this group"));
        }
        if let Some((_, span)) = &self.pending[parent.0 as usize].picture {
            report.severe(*span, format!("{} has subordinate items, so it cannot have a PICTURE", program.item(parent).name));
            self.pending[parent.0 as usize].picture = None;
        }
        self.add_item(program, names, report, entry, section, Some(parent));
    }

    fn add_item(
        &mut self,
        program: &mut Program,
        names: &mut Names,
        report: &mut Report,
        mut entry: Entry,
        section: Section,
        parent: Option<ItemId>,
    ) {
        let id = ItemId(program.items.len() as u32);
        let redefines = entry.redefines.take().and_then(|(name, span)| self.find_redefined(program, report, &entry, &name, span, parent));
        let base = match parent {
            Some(parent) => program.item(parent).base,
            None => self.base_of(program, &entry, section, redefines),
        };
        let mut item = blank_item(entry.name.as_deref().unwrap_or("FILLER"), entry.level, base, entry.span);
        let mut pending = Pending {
            picture: entry.picture.take(),
            usage: entry.usage,
            sign: entry.sign,
            sign_written: entry.sign.is_some(),
            byte_length: entry.byte_length,
            group_usage: entry.group_usage,
            ..Pending::default()
        };
        item.parent = parent;
        item.end = ItemId(id.0 + 1);
        item.dimensions = parent.map_or_else(Vec::new, |parent| program.item(parent).dimensions.clone());
        self.add_table(report, &mut entry, section, &mut item, &mut pending);
        item.redefines = redefines;
        item.justified = entry.justified;
        item.blank_when_zero = entry.blank_when_zero;
        item.synchronized = entry.synchronized || parent.is_some_and(|parent| program.item(parent).synchronized);
        item.global = entry.global || parent.is_some_and(|parent| program.item(parent).global);
        item.external = entry.external;
        item.sql_type = entry.sql_type;
        item.value = self.initial_value(program, report, &mut entry, &item);
        if !entry.values.is_empty() {
            self.table_values.push((id, std::mem::take(&mut entry.values)));
        }
        pending.dynamic = self.dynamic_limit(report, &entry, section, &item);
        if pending.dynamic.is_some() {
            self.dynamic.push(id);
            self.dynamic_groups.extend(self.open.iter().map(|open| open.1).filter(|_| parent.is_some()));
        }
        pending.described = self.copy_description(program, names, report, &mut item, entry.same_as.take());
        program.items.push(item);
        self.pending.push(pending);
        if let Some(name) = &entry.name {
            names.add(name, Named::Item(id));
        }
        self.last_elementary = Some(id);
        if parent.is_none() {
            self.roots.push((id, section));
        }
        self.open.push((entry.level, id));
        debug_assert_eq!(self.pending.len(), program.items.len());
    }

    /// OCCURS, where the entry has it: the item about to be added is a table.
    fn add_table(&mut self, report: &mut Report, entry: &mut Entry, section: Section, item: &mut Item, pending: &mut Pending) {
        let Some(clause) = entry.occurs.take() else { return };
        let id = ItemId(item.end.0 - 1);
        item.dimensions.push(id);
        self.indexes.extend(clause.indexes.into_iter().map(|(name, span)| (id, name, span)));
        self.check_occurs(report, entry, clause.span, clause.min, clause.max, item.dimensions.len());
        let (min, max) = (clause.min, clause.max.max(1));
        if min < max && clause.depending.is_none() && !clause.unbounded {
            report.severe(entry.span, format!("OCCURS {min} TO {max} needs DEPENDING ON"));
        }
        if clause.unbounded && (clause.depending.is_none() || !matches!(section, Section::Linkage)) {
            report.severe(entry.span, "OCCURS UNBOUNDED needs DEPENDING ON and stands in the LINKAGE SECTION only");
        }
        let occurs = Occurs { min, max, depending: None, stride: Size::default(), keys: Vec::new(), indexes: Vec::new() };
        item.occurs = Some(Box::new(occurs));
        (pending.depending, pending.keys, pending.unbounded) = (clause.depending, clause.keys, clause.unbounded);
    }

    /// VALUE, which an item that redefines another has not, unless the compiler made the item.
    fn initial_value(&self, program: &Program, report: &mut Report, entry: &mut Entry, item: &Item) -> Option<Box<Literal>> {
        let value = entry.value.take()?;
        let redefines = |id: &ItemId| program.item(*id).redefines.is_some();
        let in_redefining = item.parent.is_some() && self.open.iter().any(|(_, open)| redefines(open));
        let generated = entry.name.as_deref().is_some_and(|name| name.starts_with(crate::names::DEBUGGING_PREFIX));
        if (item.redefines.is_some() || in_redefining) && !generated {
            report.error(entry.span, format!("{} redefines an item or stands in one that does; its VALUE is discarded", item.name));
            return None;
        }
        Some(Box::new(value))
    }

    /// The limit of DYNAMIC LENGTH, where an item may have it.
    fn dynamic_limit(&self, report: &mut Report, entry: &Entry, section: Section, item: &Item) -> Option<u32> {
        let limit = entry.dynamic?;
        let alone = item.dimensions.is_empty() && item.redefines.is_none() && !item.external;
        let placed = matches!(section, Section::Working | Section::Local);
        if !alone || !placed {
            let message = "a DYNAMIC LENGTH item is supported in WORKING-STORAGE and LOCAL-STORAGE only, and not in a table";
            report.severe(entry.span, message);
            return None;
        }
        Some(limit)
    }

    /// SAME AS: category, size and picture of another item.
    fn copy_description(
        &self,
        program: &Program,
        names: &Names,
        report: &mut Report,
        item: &mut Item,
        same_as: Option<QualifiedName>,
    ) -> bool {
        let Some(name) = same_as else { return false };
        let Ok(source) = names.find_item(program, &name) else {
            report.unresolved(name.span, format!("{} is not defined", name.text()));
            return false;
        };
        let source = program.item(source);
        (item.category, item.usage, item.digits, item.scale) = (source.category, source.usage, source.digits, source.scale);
        (item.sign, item.picture) = (source.sign, source.picture.clone());
        (item.length, item.length_max) = (Size::fixed(source.length_max), source.length_max);
        if source.is_group() {
            (item.category, item.usage) = (Category::Alphanumeric, Usage::Display);
        }
        true
    }

    fn check_occurs(&self, report: &mut Report, entry: &Entry, span: Span, min: u32, max: u32, depth: usize) {
        if matches!(entry.level, 1 | 77) {
            report.severe(span, format!("OCCURS cannot stand at level {:02}", entry.level));
        }
        if max == 0 || min > max {
            report.severe(span, format!("OCCURS {min} TO {max} is not a valid number of occurrences"));
        }
        if depth > 7 {
            report.severe(span, "a table cannot have more than seven dimensions");
        }
    }

    /// The storage of an item of level 01 or 77.
    fn base_of(&mut self, program: &mut Program, entry: &Entry, section: Section, redefines: Option<ItemId>) -> BaseId {
        if let Some(redefined) = redefines {
            return program.item(redefined).base;
        }
        if entry.external {
            let name: Box<str> = entry.external_name.clone().or_else(|| entry.name.clone()).unwrap_or_default();
            if let Some(base) = self.external.get(&name) {
                return *base;
            }
            let base = new_base(program, BaseKind::External, &name);
            self.external.insert(name, base);
            return base;
        }
        match section {
            Section::Working => *self.working.get_or_insert_with(|| new_base(program, BaseKind::Working, "WORKING-STORAGE")),
            Section::Local => *self.local.get_or_insert_with(|| new_base(program, BaseKind::Local, "LOCAL-STORAGE")),
            Section::Linkage => new_base(program, BaseKind::Linkage, entry.name.as_deref().unwrap_or("FILLER")),
            Section::File(file) => program.file(file).base,
        }
    }

    fn find_redefined(
        &self,
        program: &Program,
        report: &mut Report,
        entry: &Entry,
        name: &str,
        span: Span,
        parent: Option<ItemId>,
    ) -> Option<ItemId> {
        let siblings: Vec<ItemId> = match parent {
            Some(parent) => program.open_children(parent).collect(),
            None => self.roots.iter().map(|root| root.0).collect(),
        };
        let Some(position) = siblings.iter().rposition(|sibling| &*program.item(*sibling).name == name) else {
            report.unresolved(span, format!("REDEFINES {name}: there is no item of that name at this level before it"));
            return None;
        };
        let mut redefined = siblings[position];
        let between = siblings[position + 1..].iter().find(|sibling| {
            let item = program.item(**sibling);
            item.redefines.is_none() && item.level != 66
        });
        if let Some(between) = between {
            let message = format!("REDEFINES {name}: {} stands between and does not redefine it", program.item(*between).name);
            report.severe(span, message);
            return None;
        }
        if program.item(redefined).level != entry.level && !matches!(entry.level, 1 | 77) {
            report.severe(span, format!("REDEFINES {name}: it has a different level number"));
            return None;
        }
        while let Some(earlier) = program.item(redefined).redefines {
            redefined = earlier;
        }
        if program.item(redefined).occurs.is_some() {
            report.severe(span, format!("REDEFINES {name}: it has an OCCURS clause"));
        }
        Some(redefined)
    }

    fn add_condition(&mut self, program: &mut Program, names: &mut Names, report: &mut Report, entry: Entry) {
        let Some(item) = self.last_elementary else {
            report.severe(entry.span, "a level 88 condition-name has no item before it");
            return;
        };
        let Some(name) = entry.name else {
            report.severe(entry.span, "a level 88 entry needs a name");
            return;
        };
        if entry.values.is_empty() {
            report.severe(entry.span, format!("{name} has no VALUE"));
        }
        if program.special_names.collation.is_none() && entry.values.iter().any(is_reversed) {
            report.error(entry.span, format!("{name}: of two values with THRU the first must be less than the second"));
        }
        let id = ConditionNameId(program.condition_names.len() as u32);
        names.add(&name, Named::Condition(id));
        program.condition_names.push(ConditionName { name, item, values: entry.values, false_value: entry.false_value, span: entry.span });
        program.items[item.0 as usize].conditions.push(id);
    }

    fn add_renames(&mut self, program: &mut Program, names: &mut Names, report: &mut Report, entry: Entry) {
        self.close(program, 0);
        let Some((root, section)) = self.roots.last().copied() else {
            report.severe(entry.span, "a level 66 entry has no record before it");
            return;
        };
        let _ = section;
        if entry.renames.is_none() {
            report.severe(entry.span, "a level 66 entry needs RENAMES");
            return;
        }
        let id = ItemId(program.items.len() as u32);
        let base = program.item(root).base;
        let mut item = blank_item(entry.name.as_deref().unwrap_or("FILLER"), 66, base, entry.span);
        item.parent = Some(root);
        item.end = ItemId(id.0 + 1);
        item.global = program.item(root).global;
        program.items.push(item);
        self.pending.push(Pending { renames: entry.renames, ..Pending::default() });
        if let Some(name) = &entry.name {
            names.add(name, Named::Item(id));
        }
        self.last_elementary = Some(id);
    }

    /// Closes open groups down to `depth`.
    fn close(&mut self, program: &mut Program, depth: usize) {
        while self.open.len() > depth {
            if let Some((_, id)) = self.open.pop() {
                program.items[id.0 as usize].end = ItemId(program.items.len() as u32);
            }
        }
    }

    /// Ends a section or an FD: closes the open record, so that later entries do not continue it.
    pub fn end_section(&mut self, program: &mut Program) {
        self.close(program, 0);
        self.last_elementary = None;
    }

    /// Creates the index-names; called when all sections are read.
    pub fn make_indexes(&mut self, program: &mut Program, names: &mut Names) {
        for (table, name, span) in std::mem::take(&mut self.indexes) {
            let global = program.item(table).global;
            let id = self.add_index(program, names, &name, span, global);
            if let Some(occurs) = &mut program.items[table.0 as usize].occurs {
                occurs.indexes.push(id);
            }
        }
    }

    fn add_index(&mut self, program: &mut Program, names: &mut Names, name: &str, span: Span, global: bool) -> ItemId {
        let base = *self.index_base.get_or_insert_with(|| new_base(program, BaseKind::Indexes, "index-names"));
        let length = program.base(base).length;
        let id = ItemId(program.items.len() as u32);
        let mut item = blank_item(name, 77, base, span);
        item.end = ItemId(id.0 + 1);
        item.offset = Size::fixed(length);
        item.length = Size::fixed(4);
        item.length_max = 4;
        item.category = Category::Index;
        item.usage = Usage::Index;
        item.global = global;
        item.sign = Sign::Trailing;
        item.digits = 9;
        program.items.push(item);
        self.pending.push(Pending::default());
        program.bases[base.0 as usize].length = length + 4;
        names.add(name, Named::Item(id));
        id
    }

    /// Adds an item of the Registers base (special registers, LINAGE-COUNTER) with its initial bytes.
    pub fn add_register(&mut self, program: &mut Program, mut item: Item, image: &[u8]) -> ItemId {
        let base = *self.registers.get_or_insert_with(|| new_base(program, BaseKind::Registers, "special registers"));
        let id = ItemId(program.items.len() as u32);
        let area = &mut program.bases[base.0 as usize];
        let offset = area.length.next_multiple_of(8);
        area.image.resize(offset as usize, 0);
        area.image.extend_from_slice(image);
        area.length = area.image.len() as u32;
        item.base = base;
        item.offset = Size::fixed(offset);
        item.length = Size::fixed(image.len() as u32);
        item.length_max = image.len() as u32;
        item.end = ItemId(id.0 + 1);
        program.items.push(item);
        self.pending.push(Pending::default());
        self.laid_out = program.items.len();
        id
    }
}

/// A new area of storage.
pub fn new_base(program: &mut Program, kind: BaseKind, name: &str) -> BaseId {
    let id = BaseId(program.bases.len() as u32);
    program.bases.push(Base { kind, length: 0, image: Vec::new(), name: name.into() });
    id
}

/// An item of which only name, level and storage are known.
pub fn blank_item(name: &str, level: u8, base: BaseId, span: Span) -> Item {
    Item {
        name: name.into(),
        level,
        parent: None,
        end: ItemId(0),
        base,
        offset: Size::default(),
        length: Size::default(),
        length_max: 0,
        category: Category::Group,
        usage: Usage::Group,
        digits: 0,
        scale: 0,
        sign: Sign::Unsigned,
        unicode_group: false,
        characters: 0,
        picture: None,
        occurs: None,
        dimensions: Vec::new(),
        redefines: None,
        renames: None,
        justified: false,
        blank_when_zero: false,
        synchronized: false,
        global: false,
        external: false,
        value: None,
        sql_type: None,
        conditions: Vec::new(),
        referenced: false,
        span,
    }
}

/// Whether the values of a range can be compared and the first is not less than the second.
fn is_reversed(range: &ValueRange) -> bool {
    let Some(high) = &range.high else { return false };
    match (&range.low.value, &high.value) {
        (LiteralValue::Numeric(low), LiteralValue::Numeric(high)) => number_as_float(low) >= number_as_float(high),
        (LiteralValue::Alphanumeric(low), LiteralValue::Alphanumeric(high)) => low.len() == high.len() && low >= high,
        _ => false,
    }
}
