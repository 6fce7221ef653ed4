//! PF4 of CETR: the standard and the special trace levels of the components, a page at a time.

use super::{Left, Messages, finish};
use crate::panel::{Answer, Panel, Style};
use exec::{aid, command, cvda, option};
use kernel::trace::{Component, Levels};
use region::exec_interface::call::Call;
use region::{Raised, Task};

/// Lines of the panel before the first component.
const HEAD_LINES: u16 = 7;
/// And behind the last: the message and the keys.
const FOOT_LINES: u16 = 4;
const STANDARD: u16 = 38;
const SPECIAL: u16 = 56;
const FIELD_LENGTH: u16 = 14;
/// The columns of levels, with the FLAGSET of each.
const SETS: [(u16, i64); 2] = [(STANDARD, cvda::STANDARD), (SPECIAL, cvda::SPECIAL)];

/// The levels of all components: standard and special.
type All = [Vec<Levels>; 2];

pub(super) fn show(task: &mut Task) -> Result<Left, Raised> {
    let (mut page, mut messages) = (0, Messages::default());
    loop {
        let levels = levels(task)?;
        let panel = draw(task, page, &levels, &messages)?;
        panel.show(task)?;
        let answer = panel.read(task)?;
        let pages = pages(&panel);
        messages = Messages::default();
        match answer.aid {
            aid::PF3 | aid::PF15 => return Ok(Left::Quit),
            aid::CLEAR => return Ok(Left::Clear),
            aid::PF7 | aid::PF19 => page = page.saturating_sub(1),
            aid::PF8 | aid::PF20 => page = (page + 1).min(pages - 1),
            aid::ENTER => change(task, &levels, &answer, &mut messages)?,
            _ => messages.0.push("THAT KEY IS UNDEFINED".to_string()),
        }
    }
}

fn per_page(panel: &Panel) -> usize {
    usize::from(panel.size.rows.saturating_sub(HEAD_LINES + FOOT_LINES)).max(1)
}

fn pages(panel: &Panel) -> usize {
    Component::ALL.len().div_ceil(per_page(panel))
}

/// The levels as TRACETYPE returns them: level 1 is the leftmost bit.
fn levels(task: &mut Task) -> Result<All, Raised> {
    let mut all = All::default();
    for ((_, flag_set), levels) in SETS.iter().zip(&mut all) {
        let mut call = Call::new(command::INQUIRE_TRACETYPE);
        call.integer(option::FLAGSET, *flag_set);
        for option in Component::ALL.iter().filter_map(|component| exec::option_by_name(component.code())) {
            call.bytes(option, &[0; 4]);
        }
        call.execute(task)?;
        let word = |component: &Component| {
            let bytes = exec::option_by_name(component.code()).map(|option| call.result_bytes(option)).unwrap_or_default();
            bytes.try_into().map_or(0, u32::from_be_bytes).reverse_bits()
        };
        *levels = Component::ALL.iter().map(word).collect();
    }
    Ok(all)
}

fn change(task: &mut Task, levels: &All, answer: &Answer, messages: &mut Messages) -> Result<(), Raised> {
    for (set, (_, flag_set)) in SETS.iter().enumerate() {
        let mut call = Call::new(command::SET_TRACETYPE);
        call.integer(option::FLAGSET, *flag_set);
        let mut is_changed = false;
        for (index, component) in Component::ALL.iter().enumerate() {
            let Some(typed) = answer.value(id(set, index)).map(str::trim).filter(|typed| *typed != shown(*component, levels[set][index]))
            else {
                continue;
            };
            match (parsed(*component, typed), exec::option_by_name(component.code())) {
                (Some(levels), Some(option)) => {
                    call.bytes(option, &levels.reverse_bits().to_be_bytes());
                    is_changed = true;
                }
                _ => messages.0.push(format!("{}: '{typed}' IS NOT LEVELS 1 TO {}, ALL OR OFF", component.code(), component.levels())),
            }
        }
        if is_changed {
            let response = call.execute(task)?;
            messages.answer(&call, response);
        }
    }
    Ok(())
}

