//! Parser of inbound 3270 data. Invariants: it accepts any bytes without panicking, in one pass; every address it returns is below the
//! given number of screen positions (others are reported); it keeps no state beyond the record.

use crate::address::Addressing;
use crate::constants::*;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inbound {
    pub aid: u8,
    /// None for a short read that carries none.
    pub cursor: Option<u16>,
    pub body: Body,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// CLEAR, PA keys: the attention identifier only.
    Short,
    /// Modified fields of a formatted screen; empty if nothing was modified.
    Fields(Vec<InboundField>),
    /// Characters of an unformatted screen.
    Unformatted(Vec<u8>),
    /// AID 88: structured fields (id, contents after the id).
    Structured(Vec<StructuredField>),
}

/// Data of a modified field, character attributes (SA orders) removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InboundField {
    /// Of the first character of the data.
    pub address: u16,
    pub data: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StructuredField {
    pub id: u8,
    pub data: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum InboundError {
    #[error("empty record")]
    Empty,
    #[error("record ends inside the cursor address")]
    CursorCut,
    #[error("record ends inside an order at offset {0}")]
    OrderCut(usize),
    #[error("address {address} at offset {offset} is past the end of the screen")]
    Address { offset: usize, address: u16 },
    #[error("structured field at offset {0} has a length that does not fit")]
    StructuredLength(usize),
}

/// Fields more than this in one record are not credible (a 14-bit screen holds fewer).
const FIELD_COUNT_MAX: usize = 16_384;

impl Inbound {
    /// `positions` is the size of the screen in use.
    pub fn parse(record: &[u8], positions: usize, addressing: Addressing) -> Result<Inbound, InboundError> {
        let (&aid, rest) = record.split_first().ok_or(InboundError::Empty)?;
        if aid == AID_STRF {
            return Ok(Inbound { aid, cursor: None, body: Body::Structured(structured_fields(rest)?) });
        }
        if rest.is_empty() {
            return Ok(Inbound { aid, cursor: None, body: Body::Short });
        }
        let cursor_bytes: [u8; 2] = rest.get(..2).ok_or(InboundError::CursorCut)?.try_into().expect("two bytes");
        let cursor = address(addressing, cursor_bytes, 1, positions)?;
        let rest = &rest[2..];
        let body = if is_short_read(aid) && rest.is_empty() {
            Body::Short
        } else if rest.first().is_none_or(|&first| first == ORDER_SBA) {
            Body::Fields(fields(rest, positions, addressing)?)
        } else {
            Body::Unformatted(strip_attributes(rest, 3)?)
        };
        Ok(Inbound { aid, cursor: Some(cursor), body })
    }

    /// Data without AID and cursor address, as a program keeps it (RECEIVE MAP FROM, native input passed on).
    pub fn parse_data(aid: u8, cursor: u16, data: &[u8], positions: usize, addressing: Addressing) -> Result<Inbound, InboundError> {
        let body = match data.first() {
            None => Body::Fields(Vec::new()),
            Some(&ORDER_SBA) => Body::Fields(fields(data, positions, addressing)?),
            Some(_) => Body::Unformatted(strip_attributes(data, 0)?),
        };
        Ok(Inbound { aid, cursor: Some(cursor), body })
    }

    /// The data a transaction is started with, and that RECEIVE INTO returns, on formatted and unformatted screens: all data after the
    /// cursor address, as characters, with fields concatenated without addresses.
    pub fn text(&self) -> Vec<u8> {
        match &self.body {
            Body::Fields(fields) => fields.iter().flat_map(|field| field.data.iter().copied()).collect(),
            Body::Unformatted(text) => text.clone(),
            _ => Vec::new(),
        }
    }
}

fn address(addressing: Addressing, bytes: [u8; 2], offset: usize, positions: usize) -> Result<u16, InboundError> {
    let address = addressing.decode(bytes);
    if (address as usize) < positions { Ok(address) } else { Err(InboundError::Address { offset, address }) }
}

fn fields(data: &[u8], positions: usize, addressing: Addressing) -> Result<Vec<InboundField>, InboundError> {
    let mut fields = Vec::new();
    let mut index = 0;
    while index < data.len() && fields.len() < FIELD_COUNT_MAX {
        let bytes = data.get(index + 1..index + 3).ok_or(InboundError::OrderCut(index + 3))?;
        let start = address(addressing, [bytes[0], bytes[1]], index + 4, positions)?;
        index += 3;
        let end = field_end(data, index);
        fields.push(InboundField { address: start, data: strip_attributes(&data[index..end], index + 3)? });
        index = end;
    }
    Ok(fields)
}

/// Offset of the next SBA that is not the operand of an SA or GE order.
fn field_end(data: &[u8], mut index: usize) -> usize {
    while index < data.len() {
        index += match data[index] {
            ORDER_SBA => return index,
            ORDER_SA => 3,
            ORDER_GE => 2,
            _ => 1,
        };
    }
    data.len()
}

/// Removes the SA orders of character mode replies from field data.
fn strip_attributes(data: &[u8], offset: usize) -> Result<Vec<u8>, InboundError> {
    if !data.contains(&ORDER_SA) {
        return Ok(data.to_vec());
    }
    let mut out = Vec::with_capacity(data.len());
    let mut index = 0;
    while index < data.len() {
        match data[index] {
            ORDER_SA if index + 3 > data.len() => return Err(InboundError::OrderCut(offset + index)),
            ORDER_SA => index += 3,
            ORDER_GE if index + 1 < data.len() => {
                out.extend_from_slice(&data[index..index + 2]);
                index += 2;
            }
            byte => {
                out.push(byte);
                index += 1;
            }
        }
    }
    Ok(out)
}

/// Splits structured fields; a length of zero means to the end of the record.
fn structured_fields(mut data: &[u8]) -> Result<Vec<StructuredField>, InboundError> {
    let total = data.len();
    let mut fields = Vec::new();
    while !data.is_empty() {
        let offset = 1 + total - data.len();
        if data.len() < 3 {
            return Err(InboundError::StructuredLength(offset));
        }
        let length = match u16::from_be_bytes([data[0], data[1]]) as usize {
            0 => data.len(),
            length => length,
        };
        if length < 3 || length > data.len() {
            return Err(InboundError::StructuredLength(offset));
        }
        fields.push(StructuredField { id: data[2], data: data[3..length].to_vec() });
        data = &data[length..];
    }
    Ok(fields)
}

/// Folds the letters of a record to upper case (UCTRAN), leaving AID, cursor and the operands of orders unchanged.
pub fn upper_case(record: &mut [u8], page: &crate::text::CodePage) {
    if record.first() == Some(&AID_STRF) {
        return;
    }
    let mut folding = crate::text::Folding::new(page);
    let mut index = 3;
    while index < record.len() {
        match record[index] {
            ORDER_SBA | ORDER_SA => index += 3,
            ORDER_GE => index += 2,
            byte => {
                record[index] = folding.fold(byte);
                index += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(record: &[u8]) -> Result<Inbound, InboundError> {
        Inbound::parse(record, 1920, Addressing::Bits12)
    }

    #[test]
    fn modified_fields() {
        // ENTER, cursor 81, field at 81 "AB", field at 161 erased.
        let inbound = parse(&[0x7D, 0xC1, 0xD1, 0x11, 0xC1, 0xD1, 0xC1, 0xC2, 0x11, 0xC2, 0x61]).unwrap();
        assert_eq!((inbound.aid, inbound.cursor), (0x7D, Some(81)));
        let Body::Fields(fields) = &inbound.body else { panic!("{inbound:?}") };
        assert_eq!(fields.len(), 2);
        assert_eq!((fields[0].address, fields[0].data.as_slice()), (81, &[0xC1, 0xC2][..]));
        assert_eq!((fields[1].address, fields[1].data.len()), (161, 0));
        assert_eq!(inbound.text(), [0xC1, 0xC2]);
    }

    #[test]
    fn short_reads_and_unformatted() {
        assert_eq!(parse(&[0x6D]).unwrap().body, Body::Short);
        let pa1 = parse(&[0x6C, 0x40, 0x40]).unwrap();
        assert_eq!((pa1.body, pa1.cursor), (Body::Short, Some(0)));
        assert_eq!(parse(&[0x7D, 0x40, 0x40]).unwrap().body, Body::Fields(vec![]));
        assert_eq!(parse(&[0x7D, 0x40, 0x40, 0xC1, 0xC2]).unwrap().body, Body::Unformatted(vec![0xC1, 0xC2]));
    }

    #[test]
    fn character_attributes_are_removed() {
        let inbound = parse(&[0x7D, 0x40, 0x40, 0x11, 0x40, 0x40, 0x28, 0x42, 0x11, 0xC1, 0x28, 0, 0]).unwrap();
        assert_eq!(inbound.text(), [0xC1]);
    }

    #[test]
    fn malformed() {
        assert_eq!(parse(&[]), Err(InboundError::Empty));
        assert_eq!(parse(&[0x7D, 0x40]), Err(InboundError::CursorCut));
        assert_eq!(parse(&[0x7D, 0x5E, 0x40]), Err(InboundError::Address { offset: 1, address: 1920 }));
        assert_eq!(parse(&[0x7D, 0x40, 0x40, 0x11, 0x40]), Err(InboundError::OrderCut(3)));
        assert_eq!(parse(&[0x88, 0, 2]), Err(InboundError::StructuredLength(1)));
        assert_eq!(parse(&[0x88, 0, 9, 0x81, 1]), Err(InboundError::StructuredLength(1)));
    }

    #[test]
    fn upper_case_leaves_addresses() {
        // The address bytes C1 81 and the cursor 81 81 are not letters here.
        let mut record = [0x7D, 0x81, 0x81, 0x11, 0xC1, 0x81, 0x81, 0xF1, 0x82];
        upper_case(&mut record, &codepage::CCSID_037);
        assert_eq!(record, [0x7D, 0x81, 0x81, 0x11, 0xC1, 0x81, 0xC1, 0xF1, 0xC2]);
        let same = Inbound::parse_data(0x7D, 5, &record[3..], 1920, Addressing::Bits12).unwrap();
        assert_eq!((same.text(), same.cursor), (vec![0xC1, 0xF1, 0xC2], Some(5)));
    }

    proptest! {
        #[test]
        fn never_panics(record in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = parse(&record);
            if let Ok(Inbound { body: Body::Fields(fields), .. }) = parse(&record) {
                prop_assert!(fields.iter().all(|field| field.address < 1920));
            }
        }
    }
}
