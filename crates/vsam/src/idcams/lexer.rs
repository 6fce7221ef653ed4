//! IDCAMS control statements: lines to tokens.
//!
//! Rules: a sequence number in columns 73 to 80 is ignored, and longer lines are accepted; a hyphen at the end of a line continues the
//! command, a plus sign continues the value; comments are `/* */`; blanks and commas separate; text after a semicolon is ignored, including
//! its continuation lines. Invariant: each token knows the last line of its command, so the listing shows a command before its results;
//! unreadable text becomes a token too, so that only its command fails.

/// Last column before a sequence number.
const RIGHT_MARGIN: usize = 72;
const CARD_LENGTH: usize = 80;

/// The line without a sequence number (at least five digits, nothing else) in columns 73 to 80.
fn without_sequence_number(line: &str) -> &str {
    let line = line.trim_end();
    let Some((margin, _)) = line.char_indices().nth(RIGHT_MARGIN) else { return line };
    let number = line[margin..].trim();
    let is_number = number.len() >= 5 && number.bytes().all(|byte| byte.is_ascii_digit());
    if is_number && line.chars().count() <= CARD_LENGTH { &line[..margin] } else { line }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Word(String),
    /// 'text' or C'text'.
    Text(String),
    /// X'hex', or the number B'binary'.
    Hex(Vec<u8>),
    Open,
    Close,
    /// = > < ^ and the not sign, of conditions.
    Operator(String),
    /// Unreadable text, with the message.
    Bad(String),
    EndOfCommand,
}

/// The tokens of a text.
#[derive(Default)]
pub(crate) struct Tokens {
    pub tokens: Vec<Token>,
    /// Of each token: how many lines of the text its command and those before it have.
    pub lines: Vec<usize>,
}

/// A placeholder for a line inside a comment.
const LINE_OF_COMMENT: char = '\u{1}';
/// Stands for a comment without an end.
const OPEN_COMMENT: char = '\u{2}';

/// Joins continued lines and splits them into tokens.
pub(crate) fn tokens(text: &str) -> Tokens {
    let mut all = Tokens::default();
    for (line, count) in logical_lines(text) {
        let before = all.tokens.len();
        if let Err(message) = line_tokens(&line, &mut all.tokens) {
            all.tokens.push(Token::Bad(message));
        }
        if all.tokens.len() > before {
            all.tokens.push(Token::EndOfCommand);
        }
        all.lines.resize(all.tokens.len(), count);
    }
    all
}

/// Comments out, but for the number of lines they have. In-stream data ends at a line that has `/*` alone.
fn strip_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("/*") {
        let at_line_start = start == 0 || rest.as_bytes()[start - 1] == b'\n';
        let Some(length) = rest[start + 2..].find("*/") else {
            // The end of in-stream data, or an unterminated comment: nothing follows in either case.
            out.push_str(&rest[..start]);
            if !(at_line_start && rest[start + 2..].lines().next().is_none_or(|line| line.trim().is_empty())) {
                out.push(OPEN_COMMENT);
            }
            return out;
        };
        let end = start + 2 + length + 2;
        let line_end = rest[start..].find('\n').map_or(rest.len(), |position| start + position);
        if at_line_start && rest[start + 2..line_end].trim().is_empty() && end > line_end {
            out.push_str(&rest[..start]);
            return out;
        }
        out.push_str(&rest[..start]);
        out.push(' ');
        out.extend(rest[start..end].matches('\n').map(|_| LINE_OF_COMMENT));
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}

/// The columns of PARM MARGINS(left right), if the line contains it.
fn margins(line: &str) -> Option<(usize, usize)> {
    let upper = line.to_ascii_uppercase();
    let (_, rest) = upper.split_once("MARG")?;
    let (_, rest) = rest.split_once('(')?;
    let (columns, _) = rest.split_once(')')?;
    let mut columns = columns.split([' ', ',']).filter(|column| !column.is_empty()).map(str::parse);
    match (columns.next()?, columns.next()?) {
        (Ok(left @ 1..), Ok(right)) if left <= right => Some((left, right)),
        _ => None,
    }
}

