//! Compiles numeric-edited pictures.
//!
//! Language Reference, "Editing rules": simple, special, fixed and floating insertion, and zero suppression. A picture has
//! one suppression string at most: Zs, asterisks, or one floating symbol; its digits come before any 9.

use super::NUMERIC_EDITED_LENGTH_MAX;
use super::picture::{Item, Picture, PictureError, PictureOptions, Symbol, error, places};
use super::program::*;
use crate::attributes::Usage;

struct Builder<'a> {
    options: &'a PictureOptions<'a>,
    template: Vec<u8>,
    positions: Vec<u8>,
    currency: Vec<u8>,
    /// The floating symbol, when the picture has one.
    floating: Option<Symbol>,
    float_started: bool,
    suppress_start: Option<usize>,
    suppress_end: Option<usize>,
    limit: u8,
    suppressed: bool,
    nines: bool,
    asterisk: bool,
    point: u8,
    sign: (u8, usize),
}

fn total(items: &[Item], symbol: Symbol) -> u32 {
    items.iter().filter(|item| item.symbol == symbol).map(|item| item.count).sum()
}

fn currency_of(items: &[Item]) -> Option<Symbol> {
    items.iter().map(|item| item.symbol).find(|symbol| matches!(symbol, Symbol::Currency(_)))
}

fn check(items: &[Item]) -> Result<Option<Symbol>, PictureError> {
    let mut candidates = vec![Symbol::Plus, Symbol::Minus];
    candidates.extend(currency_of(items));
    let floating: Vec<Symbol> = candidates.into_iter().filter(|&symbol| total(items, symbol) > 1).collect();
    if floating.len() > 1 {
        return error(0, "there is more than one floating string");
    }
    let zeros = [Symbol::Suppress, Symbol::Asterisk].into_iter().filter(|&symbol| total(items, symbol) > 0).count();
    if zeros + floating.len() > 1 {
        return error(0, "zero suppression, asterisks and floating strings cannot be mixed");
    }
    let floating = floating.first().copied();
    let is_fixed = |symbol: Symbol| Some(symbol) != floating;
    let signs = items
        .iter()
        .filter(|item| match item.symbol {
            Symbol::Plus | Symbol::Minus => is_fixed(item.symbol),
            Symbol::Cr | Symbol::Db => true,
            _ => false,
        })
        .count();
    if signs + usize::from(matches!(floating, Some(Symbol::Plus | Symbol::Minus))) > 1 {
        return error(0, "there is more than one sign");
    }
    let mut digit_seen = false;
    let mut nine_seen = false;
    for (index, item) in items.iter().enumerate() {
        let suppression = matches!(item.symbol, Symbol::Suppress | Symbol::Asterisk) || Some(item.symbol) == floating;
        let last = items[index + 1..].iter().all(|after| after.symbol == Symbol::Scaling);
        match item.symbol {
            Symbol::Sign => return error(item.position, "S cannot be used in an edited picture"),
            Symbol::Character(_) | Symbol::Exponent => {
                return error(item.position, "the symbol cannot be used in an edited picture");
            }
            Symbol::Cr | Symbol::Db if !last => return error(item.position, "CR and DB must be last"),
            Symbol::Plus | Symbol::Minus if is_fixed(item.symbol) && digit_seen && !last => {
                return error(item.position, "the sign must be first or last");
            }
            Symbol::Currency(_) if is_fixed(item.symbol) && digit_seen => {
                return error(item.position, "the currency symbol must precede the digits");
            }
            Symbol::Nine => nine_seen = true,
            _ if suppression && nine_seen => {
                return error(item.position, "suppression symbols must precede the 9s");
            }
            _ => {}
        }
        digit_seen |= suppression || item.symbol == Symbol::Nine;
    }
    Ok(floating)
}

