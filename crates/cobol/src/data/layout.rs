//! Layout: category, usage and size of every item, and its place in its storage.
//!
//! Invariants: a record starts on a doubleword; offsets count from the base; an item's length covers its members with their
//! slack bytes; sizes stay below [`ITEM_LENGTH_MAX`], so 32-bit arithmetic on them does not overflow.

use super::picture::{ITEM_LENGTH_MAX, PictureInfo, PictureRules, analyze};
use super::tree::{DataDivision, Pending};
use crate::options::{Nsymbol, Options};
use crate::program::*;
use crate::report::Report;

/// Lays out the items created since the last call.
pub fn lay_out(division: &mut DataDivision, program: &mut Program, report: &mut Report, rules: &PictureRules, options: &Options) {
    let first = division.laid_out;
    for index in first..program.items.len() {
        classify(division, program, report, rules, options, ItemId(index as u32));
    }
    let roots = std::mem::take(&mut division.roots);
    for (root, section) in &roots {
        let place = start_of_root(program, *root);
        let mut sizes = Placer { program, division, report, too_large: false };
        sizes.place(*root, place);
        let reported = sizes.too_large;
        let end = total_max(&program.items, *root).saturating_add(u64::from(program.item(*root).offset.fixed));
        let length = if end > u64::from(ITEM_LENGTH_MAX) {
            let span = program.item(*root).span;
            let item = program.item(*root);
            // An item that is too long by itself has been reported.
            if !reported {
                let section = section_name(&program.base(item.base).kind);
                report.severe(span, format!("{section} is too long: {end} bytes with {}; the most is {ITEM_LENGTH_MAX}", item.name));
            }
            0
        } else {
            end as u32
        };
        let base = program.item(*root).base;
        let area = &mut program.bases[base.0 as usize];
        area.length = area.length.max(length);
        if program.item(*root).external && !matches!(section, super::entry::Section::Working) {
            report.warning(program.item(*root).span, "EXTERNAL applies to WORKING-STORAGE items and files only");
        }
    }
    division.laid_out = program.items.len();
}

fn section_name(kind: &BaseKind) -> &'static str {
    match kind {
        BaseKind::Working => "WORKING-STORAGE",
        BaseKind::Local => "LOCAL-STORAGE",
        _ => "the record area",
    }
}

/// The start of the next record of a storage section; records of a file and redefinitions start where the first one does.
fn start_of_root(program: &Program, root: ItemId) -> Size {
    let item = program.item(root);
    if let Some(redefined) = item.redefines {
        return program.item(redefined).offset.clone();
    }
    let base = program.base(item.base);
    match base.kind {
        BaseKind::Working | BaseKind::Local => Size::fixed(base.length.next_multiple_of(8)),
        _ => Size::default(),
    }
}

/// Largest number of bytes the item takes with all its occurrences.
fn total_max(items: &[Item], id: ItemId) -> u64 {
    let item = &items[id.0 as usize];
    match &item.occurs {
        Some(occurs) => size_max(items, &occurs.stride).saturating_mul(u64::from(occurs.max)),
        None => u64::from(item.length_max),
    }
}

/// The most a size can come to.
pub fn size_max(items: &[Item], size: &Size) -> u64 {
    let mut total = u64::from(size.fixed);
    for term in &size.terms {
        let most = items[term.table.0 as usize].occurs.as_ref().map_or(1, |occurs| occurs.max);
        total = total.saturating_add(size_max(items, &term.stride).saturating_mul(u64::from(most)));
    }
    total
}

