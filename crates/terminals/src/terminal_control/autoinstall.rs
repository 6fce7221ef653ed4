//! Autoinstall: a TERMINAL is created for a session from the definition for its netname, or from the model for its type.
//!
//! Names: the last four characters of the netname, as in the supplied autoinstall program; if that name is in use, the first free one of a
//! sequence of generated names. A control program of the site's own (`control_program`) chooses name, model and printers itself.

use super::control_program;
use super::display::{DisplayTerminal, Identity, Link};
use super::released::{self, Lasting, ReleasedTerminal, released_of};
use crate::terminal_control::TerminalControl;
use bms::address::Addressing;
use bms::attribute::{Extended, ExtendedSet};
use bms::{Capabilities, ScreenSize};
use csd::{Definition, TerminalDefinition, TypetermDefinition};
use kernel::storage::{Getmain, Key, Line};
use region::Region;
use region::extensions::UserToken;
use region::facility::{CONSOLE, DISPLAY_3270, MODEL_2, PRINTER_3270, Partner, Terminal, TerminalAttributes};
use region::name::{Name4, Name8};
use region::storage_access::Area;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tn3270::SessionInfo;

/// Letters and digits of generated names.
const DIGITS: &[u8; 36] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/// Models that need not be installed: those of the types of terminals.
const SUPPLIED_MODELS: [&str; 9] =
    ["DFHLU2M2", "DFHLU2M3", "DFHLU2M4", "DFHLU2M5", "DFHLU2E2", "DFHLU2E3", "DFHLU2E4", "DFHLU2E5", "DFHLU3"];
/// Most models that the control program is given.
const MODELS_MAX: usize = 1_000;
/// Generated names there can be: `$` and three of `DIGITS`.
const GENERATED_NAMES_MAX: usize = 36 * 36 * 36;

/// What the control program has chosen for a terminal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    pub name: Name4,
    pub typeterm: Name8,
    pub printers: [Name4; 2],
}

/// The definition of a terminal, and its preset user as the authority keeps him.
type Defined = (TerminalDefinition, Option<UserToken>);

/// Creates the terminal of a session and adds it to the region; `None` if no name is left for it, the chosen one is in use, or its preset user
/// is refused.
pub fn install(
    region: &'static Region,
    info: &SessionInfo,
    choice: Option<&Choice>,
    link: impl Fn(&Capabilities) -> Box<dyn Link>,
) -> Option<Arc<DisplayTerminal>> {
    if let Some(choice) = choice {
        return install_as(region, info, None, choice, &link);
    }
    let defined = match defined_terminal(region, Name8::new(&info.lu)) {
        Some(definition) => {
            let token = preset_user(region, &definition)?;
            Some((definition, token))
        }
        None => None,
    };
    if let Some((definition, _)) = &defined
        && !is_in_service(region, definition)
    {
        control_program::refuse(region, info, "the terminal is out of service");
        return None;
    }
    let typeterm = defined.as_ref().map_or_else(|| model_typeterm(region, &default_model(info)), |(definition, _)| definition.typeterm);
    let number = &TerminalControl::of(region).generated_names;
    let next = std::iter::once_with(|| number.fetch_add(1, Ordering::Relaxed)).flat_map(generated);
    let mut candidates = defined.iter().map(|(definition, _)| definition.name).chain([Name4::new(last_four(&info.lu))]).chain(next);
    candidates.find_map(|name| {
        let choice = Choice { name, typeterm, printers: [Name4::BLANK; 2] };
        install_as(region, info, defined.as_ref(), &choice, &link)
    })
}

