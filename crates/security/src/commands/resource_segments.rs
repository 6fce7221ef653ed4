//! The segments of profiles: SSIGNON (class PTKTDATA), STDATA (class STARTED), CDTINFO (class CDT).

use super::operands::{Operands, folded, wrong};
use super::report::{CommandError, Report, failed};
use super::unknown;
use super::users::check_group;
use crate::change::Change;
use crate::class::{self, Class, PROFILE_NAME_LENGTH_MAX};
use crate::level::Level;
use crate::name::Name8;
use crate::passticket::LEGACY_KEY_BYTES;
use crate::profile::{Profile, SignonSegment, StartedSegment, TicketAlphabet};
use crate::secret::{of_hexadecimal, random, to_hexadecimal};
use crate::state::State;

const WRONG_CLASS: u16 = 117;
const KEY_MADE: u16 = 118;
const CLASS_SUPPLIED: u16 = 119;
const NO_RANDOM: u16 = 120;
/// The longest label of a key.
const KEY_LABEL_LENGTH_MAX: usize = 64;
/// Bytes of a key that is made here, as HMAC-SHA-512 uses all of.
const MADE_KEY_BYTES: usize = 64;
/// Seconds of TIMEOUT.
const TICKET_TIMEOUT: std::ops::RangeInclusive<u32> = 1..=600;
/// Classes that an installation defines have a number from 0 to 1023.
const POSIT_MAX: u32 = 1023;

fn check_class(profile: &Profile, segment: &str, class: &str) -> Result<(), CommandError> {
    if profile.class.as_str() == class {
        return Ok(());
    }
    Err(failed(WRONG_CLASS, format!("{segment} IS OF CLASS {class}, NOT OF CLASS {}", profile.class)))
}

pub(super) fn alter_signon(
    state: &State,
    profile: &mut Profile,
    operands: &Operands,
    changes: &mut Vec<Change>,
    report: &mut Report,
) -> Result<(), CommandError> {
    if operands.has("NOSSIGNON") {
        profile.signon = None;
    }
    let Some(given) = operands.segment("SSIGNON") else { return Ok(()) };
    check_class(profile, "SSIGNON", "PTKTDATA")?;
    let mut signon = profile.signon.clone().unwrap_or(SignonSegment {
        key: None,
        key_label: None,
        alphabet: TicketAlphabet::Upper,
        replay: false,
        timeout_seconds: SignonSegment::TIMEOUT_SECONDS,
    });
    if let Some(key) = given.text("KEYMASKED") {
        let is_key = of_hexadecimal(&key).is_some_and(|key| key.len() == LEGACY_KEY_BYTES);
        signon.key = Some(key).filter(|_| is_key);
        if !is_key {
            return Err(wrong("KEYMASKED", "OTHER THAN 16 HEXADECIMAL DIGITS"));
        }
    }
    if let Some(label) = given.text("EPTKEYLABEL") {
        check_label(&label)?;
        if !state.keys.contains_key(&label) {
            let key: [u8; MADE_KEY_BYTES] = random().map_err(|error| failed(NO_RANDOM, error.to_string().to_uppercase()))?;
            changes.push(Change::Key { label: label.clone(), key: to_hexadecimal(&key) });
            report.warn(KEY_MADE, format!("A KEY WITH THE LABEL {label} WAS MADE"));
        }
        signon.key_label = Some(label);
    }
    if given.has("NOEPTKEYLABEL") {
        signon.key_label = None;
    }
    if given.has("NOLEGACYKEY") {
        signon.key = None;
    }
    let alphabets = [("UPPER", TicketAlphabet::Upper), ("MIXED", TicketAlphabet::Mixed)];
    signon.alphabet = given.one_of("TYPE", &alphabets)?.unwrap_or(signon.alphabet);
    signon.replay = given.yes_or_no("REPLAY")?.unwrap_or(signon.replay);
    signon.timeout_seconds = given.number("TIMEOUT", TICKET_TIMEOUT)?.unwrap_or(signon.timeout_seconds);
    profile.signon = Some(signon);
    Ok(())
}

