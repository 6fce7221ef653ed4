//! Bytes to lines of characters.
//!
//! A source file is UTF-8 when it is valid UTF-8, otherwise Latin-1 (every byte is a character). Lines end with LF, CR LF or the end of
//! file; a byte order mark, trailing Ctrl-Z and NULs are dropped; tabs go to the next multiple of eight columns.
//!
//! Some sources were typed with other tab stops. If stops every eight columns push text beyond column 72, which a compiler ignores, and
//! stops every four, or one column for each tab, do not, then those are used.

/// Tab stops that are tried, the usual one first.
const TAB_COLUMNS: [usize; 3] = [8, 4, 1];
/// The last column a compiler reads in fixed format.
const TEXT_COLUMN_LAST: usize = 72;
/// Longer lines are cut, because columns are 16 bits. In fixed format nothing is read there; in free format it is an error.
const LINE_CHARACTERS_MAX: usize = 8192;

/// Lines that have been cut, by number from 1.
pub fn cut_lines(lines: &[Box<str>]) -> impl Iterator<Item = u32> + '_ {
    let long = |line: &str| line.len() >= LINE_CHARACTERS_MAX && line.chars().count() >= LINE_CHARACTERS_MAX;
    lines.iter().zip(1..).filter(move |(line, _)| long(line)).map(|(_, number)| number)
}

/// The characters of a file.
pub fn decode(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let end = bytes.iter().rposition(|byte| !matches!(byte, 0x1A | 0)).map_or(0, |last| last + 1);
    match std::str::from_utf8(&bytes[..end]) {
        Ok(text) => text.to_string(),
        Err(_) => bytes[..end].iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// Lines with tabs expanded.
pub fn split_lines(text: &str) -> Vec<Box<str>> {
    text.lines().map(|line| expand_tabs(line.trim_end_matches('\r'))).collect()
}

fn expand_tabs(line: &str) -> Box<str> {
    let is_plain = |line: &str| line.bytes().all(|byte| matches!(byte, b' '..=b'~')) || !line.contains(|c: char| c.is_control());
    if line.len() <= LINE_CHARACTERS_MAX && is_plain(line) {
        return line.into();
    }
    let fits = |columns: &usize| width(line, *columns) <= TEXT_COLUMN_LAST;
    let tab_columns = TAB_COLUMNS.into_iter().find(fits).unwrap_or(TAB_COLUMNS[0]);
    let mut out = String::with_capacity(line.len() + 16);
    let mut column = 0;
    for character in line.chars() {
        if column >= LINE_CHARACTERS_MAX {
            break;
        }
        if character == '\t' {
            let next = (column / tab_columns + 1) * tab_columns;
            out.extend(std::iter::repeat_n(' ', next - column));
            column = next;
        } else {
            out.push(if character.is_control() && !is_shift(character) { ' ' } else { character });
            column += 1;
        }
    }
    out.into()
}

/// Columns of the line up to its last character that is not blank.
fn width(line: &str, tab_columns: usize) -> usize {
    line.trim_end().chars().fold(0, |column, character| match character {
        '\t' => (column / tab_columns + 1) * tab_columns,
        _ => column + 1,
    })
}

/// Shift-out and shift-in stay: they bracket double-byte characters.
fn is_shift(character: char) -> bool {
    matches!(character, '\u{0E}' | '\u{0F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf8_or_latin_1() {
        assert_eq!(decode("é".as_bytes()), "é");
        assert_eq!(decode(b"caf\xE9"), "café");
        assert_eq!(decode(b"\xEF\xBB\xBFA\x1A\0"), "A");
        assert_eq!(decode(b""), "");
        assert_eq!(decode(b"\x1A"), "");
    }

    #[test]
    fn tabs_stop_every_eight_columns() {
        let lines = split_lines("\tMOVE\tA\r\n12345678\tX\n");
        assert_eq!(&*lines[0], "        MOVE    A");
        assert_eq!(&*lines[1], "12345678        X");
        // With stops every eight columns the clause would begin at column 66 and end beyond 72.
        let line = format!("\t\t     05  NAME{}PIC X(25).", " ".repeat(36));
        assert_eq!(split_lines(&line)[0].find("05"), Some(13));
        assert_eq!(split_lines(&"x".repeat(10_000))[0].len(), LINE_CHARACTERS_MAX);
        let lines = split_lines(&format!("{}\n{}\n", "x".repeat(LINE_CHARACTERS_MAX - 1), "x".repeat(LINE_CHARACTERS_MAX)));
        assert_eq!(cut_lines(&lines).collect::<Vec<_>>(), [2]);
    }
}
