//! The messages of the machine's compiler and linker in our form: file, line, column, severity, text and the source line.

use crate::generate::GENERATED;
use cobol::diagnostics::{Diagnostic, Diagnostics, Severity};
use cobol::source::{FileKind, SourceFile, SourceMap};
use cobol::span::Span;
use std::path::Path;

/// The sources of a compilation as messages show them; the main source is file 0.
pub fn source_map(name: &str, source: &str) -> SourceMap {
    let mut map = SourceMap::new();
    add_file(&mut map, name, source, FileKind::Main);
    map
}

pub fn add_file(map: &mut SourceMap, name: &str, text: &str, kind: FileKind) -> Option<u16> {
    let lines: Vec<Box<str>> = text.lines().map(|line| line.replace('\t', " ").into()).collect();
    map.add(SourceFile {
        name: name.to_string(),
        kind,
        included_at: None,
        included_end_line: 0,
        suppressed: false,
        fixed: false,
        lines: lines.into(),
        numbers: Vec::new(),
        excluded: Vec::new(),
    })
}

/// Reads the messages of the compiler or linker from its standard error.
pub fn take(output: &str, sources: &mut SourceMap, diagnostics: &mut Diagnostics) {
    let mut of_commands = Vec::new();
    for line in output.lines() {
        if let Some((severity, text, place)) = parse(line) {
            if place.0 == GENERATED {
                of_commands.push((severity, text, place.1));
                continue;
            }
            let mut span = span(place, sources);
            let assertion = text.strip_prefix("static assertion failed: \"").map(|text| text.trim_end_matches('"').to_string());
            if usize::from(span.column) > sources.line_text(span.file, span.line).chars().count() {
                // An error in the translation of the line; assertions describe it.
                if assertion.is_none() {
                    of_commands.push((severity, text, place.1));
                    continue;
                }
                span = Span::new(span.file, span.line, 0, 0);
            }
            let text = assertion.unwrap_or_else(|| explained(text));
            let code = if severity == Severity::Warning { "CC0001" } else { "CC0002" };
            diagnostics.push(Diagnostic::new(severity, code, span, text));
        } else if let Some(text) = undefined(line) {
            diagnostics.severe("CC0003", Span::new(0, 0, 0, 0), text);
        }
    }
    // An error in a command as a whole: an argument of an unsuitable type. Other errors explain it better.
    if !diagnostics.forbids_code() {
        for (severity, text, line) in of_commands.into_iter().filter(|(severity, ..)| *severity > Severity::Warning) {
            if let Some(text) = text.strip_prefix("static assertion failed: \"") {
                diagnostics.severe("CC0002", Span::new(0, line, 0, 0), text.trim_end_matches('"'));
                continue;
            }
            diagnostics.push(Diagnostic::new(
                severity,
                "CC0004",
                Span::new(0, line, 0, 0),
                format!("an argument does not fit the command: {text}"),
            ));
        }
    }
}

/// `file:line:column: error: text`.
fn parse(line: &str) -> Option<(Severity, String, (&str, u32, u16))> {
    let (at, severity, length) =
        [(": error: ", Severity::Severe), (": fatal error: ", Severity::Unrecoverable), (": warning: ", Severity::Warning)]
            .into_iter()
            .find_map(|(mark, severity)| Some((line.find(mark)?, severity, mark.len())))?;
    let mut parts = line[..at].rsplitn(3, ':');
    let (column, number, file) = (parts.next()?, parts.next()?, parts.next()?);
    Some((severity, line[at + length..].to_string(), (file, number.parse().ok()?, column.parse().ok()?)))
}

/// What the compiler says of structures with COBOL's order of bytes only is not clear without this.
fn explained(text: String) -> String {
    const WHY: &str = "; an address cannot be an initial value in a structure whose numbers are in the order of COBOL: put #pragma \
                       scalar_storage_order little-endian before the structure and #pragma scalar_storage_order default behind it, or assign it";
    if text == "initializer element is not constant" {
        return text + WHY;
    }
    match text.strip_prefix("attempt to use poisoned ").map(|name| name.trim_matches(['"', '\''])) {
        Some("asm" | "__asm" | "__asm__") => {
            "assembler statements are not supported in C and C++ programs; write it in C, or use a function of the library or a command"
                .to_string()
        }
        Some(name) => format!("{name} cannot be used in C programs: it changes what the region relies on"),
        None => text,
    }
}

/// `undefined reference to `name'`: the linker names no line that helps.
fn undefined(line: &str) -> Option<String> {
    let at = line.find("undefined reference to ")?;
    let name = line[at + "undefined reference to ".len()..].trim_matches(['`', '\'']);
    Some(match name {
        "main" => "there is no function main".to_string(),
        name => {
            format!("{name} is used and defined nowhere: it is neither in this source nor among the functions a C program has under CICS")
        }
    })
}

fn span((file, line, column): (&str, u32, u16), sources: &mut SourceMap) -> Span {
    let known = sources.files().iter().position(|known| known.name == file).and_then(|at| u16::try_from(at).ok());
    let number = known.or_else(|| {
        let text = std::fs::read_to_string(Path::new(file)).unwrap_or_default();
        add_file(sources, file, &text, FileKind::Copybook)
    });
    Span::new(number.unwrap_or(0), line, column, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assertions_of_generated_text_are_about_their_line() {
        let mut sources = source_map("a.c", "CBL(5);\n");
        let mut diagnostics = Diagnostics::default();
        take(
            "a.c:1:99: error: static assertion failed: \"argument 1 of CBL is no address\"\na.c:1:120: error: passing\n",
            &mut sources,
            &mut diagnostics,
        );
        let text = diagnostics.render(&sources);
        assert!(text.contains("a.c:1: RGTCC0002-S argument 1 of CBL is no address\n") && !text.contains("passing"), "{text}");
    }

    #[test]
    fn messages_keep_their_places() {
        let mut sources = source_map("a.c", "int main(void)\n{ return x; }\n");
        let mut diagnostics = Diagnostics::default();
        let output = "a.c: In function 'main':\na.c:2:10: error: 'x' undeclared\n/usr/bin/ld: a.o: undefined reference to `fopen'\n";
        take(output, &mut sources, &mut diagnostics);
        let text = diagnostics.render(&sources);
        assert!(text.contains("a.c:2:10: RGTCC0002-S 'x' undeclared\n     2 | { return x; }\n"), "{text}");
        assert!(text.contains("fopen is used and defined nowhere"), "{text}");
        assert_eq!(diagnostics.return_code(), 12);
    }
}
