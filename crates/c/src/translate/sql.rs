//! EXEC SQL and SQL TYPE IS in the text of a C source.

use super::Translator;
use super::headers::Headers;
use crate::embedded::{Embedded, Site, Translated, behind_sql, refusal, sql_type_at};
use crate::scan::Place;
use cobol::diagnostics::Diagnostics;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Learns the SQL of a source and of all that it includes.
pub fn survey(embedded: &mut Embedded, source: &str, parent: &Path, headers: Option<&Headers<'_>>) {
    let mut seen: HashSet<PathBuf> = HashSet::new();
    let mut waiting = vec![(embedded.survey(source), parent.to_path_buf())];
    while let Some((lines, parent)) = waiting.pop() {
        for path in lines.iter().filter_map(|line| headers?.path(line, &parent)) {
            if !seen.insert(path.clone()) {
                continue;
            }
            let Ok(bytes) = std::fs::read(&path) else { continue };
            let below = path.parent().unwrap_or(Path::new(".")).to_path_buf();
            waiting.push((embedded.survey(&String::from_utf8_lossy(&bytes)), below));
        }
    }
}

impl Translator<'_, '_, '_> {
    /// Reads declarations up to here.
    pub(super) fn declare_to(&mut self, place: Place) {
        if place.offset > self.declared {
            self.embedded.declare(&self.source[self.declared..place.offset]);
            self.declared = place.offset;
        }
    }

    /// EXEC SQL, whose first word is at `start`. False: something else stands here.
    pub(super) fn exec_sql(&mut self, start: Place, diagnostics: &mut Diagnostics) -> bool {
        let Some(from) = behind_sql(self.source, self.scanner.at) else { return false };
        self.declare_to(start);
        let site = Site { source: self.source, file: &self.file, start, from };
        let (translated, end) = self.embedded.statement(&site, diagnostics);
        self.scanner.at = end;
        self.declared = end.offset;
        match translated {
            Translated::Nothing => {
                let lines = self.source[start.offset..end.offset].matches('\n').count();
                self.text.push_str(&"\n".repeat(lines));
                return true;
            }
            Translated::Code(code) => self.text.push_str(&code),
            Translated::Include(line) => {
                let parent = self.parent;
                let headers = self.headers.as_mut();
                let included = headers.and_then(|headers| headers.include(&line, parent, self.embedded, diagnostics));
                match included {
                    Some(included) => self.text.push_str(&format!("\n{included}")),
                    None => {
                        let member = line.split('"').nth(1).unwrap_or_default();
                        diagnostics.severe("SQ1012", start.span(4), format!("the member {member} of INCLUDE is not found"));
                    }
                }
            }
        }
        self.text.push('\n');
        self.line(end.line);
        self.text.push_str(&" ".repeat(usize::from(end.column.saturating_sub(1))));
        true
    }

    /// `SQL TYPE IS`, whose first word is at `start`.
    pub(super) fn sql_type(&mut self, word: &str, start: Place, diagnostics: &mut Diagnostics) {
        match sql_type_at(self.source, self.scanner.at) {
            None => self.text.push_str(word),
            Some(Ok((text, end))) => {
                let lines = self.source[start.offset..end.offset].matches('\n').count();
                self.text.push_str(&text);
                self.text.push_str(&"\n".repeat(lines));
                self.scanner.at = end;
            }
            Some(Err(end)) => {
                let shown = self.source[end.offset..].split(';').next().unwrap_or_default().split_whitespace();
                let shown = shown.take(3).collect::<Vec<_>>().join(" ");
                diagnostics.severe("SQ1012", start.span(word.len()), refusal(&shown));
                self.text.push_str("int ");
                self.scanner.at = end;
            }
        }
    }
}
