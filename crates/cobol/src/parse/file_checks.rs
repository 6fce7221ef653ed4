//! The phrases allowed in a file statement by the organization and the access mode of its file (Language Reference, the statements' formats
//! for sequential, indexed and relative files).
//!
//! A statement that is not allowed for the file is a severe error; if only a phrase is not allowed, the rest of the statement is compiled.

use super::Parser;
use crate::program::*;

impl Parser<'_> {
    fn is_stream(&self, file: FileId) -> bool {
        matches!(self.unit.program.file(file).organization, Organization::Sequential | Organization::LineSequential)
    }

    /// A sort file (SD) is for SORT, MERGE, RELEASE and RETURN only. True when it is one.
    fn refuse_sort_file(&mut self, span: Span, verb: &str, file: FileId) -> bool {
        let is_sort_file = self.unit.program.file(file).kind == FileKind::Sort;
        if is_sort_file {
            self.impossible(span, verb, file, "is a sort file (SD); only SORT, MERGE, RELEASE and RETURN may name it");
        }
        is_sort_file
    }

    /// USING and GIVING.
    pub fn check_sorted_files(&mut self, span: Span, phrase: &str, files: &[FileId]) {
        for file in files {
            self.refuse_sort_file(span, phrase, *file);
        }
    }

    pub fn check_close(&mut self, span: Span, file: FileId) {
        self.refuse_sort_file(span, "CLOSE", file);
    }

    pub fn check_return(&mut self, span: Span, file: FileId, handlers: &FileHandlers) {
        if self.unit.program.file(file).kind != FileKind::Sort {
            self.impossible(span, "RETURN", file, "is not a sort file (SD)");
        } else if handlers.at_end.is_none() {
            self.report.error(span, "RETURN needs the phrase AT END");
        }
    }

    /// The statement is not allowed: `why` continues the sentence after the file's name.
    fn impossible(&mut self, span: Span, verb: &str, file: FileId, why: &str) {
        let message = format!("{verb}: {} {why}", self.unit.program.file(file).name);
        self.report.severe(span, message);
    }

    fn stray_phrase(&mut self, span: Span, verb: &str, phrase: &str, file: FileId, why: &str) {
        let message = format!("{verb} with {phrase}: {} {why}; the phrase has no effect", self.unit.program.file(file).name);
        self.report.error(span, message);
    }

    pub fn check_open(&mut self, span: Span, file: FileId, mode: OpenMode, options: OpenOptions) {
        if self.refuse_sort_file(span, "OPEN", file) {
            return;
        }
        if mode == OpenMode::Extend && self.unit.program.file(file).access != Access::Sequential {
            self.impossible(span, "OPEN EXTEND", file, "is not of ACCESS SEQUENTIAL");
        }
        if !self.is_stream(file) && (options.reversed || options.no_rewind) {
            let phrase = if options.reversed { "REVERSED" } else { "NO REWIND" };
            self.stray_phrase(span, "OPEN", phrase, file, "is not a sequential file");
        }
    }

    pub fn check_read(&mut self, span: Span, file: FileId, next: bool, handlers: &FileHandlers) {
        if self.refuse_sort_file(span, "READ", file) {
            return;
        }
        let random = self.unit.program.file(file).access == Access::Random;
        let invalid_key = handlers.invalid_key.is_some() || handlers.not_invalid_key.is_some();
        if next && random {
            self.impossible(span, "READ NEXT", file, "is of ACCESS RANDOM");
        }
        if invalid_key && self.is_stream(file) {
            self.stray_phrase(span, "READ", "INVALID KEY", file, "is a sequential file");
        } else if invalid_key && next {
            self.stray_phrase(span, "READ NEXT", "INVALID KEY", file, "is read sequentially");
        }
        if random && (handlers.at_end.is_some() || handlers.not_at_end.is_some()) {
            self.stray_phrase(span, "READ", "AT END", file, "is of ACCESS RANDOM");
        }
    }

    pub fn check_write(&mut self, span: Span, file: FileId, advancing: bool, handlers: &FileHandlers) {
        if self.refuse_sort_file(span, "WRITE", file) {
            return;
        }
        if advancing && !self.is_stream(file) {
            self.stray_phrase(span, "WRITE", "ADVANCING", file, "is not a sequential file");
        }
        let end_of_page = handlers.end_of_page.is_some() || handlers.not_end_of_page.is_some();
        if end_of_page && self.unit.program.file(file).linage.is_none() {
            self.stray_phrase(span, "WRITE", "AT END-OF-PAGE", file, "has no LINAGE clause");
        }
    }

    pub fn check_rewrite(&mut self, span: Span, file: FileId, handlers: &FileHandlers) {
        if self.refuse_sort_file(span, "REWRITE", file) {
            return;
        }
        let described = self.unit.program.file(file);
        let by_position = described.organization == Organization::Relative && described.access == Access::Sequential;
        if handlers.invalid_key.is_none() && handlers.not_invalid_key.is_none() {
            return;
        }
        if self.is_stream(file) {
            self.stray_phrase(span, "REWRITE", "INVALID KEY", file, "is a sequential file");
        } else if by_position {
            self.stray_phrase(span, "REWRITE", "INVALID KEY", file, "is a relative file of ACCESS SEQUENTIAL");
        }
    }

    pub fn check_delete(&mut self, span: Span, file: FileId, handlers: &FileHandlers) {
        if self.is_stream(file) {
            self.impossible(span, "DELETE", file, "is a sequential file; its records cannot be deleted");
        } else if self.unit.program.file(file).access == Access::Sequential
            && (handlers.invalid_key.is_some() || handlers.not_invalid_key.is_some())
        {
            self.stray_phrase(span, "DELETE", "INVALID KEY", file, "is of ACCESS SEQUENTIAL");
        }
    }

    pub fn check_start(&mut self, span: Span, file: FileId) {
        if self.is_stream(file) {
            self.impossible(span, "START", file, "is a sequential file; it has no keys");
        } else if self.unit.program.file(file).access == Access::Random {
            self.impossible(span, "START", file, "is of ACCESS RANDOM");
        }
    }
}
