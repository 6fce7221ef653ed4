//! The listing (SYSPRINT) of a run: heading, echoed statements, messages, condition codes.
//!
//! Invariant: `last` is the code of the current command, `max` the highest so far; both change only through `code` and SET.

use crate::moment::Moment;

/// The listing and the condition codes.
pub(crate) struct Listing {
    pub text: String,
    pub last: u32,
    pub max: u32,
    moment: Moment,
    page: u32,
}

impl Listing {
    pub(crate) fn new() -> Listing {
        let mut listing = Listing { text: String::new(), last: 0, max: 0, moment: Moment::now(), page: 0 };
        listing.heading();
        listing
    }

    pub(crate) fn heading(&mut self) {
        self.page += 1;
        let m = self.moment;
        let (hour, minute, second) = (m.seconds / 3600, m.seconds / 60 % 60, m.seconds % 60);
        self.line(&format!(
            "IDCAMS  SYSTEM SERVICES{:43}TIME: {hour:02}:{minute:02}:{second:02}        {:02}/{:02}/{:02}     PAGE{:7}",
            "",
            m.month,
            m.day,
            m.year % 100,
            self.page
        ));
        self.line("");
    }

    pub(crate) fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// A message that raises the command's condition code.
    pub(crate) fn message(&mut self, code: u32, text: &str) {
        self.code(code);
        self.line(text);
    }

    pub(crate) fn code(&mut self, code: u32) {
        self.last = self.last.max(code);
        self.max = self.max.max(code);
    }
}
