//! CORRESPONDING: which items of two groups correspond (Language Reference, "CORRESPONDING phrase").

use super::Parser;
use super::cursor::Parsed;
use crate::program::*;
use rustc_hash::FxHashMap;

impl Parser<'_> {
    /// Pairs of elementary (for arithmetic: numeric) items of the same name and qualification within two groups.
    pub fn corresponding_pairs(&mut self, from: &Reference, to: &Reference, arithmetic: bool) -> Parsed<Vec<(Reference, Reference)>> {
        for reference in [from, to] {
            if !self.item(reference.item).is_group() || reference.modification.is_some() {
                let message = format!("{} is not a group; CORRESPONDING needs groups", self.item(reference.item).name);
                return self.fail_at(reference.span, message);
            }
        }
        let mut pairs = Vec::new();
        self.match_members(from.item, to.item, arithmetic, &mut pairs);
        let member = |group: &Reference, item: ItemId| Reference {
            item,
            subscripts: group.subscripts.clone(),
            modification: None,
            maximum_length: false,
            span: group.span,
        };
        Ok(pairs.into_iter().map(|(left, right)| (member(from, left), member(to, right))).collect())
    }

    fn match_members(&self, from: ItemId, to: ItemId, arithmetic: bool, pairs: &mut Vec<(ItemId, ItemId)>) {
        let program = &self.unit.program;
        let mut receivers: FxHashMap<&str, ItemId> = FxHashMap::default();
        for member in program.children(to) {
            if self.may_correspond(member) {
                receivers.entry(&program.item(member).name).or_insert(member);
            }
        }
        for left in program.children(from) {
            if !self.may_correspond(left) {
                continue;
            }
            let Some(right) = receivers.get(&*program.item(left).name).copied() else { continue };
            let (left_item, right_item) = (program.item(left), program.item(right));
            if left_item.is_group() && right_item.is_group() {
                self.match_members(left, right, arithmetic, pairs);
            } else if arithmetic {
                if left_item.is_numeric() && right_item.is_numeric() {
                    pairs.push((left, right));
                }
            } else {
                pairs.push((left, right));
            }
        }
    }

    fn may_correspond(&self, id: ItemId) -> bool {
        let item = self.item(id);
        &*item.name != "FILLER"
            && item.redefines.is_none()
            && item.occurs.is_none()
            && !matches!(
                item.category,
                Category::Index | Category::Pointer | Category::ProcedurePointer | Category::FunctionPointer | Category::ObjectReference
            )
    }
}
