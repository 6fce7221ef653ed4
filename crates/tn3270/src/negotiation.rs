//! Server side of telnet negotiation, without sockets. TN3270E is offered first; a client that refuses it is asked for its terminal type
//! and for EOR and BINARY in both directions (RFC 1576). Invariants: each change of an option is answered once; the number of negotiation
//! messages of one session is bounded (`MESSAGE_COUNT_MAX`), so negotiation always ends.
//!
//! STARTTLS (draft-altman-telnet-starttls) comes before everything else: both sides announce that TLS follows, and after the handshake all
//! negotiation begins anew.

use std::net::SocketAddr;

use bms::Model;
use bms::constants::*;

use crate::config::{LuRefusal, LuRequest, is_lu_name};
use crate::telnet::{TelnetEvent, push_subnegotiation};

/// Negotiation messages one client may send in the life of its session.
const MESSAGE_COUNT_MAX: u32 = 200;
/// Terminal types a client may offer one after another.
const TERMINAL_TYPE_COUNT_MAX: u32 = 20;

/// Functions of TN3270E that this server supports.
const FUNCTIONS_SUPPORTED: &[u8] = &[TN3270E_FUNC_BIND_IMAGE, TN3270E_FUNC_RESPONSES, TN3270E_FUNC_SYSREQ];
/// And those of printers (RFC 2355, 13.1 and 13.2).
const PRINTER_FUNCTIONS_SUPPORTED: &[u8] =
    &[TN3270E_FUNC_BIND_IMAGE, TN3270E_FUNC_DATA_STREAM_CTL, TN3270E_FUNC_RESPONSES, TN3270E_FUNC_SCS_CTL_CODES, TN3270E_FUNC_SYSREQ];

/// STARTTLS: TLS follows this subnegotiation.
const TLS_FOLLOWS: u8 = 1;

/// What the server offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offer {
    pub tn3270e: bool,
    pub starttls: StartTls,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartTls {
    No,
    Offered,
    Required,
}

/// Why a terminal gets no name now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unassigned {
    Refused(LuRefusal),
    /// It is asked for again by [`Negotiation::retry`].
    Later,
}

/// Names a terminal.
type Assign<'a> = &'a mut dyn FnMut(&LuRequest) -> Result<String, Unassigned>;

/// What a session is bound as: displays, printers with the 3270 data stream, and printers with SCS data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LuType {
    PrinterScs = 1,
    Display = 2,
    Printer3270 = 3,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Established {
    pub tn3270e: bool,
    pub functions: Vec<u8>,
    pub terminal_type: String,
    pub model: Model,
    pub extended: bool,
    pub lu: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Continue,
    Established(Established),
    /// The client sends TLS from here on.
    StartTls,
    /// The client cannot be served; the text is sent to it as NVT data.
    Rejected(String),
}

#[derive(Debug, Default)]
struct Peer {
    their_tn3270e: bool,
    their_starttls: bool,
    has_refused_starttls: bool,
    their_terminal_type: bool,
    their_eor: bool,
    our_eor: bool,
    their_binary: bool,
    our_binary: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Device {
    terminal_type: String,
    model: Model,
    extended: bool,
    lu: String,
}

pub struct Negotiation {
    peer_address: SocketAddr,
    peer: Peer,
    device: Option<Device>,
    transport_asked: bool,
    last_terminal_type: Option<String>,
    terminal_type_count: u32,
    message_count: u32,
    rejection_text: String,
    offer: Offer,
    /// A request for a name that has not been answered.
    waiting: Option<LuRequest>,
}

impl Negotiation {
    /// Starts: the first bytes to send are added to `out`.
    pub fn start(peer_address: SocketAddr, offer: Offer, rejection_text: &str, out: &mut Vec<u8>) -> Negotiation {
        match offer.starttls {
            StartTls::No => out.extend(first_request(offer)),
            StartTls::Offered | StartTls::Required => out.extend([TEL_IAC, TEL_DO, OPT_STARTTLS]),
        }
        Negotiation {
            peer_address,
            offer,
            waiting: None,
            peer: Peer::default(),
            device: None,
            transport_asked: false,
            last_terminal_type: None,
            terminal_type_count: 0,
            message_count: 0,
            rejection_text: rejection_text.to_string(),
        }
    }