/// `None`: the name is in use.
fn install_as(
    region: &'static Region,
    info: &SessionInfo,
    defined: Option<&Defined>,
    choice: &Choice,
    link: &impl Fn(&Capabilities) -> Box<dyn Link>,
) -> Option<Arc<DisplayTerminal>> {
    let is_own = defined.is_some_and(|(definition, _)| definition.name == choice.name);
    let there = region.terminals.find(choice.name);
    let released = there.as_deref().and_then(released_of).filter(|_| is_own);
    if there.is_some() && released.is_none() {
        return None;
    }
    let typeterm = typeterm(region, choice.typeterm);
    let mut lasting = lasting(region, &typeterm, defined.map(|(terminal, _)| terminal), released)?;
    if defined.is_none() {
        lasting.service.printers = choice.printers;
    }
    let user_area = lasting.user_area;
    let identity = Identity {
        name: choice.name,
        netname: Name8::new(&info.lu),
        console: None,
        typeterm,
        permanent_transaction: defined.map_or(Name4::BLANK, |(definition, _)| definition.transaction),
        user_id: defined.map_or(Name8::BLANK, |(definition, _)| definition.user_id),
        token: defined.and_then(|(_, token)| token.clone()),
        autoinstalled: defined.is_none(),
        definition: defined.map(|(terminal, _)| terminal.definition.clone()),
    };
    let capabilities = match defined {
        Some(_) => as_defined(&info.capabilities, &identity.typeterm),
        None => info.capabilities.clone(),
    };
    let terminal = {
        let link = link(&capabilities);
        DisplayTerminal::new(region, identity, capabilities, lasting, link)
    };
    if released.is_some() {
        region.terminals.swap(choice.name, Some(terminal.clone()));
    } else if !region.terminals.add(terminal.clone()) {
        released::free(region, user_area);
        return None;
    }
    let (termid, netname) = (terminal.name(), terminal.netname());
    let values = [("termid", termid.as_str()), ("netname", netname.as_str()), ("model", choice.typeterm.as_str())];
    region.messages.send(if terminal.identity.autoinstalled { "DFHZC6935" } else { "DFHZC3461" }, &values);
    Some(terminal)
}

/// PRINTER and ALTPRINTER. Without the first the second is ignored.
pub(super) fn printers_of(definition: &Definition) -> [Name4; 2] {
    let [printer, alternate] = ["PRINTER", "ALTPRINTER"].map(|attribute| Name4::new(definition.get(attribute).trim()));
    if printer.is_blank() { [Name4::BLANK; 2] } else { [printer, alternate] }
}

/// What the terminal has kept since its last session, or a new one begins with; `None`: another session has just taken it.
fn lasting(
    region: &Region,
    typeterm: &TypetermDefinition,
    terminal: Option<&TerminalDefinition>,
    released: Option<&ReleasedTerminal>,
) -> Option<Lasting> {
    match released {
        Some(released) => released.take(),
        None => Some(Lasting::new(region, typeterm, terminal)),
    }
}

/// INSERVICE, or what SET TERMINAL has made of it.
fn is_in_service(region: &Region, definition: &TerminalDefinition) -> bool {
    let there = region.terminals.find(definition.name);
    let service = there.as_deref().and_then(released_of).and_then(ReleasedTerminal::service);
    service.map_or(definition.in_service, |service| service.in_service)
}

/// The preset user of a terminal as the authority keeps him; `None`: he may not use it, so it is not installed.
pub fn preset_user(region: &'static Region, definition: &TerminalDefinition) -> Option<Option<UserToken>> {
    match region.extensions.authority() {
        Some(authority) if !definition.user_id.is_blank() => {
            authority.preset(region, (definition.name, definition.netname), definition.user_id).ok()
        }
        _ => Some(None),
    }
}

/// Whether a session is for a TERMINAL that is defined: the control program is not asked about it.
pub fn is_defined(region: &Region, info: &SessionInfo) -> bool {
    defined_terminal(region, Name8::new(&info.lu)).is_some()
}

/// DEVICE of printers of LU type 1 (TYPETERM attributes, DEVICE).
const SCS_DEVICE: &str = "SCSPRINT";

/// Whether the netname is that of a defined printer of LU type 1. A printer without a definition is one of LU type 3.
pub fn is_scs_printer(region: &Region, netname: &str) -> bool {
    defined_terminal(region, Name8::new(netname)).is_some_and(|terminal| typeterm(region, terminal.typeterm).device == SCS_DEVICE)
}

/// Devices that are printers.
const PRINTER_DEVICES: [&str; 8] = [SCS_DEVICE, "LUTYPE3", "3270P", "3284", "3286", "3287", "3288", "3289"];

pub(super) fn is_printer_device(device: &str) -> bool {
    PRINTER_DEVICES.contains(&device)
}

/// Device type and TERMMODEL. That of a screen of 24 by 80 or more is 2.
pub(super) fn term_code(is_console: bool, is_printer: bool) -> [u8; 2] {
    match (is_console, is_printer) {
        (true, _) => [CONSOLE, 0],
        (_, true) => [PRINTER_3270, MODEL_2],
        (_, false) => [DISPLAY_3270, MODEL_2],
    }
}

