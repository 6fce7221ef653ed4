//! Every number of the 3270 data stream, TN3270 and TN3270E, by the names 3270 programmers use (CMD_, ORDER_, SF_, QR_, XA_, AID_, TEL_,
//! TN3270E_). Generated from `tables/*.tsv` by the build script: the tables are the only place where a number is written.

include!(concat!(env!("OUT_DIR"), "/tables.rs"));

/// Attention identifiers that send no fields with a read modified (CLEAR, CLEAR PARTITION, PA1-PA3, SYS REQ).
pub fn is_short_read(aid: u8) -> bool {
    AIDS.iter().any(|&(_, code, short)| code == aid && short) || aid == AID_SYSREQ
}

/// Code of a key by its name: `ENTER`, `PF1`, `F1`, `PA1`, `CLEAR`; case does not matter.
pub fn aid_by_key(key: &str) -> Option<u8> {
    let wanted = key.trim().to_ascii_uppercase();
    let wanted = match wanted.strip_prefix('F') {
        Some(number) if number.bytes().all(|b| b.is_ascii_digit()) && !number.is_empty() => format!("PF{number}"),
        _ => wanted,
    };
    AIDS.iter().find(|(name, ..)| name[3..] == wanted || *name == wanted).map(|&(_, code, _)| code)
}

/// Key name of an attention identifier, as DFHAID has it without `DFH`.
pub fn key_by_aid(aid: u8) -> Option<&'static str> {
    AIDS.iter().find(|&&(_, code, _)| code == aid).map(|&(name, ..)| &name[3..])
}

// Flag bytes that RECEIVE MAP sets in the symbolic map.
/// The operator erased the field (DFHBMEOF).
pub const FLAG_ERASED: u8 = 0x80;
/// The cursor is in the field (DFHBMCUR).
pub const FLAG_CURSOR: u8 = 0x02;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_codes() {
        assert_eq!(aid_by_key("enter"), Some(0x7D));
        assert_eq!(aid_by_key("pf10"), Some(0x7A));
        assert_eq!(aid_by_key("F24"), Some(0x4C));
        assert_eq!(aid_by_key("PA3"), Some(0x6B));
        assert_eq!(aid_by_key("F25"), None);
        assert_eq!(key_by_aid(0x6D), Some("CLEAR"));
        assert!(is_short_read(0x6C) && is_short_read(0x6D) && !is_short_read(0x7D) && !is_short_read(0xF3));
    }
}
