//! One client's part of TN3270: telnet, negotiation, the Query, then records to the handler; and the limits of time that go with them.
//! Invariants: a handler that has seen `connected` sees `disconnected` once; the LU name is released with the session.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bms::constants::*;
use bms::inbound::Body;
use bms::{Capabilities, Inbound};
use sockets::{CloseReason, End};

use crate::common::{Common, Holder, NotAssigned};
use crate::config::{Config, Encryption, LuRefusal, LuRequest};
use crate::negotiation::{Established, LuType, Negotiation, Offer, Outcome, StartTls, Unassigned};
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
    /// The client changes to TLS.
    StartTls,
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
    /// What the others see of it.
    holder: Holder,
    contest: Option<Contest>,
}

/// Another session has the name that this one asks for: it gets it if the other does not answer a probe in time.
struct Contest {
    holder: Holder,
    heard_before: u64,
    deadline: Instant,
}

impl Contest {
    fn with(holder: Holder, config: &Config) -> Contest {
        holder.session.send_raw(&PROBE);
        let heard_before = holder.heard();
        Contest { holder, heard_before, deadline: Instant::now() + config.takeover_timeout }
    }

    fn is_lost(&self) -> bool {
        self.holder.heard() != self.heard_before
    }
}

/// Every telnet client answers this, whether it has the option or not (RFC 860).
const PROBE: [u8; 3] = [TEL_IAC, TEL_DO, OPT_TIMING_MARK];

/// What is offered to a client, which may have changed to TLS already.
fn offer(config: &Config, is_encrypted: bool) -> Offer {
    let starttls = match config.encryption {
        Encryption::OnRequest { required, .. } if !is_encrypted => {
            if required {
                StartTls::Required
            } else {
                StartTls::Offered
            }
        }
        _ => StartTls::No,
    };
    Offer { tn3270e: config.tn3270e, starttls }
}

/// Names a terminal; a name that another session has is contested first.
fn assign(common: &Common, to: &Holder, contest: &mut Option<Contest>, request: &LuRequest) -> Result<String, Unassigned> {
    match common.assign(request, to) {
        Ok(name) => {
            *contest = None;
            Ok(name)
        }
        Err(NotAssigned::Refused(refusal)) => Err(Unassigned::Refused(refusal)),
        Err(NotAssigned::Taken(_)) if contest.as_ref().is_some_and(Contest::is_lost) => {
            *contest = None;
            Err(Unassigned::Refused(LuRefusal::InUse))
        }
        Err(NotAssigned::Taken(holder)) => {
            if contest.is_none() {
                *contest = Some(Contest::with(holder, &common.config));
            }
            Err(Unassigned::Later)
        }
    }
}

impl Conversation {
    pub fn begin(common: Arc<Common>, session: Session) -> Conversation {
        let config = &common.config;
        let negotiation = begin_negotiation(config, &session, false);
        let now = Instant::now();
        let holder = Holder::new(session.clone());
        Conversation {
            telnet: Telnet::new(config.record_length_max),
            terminal: Terminal { common, session, negotiation, phase: Phase::Negotiating, lu: None, holder, contest: None },
            begun_at: now,
            partial_since: None,
            heard_at: now,
            probed_at: None,
        }
    }

    /// How a session ends.
    fn end(&mut self, stop: Stop) -> End {
        match stop {
            Stop::Rejected(text) => {
                self.terminal.session.send_raw(format!("\r\n{text}\r\n").as_bytes());
                End::AfterSending(CloseReason::Protocol)
            }
            Stop::Protocol | Stop::StartTls => End::AtOnce(CloseReason::Protocol),
        }
    }

    /// The rest of what the client has sent is TLS; then everything begins anew. What was negotiated in plain text is forgotten.
    fn start_tls(&mut self, rest: &[u8]) -> Result<(), End> {
        let common = self.terminal.common.clone();
        let Encryption::OnRequest { tls, .. } = &common.config.encryption else { return Err(self.end(Stop::Protocol)) };
        if self.terminal.session.start_tls(tls, rest).is_err() {
            return Err(self.end(Stop::Protocol));
        }
        self.telnet = Telnet::new(common.config.record_length_max);
        self.partial_since = None;
        self.terminal.negotiation = begin_negotiation(&common.config, &self.terminal.session, true);
        Ok(())
    }
}

fn begin_negotiation(config: &Config, session: &Session, is_encrypted: bool) -> Negotiation {
    let mut out = Vec::new();
    let negotiation = Negotiation::start(session.peer(), offer(config, is_encrypted), &config.rejection_text, &mut out);
    session.send_raw(&out);
    negotiation
}

impl sockets::Conversation for Conversation {
    fn received(&mut self, bytes: &[u8]) -> Result<(), End> {
        let now = Instant::now();
        self.heard_at = now;
        self.probed_at = None;
        self.terminal.holder.note_heard();
        let mut progress = false;
        let result = self.telnet.feed(bytes, |event| {
            progress = true;
            self.terminal.event(event)
        });
        let since = self.partial_since.filter(|_| !progress).unwrap_or(now);
        self.partial_since = self.telnet.is_partial().then_some(since);
        match result {
            Err(Stop::StartTls) => self.start_tls(&bytes[bytes.len() - self.telnet.left()..]),
            result => result.map_err(|stop| self.end(stop)),
        }
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
        let contested = self.terminal.go_on_contesting(now);
        contested.map_err(|stop| self.end(stop))?;
        if let Some(interval) = config.probe_interval
            && self.probed_at.is_none()
            && late(Some(self.heard_at), interval)
        {
            self.probed_at = Some(now);
            self.terminal.session.send_raw(&PROBE);
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
        self.negotiate_by(|negotiation, out, assign| negotiation.event(&event, out, assign))
    }

    /// Asks again for a contested name; a holder that has not answered in time loses its session.
    fn go_on_contesting(&mut self, now: Instant) -> Result<(), Stop> {
        let Some(contest) = &self.contest else { return Ok(()) };
        if now >= contest.deadline && !contest.is_lost() {
            contest.holder.session.close();
        }
        self.negotiate_by(Negotiation::retry)
    }

    fn negotiate_by(
        &mut self,
        step: impl FnOnce(&mut Negotiation, &mut Vec<u8>, &mut dyn FnMut(&LuRequest) -> Result<String, Unassigned>) -> Outcome,
    ) -> Result<(), Stop> {
        let mut out = Vec::new();
        let Terminal { common, lu, holder, contest, .. } = self;
        let outcome = step(&mut self.negotiation, &mut out, &mut |request| {
            let name = assign(common, holder, contest, request)?;
            if let Some(earlier) = lu.replace(name.clone()) {
                common.release_name(&earlier);
            }
            Ok(name)
        });
        if !out.is_empty() {
            self.session.send_raw(&out);
        }
        match outcome {
            Outcome::Continue => Ok(()),
            Outcome::StartTls if matches!(self.phase, Phase::Negotiating) && self.lu.is_none() => Err(Stop::StartTls),
            Outcome::StartTls => Err(Stop::Protocol),
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
