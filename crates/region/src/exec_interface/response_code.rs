//! EIBRCODE: the response bytes of the older interface, by function group and condition (`tables/eibrcode.tsv`).

use exec::{Condition, Family, condition};
use std::collections::HashMap;
use std::sync::OnceLock;

const TABLE: &str = include_str!("../../tables/eibrcode.tsv");

fn table() -> &'static HashMap<(u8, u16), [u8; 6]> {
    static CODES: OnceLock<HashMap<(u8, u16), [u8; 6]>> = OnceLock::new();
    CODES.get_or_init(|| {
        let mut codes = HashMap::new();
        for line in TABLE.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
            let columns: Vec<&str> = line.split('\t').collect();
            let group = u8::from_str_radix(columns[0], 16).expect("function group");
            let condition = exec::condition_by_name(columns[1]).unwrap_or_else(|| panic!("condition {}", columns[1]));
            let mut code = [0; 6];
            for (byte, digits) in code.iter_mut().zip(columns[2].as_bytes().chunks(2)) {
                *byte = u8::from_str_radix(std::str::from_utf8(digits).expect("hex"), 16).expect("hex");
            }
            codes.insert((group, condition.0), code);
        }
        codes
    })
}

/// The bytes for a condition of a command with this function code. For the system programming commands the first word is the
/// number of the condition ("Response codes of EXEC CICS commands" of the system programming reference).
#[inline]
pub fn response_code(function: u16, family: Family, condition: Condition) -> [u8; 6] {
    if condition.0 == 0 { [0; 6] } else { code_of(function, family, condition) }
}

#[cold]
fn code_of(function: u16, family: Family, condition: Condition) -> [u8; 6] {
    // The commands about exits have codes of their own ("EXEC CICS DISABLE, ENABLE, and EXTRACT EXIT commands").
    if family == Family::Spi && condition != condition::INVEXITREQ {
        let number = condition.0.to_be_bytes();
        return [0, 0, number[0], number[1], 0, 0];
    }
    let group = (function >> 8) as u8;
    if let Some(code) = table().get(&(group, condition.0)) {
        return *code;
    }
    // Groups introduced after EIBRESP have the condition number in the second byte and zero in the first.
    [0, (condition.0 & 0xFF) as u8, 0, 0, 0, 0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn system_programming_commands_have_the_number_in_the_first_word() {
        assert_eq!(response_code(0x2202, Family::Spi, condition::INVEXITREQ), [0x80, 0, 0, 0, 0, 0]);
        // INQUIRE PROGRAM: PGMIDERR is 27.
        assert_eq!(response_code(0x4E02, Family::Spi, condition::PGMIDERR), [0, 0, 0, 0x1B, 0, 0]);
    }

    #[test]
    fn file_and_program_control_codes() {
        assert_eq!(response_code(0x0602, Family::Api, condition::NOTFND)[0], 0x81);
        assert_eq!(response_code(0x0602, Family::Api, condition::ENDFILE)[0], 0x0F);
        assert_eq!(response_code(0x0E02, Family::Api, condition::PGMIDERR)[0], 0x01);
        assert_eq!(response_code(0x0A04, Family::Api, condition::QIDERR)[0], 0x02);
        assert_eq!(response_code(0x0602, Family::Api, condition::NORMAL), [0; 6]);
    }
}
