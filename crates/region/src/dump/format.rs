//! The readable form of a file of dumps, for `regent dump`.
//!
//! What is shown is chosen as for the dump exit of IPCS: a component keyword with a level (`SM=1`), DEF for the components not named, and for
//! transaction dumps the selection of the dump utility program. Level 1 is the summary, 2 the contents, 3 both. The dump summary is always
//! shown, and so is what is wrong with the file.

use super::file::{Fault, Reader, Record};
use super::trace_lines;
use crate::code_page::RegionCodePage;
use crate::dump_sections::{BRIEF, Content, DumpKind, FULL, Header, SUMMARY, Section};
use ::trace::numbered::Numbers;
use ::trace::select::Form;
use std::io::{self, Read, Write};

/// Both levels.
const BOTH: u8 = 3;

/// The components of dumps, with what they are.
pub const COMPONENTS: [(&str, &str); 21] = [
    ("AP", "the task: its areas and programs"),
    ("AS", "asynchronous children"),
    ("DS", "dispatcher"),
    ("DU", "dump tables"),
    ("FC", "file control"),
    ("IC", "interval control"),
    ("KE", "kernel: tasks"),
    ("LD", "loader: load modules"),
    ("LG", "journals"),
    ("ME", "messages"),
    ("NQ", "enqueues"),
    ("PA", "system initialization parameters"),
    ("PG", "programs"),
    ("RM", "units of work"),
    ("SM", "storage"),
    ("ST", "statistics"),
    ("TCP", "terminals"),
    ("TD", "transient data"),
    ("TR", "trace"),
    ("TS", "temporary storage"),
    ("XM", "transactions and their tasks"),
];

/// Other names of components, as IPCS has them.
const SYNONYMS: [(&str, &str); 6] = [("FCP", "FC"), ("ICP", "IC"), ("TC", "TCP"), ("TDP", "TD"), ("TSP", "TS"), ("PGM", "PG")];

/// What to show of a file of dumps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    levels: Vec<(&'static str, u8)>,
    default: Option<u8>,
    dump_id: Option<String>,
    code: Option<String>,
    transid: Option<String>,
    task: Option<u32>,
    /// Only a line for each dump.
    index: bool,
    uppercase: bool,
}

impl Selection {
    /// The keywords of a command line, which may also be separated by commas.
    pub fn parse(words: &[String]) -> Result<Selection, String> {
        let mut selection = Selection::default();
        for word in words.iter().flat_map(|word| word.split([',', ' '])).filter(|word| !word.is_empty()) {
            selection.take(&word.to_ascii_uppercase())?;
        }
        Ok(selection)
    }

    fn take(&mut self, word: &str) -> Result<(), String> {
        let (keyword, value) = word.split_once('=').map_or((word, None), |(keyword, value)| (keyword, Some(value)));
        let given = || value.filter(|value| !value.is_empty()).map(str::to_string).ok_or(format!("{keyword}= needs a value"));
        match keyword {
            "INDEX" => self.index = true,
            "UPPERCASE" => self.uppercase = true,
            "DUMPID" => self.dump_id = Some(given()?),
            "CODE" | "DUMPCODE" => self.code = Some(given()?),
            "TRAN" | "TRANID" => self.transid = Some(given()?),
            "TASK" | "TASKID" => self.task = Some(given()?.parse().map_err(|_| format!("{word}: a task has a number"))?),
            "DEF" => self.default = Some(level(word, value)?),
            _ => {
                let name = SYNONYMS.iter().find(|(synonym, _)| *synonym == keyword).map_or(keyword, |(_, name)| *name);
                let Some((name, _)) = COMPONENTS.iter().find(|(known, _)| *known == name) else {
                    let known: Vec<&str> = COMPONENTS.iter().map(|(name, _)| *name).collect();
                    return Err(format!("{keyword} is no keyword: DEF, DUMPID, CODE, TRAN, TASK, INDEX, UPPERCASE, {}", known.join(", ")));
                };
                self.levels.push((name, level(word, value)?));
            }
        }
        Ok(())
    }

