//! The options of INQUIRE TERMINAL and INQUIRE NETNAME that return attributes of the definitions.

use super::display::display_of;
use super::released::released_of;
use csd::{Definition, TypetermDefinition};
use exec::{OptionId, cvda, option};
use region::facility::Terminal;
use region::{Arguments, Outcome};

/// The definitions of a terminal: its TYPETERM, and its TERMINAL if it has one.
fn definitions(terminal: &dyn Terminal) -> Option<(&TypetermDefinition, Option<&Definition>)> {
    if let Some(display) = display_of(terminal) {
        return Some((&display.identity.typeterm, display.identity.definition.as_ref()));
    }
    released_of(terminal).map(|released| (&released.typeterm, Some(&released.definition().definition)))
}

/// Attributes of TYPETERM that are YES or NO, with what each is called.
const SWITCHES: [(OptionId, &str, i64, i64); 16] = [
    (option::COPYST, "COPY", cvda::COPY, cvda::NOCOPY),
    (option::CREATESESS, "CREATESESS", cvda::CREATE, cvda::NOCREATE),
    (option::DUALCASEST, "DUALCASEKYBD", cvda::DUALCASE, cvda::NODUALCASE),
    (option::FMHPARMST, "FMHPARM", cvda::FMHPARM, cvda::NOFMHPARM),
    (option::FORMFEEDST, "FORMFEED", cvda::FORMFEED, cvda::NOFORMFEED),
    (option::HFORMST, "HORIZFORM", cvda::HFORM, cvda::NOHFORM),
    (option::KATAKANAST, "KATAKANA", cvda::KATAKANA, cvda::NOKATAKANA),
    (option::LIGHTPENST, "LIGHTPEN", cvda::LIGHTPEN, cvda::NOLIGHTPEN),
    (option::MSRCONTROLST, "MSRCONTROL", cvda::MSRCONTROL, cvda::NOMSRCONTROL),
    (option::OBFORMATST, "OBFORMAT", cvda::OBFORMAT, cvda::NOOBFORMAT),
    (option::OBOPERIDST, "OBOPERID", cvda::OBOPERID, cvda::NOOBOPERID),
    (option::PRINTADAPTST, "PRINTADAPTER", cvda::PRINTADAPT, cvda::NOPRINTADAPT),
    (option::RELREQST, "RELREQ", cvda::RELREQ, cvda::NORELREQ),
    (option::TEXTKYBDST, "TEXTKYBD", cvda::TEXTKYBD, cvda::NOTEXTKYBD),
    (option::TEXTPRINTST, "TEXTPRINT", cvda::TEXTPRINT, cvda::NOTEXTPRINT),
    (option::VFORMST, "VERTICALFORM", cvda::VFORM, cvda::NOVFORM),
];

/// Of TERMINAL.
const OF_TERMINAL: [(OptionId, &str, i64, i64); 2] = [
    (option::PRTCOPYST, "PRINTERCOPY", cvda::PRTCOPY, cvda::NOPRTCOPY),
    (option::ALTPRTCOPYST, "ALTPRINTCOPY", cvda::ALTPRTCOPY, cvda::NOALTPRTCOPY),
];

/// What is the same for every terminal.
const CONSTANT: [(OptionId, i64); 4] = [
    (option::EXITTRACING, cvda::NOEXITTRACE),
    (option::NATURE, cvda::TERMINAL),
    (option::SESSIONTYPE, cvda::NOTAPPLIC),
    (option::ZCPTRACING, cvda::NOZCPTRACE),
];

/// TCAMCONTROL of a terminal that is not one of TCAM.
const NO_TCAM: u8 = 0xFF;

/// Gives what the definitions of the terminal say.
pub(super) fn give(terminal: &dyn Terminal, arguments: &mut Arguments) -> Outcome {
    let Some((typeterm, definition)) = definitions(terminal) else { return Ok(()) };
    let attributes = terminal.attributes();
    let is_yes = |definition: &Definition, name: &str| definition.is(name, "YES");
    for (option, name, yes, no) in SWITCHES {
        arguments.set_integer(option, if is_yes(&typeterm.definition, name) { yes } else { no });
    }
    for (option, name, yes, no) in OF_TERMINAL {
        arguments.set_integer(option, if definition.is_some_and(|definition| is_yes(definition, name)) { yes } else { no });
    }
    arguments.set_integers(CONSTANT);
    let either = |on: bool, yes, no| if on { yes } else { no };
    let numbers = [
        (option::ASCII, ascii(typeterm)),
        (option::AUTOCONNECT, cvda::NONAUTOCONN),
        (option::BACKTRANSST, either(attributes.background_transparency, cvda::BACKTRANS, cvda::NOBACKTRANS)),
        (option::DEVICE, device(terminal, typeterm)),
        (option::PARTITIONSST, either(attributes.partitions, cvda::PARTITIONS, cvda::NOPARTITIONS)),
        (option::QUERYST, query(typeterm)),
        (option::SECURITY, either(terminal.is_preset(), cvda::PRESETSEC, cvda::NOPRESETSEC)),
    ];
    arguments.set_integers(numbers);
    arguments.set_bytes(option::TCAMCONTROL, &[NO_TCAM])?;
    arguments.set_text(option::ALTSUFFIX, typeterm.definition.get("ALTSUFFIX"))?;
    arguments.set_text(option::NATLANG, definition.map_or("", |definition| definition.get("NATLANG")))
}

fn ascii(typeterm: &TypetermDefinition) -> i64 {
    match typeterm.definition.get("ASCII") {
        "7" => cvda::ASCII7,
        "8" => cvda::ASCII8,
        _ => cvda::NOTAPPLIC,
    }
}

fn query(typeterm: &TypetermDefinition) -> i64 {
    match typeterm.definition.get("QUERY") {
        "ALL" => cvda::ALLQUERY,
        "COLD" => cvda::COLDQUERY,
        _ => cvda::NOQUERY,
    }
}

/// A display is a 3277 and a printer a 3284, both remote, as ASSIGN TERMCODE says.
fn device(terminal: &dyn Terminal, typeterm: &TypetermDefinition) -> i64 {
    let is_printer = display_of(terminal)
        .map_or_else(|| super::autoinstall::is_printer_device(&typeterm.device), |display| display.capabilities.printer);
    match (terminal.attributes().console.is_blank(), is_printer) {
        (false, _) => cvda::TCONSOLE,
        (true, true) => cvda::T3284R,
        (true, false) => cvda::T3277R,
    }
}
