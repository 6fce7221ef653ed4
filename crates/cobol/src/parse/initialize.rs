//! INITIALIZE, expanded to constant images, moves and loops.
//!
//! A group of fixed size whose parts all get constants becomes one image; large or variable tables become loops.

use super::Parser;
use super::cursor::Parsed;
use crate::data::value::Encoder;
use crate::program::*;

/// Tables are unrolled into an image up to this many bytes.
const IMAGE_BYTES_MAX: u32 = 16 * 1024;

/// The categories REPLACING names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ReplaceCategory {
    Alphabetic,
    Alphanumeric,
    AlphanumericEdited,
    Numeric,
    NumericEdited,
    National,
    NationalEdited,
    Utf8,
    Dbcs,
    Pointer,
}

struct Plan {
    replacing: Vec<(ReplaceCategory, Operand)>,
    /// TO VALUE: categories, or ALL.
    to_value: Option<Vec<ReplaceCategory>>,
    /// Categories not named are initialized by default (no REPLACING, or THEN TO DEFAULT).
    defaults: bool,
    with_filler: bool,
}

impl Parser<'_> {
    pub fn initialize_statement(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let mut targets = Vec::new();
        while self.at_identifier() {
            targets.push(self.reference()?);
        }
        if targets.is_empty() {
            return self.fail("an identifier");
        }
        let plan = self.initialize_phrases()?;
        let mut steps = Vec::new();
        for target in targets {
            self.check_initialized(&target);
            steps.append(&mut self.initialize_steps(&target, &plan));
        }
        Ok(StatementKind::Initialize(steps))
    }

    /// The effect on an item of INITIALIZE without phrases.
    pub fn default_initialization(&self, target: &Reference) -> Vec<InitializeStep> {
        self.initialize_steps(target, &Plan { replacing: Vec::new(), to_value: None, defaults: true, with_filler: false })
    }

    fn check_initialized(&mut self, target: &Reference) {
        let item = self.item(target.item);
        let wrong = match (item.category, item.level) {
            (Category::Index, _) => "an index",
            (_, 66) => "a RENAMES item",
            _ => return,
        };
        let message = format!("{} is {wrong} and cannot be initialized", item.name);
        self.report.severe(target.span, message);
    }

    fn initialize_phrases(&mut self) -> Parsed<Plan> {
        let mut plan = Plan { replacing: Vec::new(), to_value: None, defaults: true, with_filler: false };
        if self.is_word("FILLER") || (self.is_word("WITH") && self.peek_word(1) == "FILLER") {
            self.accept("WITH");
            self.accept("FILLER");
            plan.with_filler = true;
        }
        if self.accept("ALL") {
            self.accept("TO");
            self.expect("VALUE")?;
            plan.to_value = Some(Vec::new());
            plan.defaults = false;
        } else if let Some(category) = self.replace_category() {
            self.accept("TO");
            self.expect("VALUE")?;
            plan.to_value = Some(vec![category]);
            plan.defaults = false;
        }
        self.accept("THEN");
        if self.accept("REPLACING") {
            plan.defaults = false;
            while let Some(category) = self.replace_category() {
                self.accept("DATA");
                self.expect("BY")?;
                let value = self.operand()?;
                plan.replacing.push((category, value));
            }
            if plan.replacing.is_empty() {
                return self.fail("a category");
            }
        }
        if self.is_word("DEFAULT") || (matches!(self.word(), "THEN" | "TO") && matches!(self.peek_word(1), "TO" | "DEFAULT")) {
            self.accept("THEN");
            self.accept("TO");
            if !self.accept("DEFAULT") {
                return self.fail("DEFAULT");
            }
            plan.defaults = true;
        }
        Ok(plan)
    }

    fn replace_category(&mut self) -> Option<ReplaceCategory> {
        let category = match self.word() {
            "ALPHABETIC" => ReplaceCategory::Alphabetic,
            "ALPHANUMERIC" => ReplaceCategory::Alphanumeric,
            "ALPHANUMERIC-EDITED" => ReplaceCategory::AlphanumericEdited,
            "NUMERIC" => ReplaceCategory::Numeric,
            "NUMERIC-EDITED" => ReplaceCategory::NumericEdited,
            "NATIONAL" => ReplaceCategory::National,
            "NATIONAL-EDITED" => ReplaceCategory::NationalEdited,
            "UTF-8" => ReplaceCategory::Utf8,
            "DBCS" | "EGCS" => ReplaceCategory::Dbcs,
            "POINTER" => ReplaceCategory::Pointer,
            _ => return None,
        };
        self.advance();
        Some(category)
    }

    fn initialize_steps(&self, target: &Reference, plan: &Plan) -> Vec<InitializeStep> {
        let item = self.item(target.item);
        if target.modification.is_some() {
            return self.initialize_part(target, plan);
        }
        if !item.is_group() {
            return match self.initial_value(target.item, plan) {
                Some(value) => vec![InitializeStep::Move { target: target.clone(), value }],
                None => Vec::new(),
            };
        }
        let mut runs = Vec::new();
        if item.length.is_fixed()
            && item.offset.is_fixed()
            && item.length.fixed <= IMAGE_BYTES_MAX
            && self.image_of(target.item, 0, plan, &mut runs)
        {
            let runs = merged(runs);
            if runs.is_empty() {
                return Vec::new();
            }
            return vec![InitializeStep::Image { target: target.clone(), runs }];
        }
        let mut steps = Vec::new();
        self.member_steps(target, target.item, plan, 0, &mut steps);
        steps
    }

    /// A reference-modified item is an elementary item of category alphanumeric (national, UTF-8, DBCS) without a VALUE clause, whatever
    /// the item is. (Language Reference, Reference modification: class and category of the unique data item.)
    fn initialize_part(&self, target: &Reference, plan: &Plan) -> Vec<InitializeStep> {
        let category = match self.item(target.item).usage {
            Usage::National => ReplaceCategory::National,
            Usage::Utf8 => ReplaceCategory::Utf8,
            Usage::Display1 => ReplaceCategory::Dbcs,
            _ => ReplaceCategory::Alphanumeric,
        };
        let replacing = plan.replacing.iter().find(|(named, _)| *named == category).map(|(_, value)| value.clone());
        let default = plan.defaults.then_some(Operand::Figurative(Figurative::Space, target.span));
        let value = replacing.or(default);
        value.map(|value| InitializeStep::Move { target: target.clone(), value }).into_iter().collect()
    }

    /// Constant bytes of the members, at offsets from the start of the outermost group; false when something is not constant.
    fn image_of(&self, group: ItemId, at: u32, plan: &Plan, runs: &mut Vec<(u32, Vec<u8>)>) -> bool {
        let start = self.item(group).offset.fixed;
        for member in self.unit.program.children(group) {
            let item = self.item(member);
            if item.redefines.is_some() {
                continue;
            }
            let (count, stride) = match &item.occurs {
                Some(occurs) if !occurs.stride.is_fixed() || occurs.depending.is_some() => return false,
                Some(occurs) => (occurs.max, occurs.stride.fixed),
                None => (1, 0),
            };
            for occurrence in 0..count {
                let offset = at + (item.offset.fixed - start) + occurrence * stride;
                if item.is_group() {
                    if !self.image_of(member, offset, plan, runs) {
                        return false;
                    }
                    continue;
                }
                if !self.is_initialized(member, plan) {
                    continue;
                }
                let Some(value) = self.initial_value(member, plan) else { continue };
                match self.constant_bytes(member, &value) {
                    Some(bytes) => runs.push((offset, bytes)),
                    None => return false,
                }
            }
        }
        true
    }

    /// Unnamed items are skipped unless WITH FILLER is given.
    fn is_initialized(&self, member: ItemId, plan: &Plan) -> bool {
        let item = self.item(member);
        plan.with_filler || &*item.name != "FILLER"
    }

    /// Steps for the members of a group that cannot be one image.
    fn member_steps(&self, base: &Reference, group: ItemId, plan: &Plan, depth: u32, steps: &mut Vec<InitializeStep>) {
        for member in self.unit.program.children(group) {
            let item = self.item(member);
            if item.redefines.is_some() {
                continue;
            }
            let mut reference = base.clone();
            reference.item = member;
            if item.occurs.is_none() {
                self.one_member(&reference, plan, depth, steps);
                continue;
            }
            reference.subscripts.push(Subscript::Loop(depth));
            let mut body = Vec::new();
            self.one_member(&reference, plan, depth + 1, &mut body);
            if !body.is_empty() {
                steps.push(InitializeStep::Loop { table: member, depth, body });
            }
        }
    }

    fn one_member(&self, reference: &Reference, plan: &Plan, depth: u32, steps: &mut Vec<InitializeStep>) {
        let member = reference.item;
        let item = self.item(member);
        if !item.is_group() {
            if self.is_initialized(member, plan)
                && let Some(value) = self.initial_value(member, plan)
            {
                steps.push(InitializeStep::Move { target: reference.clone(), value });
            }
            return;
        }
        let mut runs = Vec::new();
        if item.length.is_fixed() && item.length.fixed <= IMAGE_BYTES_MAX && self.image_of(member, 0, plan, &mut runs) {
            let runs = merged(runs);
            if !runs.is_empty() {
                steps.push(InitializeStep::Image { target: reference.clone(), runs });
            }
            return;
        }
        self.member_steps(reference, member, plan, depth, steps);
    }

    /// The value an elementary item gets, if any.
    fn initial_value(&self, id: ItemId, plan: &Plan) -> Option<Operand> {
        let item = self.item(id);
        let category = replace_category(item)?;
        if let Some(categories) = &plan.to_value
            && (categories.is_empty() || categories.contains(&category))
            && let Some(value) = &item.value
        {
            return Some(super::condition::value_operand(value));
        }
        if let Some((_, value)) = plan.replacing.iter().find(|(named, _)| *named == category) {
            return Some(value.clone());
        }
        if !plan.defaults {
            return None;
        }
        let span = item.span;
        Some(match category {
            ReplaceCategory::Numeric | ReplaceCategory::NumericEdited => Operand::Figurative(Figurative::Zero, span),
            ReplaceCategory::Pointer => Operand::Figurative(Figurative::Null, span),
            _ => Operand::Figurative(Figurative::Space, span),
        })
    }

    /// The bytes the item has after the move, when the value is constant and its encoding simple.
    fn constant_bytes(&self, id: ItemId, value: &Operand) -> Option<Vec<u8>> {
        let item = self.item(id);
        let literal = match value {
            Operand::Figurative(figurative, span) => Literal { value: LiteralValue::Figurative(figurative.clone()), span: *span },
            Operand::Literal(literal) => literal.clone(),
            _ => return None,
        };
        // Edited and justified items: the encoding of VALUE is not that of MOVE.
        let simple = matches!(
            item.category,
            Category::Alphabetic
                | Category::Alphanumeric
                | Category::Numeric
                | Category::InternalFloat
                | Category::National
                | Category::Pointer
                | Category::FunctionPointer
                | Category::ProcedurePointer
        );
        let spaces = matches!(literal.value, LiteralValue::Figurative(Figurative::Space));
        if !(simple || spaces && item.category == Category::AlphanumericEdited && !has_insertion(item)) {
            return None;
        }
        if item.justified && !spaces {
            return None;
        }
        if item.is_numeric() && !matches!(literal.value, LiteralValue::Figurative(Figurative::Zero) | LiteralValue::Numeric(_)) {
            return None;
        }
        if item.category == Category::Numeric && item.usage == Usage::National && item.sign != Sign::Unsigned {
            return None;
        }
        let encoded = Encoder::initial(&self.encoder, item, &literal).ok()?;
        (!encoded.truncated).then_some(encoded.bytes)
    }
}