/// A label begins with a letter or national character and has letters, digits, points and national characters.
fn check_label(label: &str) -> Result<(), CommandError> {
    let is_first = |byte: u8| byte.is_ascii_uppercase() || b"#$@".contains(&byte);
    let is_next = |byte: u8| is_first(byte) || byte.is_ascii_digit() || byte == b'.';
    let is_label = (1..=KEY_LABEL_LENGTH_MAX).contains(&label.len()) && is_first(label.as_bytes()[0]) && label.bytes().all(is_next);
    if is_label { Ok(()) } else { Err(wrong("EPTKEYLABEL", label)) }
}

pub(super) fn alter_started(state: &State, profile: &mut Profile, operands: &Operands) -> Result<(), CommandError> {
    if operands.has("NOSTDATA") {
        profile.started = None;
    }
    let Some(given) = operands.segment("STDATA") else { return Ok(()) };
    check_class(profile, "STDATA", "STARTED")?;
    let started = profile.started.get_or_insert_with(StartedSegment::default);
    if let Some(user) = given.name("USER")? {
        state.users.get(&user).ok_or_else(|| unknown("USER", user))?;
        started.user = Some(user);
    }
    if let Some(group) = given.name("GROUP")? {
        check_group(state, group)?;
        started.group = Some(group);
    }
    if given.has("NOUSER") {
        started.user = None;
    }
    if given.has("NOGROUP") {
        started.group = None;
    }
    started.privileged = given.yes_or_no("PRIVILEGED")?.unwrap_or(started.privileged);
    started.trusted = given.yes_or_no("TRUSTED")?.unwrap_or(started.trusted);
    started.trace = given.yes_or_no("TRACE")?.unwrap_or(started.trace);
    Ok(())
}

/// A profile in class CDT is the definition of the class of its name.
pub(super) fn alter_class_data(state: &State, profile: &mut Profile, operands: &Operands) -> Result<(), CommandError> {
    let Some(given) = operands.segment("CDTINFO") else { return Ok(()) };
    check_class(profile, "CDTINFO", "CDT")?;
    let name = Name8::new(&profile.name).map_err(|_| wrong("PROFILE NAME", &profile.name))?;
    if class::of_name(name).is_some() {
        return Err(failed(CLASS_SUPPLIED, format!("CLASS {name} IS SUPPLIED")));
    }
    let mut class = profile.class_data.clone().unwrap_or(Class {
        name,
        member: None,
        group: None,
        name_length_max: 8,
        default_return_code: 4,
        default_uacc: Level::None,
        operations: false,
        keeps_case: false,
        generic: true,
        position: None,
    });
    if let Some(position) = given.number("POSIT", 0..=POSIT_MAX)? {
        class.position = Some(position);
    }
    Operands::required("POSIT", class.position)?;
    if let Some(length) = given.number("MAXLENGTH", 1..=PROFILE_NAME_LENGTH_MAX as u32)? {
        class.name_length_max = length as usize;
    }
    class.default_return_code = given.one_of("DEFAULTRC", &[("0", 0), ("4", 4), ("8", 8)])?.unwrap_or(class.default_return_code);
    class.default_uacc = given.level("DEFAULTUACC")?.unwrap_or(class.default_uacc);
    class.operations = given.yes_or_no("OPERATIONS")?.unwrap_or(class.operations);
    class.generic = given.one_of("GENERIC", &[("ALLOWED", true), ("DISALLOWED", false)])?.unwrap_or(class.generic);
    class.keeps_case = given.one_of("CASE", &[("ASIS", true), ("UPPER", false)])?.unwrap_or(class.keeps_case);
    class.group = partner(state, given, "GROUP", |other| other.member, name)?.or(class.group);
    class.member = partner(state, given, "MEMBER", |other| other.group, name)?.or(class.member);
    if class.group.is_some() && class.member.is_some() {
        return Err(wrong("GROUP", "AND MEMBER"));
    }
    profile.class_data = Some(class);
    Ok(())
}

/// The other class of a pair of grouping and member class, which must name this one if it is defined already.
fn partner(
    state: &State,
    given: &Operands,
    operand: &str,
    back: impl Fn(&Class) -> Option<Name8>,
    name: Name8,
) -> Result<Option<Name8>, CommandError> {
    let Some(partner) = given.name(operand)? else { return Ok(None) };
    let agrees = state.class(partner).is_none_or(|other| back(other) == Some(name));
    if agrees && partner != name { Ok(Some(partner)) } else { Err(wrong(operand, &given.value(operand).map(folded).unwrap_or_default())) }
}