/// Usage, picture and category of one item; groups hand their usage and sign down.
fn classify(division: &mut DataDivision, program: &mut Program, report: &mut Report, rules: &PictureRules, options: &Options, id: ItemId) {
    let index = id.0 as usize;
    if division.pending[index].renames.is_some() || division.pending[index].described || program.items[index].category == Category::Index {
        return;
    }
    let parent = program.items[index].parent;
    if let Some(parent) = parent {
        let above = &division.pending[parent.0 as usize];
        let (usage, sign, group_usage) = (above.usage, above.sign, above.group_usage);
        let pending = &mut division.pending[index];
        if group_usage.is_some() && pending.usage.is_some_and(|usage| Some(usage) != group_usage) {
            let name = &program.items[index].name;
            let is_national = group_usage == Some(Usage::National);
            let group = if is_national { "national group and must be of usage NATIONAL" } else { "UTF-8 group and must be of usage UTF-8" };
            report.severe(program.items[index].span, format!("{name} stands in a {group}"));
            pending.usage = None;
        }
        pending.group_usage = pending.group_usage.or(group_usage);
        pending.usage = pending.usage.or(usage);
        pending.sign = pending.sign.or(sign);
    }
    let is_group = program.items[index].end.0 > id.0 + 1;
    if is_group {
        let members = index + 1..program.items[index].end.0 as usize;
        let category = match division.pending[index].group_usage {
            // "Processed as though it were an elementary item" of the category (GROUP-USAGE clause); a UTF-8 group as one of BYTE-LENGTH,
            // "if the group contains only fixed byte-length UTF-8 data items" (UTF-8 groups).
            Some(Usage::National) => Category::National,
            Some(Usage::Utf8) if division.pending[members].iter().all(|member| member.dynamic.is_none()) => Category::Utf8,
            _ => Category::Group,
        };
        let item = &mut program.items[index];
        item.category = category;
        if let Some(usage) = division.pending[index].group_usage.filter(|_| category != Category::Group) {
            (item.usage, item.unicode_group) = (usage, true);
        }
        return;
    }
    let pending = division.pending[index].clone();
    elementary(program, report, rules, options, id, &pending);
}

fn elementary(program: &mut Program, report: &mut Report, rules: &PictureRules, options: &Options, id: ItemId, pending: &Pending) {
    let index = id.0 as usize;
    let name = program.items[index].name.clone();
    let usage = pending.usage.unwrap_or(Usage::Display);
    if !takes_picture(usage) {
        if let Some((_, span)) = &pending.picture {
            report.severe(*span, format!("{name} has a usage that takes no PICTURE"));
        }
        let item = &mut program.items[index];
        let (category, length) = fixed_usage(usage);
        (item.category, item.usage) = (category, usage);
        set_length(item, length);
        item.sign = if category == Category::Pointer { Sign::Unsigned } else { Sign::Trailing };
        item.digits = if category == Category::Index { 9 } else { 0 };
        return;
    }
    let Some((text, span)) = &pending.picture else {
        let item = &mut program.items[index];
        let literal_length = item.value.as_ref().and_then(|value| match &value.value {
            LiteralValue::Alphanumeric(bytes) => Some(bytes.len() as u32),
            _ => None,
        });
        if literal_length.is_none() {
            report.unresolved(item.span, format!("{name} has neither a PICTURE nor subordinate items"));
        }
        (item.category, item.usage) = (Category::Alphanumeric, Usage::Display);
        set_length(item, literal_length.unwrap_or(1).max(1));
        return;
    };
    let mut info = analyze(text, rules).unwrap_or_else(|message| {
        report.severe(*span, format!("PICTURE {text} of {name} is not valid: {message}"));
        analyze("X", rules).unwrap_or_else(|_| unreachable!("X is a picture"))
    });
    let limit = if options.arith == crate::options::Arith::Extend { 31 } else { 18 };
    if info.digits > limit && info.category != Category::ExternalFloat {
        report.severe(*span, format!("{name} has {} digits; ARITH allows {limit}", info.digits));
    }
    // PICTURE N describes DBCS characters with USAGE DISPLAY-1, and without USAGE under NSYMBOL(DBCS).
    let is_double_byte = usage == Usage::Display1 || (pending.usage.is_none() && options.nsymbol == Nsymbol::Dbcs);
    if info.category == Category::National && is_double_byte {
        info.category = Category::Dbcs;
    }
    describe(&mut program.items[index], report, &info, usage, pending, text);
}

