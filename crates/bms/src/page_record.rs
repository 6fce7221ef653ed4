//! A page as bytes, for a store that outlives the region: flags, cursor, write control character, the orders with their length. Decoding takes any
//! bytes, and a damaged record is no page.

use crate::object::{Reader, Writer};
use crate::page::Page;
use crate::send_map::{Erase, control_of, wcc};

const HAS_CURSOR: u8 = 0x01;
const HAS_CONTROL: u8 = 0x02;
const FORM_FEED: u8 = 0x04;
const ALTERNATE: u8 = 0x08;
const ERASE: u8 = 0x10;
const ERASE_UNPROTECTED: u8 = 0x20;

/// The bytes of pages, in order.
pub fn encode(pages: &[Page]) -> Vec<u8> {
    let mut out = Writer::default();
    out.u32(pages.len() as u32);
    for page in pages {
        let flags = [
            (HAS_CURSOR, page.cursor.is_some()),
            (HAS_CONTROL, page.control.is_some()),
            (FORM_FEED, page.form_feed),
            (ALTERNATE, page.alternate),
            (ERASE, page.erase == Erase::Screen),
            (ERASE_UNPROTECTED, page.erase == Erase::Unprotected),
        ];
        out.u8(flags.into_iter().filter(|(_, given)| *given).fold(0, |flags, (flag, _)| flags | flag));
        out.u16(page.cursor.unwrap_or(0));
        out.u8(page.control.map_or(0, |control| wcc(control).0));
        out.u32(page.orders.len() as u32);
        out.raw(&page.orders);
    }
    out.into_bytes()
}

/// `None`: the bytes are not those of pages.
pub fn decode(bytes: &[u8]) -> Option<Vec<Page>> {
    let mut reader = Reader(bytes);
    let count = reader.u32().ok()?;
    let mut pages = Vec::new();
    for _ in 0..count {
        pages.push(decode_page(&mut reader)?);
    }
    reader.0.is_empty().then_some(pages)
}

fn decode_page(reader: &mut Reader) -> Option<Page> {
    let flags = reader.u8().ok()?;
    let has = |flag| flags & flag != 0;
    let (cursor, control) = (reader.u16().ok()?, reader.u8().ok()?);
    let length = reader.u32().ok()? as usize;
    let erase = match (has(ERASE), has(ERASE_UNPROTECTED)) {
        (true, _) => Erase::Screen,
        (false, true) => Erase::Unprotected,
        (false, false) => Erase::None,
    };
    Some(Page {
        orders: reader.raw(length).ok()?,
        cursor: has(HAS_CURSOR).then_some(cursor),
        control: has(HAS_CONTROL).then(|| control_of(control)),
        erase,
        form_feed: has(FORM_FEED),
        alternate: has(ALTERNATE),
        used: true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Control, PrintLine};
    use proptest::prelude::*;

    #[test]
    fn pages_round_trip() {
        let control = Control { print: true, print_line: PrintLine::Columns64, free_keyboard: true, alarm: false, reset_mdt: true };
        let first =
            Page { orders: vec![1, 2, 3], cursor: Some(80), control: Some(control), erase: Erase::Screen, used: true, ..Page::default() };
        let second = Page { erase: Erase::Unprotected, form_feed: true, alternate: true, used: true, ..Page::default() };
        let bytes = encode(&[first.clone(), second.clone()]);
        assert_eq!(decode(&bytes), Some(vec![first, second]));
        for length in 0..bytes.len() {
            assert_eq!(decode(&bytes[..length]), None, "{length}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = decode(&bytes);
        }
    }
}