fn has_insertion(item: &Item) -> bool {
    item.picture.as_ref().is_some_and(|picture| picture.symbols.iter().any(|symbol| matches!(symbol, b'0' | b'/')))
}

fn replace_category(item: &Item) -> Option<ReplaceCategory> {
    Some(match item.category {
        Category::Alphabetic => ReplaceCategory::Alphabetic,
        Category::Alphanumeric => ReplaceCategory::Alphanumeric,
        Category::AlphanumericEdited => ReplaceCategory::AlphanumericEdited,
        Category::Numeric | Category::InternalFloat | Category::ExternalFloat => ReplaceCategory::Numeric,
        Category::NumericEdited => ReplaceCategory::NumericEdited,
        Category::National => ReplaceCategory::National,
        Category::NationalEdited => ReplaceCategory::NationalEdited,
        Category::Utf8 => ReplaceCategory::Utf8,
        Category::Dbcs => ReplaceCategory::Dbcs,
        Category::Pointer => ReplaceCategory::Pointer,
        // Index items, procedure-pointers and groups are not initialized themselves.
        _ => return None,
    })
}

/// Joins runs that touch.
fn merged(runs: Vec<(u32, Vec<u8>)>) -> Vec<(u32, Box<[u8]>)> {
    let mut joined: Vec<(u32, Vec<u8>)> = Vec::new();
    for (offset, bytes) in runs {
        match joined.last_mut() {
            Some((start, open)) if *start + open.len() as u32 == offset => open.extend_from_slice(&bytes),
            _ => joined.push((offset, bytes)),
        }
    }
    joined.into_iter().map(|(offset, bytes)| (offset, bytes.into_boxed_slice())).collect()
}