    /// An option or subnegotiation from the client. `assign` names the terminal. Also to be called after the session is
    /// established, for options that come late.
    pub fn event(&mut self, event: &TelnetEvent, out: &mut Vec<u8>, assign: Assign) -> Outcome {
        self.message_count += 1;
        if self.message_count > MESSAGE_COUNT_MAX {
            return Outcome::Rejected("Too many telnet options.".to_string());
        }
        let is_about_tls =
            matches!(*event, TelnetEvent::Option { option: OPT_STARTTLS, .. } | TelnetEvent::Subnegotiation([OPT_STARTTLS, ..]));
        if self.offer.starttls == StartTls::Required && !is_about_tls {
            // Nothing is agreed in plain text.
            return Outcome::Continue;
        }
        match *event {
            TelnetEvent::Option { verb, option } => self.option(verb, option, out),
            TelnetEvent::Subnegotiation([OPT_TERMINAL_TYPE, TTYPE_IS, name @ ..])
                if self.peer.their_terminal_type && self.device.is_none() && self.waiting.is_none() =>
            {
                self.terminal_type(name, out, assign)
            }
            TelnetEvent::Subnegotiation([OPT_TN3270E, rest @ ..]) if self.peer.their_tn3270e => self.tn3270e(rest, out, assign),
            TelnetEvent::Subnegotiation([OPT_STARTTLS, TLS_FOLLOWS, ..]) if self.peer.their_starttls => Outcome::StartTls,
            _ => Outcome::Continue,
        }
    }

    /// Asks again for the name that was not given at once.
    pub fn retry(&mut self, out: &mut Vec<u8>, assign: Assign) -> Outcome {
        match self.waiting.take() {
            Some(request) if request.tn3270e => self.name_device(request, out, assign),
            Some(request) => self.name_terminal(request, out, assign),
            None => Outcome::Continue,
        }
    }

    fn reject(&self) -> Outcome {
        Outcome::Rejected(self.rejection_text.clone())
    }

    fn option(&mut self, verb: u8, option: u8, out: &mut Vec<u8>) -> Outcome {
        match (verb, option) {
            (TEL_WILL, OPT_TN3270E) if !self.peer.their_tn3270e => {
                self.peer.their_tn3270e = true;
                push_subnegotiation(out, &[&[OPT_TN3270E, TN3270E_OP_SEND, TN3270E_OP_DEVICE_TYPE]]);
            }
            (TEL_WONT, OPT_TN3270E) => {
                if self.peer.their_tn3270e {
                    out.extend([TEL_IAC, TEL_DONT, OPT_TN3270E]);
                }
                self.peer.their_tn3270e = false;
                out.extend([TEL_IAC, TEL_DO, OPT_TERMINAL_TYPE]);
            }
            (TEL_WILL, OPT_STARTTLS) if self.offer.starttls != StartTls::No && !self.peer.their_starttls => {
                self.peer.their_starttls = true;
                push_subnegotiation(out, &[&[OPT_STARTTLS, TLS_FOLLOWS]]);
            }
            (TEL_WONT, OPT_STARTTLS) => match self.offer.starttls {
                StartTls::Required => return Outcome::Rejected("This port needs TLS: use a client that supports STARTTLS.".to_string()),
                StartTls::Offered if !self.peer.has_refused_starttls && !self.peer.their_starttls => {
                    self.peer.has_refused_starttls = true;
                    out.extend(first_request(self.offer));
                }
                StartTls::Offered | StartTls::No => {}
            },
            (TEL_WILL, OPT_TERMINAL_TYPE) if !self.peer.their_terminal_type => {
                self.peer.their_terminal_type = true;
                push_subnegotiation(out, &[&[OPT_TERMINAL_TYPE, TTYPE_SEND]]);
            }
            (TEL_WILL, OPT_EOR) => self.peer.their_eor = true,
            (TEL_DO, OPT_EOR) => self.peer.our_eor = true,
            (TEL_WILL, OPT_BINARY) => self.peer.their_binary = true,
            (TEL_DO, OPT_BINARY) => self.peer.our_binary = true,
            (TEL_WONT, OPT_TERMINAL_TYPE | OPT_EOR | OPT_BINARY) | (TEL_DONT, OPT_EOR | OPT_BINARY) => return self.reject(),
            // A mark is acknowledged at once (RFC 860); the answer to our own probe needs no reply.
            (TEL_DO, OPT_TIMING_MARK) => out.extend([TEL_IAC, TEL_WILL, OPT_TIMING_MARK]),
            (TEL_WILL | TEL_WONT, OPT_TIMING_MARK) => {}
            (TEL_WILL, OPT_TN3270E | OPT_TERMINAL_TYPE | OPT_STARTTLS) => {}
            (TEL_WILL, other) => out.extend([TEL_IAC, TEL_DONT, other]),
            (TEL_DO, other) => out.extend([TEL_IAC, TEL_WONT, other]),
            _ => {}
        }
        self.transport_complete()
    }