/// The attributes of a terminal that only its TYPETERM says.
pub(super) fn attributes_of(typeterm: &TypetermDefinition) -> TerminalAttributes {
    let yes = |attribute: &str| typeterm.definition.is(attribute, "YES");
    let (gchars, gcodes) = csd::number_pair(typeterm.definition.get("CGCSGID")).unwrap_or_default();
    TerminalAttributes {
        apl_keyboard: yes("APLKYBD"),
        apl_text: yes("APLTEXT"),
        katakana: yes("KATAKANA"),
        magnetic_reader: yes("MSRCONTROL"),
        text_keyboard: yes("TEXTKYBD"),
        text_print: yes("TEXTPRINT"),
        gchars,
        gcodes,
        ..TerminalAttributes::default()
    }
}

/// The names of the models for a session, the one of its type first.
pub fn models(region: &Region, info: &SessionInfo) -> Vec<Name8> {
    let mut names = vec![Name8::new(&default_model(info))];
    let installed = region.installed.read();
    let models = installed.of_type("TERMINAL").map(TerminalDefinition::from).map(|terminal| terminal.autoinstall_name);
    for name in models.filter(|name| !name.is_blank()) {
        if !names.contains(&name) && names.len() < MODELS_MAX {
            names.push(name);
        }
    }
    names
}

/// The TYPETERM of a defined terminal overrides the device: no alternate screen if ALTSCREEN names none, and with QUERY(NO) only the
/// extended attributes of the definition. A device's alternate screen has the device's size.
fn as_defined(device: &Capabilities, typeterm: &TypetermDefinition) -> Capabilities {
    let mut capabilities = device.clone();
    let (rows, columns) = typeterm.alternate_screen;
    let default = (device.default_size.rows, device.default_size.columns);
    if (rows, columns) == (0, 0) || (rows, columns) == default {
        capabilities.alternate_size = device.default_size;
    }
    let rows = |page: Option<(u16, u16)>| page.map(|(rows, _)| rows);
    match typeterm.page {
        // The buffer of a printer is a page.
        Some((rows, columns)) if device.printer => {
            let size = ScreenSize::new(rows, columns);
            (capabilities.default_size, capabilities.alternate_size) = (size, size);
            capabilities.addressing = Addressing::for_positions(size.positions());
        }
        _ => capabilities.page_rows = [rows(typeterm.page), rows(typeterm.alternate_page)],
    }
    if typeterm.query {
        return capabilities;
    }
    let yes = |attribute: &str| typeterm.definition.is(attribute, "YES");
    let kinds = [
        (Extended::Color, typeterm.color),
        (Extended::Highlight, typeterm.highlight),
        (Extended::ProgrammedSymbols, yes("PROGSYMBOLS")),
        (Extended::Validation, yes("VALIDATION")),
        (Extended::Outline, yes("OUTLINE")),
        (Extended::Sosi, yes("SOSI")),
        (Extended::Transparency, yes("BACKTRANS")),
    ];
    capabilities.extended = ExtendedSet::default();
    for (kind, _) in kinds.into_iter().filter(|(_, given)| *given) {
        capabilities.extended.insert(kind);
    }
    capabilities.extended_data_stream &= typeterm.extended_data_stream || !capabilities.extended.is_empty();
    capabilities.partitions &= yes("PARTITIONS");
    capabilities
}

/// The capabilities of a defined terminal whose client has not connected: a device of its kind that has all its definition says.
pub fn capabilities_of(typeterm: &TypetermDefinition) -> Capabilities {
    let model = if is_printer_device(&typeterm.device) { bms::Model::Printer } else { bms::Model::Two };
    let (rows, columns) = typeterm.alternate_screen;
    let alternate_size = ScreenSize::new(rows, columns);
    let addressing = Addressing::for_positions(alternate_size.positions());
    as_defined(&Capabilities { alternate_size, addressing, ..Capabilities::of_model(model, true) }, typeterm)
}

fn last_four(lu: &str) -> &str {
    &lu[lu.len().saturating_sub(4)..]
}

/// All generated names, from this one on: those that sessions before have taken are not tried again.
pub(super) fn generated(first: usize) -> impl Iterator<Item = Name4> {
    (0..GENERATED_NAMES_MAX).map(move |step| {
        let number = (first + step) % GENERATED_NAMES_MAX;
        Name4::from_bytes(&[b'$', DIGITS[number / 1296], DIGITS[number / 36 % 36], DIGITS[number % 36]])
    })
}

