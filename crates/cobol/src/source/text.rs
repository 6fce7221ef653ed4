//! Bytes to lines of characters.
//!
//! A source file is UTF-8 when it is valid UTF-8, otherwise Latin-1 (every byte is a character). Lines end with LF, CR LF or the end of
//! file; a byte order mark, trailing Ctrl-Z and NULs are dropped; tabs go to the next multiple of eight columns.

const TAB_COLUMNS: usize = 8;
/// Longer lines are cut: nothing a compiler reads is so long, and columns are 16 bits.
const LINE_CHARACTERS_MAX: usize = 8192;

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
    if line.len() <= LINE_CHARACTERS_MAX && !line.contains(|c: char| c.is_control()) {
        return line.into();
    }
    let mut out = String::with_capacity(line.len() + 16);
    let mut column = 0;
    for character in line.chars() {
        if column >= LINE_CHARACTERS_MAX {
            break;
        }
        if character == '\t' {
            let next = (column / TAB_COLUMNS + 1) * TAB_COLUMNS;
            out.extend(std::iter::repeat_n(' ', next - column));
            column = next;
        } else {
            out.push(if character.is_control() && !is_shift(character) { ' ' } else { character });
            column += 1;
        }
    }
    out.into()
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
        assert_eq!(split_lines(&"x".repeat(10_000))[0].len(), LINE_CHARACTERS_MAX);
    }
}