    fn transport_complete(&mut self) -> Outcome {
        let peer = &self.peer;
        let agreed = peer.their_eor && peer.our_eor && peer.their_binary && peer.our_binary;
        match &self.device {
            Some(device) if agreed && self.transport_asked => {
                self.transport_asked = false;
                Outcome::Established(established(device, false, Vec::new()))
            }
            _ => Outcome::Continue,
        }
    }

    /// Traditional TN3270: `IBM-3278-2-E`, or `IBM-3278-2-E@LUNAME` (RFC 1646). A client may offer several; the last one
    /// repeated ends the list.
    fn terminal_type(&mut self, name: &[u8], out: &mut Vec<u8>, assign: Assign) -> Outcome {
        let name = String::from_utf8_lossy(name).to_ascii_uppercase();
        let (terminal_type, requested) = name.split_once('@').map_or((name.as_str(), None), |(kind, lu)| (kind, Some(lu.to_string())));
        let Some((model, extended)) = Model::parse(terminal_type) else {
            self.terminal_type_count += 1;
            if self.last_terminal_type.as_deref() == Some(&name) || self.terminal_type_count > TERMINAL_TYPE_COUNT_MAX {
                return self.reject();
            }
            self.last_terminal_type = Some(name);
            push_subnegotiation(out, &[&[OPT_TERMINAL_TYPE, TTYPE_SEND]]);
            return Outcome::Continue;
        };
        let request = LuRequest {
            name: requested.filter(|name| !name.is_empty()),
            terminal_type: terminal_type.to_string(),
            model,
            extended,
            peer: self.peer_address,
            tn3270e: false,
        };
        self.name_terminal(request, out, assign)
    }

    fn name_terminal(&mut self, request: LuRequest, out: &mut Vec<u8>, assign: Assign) -> Outcome {
        let (model, extended) = (request.model, request.extended);
        match self.assign(&request, assign) {
            Ok(lu) => {
                self.device = Some(Device { terminal_type: request.terminal_type, model, extended, lu });
                self.transport_asked = true;
                for option in [OPT_EOR, OPT_BINARY] {
                    out.extend([TEL_IAC, TEL_DO, option, TEL_IAC, TEL_WILL, option]);
                }
                self.transport_complete()
            }
            Err(Unassigned::Later) => {
                self.waiting = Some(request);
                Outcome::Continue
            }
            Err(Unassigned::Refused(refusal)) => Outcome::Rejected(refusal.text().to_string()),
        }
    }

