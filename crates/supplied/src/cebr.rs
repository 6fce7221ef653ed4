//! CEBR: browses a temporary storage queue.
//!
//! It uses only READQ TS, WRITEQ TS, DELETEQ TS and their transient data counterparts; changes made to the queue meanwhile show at the next
//! key.

use super::panel::{self, Answer, Panel, Style};
use exec::{aid, command, condition, option};
use region::exec_interface::call::Call;
use region::{Raised, Task};
use terminals::terminal_control::input::{display, facility};

const QUEUE: usize = 0;
const COMMAND: usize = 1;
/// The area that READQ reads into: no item and no record of a queue is longer.
const AREA_BYTES: usize = 32_767;
/// Lines of keys at the bottom, with the message line above.
const FOOT_LINES: u16 = 5;

struct Browse {
    queue: String,
    items: i64,
    /// Item on the first line; 0 shows the heading of the queue.
    top: i64,
    /// First character shown, from 1.
    column: usize,
    hexadecimal: bool,
    message: String,
    last_find: String,
}

/// The program of transaction CEBR.
pub fn browse(task: &mut Task) -> Result<(), Raised> {
    let terminal = facility(task)?;
    let typed = panel::typed(task, display(&*terminal)?)?;
    let default = format!("CEBR{}", task.terminal_name());
    let queue = typed.split_whitespace().next().map_or(default, str::to_string);
    let mut browse = Browse { queue, items: 0, top: 0, column: 1, hexadecimal: false, message: String::new(), last_find: String::new() };
    loop {
        browse.count(task)?;
        let panel = browse.draw(task)?;
        panel.show(task)?;
        let answer = panel.read(task)?;
        let body = i64::from(body_lines(&panel));
        browse.message.clear();
        match answer.aid {
            aid::PF3 | aid::PF15 | aid::CLEAR => return panel::last_word(task, "CEBR: SESSION ENDED"),
            aid::PF2 | aid::PF14 => browse.hexadecimal = !browse.hexadecimal,
            aid::PF4 | aid::PF16 => browse.top = 0,
            aid::PF5 | aid::PF17 => browse.bottom(body),
            aid::PF6 | aid::PF18 => browse.find(task, None)?,
            aid::PF7 | aid::PF19 => browse.scroll(-body / 2),
            aid::PF8 | aid::PF20 => browse.scroll(body / 2),
            aid::PF10 | aid::PF22 => browse.scroll(-body),
            aid::PF11 | aid::PF23 => browse.scroll(body),
            aid::ENTER => browse.enter(task, &answer, body)?,
            _ => browse.message = "THAT KEY IS UNDEFINED".to_string(),
        }
    }
}

fn body_lines(panel: &Panel) -> u16 {
    panel.size.rows.saturating_sub(2 + FOOT_LINES)
}

impl Browse {
    fn call(&self, task: &Task, command: exec::CommandId) -> Call {
        let mut call = Call::new(command);
        let (option, length) = if self.queue.len() > 8 { (option::QNAME, 16) } else { (option::QUEUE, 8) };
        call.text(task, option, &format!("{:length$}", self.queue));
        call
    }

    /// One item and the number of items; `None` if it does not exist.
    fn read(&self, task: &mut Task, item: i64) -> Result<Option<(Vec<u8>, i64)>, Raised> {
        let mut call = self.call(task, command::READQ_TS);
        call.bytes(option::INTO, &vec![0; AREA_BYTES]).integer(option::LENGTH, AREA_BYTES as i64);
        call.integer(option::ITEM, item).integer(option::NUMITEMS, 0);
        let response = call.execute(task)?;
        if !response.is_normal() && response.condition != condition::LENGERR {
            return Ok(None);
        }
        let length = call.result(option::LENGTH).unwrap_or(0).clamp(0, AREA_BYTES as i64) as usize;
        let mut data = call.result_bytes(option::INTO);
        data.truncate(length);
        Ok(Some((data, call.result(option::NUMITEMS).unwrap_or(0))))
    }

