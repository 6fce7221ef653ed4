//! Client side of TN3270 and TN3270E without sockets: bytes in, events and bytes out. Used by `Client` and by `Driver`.

use bms::Model;
use bms::constants::*;

use crate::session::RecordKind;
use crate::telnet::{Telnet, TelnetError, TelnetEvent, push_record, push_subnegotiation};

const RECORD_LENGTH_MAX: usize = 1 << 20;
/// Host text kept for an error message.
const NVT_LENGTH_MAX: usize = 2_000;

#[derive(Debug, Clone)]
pub struct ClientConfig {
    pub model: Model,
    /// Terminal type with -E: colour, highlighting, Query.
    pub extended: bool,
    /// Take TN3270E when the host offers it.
    pub tn3270e: bool,
    pub lu: Option<String>,
    /// Rows and columns of IBM-DYNAMIC.
    pub dynamic_size: Option<bms::ScreenSize>,
    /// Terminal type to claim instead of the model's (tests of refusals).
    pub terminal_type: Option<String>,
}

impl Default for ClientConfig {
    fn default() -> ClientConfig {
        ClientConfig { model: Model::Two, extended: true, tn3270e: true, lu: None, dynamic_size: None, terminal_type: None }
    }
}

impl ClientConfig {
    pub fn capabilities(&self) -> bms::Capabilities {
        let mut capabilities = bms::Capabilities::of_model(self.model, self.extended);
        if let (Model::Dynamic, Some(size)) = (self.model, self.dynamic_size) {
            capabilities.alternate_size = size;
        }
        capabilities
    }

    fn terminal_type(&self) -> String {
        self.terminal_type.clone().unwrap_or_else(|| self.model.terminal_type(self.extended))
    }
}

#[derive(Debug, PartialEq, Eq)]
pub enum ClientEvent<'a> {
    /// Negotiation is done; the LU name if the host gave one.
    Connected {
        lu: Option<String>,
    },
    Record {
        kind: RecordKind,
        data: &'a [u8],
    },
    /// The host refused the device type or name (TN3270E reason code).
    Refused {
        reason: u8,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ClientProtocolError {
    #[error(transparent)]
    Telnet(#[from] TelnetError),
    #[error("record shorter than its TN3270E header")]
    Header,
}

#[derive(Default)]
struct Agreed {
    their_eor: bool,
    our_eor: bool,
    their_binary: bool,
    our_binary: bool,
    terminal_type_sent: bool,
}

/// State of one connection after the telnet layer.
struct Dialogue {
    config: ClientConfig,
    agreed: Agreed,
    tn3270e: bool,
    connected: bool,
    lu: Option<String>,
    functions: Vec<u8>,
    sequence: u16,
    nvt: Vec<u8>,
}

pub struct ClientProtocol {
    telnet: Telnet,
    dialogue: Dialogue,
}

impl ClientProtocol {
    pub fn new(config: ClientConfig) -> ClientProtocol {
        ClientProtocol {
            telnet: Telnet::new(RECORD_LENGTH_MAX),
            dialogue: Dialogue {
                config,
                agreed: Agreed::default(),
                tn3270e: false,
                connected: false,
                lu: None,
                functions: Vec::new(),
                sequence: 0,
                nvt: Vec::new(),
            },
        }
    }

    pub fn is_connected(&self) -> bool {
        self.dialogue.connected
    }

    pub fn is_tn3270e(&self) -> bool {
        self.dialogue.tn3270e
    }

    pub fn lu(&self) -> Option<&str> {
        self.dialogue.lu.as_deref()
    }

    /// Text the host sent before the session was connected (a refusal).
    pub fn host_text(&self) -> String {
        String::from_utf8_lossy(&self.dialogue.nvt).trim().to_string()
    }

    /// Takes bytes from the host; what must be sent back goes into `out`.
    pub fn feed(
        &mut self,
        bytes: &[u8],
        out: &mut Vec<u8>,
        mut sink: impl FnMut(ClientEvent, &mut Outgoing),
    ) -> Result<(), ClientProtocolError> {
        let dialogue = &mut self.dialogue;
        if !dialogue.connected && !dialogue.tn3270e {
            let room = NVT_LENGTH_MAX - dialogue.nvt.len();
            dialogue.nvt.extend(bytes.iter().copied().filter(|byte| matches!(byte, 0x0A | 0x0D | 0x20..=0x7E)).take(room));
        }
        self.telnet.feed(bytes, |event| dialogue.event(event, out, &mut sink))
    }

    /// Frames a 3270 record (AID, cursor, fields).
    pub fn push_data(&mut self, record: &[u8], out: &mut Vec<u8>) {
        self.dialogue.outgoing(out).data(record);
    }

    /// ATTN key.
    pub fn push_attention(&self, out: &mut Vec<u8>) {
        out.extend([TEL_IAC, if self.dialogue.tn3270e { TEL_IP } else { TEL_BREAK }]);
    }
}

/// Lets an event handler answer at once.
pub struct Outgoing<'a> {
    out: &'a mut Vec<u8>,
    tn3270e: bool,
    sequence: &'a mut u16,
}

impl<'a> Outgoing<'a> {
    /// For events of a session that has ended: replies are dropped.
    pub(crate) fn nowhere(out: &'a mut Vec<u8>, sequence: &'a mut u16) -> Outgoing<'a> {
        Outgoing { out, tn3270e: false, sequence }
    }

    /// Frames a 3270 record.
    pub fn data(&mut self, record: &[u8]) {
        if self.tn3270e {
            let [high, low] = self.sequence.to_be_bytes();
            *self.sequence = self.sequence.wrapping_add(1) & 0x7FFF;
            push_record(self.out, &[TN3270E_DT_3270_DATA, 0, 0, high, low], record);
        } else {
            push_record(self.out, &[], record);
        }
    }
}

