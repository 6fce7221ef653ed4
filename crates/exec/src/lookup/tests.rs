//! Expected values are those of the CICS command reference.

use super::*;
use crate::{aid, bmsca, command, condition, cvda, eib, option};

#[test]
fn function_codes() {
    assert_eq!(eibfn(command::READ), 0x0602);
    assert_eq!(eibfn(command::LINK), 0x0E02);
    assert_eq!(eibfn(command::WRITEQ_TS), 0x0A02);
    assert_eq!(eibfn(command::SEND_MAP), 0x1804);
    assert_eq!(eibfn(command::INQUIRE_FILE), 0x4C02);
    assert_eq!(function_name(0x0602), Some("READ"));
    assert_eq!(eibfn(command::RUN_ACTIVITY), 0x3406);
}

#[test]
fn identifiers_are_indexes_and_options_are_sorted() {
    for (index, spec) in commands().iter().enumerate() {
        assert_eq!(usize::from(spec.id.0), index);
        assert!(spec.options.windows(2).all(|pair| pair[0].id < pair[1].id), "{}", spec.name);
        assert_eq!(command_by_name(spec.name).map(|found| found.id), Some(spec.id));
        assert!(commands_of_verb(spec.words[0]).iter().any(|found| found.id == spec.id));
        for option in spec.options {
            assert_eq!(option.id.name(), option.name);
            assert_eq!(option.argument == ArgumentRule::None, option.direction == Direction::Flag, "{} {}", spec.name, option.name);
            assert_eq!(option.kind == ArgumentKind::Flag, option.argument == ArgumentRule::None);
        }
    }
    assert!(commands_of_verb("FLY").is_empty());
    assert!(commands_of_verb("ZZZ").is_empty());
}

#[test]
fn conditions_have_their_numbers_and_abends() {
    assert_eq!(condition::NOTFND, Condition(13));
    assert_eq!(condition::NOTFND.abend_code(), Some("AEIM"));
    assert_eq!(condition::PGMIDERR.abend_code(), Some("AEI0"));
    assert_eq!(condition::ENQBUSY.default_action(), DefaultAction::Suspend);
    assert_eq!(condition::MAPFAIL.default_action(), DefaultAction::Abend);
    assert_eq!(condition::EOC.default_action(), DefaultAction::Ignore);
    assert_eq!(dfhresp("NORMAL"), Some(0));
    assert_eq!(dfhresp("DSIDERR"), Some(12));
    assert_eq!(dfhresp("FILENOTFOUND"), Some(12));
    assert_eq!(dfhresp("NOSUCH"), None);
    assert_eq!(Condition(999).name(), "?");
}

#[test]
fn values_of_names() {
    assert_eq!(cvda::value_of("OPEN"), Some(18));
    assert_eq!(cvda::OPEN, 18);
    assert_eq!(cvda::name_of(18), Some("OPEN"));
    assert_eq!(dfhvalue("ENABLED"), Some(23));
    assert_eq!(dfhvalue("NOSUCH"), None);
    assert_eq!(aid::PF3, 0xF3);
    assert_eq!(aid::name_of(0x7D), Some("DFHENTER"));
    assert!(aid::is_short_read(aid::CLEAR) && !aid::is_short_read(aid::ENTER));
    assert_eq!(bmsca::BMPRO, 0x60);
    assert_eq!(bmsca::DFH3270, 0xC0);
}

#[test]
fn the_eib_is_85_bytes() {
    assert_eq!(eib::LENGTH, 85);
    assert_eq!((eib::EIBAID, eib::EIBFN, eib::EIBRESP, eib::EIBRESP2), (26, 27, 76, 80));
}

#[test]
fn options_know_their_arguments() {
    let read = command::READ.spec();
    let length = read.option(option::LENGTH).unwrap();
    assert_eq!((length.numeric, length.direction), (Numeric::Halfword, Direction::InOut));
    assert_eq!(read.option_by_name("DATASET").unwrap().id, option::FILE);
    assert_eq!(read.option_by_name("FILE").unwrap().length, 8);
    assert!(read.option_by_name("COMMAREA").is_none());
    assert_eq!(read.option_by_abbreviation("KEYL").unwrap().id, option::KEYLENGTH);
    assert!(read.option_by_abbreviation("R").is_none());
    let abstime = command::ASKTIME.spec().option(option::ABSTIME).unwrap();
    assert_eq!((abstime.numeric, abstime.numeric.width_bytes()), (Numeric::Abstime, 8));
    let interval = command::START.spec().option(option::INTERVAL).unwrap();
    assert_eq!((interval.numeric, interval.kind), (Numeric::Hhmmss, ArgumentKind::Hhmmss));
    let label = command::HANDLE_CONDITION.spec().option(option::NOTFND).unwrap();
    assert_eq!((label.kind, label.argument), (ArgumentKind::Label, ArgumentRule::Optional));
    assert_eq!(command_by_name("READQ").unwrap().id, command::READQ_TS);
    let assign = command::ASSIGN.spec();
    assert!(assign.options.iter().all(|option| option.direction == Direction::Out));
    let file = command::INQUIRE_FILE.spec();
    assert!(file.options.iter().filter(|o| o.name != "FILE" && o.argument != ArgumentRule::None).all(|o| o.direction == Direction::Out));
    assert_eq!(command::INQUIRE_TASK.spec().option(option::TASK).unwrap().numeric, Numeric::TaskNumber);
}

#[test]
fn threadsafe_and_implemented() {
    assert_eq!(threadsafe(command::ASSIGN), Threadsafe::Yes);
    assert_eq!(threadsafe(command::READ), Threadsafe::Conditional);
    assert_eq!(threadsafe(command::SEND_MAP), Threadsafe::No);
    assert!(implemented(command::LINK));
    assert!(!implemented(command::WEB_OPEN));
    assert!(!implemented(CommandId(u16::MAX)));
}

#[test]
fn every_condition_can_be_handled() {
    let handle = command::HANDLE_CONDITION.spec();
    for spec in catalogue().conditions.iter().filter(|spec| spec.condition.0 > 0) {
        assert!(handle.option_by_name(spec.name).is_some(), "{}", spec.name);
    }
}
