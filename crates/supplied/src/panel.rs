//! Panels: how the supplied transactions draw a screen and read it back.
//!
//! Only the base attributes of the 3270 are used, so a panel looks right on every display: protected text is blue, bright text white, open
//! fields green, bright open fields red. Rows and columns count from 1; a field's attribute takes the position before its first character.
//! Invariants: an input field has an identifier under which its value is returned; parts that do not fit the screen are left out.

use bms::constants::{SNA_CMD_EW, SNA_CMD_EWA, SNA_CMD_W};
use bms::inbound::Body;
use bms::outbound::{Outbound, Wcc};
use bms::{Inbound, ScreenSize};
use codepage::CodePage;
use exec::bmsca;
use region::{Raised, Task};
use terminals::terminal_control::input::{self, display, facility};
use terminals::terminal_control::{DisplayTerminal, Input, in_whole_words, output};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    Text,
    Bright,
    Input,
    /// Its present value counts as entered even if the operator does not change it.
    ModifiedInput,
    BrightInput,
    Hidden,
}

impl Style {
    fn attribute(self) -> u8 {
        match self {
            Style::Text => bmsca::BMASK,
            Style::Bright => bmsca::BMASB,
            Style::Input => bmsca::BMUNP,
            Style::ModifiedInput => bmsca::BMFSE,
            Style::BrightInput => bmsca::BMBRY,
            Style::Hidden => bmsca::BMDAR,
        }
    }

    pub fn is_input(self) -> bool {
        !matches!(self, Style::Text | Style::Bright)
    }
}

#[derive(Clone, Debug)]
struct Field {
    row: u16,
    column: u16,
    length: u16,
    style: Style,
    text: String,
    id: usize,
}

/// A screen to be shown.
#[derive(Clone, Debug)]
pub struct Panel {
    pub size: ScreenSize,
    fields: Vec<Field>,
    cursor: Option<(u16, u16)>,
    pub alarm: bool,
}

/// The operator's input.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    pub aid: u8,
    /// Row and column of the cursor.
    pub cursor: (u16, u16),
    /// Fields that were changed, by identifier, without trailing blanks.
    pub values: Vec<(usize, String)>,
    /// Input of a screen that is not formatted, such as after CLEAR.
    pub unformatted: String,
}

impl Answer {
    pub fn value(&self, id: usize) -> Option<&str> {
        self.values.iter().find(|(known, _)| *known == id).map(|(_, value)| value.as_str())
    }
}

impl Panel {
    pub fn new(size: ScreenSize) -> Self {
        Self { size, fields: Vec::new(), cursor: None, alarm: false }
    }

    /// A panel for the task's terminal, in the size of its profile.
    pub fn for_task(task: &mut Task) -> Result<Self, Raised> {
        let terminal = facility(task)?;
        let display = display(&*terminal)?;
        let alternate = output::erase_alternate(task, display, false, false);
        Ok(Self::new(output::size(display, alternate)))
    }

    pub fn text(&mut self, row: u16, column: u16, text: &str) -> &mut Self {
        self.field(row, column, text.chars().count() as u16, Style::Text, text, 0)
    }

    pub fn bright(&mut self, row: u16, column: u16, text: &str) -> &mut Self {
        self.field(row, column, text.chars().count() as u16, Style::Bright, text, 0)
    }

    /// An open field of `length` characters; the next field begins immediately after it.
    pub fn input(&mut self, id: usize, row: u16, column: u16, length: u16, style: Style, text: &str) -> &mut Self {
        self.field(row, column, length, style, text, id)
    }

    fn field(&mut self, row: u16, column: u16, length: u16, style: Style, text: &str, id: usize) -> &mut Self {
        if row >= 1 && row <= self.size.rows && column >= 1 && column <= self.size.columns {
            let text = text.chars().take(usize::from(length)).collect();
            self.fields.push(Field { row, column, length, style, text, id });
        }
        self
    }

    /// The cursor goes to the field with this identifier, or to a position.
    pub fn cursor_to(&mut self, id: usize) -> &mut Self {
        if let Some(field) = self.fields.iter().find(|field| field.style.is_input() && field.id == id) {
            self.cursor = Some((field.row, field.column));
        }
        self
    }

