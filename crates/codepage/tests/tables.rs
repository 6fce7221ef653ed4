//! Every table compared with the converters of glibc (iconv) and of a JDK, if installed, and with its generator.
//!
//! Where a peer differs by design, `BY_DESIGN` lists the difference with its reason; any other difference fails the test, and so does an
//! entry of that table without a difference.

#[path = "peers/by_design.rs"]
mod by_design;

use by_design::BY_DESIGN;
use codepage::{ALL, Characters, CodePage, DoubleByte, Encoding};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Command, Stdio};

/// Characters of each code of a page: one byte, or two with the first in the upper half.
type Table = BTreeMap<u16, String>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Peer {
    Glibc,
    Jdk,
}

struct Difference {
    peer: Peer,
    pages: &'static [u16],
    codes: &'static [u16],
    reason: &'static str,
}

fn ours(page: &CodePage) -> Table {
    let mut table = Table::new();
    for byte in 0..=255u8 {
        if page.to_unicode[usize::from(byte)] != codepage::UNASSIGNED {
            table.insert(u16::from(byte), page.character_of(byte).to_string());
        }
    }
    if let Some(double) = page.double_byte {
        for code in (0x4040..=0xFEFE).filter(|code: &u16| DoubleByte::is_code(code.to_be_bytes()[0], code.to_be_bytes()[1])) {
            match double.decode(code) {
                Some(Characters::One(character)) => table.insert(code, character.to_string()),
                Some(Characters::Two(base, mark)) => table.insert(code, format!("{base}{mark}")),
                None => None,
            };
        }
    }
    table
}

/// Pages with tables: UTF-8 and UTF-16 are rules, double-byte pages are parts of mixed ones.
fn pages() -> impl Iterator<Item = &'static CodePage> {
    ALL.into_iter().filter(|page| !matches!(page.encoding, Encoding::Utf8 | Encoding::Utf16 | Encoding::Double))
}

fn run(mut command: Command, input: &[u8]) -> Option<Vec<u8>> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Some(output.stdout)
}

fn iconv_name(page: &CodePage) -> String {
    match page.ccsid {
        819 => "ISO-8859-1".to_string(),
        923 => "ISO-8859-15".to_string(),
        1252 => "CP1252".to_string(),
        ccsid => format!("IBM{ccsid:03}"),
    }
}

/// The page as glibc has it: each code with a space after it, so that codes without a character leave only the space.
fn glibc(page: &CodePage) -> Option<Table> {
    let space = page.space;
    let singles: Vec<u16> = (0..256).filter(|byte| !(page.is_mixed() && (0x0E..=0x0F).contains(byte))).collect();
    let mut codes = singles.clone();
    let mut input: Vec<u8> = singles.iter().flat_map(|byte| [*byte as u8, space]).collect();
    if page.is_mixed() {
        for code in (0x4040..=0xFEFEu16).filter(|code| DoubleByte::is_code(code.to_be_bytes()[0], code.to_be_bytes()[1])) {
            let [high, low] = code.to_be_bytes();
            input.extend([0x0E, high, low, 0x0F, space]);
            codes.push(code);
        }
    }
    let mut command = Command::new("iconv");
    command.args(["-c", "-f", &iconv_name(page), "-t", "UTF-16BE"]);
    let output = run(command, &input)?;
    let units: Vec<u16> = output.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
    if units.is_empty() {
        return None;
    }
    let text: Vec<char> = char::decode_utf16(units).map(|character| character.unwrap()).collect();
    let mut table = Table::new();
    let mut at = 0;
    for code in codes {
        let end = if code == u16::from(space) { at + 1 } else { at + text[at..].iter().position(|c| *c == ' ').unwrap() };
        if end > at {
            table.insert(code, text[at..end].iter().collect());
        }
        at = end + 1;
    }
    assert_eq!(at, text.len(), "{}", page.ccsid);
    Some(table)
}