    fn level_of(&self, component: &str) -> u8 {
        if component == SUMMARY {
            return BOTH;
        }
        let named = self.levels.iter().rev().find(|(name, _)| *name == component).map(|(_, level)| *level);
        named.or(self.default).unwrap_or(if self.levels.is_empty() { BOTH } else { 0 })
    }

    fn shows(&self, section: &Section) -> bool {
        let level = self.level_of(&section.component);
        level == BOTH || level == section.level || matches!(section.content, Content::Trace(_)) && level != 0
    }

    fn chooses(&self, header: &Header) -> bool {
        let is = |wanted: &Option<String>, value: &str| wanted.as_ref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(value));
        let task = self.task.is_none_or(|task| task == header.task);
        is(&self.dump_id, &header.id) && is(&self.code, &header.code) && is(&self.transid, &header.transid) && task
    }
}

/// `=0` to `=3`; without one, 3.
fn level(word: &str, value: Option<&str>) -> Result<u8, String> {
    match value {
        None => Ok(BOTH),
        Some(digit) => digit.parse().ok().filter(|level| *level <= BOTH).ok_or(format!("{word}: a level is 0, 1, 2 or 3")),
    }
}

/// The number of dumps shown. An error of the output is returned; what is wrong with the input is shown, and ends the output.
pub fn format(input: impl Read, selection: &Selection, out: &mut impl Write) -> io::Result<Result<usize, Fault>> {
    let mut reader = match Reader::new(input) {
        Ok(reader) => reader,
        Err(fault) => return Ok(Err(fault)),
    };
    let mut printer = Printer { out, selection, page: None, shown: 0, open: None, last: None, entries: Numbers::default() };
    loop {
        match reader.read_next() {
            Ok(None) => {
                printer.incomplete()?;
                return Ok(Ok(printer.shown));
            }
            Ok(Some(Record::Header(header))) => printer.header(header)?,
            Ok(Some(Record::Section(section))) => printer.section(section)?,
            Ok(Some(Record::End)) => printer.open = None,
            Err(fault) => {
                printer.incomplete()?;
                return Ok(Err(fault));
            }
        }
    }
}

struct Printer<'a, W> {
    out: &'a mut W,
    selection: &'a Selection,
    page: Option<RegionCodePage>,
    shown: usize,
    /// The dump being read, and whether it is shown.
    open: Option<(String, bool)>,
    /// The last title, which the next piece of the same section does not repeat.
    last: Option<(String, String)>,
    /// The numbers of trace entries.
    entries: Numbers,
}

