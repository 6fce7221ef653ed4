//! Amounts of money by a format of strfmon.

use super::{Money, NOT_AVAILABLE, Position};

/// Flags and widths of a conversion.
#[derive(Default)]
struct Conversion {
    fill: Option<char>,
    ungrouped: bool,
    parentheses: bool,
    without_symbol: bool,
    left: bool,
    width: usize,
    digits_before: Option<usize>,
    digits_behind: Option<usize>,
    international: bool,
}

/// Digits behind the point where the locale says nothing.
const DIGITS: usize = 2;
/// More digits than an amount can have.
const WIDTH_MAX: usize = 256;

/// The text of a format, which has one conversion for the amount; `None`: the format is wrong.
pub fn format(amount: f64, format: &str, money: &Money) -> Option<String> {
    let mut out = String::new();
    let mut rest = format.chars().peekable();
    while let Some(character) = rest.next() {
        if character != '%' {
            out.push(character);
        } else if rest.peek() == Some(&'%') {
            rest.next();
            out.push('%');
        } else {
            out.push_str(&converted(amount, &conversion(&mut rest)?, money));
        }
    }
    Some(out)
}

fn conversion(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<Conversion> {
    let mut conversion = Conversion::default();
    loop {
        match rest.peek()? {
            '=' => {
                rest.next();
                conversion.fill = Some(*rest.peek()?);
            }
            '^' => conversion.ungrouped = true,
            '+' => {}
            '(' => conversion.parentheses = true,
            '!' => conversion.without_symbol = true,
            '-' => conversion.left = true,
            _ => break,
        }
        rest.next();
    }
    conversion.width = number(rest).unwrap_or(0);
    if rest.peek() == Some(&'#') {
        rest.next();
        conversion.digits_before = Some(number(rest)?);
    }
    if rest.peek() == Some(&'.') {
        rest.next();
        conversion.digits_behind = Some(number(rest)?);
    }
    conversion.international = match rest.next()? {
        'n' => false,
        'i' => true,
        _ => return None,
    };
    Some(conversion)
}

fn number(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<usize> {
    let mut value = None;
    while let Some(digit) = rest.peek().and_then(|character| character.to_digit(10)) {
        value = Some((value.unwrap_or(0) * 10 + digit as usize).min(WIDTH_MAX));
        rest.next();
    }
    value
}

fn converted(amount: f64, conversion: &Conversion, money: &Money) -> String {
    let available = |digits: u8| if digits == NOT_AVAILABLE { DIGITS } else { digits as usize };
    let digits = if conversion.international { money.international_digits } else { money.digits };
    let text = format!("{:.*}", conversion.digits_behind.unwrap_or(available(digits)), amount.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let mut digits = grouped(whole, conversion, money);
    if !fraction.is_empty() {
        digits.push_str(if money.numbers.decimal_point.is_empty() { "." } else { money.numbers.decimal_point });
        digits.push_str(fraction);
    }
    let is_negative = amount < 0.0;
    let signed = with_sign(&digits, is_negative, conversion, money);
    // With digits before the point given, columns of positive and negative amounts agree.
    let text = match conversion.digits_before {
        Some(_) if !is_negative => {
            let other = with_sign(&digits, true, conversion, money).chars().count();
            let missing = other.saturating_sub(signed.chars().count());
            let (front, behind) = if conversion.parentheses { (missing / 2, missing - missing / 2) } else { (missing, 0) };
            format!("{}{signed}{}", " ".repeat(front), " ".repeat(behind))
        }
        _ => signed,
    };
    let missing = conversion.width.saturating_sub(text.chars().count());
    if conversion.left { text + &" ".repeat(missing) } else { " ".repeat(missing) + &text }
}

/// The digits before the point, filled to their number, in groups.
fn grouped(whole: &str, conversion: &Conversion, money: &Money) -> String {
    let fill = conversion.fill.unwrap_or(' ');
    let separator = if conversion.ungrouped { "" } else { money.numbers.thousands_separator };
    let sizes = money.numbers.grouping;
    let wanted = conversion.digits_before.unwrap_or(0).max(whole.len());
    let mut parts: Vec<String> = Vec::new();
    let (mut in_group, mut group) = (0, 0);
    for place in 0..wanted {
        let size = sizes.get(group).or(sizes.last()).copied().unwrap_or(0) as usize;
        if size != 0 && in_group == size && !separator.is_empty() {
            // Where only fill stands, so do the separators' places.
            parts.push(if place < whole.len() { separator.to_string() } else { fill.to_string().repeat(separator.chars().count()) });
            in_group = 0;
            group += 1;
        }
        parts.push(whole.len().checked_sub(place + 1).map_or(fill, |at| whole.as_bytes()[at] as char).to_string());
        in_group += 1;
    }
    parts.into_iter().rev().collect()
}

fn with_sign(digits: &str, is_negative: bool, conversion: &Conversion, money: &Money) -> String {
    let Position { symbol_precedes, separated, sign: position } = if is_negative { money.negative } else { money.positive };
    let symbol = match (conversion.without_symbol, conversion.international) {
        (true, _) => "",
        (false, true) => money.international_symbol.trim_end(),
        (false, false) => money.symbol,
    };
    let space = if separated == 1 && !symbol.is_empty() || conversion.international && !symbol.is_empty() { " " } else { "" };
    let sign = match (is_negative, money.negative_sign.is_empty()) {
        (true, true) => "-",
        (true, false) => money.negative_sign,
        (false, _) => money.positive_sign,
    };
    let value = if symbol_precedes == 0 { format!("{digits}{space}{symbol}") } else { format!("{symbol}{space}{digits}") };
    if conversion.parentheses {
        return if is_negative { format!("({value})") } else { value };
    }
    match position {
        2 => format!("{value}{sign}"),
        3 if symbol_precedes == 0 => format!("{digits}{space}{sign}{symbol}"),
        3 => format!("{sign}{value}"),
        4 if symbol_precedes == 0 => format!("{digits}{space}{symbol}{sign}"),
        4 => format!("{symbol}{sign}{space}{digits}"),
        0 if is_negative => format!("({value})"),
        _ => format!("{sign}{value}"),
    }
}

#[cfg(test)]
mod tests {
    use super::format;
    use crate::locale::{C, find};

    /// Examples of strfmon in POSIX, for 123.45, -123.45 and 3456.781 in a locale of the United States.
    #[test]
    fn examples_of_posix() {
        let money = &find("En_US").unwrap().money;
        let cases: [(&str, [&str; 3]); 8] = [
            ("%n", ["$123.45", "-$123.45", "$3,456.78"]),
            ("%11n", ["    $123.45", "   -$123.45", "  $3,456.78"]),
            ("%#5n", [" $   123.45", "-$   123.45", " $ 3,456.78"]),
            ("%=*#5n", [" $***123.45", "-$***123.45", " $*3,456.78"]),
            ("%=0#5n", [" $000123.45", "-$000123.45", " $03,456.78"]),
            ("%^#5n", [" $  123.45", "-$  123.45", " $ 3456.78"]),
            ("%^#5.0n", [" $  123", "-$  123", " $ 3457"]),
            ("%^#5.4n", [" $  123.4500", "-$  123.4500", " $ 3456.7810"]),
        ];
        for (conversion, wanted) in cases {
            let shown = [123.45, -123.45, 3456.781].map(|amount| format(amount, conversion, money).unwrap());
            assert_eq!(shown, wanted, "{conversion}");
        }
        assert_eq!(format(-5.0, "%(n", money).unwrap(), "($5.00)");
        assert_eq!(format(5.0, "[%-!10n] %%", money).unwrap(), "[5.00      ] %");
        assert_eq!(format(5.0, "%i", money).unwrap(), "USD 5.00");
    }

    #[test]
    fn other_locales_and_wrong_formats() {
        let germany = &find("De_DE").unwrap().money;
        assert_eq!(format(-1234.5, "%n", germany).unwrap(), "-1.234,50 €");
        assert_eq!(format(1234.5, "%n", &C.money).unwrap(), "1234.50");
        for wrong in ["%", "%q", "%#n", "%=", "%.n"] {
            assert_eq!(format(1.0, wrong, germany), None, "{wrong}");
        }
    }
}
