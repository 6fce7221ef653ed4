//! Query Reply: the capabilities a terminal reports (GA23-0059, "Query Reply"). Unknown and malformed replies are ignored.

use crate::attribute::Extended;
use crate::capabilities::{Capabilities, ScreenSize};
use crate::constants::*;
use crate::inbound::StructuredField;

/// Screens larger than this are not believed.
const POSITIONS_MAX: usize = 16_384;

/// Blue to white, without the default.
const COLORS: std::ops::RangeInclusive<u8> = 0xF1..=0xF7;

/// Applies query replies (the structured fields of an AID 88 record) to the capabilities of a terminal; false if there was none.
pub fn apply_query_reply(capabilities: &mut Capabilities, fields: &[StructuredField]) -> bool {
    let mut any = false;
    for field in fields.iter().filter(|field| field.id == SFID_QREPLY) {
        let Some((&code, data)) = field.data.split_first() else { continue };
        any = true;
        match code {
            QR_USABLE_AREA => usable_area(capabilities, data),
            QR_IMP_PART => implicit_partition(capabilities, data),
            QR_COLOR if shows_colors(data) => capabilities.extended.insert(Extended::Color),
            QR_COLOR => capabilities.extended.0 &= !(1 << Extended::Color as u8),
            QR_HIGHLIGHTING => capabilities.extended.insert(Extended::Highlight),
            QR_FIELD_VAL => capabilities.extended.insert(Extended::Validation),
            QR_OUTLINING => capabilities.extended.insert(Extended::Outline),
            QR_TRANSPARENCY => capabilities.extended.insert(Extended::Transparency),
            QR_CHARSETS => character_sets(capabilities, data),
            QR_DBCS_ASIA => capabilities.extended.insert(Extended::Sosi),
            QR_ALPHA_PART => capabilities.partitions = data.first().is_some_and(|&count| count > 0),
            _ => {}
        }
    }
    if any {
        capabilities.queried = true;
        capabilities.extended_data_stream = true;
    }
    any
}

/// Flags, the number of pairs, then accepted and displayed colours: a monochrome display shows 0 for all of them.
fn shows_colors(data: &[u8]) -> bool {
    let pairs = data.get(2..).unwrap_or_default();
    pairs.is_empty() || pairs.chunks_exact(2).any(|pair| COLORS.contains(&pair[0]) && pair[1] != 0)
}

/// Flags (addressing mode in the low four bits), flags, width, height.
fn usable_area(capabilities: &mut Capabilities, data: &[u8]) {
    let [flags, _, w0, w1, h0, h1, ..] = *data else { return };
    let size = ScreenSize::new(u16::from_be_bytes([h0, h1]), u16::from_be_bytes([w0, w1]));
    // 1: 12/14-bit, 3: 12/14/16-bit; 16-bit is used only if 14 bits are not enough.
    let known = matches!(flags & 0x0F, 1 | 3);
    if known && credible(size) && size.positions() > capabilities.alternate_size.positions() {
        capabilities.alternate_size = size;
    }
    capabilities.addressing = crate::address::Addressing::for_positions(capabilities.alternate_size.positions());
}

/// Flags (2), then self-defining parameters; id 01 has default width, height, alternate width, height.
fn implicit_partition(capabilities: &mut Capabilities, data: &[u8]) {
    let mut rest = data.get(2..).unwrap_or_default();
    while let [length, id, body @ ..] = rest {
        let length = *length as usize;
        if length < 2 || length - 2 > body.len() {
            return;
        }
        if let (1, [_, w0, w1, h0, h1, aw0, aw1, ah0, ah1, ..]) = (*id, &body[..length - 2]) {
            let default = ScreenSize::new(u16::from_be_bytes([*h0, *h1]), u16::from_be_bytes([*w0, *w1]));
            let alternate = ScreenSize::new(u16::from_be_bytes([*ah0, *ah1]), u16::from_be_bytes([*aw0, *aw1]));
            if credible(default) {
                capabilities.default_size = default;
            }
            if credible(alternate) {
                capabilities.alternate_size = alternate;
            }
            capabilities.addressing = crate::address::Addressing::for_positions(capabilities.alternate_size.positions());
        }
        rest = &body[length - 2..];
    }
}

fn character_sets(capabilities: &mut Capabilities, data: &[u8]) {
    let Some(&flags) = data.first() else { return };
    capabilities.graphic_escape = flags & 0x80 != 0;
    // Loadable programmed symbols.
    if flags & 0x20 != 0 {
        capabilities.extended.insert(Extended::ProgrammedSymbols);
    }
}

fn credible(size: ScreenSize) -> bool {
    size.rows >= 1 && size.columns >= 20 && size.positions() <= POSITIONS_MAX && size.positions() >= 480
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capabilities::Model;

    fn field(code: u8, data: &[u8]) -> StructuredField {
        StructuredField { id: SFID_QREPLY, data: [&[code], data].concat() }
    }

    #[test]
    fn sizes_and_features() {
        let mut capabilities = Capabilities::of_model(Model::Dynamic, true);
        let replies = [
            field(QR_SUMMARY, &[0x80, 0x81]),
            field(QR_USABLE_AREA, &[0x01, 0x00, 0, 132, 0, 60, 1, 0, 0]),
            field(QR_IMP_PART, &[0, 0, 11, 1, 0, 0, 80, 0, 24, 0, 132, 0, 60]),
            field(QR_COLOR, &[0, 16]),
            field(QR_CHARSETS, &[0x82, 0]),
        ];
        assert!(apply_query_reply(&mut capabilities, &replies));
        assert_eq!(capabilities.default_size, ScreenSize::new(24, 80));
        assert_eq!(capabilities.alternate_size, ScreenSize::new(60, 132));
        assert_eq!(capabilities.addressing, crate::address::Addressing::Bits14);
        assert!(capabilities.supports(Extended::Color) && capabilities.graphic_escape && capabilities.queried);
    }

    #[test]
    fn a_display_of_one_colour_has_none() {
        let mut capabilities = Capabilities::of_model(Model::Two, true);
        assert!(capabilities.supports(Extended::Color));
        apply_query_reply(&mut capabilities, &[field(QR_COLOR, &[0, 3, 0, 0xF4, 0xF1, 0, 0xF2, 0])]);
        assert!(!capabilities.supports(Extended::Color) && capabilities.supports(Extended::Highlight));
        apply_query_reply(&mut capabilities, &[field(QR_COLOR, &[0, 3, 0, 0xF4, 0xF1, 0xF1, 0xF2, 0xF2])]);
        assert!(capabilities.supports(Extended::Color));
    }

    #[test]
    fn nonsense_is_passed_over() {
        let mut capabilities = Capabilities::of_model(Model::Two, true);
        let before = capabilities.alternate_size;
        assert!(!apply_query_reply(&mut capabilities, &[StructuredField { id: 0x40, data: vec![1] }]));
        apply_query_reply(
            &mut capabilities,
            &[field(QR_IMP_PART, &[0, 0, 200, 1]), field(QR_USABLE_AREA, &[1, 0, 0, 1, 0, 1]), field(QR_IMP_PART, &[0, 0, 0])],
        );
        assert_eq!(capabilities.alternate_size, before);
    }
}