/// The lines within the margins: those of PARM, effective from the next line on, or by default everything but sequence numbers.
fn within_margins(text: &str) -> Vec<&str> {
    let mut held: Option<(usize, usize)> = None;
    let mut in_parm = false;
    let mut lines = Vec::new();
    for line in text.lines() {
        let column = |number: usize| line.char_indices().nth(number).map_or(line.len(), |(at, _)| at);
        let part = match held {
            Some((left, right)) => line[column(left - 1)..column(right)].trim_end(),
            None => without_sequence_number(line),
        };
        let begins = part.split([' ', '(']).find(|word| !word.is_empty()).is_some_and(|word| word.eq_ignore_ascii_case("PARM"));
        in_parm = begins || in_parm && lines.last().is_some_and(|before: &&str| before.ends_with(['-', '+']));
        if in_parm {
            held = margins(part).or(held);
        }
        lines.push(part);
    }
    lines
}

/// Commands, each joined to one line, with the number of text lines up to the end of each.
fn logical_lines(text: &str) -> Vec<(String, usize)> {
    let cut = within_margins(text);
    let total = cut.len();
    let text = strip_comments(&cut.join("\n"));
    let mut lines = Vec::new();
    let mut current = String::new();
    let (mut joining, mut count) = (false, 0);
    for line in text.lines() {
        count += 1 + line.matches(LINE_OF_COMMENT).count();
        let line = line.replace(LINE_OF_COMMENT, "");
        let line = line.trim_end();
        let part = if joining { line.trim_start() } else { line };
        joining = false;
        if let Some(head) = part.strip_suffix('-') {
            current.push_str(head);
            current.push(' ');
        } else if let Some(head) = part.strip_suffix('+') {
            current.push_str(head);
            joining = true;
        } else {
            current.push_str(part);
            lines.push((std::mem::take(&mut current), count));
        }
    }
    lines.push((current, total));
    lines
}

fn line_tokens(line: &str, tokens: &mut Vec<Token>) -> Result<(), String> {
    let characters: Vec<char> = line.chars().collect();
    let mut at = 0;
    while at < characters.len() {
        let character = characters[at];
        match character {
            ' ' | ',' | '\t' => at += 1,
            ';' => break,
            OPEN_COMMENT => return Err("IDC3203I ITEM '/*' DOES NOT ADHERE TO RESTRICTIONS: THE COMMENT HAS NO END".into()),
            '(' | ')' => {
                tokens.push(if character == '(' { Token::Open } else { Token::Close });
                at += 1;
            }
            '\'' => at = quoted(&characters, at, None, tokens)?,
            '=' | '>' | '<' | '^' | '\u{AC}' => {
                let mut operator = String::from(character);
                at += 1;
                if let Some('=' | '>' | '<') = characters.get(at) {
                    operator.push(characters[at]);
                    at += 1;
                }
                tokens.push(Token::Operator(operator));
            }
            _ => {
                let start = at;
                while at < characters.len() && !" ,\t;()'=><^\u{AC}\u{2}".contains(characters[at]) {
                    at += 1;
                }
                let word: String = characters[start..at].iter().collect::<String>().to_uppercase();
                if characters.get(at) == Some(&'\'') && ["X", "B", "C"].contains(&word.as_str()) {
                    at = quoted(&characters, at, Some(&word), tokens)?;
                } else {
                    tokens.push(Token::Word(word));
                }
            }
        }
    }
    Ok(())
}

/// Reads a quoted value from its first quote on; two quotes represent one.
fn quoted(characters: &[char], at: usize, prefix: Option<&str>, tokens: &mut Vec<Token>) -> Result<usize, String> {
    let mut text = String::new();
    let mut at = at + 1;
    loop {
        match (characters.get(at), characters.get(at + 1)) {
            (None, _) => return Err("IDC3207I MISSING QUOTE AT THE END OF A VALUE".into()),
            (Some('\''), Some('\'')) => {
                text.push('\'');
                at += 2;
            }
            (Some('\''), _) => break,
            (Some(character), _) => {
                text.push(*character);
                at += 1;
            }
        }
    }
    if prefix == Some("X") {
        let digits: Option<Vec<u8>> = text.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
        let digits = digits.filter(|digits| digits.len() % 2 == 0).ok_or("IDC3213I IMPROPER HEXADECIMAL VALUE")?;
        tokens.push(Token::Hex(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()));
    } else if prefix == Some("B") {
        let number = u32::from_str_radix(&text, 2).map_err(|_| "IDC3213I IMPROPER BINARY VALUE")?;
        tokens.push(Token::Hex(number.to_be_bytes().to_vec()));
    } else {
        tokens.push(Token::Text(text));
    }
    Ok(at + 1)
}