    fn assign(&self, request: &LuRequest, assign: Assign) -> Result<String, Unassigned> {
        if request.name.as_ref().is_some_and(|name| !is_lu_name(name)) {
            return Err(Unassigned::Refused(LuRefusal::UnknownName));
        }
        assign(request)
    }

    fn tn3270e(&mut self, message: &[u8], out: &mut Vec<u8>, assign: Assign) -> Outcome {
        match message {
            [TN3270E_OP_DEVICE_TYPE, TN3270E_OP_REQUEST, rest @ ..] => {
                self.device_type(rest, out, assign);
                Outcome::Continue
            }
            [TN3270E_OP_FUNCTIONS, TN3270E_OP_REQUEST, list @ ..] => self.functions_requested(list, out),
            [TN3270E_OP_FUNCTIONS, TN3270E_OP_IS, list @ ..] => self.functions_agreed(list),
            _ => Outcome::Continue,
        }
    }

    fn device_type(&mut self, request: &[u8], out: &mut Vec<u8>, assign: Assign) {
        if self.device.is_some() || self.waiting.is_some() {
            return refuse(out, TN3270E_REASON_UNSUPPORTED_REQ);
        }
        // The type is printable; CONNECT (1) or ASSOCIATE (0) ends it.
        let end = request.iter().position(|&byte| byte <= TN3270E_OP_CONNECT).unwrap_or(request.len());
        let (kind, rest) = request.split_at(end);
        let terminal_type = String::from_utf8_lossy(kind).to_ascii_uppercase();
        let Some((model, extended)) = Model::parse(&terminal_type) else { return refuse(out, TN3270E_REASON_INV_DEVICE_TYPE) };
        let name = match rest {
            [] => None,
            [TN3270E_OP_CONNECT, name @ ..] => Some(String::from_utf8_lossy(name).to_ascii_uppercase()).filter(|name| !name.is_empty()),
            _ => return refuse(out, TN3270E_REASON_INV_ASSOCIATE),
        };
        self.name_device(LuRequest { name, terminal_type, model, extended, peer: self.peer_address, tn3270e: true }, out, assign);
    }

    fn name_device(&mut self, request: LuRequest, out: &mut Vec<u8>, assign: Assign) -> Outcome {
        let (model, extended) = (request.model, request.extended);
        match self.assign(&request, assign) {
            Ok(lu) => {
                push_subnegotiation(
                    out,
                    &[
                        &[OPT_TN3270E, TN3270E_OP_DEVICE_TYPE, TN3270E_OP_IS],
                        request.terminal_type.as_bytes(),
                        &[TN3270E_OP_CONNECT],
                        lu.as_bytes(),
                    ],
                );
                self.device = Some(Device { terminal_type: request.terminal_type, model, extended, lu });
            }
            Err(Unassigned::Later) => self.waiting = Some(request),
            Err(Unassigned::Refused(refusal)) => refuse(out, refusal.reason_code()),
        }
        Outcome::Continue
    }

    fn functions_requested(&mut self, list: &[u8], out: &mut Vec<u8>) -> Outcome {
        let Some(device) = &self.device else { return Outcome::Continue };
        let agreed: Vec<u8> = supported(device).iter().copied().filter(|function| list.contains(function)).collect();
        if list.iter().all(|function| agreed.contains(function)) {
            push_subnegotiation(out, &[&[OPT_TN3270E, TN3270E_OP_FUNCTIONS, TN3270E_OP_IS], list]);
            return self.functions_agreed(list);
        }
        push_subnegotiation(out, &[&[OPT_TN3270E, TN3270E_OP_FUNCTIONS, TN3270E_OP_REQUEST], &agreed]);
        Outcome::Continue
    }

