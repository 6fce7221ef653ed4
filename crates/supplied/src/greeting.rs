//! CSGM: the good morning message (GMTEXT), and its exit point, XGMTEXT.

use super::panel::{Panel, Style};
use region::{Raised, Task};
use terminals::terminal_control;

const BANNER: [&str; 7] = [
    "*****   *****   ****   *****  *   *  *****",
    "*    *  *      *    *  *      **  *    *  ",
    "*    *  *      *       *      * * *    *  ",
    "*****   ****   *  ***  ****   *  **    *  ",
    "*   *   *      *    *  *      *   *    *  ",
    "*    *  *      *    *  *      *   *    *  ",
    "*    *  *****   ****   *****  *   *    *  ",
];
/// Longest good morning text.
const TEXT_LENGTH_MAX: usize = 246;

pub fn good_morning(task: &mut Task) -> Result<(), Raised> {
    let mut panel = Panel::for_task(task)?;
    let region = task.region;
    let text: Vec<char> = region.sit.good_morning_text().chars().take(TEXT_LENGTH_MAX).collect();
    let width = usize::from(panel.size.columns) - 2;
    let mut row = 1;
    for line in text.chunks(width) {
        let line: String = line.iter().collect();
        panel.bright(row, 2, &line);
        row += 1;
    }
    let now = region::clock::now_local();
    panel.text(row, panel.size.columns - 9, &now.time_text());
    let left = (panel.size.columns - BANNER[0].len() as u16) / 2;
    for (index, line) in BANNER.iter().enumerate() {
        panel.text(row + 3 + index as u16, left, line);
    }
    let (rows, terminal) = (panel.size.rows, task.facility.terminal().map(|terminal| (terminal.name(), terminal.netname())));
    let (name, netname) = terminal.unwrap_or_default();
    panel.text(rows - 3, 2, &format!("APPLID={}  SYSID={}  TERMID={name}  NETNAME={netname}", region.applid, region.sysid));
    panel.text(rows - 1, 2, "Type a transaction identifier and press ENTER");
    panel.input(1, rows, 2, panel.size.columns - 3, Style::Input, "").cursor_to(1);
    panel.show_as(task, terminal_control::good_morning)
}