/// Fills an elementary item from its picture.
fn describe(item: &mut Item, report: &mut Report, info: &PictureInfo, usage: Usage, pending: &Pending, text: &str) {
    let span = pending.picture.as_ref().map_or(item.span, |picture| picture.1);
    check_usage(item, report, info, usage, pending);
    if info.category == Category::Utf8 && pending.byte_length.is_none() && pending.dynamic.is_none() {
        item.characters = info.characters;
        if pending.group_usage == Some(Usage::Utf8) {
            report.severe(span, format!("{} stands in a UTF-8 group and must have BYTE-LENGTH or DYNAMIC LENGTH", item.name));
        }
    }
    (item.category, item.usage) = category_and_usage(info.category, usage);
    (item.digits, item.scale) = (info.digits, info.scale);
    item.sign = sign_of(item, report, info, pending);
    let is_edited = matches!(
        item.category,
        Category::NumericEdited | Category::AlphanumericEdited | Category::NationalEdited | Category::ExternalFloat
    );
    let symbols = if is_edited { info.symbols.clone().into() } else { Box::default() };
    item.picture = Some(Box::new(Picture { text: text.into(), symbols, scale: info.scale }));
    if item.blank_when_zero {
        blank_when_zero(item, report, info, usage, span);
    }
    let is_number = info.category == Category::Numeric;
    if is_number && item.usage == Usage::National && matches!(item.sign, Sign::Leading | Sign::Trailing) {
        report.severe(span, format!("{} is signed and of usage NATIONAL, so it needs SIGN IS SEPARATE", item.name));
    }
    let length = length_bytes(item, report, info, pending, span);
    if length > ITEM_LENGTH_MAX {
        report.severe(span, format!("{} is too long", item.name));
    }
    if item.justified && !matches!(item.category, Category::Alphanumeric | Category::Alphabetic | Category::National | Category::Dbcs) {
        report.severe(span, format!("{}: JUSTIFIED needs an alphanumeric, alphabetic or national item", item.name));
        item.justified = false;
    }
    let length = match pending.dynamic {
        Some(limit) => {
            let fits = matches!(item.category, Category::Alphanumeric | Category::National | Category::Utf8)
                && info.characters == 1
                && !item.justified;
            if !fits {
                report.severe(span, format!("{}: DYNAMIC LENGTH needs PICTURE X, N or U, without a repetition", item.name));
            }
            limit.saturating_mul(length)
        }
        None => length,
    };
    set_length(item, length.clamp(1, ITEM_LENGTH_MAX));
}

/// Refuses a picture that does not go with the usage.
fn check_usage(item: &Item, report: &mut Report, info: &PictureInfo, usage: Usage, pending: &Pending) {
    let span = pending.picture.as_ref().map_or(item.span, |picture| picture.1);
    if info.category != Category::Numeric && matches!(usage, Usage::Binary | Usage::NativeBinary | Usage::Packed) {
        report.severe(span, format!("{} is {} and needs a numeric PICTURE", item.name, usage_name(usage)));
    }
    let is_utf8 = info.category == Category::Utf8;
    if is_utf8 != (usage == Usage::Utf8) && (!is_utf8 || pending.usage.is_some()) {
        report.severe(span, format!("{}: PICTURE U and USAGE UTF-8 go together only", item.name));
    }
    if pending.byte_length.is_some() && (!is_utf8 || info.characters != 1 || pending.dynamic.is_some()) {
        report.severe(span, format!("{}: BYTE-LENGTH needs PICTURE U without a repetition", item.name));
    }
}

/// What an item is by the category of its picture and the usage that is written.
fn category_and_usage(category: Category, usage: Usage) -> (Category, Usage) {
    let category = match (category, usage) {
        (Category::Alphanumeric, Usage::National) => Category::National,
        (Category::Alphanumeric | Category::Alphabetic, Usage::Display1) => Category::Dbcs,
        (category, _) => category,
    };
    let usage = match category {
        Category::National | Category::NationalEdited => Usage::National,
        Category::Utf8 => Usage::Utf8,
        Category::Dbcs => Usage::Display1,
        _ if usage == Usage::Group || usage == Usage::Display1 => Usage::Display,
        Category::Numeric | Category::NumericEdited => usage,
        _ => Usage::Display,
    };
    (category, usage)
}

