//! Random numeric items and values, all determined by the seed.

use testing::Random;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Usage {
    Display,
    Leading,
    SeparateLeading,
    SeparateTrailing,
    Packed,
    Binary,
    Native,
}

pub const USAGES: [Usage; 7] =
    [Usage::Display, Usage::Packed, Usage::Binary, Usage::Native, Usage::Leading, Usage::SeparateLeading, Usage::SeparateTrailing];

/// A fixed-point item's description.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub usage: Usage,
    pub digits: u32,
    pub scale: u32,
    pub signed: bool,
}

impl Shape {
    pub fn random(random: &mut Random, digits_max: u32) -> Shape {
        Shape::of(random, random_usage, digits_max)
    }

    fn of(random: &mut Random, usage: fn(&mut Random) -> Usage, digits_max: u32) -> Shape {
        let usage = usage(random);
        let most = if matches!(usage, Usage::Binary | Usage::Native) { 18 } else { digits_max };
        let sizes = [1, 2, 3, 4, 5, 7, 9, 9, 10, 13, 15, 16, 17, 18, 18, 19, 25, 30, 31];
        let usable: Vec<u32> = sizes.into_iter().filter(|digits| *digits <= most).collect();
        let digits = random.pick(&usable);
        // The peer gives one byte to a COMP-5 item of one or two digits.
        let digits = if usage == Usage::Native { digits.max(3) } else { digits };
        let scale = if random.one_in(2) { 0 } else { random.index(digits.min(9) as usize + 1) as u32 };
        let needs_sign = matches!(usage, Usage::Leading | Usage::SeparateLeading | Usage::SeparateTrailing);
        Shape { usage, digits, scale, signed: needs_sign || !random.one_in(3) }
    }

    pub fn picture(&self) -> String {
        let sign = if self.signed { "S" } else { "" };
        let integers = self.digits - self.scale;
        let whole = if integers > 0 { format!("9({integers})") } else { String::new() };
        let places = if self.scale > 0 { format!("V9({})", self.scale) } else { String::new() };
        let usage = match self.usage {
            Usage::Display => "",
            Usage::Leading => " SIGN LEADING",
            Usage::SeparateLeading => " SIGN LEADING SEPARATE",
            Usage::SeparateTrailing => " SIGN TRAILING SEPARATE",
            Usage::Packed => " COMP-3",
            Usage::Binary => " COMP",
            Usage::Native => " COMP-5",
        };
        format!("PIC {sign}{whole}{places}{usage}")
    }

    pub fn is_zoned(&self) -> bool {
        !matches!(self.usage, Usage::Packed | Usage::Binary | Usage::Native)
    }

    pub fn bytes(&self) -> u32 {
        match self.usage {
            Usage::Display | Usage::Leading => self.digits,
            Usage::SeparateLeading | Usage::SeparateTrailing => self.digits + 1,
            Usage::Packed => self.digits / 2 + 1,
            Usage::Binary | Usage::Native => match self.digits {
                1..=4 => 2,
                5..=9 => 4,
                _ => 8,
            },
        }
    }

    /// A value the item can hold, as a coefficient at its scale.
    pub fn value(&self, random: &mut Random) -> i128 {
        let limit = 10i128.pow(self.digits);
        let wide = ((random.number() as u128) << 64 | random.number() as u128) >> 1;
        let magnitude = match random.index(10) {
            0 => 0,
            1 => limit - 1,
            2 => 1,
            3 => limit / 2,
            4 => (limit / 10) * 5 + limit / 100 * 5,
            _ => (wide as i128) % 10i128.pow(1 + random.index(self.digits as usize) as u32),
        };
        if self.signed && random.one_in(2) { -magnitude } else { magnitude }
    }
}

fn random_usage(random: &mut Random) -> Usage {
    // The usages that compiled code has inline are the most frequent ones in programs as well.
    match random.index(10) {
        0..=2 => Usage::Packed,
        3..=4 => Usage::Display,
        5..=6 => Usage::Binary,
        7 => Usage::Native,
        _ => random.pick(&USAGES),
    }
}

/// A numeric literal.
pub fn literal(value: i128, scale: u32) -> String {
    let sign = if value < 0 { "-" } else { "" };
    let digits = value.unsigned_abs().to_string();
    if scale == 0 {
        return format!("{sign}{digits}");
    }
    let width = scale as usize + 1;
    let digits = format!("{digits:0>width$}");
    let (whole, places) = digits.split_at(digits.len() - scale as usize);
    format!("{sign}{whole}.{places}")
}
