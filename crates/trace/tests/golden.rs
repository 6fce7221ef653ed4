//! The three forms and the waits of a task, as docs/trace.md shows them. The layouts are those of "Formatting and interpreting trace entries"
//! (Troubleshooting); the entries are written here by hand.

use kernel::trace::{Entry, FLAG_EXCEPTION, FLAG_USER, Field};
use kernel::{Mode, trace::Component};
use trace::numbered::{Numbered, Numbers};
use trace::print::{INTERVAL_NS_DEFAULT, Printer};
use trace::select::{Form, Selection, parse};
use trace::waits;

/// 10:15:00 of some day.
const BEGIN_NS: u64 = (20_000 * 86_400 + 10 * 3600 + 15 * 60) * 1_000_000_000;

fn text(text: &str) -> Field {
    Field::Text(text.to_string())
}

/// In EBCDIC, padded as a name.
fn data(text: &str, length: usize) -> Field {
    Field::Data(codepage::CCSID_037.encode(&format!("{text:length$}")))
}

fn entry(microseconds: u64, component: Component, number: u16, flags: u8, fields: Vec<Field>) -> Entry {
    Entry {
        component: component.code().to_string(),
        number,
        mode: Some(Mode::Qr),
        flags,
        unix_ns: BEGIN_NS + microseconds * 1000,
        task: 42,
        kernel_number: 42,
        transaction: "BAIN".to_string(),
        terminal: "L001".to_string(),
        fields,
    }
}

/// A task waits 20 milliseconds for a record, writes an entry of its own, and abends.
fn entries() -> Vec<Numbered> {
    use Component::{Ap, Ds, Ei, Fc};
    let all = [
        entry(0, Ei, 1, 0, vec![text("READ"), data("ACCOUNT", 8), text("BNKACCT"), Field::Number(120)]),
        entry(3, Fc, 0x04E0, 0, vec![text("READ"), data("ACCOUNT", 16)]),
        entry(8, Ds, 4, 0, vec![text("SUSPEND"), text("FCXCWAIT"), text("ACCOUNT")]),
        entry(20_008, Ds, 5, 0, vec![text("SUSPEND"), text("OK")]),
        entry(20_030, Fc, 0x04E1, 0, vec![text("READ"), text("OK")]),
        entry(20_031, Ei, 2, 0, vec![text("READ"), text("NORMAL"), Field::Number(0)]),
        entry(20_040, Ap, 0x000B, FLAG_USER, vec![text("BNKACCT"), text("BNKACCT"), Field::Number(131), data("RECORD OF ACCOUNT", 17)]),
        entry(20_055, Ap, 0x0781, FLAG_EXCEPTION, vec![text("ASRA"), text("BNKACCT"), Field::Number(140), text("data exception")]),
    ];
    let mut numbers = Numbers::default();
    all.into_iter().map(|entry| numbers.next(entry)).collect()
}

fn printer(form: Form) -> Printer {
    Printer { form, page: &codepage::CCSID_037, offset_seconds: 0, interval_ns: INTERVAL_NS_DEFAULT }
}

fn trimmed(text: &str) -> String {
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim_end().to_string()
}

/// The block of the document with this heading.
fn documented(heading: &str) -> String {
    let document = include_str!("../../../docs/trace.md");
    let (_, rest) = document.split_once(&format!("```{heading}\n")).unwrap_or_else(|| panic!("docs/trace.md has no block {heading}"));
    rest.split_once("\n```").expect("the block ends").0.to_string()
}

#[test]
fn the_forms_are_those_of_the_document() {
    for (form, heading) in [(Form::Abbreviated, "trace abbrev"), (Form::Short, "trace short"), (Form::Full, "trace full")] {
        let printer = printer(form);
        let printed: String = entries().iter().map(|numbered| printer.text(numbered)).collect();
        assert_eq!(trimmed(&printed), documented(heading), "{heading}");
    }
}

#[test]
fn the_waits_of_a_task_are_those_of_the_document() {
    let name = |bytes: &[u8]| codepage::CCSID_037.decode(bytes).trim_end().to_string();
    let waits = waits::of_task(&entries(), 42, name);
    assert_eq!((waits.waits.len(), waits.waits[0].command.as_str(), waits.waits[0].time_ns), (1, "READ", 20_000_000));
    assert_eq!((waits.commands.len(), waits.commands[0].resource.as_str(), waits.commands[0].time_ns), (1, "ACCOUNT", 20_031_000));
    assert_eq!(trimmed(&waits.text(42)), documented("trace waits"));
}

#[test]
fn entries_are_selected_by_each_parameter() {
    let selected = |text: &str| -> Vec<u64> {
        let mut selection = Selection::default();
        parse(text, &mut Form::Full, &mut 0, &mut selection).unwrap();
        entries().iter().filter(|numbered| selection.selects(numbered, 0)).map(|numbered| numbered.number).collect()
    };
    let all: Vec<u64> = (1..=8).collect();
    for (parameters, expected) in [
        ("ALL", all.clone()),
        ("TASKID=42", all.clone()),
        ("TASKID=(1-41,43)", vec![]),
        ("TERMID=L001,TRANID=BAIN", all.clone()),
        ("TRANID=BADE", vec![]),
        ("KE_NUM=2A", all.clone()),
        ("KE_NUM=42", vec![]),
        ("TYPETR=(DS4-5,EI1)", vec![1, 3, 4]),
        ("TYPETR=(AP)", vec![7, 8]),
        ("EXCEPTION", vec![8]),
        ("ENTRY_NUM=(2-3,8)", vec![2, 3, 8]),
        ("TIMERG=101500-101500", all),
        ("TIMERG=(101501-235959)", vec![]),
        ("TYPETR=(FC),ENTRY_NUM=1-4", vec![2]),
    ] {
        assert_eq!(selected(parameters), expected, "{parameters}");
    }
}