/// BLANK WHEN ZERO makes a numeric DISPLAY item numeric-edited.
fn blank_when_zero(item: &mut Item, report: &mut Report, info: &PictureInfo, usage: Usage, span: Span) {
    match info.category {
        Category::NumericEdited => {}
        Category::Numeric if usage == Usage::Display && !info.signed && info.scale >= 0 => {
            item.category = Category::NumericEdited;
            if let Some(picture) = &mut item.picture {
                picture.symbols = expand_nines(info);
            }
        }
        Category::Numeric => report.severe(span, format!("{}: BLANK WHEN ZERO needs an unsigned DISPLAY item", item.name)),
        _ => report.severe(span, format!("{}: BLANK WHEN ZERO needs a numeric or numeric-edited item", item.name)),
    }
}

/// Bytes of an item, of a dynamic-length item those of one character.
fn length_bytes(item: &Item, report: &mut Report, info: &PictureInfo, pending: &Pending, span: Span) -> u32 {
    let separate = u32::from(matches!(item.sign, Sign::LeadingSeparate | Sign::TrailingSeparate));
    match (item.category, item.usage) {
        (Category::Numeric, Usage::Packed) => u32::from(info.digits) / 2 + 1,
        (Category::Numeric, Usage::Binary | Usage::NativeBinary) => {
            if info.digits > 18 {
                report.severe(span, format!("{} is binary and has {} digits; the most is 18", item.name, info.digits));
            }
            le::Attributes::binary_length(info.digits)
        }
        (_, Usage::National) => (info.characters + separate).saturating_mul(2),
        (_, Usage::Display1) => info.characters.saturating_mul(2),
        // The limit of a dynamic-length item of UTF-8 counts bytes.
        (_, Usage::Utf8) if pending.dynamic.is_some() => 1,
        (_, Usage::Utf8) => pending.byte_length.unwrap_or(info.characters.saturating_mul(UTF8_WIDTH_MAX)),
        _ => info.characters + separate,
    }
}

fn expand_nines(info: &PictureInfo) -> Box<[u8]> {
    let mut symbols = vec![b'9'; usize::from(info.digits)];
    if info.scale > 0 && i32::from(info.scale) <= i32::from(info.digits) {
        symbols.insert(usize::from(info.digits) - info.scale as usize, b'V');
    }
    symbols.into()
}

fn sign_of(item: &Item, report: &mut Report, info: &PictureInfo, pending: &Pending) -> Sign {
    if info.category == Category::NumericEdited || info.category == Category::ExternalFloat {
        return if info.signed { Sign::Trailing } else { Sign::Unsigned };
    }
    let takes_sign = info.category == Category::Numeric && matches!(item.usage, Usage::Display | Usage::National);
    if pending.sign_written && !takes_sign {
        report.error(item.span, format!("{}: SIGN is for numeric items of usage DISPLAY or NATIONAL; it has no effect", item.name));
        return if info.signed { Sign::Trailing } else { Sign::Unsigned };
    }
    if !info.signed {
        if pending.sign.is_some() && info.category == Category::Numeric && item.parent.is_none() {
            report.warning(item.span, format!("{}: SIGN has no effect without S in the PICTURE", item.name));
        }
        return Sign::Unsigned;
    }
    match (pending.sign, item.usage) {
        (Some(sign), Usage::Display | Usage::National) => match (sign.leading, sign.separate) {
            (true, true) => Sign::LeadingSeparate,
            (true, false) => Sign::Leading,
            (false, true) => Sign::TrailingSeparate,
            (false, false) => Sign::Trailing,
        },
        _ => Sign::Trailing,
    }
}

fn set_length(item: &mut Item, length: u32) {
    item.length = Size::fixed(length);
    item.length_max = length;
}

fn takes_picture(usage: Usage) -> bool {
    matches!(
        usage,
        Usage::Display
            | Usage::Display1
            | Usage::National
            | Usage::Utf8
            | Usage::Binary
            | Usage::NativeBinary
            | Usage::Packed
            | Usage::Group
    )
}

