//! The printed page: WRITE ADVANCING and LINAGE as line feeds of a text, or as ASA control characters.
//!
//! Invariant: `pending` lines are fed before the next record is printed (WRITE BEFORE ADVANCING); a feed of zero lines
//! overprints, as control character `+` does.

use crate::requests::{FileRequest, LinageValues, advancing};
use std::io::Write;

/// The feed before a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Feed {
    Lines(u32),
    Page,
}

pub(super) struct Printer {
    pending: Feed,
    first: bool,
    end_of_page: bool,
    page: Option<Page>,
}

/// A logical page: LINAGE, with its values when the page began.
struct Page {
    values: LinageValues,
    counter: u32,
}

/// The maximum number of lines of one feed, whatever the program asks for.
const FEED_MAX: i32 = 10_000;

impl Printer {
    pub(super) fn new(values: &LinageValues) -> Printer {
        let page = (values.lines > 0).then_some(Page { values: *values, counter: 1 });
        let pending = Feed::Lines(page.as_ref().map_or(0, |page| page.values.top));
        Printer { pending, first: true, end_of_page: false, page }
    }

    pub(super) fn take_end_of_page(&mut self) -> bool {
        std::mem::take(&mut self.end_of_page)
    }

    /// The feed before this record; the feed after it is pending.
    fn feed(&mut self, request: &mut FileRequest) -> Feed {
        let asked = match request.lines {
            _ if request.advancing == advancing::NONE => Feed::Lines(1),
            lines if lines >= 0 => Feed::Lines(lines.min(FEED_MAX) as u32),
            // A channel other than 1 has no place on a page here: it is the next line, as an unset channel is.
            advancing::PAGE => Feed::Page,
            advancing::CHANNEL_1 => Feed::Page,
            _ => Feed::Lines(1),
        };
        let asked = self.advance(asked, request);
        if request.advancing == advancing::BEFORE {
            return std::mem::replace(&mut self.pending, asked);
        }
        let pending = std::mem::replace(&mut self.pending, Feed::Lines(0));
        match (pending, asked) {
            (Feed::Lines(before), Feed::Lines(lines)) => Feed::Lines(before + lines),
            (Feed::Page, Feed::Lines(_)) | (_, Feed::Page) => Feed::Page,
        }
    }

    /// LINAGE-COUNTER, overflow of the page body and the end-of-page condition.
    fn advance(&mut self, feed: Feed, request: &mut FileRequest) -> Feed {
        let Some(page) = &mut self.page else {
            return feed;
        };
        let left = page.values.lines.saturating_sub(page.counter);
        let feed = match feed {
            Feed::Lines(lines) if lines <= left => {
                page.counter += lines;
                let footing = page.values.footing;
                self.end_of_page = footing > 0 && page.counter >= footing;
                Feed::Lines(lines)
            }
            feed => {
                self.end_of_page = matches!(feed, Feed::Lines(_));
                let lines = left + 1 + page.values.bottom + request.linage.top;
                *page = Page { values: request.linage, counter: 1 };
                Feed::Lines(lines)
            }
        };
        request.linage_counter = page.counter;
        feed
    }

    /// A line of text. The line's end is written before the next, so that lines can be printed over.
    pub(super) fn write_line(&mut self, writer: &mut impl Write, text: &[u8], request: &mut FileRequest) -> std::io::Result<()> {
        let feed = self.feed(request);
        let first = std::mem::replace(&mut self.first, false);
        match feed {
            Feed::Lines(lines) => {
                // The first line is printed at the current position of the paper.
                let lines = if first { lines.saturating_sub(1) } else { lines };
                if lines == 0 && !first {
                    writer.write_all(b"\r")?;
                }
                (0..lines).try_for_each(|_| writer.write_all(b"\n"))?;
            }
            Feed::Page if first => {}
            Feed::Page => writer.write_all(b"\n\x0c")?,
        }
        writer.write_all(text)
    }

    /// The end of the last line.
    pub(super) fn finish(&mut self, writer: &mut impl Write) -> std::io::Result<()> {
        if self.first { Ok(()) } else { writer.write_all(b"\n") }
    }

    /// A record behind its ASA control character; feeds of more than three lines need empty records before it.
    pub(super) fn write_controlled(
        &mut self,
        put: &mut impl FnMut(u8, &[u8]) -> std::io::Result<()>,
        record: &[u8],
        blank: &[u8],
        request: &mut FileRequest,
    ) -> std::io::Result<()> {
        const CONTROLS: [u8; 4] = *b"+ 0-";
        self.first = false;
        match self.feed(request) {
            Feed::Page => put(b'1', record),
            Feed::Lines(lines) => {
                let mut left = lines as usize;
                while left >= CONTROLS.len() {
                    put(b'-', blank)?;
                    left -= CONTROLS.len() - 1;
                }
                put(CONTROLS[left], record)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(when: u32, lines: i32) -> FileRequest {
        FileRequest { advancing: when, lines, ..FileRequest::default() }
    }

    #[test]
    fn text_feeds_between_lines() {
        let mut printer = Printer::new(&LinageValues::default());
        let mut out = Vec::new();
        for (text, when, lines) in [
            ("ONE", advancing::NONE, 0),
            ("TWO", advancing::AFTER, 2),
            ("THREE", advancing::BEFORE, 3),
            ("FOUR", advancing::AFTER, 0),
            ("FIVE", advancing::AFTER, advancing::PAGE),
        ] {
            printer.write_line(&mut out, text.as_bytes(), &mut request(when, lines)).unwrap();
        }
        printer.finish(&mut out).unwrap();
        // WRITE BEFORE prints at the current position of the paper: THREE over TWO's line.
        assert_eq!(String::from_utf8(out).unwrap(), "ONE\n\nTWO\rTHREE\n\n\nFOUR\n\x0cFIVE\n");
    }

    #[test]
    fn control_characters() {
        let mut printer = Printer::new(&LinageValues::default());
        let mut seen = Vec::new();
        for (when, lines) in
            [(advancing::AFTER, 1), (advancing::AFTER, 2), (advancing::AFTER, 0), (advancing::AFTER, 5), (advancing::AFTER, -1)]
        {
            let mut put = |control: u8, data: &[u8]| {
                seen.push((control as char, data == b"X"));
                Ok(())
            };
            printer.write_controlled(&mut put, b"X", b" ", &mut request(when, lines)).unwrap();
        }
        assert_eq!(seen, [(' ', true), ('0', true), ('+', true), ('-', false), ('0', true), ('1', true)]);
    }

    #[test]
    fn logical_pages() {
        let values = LinageValues { lines: 3, footing: 3, top: 1, bottom: 1 };
        let mut printer = Printer::new(&values);
        let mut out = Vec::new();
        let mut counters = Vec::new();
        for text in ["A", "B", "C", "D"] {
            let mut request = FileRequest { linage: values, ..request(advancing::AFTER, 1) };
            printer.write_line(&mut out, text.as_bytes(), &mut request).unwrap();
            counters.push((request.linage_counter, printer.take_end_of_page()));
        }
        // The counter is 1 at OPEN: the first line written after one more is the second, the third overflows.
        assert_eq!(counters, [(2, false), (3, true), (1, true), (2, false)]);
        assert_eq!(String::from_utf8(out).unwrap(), "\nA\nB\n\n\nC\nD");
    }
}
