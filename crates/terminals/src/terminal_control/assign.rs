//! The ASSIGN options of the principal facility. RESP2 5: the task has no terminal.

use exec::resp2::assign as resp2;
use exec::{OptionId, cvda, option};
use region::code_page::RegionCodePage;
use region::facility::TerminalAttributes;
use region::{Assigned, Task};
use smallvec::SmallVec;

fn flag(on: bool) -> Assigned {
    Assigned::flag(on)
}

/// Options about the principal facility; `None` for other options.
pub(super) fn assign(task: &Task, option: OptionId) -> Option<Assigned> {
    if option == option::TCTUALENG {
        // Zero without a terminal, as for one without a user area.
        return Some(Assigned::Number(task.facility.terminal().map_or(0, |terminal| terminal.user_area().length as i64)));
    }
    if !is_terminal_option(option) {
        return None;
    }
    let Some(terminal) = task.facility.terminal() else { return Some(Assigned::Unavailable(resp2::NO_TERMINAL)) };
    let attributes = terminal.attributes();
    Some(match option {
        option::NETNAME => Assigned::Name8(terminal.netname()),
        option::NEXTTRANSID => Assigned::Name4(terminal.next_transid().unwrap_or_default()),
        option::TERMPRIORITY => Assigned::Number(i64::from(attributes.priority)),
        option::PRINSYSID => Assigned::Name4(task.region.sysid),
        option::SIGDATA => Assigned::Bytes(SmallVec::from_slice(&[0; 4])),
        option::STATIONID | option::TELLERID => Assigned::Byte(0),
        option::NUMTAB => Assigned::Byte(0),
        option::DELIMITER => Assigned::Byte(0),
        _ => of_attributes(&attributes, &task.region.code_page, option),
    })
}

fn of_attributes(attributes: &TerminalAttributes, code_page: &RegionCodePage, option: OptionId) -> Assigned {
    let (rows, columns) =
        (|screen: (u16, u16)| Assigned::Number(i64::from(screen.0)), |screen: (u16, u16)| Assigned::Number(i64::from(screen.1)));
    match option {
        option::ALTSCRNHT => rows(attributes.alternate_screen),
        option::ALTSCRNWD => columns(attributes.alternate_screen),
        option::DEFSCRNHT => rows(attributes.default_screen),
        option::DEFSCRNWD => columns(attributes.default_screen),
        option::SCRNHT => rows(attributes.current_screen),
        option::SCRNWD => columns(attributes.current_screen),
        option::APLKYBD => flag(attributes.apl_keyboard),
        option::APLTEXT => flag(attributes.apl_text),
        option::BTRANS => flag(attributes.background_transparency),
        option::COLOR => flag(attributes.color),
        option::EXTDS => flag(attributes.extended_data_stream),
        option::EWASUPP => flag(attributes.alternate_screen != attributes.default_screen),
        option::DS3270 => flag(true),
        option::DSSCS => flag(false),
        option::GCHARS => Assigned::Number(i64::from(attributes.gchars)),
        option::GCODES => Assigned::Number(i64::from(attributes.gcodes)),
        option::HILIGHT => flag(attributes.highlight),
        option::KATAKANA => flag(attributes.katakana),
        option::MSRCONTROL => flag(attributes.magnetic_reader),
        option::OUTLINE => flag(attributes.outline),
        option::PARTNS => flag(attributes.partitions),
        option::PS => flag(attributes.programmed_symbols),
        option::SOSI => flag(attributes.sosi),
        // The second byte is a character.
        option::TERMCODE => {
            let [device, model] = attributes.term_code;
            let digit = code_page.encode(&model.to_string());
            Assigned::Bytes([device, digit.first().copied().unwrap_or_default()].into_iter().collect())
        }
        option::TEXTKYBD => flag(attributes.text_keyboard),
        option::TEXTPRINT => flag(attributes.text_print),
        option::UNATTEND => flag(attributes.unattended),
        option::VALIDATION => flag(attributes.validation),
        option::TNADDR => Assigned::Text(attributes.tn_address.map(|address| address.ip().to_string()).unwrap_or_default()),
        option::TNPORT => Assigned::Number(attributes.tn_address.map_or(0, |address| i64::from(address.port()))),
        option::TNIPFAMILY => Assigned::Number(match attributes.tn_address {
            Some(address) if address.is_ipv6() => cvda::IPV6,
            Some(_) => cvda::IPV4,
            None => cvda::NOTAPPLIC,
        }),
        _ => Assigned::Unavailable(resp2::NO_TERMINAL),
    }
}

fn is_terminal_option(option: OptionId) -> bool {
    matches!(
        option,
        option::ALTSCRNHT
            | option::ALTSCRNWD
            | option::APLKYBD
            | option::APLTEXT
            | option::BTRANS
            | option::COLOR
            | option::DEFSCRNHT
            | option::DEFSCRNWD
            | option::DELIMITER
            | option::DS3270
            | option::DSSCS
            | option::EWASUPP
            | option::EXTDS
            | option::GCHARS
            | option::GCODES
            | option::HILIGHT
            | option::KATAKANA
            | option::MSRCONTROL
            | option::NETNAME
            | option::NEXTTRANSID
            | option::NUMTAB
            | option::OUTLINE
            | option::PARTNS
            | option::PRINSYSID
            | option::PS
            | option::SCRNHT
            | option::SCRNWD
            | option::SIGDATA
            | option::SOSI
            | option::STATIONID
            | option::TELLERID
            | option::TERMCODE
            | option::TERMPRIORITY
            | option::TEXTKYBD
            | option::TEXTPRINT
            | option::TNADDR
            | option::TNIPFAMILY
            | option::TNPORT
            | option::UNATTEND
            | option::VALIDATION
    )
}