/// The identifier of a field.
fn id(set: usize, index: usize) -> usize {
    set * Component::ALL.len() + index
}

fn draw(task: &mut Task, page: usize, levels: &All, messages: &Messages) -> Result<Panel, Raised> {
    let mut panel = Panel::for_task(task)?;
    let (per_page, pages) = (per_page(&panel), pages(&panel));
    panel.bright(1, 2, "CETR").bright(1, 26, "Component Trace Options");
    panel.text(3, 2, "Over-type where required and press ENTER.").text(3, 63, &format!("PAGE {} OF {pages}", page + 1));
    panel.text(5, 2, "Component").text(5, STANDARD, "Standard").text(5, SPECIAL, "Special");
    panel.text(6, 2, &"-".repeat(33)).text(6, STANDARD, &"-".repeat(14)).text(6, SPECIAL, &"-".repeat(14));
    let first = page * per_page;
    for (row, (index, component)) in (HEAD_LINES..).zip(Component::ALL.iter().enumerate().skip(first).take(per_page)) {
        panel.text(row, 2, component.code()).text(row, 6, component.name());
        for (set, (column, _)) in SETS.iter().enumerate() {
            panel.input(id(set, index), row, *column, FIELD_LENGTH, Style::Input, &shown(*component, levels[set][index]));
        }
    }
    finish(&mut panel, messages, "PF3=Quit     7=Back     8=Forward     ENTER=Change");
    panel.cursor_to(id(0, first));
    Ok(panel)
}

/// `OFF`, `1`, `1-2`, `1,3`: as the levels are typed.
fn shown(component: Component, levels: Levels) -> String {
    let mut text = String::new();
    let is_on = |level: u32| level >= 1 && level <= component.levels() && levels & 1 << (level - 1) != 0;
    let mut level = 1;
    while level <= component.levels() {
        let first = level;
        while is_on(level) {
            level += 1;
        }
        if level > first {
            let comma = if text.is_empty() { "" } else { "," };
            text += &if level - first == 1 { format!("{comma}{first}") } else { format!("{comma}{first}-{}", level - 1) };
        }
        level += 1;
    }
    if text.is_empty() { "OFF".to_string() } else { text }
}

fn parsed(component: Component, typed: &str) -> Option<Levels> {
    let typed = typed.trim().trim_start_matches('(').trim_end_matches(')').to_ascii_uppercase();
    match typed.as_str() {
        "OFF" => return Some(0),
        "ALL" => return Some((1 << component.levels()) - 1),
        _ => (),
    }
    typed.split(',').try_fold(0, |levels, part| {
        let (low, high) = part.split_once('-').unwrap_or((part, part));
        let level = |text: &str| text.trim().parse::<u32>().ok().filter(|level| (1..=component.levels()).contains(level));
        let (low, high) = (level(low)?, level(high)?);
        (low <= high).then(|| (low..=high).fold(levels, |levels, level| levels | 1 << (level - 1)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_shown_as_they_are_typed() {
        for (component, text, levels) in [
            (Component::Ei, "OFF", 0),
            (Component::Ei, "1", 1),
            (Component::Ei, "1-2", 3),
            (Component::Ei, "1,3", 5),
            (Component::Ei, "1-3", 7),
            (Component::Sm, "1-4", 15),
            (Component::Sm, "2,4", 10),
        ] {
            assert_eq!((shown(component, levels).as_str(), parsed(component, text)), (text, Some(levels)), "{text}");
        }
        assert_eq!(
            (parsed(Component::Ei, "ALL"), parsed(Component::Sm, "all"), parsed(Component::Ei, "(1,2)")),
            (Some(7), Some(15), Some(3))
        );
        for wrong in ["", "0", "4", "2-1", "X", "1,"] {
            assert_eq!(parsed(Component::Ei, wrong), None, "{wrong}");
        }
    }
}
