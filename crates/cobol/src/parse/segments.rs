//! Independent segments (segment numbers 50 to 99): whenever control enters one from another segment, its altered GO TOs return to their
//! original targets (COBOL 85, "Segmentation module"; a return to it from a PERFORM does not count as such a transfer).

use super::Parser;
use crate::program::*;
use rustc_hash::FxHashMap;

/// The lowest number of an independent segment.
const INDEPENDENT_FIRST: u8 = 50;

impl Parser<'_> {
    /// Inserts a reset before every statement that leads into an independent segment with altered paragraphs.
    pub fn reset_independent_segments(&mut self) {
        let program = &mut self.unit.program;
        let segments: Vec<u8> = program
            .procedures
            .iter()
            .map(|procedure| procedure.section.map_or(0, |section| program.procedures[section.0 as usize].segment))
            .collect();
        let mut altered: FxHashMap<u8, Vec<ProcedureId>> = FxHashMap::default();
        for (index, procedure) in program.procedures.iter().enumerate() {
            if procedure.altered.is_some() && segments[index] >= INDEPENDENT_FIRST {
                altered.entry(segments[index]).or_default().push(ProcedureId(index as u32));
            }
        }
        if altered.is_empty() {
            return;
        }
        let mut count = program.statement_count;
        for index in 0..program.procedures.len() {
            let mut walk = Walk { segments: &segments, altered: &altered, own: segments[index], count: &mut count };
            let mut statements = std::mem::take(&mut program.procedures[index].statements);
            walk.list(&mut statements);
            // Falling into the next procedure.
            if let Some(next) = segments.get(index + 1).copied() {
                let span = program.procedures[index].span;
                statements.extend(walk.reset(next, span));
            }
            program.procedures[index].statements = statements;
        }
        program.statement_count = count;
    }
}

struct Walk<'a> {
    segments: &'a [u8],
    altered: &'a FxHashMap<u8, Vec<ProcedureId>>,
    own: u8,
    count: &'a mut u32,
}

impl Walk<'_> {
    fn reset(&mut self, segment: u8, span: Span) -> Option<Statement> {
        let altered = self.altered.get(&segment).filter(|_| segment != self.own)?;
        *self.count += 1;
        Some(Statement { kind: StatementKind::ResetAlter(altered.clone()), span, number: *self.count })
    }

    fn list(&mut self, statements: &mut Statements) {
        let mut at = 0;
        while at < statements.len() {
            let span = statements[at].span;
            let mut targets = Vec::new();
            match &statements[at].kind {
                StatementKind::GoTo(target) => targets.push(*target),
                StatementKind::GoToDepending { targets: several, .. } => targets.extend(several),
                StatementKind::GoToAltered { initial, .. } => targets.extend(initial),
                StatementKind::ExecSql(sql) => targets.extend(sql.whenever.targets()),
                StatementKind::Perform(perform) => {
                    if let PerformBody::Range(range) = &perform.body {
                        targets.push(range.first);
                    }
                }
                _ => {}
            }
            let mut segments: Vec<u8> = targets.iter().map(|target| self.segments[target.0 as usize]).collect();
            segments.sort_unstable();
            segments.dedup();
            if let StatementKind::Perform(perform) = &mut statements[at].kind
                && let (PerformBody::Range(range), false) = (&perform.body, matches!(perform.control, PerformControl::Once))
                && let Some(reset) = segments.first().and_then(|segment| self.reset(*segment, span))
            {
                // Each execution of the range is a separate transfer.
                *self.count += 1;
                let once = Perform { body: PerformBody::Range(*range), control: PerformControl::Once };
                let once = Statement { kind: StatementKind::Perform(Box::new(once)), span, number: *self.count };
                perform.body = PerformBody::Inline(vec![reset, once]);
                at += 1;
                continue;
            }
            let resets: Vec<Statement> = segments.into_iter().filter_map(|segment| self.reset(segment, span)).collect();
            each_list_mut(&mut statements[at].kind, &mut |inner| self.list(inner));
            let before = resets.len();
            statements.splice(at..at, resets);
            at += before + 1;
        }
    }
}
