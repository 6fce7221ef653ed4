//! Pages: LINECOUNT lines with a heading of three, as a printer takes them.
//!
//! Invariants: a page never has more lines than LINECOUNT; LINECOUNT(0) produces one endless page; pagination adds only headings.

use std::fmt::Write as _;

/// Lines of a page's heading: the title, a blank line, and a blank line before the text.
const HEADING_LINES: u32 = 3;
/// In the text to be paged: a new page begins here (EJECT).
pub const NEW_PAGE: char = '\u{C}';
/// In the text to be paged: the rest of the line is the new title (TITLE).
pub const NEW_TITLE: char = '\u{1}';

/// Breaks the text into pages; each begins with a form feed, except the first.
pub fn paginate(text: &str, title: &str, lines_max: u32) -> String {
    let room = lines_max.saturating_sub(HEADING_LINES).max(1);
    let (mut out, mut title, mut page, mut used) = (String::with_capacity(text.len() * 2), title.to_string(), 0, 0);
    let begin = |out: &mut String, title: &str, page: &mut u32| {
        if *page > 0 {
            out.push(NEW_PAGE);
        }
        *page += 1;
        let _ = writeln!(out, "{title}  page {page}\n\n");
    };
    let mut waiting = true;
    for line in text.lines() {
        if let Some(given) = line.strip_prefix(NEW_TITLE) {
            title = given.to_string();
            waiting = true;
        } else if line.starts_with(NEW_PAGE) {
            waiting = true;
        } else {
            if page == 0 || (lines_max > 0 && (waiting || used == room)) {
                begin(&mut out, &title, &mut page);
                used = 0;
            }
            waiting = false;
            used += 1;
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pages(text: &str, lines_max: u32) -> Vec<usize> {
        paginate(text, "T", lines_max).split(NEW_PAGE).map(|page| page.lines().count()).collect()
    }

    #[test]
    fn a_page_holds_the_lines_of_linecount_and_no_more() {
        let text = |lines: usize| "x\n".repeat(lines);
        assert_eq!(pages(&text(57), 60), [60]);
        assert_eq!(pages(&text(58), 60), [60, 4]);
        assert_eq!(pages(&text(500), 0), [503]);
        assert_eq!(pages("a\n\u{C}\nb\n", 60), [4, 4]);
        let titled = paginate("a\n\u{1}OTHER\nb\n", "T", 60);
        assert!(titled.starts_with("T  page 1\n") && titled.contains("\u{C}OTHER  page 2\n"), "{titled}");
    }
}
