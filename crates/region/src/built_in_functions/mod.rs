//! Built-in functions: BIF DEEDIT, and BIF DIGEST (`digest`).

mod digest;

use crate::{Arguments, Domain, Handler, Outcome, Task, raise};
use exec::resp2;
use exec::{CommandId, command, condition, option};
use le::CodePage;

/// The description of this domain.
pub static DOMAIN: Domain = Domain { name: "built-in functions", commands: &[handlers], ..Domain::NONE };

pub fn handlers() -> &'static [(CommandId, Handler)] {
    &[(command::BIF_DEEDIT, bif_deedit), (command::BIF_DIGEST, digest::bif_digest)]
}

fn bif_deedit(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    task.performance.bif_total += 1;
    let Some(area) = arguments.area(option::FIELD) else { return raise(condition::LENGERR, resp2::NONE) };
    let length = arguments.integer(option::LENGTH).unwrap_or(area.length as i64);
    if length < 1 {
        return raise(condition::LENGERR, resp2::NONE);
    }
    let mut field = arguments.bytes_of_length(option::FIELD, length as usize)?.unwrap_or_default();
    deedit(&mut field, arguments.code_page().page());
    arguments.set_bytes_unbounded(option::FIELD, &field)
}

/// Zones of the last digit of a signed number: plus and minus.
const PLUS_ZONE: u8 = 0xC0;
const MINUS_ZONE: u8 = 0xD0;

/// Leaves only the digits, right-justified with zeros on the left. A minus sign or CR after the last digit gives it a minus zone, and a
/// final letter that is a signed digit keeps its zone.
fn deedit(field: &mut [u8], page: &CodePage) {
    let digit_of = |byte: u8| (byte >= page.zero && byte <= page.zero + 9).then_some(byte);
    let minus_cr = {
        let end = field.iter().rposition(|byte| *byte != page.space).map_or(0, |at| at + 1);
        let tail = &field[..end];
        tail.ends_with(&[page.minus]) || tail.ends_with(&[page.ascii(b'C'), page.ascii(b'R')])
    };
    let last_zone = field.last().map(|byte| byte & 0xF0);
    let mut digits: Vec<u8> = field.iter().filter_map(|byte| digit_of(*byte)).collect();
    if page.is_ebcdic()
        && let (Some(last), Some(zone @ (PLUS_ZONE | MINUS_ZONE))) = (field.last(), last_zone)
        && last & 0x0F <= 9
        && !minus_cr
    {
        digits.push(zone | (last & 0x0F));
    }
    if minus_cr && let Some(last) = digits.last_mut() {
        *last = page.zone_minus | (*last & 0x0F);
    }
    let pad = field.len() - digits.len().min(field.len());
    field[..pad].fill(page.zero);
    let kept = digits.len() - (field.len() - pad);
    field[pad..].copy_from_slice(&digits[kept..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use le::code_page::CCSID_037;

    fn deedited(text: &str) -> Vec<u8> {
        let mut field = CCSID_037.encode(text);
        deedit(&mut field, &CCSID_037);
        field
    }

    #[test]
    fn the_examples_of_the_command_reference() {
        // 14-6704/B gives 00146704B: B is the signed digit plus 2.
        assert_eq!(deedited("14-6704/B"), [&CCSID_037.encode("00146704")[..], &[0xC2]].concat());
        // $25.68 gives 002568; $25.68- gives 000256 and 8 with a minus zone.
        assert_eq!(deedited("$25.68"), CCSID_037.encode("002568"));
        assert_eq!(deedited("$25.68-"), [&CCSID_037.encode("000256")[..], &[0xD8]].concat());
        assert_eq!(deedited("1,234 CR"), [&CCSID_037.encode("0000123")[..], &[0xD4]].concat());
        assert_eq!(deedited("***"), CCSID_037.encode("000"));
    }
}