fn fixed_usage(usage: Usage) -> (Category, u32) {
    match usage {
        Usage::Float => (Category::InternalFloat, 4),
        Usage::Double => (Category::InternalFloat, 8),
        Usage::Index => (Category::Index, 4),
        Usage::ProcedurePointer => (Category::ProcedurePointer, 8),
        Usage::FunctionPointer => (Category::FunctionPointer, 4),
        Usage::ObjectReference => (Category::ObjectReference, 4),
        _ => (Category::Pointer, 4),
    }
}

/// The usage as written, for messages.
pub fn usage_name(usage: Usage) -> &'static str {
    match usage {
        Usage::Display => "DISPLAY",
        Usage::Display1 => "DISPLAY-1",
        Usage::National => "NATIONAL",
        Usage::Utf8 => "UTF-8",
        Usage::Binary => "COMP",
        Usage::NativeBinary => "COMP-5",
        Usage::Packed => "COMP-3",
        Usage::Float => "COMP-1",
        Usage::Double => "COMP-2",
        Usage::Index => "INDEX",
        Usage::Pointer => "POINTER",
        Usage::ProcedurePointer => "PROCEDURE-POINTER",
        Usage::FunctionPointer => "FUNCTION-POINTER",
        Usage::ObjectReference => "OBJECT REFERENCE",
        Usage::Group => "group",
    }
}

/// Bytes set aside for a character of PICTURE U(n).
const UTF8_WIDTH_MAX: u32 = 4;
/// The assumed maximum length of the occurrences of an OCCURS UNBOUNDED table.
const UNBOUNDED_LENGTH: u32 = ITEM_LENGTH_MAX / 4;

struct Placer<'a> {
    program: &'a mut Program,
    division: &'a mut DataDivision,
    report: &'a mut Report,
    too_large: bool,
}