impl Builder<'_> {
    fn insert(&mut self, byte: u8, count: u32) {
        self.template.extend(std::iter::repeat_n(byte, count as usize));
    }

    fn digit(&mut self, count: u32) {
        for _ in 0..count {
            self.positions.push(self.template.len().min(255) as u8);
            self.template.push(self.options.code_page.space);
        }
    }

    /// Suppression ends here at the latest.
    fn close(&mut self) {
        if self.suppressed && self.suppress_end.is_none() {
            self.suppress_end = Some(self.template.len());
        }
    }

    fn suppress(&mut self, count: u32) {
        self.suppressed = true;
        self.suppress_start.get_or_insert(self.template.len());
        if self.suppress_end.is_none() {
            self.limit += count as u8;
        }
        self.digit(count);
    }

    /// The text of a currency symbol, in the code page.
    fn currency_text(&self, index: usize) -> Vec<u8> {
        match self.options.currencies.get(index) {
            Some(currency) => self.options.code_page.encode(currency.text),
            None => vec![self.options.code_page.dollar],
        }
    }

    fn float(&mut self, item: &Item) {
        let mut count = item.count;
        if !self.float_started {
            self.float_started = true;
            self.suppressed = true;
            self.suppress_start = Some(self.template.len());
            let width = match item.symbol {
                Symbol::Currency(index) => {
                    self.currency = self.currency_text(index);
                    self.currency.len() as u32
                }
                _ => 1,
            };
            self.insert(self.options.code_page.space, width);
            count -= 1;
        }
        self.suppress(count);
    }

    fn item(&mut self, item: &Item) {
        let page = self.options.code_page;
        if Some(item.symbol) == self.floating {
            return self.float(item);
        }
        match item.symbol {
            Symbol::Blank => self.insert(page.space, item.count),
            Symbol::Zero => self.insert(page.zero, item.count),
            Symbol::Slash => self.insert(page.slash, item.count),
            Symbol::Comma => {
                let byte = if self.options.decimal_comma { page.period } else { page.comma };
                self.insert(byte, item.count);
            }
            Symbol::Point => {
                self.close();
                self.point = self.template.len() as u8;
                self.insert(if self.options.decimal_comma { page.comma } else { page.period }, 1);
            }
            Symbol::Assumed => self.close(),
            Symbol::Nine => {
                self.close();
                self.nines = true;
                self.digit(item.count);
            }
            Symbol::Suppress => self.suppress(item.count),
            Symbol::Asterisk => {
                self.asterisk = true;
                self.suppress(item.count);
            }
            Symbol::Plus | Symbol::Minus => {
                let kind = if item.symbol == Symbol::Plus { SIGN_PLUS } else { SIGN_MINUS };
                self.sign = (kind, self.template.len());
                self.insert(page.space, 1);
            }
            Symbol::Cr | Symbol::Db => {
                self.sign = (if item.symbol == Symbol::Cr { SIGN_CR } else { SIGN_DB }, self.template.len());
                self.insert(page.space, 2);
            }
            Symbol::Currency(index) => {
                let text = self.currency_text(index);
                self.template.extend(text);
            }
            Symbol::Scaling | Symbol::Sign | Symbol::Character(_) | Symbol::Exponent => {}
        }
    }

    fn program(&self, digits: u8) -> Vec<u8> {
        let mut out = vec![0u8; FIXED];
        out[0] = KIND_NUMERIC;
        out[FLAGS] = if self.asterisk { ASTERISK } else { 0 };
        if self.suppressed && !self.nines {
            out[FLAGS] |= ALL_SUPPRESSED;
        }
        out[DIGITS] = digits;
        out[LENGTH] = self.template.len() as u8;
        out[LIMIT] = self.limit;
        out[SUPPRESS_START] = self.suppress_start.unwrap_or(0) as u8;
        out[SUPPRESS_END] = self.suppress_end.unwrap_or(self.template.len()) as u8;
        out[FLOAT_KIND] = match self.floating {
            Some(Symbol::Plus) => SIGN_PLUS,
            Some(Symbol::Minus) => SIGN_MINUS,
            Some(_) => FLOAT_CURRENCY,
            None => SIGN_NONE,
        };
        out[SIGN_KIND] = self.sign.0;
        out[SIGN_POSITION] = self.sign.1 as u8;
        out[POINT] = self.point;
        out[CURRENCY_LENGTH] = self.currency.len() as u8;
        out.extend(&self.positions);
        out.extend(&self.currency);
        out.extend(&self.template);
        out
    }
}

pub(super) fn compile(items: &[Item], options: &PictureOptions<'_>) -> Result<Picture, PictureError> {
    let floating = check(items)?;
    let is_digit = |index: usize| {
        let item = items[index];
        let first_of_float = Some(item.symbol) == floating && items[..index].iter().all(|before| before.symbol != item.symbol);
        match item.symbol {
            Symbol::Nine | Symbol::Suppress | Symbol::Asterisk => item.count,
            symbol if Some(symbol) == floating => item.count - u32::from(first_of_float),
            _ => 0,
        }
    };
    let places = places(items, &is_digit)?;
    let mut builder = Builder {
        options,
        template: Vec::new(),
        positions: Vec::new(),
        currency: Vec::new(),
        floating,
        float_started: false,
        suppress_start: None,
        suppress_end: None,
        limit: 0,
        suppressed: false,
        nines: false,
        asterisk: false,
        point: NO_POSITION,
        sign: (SIGN_NONE, 0),
    };
    for item in items {
        if builder.template.len() + item.count as usize > NUMERIC_EDITED_LENGTH_MAX {
            return error(item.position, "a numeric-edited item has at most 249 characters");
        }
        builder.item(item);
    }
    let digits = places.digits as u8;
    Ok(Picture {
        category: Usage::NumericEdited,
        characters: builder.template.len() as u32,
        digits,
        scale: places.scale as i8,
        signed: builder.sign.0 != SIGN_NONE || matches!(floating, Some(Symbol::Plus | Symbol::Minus)),
        program: builder.program(digits),
    })
}
