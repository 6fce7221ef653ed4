//! One client's part of TN3270: telnet, negotiation, the Query, then records to the handler; and the limits of time that go with them.
//! Invariants: a handler that has seen `connected` sees `disconnected` once; the LU name is released with the session.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bms::constants::*;
use bms::inbound::Body;
use bms::{Capabilities, Inbound};
use sockets::{CloseReason, End};

use crate::common::Common;
use crate::negotiation::{Established, LuType, Negotiation, Outcome};
use crate::session::{Record, RecordKind, Session, SessionInfo};
use crate::telnet::{Telnet, TelnetError, TelnetEvent};

enum Phase {
    Negotiating,
    /// Negotiated; the Query has been sent.
    Querying {
        established: Established,
        capabilities: Capabilities,
        /// A printer of LU type 1.
        scs: bool,
        deadline: Instant,
    },
    Ready {
        tn3270e: bool,
    },
}

/// Why a session ends while its input is looked at.
enum Stop {
    Protocol,
    Rejected(String),
}

impl From<TelnetError> for Stop {
    fn from(_: TelnetError) -> Stop {
        Stop::Protocol
    }
}

/// The bytes of a client, cut into telnet events, and what they mean.
pub(crate) struct Conversation {
    telnet: Telnet,
    terminal: Terminal,
    begun_at: Instant,
    /// A record has been incomplete since.
    partial_since: Option<Instant>,
    heard_at: Instant,
    probed_at: Option<Instant>,
}

struct Terminal {
    common: Arc<Common>,
    session: Session,
    negotiation: Negotiation,
    phase: Phase,
    /// Name taken, to be released.
    lu: Option<String>,
}

impl Conversation {
    pub fn begin(common: Arc<Common>, session: Session) -> Conversation {
        let config = &common.config;
        let mut out = Vec::new();
        let negotiation = Negotiation::start(session.peer(), config.tn3270e, &config.rejection_text, &mut out);
        session.send_raw(&out);
        let now = Instant::now();
        Conversation {
            telnet: Telnet::new(config.record_length_max),
            terminal: Terminal { common, session, negotiation, phase: Phase::Negotiating, lu: None },
            begun_at: now,
            partial_since: None,
            heard_at: now,
            probed_at: None,
        }
    }
}

impl sockets::Conversation for Conversation {
    fn received(&mut self, bytes: &[u8]) -> Result<(), End> {
        let now = Instant::now();
        self.heard_at = now;
        self.probed_at = None;
        let mut progress = false;
        let result = self.telnet.feed(bytes, |event| {
            progress = true;
            self.terminal.event(event)
        });
        let since = self.partial_since.filter(|_| !progress).unwrap_or(now);
        self.partial_since = self.telnet.is_partial().then_some(since);
        result.map_err(|stop| match stop {
            Stop::Rejected(text) => {
                self.terminal.session.send_raw(format!("\r\n{text}\r\n").as_bytes());
                End::AfterSending(CloseReason::Protocol)
            }
            Stop::Protocol => End::AtOnce(CloseReason::Protocol),
        })
    }

    fn time_has_passed(&mut self, now: Instant) -> Result<(), End> {
        let common = self.terminal.common.clone();
        let config = &common.config;
        let late = |since: Option<Instant>, limit: Duration| since.is_some_and(|since| now.duration_since(since) > limit);
        if late(self.partial_since, config.record_timeout) || late(self.probed_at, config.probe_timeout) {
            return Err(End::AtOnce(CloseReason::Timeout));
        }
        if matches!(self.terminal.phase, Phase::Negotiating) && late(Some(self.begun_at), config.negotiation_timeout) {
            return Err(End::AtOnce(CloseReason::Timeout));
        }
        // A terminal that does not answer the Query is used as its type says.
        if matches!(self.terminal.phase, Phase::Querying { deadline, .. } if now >= deadline) {
            self.terminal.connect();
        }
        if let Some(interval) = config.probe_interval
            && self.probed_at.is_none()
            && late(Some(self.heard_at), interval)
        {
            self.probed_at = Some(now);
            self.terminal.session.send_raw(&[TEL_IAC, TEL_DO, OPT_TIMING_MARK]);
        }
        Ok(())
    }

    fn ended(self: Box<Self>, reason: CloseReason) {
        let terminal = &self.terminal;
        if matches!(terminal.phase, Phase::Ready { .. }) {
            terminal.common.handler.disconnected(&terminal.session, reason);
        }
    }
}

/// Also when the handler panics.
impl Drop for Terminal {
    fn drop(&mut self) {
        if let Some(lu) = &self.lu {
            self.common.release_name(lu);
        }
    }
}

impl Terminal {
    fn event(&mut self, event: TelnetEvent) -> Result<(), Stop> {
        match event {
            TelnetEvent::Record(record) => self.record(record),
            TelnetEvent::Command(command) => {
                self.command(command);
                Ok(())
            }
            event => self.negotiate(event),
        }
    }