    pub fn cursor_at(&mut self, row: u16, column: u16) -> &mut Self {
        self.cursor = Some((row, column));
        self
    }

    fn address(&self, row: u16, column: u16) -> usize {
        usize::from(row - 1) * usize::from(self.size.columns) + usize::from(column - 1)
    }

    /// The data stream that shows the panel on an erased screen.
    pub fn stream(&self, page: &CodePage, addressing: bms::address::Addressing, alternate: bool) -> Vec<u8> {
        let wcc = if self.alarm { Wcc::RESTORE_KEYBOARD.with(Wcc::SOUND_ALARM) } else { Wcc::RESTORE_KEYBOARD };
        let mut out = Outbound::write(if alternate { SNA_CMD_EWA } else { SNA_CMD_EW }, wcc, self.size, addressing);
        let positions = self.size.positions();
        let mut fields: Vec<&Field> = self.fields.iter().collect();
        fields.sort_by_key(|field| self.address(field.row, field.column));
        for (index, field) in fields.iter().enumerate() {
            let start = self.address(field.row, field.column);
            out.set_address(((start + positions - 1) % positions) as u16);
            out.start_field(field.style.attribute());
            let length = usize::from(field.length).min(positions - start);
            let mut bytes = bms::text::encode(page, &field.text);
            bytes.truncate(length);
            if !field.style.is_input() {
                out.data(&bytes);
                continue;
            }
            // An open field ends with its own attribute, unless another field begins there.
            while bytes.last() == Some(&0x40) {
                bytes.pop();
            }
            out.data(&bytes);
            let end = (start + length) % positions;
            // The screen wraps: the first field follows the last position.
            let next =
                fields.get(index + 1).or(fields.first()).map(|next| (self.address(next.row, next.column) + positions - 1) % positions);
            if next != Some(end) {
                out.set_address(end as u16);
                out.start_field(Style::Text.attribute());
            }
        }
        if let Some((row, column)) = self.cursor {
            out.set_address(self.address(row, column) as u16);
            out.insert_cursor();
        }
        out.finish()
    }

    /// Shows the panel at the end of the task or before the next input.
    pub fn show(&self, task: &mut Task) -> Result<(), Raised> {
        self.show_as(task, |_, _, stream| Ok(stream))
    }

    /// Shows the panel as exit programs leave its data stream.
    pub fn show_as(
        &self,
        task: &mut Task,
        exit: impl FnOnce(&mut Task, &DisplayTerminal, Vec<u8>) -> Result<Vec<u8>, Raised>,
    ) -> Result<(), Raised> {
        let terminal = facility(task)?;
        let display = display(&*terminal)?;
        let alternate = self.size != display.capabilities.default_size;
        let stream = self.stream(display.page(), display.capabilities.addressing_for(self.size), alternate);
        let stream = exit(task, display, stream)?;
        output::send(task, display, stream, false)
    }

    /// Waits for the operator.
    pub fn read(&self, task: &mut Task) -> Result<Answer, Raised> {
        let terminal = facility(task)?;
        let display = display(&*terminal)?;
        let input = input::next(task, display, false)?;
        Ok(self.answer(&input, display))
    }

    /// What an input changes on this panel.
    pub fn answer(&self, input: &Input, display: &DisplayTerminal) -> Answer {
        let columns = self.size.columns;
        let addressing = display.capabilities.addressing_for(self.size);
        let mut answer = Answer { aid: input.aid, cursor: (input.cursor / columns + 1, input.cursor % columns + 1), ..Answer::default() };
        let Ok(inbound) = Inbound::parse_data(input.aid, input.cursor, &input.data, self.size.positions(), addressing) else {
            return answer;
        };
        match inbound.body {
            Body::Fields(fields) => {
                for entered in fields {
                    let known = self
                        .fields
                        .iter()
                        .find(|field| field.style.is_input() && self.address(field.row, field.column) == usize::from(entered.address));
                    answer.values.extend(known.map(|field| (field.id, text_of(&entered.data, display.page()))));
                }
            }
            Body::Unformatted(data) => answer.unformatted = text_of(&data, display.page()),
            _ => {}
        }
        answer
    }
}