impl Placer<'_> {
    /// Places the item at `at` and computes its length. Recursion is bounded by the 49 level numbers.
    fn place(&mut self, id: ItemId, at: Size) {
        let index = id.0 as usize;
        self.program.items[index].offset = at.clone();
        if self.program.items[index].end.0 > id.0 + 1 {
            let length = self.place_members(id, at);
            let most = size_max(&self.program.items, &length);
            self.check_size(id, most);
            let item = &mut self.program.items[index];
            item.length_max = most.min(u64::from(ITEM_LENGTH_MAX)) as u32;
            item.length = length;
        }
        if self.program.items[index].occurs.is_some() {
            self.set_stride(id);
        }
    }

    fn set_stride(&mut self, id: ItemId) {
        let index = id.0 as usize;
        let alignment = alignment_within(&self.program.items, id);
        let item = &mut self.program.items[index];
        let mut stride = item.length.clone();
        if alignment > 1 && stride.is_fixed() && item.is_group() {
            // Slack bytes between occurrences belong to the occurrence.
            stride.fixed = stride.fixed.next_multiple_of(alignment);
            item.length = stride.clone();
            item.length_max = stride.fixed;
        } else if alignment > 1 && stride.is_fixed() {
            stride.fixed = stride.fixed.next_multiple_of(alignment);
        }
        let unbounded = self.division.pending[index].unbounded;
        if let Some(occurs) = &mut item.occurs {
            if unbounded {
                // As many as an item's largest size allows, with room for other items of the record.
                let most = u64::from(item.length_max.max(stride.fixed));
                occurs.max = (UNBOUNDED_LENGTH / most.max(1) as u32).max(1);
            }
            occurs.stride = stride;
        }
        let most = total_max(&self.program.items, id);
        self.check_size(id, most);
    }

    fn check_size(&mut self, id: ItemId, bytes: u64) {
        if bytes > u64::from(ITEM_LENGTH_MAX) && !self.too_large {
            self.too_large = true;
            let item = self.program.item(id);
            let message = format!("{} is too long: {bytes} bytes; the most is {ITEM_LENGTH_MAX}", item.name);
            self.report.severe(item.span, message);
        }
    }

    fn place_members(&mut self, id: ItemId, at: Size) -> Size {
        let mut cursor = at.clone();
        // The furthest end of redefinitions longer than the item they redefine.
        let mut longest: u64 = 0;
        let members: Vec<ItemId> = self.program.children(id).collect();
        for member in members {
            if let Some(redefined) = self.program.item(member).redefines {
                let place = self.program.item(redefined).offset.clone();
                let room = total_max(&self.program.items, redefined);
                let fixed = place.fixed;
                self.place(member, place);
                let needed = total_max(&self.program.items, member);
                let generated = self.program.item(member).name.starts_with(crate::names::DEBUGGING_PREFIX);
                if needed > room && generated {
                    longest = longest.max(u64::from(fixed) + needed);
                } else if needed > room {
                    let (name, of) = (self.program.item(member).name.clone(), self.program.item(redefined).name.clone());
                    let message = format!("{name} ({needed} bytes) is longer than {of} ({room} bytes), which it redefines");
                    self.report.warning(self.program.item(member).span, message);
                    longest = longest.max(u64::from(fixed) + needed);
                }
                continue;
            }
            if cursor.is_fixed() && longest > u64::from(cursor.fixed) {
                cursor.fixed = longest.min(u64::from(ITEM_LENGTH_MAX)) as u32;
            }
            let alignment = leading_alignment(&self.program.items, member);
            if alignment > 1 {
                cursor.fixed = cursor.fixed.next_multiple_of(alignment);
            }
            self.place(member, cursor.clone());
            let total = self.total(member);
            cursor.fixed = cursor.fixed.saturating_add(total.fixed).min(ITEM_LENGTH_MAX + 1);
            cursor.terms.extend(total.terms);
        }
        if cursor.is_fixed() && longest > u64::from(cursor.fixed) {
            cursor.fixed = longest.min(u64::from(ITEM_LENGTH_MAX)) as u32;
        }
        // Length = end - start: the terms of the start are a prefix of those of the end.
        cursor.fixed -= at.fixed;
        cursor.terms.drain(..at.terms.len());
        cursor
    }

    /// Size of the item with all its occurrences, as far as known.
    fn total(&self, id: ItemId) -> Size {
        let item = self.program.item(id);
        let Some(occurs) = &item.occurs else { return item.length.clone() };
        if self.division.pending[id.0 as usize].depending.is_some() {
            return Size { fixed: 0, terms: vec![SizeTerm { table: id, stride: occurs.stride.clone() }] };
        }
        multiplied(&occurs.stride, occurs.max)
    }
}

fn multiplied(size: &Size, times: u32) -> Size {
    let fixed = (u64::from(size.fixed) * u64::from(times)).min(u64::from(ITEM_LENGTH_MAX) + 1) as u32;
    let terms = size.terms.iter().map(|term| SizeTerm { table: term.table, stride: multiplied(&term.stride, times) }).collect();
    Size { fixed, terms }
}

/// Alignment of an elementary SYNCHRONIZED item (Language Reference, SYNCHRONIZED clause).
fn own_alignment(item: &Item) -> u32 {
    if !item.synchronized {
        return 1;
    }
    match item.usage {
        Usage::Binary | Usage::NativeBinary => item.length_max.min(4),
        Usage::Float | Usage::Index | Usage::Pointer | Usage::FunctionPointer | Usage::ObjectReference => 4,
        Usage::Double | Usage::ProcedurePointer => 8,
        _ => 1,
    }
}

/// Alignment that the first elementary item within demands: slack goes before the group it begins.
fn leading_alignment(items: &[Item], id: ItemId) -> u32 {
    let mut at = id;
    while items[at.0 as usize].end.0 > at.0 + 1 {
        if items[at.0 as usize].occurs.is_some() {
            return alignment_within(items, at);
        }
        at = ItemId(at.0 + 1);
    }
    own_alignment(&items[at.0 as usize])
}

/// The strictest alignment of any elementary item within.
fn alignment_within(items: &[Item], id: ItemId) -> u32 {
    let end = items[id.0 as usize].end.0;
    (id.0..end).map(|at| &items[at as usize]).filter(|item| item.category != Category::Group).map(own_alignment).max().unwrap_or(1)
}
