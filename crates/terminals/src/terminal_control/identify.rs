//! Determines the transaction for input that arrives without a task.
//!
//! Order (CICS, "How CICS determines which transaction to run"): the transaction of the terminal's definition; the one RETURN TRANSID
//! named; the one whose TASKREQ is the attention key; the first one to four characters of the data, up to a blank, a null or any other
//! character that is not displayed. On a formatted screen the data begins with the address of the first modified field, which is skipped.

use super::display::{DisplayTerminal, Uppercase};
use bms::constants::{AID_CLEAR, AID_ENTER, ORDER_SBA};
use codepage::CodePage;
use region::Region;
use region::name::Name4;

/// Characters of a transaction identifier.
const IDENTIFIER_LENGTH_MAX: usize = 4;
const SBA_LENGTH: usize = 3;

/// The identifier at the start of the data; blank if there is none. The case of letters is kept.
fn identifier(data: &[u8], page: &CodePage) -> Name4 {
    let data = if data.first() == Some(&ORDER_SBA) { data.get(SBA_LENGTH..).unwrap_or_default() } else { data };
    let characters = data.iter().take(IDENTIFIER_LENGTH_MAX).take_while(|&&byte| byte > super::EBCDIC_SPACE && byte != 0xFF);
    let text: Vec<u8> = characters.map(|&byte| u8::try_from(page.character_of(byte) as u32).unwrap_or(b'?')).collect();
    Name4::from_bytes(&text)
}

fn upper(name: Name4) -> Name4 {
    Name4::from_bytes(&name.as_bytes().to_ascii_uppercase())
}

/// The transaction that a PF or PA key starts.
fn by_key(region: &Region, aid: u8) -> Option<Name4> {
    if aid == AID_ENTER || aid == AID_CLEAR {
        return None;
    }
    let key = bms::constants::key_by_aid(aid)?;
    region.transactions().names().into_iter().find(|name| {
        region.transactions().find(*name).is_some_and(|transaction| transaction.definition().task_request.eq_ignore_ascii_case(key))
    })
}

/// The transaction for an input without a next transaction; blank if the input names none.
pub(super) fn transaction_for(display: &DisplayTerminal, aid: u8, data: &[u8], uppercase: Uppercase) -> Name4 {
    if !display.identity.permanent_transaction.is_blank() {
        return display.identity.permanent_transaction;
    }
    if let Some(transid) = by_key(display.region(), aid) {
        return transid;
    }
    let transid = identifier(data, display.page());
    if uppercase == Uppercase::No { transid } else { upper(transid) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> String {
        identifier(&codepage::CCSID_037.encode(text), &codepage::CCSID_037).as_str().to_string()
    }

    #[test]
    fn up_to_four_characters_before_a_blank() {
        assert_eq!(name("CEMT I TASK"), "CEMT");
        assert_eq!(name("CEMTX"), "CEMT");
        assert_eq!(name("AB CD"), "AB");
        assert_eq!(name("b"), "b");
        assert_eq!(name(" AB"), "");
        assert_eq!(name(""), "");
    }

    #[test]
    fn the_address_of_the_first_field_is_passed_over() {
        assert_eq!(identifier(&[ORDER_SBA, 0x40, 0xC1, 0xC1, 0xC2, 0x00, 0xC3], &codepage::CCSID_037).as_str(), "AB");
        assert_eq!(identifier(&[ORDER_SBA, 0x40, 0xC1, 0xC1, ORDER_SBA, 0x40, 0x50, 0xC3], &codepage::CCSID_037).as_str(), "A");
        assert!(identifier(&[ORDER_SBA, 0x40], &codepage::CCSID_037).is_blank());
        assert_eq!(upper(Name4::new("ab1")).as_str(), "AB1");
    }
}