fn text_of(data: &[u8], page: &CodePage) -> String {
    let text: String = data.iter().map(|&byte| bms::text::shown(page, byte)).collect();
    text.trim_end().to_string()
}

/// Shows a text on an otherwise empty screen that accepts input, as the last output of a transaction.
pub fn last_word(task: &mut Task, text: &str) -> Result<(), Raised> {
    let terminal = facility(task)?;
    let display = display(&*terminal)?;
    let size = output::size(display, false);
    let mut out = Outbound::write(SNA_CMD_EW, Wcc::RESTORE_KEYBOARD, size, display.capabilities.addressing_for(size));
    out.start_field(Style::Text.attribute());
    let text = in_whole_words(&bms::text::encode(display.page(), text), usize::from(size.columns));
    out.data(&text);
    out.start_field(Style::Input.attribute());
    let lines = (text.len() + 2).div_ceil(usize::from(size.columns));
    out.set_address((lines * usize::from(size.columns)) as u16);
    out.insert_cursor();
    output::send(task, display, out.finish(), false)
}

/// Lines of text, screen after screen: for a terminal that prints.
pub fn print(task: &mut Task, lines: &[String]) -> Result<(), Raised> {
    let terminal = facility(task)?;
    let display = display(&*terminal)?;
    let size = output::size(display, false);
    for page in lines.chunks(usize::from(size.rows)) {
        let mut out = Outbound::write(SNA_CMD_EW, Wcc::RESTORE_KEYBOARD, size, display.capabilities.addressing_for(size));
        for (row, line) in page.iter().enumerate() {
            let mut text = bms::text::encode(display.page(), line);
            text.truncate(usize::from(size.columns));
            out.set_address(row as u16 * size.columns);
            out.data(&text);
        }
        output::send(task, display, out.finish(), false)?;
    }
    Ok(())
}

/// The text typed after the transaction identifier: `I TASK` of `CEMT I TASK`.
pub fn typed(task: &mut Task, display: &DisplayTerminal) -> Result<String, Raised> {
    if task.conversation.initial_input.is_none() {
        return Ok(String::new());
    }
    let input = input::next(task, display, true)?;
    let data = if input.data.first() == Some(&bms::constants::ORDER_SBA) { input.data.get(3..).unwrap_or_default() } else { &input.data };
    let end = data.iter().position(|&byte| byte == bms::constants::ORDER_SBA).unwrap_or(data.len());
    let text = text_of(&data[..end], display.page());
    Ok(text.split_once(' ').map_or(String::new(), |(_, rest)| rest.trim().to_string()))
}

/// A write that leaves the screen unchanged and unlocks the keyboard.
pub fn unlock(task: &mut Task) -> Result<(), Raised> {
    let terminal = facility(task)?;
    let display = display(&*terminal)?;
    let size = display.size();
    let stream = Outbound::write(SNA_CMD_W, Wcc::RESTORE_KEYBOARD, size, display.capabilities.addressing_for(size)).finish();
    output::send(task, display, stream, false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bms::address::Addressing;
    use bms::{Capabilities, Model, Screen};

    #[test]
    fn a_panel_is_what_the_screen_shows() {
        let mut panel = Panel::new(ScreenSize::MODEL2);
        panel.input(1, 1, 2, 10, Style::Input, "CEMT").text(2, 2, "STATUS:").input(2, 3, 5, 3, Style::BrightInput, "Ena").text(3, 9, "X");
        panel.input(3, 24, 70, 20, Style::Hidden, "SECRET").cursor_to(2);
        let capabilities = Capabilities::of_model(Model::Two, true);
        let mut screen = Screen::new(&capabilities, &codepage::CCSID_037);
        screen.apply(&panel.stream(&codepage::CCSID_037, Addressing::Bits12, false)).unwrap();
        assert_eq!((screen.row(1).as_str(), screen.row(2).as_str(), screen.row(3).as_str()), (" CEMT", " STATUS:", "    Ena X"));
        assert_eq!(screen.cursor_place(), (3, 5));
        let lengths: Vec<u16> = screen.input_fields().iter().map(|field| field.length).collect();
        assert_eq!(lengths, [10, 3, 11]);
        assert!(screen.is_unlocked());
    }
}
