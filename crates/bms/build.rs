//! Turns tables into constants: `tables/ds3270.tsv` (numbers of the 3270 data stream and of telnet), `tables/address.tsv` (six-bit graphics),
//! and the attention identifiers, whose table belongs to `exec`, because DFHAID is made from it.

use std::fmt::Write as _;
use std::{env, fs, path::PathBuf};

fn rows(path: &str) -> Vec<Vec<String>> {
    println!("cargo::rerun-if-changed={path}");
    let text = fs::read_to_string(path).expect("table");
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(|line| line.split('\t').map(str::to_string).collect())
        .collect()
}

fn number(text: &str) -> u32 {
    text.strip_prefix("0x").map_or_else(|| text.parse().expect("number"), |hex| u32::from_str_radix(hex, 16).expect("hex"))
}

fn main() {
    let mut out = String::new();
    for row in rows("tables/ds3270.tsv") {
        assert!(number(&row[2]) <= 0xFF, "{} is more than a byte", row[1]);
        writeln!(out, "/// {}\npub const {}: u8 = 0x{:02X};", row[0], row[1], number(&row[2])).unwrap();
    }
    let mut keys = String::new();
    for row in rows("../exec/tables/aid.tsv").iter().skip(1) {
        let [name, code, short_read, key] = &row[..] else { panic!("aid.tsv has four columns") };
        writeln!(out, "/// {key}\npub const AID_{}: u8 = 0x{code};", name.trim_start_matches("DFH")).unwrap();
        writeln!(keys, "    ({name:?}, 0x{code}, {}),", short_read == "yes").unwrap();
    }
    writeln!(out, "/// Name as in DFHAID, code, short read.\npub static AIDS: &[(&str, u8, bool)] = &[\n{keys}];").unwrap();
    let mut graphic = [0u8; 64];
    for row in rows("tables/address.tsv") {
        graphic[number(&row[0]) as usize] = number(&row[1]) as u8;
    }
    writeln!(out, "/// Six bits to the EBCDIC graphic that carries them.\npub static GRAPHIC: [u8; 64] = {graphic:?};").unwrap();
    fs::write(PathBuf::from(env::var("OUT_DIR").unwrap()).join("tables.rs"), out).unwrap();
}