    fn count(&mut self, task: &mut Task) -> Result<(), Raised> {
        match self.read(task, 1)? {
            Some((_, items)) => self.items = items,
            None => {
                self.items = 0;
                if self.message.is_empty() {
                    self.message = format!("TS QUEUE {} DOES NOT EXIST", self.queue);
                }
            }
        }
        self.top = self.top.clamp(0, self.items);
        Ok(())
    }

    fn scroll(&mut self, lines: i64) {
        self.top = (self.top + lines).clamp(0, self.items);
    }

    fn bottom(&mut self, body: i64) {
        self.top = (self.items + 2 - body).max(0);
    }

    fn enter(&mut self, task: &mut Task, answer: &Answer, body: i64) -> Result<(), Raised> {
        if let Some(queue) = answer.value(QUEUE).map(str::trim).filter(|queue| !queue.is_empty() && *queue != self.queue) {
            self.turn_to(queue);
        }
        let line = answer.value(COMMAND).unwrap_or_default().trim().to_string();
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let rest = rest.trim();
        let is = |full: &str| !word.is_empty() && full.starts_with(&word.to_ascii_uppercase());
        match word {
            "" => {}
            _ if word.starts_with('/') => self.find(task, Some(&line))?,
            _ if is("TOP") => self.top = 0,
            _ if is("BOTTOM") => self.bottom(body),
            _ if is("LINE") => self.top = rest.parse::<i64>().unwrap_or(1).clamp(0, self.items) - 1,
            _ if is("COLUMN") => self.column = rest.parse::<usize>().unwrap_or(1).max(1),
            _ if is("FIND") => self.find(task, Some(rest))?,
            _ if is("QUEUE") => self.turn_to(rest),
            _ if word.eq_ignore_ascii_case("PURGE") => self.purge(task)?,
            _ if word.eq_ignore_ascii_case("GET") => self.get(task, rest)?,
            _ if word.eq_ignore_ascii_case("PUT") => self.put(task, rest)?,
            _ => self.message = format!("{word} IS NOT A COMMAND"),
        }
        Ok(())
    }

    fn turn_to(&mut self, queue: &str) {
        self.queue = queue.chars().take(16).collect();
        (self.top, self.column) = (0, 1);
    }

    /// Searches for text from the line after the first one shown.
    fn find(&mut self, task: &mut Task, text: Option<&str>) -> Result<(), Raised> {
        if let Some(text) = text {
            let delimiter = text.chars().next().filter(|first| !first.is_alphanumeric());
            self.last_find = match delimiter {
                Some(delimiter) => text[delimiter.len_utf8()..].split(delimiter).next().unwrap_or("").to_string(),
                None => text.to_string(),
            };
        }
        let wanted = task.region.code_page.encode(&self.last_find);
        if wanted.is_empty() {
            return Ok(());
        }
        for item in self.top + 1..=self.items {
            let found = self.read(task, item)?.is_some_and(|(data, _)| data.windows(wanted.len()).any(|window| window == wanted));
            if found && item != self.top {
                self.top = item;
                return Ok(());
            }
        }
        self.message = format!("{} NOT FOUND", self.last_find);
        Ok(())
    }

    fn purge(&mut self, task: &mut Task) -> Result<(), Raised> {
        let response = self.call(task, command::DELETEQ_TS).execute(task)?;
        self.message = if response.is_normal() { "QUEUE PURGED".to_string() } else { format!("PURGE: {}", response.condition.name()) };
        Ok(())
    }

