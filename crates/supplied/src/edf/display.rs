//! The form of a display: header, body, message line and the menu of functions ("What does EDF display?").
//!
//! A display keeps its whole body; what fits on the screen is shown, and the rest is scrolled to. Invariant: the text of a key in the menu
//! and what the key does come from the same table.

use super::super::panel::{Panel, Style};
use exec::aid;

/// What a key does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Function {
    Undefined,
    Continue,
    CurrentDisplay,
    SwitchHexChar,
    EndSession,
    SuppressDisplays,
    WorkingStorage,
    UserDisplay,
    ScrollBack,
    ScrollForward,
    ScrollBackHalf,
    ScrollForwardHalf,
    ScrollBackFull,
    ScrollForwardFull,
    StopConditions,
    PreviousDisplay,
    NextDisplay,
    EibDisplay,
    AbendUserTask,
    RememberDisplay,
    BrowseTempStorage,
    InvokeCeci,
    RegistersAtAbend,
}

impl Function {
    pub fn text(self) -> &'static str {
        match self {
            Function::Undefined => "UNDEFINED",
            Function::Continue => "CONTINUE",
            Function::CurrentDisplay => "CURRENT DISPLAY",
            Function::SwitchHexChar => "SWITCH HEX/CHAR",
            Function::EndSession => "END EDF SESSION",
            Function::SuppressDisplays => "SUPPRESS DISPLAYS",
            Function::WorkingStorage => "WORKING STORAGE",
            Function::UserDisplay => "USER DISPLAY",
            Function::ScrollBack => "SCROLL BACK",
            Function::ScrollForward => "SCROLL FORWARD",
            Function::ScrollBackHalf => "SCROLL BACK HALF",
            Function::ScrollForwardHalf => "SCROLL FORWARD HALF",
            Function::ScrollBackFull => "SCROLL BACK FULL",
            Function::ScrollForwardFull => "SCROLL FORWARD FULL",
            Function::StopConditions => "STOP CONDITIONS",
            Function::PreviousDisplay => "PREVIOUS DISPLAY",
            Function::NextDisplay => "NEXT DISPLAY",
            Function::EibDisplay => "EIB DISPLAY",
            Function::AbendUserTask => "ABEND USER TASK",
            Function::RememberDisplay => "REMEMBER DISPLAY",
            Function::BrowseTempStorage => "BROWSE TEMP STORAGE",
            Function::InvokeCeci => "INVOKE CECI",
            Function::RegistersAtAbend => "REGISTERS AT ABEND",
        }
    }
}

/// The functions of ENTER and of PF1 to PF12; PF13 to PF24 do the same.
pub type Menu = [Function; 13];

/// The function of an attention key; `None` for CLEAR and the PA keys.
pub fn function(menu: &Menu, key: u8) -> Option<Function> {
    const KEYS: [[u8; 2]; 13] = [
        [aid::ENTER, aid::ENTER],
        [aid::PF1, aid::PF13],
        [aid::PF2, aid::PF14],
        [aid::PF3, aid::PF15],
        [aid::PF4, aid::PF16],
        [aid::PF5, aid::PF17],
        [aid::PF6, aid::PF18],
        [aid::PF7, aid::PF19],
        [aid::PF8, aid::PF20],
        [aid::PF9, aid::PF21],
        [aid::PF10, aid::PF22],
        [aid::PF11, aid::PF23],
        [aid::PF12, aid::PF24],
    ];
    KEYS.iter().position(|keys| keys.contains(&key)).map(|index| menu[index])
}

/// What a field of a display stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// The command itself: NOOP may be typed over it.
    Verb,
    /// The argument with this index in the block.
    Argument(usize),
    /// The condition of a command that has been executed.
    Response,
    /// A field of the EIB, by its offset.
    Eib(usize),
    /// Storage: where it is, its length, and whether the field shows hexadecimal digits.
    Storage {
        address: usize,
        length: usize,
        hexadecimal: bool,
    },
    /// The address of the storage on display.
    Address,
    /// A stop condition, by its index.
    Stop(usize),
    AbendCode,
    /// Whether the session goes on after the task.
    Reply,
}

/// A part of a line; columns count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub column: u16,
    pub text: String,
    /// An open field of this length.
    pub field: Option<(Target, u16)>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line(pub Vec<Part>);

impl Line {
    pub fn text(column: u16, text: impl Into<String>) -> Line {
        Line::default().and_text(column, text)
    }

    pub fn and_text(mut self, column: u16, text: impl Into<String>) -> Line {
        self.0.push(Part { column, text: text.into(), field: None });
        self
    }

    pub fn and_field(mut self, column: u16, text: impl Into<String>, target: Target, length: u16) -> Line {
        self.0.push(Part { column, text: text.into(), field: Some((target, length)) });
        self
    }
}

/// A display as it is kept and shown.
#[derive(Clone, Debug)]
pub struct Display {
    /// Transaction, program, task and applid.
    pub heading: String,
    pub status: Line,
    pub body: Vec<Line>,
    /// Lines that stay in place above the message line.
    pub foot: Vec<Line>,
    pub message: Line,
    pub menu: Menu,
    /// First line of the body on the screen.
    pub top: usize,
}

const HEADER_ROWS: u16 = 2;
/// The line of ENTER and four lines of keys.
const MENU_ROWS: u16 = 5;
const KEY_COLUMNS: [u16; 3] = [2, 28, 54];
/// Where the sign of a body that goes on is.
const MARK_COLUMN: u16 = 2;

