//! Removes from an outbound data stream the attributes that a terminal does not support.
//!
//! A message that is routed to terminals of different features is made once, with the attributes any of them has ("Message routing"); each
//! gets what it can show. Invariants: text and addresses are unchanged; what is cut off at the end of the stream is left as it is.

use crate::attribute::Extended;
use crate::capabilities::Capabilities;
use crate::constants::*;

/// The command and the write control character.
const HEAD_LENGTH: usize = 2;

/// The data stream for a terminal. Structured fields are unchanged.
pub fn to_supported(stream: &[u8], capabilities: &Capabilities) -> Vec<u8> {
    let is_supported = |order_type: u8| {
        let kind = Extended::ALL.into_iter().find(|kind| kind.order_type() == order_type);
        kind.is_none_or(|kind| capabilities.supports(kind))
    };
    let (head, orders) = stream.split_at(HEAD_LENGTH.min(stream.len()));
    if head.first() == Some(&SNA_CMD_WSF) {
        return stream.to_vec();
    }
    let mut out = head.to_vec();
    let mut rest = orders;
    while !rest.is_empty() {
        let (order, after) = rest.split_at(order_length(rest).min(rest.len()));
        rest = after;
        match *order {
            [ORDER_SFE, _, ref pairs @ ..] => start_field(&mut out, pairs, capabilities, is_supported),
            [ORDER_MF, _, ref pairs @ ..] if capabilities.extended_data_stream => {
                let kept: Vec<&[u8]> = pairs.chunks_exact(2).filter(|pair| pair[0] == XA_3270 || is_supported(pair[0])).collect();
                if !kept.is_empty() {
                    out.extend([ORDER_MF, kept.len() as u8]);
                    out.extend(kept.concat());
                }
            }
            [ORDER_MF, ..] => {}
            [ORDER_SA, kind, ..] if !capabilities.extended_data_stream || kind != XA_ALL && !is_supported(kind) => {}
            _ => out.extend_from_slice(order),
        }
    }
    out
}

fn start_field(out: &mut Vec<u8>, pairs: &[u8], capabilities: &Capabilities, is_supported: impl Fn(u8) -> bool) {
    let basic = pairs.chunks_exact(2).find(|pair| pair[0] == XA_3270).map_or(crate::attribute::attribute_byte(0), |pair| pair[1]);
    let extended = pairs.chunks_exact(2).filter(|pair| pair[0] != XA_3270 && is_supported(pair[0]));
    let kept: Vec<&[u8]> = extended.filter(|_| capabilities.extended_data_stream).collect();
    if kept.is_empty() {
        out.extend([ORDER_SF, basic]);
        return;
    }
    out.extend([ORDER_SFE, kept.len() as u8 + 1, XA_3270, basic]);
    out.extend(kept.concat());
}

/// Bytes of the order or character at the start.
fn order_length(stream: &[u8]) -> usize {
    let pairs = |stream: &[u8]| 2 + 2 * usize::from(stream.get(1).copied().unwrap_or(0));
    match stream[0] {
        ORDER_SF | ORDER_GE => 2,
        ORDER_SBA | ORDER_EUA | ORDER_SA => 3,
        ORDER_RA if stream.get(3) == Some(&ORDER_GE) => 5,
        ORDER_RA => 4,
        ORDER_SFE | ORDER_MF => pairs(stream),
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;

    const COLOR: u8 = XA_FOREGROUND;

    #[test]
    fn a_terminal_gets_the_attributes_it_has() {
        let stream = [
            SNA_CMD_EW,
            0xC3,
            ORDER_SBA,
            0x40,
            COLOR,
            ORDER_SFE,
            3,
            XA_3270,
            0xF0,
            COLOR,
            0xF2,
            XA_HIGHLIGHTING,
            0xF4,
            0xC1,
            ORDER_SA,
            COLOR,
            0xF2,
            0xC2,
            ORDER_MF,
            1,
            COLOR,
            0xF1,
        ];
        let full = Capabilities::of_model(Model::Two, true);
        assert_eq!(to_supported(&stream, &full), stream);
        let mut plain = Capabilities::of_model(Model::Two, true);
        plain.extended.0 &= !(1 << Extended::Color as u8);
        let expected = [SNA_CMD_EW, 0xC3, ORDER_SBA, 0x40, COLOR, ORDER_SFE, 2, XA_3270, 0xF0, XA_HIGHLIGHTING, 0xF4, 0xC1, 0xC2];
        assert_eq!(to_supported(&stream, &plain), expected);
        let base = Capabilities::of_model(Model::Two, false);
        assert_eq!(to_supported(&stream, &base), [SNA_CMD_EW, 0xC3, ORDER_SBA, 0x40, COLOR, ORDER_SF, 0xF0, 0xC1, 0xC2]);
    }

    proptest::proptest! {
        #[test]
        fn any_stream_is_taken(stream in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200)) {
            let plain = to_supported(&stream, &Capabilities::of_model(Model::Two, false));
            proptest::prop_assert!(stream.first() == Some(&SNA_CMD_WSF) || plain.len() <= stream.len() + 2);
        }
    }
}