impl Dialogue {
    fn outgoing<'a>(&'a mut self, out: &'a mut Vec<u8>) -> Outgoing<'a> {
        Outgoing { out, tn3270e: self.tn3270e, sequence: &mut self.sequence }
    }

    fn event(
        &mut self,
        event: TelnetEvent,
        out: &mut Vec<u8>,
        sink: &mut impl FnMut(ClientEvent, &mut Outgoing),
    ) -> Result<(), ClientProtocolError> {
        match event {
            TelnetEvent::Option { verb, option } => {
                self.option(verb, option, out);
                self.check_transport(out, sink);
            }
            TelnetEvent::Subnegotiation([OPT_TERMINAL_TYPE, TTYPE_SEND]) => {
                let mut name = self.config.terminal_type();
                if let Some(lu) = &self.config.lu {
                    name = format!("{name}@{lu}");
                }
                push_subnegotiation(out, &[&[OPT_TERMINAL_TYPE, TTYPE_IS], name.as_bytes()]);
                self.agreed.terminal_type_sent = true;
            }
            TelnetEvent::Subnegotiation([OPT_TN3270E, message @ ..]) => self.tn3270e_message(message, out, sink),
            TelnetEvent::Record(record) => return self.record(record, out, sink),
            _ => {}
        }
        Ok(())
    }

    fn option(&mut self, verb: u8, option: u8, out: &mut Vec<u8>) {
        let answer = match (verb, option) {
            (TEL_DO, OPT_TN3270E) if self.config.tn3270e => {
                self.tn3270e = true;
                TEL_WILL
            }
            (TEL_DO, OPT_TERMINAL_TYPE | OPT_TIMING_MARK) => TEL_WILL,
            (TEL_DO, OPT_EOR) => {
                self.agreed.our_eor = true;
                TEL_WILL
            }
            (TEL_DO, OPT_BINARY) => {
                self.agreed.our_binary = true;
                TEL_WILL
            }
            (TEL_WILL, OPT_EOR) => {
                self.agreed.their_eor = true;
                TEL_DO
            }
            (TEL_WILL, OPT_BINARY) => {
                self.agreed.their_binary = true;
                TEL_DO
            }
            (TEL_DONT, OPT_TN3270E) => {
                self.tn3270e = false;
                TEL_WONT
            }
            (TEL_DO, _) => TEL_WONT,
            (TEL_WILL, _) => TEL_DONT,
            _ => return,
        };
        out.extend([TEL_IAC, answer, option]);
    }