impl Display {
    /// Lines of the body on a screen of this size: all between header and message line, without those of the foot.
    pub fn page_lines(&self, rows: u16) -> usize {
        usize::from(rows.saturating_sub(HEADER_ROWS + 1 + MENU_ROWS)).saturating_sub(self.foot.len()).max(1)
    }

    /// Scrolls; the last page stays full.
    pub fn scroll(&mut self, lines: isize, rows: u16) {
        let most = self.body.len().saturating_sub(self.page_lines(rows));
        self.top = self.top.saturating_add_signed(lines).min(most);
    }

    /// The target of each open field, by its identifier on the panel.
    pub fn targets(&self) -> Vec<Target> {
        self.lines().flat_map(|line| &line.0).filter_map(|part| part.field).map(|(target, _)| target).collect()
    }

    fn lines(&self) -> impl Iterator<Item = &Line> {
        std::iter::once(&self.status).chain(&self.body).chain(&self.foot).chain(std::iter::once(&self.message))
    }

    /// The text of a field as it was shown.
    pub fn shown(&self, target: Target) -> &str {
        let mut parts = self.lines().flat_map(|line| &line.0);
        parts.find(|part| part.field.is_some_and(|(of, _)| of == target)).map_or("", |part| &part.text)
    }

    /// Shows it. `number`: 0 for the current display, -1 for the one before it. Fields of earlier displays are closed.
    pub fn draw(&self, panel: &mut Panel, number: i32) {
        let rows = panel.size.rows;
        panel.text(1, 2, &format!("{}  DISPLAY:{}", self.heading, number_text(number)));
        let mut fields = 0;
        draw_line(panel, 2, &self.status, &mut fields, number == 0);
        let page = self.page_lines(rows);
        let visible = self.top..(self.top + page).min(self.body.len());
        for (index, line) in self.body.iter().enumerate() {
            if !visible.contains(&index) {
                // Identifiers count all fields, those out of sight too.
                fields += line.0.iter().filter(|part| part.field.is_some()).count();
                continue;
            }
            let goes_on = index + 1 == visible.end && visible.end < self.body.len();
            let line = if goes_on { &marked(line) } else { line };
            draw_line(panel, HEADER_ROWS + 1 + (index - self.top) as u16, line, &mut fields, number == 0);
        }
        let foot_row = rows - MENU_ROWS - self.foot.len() as u16;
        for (index, line) in self.foot.iter().enumerate() {
            draw_line(panel, foot_row + index as u16, line, &mut fields, number == 0);
        }
        draw_line(panel, rows - MENU_ROWS, &self.message, &mut fields, number == 0);
        self.draw_menu(panel);
    }

    fn draw_menu(&self, panel: &mut Panel) {
        let first = panel.size.rows - MENU_ROWS + 1;
        panel.text(first, 2, &format!("ENTER:  {}", self.menu[0].text()));
        for (index, function) in self.menu[1..].iter().enumerate() {
            let row = first + 1 + index as u16 / 3;
            panel.text(row, KEY_COLUMNS[index % 3], &format!("PF{:<2}: {}", index + 1, function.text()));
        }
    }
}

fn number_text(number: i32) -> String {
    if number == 0 { "00".to_string() } else { format!("{number:03}") }
}

/// The last line of a page that is not the last one has a plus sign in front.
fn marked(line: &Line) -> Line {
    let mut line = line.clone();
    match line.0.first_mut() {
        Some(Part { column, text, field: None }) if *column > MARK_COLUMN => {
            *text = format!("{:width$}{text}", "+", width = usize::from(*column - MARK_COLUMN));
            *column = MARK_COLUMN;
        }
        _ => line.0.insert(0, Part { column: MARK_COLUMN, text: "+".to_string(), field: None }),
    }
    line
}

fn draw_line(panel: &mut Panel, row: u16, line: &Line, fields: &mut usize, open: bool) {
    for part in &line.0 {
        match part.field {
            Some((_, length)) => {
                if open {
                    panel.input(*fields, row, part.column, length, Style::Input, &part.text);
                } else {
                    panel.text(row, part.column, &part.text);
                }
                *fields += 1;
            }
            None => {
                panel.text(row, part.column, &part.text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bms::ScreenSize;

    const MENU: Menu = [Function::Undefined; 13];

    fn display(lines: usize) -> Display {
        let body = (0..lines).map(|line| Line::text(3, format!("LINE {line}"))).collect();
        Display { heading: "H".into(), status: Line::default(), body, foot: Vec::new(), message: Line::default(), menu: MENU, top: 0 }
    }

    #[test]
    fn scrolling_stops_at_the_first_and_the_last_page() {
        let rows = ScreenSize::MODEL2.rows;
        let page = display(0).page_lines(rows);
        let mut of = display(page);
        of.scroll(1, rows);
        assert_eq!(of.top, 0, "a body of one page does not scroll");
        let mut of = display(page + 1);
        of.scroll(isize::MAX, rows);
        assert_eq!(of.top, 1);
        of.scroll(isize::MIN, rows);
        assert_eq!(of.top, 0);
    }

    #[test]
    fn keys_from_13_do_what_the_first_twelve_do() {
        let mut menu = MENU;
        (menu[0], menu[3]) = (Function::Continue, Function::EndSession);
        assert_eq!(function(&menu, aid::ENTER), Some(Function::Continue));
        assert_eq!((function(&menu, aid::PF3), function(&menu, aid::PF15)), (Some(Function::EndSession), Some(Function::EndSession)));
        assert_eq!(function(&menu, aid::CLEAR), None);
    }
}
