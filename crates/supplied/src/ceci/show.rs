//! The display of a command in CECI (its syntax with its values), and of the EIB.

use super::parse::Parsed;
use super::run::Value;
use crate::cemt::displayed_cvda;
use exec::{ArgumentKind, ArgumentRule, CommandSpec, Numeric, OptionId, OptionSpec, RuleKind};
use region::Task;

/// Characters of a value that are shown.
const VALUE_LENGTH_MAX: usize = 60;
/// What is shown of a password.
const SECRET: &str = "'        '";

/// The number of letters of an option that must be typed: as many as distinguish it from the command's others, at least two.
fn letters(spec: &CommandSpec, option: &OptionSpec) -> usize {
    (2..option.name.len())
        .find(|&count| spec.options.iter().filter(|other| other.name.starts_with(&option.name[..count])).count() == 1)
        .unwrap_or(option.name.len())
}

fn name_of(spec: &CommandSpec, option: &OptionSpec) -> String {
    let (must, may) = option.name.split_at(letters(spec, option));
    format!("{must}{}", may.to_ascii_lowercase())
}

/// Data as text in quotes, or as hexadecimal digits.
fn data_text(task: &Task, data: &[u8], hexadecimal: bool) -> String {
    let shown = &data[..data.len().min(VALUE_LENGTH_MAX)];
    let dots = if data.len() > VALUE_LENGTH_MAX { " ..." } else { "" };
    if hexadecimal {
        let digits: String = shown.iter().take(VALUE_LENGTH_MAX / 2).map(|byte| format!("{byte:02X}")).collect();
        return format!("X'{digits}'{dots}");
    }
    let text: String = task.region.code_page.text(shown).chars().map(|c| if c.is_control() { '.' } else { c }).collect();
    format!("'{text}'{dots}")
}

/// The command line with blanks in place of passwords.
pub fn without_secrets(command: &str, parsed: &Parsed) -> String {
    let secrets = parsed.given.iter().filter(|given| exec::is_secret(given.option.id)).filter_map(|given| given.value.as_deref());
    let secrets = secrets.filter(|value| !value.is_empty() && !value.starts_with('&'));
    secrets.fold(command.to_string(), |command, secret| command.replace(secret, &" ".repeat(secret.chars().count())))
}

/// `EXEC CICS READ`, then the options: those given with their values, the others in angle brackets.
pub fn syntax(
    task: &Task,
    spec: &'static CommandSpec,
    parsed: &Parsed,
    results: &[(OptionId, Value)],
    hexadecimal: bool,
    width: usize,
) -> Vec<String> {
    let mut lines = vec![format!("EXEC CICS {}", capitalized(spec.name))];
    let mut line = String::new();
    for option in spec.as_written.iter().filter_map(|id| spec.option(*id)) {
        let item = item(task, spec, option, parsed, results, hexadecimal);
        if !line.is_empty() && line.len() + 1 + item.len() > width {
            lines.push(std::mem::take(&mut line));
        }
        if line.is_empty() {
            line.push(' ');
        }
        line.push(' ');
        line.push_str(&item);
    }
    if !line.trim().is_empty() {
        lines.push(line);
    }
    lines
}

/// A CVDA by its name; other numbers with the digits that their fields have.
fn number_text(option: &OptionSpec, number: i64) -> String {
    let cvda = (option.kind == ArgumentKind::Cvda).then(|| displayed_cvda(number)).flatten();
    match (cvda, option.numeric) {
        (Some(name), _) => name.to_string(),
        (None, Numeric::Halfword) => format!("{number:+06}"),
        (None, _) => format!("{number:+011}"),
    }
}

fn item(
    task: &Task,
    spec: &'static CommandSpec,
    option: &'static OptionSpec,
    parsed: &Parsed,
    results: &[(OptionId, Value)],
    hexadecimal: bool,
) -> String {
    let name = name_of(spec, option);
    let result = results.iter().find(|(id, _)| *id == option.id).map(|(_, value)| value);
    let given = parsed.given(option.id);
    let value = match (result, given.and_then(|given| given.value.as_deref())) {
        (Some(_), _) | (_, Some(_)) if exec::is_secret(option.id) => Some(SECRET.to_string()),
        (Some(Value::Number(number)), _) => Some(number_text(option, *number)),
        (Some(Value::Bytes(bytes)), _) => Some(data_text(task, bytes, hexadecimal)),
        (None, Some(typed)) => Some(typed.to_string()),
        (None, None) => None,
    };
    match value {
        Some(value) => format!("{name}( {value} )"),
        None if given.is_some() => name,
        None => {
            let bare = if option.argument == ArgumentRule::None { name } else { format!("{name}()") };
            let required = spec.rules.iter().any(|rule| rule.kind == RuleKind::Required && rule.options.contains(&option.id));
            if required { bare } else { format!("< {bare} >") }
        }
    }
}

fn capitalized(name: &str) -> String {
    name.split(' ').map(|word| word[..1].to_string() + &word[1..].to_ascii_lowercase()).collect::<Vec<_>>().join(" ")
}

/// The fields of the EIB.
pub fn eib_lines(task: &Task) -> Vec<String> {
    let bytes = task.eib.bytes();
    exec::eib::fields()
        .iter()
        .map(|field| {
            let data = &bytes[field.offset..field.offset + field.length];
            let value = if field.picture.contains("COMP-3") {
                let digits: String = data.iter().map(|byte| format!("{byte:02X}")).collect();
                format!("+{}", &digits[..digits.len() - 1])
            } else if field.picture.contains("COMP") {
                let number = data.iter().fold(0i64, |value, byte| value << 8 | i64::from(*byte));
                let bits = 8 * field.length as u32;
                let signed = if number >= 1 << (bits - 1) { number - (1 << bits) } else { number };
                format!("{signed:+0width$}", width = if field.length == 2 { 6 } else { 11 })
            } else if field.length <= 2 || field.name == "EIBRCODE" || field.name == "EIBERRCD" {
                format!("X'{}'", data.iter().map(|byte| format!("{byte:02X}")).collect::<String>())
            } else {
                data_text(task, data, data.iter().all(|byte| *byte == 0))
            };
            format!("{:8} = {value}", field.name)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use exec::option;

    #[test]
    fn letters_to_type_are_capitals() {
        let spec = exec::command_by_name("READ").unwrap();
        let name = |id| name_of(spec, spec.option(id).unwrap());
        assert_eq!(name(option::FILE), "FIle");
        assert!(name(option::RIDFLD).starts_with("RI"));
        assert_eq!(capitalized("WRITEQ TS"), "Writeq Ts");
    }
}
