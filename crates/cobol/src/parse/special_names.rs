//! SPECIAL-NAMES: mnemonics, switches, alphabets, classes, symbolic characters, currency.

use super::Parser;
use super::cursor::Parsed;
use crate::lexer::TokenKind;
use crate::names::{Device, Special};
use crate::program::*;

impl Parser<'_> {
    pub fn special_names(&mut self) {
        self.advance();
        self.accept_kind(&TokenKind::Period);
        while !self.at_end() && !self.at_division() && !self.report.is_full() {
            if matches!(self.word(), "INPUT-OUTPUT" | "FILE-CONTROL" | "I-O-CONTROL" | "SOURCE-COMPUTER" | "OBJECT-COMPUTER" | "REPOSITORY")
            {
                break;
            }
            if self.accept_kind(&TokenKind::Period) {
                continue;
            }
            let before = self.at;
            if self.special_name().is_err() {
                self.skip_sentence();
            }
            if self.at == before {
                self.advance();
            }
        }
        self.resolve_collation();
    }

    fn resolve_collation(&mut self) {
        let Some((name, span)) = self.unit.pending_collation.take() else { return };
        match self.unit.names.special.get(&name) {
            Some(Special::Alphabet(index)) => self.unit.program.special_names.collation = Some(*index),
            _ => self.report.severe(span, format!("{name} is not an alphabet-name")),
        }
    }

    fn special_name(&mut self) -> Parsed<()> {
        match self.word() {
            "ALPHABET" => self.alphabet(),
            "CLASS" => self.class(),
            "SYMBOLIC" => self.symbolic(),
            "CURRENCY" => self.currency(),
            "DECIMAL-POINT" => {
                self.advance();
                self.accept("IS");
                self.expect("COMMA")?;
                self.unit.program.special_names.decimal_point_is_comma = true;
                self.unit.rules.decimal_point_is_comma = true;
                Ok(())
            }
            "CRT" | "CURSOR" | "XML-SCHEMA" => {
                self.skip_sentence();
                Ok(())
            }
            _ => self.mnemonic(),
        }
    }

    fn mnemonic(&mut self) -> Parsed<()> {
        let word = self.word();
        if let Some(switch) = switch_number(word) {
            self.advance();
            return self.switch(switch);
        }
        let device = match word {
            "SYSIN" | "SYSIPT" => Device::Input,
            "SYSOUT" | "SYSLST" | "SYSLIST" => Device::Output,
            "CONSOLE" => Device::Console,
            "SYSPUNCH" | "SYSPCH" => Device::Punch,
            "CSP" => Device::Channel(0),
            "S01" | "S02" | "S03" | "S04" | "S05" | "AFP-5A" => Device::Channel(1),
            "ARGUMENT-VALUE" => Device::Arguments,
            "COMMAND-LINE" => Device::CommandLine,
            "ENVIRONMENT-NAME" => Device::EnvironmentName,
            "ENVIRONMENT-VALUE" => Device::EnvironmentValue,
            other => match other.strip_prefix('C').and_then(|number| number.parse::<u8>().ok()) {
                Some(channel @ 1..=12) => Device::Channel(channel),
                _ => return self.fail("an entry of SPECIAL-NAMES"),
            },
        };
        self.advance();
        self.accept("IS");
        let (name, _) = self.expect_user_word("a mnemonic-name")?;
        self.unit.names.special.insert(name.into(), Special::Device(device));
        Ok(())
    }

    fn switch(&mut self, switch: u8) -> Parsed<()> {
        let mut any = false;
        if self.accept("IS") || !matches!(self.word(), "ON" | "OFF") {
            let (name, _) = self.expect_user_word("a mnemonic-name")?;
            self.unit.names.special.insert(name.into(), Special::Switch(switch));
            any = true;
        }
        while let Some(state) = self.accept_any(&["ON", "OFF"]) {
            self.accept("STATUS");
            self.accept("IS");
            let (name, _) = self.expect_user_word("a condition-name")?;
            self.unit.names.special.insert(name.into(), Special::SwitchCondition(switch, state == "ON"));
            any = true;
        }
        if any { Ok(()) } else { self.fail("a mnemonic-name or ON STATUS or OFF STATUS") }
    }

    fn alphabet(&mut self) -> Parsed<()> {
        self.advance();
        let (name, _) = self.expect_user_word("an alphabet-name")?;
        self.accept("IS");
        let mut ranks = Box::new([0_u8; 256]);
        for (rank, slot) in ranks.iter_mut().enumerate() {
            *slot = rank as u8;
        }
        let native;
        match self.word() {
            "NATIVE" | "EBCDIC" => {
                self.advance();
                native = self.encoder.page.is_ebcdic() || self.tokens[self.at - 1].is_word("NATIVE");
                if !native {
                    *ranks = self.ranks_of(|page, byte| le::code_page::CCSID_037.byte_of(page.character_of(byte)).unwrap_or(byte));
                }
            }
            "STANDARD-1" | "STANDARD-2" | "ASCII" => {
                self.advance();
                native = !self.encoder.page.is_ebcdic();
                if !native {
                    *ranks = self.ranks_of(|page, byte| page.to_ascii(byte));
                }
            }
            _ => {
                native = false;
                *ranks = self.alphabet_literals()?;
            }
        }
        let index = self.unit.program.special_names.alphabets.len() as u32;
        self.unit.program.special_names.alphabets.push(Alphabet { name: name.into(), ranks, native });
        self.unit.names.special.insert(name.into(), Special::Alphabet(index));
        Ok(())
    }

    fn ranks_of(&self, rank: impl Fn(&'static le::CodePage, u8) -> u8) -> [u8; 256] {
        let mut ranks = [0; 256];
        for (byte, slot) in ranks.iter_mut().enumerate() {
            *slot = rank(self.encoder.page, byte as u8);
        }
        ranks
    }

    /// Literals in order; ALSO gives the same rank; characters not named follow in native order.
    fn alphabet_literals(&mut self) -> Parsed<[u8; 256]> {
        let mut ranks: [Option<u8>; 256] = [None; 256];
        let mut next: u32 = 0;
        while !self.at_period() && !self.at_end() {
            let Some(first) = self.alphabet_characters()? else { break };
            if self.accept("THROUGH") || self.accept("THRU") {
                let Some(last) = self.alphabet_characters()? else { return self.fail("a literal") };
                let (from, to) = (first.first().copied().unwrap_or(0), last.first().copied().unwrap_or(0));
                let mut at = from;
                loop {
                    place(&mut ranks, at, &mut next);
                    if at == to {
                        break;
                    }
                    at = if from <= to { at + 1 } else { at - 1 };
                }
                continue;
            }
            for byte in &first {
                place(&mut ranks, *byte, &mut next);
            }
            while self.accept("ALSO") {
                let Some(same) = self.alphabet_characters()? else { return self.fail("a literal") };
                for byte in same {
                    ranks[usize::from(byte)].get_or_insert(next.saturating_sub(1) as u8);
                }
            }
        }
        if next == 0 {
            return self.fail("NATIVE, STANDARD-1, STANDARD-2, EBCDIC or literals");
        }
        let mut order = [0; 256];
        for byte in 0..256 {
            order[byte] = match ranks[byte] {
                Some(rank) => rank,
                None => {
                    let rank = next.min(255) as u8;
                    next += 1;
                    rank
                }
            };
        }
        Ok(order)
    }

    /// Bytes of a literal, an ordinal number (1 = first character) or a figurative constant.
    fn alphabet_characters(&mut self) -> Parsed<Option<Vec<u8>>> {
        if let Some(number) = self.integer() {
            if number == 0 || number > 256 {
                return self.fail_at(self.span(), "an ordinal position is 1 to 256");
            }
            return Ok(Some(vec![(number - 1) as u8]));
        }
        if let Some(figurative) = self.figurative() {
            return Ok(Some(vec![self.encoder.figurative_byte(&figurative)]));
        }
        match self.literal() {
            Some(Literal { value: LiteralValue::Alphanumeric(bytes), .. }) => Ok(Some(bytes.into_vec())),
            Some(literal) => self.fail_at(literal.span, "an alphanumeric literal is needed here"),
            None => Ok(None),
        }
    }

    fn class(&mut self) -> Parsed<()> {
        self.advance();
        let (name, _) = self.expect_user_word("a class-name")?;
        self.accept("IS");
        let mut members = Box::new([false; 256]);
        let mut any = false;
        while let Some(first) = self.alphabet_characters()? {
            any = true;
            if self.accept("THROUGH") || self.accept("THRU") {
                let Some(last) = self.alphabet_characters()? else { return self.fail("a literal") };
                let (from, to) = (first.first().copied().unwrap_or(0), last.first().copied().unwrap_or(0));
                for byte in from.min(to)..=from.max(to) {
                    members[usize::from(byte)] = true;
                }
            } else {
                for byte in first {
                    members[usize::from(byte)] = true;
                }
            }
        }
        if !any {
            return self.fail("a literal");
        }
        let index = self.unit.program.special_names.classes.len() as u32;
        self.unit.program.special_names.classes.push(CharacterClass { name: name.into(), members });
        self.unit.names.special.insert(name.into(), Special::Class(index));
        Ok(())
    }

    fn symbolic(&mut self) -> Parsed<()> {
        self.advance();
        self.accept("CHARACTERS");
        loop {
            let mut names = Vec::new();
            while let Some((name, _)) = self.user_word() {
                names.push(name);
            }
            if names.is_empty() {
                break;
            }
            let _ = self.accept("IS") || self.accept("ARE");
            for name in names {
                let number = self.expect_integer("an ordinal number")?;
                if number == 0 || number > 256 {
                    return self.fail_at(self.span(), "an ordinal position is 1 to 256");
                }
                self.unit.names.special.insert(name.into(), Special::Symbolic((number - 1) as u8));
            }
        }
        if self.accept("IN") {
            self.expect_user_word("an alphabet-name")?;
        }
        Ok(())
    }

    fn currency(&mut self) -> Parsed<()> {
        self.advance();
        self.accept("SIGN");
        self.accept("IS");
        let TokenKind::Literal(literal) = &self.token().kind else { return self.fail("a literal") };
        let text = literal.text.to_string();
        let span = self.span();
        self.advance();
        let symbol = if self.accept("WITH") || self.is_word("PICTURE") {
            self.accept("PICTURE");
            self.accept("SYMBOL");
            let TokenKind::Literal(literal) = &self.token().kind else { return self.fail("a picture symbol") };
            let symbol = literal.text.chars().next();
            self.advance();
            symbol
        } else {
            text.chars().next()
        };
        let Some(symbol) = symbol else {
            return self.fail_at(span, "a currency sign needs a character");
        };
        let symbol = self.unit.rules.stand_in(symbol);
        if b"0123456789ABCDEGNPRSUVXZabcdegnprsuvxz *+-/,.;()\"='".contains(&symbol) {
            return self.fail_at(span, format!("'{}' cannot be a currency symbol", char::from(symbol)));
        }
        let sign = self.encoded(&text);
        let special = &mut self.unit.program.special_names;
        if special.currencies.is_empty() {
            self.unit.rules.currencies.clear();
        }
        self.unit.rules.currencies.push((symbol, sign.len() as u32));
        special.currencies.push(Currency { symbol, sign: sign.into() });
        Ok(())
    }
}

fn place(ranks: &mut [Option<u8>; 256], byte: u8, next: &mut u32) {
    let slot = &mut ranks[usize::from(byte)];
    if slot.is_none() {
        *slot = Some((*next).min(255) as u8);
        *next += 1;
    }
}

fn switch_number(word: &str) -> Option<u8> {
    let number = word.strip_prefix("UPSI-").or_else(|| word.strip_prefix("SWITCH-"))?;
    let number = number.parse::<u8>().ok()?;
    (number <= 7).then_some(number)
}
