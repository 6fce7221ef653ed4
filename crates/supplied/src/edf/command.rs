//! A command on a display: the arguments in the command's own syntax, with their values, and the changes made by typing over them.
//!
//! Rules ("Overtyping to make changes"): a value can be changed, a keyword cannot; only the part of a value on display can be changed; the
//! labels of COBOL are not shown. A constant of the program is not changed: the command gets a changed copy of it. Invariant: a copy lives
//! until the command has ended, also when the session or a command of a program that it links to ends before.
//!
//! A CVDA is shown by its name, other numbers by their value; in hexadecimal all have the form that is documented for the option. A program
//! written in C passes the address of an area without its length: what it states as LENGTH or FLENGTH is shown.

use super::super::cemt::displayed_cvda;
use super::display::{Line, Target};
use super::values;
use exec::block::{Argument, Block, OptionId, Representation};
use exec::{ArgumentKind, CommandSpec, Numeric, OptionSpec, cvda, option};
use region::Task;
use region::code_page::RegionCodePage;
use region::storage_access::{Area, OwnedArea};

/// What is shown of a password, which cannot be typed over.
const SECRET: &str = "('        ')";
/// Where the lines of a command begin, and those of its arguments.
const VERB_COLUMN: u16 = 2;
const ARGUMENT_COLUMN: u16 = 3;
/// The last column of a field: its end has the next.
const LAST_COLUMN: u16 = 79;
/// Where the address of a hexadecimal value is.
pub const ADDRESS_COLUMN: u16 = 66;
/// The same for an address of sixteen digits.
const WIDE_ADDRESS_COLUMN: u16 = 58;
/// The part of the verb's line that may be typed over.
const VERB_LENGTH: u16 = 60;
/// Room for the digits of a number, or for the name of a CVDA, that is longer than the one shown.
const NUMBER_LENGTH: u16 = 22;
/// The numbers that packed decimals of 15 and of 7 digits have room for.
const ABSTIME_MAX: i64 = 999_999_999_999_999;
const HHMMSS_MAX: i64 = 9_999_999;
/// The largest fullword that may be entered ("Overtyping to make changes").
const FULLWORD_MAX: i64 = 2_147_483_639;

/// The word that the operator types over a command which is not to be executed.
pub const NOOP: &str = "NOOP";
const NOP: &str = "NOP";

/// What was typed over the verb: a command that is not to be executed, the command itself, or something else.
pub fn is_noop(typed: &str) -> bool {
    let word = typed.trim().to_ascii_uppercase();
    word.is_empty() || word == NOOP || word == NOP
}

/// `EXEC CICS SEND MAP`.
pub fn title(spec: &CommandSpec) -> String {
    format!("EXEC CICS {}", spec.name)
}

/// The command and its arguments. `open`: they may be typed over.
pub fn lines(task: &Task, block: &Block, arguments: &[Argument], noop: bool, hexadecimal: bool, open: bool) -> Vec<Line> {
    let Some(spec) = block.command.checked() else { return Vec::new() };
    let verb = if noop { NOOP.to_string() } else { title(spec) };
    let first = if open { Line::default().and_field(VERB_COLUMN, verb, Target::Verb, VERB_LENGTH) } else { Line::text(VERB_COLUMN, verb) };
    let mut lines = vec![first];
    let page = &task.region.code_page;
    let shown = arguments.iter().enumerate().filter_map(|(index, argument)| Some((index, argument, spec.option(argument.option)?)));
    lines.extend(shown.map(|(index, argument, option)| {
        let whole = Argument { length: length_of(task, arguments, index), ..*argument };
        argument_line(page, index, &whole, option, hexadecimal)
    }));
    if block.flags & Block::NOHANDLE != 0 {
        lines.push(Line::text(ARGUMENT_COLUMN, "NOHANDLE"));
    }
    lines
}

/// Bytes of an area: those of the data item, or what a program written in C states.
pub fn length_of(task: &Task, arguments: &[Argument], index: usize) -> u32 {
    let argument = &arguments[index];
    if argument.representation != Representation::Area || task.frame.is_none_or(|frame| frame.module().c.is_none()) {
        return argument.length;
    }
    stated_length(arguments, argument)
}