    fn check_transport(&mut self, out: &mut Vec<u8>, sink: &mut impl FnMut(ClientEvent, &mut Outgoing)) {
        let agreed = &self.agreed;
        let all = agreed.their_eor && agreed.our_eor && agreed.their_binary && agreed.our_binary && agreed.terminal_type_sent;
        if all && !self.tn3270e && !self.connected {
            self.connected = true;
            sink(ClientEvent::Connected { lu: None }, &mut self.outgoing(out));
        }
    }

    fn tn3270e_message(&mut self, message: &[u8], out: &mut Vec<u8>, sink: &mut impl FnMut(ClientEvent, &mut Outgoing)) {
        match message {
            [TN3270E_OP_SEND, TN3270E_OP_DEVICE_TYPE] => {
                let name = self.config.terminal_type();
                let mut parts: Vec<&[u8]> = vec![&[OPT_TN3270E, TN3270E_OP_DEVICE_TYPE, TN3270E_OP_REQUEST], name.as_bytes()];
                if let Some(lu) = &self.config.lu {
                    parts.extend([&[TN3270E_OP_CONNECT][..], lu.as_bytes()]);
                }
                push_subnegotiation(out, &parts);
            }
            [TN3270E_OP_DEVICE_TYPE, TN3270E_OP_IS, rest @ ..] => {
                if let Some(place) = rest.iter().position(|&byte| byte == TN3270E_OP_CONNECT) {
                    self.lu = Some(String::from_utf8_lossy(&rest[place + 1..]).to_string());
                }
                push_subnegotiation(
                    out,
                    &[&[OPT_TN3270E, TN3270E_OP_FUNCTIONS, TN3270E_OP_REQUEST, TN3270E_FUNC_RESPONSES, TN3270E_FUNC_SYSREQ]],
                );
            }
            [TN3270E_OP_DEVICE_TYPE, TN3270E_OP_REJECT, TN3270E_OP_REASON, reason] => {
                sink(ClientEvent::Refused { reason: *reason }, &mut self.outgoing(out));
            }
            [TN3270E_OP_FUNCTIONS, TN3270E_OP_REQUEST, list @ ..] => {
                push_subnegotiation(out, &[&[OPT_TN3270E, TN3270E_OP_FUNCTIONS, TN3270E_OP_IS], list]);
                self.agreed_functions(list, out, sink);
            }
            [TN3270E_OP_FUNCTIONS, TN3270E_OP_IS, list @ ..] => self.agreed_functions(list, out, sink),
            _ => {}
        }
    }

    fn agreed_functions(&mut self, list: &[u8], out: &mut Vec<u8>, sink: &mut impl FnMut(ClientEvent, &mut Outgoing)) {
        self.functions = list.to_vec();
        if !self.connected {
            self.connected = true;
            let lu = self.lu.clone();
            sink(ClientEvent::Connected { lu }, &mut self.outgoing(out));
        }
    }

    fn record(
        &mut self,
        record: &[u8],
        out: &mut Vec<u8>,
        sink: &mut impl FnMut(ClientEvent, &mut Outgoing),
    ) -> Result<(), ClientProtocolError> {
        if !self.connected {
            return Ok(());
        }
        if !self.tn3270e {
            sink(ClientEvent::Record { kind: RecordKind::Data, data: record }, &mut self.outgoing(out));
            return Ok(());
        }
        let (header, data) = record.split_at_checked(EH_SIZE as usize).ok_or(ClientProtocolError::Header)?;
        let kind = match header[0] {
            TN3270E_DT_3270_DATA => RecordKind::Data,
            TN3270E_DT_SSCP_LU_DATA => RecordKind::SscpLu,
            _ => return Ok(()),
        };
        sink(ClientEvent::Record { kind, data }, &mut self.outgoing(out));
        if header[2] == TN3270E_RSF_ALWAYS_RESPONSE {
            push_record(out, &[TN3270E_DT_RESPONSE, 0, TN3270E_RSF_POSITIVE_RESPONSE, header[3], header[4]], &[TN3270E_POS_DEVICE_END]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_bytes_are_survived(
            bytes in proptest::collection::vec(prop_oneof![any::<u8>(), Just(0xFF), Just(0xFA), Just(40u8)], 0..1000),
        ) {
            let mut protocol = ClientProtocol::new(ClientConfig::default());
            let mut out = Vec::new();
            let _ = protocol.feed(&bytes, &mut out, |_, _| {});
            prop_assert!(out.len() <= bytes.len() * 10 + 100);
        }
    }
}
