//! Turns the tables of this crate into constants: `tables/ds3270.tsv` (numbers of the 3270 data stream and of telnet),
//! `aid.tsv` (attention identifiers) and `address.tsv` (six-bit graphics).

use std::fmt::Write as _;
use std::{env, fs, path::PathBuf};

fn rows(name: &str) -> Vec<Vec<String>> {
    println!("cargo::rerun-if-changed=tables/{name}");
    let text = fs::read_to_string(format!("tables/{name}")).expect("table");
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
    for row in rows("ds3270.tsv") {
        assert!(number(&row[2]) <= 0xFF, "{} is more than a byte", row[1]);
        writeln!(out, "/// {}\npub const {}: u8 = 0x{:02X};", row[0], row[1], number(&row[2])).unwrap();
    }
    writeln!(out, "/// Name (as in DFHAID), code, key name, short read.\npub static AIDS: &[(&str, u8, &str, bool)] = &[").unwrap();
    for row in rows("aid.tsv") {
        writeln!(out, "    ({:?}, 0x{:02X}, {:?}, {}),", row[0], number(&row[1]), row[2], row[3] == "yes").unwrap();
    }
    writeln!(out, "];").unwrap();
    let mut graphic = [0u8; 64];
    for row in rows("address.tsv") {
        graphic[number(&row[0]) as usize] = number(&row[1]) as u8;
    }
    writeln!(out, "/// Six bits to the EBCDIC graphic that carries them.\npub static GRAPHIC: [u8; 64] = {graphic:?};").unwrap();
    fs::write(PathBuf::from(env::var("OUT_DIR").unwrap()).join("tables.rs"), out).unwrap();
}