/// LENGTH and FLENGTH belong to the area of the command, which is the first argument that is not a name.
fn stated_length(arguments: &[Argument], argument: &Argument) -> u32 {
    const AREAS: [OptionId; 4] = [option::FROM, option::INTO, option::COMMAREA, option::RESOURCE];
    let stated = arguments.iter().find(|other| [option::LENGTH, option::FLENGTH].contains(&other.option)).map(|other| other.value);
    let stated = stated.and_then(|length| u32::try_from(length).ok()).filter(|_| AREAS.contains(&argument.option));
    stated.map_or(argument.length, |length| length.max(argument.length))
}

/// The value of an argument as it is shown.
enum Shown {
    Nothing,
    /// Parentheses that cannot be typed into.
    Closed(&'static str),
    Number(String),
    /// The whole text, and the address of the data in hexadecimal displays.
    Data(String, Option<usize>),
}

fn argument_line(page: &RegionCodePage, index: usize, argument: &Argument, option: &OptionSpec, hexadecimal: bool) -> Line {
    let line = Line::text(ARGUMENT_COLUMN, option.name);
    let column = ARGUMENT_COLUMN + option.name.len() as u16 + 1;
    let target = Target::Argument(index);
    match shown(page, argument, option, hexadecimal) {
        Shown::Nothing => line,
        Shown::Closed(text) => line.and_text(column, text),
        Shown::Number(text) => line.and_field(column, text, target, NUMBER_LENGTH.min(LAST_COLUMN + 1 - column)),
        Shown::Data(text, address) => {
            let length = text.chars().count() as u16;
            let line = line.and_field(column, text, target, length);
            match address {
                Some(address) => line.and_text(address_column(address), format!("AT X'{}'", values::address(address))),
                None => line,
            }
        }
    }
}

fn address_column(address: usize) -> u16 {
    if u32::try_from(address).is_ok() { ADDRESS_COLUMN } else { WIDE_ADDRESS_COLUMN }
}

fn shown(page: &RegionCodePage, argument: &Argument, option: &OptionSpec, hexadecimal: bool) -> Shown {
    match argument.representation {
        Representation::Flag => Shown::Nothing,
        Representation::Label if argument.value == 0 => Shown::Nothing,
        Representation::Label => Shown::Closed("()"),
        Representation::Integer if is_hexadecimal(option, hexadecimal) => {
            Shown::Number(format!("(X'{}')", values::digits_of(argument.value, option.numeric)))
        }
        Representation::Integer => Shown::Number(format!("({})", number_text(option, argument.value))),
        Representation::Area if exec::is_secret(option.id) => Shown::Closed(SECRET),
        Representation::Area => match data(page, argument, option, hexadecimal) {
            Some(text) => Shown::Data(text, hexadecimal.then_some(argument.address as usize)),
            None => Shown::Closed("(NOT ADDRESSABLE)"),
        },
    }
}

/// A CVDA by its name.
fn number_text(option: &OptionSpec, value: i64) -> String {
    let name = (option.kind == ArgumentKind::Cvda).then(|| displayed_cvda(value)).flatten();
    name.map_or_else(|| value.to_string(), str::to_string)
}

/// Addresses have no other form.
fn is_hexadecimal(option: &OptionSpec, hexadecimal: bool) -> bool {
    hexadecimal || matches!(option.numeric, Numeric::Pointer | Numeric::Pointer64)
}

/// The bytes on display: as many as the line has room for.
fn displayed(page: &RegionCodePage, argument: &Argument, option: &OptionSpec, hexadecimal: bool) -> Option<(Vec<u8>, bool)> {
    let whole = if option.length > 0 { usize::from(option.length) } else { argument.length as usize };
    let column = usize::from(ARGUMENT_COLUMN) + option.name.len() + 1;
    let room = if hexadecimal {
        (usize::from(address_column(argument.address as usize)) - 1 - column).saturating_sub("(X''...)".len()) / 2
    } else {
        (usize::from(LAST_COLUMN) + 1 - column).saturating_sub("(''...)".len())
    };
    let length = whole.min(room);
    let mut bytes = Area::new(argument.address as usize, length.min(argument.length as usize)).read().ok()?;
    bytes.resize(length, page.space());
    Some((bytes, whole > length))
}

fn data(page: &RegionCodePage, argument: &Argument, option: &OptionSpec, hexadecimal: bool) -> Option<String> {
    let (bytes, goes_on) = displayed(page, argument, option, hexadecimal)?;
    let dots = if goes_on { "..." } else { "" };
    Some(if hexadecimal {
        format!("(X'{}'{dots})", values::hexadecimal(&bytes))
    } else {
        format!("('{}'{dots})", values::characters(page, &bytes))
    })
}

/// Copies that commands in progress have got in place of constants.
#[derive(Default)]
pub struct Copies(Vec<Copy>);

struct Copy {
    /// Levels of the task at the command.
    depth: usize,
    /// Kept for its address, which the argument has.
    _area: OwnedArea,
}

impl Copies {
    fn add(&mut self, depth: usize, area: OwnedArea) {
        self.0.push(Copy { depth, _area: area });
    }