    fn functions_agreed(&mut self, list: &[u8]) -> Outcome {
        let Some(device) = &self.device else { return Outcome::Continue };
        if list.iter().any(|function| !supported(device).contains(function)) {
            return Outcome::Rejected("The TN3270E functions cannot be agreed.".to_string());
        }
        Outcome::Established(established(device, true, list.to_vec()))
    }
}

fn first_request(offer: Offer) -> [u8; 3] {
    [TEL_IAC, TEL_DO, if offer.tn3270e { OPT_TN3270E } else { OPT_TERMINAL_TYPE }]
}

/// DEVICE-TYPE REJECT.
fn refuse(out: &mut Vec<u8>, code: u8) {
    push_subnegotiation(out, &[&[OPT_TN3270E, TN3270E_OP_DEVICE_TYPE, TN3270E_OP_REJECT, TN3270E_OP_REASON, code]]);
}

fn supported(device: &Device) -> &'static [u8] {
    if device.model == Model::Printer { PRINTER_FUNCTIONS_SUPPORTED } else { FUNCTIONS_SUPPORTED }
}

/// Where a BIND has the type of the LU (PS profile).
const BIND_LU_TYPE_OFFSET: usize = 14;

/// The BIND for a terminal: its LU type, with Query, 24x80 and the terminal's own alternate size.
pub fn bind_image(application_name: &str, lu_type: LuType) -> Vec<u8> {
    let name = codepage::CCSID_037.encode(&application_name.chars().take(8).collect::<String>());
    let mut bind = vec![0x31, 0x01, 0x03, 0x03, 0xB1, 0x90, 0x30, 0x80, 0x00, 0x00, 0x87, 0xF8, 0x00, 0x00, 0x02, 0x80, 0, 0, 0, 0];
    bind[BIND_LU_TYPE_OFFSET] = lu_type as u8;
    // Default rows and columns, alternate (implied), size code 03, no compression, no cryptography.
    bind.extend([24, 80, 0, 0, 0x03, 0x00, 0x00, name.len() as u8]);
    bind.extend(name);
    // No user data, no request correlation, no secondary LU name.
    bind.extend([0, 0, 0]);
    bind
}

