//! A page of documentation, and its two forms: Markdown for `docs/commands`, plain text for the terminal.

use std::fmt::Write as _;

/// Columns of a page on the terminal.
const WIDTH: usize = 80;
/// Narrowest last column of a table on the terminal.
const LAST_COLUMN_MIN: usize = 24;

#[derive(Default)]
pub struct Page {
    pub title: String,
    pub blocks: Vec<Block>,
}

/// Texts and cells are Markdown with code spans and links only.
pub enum Block {
    Heading(String),
    Text(String),
    List(Vec<String>),
    Code(Vec<String>),
    Table { head: Vec<&'static str>, rows: Vec<Vec<String>> },
}

impl Page {
    pub fn new(title: impl Into<String>) -> Page {
        Page { title: title.into(), blocks: Vec::new() }
    }

    pub fn heading(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Heading(text.into()));
    }

    pub fn text(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Text(text.into()));
    }

    /// A list; nothing when it is empty.
    pub fn list(&mut self, items: Vec<String>) {
        if !items.is_empty() {
            self.blocks.push(Block::List(items));
        }
    }

    pub fn code(&mut self, lines: Vec<String>) {
        self.blocks.push(Block::Code(lines));
    }

    /// A table without the columns that are empty in all rows.
    pub fn table(&mut self, head: &[&'static str], rows: Vec<Vec<String>>) {
        let used: Vec<usize> = (0..head.len()).filter(|&column| rows.iter().any(|row| !row[column].is_empty())).collect();
        let kept = |row: &[String]| used.iter().map(|&column| row[column].clone()).collect();
        let rows = rows.iter().map(|row| kept(row)).collect();
        self.blocks.push(Block::Table { head: used.iter().map(|&column| head[column]).collect(), rows });
    }

    pub fn markdown(&self) -> String {
        let mut out = format!("# {}\n", self.title);
        for block in &self.blocks {
            out.push('\n');
            match block {
                Block::Heading(text) => writeln!(out, "## {text}").expect("a string"),
                Block::Text(text) => out.push_str(&wrapped(text, 140, "", "")),
                Block::List(items) => items.iter().for_each(|item| out.push_str(&wrapped(item, 140, "* ", "  "))),
                Block::Code(lines) => write!(out, "```text\n{}\n```\n", lines.join("\n")).expect("a string"),
                Block::Table { head, rows } => {
                    writeln!(out, "| {} |\n|{}", head.join(" | "), " --- |".repeat(head.len())).expect("a string");
                    for row in rows {
                        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
                        writeln!(out, "| {} |", cells.join(" | ")).expect("a string");
                    }
                }
            }
        }
        out
    }

    /// The page for a terminal; headings go through `heading`.
    pub fn plain(&self, heading: impl Fn(&str) -> String) -> String {
        let mut out = format!("{}\n", heading(&self.title));
        for block in &self.blocks {
            match block {
                Block::Heading(text) => write!(out, "\n{}\n", heading(text)).expect("a string"),
                Block::Text(text) => write!(out, "\n{}", wrapped(&unmarked(text), WIDTH, "  ", "  ")).expect("a string"),
                Block::List(items) => {
                    out.push('\n');
                    items.iter().for_each(|item| out.push_str(&wrapped(&unmarked(item), WIDTH, "  * ", "    ")));
                }
                Block::Code(lines) => {
                    out.push('\n');
                    lines.iter().for_each(|line| writeln!(out, "  {line}").expect("a string"));
                }
                Block::Table { head, rows } => {
                    out.push('\n');
                    out.push_str(&columns(head, rows));
                }
            }
        }
        out
    }
}

/// A table in columns, the last one wrapped.
fn columns(head: &[&str], rows: &[Vec<String>]) -> String {
    let head: Vec<String> = head.iter().map(|cell| cell.to_uppercase()).collect();
    let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|cell| unmarked(cell)).collect()).collect();
    let last = head.len() - 1;
    let width = |column: usize| rows.iter().chain([&head]).map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..last).map(width).collect();
    let mut out = String::new();
    for row in [&head].into_iter().chain(&rows) {
        let mut line = String::from("  ");
        for (cell, width) in row.iter().zip(&widths) {
            write!(line, "{cell:width$}  ").expect("a string");
        }
        let indent = line.chars().count();
        let room = WIDTH.max(indent + LAST_COLUMN_MIN);
        out.push_str(&wrapped(&row[last], room, &line, &" ".repeat(indent)));
    }
    out
}

/// Text without code marks and link targets.
fn unmarked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['`', '[']) {
        out.push_str(&rest[..at]);
        let is_link = rest[at..].starts_with('[');
        let link = rest[at + 1..].split_once("](").and_then(|(label, tail)| Some((label, tail.split_once(')')?.1)));
        match link.filter(|(label, _)| is_link && !label.contains('[')) {
            Some((label, tail)) => {
                out.push_str(label.trim_matches('`'));
                rest = tail;
            }
            None => {
                if is_link {
                    out.push('[');
                }
                rest = &rest[at + 1..];
            }
        }
    }
    out + rest
}

/// Lines of at most `width` columns: the first begins with `first`, the others with `other`. Lines end without blanks.
pub fn wrapped(text: &str, width: usize, first: &str, other: &str) -> String {
    let mut out = String::new();
    let mut line = first.to_string();
    let mut is_empty = true;
    for word in text.split_whitespace() {
        if !is_empty && line.chars().count() + 1 + word.chars().count() > width {
            out.push_str(line.trim_end());
            out.push('\n');
            line = other.to_string();
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    out.push_str(line.trim_end());
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_wrapped_between_words() {
        assert_eq!(wrapped("one two three", 9, "* ", "  "), "* one two\n  three\n");
        assert_eq!(wrapped("", 9, "  ", "  "), "\n");
    }

    #[test]
    fn marks_are_for_markdown() {
        assert_eq!(unmarked("see [READ](read.md) and `X'00'` [UPDATE]"), "see READ and X'00' [UPDATE]");
    }

    #[test]
    fn an_empty_column_is_left_out() {
        let mut page = Page::new("T");
        page.table(&["a", "b", "c"], vec![vec!["1".into(), String::new(), "x|y".into()]]);
        assert_eq!(page.markdown(), "# T\n\n| a | c |\n| --- | --- |\n| 1 | x\\|y |\n");
        assert_eq!(page.plain(str::to_string), "T\n\n  A  C\n  1  x|y\n");
    }
}