    fn negotiate(&mut self, event: TelnetEvent) -> Result<(), Stop> {
        let mut out = Vec::new();
        let lu = &mut self.lu;
        let outcome = self.negotiation.event(&event, &mut out, &mut |request| {
            let name = self.common.assign(request)?;
            if let Some(earlier) = lu.replace(name.clone()) {
                self.common.release_name(&earlier);
            }
            Ok(name)
        });
        if !out.is_empty() {
            self.session.send_raw(&out);
        }
        match outcome {
            Outcome::Continue => Ok(()),
            Outcome::Rejected(text) => Err(Stop::Rejected(text)),
            Outcome::Established(established) => {
                if matches!(self.phase, Phase::Negotiating) {
                    self.established(established);
                }
                Ok(())
            }
        }
    }

    fn established(&mut self, established: Established) {
        let capabilities = Capabilities::of_model(established.model, established.extended);
        let query = self.common.config.query && established.extended && !capabilities.printer;
        let tn3270e = established.tn3270e;
        let scs = tn3270e && capabilities.printer && self.common.handler.is_scs_printer(&established.lu);
        let lu_type = match (capabilities.printer, scs) {
            (false, _) => LuType::Display,
            (true, false) => LuType::Printer3270,
            (true, true) => LuType::PrinterScs,
        };
        if established.functions.contains(&TN3270E_FUNC_BIND_IMAGE) {
            let mut out = Vec::new();
            let bind = crate::negotiation::bind_image(&self.common.config.application_name, lu_type);
            crate::telnet::push_record(&mut out, &[TN3270E_DT_BIND_IMAGE, 0, 0, 0, 0], &bind);
            self.session.send_raw(&out);
        }
        self.phase = Phase::Querying { established, capabilities, scs, deadline: Instant::now() + self.common.config.query_timeout };
        if !query {
            return self.connect();
        }
        let mut out = Vec::new();
        let header: &[u8] = if tn3270e { &[TN3270E_DT_3270_DATA, 0, 0, 0, 0] } else { &[] };
        crate::telnet::push_record(&mut out, header, &bms::outbound::query());
        self.session.send_raw(&out);
    }

    /// Hands the session to its user.
    fn connect(&mut self) {
        let Phase::Querying { established, capabilities, scs, .. } = std::mem::replace(&mut self.phase, Phase::Negotiating) else {
            return;
        };
        let info = SessionInfo {
            id: self.session.id(),
            peer: self.session.peer(),
            lu: established.lu,
            terminal_type: established.terminal_type,
            capabilities,
            tn3270e: established.tn3270e,
            functions: established.functions,
            scs,
        };
        self.phase = Phase::Ready { tn3270e: info.tn3270e };
        let info = self.session.set_info(info);
        self.common.handler.connected(&self.session, info);
    }

    fn record(&mut self, record: &[u8]) -> Result<(), Stop> {
        match &mut self.phase {
            Phase::Negotiating => Ok(()),
            Phase::Querying { established, capabilities, .. } => {
                let data = if established.tn3270e { record.get(EH_SIZE as usize..).unwrap_or_default() } else { record };
                let reply = data.first() == Some(&AID_STRF)
                    && matches!(
                        Inbound::parse(data, usize::MAX, bms::address::Addressing::Bits12),
                        Ok(Inbound { body: Body::Structured(ref fields), .. }) if bms::query::apply_query_reply(capabilities, fields)
                    );
                self.connect();
                if reply { Ok(()) } else { self.record(record) }
            }
            Phase::Ready { tn3270e: true } => self.tn3270e_record(record),
            Phase::Ready { tn3270e: false } => {
                self.deliver(RecordKind::Data, record);
                Ok(())
            }
        }
    }

    fn tn3270e_record(&mut self, record: &[u8]) -> Result<(), Stop> {
        let Some((header, data)) = record.split_at_checked(EH_SIZE as usize) else { return Err(Stop::Protocol) };
        let sequence = u16::from_be_bytes([header[3], header[4]]);
        match header[0] {
            TN3270E_DT_3270_DATA => self.deliver(RecordKind::Data, data),
            TN3270E_DT_SSCP_LU_DATA => self.deliver(RecordKind::SscpLu, data),
            TN3270E_DT_RESPONSE => {
                let positive = header[2] == TN3270E_RSF_POSITIVE_RESPONSE;
                self.deliver(RecordKind::Response { sequence, positive }, data);
            }
            _ => {}
        }
        Ok(())
    }

    fn deliver(&mut self, kind: RecordKind, data: &[u8]) {
        if !data.is_empty() || kind != RecordKind::Data {
            self.common.handler.received(&self.session, Record { kind, data });
        }
    }

    fn command(&mut self, command: u8) {
        let ready = matches!(self.phase, Phase::Ready { .. });
        match command {
            TEL_BREAK | TEL_IP if ready => self.deliver(RecordKind::Attention, &[]),
            TEL_AO if ready => self.deliver(RecordKind::SystemRequest, &[]),
            TEL_AYT => self.session.send_raw(&[TEL_IAC, TEL_NOP]),
            _ => {}
        }
    }
}