    /// GET: everything of a transient data queue is moved to this queue.
    fn get(&mut self, task: &mut Task, from: &str) -> Result<(), Raised> {
        let mut moved = 0;
        loop {
            let mut read = Call::new(command::READQ_TD);
            read.text(task, option::QUEUE, &format!("{from:4}")).bytes(option::INTO, &vec![0; AREA_BYTES]);
            read.integer(option::LENGTH, AREA_BYTES as i64);
            let response = read.execute(task)?;
            if !response.is_normal() {
                self.message = format!("{moved} ITEMS FROM {from}: {}", response.condition.name());
                return Ok(());
            }
            let length = read.result(option::LENGTH).unwrap_or(0).max(0) as usize;
            let mut write = self.call(task, command::WRITEQ_TS);
            let data = read.result_bytes(option::INTO);
            write.bytes(option::FROM, &data[..length.min(data.len())]).integer(option::LENGTH, length as i64);
            write.execute(task)?;
            moved += 1;
        }
    }

    /// PUT: writes a copy of this queue to a transient data queue.
    fn put(&mut self, task: &mut Task, to: &str) -> Result<(), Raised> {
        for item in 1..=self.items {
            let Some((data, _)) = self.read(task, item)? else { continue };
            let mut write = Call::new(command::WRITEQ_TD);
            write.text(task, option::QUEUE, &format!("{to:4}")).bytes(option::FROM, &data).integer(option::LENGTH, data.len() as i64);
            let response = write.execute(task)?;
            if !response.is_normal() {
                self.message = format!("PUT {to}: {}", response.condition.name());
                return Ok(());
            }
        }
        self.message = format!("{} ITEMS TO {to}", self.items);
        Ok(())
    }

    fn draw(&self, task: &mut Task) -> Result<Panel, Raised> {
        let mut panel = Panel::for_task(task)?;
        let (rows, columns) = (panel.size.rows, panel.size.columns);
        panel.text(1, 2, "CEBR  TSQ").input(QUEUE, 1, 12, 16, Style::Input, &self.queue);
        let place =
            format!("SYSID {}  REC {:5} OF {:5}  COL {:5}", task.region.sysid, self.top.max(1).min(self.items), self.items, self.column);
        panel.text(1, 30, &place);
        panel.text(2, 3, "ENTER COMMAND ===>").input(COMMAND, 2, 23, columns - 24, Style::Input, "");
        let width = usize::from(columns) - 8;
        for index in 0..body_lines(&panel) {
            let item = self.top + i64::from(index);
            let row = 3 + index;
            if item == 0 {
                panel.text(row, 8, &format!("{:*^width$}", "  TOP OF QUEUE  ", width = width - 2));
            } else if item == self.items + 1 {
                panel.text(row, 8, &format!("{:*^width$}", "  BOTTOM OF QUEUE  ", width = width - 2));
                break;
            } else if let Some((data, _)) = self.read(task, item)? {
                panel.text(row, 2, &format!("{item:05} {}", self.line(task, &data, width)));
            }
        }
        panel.bright(rows - 4, 2, &self.message);
        panel.text(rows - 3, 2, "PF2 : SWITCH HEX/CHAR     PF3 : TERMINATE BROWSE    PF4 : VIEW TOP");
        panel.text(rows - 2, 2, "PF5 : VIEW BOTTOM         PF6 : REPEAT LAST FIND    PF7 : SCROLL BACK HALF");
        panel.text(rows - 1, 2, "PF8 : SCROLL FORWARD HALF PF10: SCROLL BACK FULL    PF11: SCROLL FORWARD FULL");
        panel.text(rows, 2, "TOP BOTTOM LINE n COLUMN n FIND /text/ QUEUE name PURGE GET td PUT td");
        panel.cursor_to(COMMAND);
        Ok(panel)
    }

    fn line(&self, task: &Task, data: &[u8], width: usize) -> String {
        let from = (self.column - 1).min(data.len());
        if self.hexadecimal {
            return data[from..].iter().take(width / 2).map(|byte| format!("{byte:02X}")).collect();
        }
        let end = data.len().min(from + width);
        task.region.code_page.text(&data[from..end]).chars().map(|c| if c.is_control() { '.' } else { c }).collect()
    }
}