impl<W: Write> Printer<'_, W> {
    /// Names and titles come from programs, and a damaged file may have anything: what a terminal would obey is shown as a period.
    fn line(&mut self, line: &str) -> io::Result<()> {
        let shown = if line.contains(char::is_control) { line.replace(char::is_control, ".") } else { line.to_string() };
        let line = shown.as_str();
        if self.selection.uppercase { writeln!(self.out, "{}", line.to_ascii_uppercase()) } else { writeln!(self.out, "{line}") }
    }

    /// A dump without its end record.
    fn incomplete(&mut self) -> io::Result<()> {
        match self.open.take() {
            Some((id, true)) => self.line(&format!("*** Dump {id} is incomplete: its end is not in the file")),
            _ => Ok(()),
        }
    }

    fn header(&mut self, header: Header) -> io::Result<()> {
        self.incomplete()?;
        let chosen = self.selection.chooses(&header);
        self.open = Some((header.id.clone(), chosen && !self.selection.index));
        self.page = RegionCodePage::by_ccsid(header.ccsid).map(RegionCodePage::new);
        (self.last, self.entries) = (None, Numbers::default());
        if !chosen {
            return Ok(());
        }
        if self.shown > 0 && !self.selection.index {
            self.line("")?;
        }
        self.shown += 1;
        if self.selection.index {
            let Header { id, code, date, time, transid, task, terminal, program, .. } = &header;
            return self.line(format!("{id:<9} {code:<8} {date} {time} {transid:<4} {task:07} {terminal:<4} {program}").trim_end());
        }
        self.summary(&header)
    }

    fn summary(&mut self, header: &Header) -> io::Result<()> {
        let or_none = |text: &str| if text.is_empty() { "(NONE)".to_string() } else { text.to_string() };
        let title = match header.kind {
            DumpKind::Transaction => "===== TRANSACTION DUMP =====",
            DumpKind::System => "===== SYSTEM DUMP =====",
        };
        self.line(title)?;
        let task = format!("{} TASK {:07} TERMINAL {} USER {}", header.transid, header.task, or_none(&header.terminal), header.user);
        let mut rows = vec![
            ("APPLID", format!("{} SYSID {}", header.applid, header.sysid)),
            ("DUMPID", header.id.clone()),
            ("DUMPCODE", header.code.clone()),
            ("DATE/TIME", format!("{} {} (LOCAL)", header.date, header.time)),
            ("TRAN", task),
            ("PROGRAM", or_none(&header.program)),
            ("MESSAGE", or_none(&header.message)),
            ("SYMPTOMS", or_none(&header.symptoms)),
        ];
        if header.kind == DumpKind::System {
            rows.extend([
                ("TITLE", or_none(&header.title)),
                ("CALLER", or_none(&header.caller)),
                ("COPIED IN", format!("{} US", header.copied_microseconds)),
            ]);
        }
        for (name, value) in rows {
            self.line(&format!("    {:<11} {value}", format!("{name}:")))?;
        }
        Ok(())
    }

    fn section(&mut self, section: Section) -> io::Result<()> {
        let is_open = self.open.as_ref().is_some_and(|(_, shown)| *shown);
        if !is_open || !self.selection.shows(&section) {
            return Ok(());
        }
        let title = (section.component.clone(), section.title.clone());
        if self.last.as_ref() != Some(&title) || matches!(section.content, Content::Area { .. }) {
            self.line("")?;
            self.line(&format!("=== {}: {}", section.component, section.title))?;
            self.last = Some(title);
        }
        match &section.content {
            Content::Lines(lines) => lines.iter().try_for_each(|line| self.line(format!("  {line}").trim_end())),
            Content::Area { address, bytes } => self.area(*address, bytes),
            Content::Trace(entries) => {
                let level = self.selection.level_of(&section.component);
                let page = self.page.as_ref().map_or(&codepage::CCSID_037, RegionCodePage::page);
                let entries = trace_lines::numbered(entries, &mut self.entries);
                let mut lines = Vec::new();
                if level & BRIEF != 0 {
                    lines.extend(trace_lines::lines(&entries, Form::Abbreviated, page));
                }
                if level & FULL != 0 {
                    lines.extend(trace_lines::lines(&entries, Form::Full, page));
                }
                lines.iter().try_for_each(|line| self.line(format!("  {line}").trim_end()))
            }
        }
    }

    /// Address, offset, bytes and characters, 32 bytes a line; lines like the one before are counted instead.
    fn area(&mut self, address: u64, bytes: &[u8]) -> io::Result<()> {
        self.line(&format!("  {} bytes at {address:08X}", bytes.len()))?;
        let mut same = 0_usize;
        let mut before: &[u8] = &[];
        for (number, chunk) in bytes.chunks(32).enumerate() {
            if chunk == before && number > 0 {
                same += 1;
                continue;
            }
            self.repeated(&mut same)?;
            before = chunk;
            let words: Vec<String> = chunk.chunks(4).map(|word| word.iter().map(|byte| format!("{byte:02X}")).collect()).collect();
            let (first, second) = words.split_at(words.len().min(4));
            let digits = format!("{:<36} {:<36}", first.join(" "), second.join(" "));
            let offset = number * 32;
            let shown = self.characters(chunk);
            self.line(&format!("  {:08X} {offset:06X}  {digits} *{shown:<32}*", address.wrapping_add(offset as u64)))?;
        }
        self.repeated(&mut same)
    }

    fn repeated(&mut self, same: &mut usize) -> io::Result<()> {
        match std::mem::take(same) {
            0 => Ok(()),
            lines => self.line(&format!("           {lines} lines same as above")),
        }
    }

    fn characters(&self, bytes: &[u8]) -> String {
        let printable = |c: char| if c.is_control() || c == '\u{FFFD}' || c == '\u{A0}' { '.' } else { c };
        match &self.page {
            Some(page) => page.text(bytes).chars().map(printable).collect(),
            None => ".".repeat(bytes.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dump_sections::Dump;

    fn words(text: &str) -> Vec<String> {
        text.split('|').map(str::to_string).collect()
    }

    #[test]
    fn keywords_have_levels_and_others_the_default() {
        let selection = Selection::parse(&words("sm=1|KE,TR=2")).unwrap();
        let levels = |selection: &Selection| ["SM", "KE", "TR", "FC", SUMMARY].map(|name| selection.level_of(name));
        assert_eq!(levels(&selection), [1, 3, 2, 0, 3]);
        let selection = Selection::parse(&words("DEF=1|FCP=0")).unwrap();
        assert_eq!(levels(&selection), [1, 1, 1, 0, 3]);
        assert_eq!(levels(&Selection::default()), [3; 5]);
        assert_eq!(levels(&Selection::parse(&words("DEF=0")).unwrap()), [0, 0, 0, 0, 3]);
        for (bad, told) in [("SM=4", "SM=4: a level"), ("XY=1", "XY is no keyword"), ("CODE=", "CODE= needs"), ("TASK=X", "TASK=X: a task")]
        {
            let error = Selection::parse(&words(bad)).unwrap_err();
            assert!(error.starts_with(told), "{error}");
        }
    }

    fn shown(bytes: &[u8], selection: &Selection) -> String {
        let mut text = Vec::new();
        let _ = format(bytes, selection, &mut text).expect("the output takes everything");
        String::from_utf8(text).expect("text")
    }

    fn file_of(sections: Vec<Section>) -> Vec<u8> {
        let mut bytes = super::super::file::MAGIC.to_vec();
        super::super::file::write(&mut bytes, &Dump { header: Header::of_system("MT0001"), sections }).expect("memory");
        bytes
    }

    #[test]
    fn an_area_at_the_end_of_all_addresses_and_control_characters_are_shown() {
        let area = Section::area("SM", "Storage \u{1B}]0;x\u{7}", usize::MAX - 40, vec![0xC1; 100]);
        let text =
            shown(&file_of(vec![area, Section::lines("KE", BRIEF, "Tasks", vec!["\u{1B}[2J\u{9B}1m".into()])]), &Selection::default());
        assert!(text.contains("100 bytes at FFFFFFFFFFFFFFD7") && text.contains("Storage .]0;x."), "{text}");
        assert!(text.contains(".[2J.1m") && !text.contains(|c: char| c.is_control() && c != '\n'), "{text}");
    }

    /// Files with damaged bytes, and files that are whole but say anything: each is shown as far as it goes, and nothing else happens.
    #[test]
    fn whatever_a_file_says_is_shown_or_refused() {
        let mut random = testing::Random::new(4);
        let selections =
            [Selection::default(), Selection::parse(&words("INDEX")).unwrap(), Selection::parse(&words("TR=3|UPPERCASE")).unwrap()];
        for round in 0..400 {
            let mut any = |most: u64| {
                let length = random.below(most) as usize;
                random.bytes(length)
            };
            let [name, title, line, area, mut entries] = [8, 40, 300, 300, 600].map(&mut any);
            let text = |bytes: &[u8]| bytes.iter().map(|byte| char::from(*byte)).collect::<String>();
            // Something like an entry of the trace: its length and a kind of value.
            entries.truncate(entries.len() / 48 * 48);
            entries.chunks_exact_mut(48).for_each(|entry| entry[..2].copy_from_slice(&48_u16.to_le_bytes()));
            entries.iter_mut().skip(32).step_by(48).for_each(|kind| *kind %= 5);
            let level = random.number() as u8;
            let content =
                [Content::Lines(vec![text(&line); 3]), Content::Area { address: random.number(), bytes: area }, Content::Trace(entries)];
            let section = |content| Section { component: text(&name), level, title: text(&title), content };
            let mut bytes = file_of(content.into_iter().map(section).collect());
            if round % 2 == 1 {
                let at = random.index(bytes.len());
                bytes[at] ^= 1 << random.below(8);
                bytes.truncate(random.index(bytes.len() + 1));
            }
            let text = shown(&bytes, &selections[round % 3]);
            assert!(!text.contains(|c: char| c.is_control() && c != '\n'));
        }
    }
}