    /// The command at this depth has ended, and with it those that were given deeper.
    pub fn release(&mut self, depth: usize) {
        self.0.retain(|copy| copy.depth < depth);
    }

    /// Those of a session that ends.
    pub fn take_over(&mut self, copies: Copies) {
        self.0.extend(copies.0);
    }
}

/// What is typed over an argument.
pub struct Change<'a> {
    pub shown: &'a str,
    pub typed: &'a str,
    pub hexadecimal: bool,
    /// The command has been executed: its results can be changed.
    pub executed: bool,
    /// Bytes of the area, as [`length_of`] has them.
    pub length: u32,
}

/// Changes an argument. The copies made for constants are added to `copies`.
///
/// # Errors
///
/// The message for the operator if the value is not valid or the storage cannot be changed.
pub fn change(task: &Task, option: &OptionSpec, argument: &mut Argument, of: &Change, copies: &mut Copies) -> Result<(), &'static str> {
    match argument.representation {
        Representation::Integer => change_number(option, argument, of),
        Representation::Area => change_area(task, option, argument, of, copies),
        Representation::Flag | Representation::Label => Ok(()),
    }
}

fn change_number(option: &OptionSpec, argument: &mut Argument, of: &Change) -> Result<(), &'static str> {
    const INVALID: &str = "THE NUMBER IS NOT VALID";
    let inner = of.typed.trim().trim_start_matches('(').trim_end_matches(')').trim();
    let named = || (option.kind == ArgumentKind::Cvda).then(|| cvda::value_of(&inner.to_ascii_uppercase())).flatten();
    let value = match inner.strip_prefix("X'").map(|digits| digits.trim_end_matches('\'')) {
        Some(digits) => values::from_digits(digits, option.numeric),
        None => inner.trim_start_matches('+').parse().ok().or_else(named),
    };
    let value = value.ok_or(INVALID)?;
    let range = match option.numeric {
        Numeric::Halfword => i64::from(i16::MIN)..=i64::from(i16::MAX),
        Numeric::Fullword => i64::from(i32::MIN)..=FULLWORD_MAX,
        Numeric::Pointer => 0..=i64::from(u32::MAX),
        Numeric::Abstime => -ABSTIME_MAX..=ABSTIME_MAX,
        Numeric::Hhmmss | Numeric::TaskNumber => -HHMMSS_MAX..=HHMMSS_MAX,
        _ => i64::MIN..=i64::MAX,
    };
    if !range.contains(&value) {
        return Err(INVALID);
    }
    argument.value = value;
    if of.executed && option.direction.is_output() {
        argument.flags |= Argument::SET;
    }
    Ok(())
}