/// The pages that the JDK has, by their identifiers.
fn jdk() -> Option<BTreeMap<u16, Table>> {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/peers/Tables.java");
    let mut command = Command::new("java");
    command.arg("-Xshare:auto").arg(source);
    command.args(pages().map(|page| match page.ccsid {
        819 => "819=ISO-8859-1".to_string(),
        923 => "923=ISO-8859-15".to_string(),
        1252 => "1252=windows-1252".to_string(),
        ccsid if page.is_mixed() => format!("{ccsid}=x-IBM{ccsid}"),
        ccsid => format!("{ccsid}=Cp{ccsid:03}"),
    }));
    let output = String::from_utf8(run(command, &[])?).ok()?;
    let mut tables = BTreeMap::new();
    let mut ccsid = 0;
    for line in output.lines() {
        if let Some(name) = line.strip_prefix("= ") {
            ccsid = name.parse().unwrap();
            tables.insert(ccsid, Table::new());
            continue;
        }
        let (code, units) = line.split_once(' ').unwrap();
        let units: Vec<u16> = (0..units.len() / 4).map(|at| u16::from_str_radix(&units[4 * at..4 * at + 4], 16).unwrap()).collect();
        let text = String::from_utf16(&units).unwrap();
        let page = codepage::by_ccsid(ccsid).unwrap();
        let code = u16::from_str_radix(code, 16).unwrap();
        if text != "\u{FFFD}" && !(page.is_mixed() && (0x0E..=0x0F).contains(&code)) {
            tables.get_mut(&ccsid).unwrap().insert(code, text);
        }
    }
    (!tables.is_empty()).then_some(tables)
}

/// The place in `BY_DESIGN` that a difference belongs to.
fn explained(peer: Peer, ccsid: u16, code: u16) -> Option<usize> {
    BY_DESIGN.iter().position(|difference| difference.peer == peer && difference.pages.contains(&ccsid) && difference.codes.contains(&code))
}

fn compare(peer: Peer, page: &CodePage, theirs: &Table, used: &mut BTreeSet<usize>) -> Vec<String> {
    let ours = ours(page);
    let codes: BTreeSet<u16> = ours.keys().chain(theirs.keys()).copied().collect();
    let mut unexplained = Vec::new();
    for code in codes {
        let (here, there) = (ours.get(&code), theirs.get(&code));
        if here == there {
            continue;
        }
        match explained(peer, page.ccsid, code) {
            Some(place) => _ = used.insert(place),
            None => unexplained.push(format!("{peer:?} {} X'{code:02X}': {here:?} here, {there:?} there", page.ccsid)),
        }
    }
    unexplained
}

fn finish(peer: Peer, used: BTreeSet<usize>, unexplained: Vec<String>) {
    assert!(unexplained.is_empty(), "{} differences:\n{}", unexplained.len(), unexplained.join("\n"));
    for (place, difference) in BY_DESIGN.iter().enumerate().filter(|(_, difference)| difference.peer == peer) {
        assert!(used.contains(&place), "there is no such difference any more: {:?} {}", difference.pages, difference.reason);
    }
}

#[test]
fn the_tables_are_those_of_glibc() {
    let (mut used, mut unexplained) = (BTreeSet::new(), Vec::new());
    for page in pages() {
        let Some(theirs) = glibc(page) else { return eprintln!("skipped: no iconv, or it has no {}", iconv_name(page)) };
        unexplained.extend(compare(Peer::Glibc, page, &theirs, &mut used));
    }
    finish(Peer::Glibc, used, unexplained);
}

#[test]
fn the_tables_are_those_of_a_jdk() {
    let Some(tables) = jdk() else { return eprintln!("skipped: no JDK") };
    let (mut used, mut unexplained) = (BTreeSet::new(), Vec::new());
    for (ccsid, theirs) in &tables {
        unexplained.extend(compare(Peer::Jdk, codepage::by_ccsid(*ccsid).unwrap(), theirs, &mut used));
    }
    finish(Peer::Jdk, used, unexplained);
}

/// The files are what the generator makes now: nothing in them was changed by hand.
#[test]
fn the_tables_match_their_generator() {
    let generator = concat!(env!("CARGO_MANIFEST_DIR"), "/tables/generate.py");
    let Ok(output) = Command::new("python3").arg(generator).arg("--check").output() else { return eprintln!("skipped: no Python") };
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    if text.contains("libicuuc is not installed") || text.contains("ICU has no converter") {
        return eprintln!("skipped: {text}");
    }
    assert!(output.status.success(), "{text}");
}