/// A TERMINAL definition, not a model, with this netname.
fn defined_terminal(region: &Region, netname: Name8) -> Option<TerminalDefinition> {
    let installed = region.installed.read();
    installed.of_type("TERMINAL").map(TerminalDefinition::from).find(|terminal| !terminal.model_only && terminal.netname == netname)
}

/// The autoinstall model for a terminal type, as the supplied group DFHTERM names them.
fn default_model(info: &SessionInfo) -> String {
    let (model, extended) = bms::Model::parse(&info.terminal_type).unwrap_or((bms::Model::Two, false));
    match model {
        bms::Model::Printer => "DFHLU3".to_string(),
        _ => format!("DFHLU2{}{}", if extended { 'E' } else { 'M' }, model.number()),
    }
}

fn model_typeterm(region: &Region, model: &str) -> Name8 {
    let installed = region.installed.read();
    let definition =
        installed.of_type("TERMINAL").map(TerminalDefinition::from).find(|terminal| terminal.autoinstall_name.as_str() == model);
    definition.map_or_else(|| Name8::new(model), |terminal| terminal.typeterm)
}

/// The TYPETERM of a model that the control program names; `None`: there is no such model.
pub fn typeterm_of_model(region: &Region, model: Name8) -> Option<Name8> {
    let installed = region.installed.read();
    let mut terminals = installed.of_type("TERMINAL").map(TerminalDefinition::from);
    let found = terminals.find(|terminal| !model.is_blank() && terminal.autoinstall_name == model).map(|terminal| terminal.typeterm);
    let supplied = || SUPPLIED_MODELS.contains(&model.as_str()).then_some(model);
    found.or_else(supplied)
}

/// A TYPETERM that is not installed has its supplied definition.
pub(super) fn typeterm(region: &Region, name: Name8) -> TypetermDefinition {
    match region.installed.read().get("TYPETERM", name.as_str()) {
        Some(definition) => TypetermDefinition::from(definition),
        None => {
            let supplied = Definition::new("TYPETERM", name.as_str(), "DFHTYPE").with("UCTRAN", "YES");
            let supplied = supplied.with("ERRLASTLINE", "YES").with("ERRINTENSIFY", "YES");
            TypetermDefinition::from(&supplied.with("ATI", "YES").with("TTI", "YES").with("LOGONMSG", "YES"))
        }
    }
}

/// The terminal's user area (TCTUALOC, TCTUAKEY). Without storage for it the terminal has none.
pub(super) fn user_area(region: &Region, bytes: u16) -> Area {
    if bytes == 0 {
        return Area::new(0, 0);
    }
    let line = if region.sit.is("TCTUALOC", "ANY") { Line::Below2G } else { Line::Below16M };
    let key = if region.sit.is("TCTUAKEY", "CICS") { Key::Cics } else { Key::User };
    let request = Getmain { length: usize::from(bytes), line, key, initial: Some(0) };
    region.storage.getmain_shared(request).map_or(Area::new(0, 0), |address| Area::new(address, usize::from(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typeterm_overrides_device_capabilities() {
        let device = Capabilities::of_model(bms::Model::Four, true);
        let of = |attributes: &[(&'static str, &str)]| {
            let mut definition = Definition::new("TYPETERM", "OWN", "TEST").with("ALTSCREEN", "43,80");
            for (name, value) in attributes {
                definition = definition.with(name, value);
            }
            as_defined(&device, &TypetermDefinition::from(&definition))
        };
        assert_eq!(of(&[("QUERY", "ALL")]), device);
        assert_eq!(of(&[("QUERY", "ALL"), ("ALTSCREEN", "0,0")]).alternate_size, device.default_size);
        let own = of(&[("QUERY", "NO"), ("COLOR", "YES"), ("OUTLINE", "YES")]);
        assert!(own.supports(Extended::Color) && own.supports(Extended::Outline) && !own.supports(Extended::Highlight));
        assert!(!of(&[("QUERY", "NO")]).extended_data_stream);
    }

    #[test]
    fn names_follow_the_netname() {
        assert_eq!(last_four("TCP00012"), "0012");
        assert_eq!(last_four("AB"), "AB");
        let names: Vec<Name4> = generated(0).take(40).collect();
        assert_eq!((names[0].as_str(), names[35].as_str(), names[36].as_str()), ("$000", "$00Z", "$010"));
        let names: Vec<Name4> = generated(GENERATED_NAMES_MAX - 1).take(2).collect();
        assert_eq!((names[0].as_str(), names[1].as_str()), ("$ZZZ", "$000"));
    }
}