fn change_area(task: &Task, option: &OptionSpec, argument: &mut Argument, of: &Change, copies: &mut Copies) -> Result<(), &'static str> {
    let page = &task.region.code_page;
    let whole = Argument { length: of.length, ..*argument };
    let Some((bytes, _)) = displayed(page, &whole, option, of.hexadecimal) else { return Err("THE STORAGE IS NOT ADDRESSABLE") };
    let inside = |text: &str, prefix: usize, length: usize| -> String { text.chars().skip(prefix).take(length).collect() };
    let changed = if of.hexadecimal {
        let digits = inside(of.typed, "(X'".len(), 2 * bytes.len());
        values::from_hexadecimal(&digits).filter(|typed| typed.len() == bytes.len()).ok_or("THE DIGITS ARE NOT HEXADECIMAL")?
    } else {
        let (shown, typed) = (inside(of.shown, "('".len(), bytes.len()), inside(of.typed, "('".len(), bytes.len()));
        values::overtyped(page, &bytes, &shown, &typed)
    };
    if changed == bytes {
        return Ok(());
    }
    let area = Area::new(argument.address as usize, of.length as usize);
    if changed.len() <= area.length && area.write(&changed).is_ok() {
        return Ok(());
    }
    if of.executed {
        return Err("THE STORAGE CANNOT BE CHANGED");
    }
    let mut whole = area.read().map_err(|_| "THE STORAGE IS NOT ADDRESSABLE")?;
    whole.resize(whole.len().max(changed.len()), page.space());
    whole[..changed.len()].copy_from_slice(&changed);
    let copy = OwnedArea::new(&whole, whole.len(), page.space());
    (argument.address, argument.length) = (copy.area().address as u64, whole.len() as u32);
    copies.add(task.levels.len(), copy);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use exec::option;

    fn page() -> RegionCodePage {
        RegionCodePage::new(RegionCodePage::by_ccsid(37).expect("CCSID 037"))
    }

    fn argument(id: exec::OptionId, representation: Representation, area: Option<&OwnedArea>, value: i64) -> Argument {
        let area = area.map_or(Area::new(0, 0), OwnedArea::area);
        Argument { option: id, representation, flags: 0, length: area.length as u32, address: area.address as u64, value }
    }

    fn text(line: &Line) -> String {
        line.0.iter().map(|part| part.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn values_are_shown_in_the_syntax_of_the_command() {
        let spec = exec::command_by_name("READ").expect("READ");
        let shown = |argument: &Argument, hexadecimal| {
            text(&argument_line(&page(), 0, argument, spec.option(argument.option).expect("an option"), hexadecimal))
        };
        let name = OwnedArea::new(&[0xC1, 0xC3, 0xC3, 0xE3], 4, 0);
        let file = argument(option::FILE, Representation::Area, Some(&name), 0);
        assert_eq!(shown(&file, false), "FILE ('ACCT    ')");
        assert_eq!(shown(&file, true), format!("FILE (X'C1C3C3E340404040') AT X'{}'", values::address(file.address as usize)));
        assert_eq!(shown(&argument(option::LENGTH, Representation::Integer, None, -3), false), "LENGTH (-3)");
        assert_eq!(shown(&argument(option::LENGTH, Representation::Integer, None, -3), true), "LENGTH (X'FFFD')");
        assert_eq!(shown(&argument(option::UPDATE, Representation::Flag, None, 0), false), "UPDATE");
        let verify = exec::command_by_name("VERIFY PASSWORD").expect("VERIFY PASSWORD");
        let secret = argument(option::PASSWORD, Representation::Area, Some(&name), 0);
        let option = verify.option(option::PASSWORD).expect("PASSWORD");
        assert_eq!(text(&argument_line(&page(), 0, &secret, option, true)), "PASSWORD ('        ')");
        let set = exec::command_by_name("SET FILE").expect("SET FILE");
        let open = set.option(option::OPENSTATUS).expect("OPENSTATUS");
        let of_file = |argument: &Argument, hexadecimal| text(&argument_line(&page(), 0, argument, open, hexadecimal));
        let status = argument(option::OPENSTATUS, Representation::Integer, None, cvda::CLOSED);
        assert_eq!(of_file(&status, false), "OPENSTATUS (CLOSED)");
        assert_eq!(of_file(&status, true), "OPENSTATUS (X'00000013')");
        let long = OwnedArea::new(&[0xC1; 100], 100, 0);
        let into = shown(&argument(option::INTO, Representation::Area, Some(&long), 0), false);
        assert_eq!(into, format!("INTO ('{}'...)", "A".repeat(LAST_COLUMN as usize + 1 - 8 - 7)));
    }

    #[test]
    fn numbers_typed_over_keep_to_their_range() {
        let spec = exec::command_by_name("READ").expect("READ");
        let length = spec.option(option::LENGTH).expect("LENGTH");
        let typed = |typed: &str| {
            let mut argument = argument(option::LENGTH, Representation::Integer, None, 5);
            let change = Change { shown: "(5)", typed, hexadecimal: false, executed: true, length: 0 };
            change_number(length, &mut argument, &change).map(|()| argument.value)
        };
        assert_eq!((typed("(32767)"), typed("(-1"), typed("12")), (Ok(32767), Ok(-1), Ok(12)));
        assert_eq!(typed("(X'FFFF')"), Ok(-1));
        for wrong in ["(32768)", "()", "(ABC)", "(X'GG')", ""] {
            assert_eq!(typed(wrong), Err("THE NUMBER IS NOT VALID"), "{wrong}");
        }
    }

    #[test]
    fn a_cvda_is_typed_by_name_or_number() {
        let set = exec::command_by_name("SET FILE").expect("SET FILE");
        let open = set.option(option::OPENSTATUS).expect("OPENSTATUS");
        let typed = |typed: &str| {
            let mut argument = argument(option::OPENSTATUS, Representation::Integer, None, cvda::CLOSED);
            let change = Change { shown: "(CLOSED)", typed, hexadecimal: false, executed: false, length: 0 };
            change_number(open, &mut argument, &change).map(|()| argument.value)
        };
        assert_eq!((typed("(OPEN)"), typed("open"), typed("18")), (Ok(cvda::OPEN), Ok(cvda::OPEN), Ok(18)));
        assert_eq!(typed("(NOSUCH)"), Err("THE NUMBER IS NOT VALID"));
    }

    /// Programs written in C pass a pointer to the first byte; the length is stated beside it.
    #[test]
    fn a_stated_length_counts_for_the_area_of_the_command() {
        let byte = OwnedArea::new(&[0xC1], 1, 0);
        let from = argument(option::FROM, Representation::Area, Some(&byte), 0);
        let queue = argument(option::QUEUE, Representation::Area, Some(&byte), 0);
        let of = |length: i64, which: &Argument| {
            stated_length(&[queue, from, argument(option::LENGTH, Representation::Integer, None, length)], which)
        };
        assert_eq!((of(16, &from), of(16, &queue), of(-1, &from), of(0, &from)), (16, 1, 1, 1));
        assert_eq!(stated_length(&[queue, from], &from), 1);
    }

    /// A LINK at level 1 has a copy while the commands of its program at level 2 begin and end.
    #[test]
    fn a_copy_lives_until_its_command_has_ended() {
        let copy = || OwnedArea::new(&[0xC1], 1, 0);
        let depths = |copies: &Copies| copies.0.iter().map(|copy| copy.depth).collect::<Vec<_>>();
        let (mut copies, mut left) = (Copies::default(), Copies::default());
        [1, 2].into_iter().for_each(|depth| copies.add(depth, copy()));
        copies.release(2);
        assert_eq!(depths(&copies), [1]);
        // The session ends at a display of level 2.
        copies.add(2, copy());
        left.take_over(copies);
        assert_eq!(depths(&left), [1, 2]);
        left.release(1);
        assert_eq!(depths(&left), [] as [usize; 0]);
    }

    #[test]
    fn a_blank_verb_is_no_operation() {
        assert!(is_noop("NOOP") && is_noop("nop ") && is_noop(""));
        assert!(!is_noop("EXEC CICS READ") && !is_noop("NOPE"));
    }
}