fn established(device: &Device, tn3270e: bool, functions: Vec<u8>) -> Established {
    Established {
        tn3270e,
        functions,
        terminal_type: device.terminal_type.clone(),
        model: device.model,
        extended: device.extended,
        lu: device.lu.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn start(tn3270e: bool) -> (Negotiation, Vec<u8>) {
        let mut out = Vec::new();
        let offer = Offer { tn3270e, starttls: StartTls::No };
        let negotiation = Negotiation::start("127.0.0.1:1".parse().unwrap(), offer, "no", &mut out);
        (negotiation, out)
    }

    fn start_with_tls(starttls: StartTls) -> Negotiation {
        let mut out = Vec::new();
        let offer = Offer { tn3270e: true, starttls };
        let negotiation = Negotiation::start("127.0.0.1:1".parse().unwrap(), offer, "no", &mut out);
        assert_eq!(out, [0xFF, 0xFD, 46]);
        negotiation
    }

    #[test]
    fn tls_follows_when_both_have_said_so() {
        let mut negotiation = start_with_tls(StartTls::Offered);
        // Before the option is agreed the subnegotiation means nothing.
        assert_eq!(step(&mut negotiation, TelnetEvent::Subnegotiation(&[46, 1])).0, Outcome::Continue);
        assert_eq!(step(&mut negotiation, option(TEL_WILL, OPT_STARTTLS)).1, [0xFF, 0xFA, 46, 1, 0xFF, 0xF0]);
        assert_eq!(step(&mut negotiation, option(TEL_WILL, OPT_STARTTLS)).1, []);
        assert_eq!(step(&mut negotiation, TelnetEvent::Subnegotiation(&[46, 1])).0, Outcome::StartTls);
    }

    #[test]
    fn a_client_without_starttls_goes_on_or_is_refused() {
        let mut negotiation = start_with_tls(StartTls::Offered);
        assert_eq!(step(&mut negotiation, option(TEL_WONT, OPT_STARTTLS)), (Outcome::Continue, vec![0xFF, 0xFD, 40]));
        assert_eq!(step(&mut negotiation, option(TEL_WONT, OPT_STARTTLS)).1, []);
        let mut negotiation = start_with_tls(StartTls::Required);
        // One that goes on as if nothing had been asked gets no answer.
        let request = [&[40, 2, 7][..], b"IBM-3278-2-E"].concat();
        for event in [option(TEL_WILL, OPT_TN3270E), TelnetEvent::Subnegotiation(&request), option(TEL_WILL, OPT_TERMINAL_TYPE)] {
            assert_eq!(step(&mut negotiation, event), (Outcome::Continue, vec![]));
        }
        assert!(matches!(step(&mut negotiation, option(TEL_WONT, OPT_STARTTLS)).0, Outcome::Rejected(text) if text.contains("TLS")));
    }

    #[test]
    fn a_name_may_be_given_later() {
        let (mut negotiation, _) = start(true);
        step(&mut negotiation, option(TEL_WILL, OPT_TN3270E));
        let request = [&[40, 2, 7][..], b"IBM-3278-2-E", &[1], b"LATER"].concat();
        assert_eq!(step(&mut negotiation, TelnetEvent::Subnegotiation(&request)), (Outcome::Continue, vec![]));
        // Another request meanwhile is refused.
        assert_eq!(step(&mut negotiation, TelnetEvent::Subnegotiation(&request)).1, [0xFF, 0xFA, 40, 2, 6, 5, 7, 0xFF, 0xF0]);
        let mut out = Vec::new();
        negotiation.retry(&mut out, &mut |request| Ok(request.name.clone().unwrap()));
        assert_eq!(out, [&[0xFF, 0xFA, 40, 2, 4][..], b"IBM-3278-2-E", &[1], b"LATER", &[0xFF, 0xF0]].concat());
        out.clear();
        assert_eq!(negotiation.retry(&mut out, &mut |_| Err(Unassigned::Later)), Outcome::Continue);
        assert_eq!(out, []);
    }

    fn step(negotiation: &mut Negotiation, event: TelnetEvent) -> (Outcome, Vec<u8>) {
        let mut out = Vec::new();
        let outcome = negotiation.event(&event, &mut out, &mut |request| match request.name.as_deref() {
            Some("TAKEN") => Err(Unassigned::Refused(LuRefusal::InUse)),
            Some("LATER") => Err(Unassigned::Later),
            Some(name) => Ok(name.to_string()),
            None => Ok("TCP00001".to_string()),
        });
        (outcome, out)
    }

    fn option(verb: u8, option: u8) -> TelnetEvent<'static> {
        TelnetEvent::Option { verb, option }
    }

    #[test]
    fn tn3270e() {
        let (mut negotiation, out) = start(true);
        assert_eq!(out, [0xFF, 0xFD, 40]);
        let (_, out) = step(&mut negotiation, option(TEL_WILL, OPT_TN3270E));
        assert_eq!(out, [0xFF, 0xFA, 40, 8, 2, 0xFF, 0xF0]);
        let request = [&[40, 2, 7][..], b"IBM-3278-4-E", &[1], b"TAKEN"].concat();
        let (_, out) = step(&mut negotiation, TelnetEvent::Subnegotiation(&request));
        assert_eq!(out, [0xFF, 0xFA, 40, 2, 6, 5, 1, 0xFF, 0xF0]);
        let request = [&[40, 2, 7][..], b"IBM-3278-4-E", &[1], b"mine"].concat();
        let (_, out) = step(&mut negotiation, TelnetEvent::Subnegotiation(&request));
        assert_eq!(out, [&[0xFF, 0xFA, 40, 2, 4][..], b"IBM-3278-4-E", &[1], b"MINE", &[0xFF, 0xF0]].concat());
        let (_, out) = step(&mut negotiation, TelnetEvent::Subnegotiation(&[40, 3, 7, 1, 2, 4]));
        assert_eq!(out, [0xFF, 0xFA, 40, 3, 7, 2, 4, 0xFF, 0xF0]);
        let (outcome, _) = step(&mut negotiation, TelnetEvent::Subnegotiation(&[40, 3, 4, 2, 4]));
        let Outcome::Established(session) = outcome else { panic!("{outcome:?}") };
        assert_eq!((session.lu.as_str(), session.model, session.extended, session.tn3270e), ("MINE", Model::Four, true, true));
        assert_eq!(session.functions, [2, 4]);
    }

    #[test]
    fn tn3270_and_late_options() {
        let (mut negotiation, _) = start(true);
        let (_, out) = step(&mut negotiation, option(TEL_WONT, OPT_TN3270E));
        assert_eq!(out, [0xFF, 0xFD, 24]);
        step(&mut negotiation, option(TEL_WILL, OPT_TERMINAL_TYPE));
        let (_, out) = step(&mut negotiation, TelnetEvent::Subnegotiation(b"\x18\x00IBM-3279-2@LU1"));
        assert_eq!(out.len(), 12);
        for (verb, opt) in [(TEL_WILL, OPT_EOR), (TEL_DO, OPT_EOR), (TEL_WILL, OPT_BINARY)] {
            assert_eq!(step(&mut negotiation, option(verb, opt)).0, Outcome::Continue);
        }
        let (outcome, _) = step(&mut negotiation, option(TEL_DO, OPT_BINARY));
        assert!(matches!(outcome, Outcome::Established(Established { tn3270e: false, ref lu, .. }) if lu == "LU1"), "{outcome:?}");
        let (outcome, out) = step(&mut negotiation, option(TEL_DO, OPT_TIMING_MARK));
        assert_eq!((outcome, out), (Outcome::Continue, vec![0xFF, 0xFB, 6]));
        assert_eq!(step(&mut negotiation, option(TEL_DO, OPT_ECHO)).1, [0xFF, 0xFC, 1]);
    }

    #[test]
    fn rejections() {
        let (mut negotiation, out) = start(false);
        assert_eq!(out, [0xFF, 0xFD, 24]);
        assert_eq!(step(&mut negotiation, option(TEL_WONT, OPT_TERMINAL_TYPE)).0, Outcome::Rejected("no".into()));
        let (mut negotiation, _) = start(false);
        step(&mut negotiation, option(TEL_WILL, OPT_TERMINAL_TYPE));
        assert_eq!(step(&mut negotiation, TelnetEvent::Subnegotiation(b"\x18\x00XTERM")).1.len(), 6);
        assert_eq!(step(&mut negotiation, TelnetEvent::Subnegotiation(b"\x18\x00XTERM")).0, Outcome::Rejected("no".into()));
        let (mut negotiation, _) = start(false);
        for _ in 0..MESSAGE_COUNT_MAX {
            assert_eq!(step(&mut negotiation, option(TEL_DO, 99)).0, Outcome::Continue);
        }
        assert!(matches!(step(&mut negotiation, option(TEL_DO, 99)).0, Outcome::Rejected(_)));
    }

    proptest! {
        #[test]
        fn any_messages_are_survived(
            messages in proptest::collection::vec(proptest::collection::vec(prop_oneof![0u8..9, any::<u8>()], 0..20), 0..60),
        ) {
            let (mut negotiation, _) = start(true);
            step(&mut negotiation, option(TEL_WILL, OPT_TN3270E));
            for mut message in messages {
                if let [first, second, ..] = message[..] {
                    step(&mut negotiation, option(first | 0xFB, second));
                    message[0] = if first & 1 == 0 { OPT_TN3270E } else { OPT_TERMINAL_TYPE };
                }
                step(&mut negotiation, TelnetEvent::Subnegotiation(&message));
            }
        }
    }
}
