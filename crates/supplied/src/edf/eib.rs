//! The EXEC interface block on a display, with the communication area, the channel and the TWA of the task.
//!
//! Rules ("What does EDF display?", program initiation): the principal fields come first, names in quotes, codes as hexadecimal digits with
//! their address. EIBRESP is the only field that may be changed.

use super::command::ADDRESS_COLUMN;
use super::display::{Line, Target};
use super::values;
use exec::EibField;
use exec::eib;
use region::channel::Container;
use region::code_page::RegionCodePage;
use region::name::Name16;
use region::storage_access::Area;
use region::{Eib, Task};

const NAME_COLUMN: u16 = 5;
/// Bytes of a communication area, or of the TWA, on its line.
const AREA_BYTES_MAX: usize = 40;
/// Most containers on a display.
const CONTAINERS_MAX: usize = 100;
/// Bytes of a container on its line, which has room for their hexadecimal digits.
const CONTAINER_BYTES_SHOWN_MAX: usize = 8;
/// Digits of a response that may be typed.
const RESPONSE_LENGTH: u16 = 5;
/// Codes are shown in hexadecimal; names of up to this length are no codes.
const CODES: [&str; 4] = ["EIBAID", "EIBFN", "EIBRCODE", "EIBERRCD"];
/// A field that programs do not use.
const RESERVED: &str = "EIBRSVD1";

/// All lines: an empty one, the communication area, the fields. `open`: EIBRESP may be changed.
pub fn lines(task: &Task, block: &Eib, hexadecimal: bool, open: bool) -> Vec<Line> {
    let mut lines = vec![Line::default()];
    lines.push(communication_area(task, hexadecimal).unwrap_or_default());
    lines.extend(channel(task, hexadecimal));
    for field in eib::fields().iter().filter(|field| field.name != RESERVED) {
        lines.push(field_line(task, block, field, open));
        if field.name == "EIBTRMID" {
            lines.push(Line::default());
        }
    }
    if task.twa.length > 0 {
        lines.push(area("TWA", task.twa, task, hexadecimal));
    }
    lines
}

fn communication_area(task: &Task, hexadecimal: bool) -> Option<Line> {
    let commarea = task.level()?.commarea;
    (commarea.length > 0).then(|| area("COMMAREA", commarea, task, hexadecimal))
}

/// The channel of the program and its containers, by name, each with its length and the begin of its data.
fn channel(task: &Task, hexadecimal: bool) -> Vec<Line> {
    let Some(channel) = task.level().and_then(|level| level.channel.as_ref()) else { return Vec::new() };
    let mut lines = vec![value("CHANNEL", &format!("'{}'", channel.name()))];
    let mut names = channel.container_names();
    names.sort_unstable();
    let shown = |name: &Name16| channel.with(*name, |container| self::container(&task.region.code_page, name, container, hexadecimal));
    lines.extend(names.iter().take(CONTAINERS_MAX).filter_map(shown));
    if names.len() > CONTAINERS_MAX {
        lines.push(value("", &format!("AND {} MORE CONTAINERS", names.len() - CONTAINERS_MAX)));
    }
    lines
}

/// Data of type CHAR is shown in its own code page, and that of type BIT as the region would read it.
fn container(region: &RegionCodePage, name: &Name16, container: &Container, hexadecimal: bool) -> Line {
    let bytes = &container.data[..container.data.len().min(CONTAINER_BYTES_SHOWN_MAX)];
    let goes_on = if bytes.len() < container.data.len() { "..." } else { "" };
    let data = match (hexadecimal, container.code_page) {
        (true, _) => format!("X'{}'", values::hexadecimal(bytes)),
        (false, Some(page)) => format!("'{}'", values::characters(&RegionCodePage::new(page), bytes)),
        (false, None) => format!("'{}'", values::characters(region, bytes)),
    };
    let kind = if container.code_page.is_some() { "CHAR" } else { "BIT" };
    value("CONTAINER", &format!("'{name:<16}' {kind:<4} LENGTH={} {data}{goes_on}", container.data.len()))
}

fn area(name: &str, area: Area, task: &Task, hexadecimal: bool) -> Line {
    let goes_on = if area.length > AREA_BYTES_MAX { "..." } else { "" };
    let Ok(bytes) = area.truncated(if hexadecimal { AREA_BYTES_MAX / 2 } else { AREA_BYTES_MAX }).read() else {
        return value(name, "NOT ADDRESSABLE");
    };
    if hexadecimal {
        let line = value(name, &format!("X'{}'{goes_on}", values::hexadecimal(&bytes)));
        return line.and_text(ADDRESS_COLUMN, format!("AT X'{:08X}'", area.address));
    }
    value(name, &format!("'{}'{goes_on}", values::characters(&task.region.code_page, &bytes)))
}

fn value(name: &str, text: &str) -> Line {
    Line::text(NAME_COLUMN, format!("{name:<14}= {text}"))
}

fn field_line(task: &Task, block: &Eib, field: &'static EibField, open: bool) -> Line {
    let bytes = &block.bytes()[field.offset..field.offset + field.length];
    if field.offset == eib::EIBRESP && open {
        let name = format!("{:<14}=", field.name);
        let column = NAME_COLUMN + name.len() as u16 + 1;
        let text = block.full(eib::EIBRESP).to_string();
        return Line::text(NAME_COLUMN, name).and_field(column, text, Target::Eib(field.offset), RESPONSE_LENGTH);
    }
    if field.picture.contains("COMP") {
        return value(field.name, &number(field, bytes));
    }
    if field.length == 1 || CODES.contains(&field.name) {
        let function = (field.offset == eib::EIBFN).then(|| exec::function_name(block.half(eib::EIBFN))).flatten();
        let text = format!("X'{}' {}", values::hexadecimal(bytes), function.unwrap_or_default());
        let address = block.address() as usize + field.offset;
        return value(field.name, text.trim_end()).and_text(ADDRESS_COLUMN, format!("AT X'{address:08X}'"));
    }
    value(field.name, &format!("'{}'", values::characters(&task.region.code_page, bytes)))
}

/// Packed decimal or binary.
fn number(field: &EibField, bytes: &[u8]) -> String {
    if field.picture.contains("COMP-3") {
        let digits = values::hexadecimal(bytes);
        let digits = digits[..digits.len() - 1].trim_start_matches('0');
        return if digits.is_empty() { "0" } else { digits }.to_string();
    }
    let start = if bytes[0] & 0x80 != 0 { -1_i64 } else { 0 };
    bytes.iter().fold(start, |value, byte| value << 8 | i64::from(*byte)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_eib() {
        let field = |name: &str| eib::fields().iter().find(|field| field.name == name).expect("a field");
        assert_eq!(number(field("EIBTIME"), &[0x00, 0x92, 0x92, 0x0C]), "92920");
        assert_eq!(number(field("EIBTASKN"), &[0, 0, 0, 0x0C]), "0");
        assert_eq!(number(field("EIBRESP2"), &[0xFF, 0xFF, 0xFF, 0xFE]), "-2");
        assert_eq!(number(field("EIBCALEN"), &[0x01, 0xC2]), "450");
    }
}
