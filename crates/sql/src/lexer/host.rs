//! Host variables: names of the program, which may have hyphens, with qualifiers and an indicator.

use super::TokenKind;
use super::scan::{Scanner, starts_word};
use crate::problem::Problem;

impl Scanner<'_> {
    /// At a colon.
    pub(super) fn host_variable(&mut self) -> Result<TokenKind, Problem> {
        let offset = self.at;
        self.at += 1;
        self.skip_blanks()?;
        let name = self.host_name(offset)?;
        self.refuse_subscript(offset)?;
        let behind = self.at;
        self.skip_blanks()?;
        if self.take_word("INDICATOR") {
            self.skip_blanks()?;
        }
        if self.peek() != Some(':') {
            self.at = behind;
            return Ok(TokenKind::Host { name, indicator: None, indicator_offset: offset });
        }
        let indicator = self.at;
        self.at += 1;
        self.skip_blanks()?;
        let indicator_name = self.host_name(indicator)?;
        self.refuse_subscript(indicator)?;
        Ok(TokenKind::Host { name, indicator: Some(indicator_name), indicator_offset: indicator })
    }

    /// `NAME`, `GROUP.NAME`, `NAME OF GROUP`: outermost first.
    fn host_name(&mut self, offset: usize) -> Result<Vec<String>, Problem> {
        let mut parts = vec![self.host_word(offset)?];
        while self.peek() == Some('.') {
            self.at += 1;
            parts.push(self.host_word(offset)?);
        }
        loop {
            let behind = self.at;
            self.skip_blanks()?;
            let qualified = self.take_word("OF") && {
                self.skip_blanks()?;
                !self.at_word("ROWSET") && self.peek().is_some_and(starts_word)
            };
            if !qualified {
                self.at = behind;
                return Ok(parts);
            }
            parts.insert(0, self.host_word(offset)?);
        }
    }

    fn host_word(&mut self, offset: usize) -> Result<String, Problem> {
        let word = self.take_while(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '#' | '@' | '$'));
        let name = word.trim_end_matches('-');
        self.at -= word.len() - name.len();
        if name.is_empty() {
            let found = self.peek().map_or(String::new(), |c| c.to_string());
            return Err(Problem::unexpected(offset, &format!(":{found}"), "<HOST VARIABLE>"));
        }
        Ok(name.to_uppercase())
    }

    fn at_word(&self, word: &str) -> bool {
        let rest = self.rest();
        rest.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word))
            && !rest[word.len()..].chars().next().is_some_and(super::scan::continues_word)
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.at += word.len();
        }
        found
    }

    /// Db2 has no subscripts in host variables: `:TABLE(I)`.
    fn refuse_subscript(&self, offset: usize) -> Result<(), Problem> {
        if self.peek() != Some('(') {
            return Ok(());
        }
        let text = "a host variable cannot have a subscript; move the element to a variable of its own";
        Err(Problem::new(-104, "42601", offset, &["(", ", INDICATOR"], text))
    }
}
