//! The beginning of a session: socket, TLS, sign-on; and the request to cancel what a session executes.

use crate::config::{ChannelBinding, Config, SslMode};
use crate::error::{Broken, ConnectError};
use crate::message::Message;
use crate::session::Session;
use crate::stream::{Socket, Stream};
use crate::tls;
use crate::wait::{Interest, Interrupted, Wait};
use postgres_protocol::authentication::md5_hash;
use postgres_protocol::authentication::sasl::{self, ScramSha256};
use postgres_protocol::message::frontend;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, socket_with, sockopt};
use std::net::{SocketAddr, ToSocketAddrs};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The kinds of authentication message (protocol documentation, "Message Formats").
mod authentication {
    pub const OK: i32 = 0;
    pub const CLEARTEXT: i32 = 3;
    pub const MD5: i32 = 5;
    pub const SASL: i32 = 10;
    pub const SASL_CONTINUE: i32 = 11;
    pub const SASL_FINAL: i32 = 12;
}

/// The server's answers to a request for TLS.
const TLS_ACCEPTED: u8 = b'S';
const TLS_REFUSED: u8 = b'N';

impl Session {
    /// Begins a session. It may take as long as `connect_timeout`, and the look-up of a host's name as long as the system lets it.
    pub fn connect(config: &Config, wait: &mut dyn Wait) -> Result<Session, ConnectError> {
        let deadline = config.deadline();
        let mut session = open(config, wait, deadline)?;
        start(&mut session, config)?;
        SignOn { config, scram: None, is_bound: false }.run(&mut session, wait)?;
        session.set_deadline(None);
        Ok(session)
    }

    /// With which another thread asks the server to cancel what this session executes.
    pub fn cancel_token(&self) -> Option<CancelToken> {
        self.key.map(|(process, secret)| CancelToken { config: Arc::clone(&self.config), process, secret })
    }
}

/// A connection, with TLS if it is asked for, on which nothing has been said.
fn open(config: &Config, wait: &mut dyn Wait, deadline: Option<Instant>) -> Result<Session, ConnectError> {
    let (stream, address) = match config.is_unix() {
        true => (open_unix(config, deadline)?, None),
        false => {
            let (stream, address) = open_tcp(config, wait, deadline)?;
            (stream, Some(address.ip().to_string()))
        }
    };
    // A request to cancel must reach this server, even if the name has several addresses.
    let config = Arc::new(Config { address: address.or_else(|| config.address.clone()), ..config.clone() });
    let mut session = Session::new(stream, Arc::clone(&config));
    session.set_deadline(deadline);
    if !config.is_unix() && config.ssl_mode != SslMode::Disable {
        begin_tls(&mut session, &config, wait, deadline)?;
    }
    Ok(session)
}

fn unreachable(config: &Config, error: impl std::fmt::Display) -> ConnectError {
    let place = match config.is_unix() {
        true => config.socket_path(),
        false => format!("{}:{}", config.host, config.port),
    };
    ConnectError::Unreachable { place, why: error.to_string() }
}

/// A connection to a Unix socket is made at once, or waits in the call while the server's backlog is full.
fn open_unix(config: &Config, deadline: Option<Instant>) -> Result<Stream, ConnectError> {
    let made = || -> std::io::Result<Socket> {
        let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)?;
        if let Some(deadline) = deadline {
            let left = deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
            sockopt::set_socket_timeout(&socket, sockopt::Timeout::Send, Some(left))?;
        }
        connect(&socket, &SocketAddrUnix::new(config.socket_path())?)?;
        let socket = UnixStream::from(socket);
        socket.set_nonblocking(true)?;
        Ok(Socket::Unix(socket))
    };
    match made() {
        Ok(socket) => Ok(Stream { socket, tls: None }),
        Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => Err(Broken::Wait(Interrupted::TimedOut).into()),
        Err(error) => Err(unreachable(config, error)),
    }
}

/// The first address that accepts. Each gets its share of the time that is left.
fn open_tcp(config: &Config, wait: &mut dyn Wait, deadline: Option<Instant>) -> Result<(Stream, SocketAddr), ConnectError> {
    let name = config.address.as_deref().unwrap_or(&config.host);
    let addresses = (name, config.port).to_socket_addrs().map_err(|error| unreachable(config, error))?;
    let addresses: Vec<SocketAddr> = addresses.collect();
    let mut last = unreachable(config, "the name has no address");
    for (index, address) in addresses.iter().enumerate() {
        let share = |deadline: Instant| {
            let now = Instant::now();
            now + deadline.saturating_duration_since(now) / (addresses.len() - index) as u32
        };
        match open_address(address, wait, deadline.map(share)) {
            Ok(socket) => return Ok((Stream { socket, tls: None }, *address)),
            Err(Refusal::Wait(Interrupted::Cancelled)) => return Err(Broken::Wait(Interrupted::Cancelled).into()),
            Err(Refusal::Wait(Interrupted::TimedOut)) => last = unreachable(config, "no answer in time"),
            Err(Refusal::Io(error)) => last = unreachable(config, error),
        }
    }
    Err(last)
}

enum Refusal {
    Wait(Interrupted),
    Io(std::io::Error),
}

impl<E: Into<std::io::Error>> From<E> for Refusal {
    fn from(error: E) -> Refusal {
        Refusal::Io(error.into())
    }
}

fn open_address(address: &SocketAddr, wait: &mut dyn Wait, deadline: Option<Instant>) -> Result<Socket, Refusal> {
    let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let socket = socket_with(family, SocketType::STREAM, SocketFlags::NONBLOCK | SocketFlags::CLOEXEC, None)?;
    match connect(&socket, address) {
        Ok(()) => {}
        Err(rustix::io::Errno::INPROGRESS) => loop {
            wait.ready(socket.as_fd(), Interest::Write, deadline).map_err(Refusal::Wait)?;
            // It is connected when it has a peer; an early return of the wait is waited for again.
            sockopt::socket_error(&socket)??;
            match rustix::net::getpeername(&socket) {
                Err(rustix::io::Errno::NOTCONN) => {}
                other => break other.map(drop)?,
            }
        },
        Err(error) => return Err(error.into()),
    }
    // A server whose machine died is noticed at last, even by a session that waits for ever.
    sockopt::set_socket_keepalive(&socket, true)?;
    let socket = std::net::TcpStream::from(socket);
    socket.set_nodelay(true)?;
    Ok(Socket::Tcp(socket))
}

fn begin_tls(session: &mut Session, config: &Config, wait: &mut dyn Wait, deadline: Option<Instant>) -> Result<(), ConnectError> {
    frontend::ssl_request(&mut session.out);
    session.send_all(wait)?;
    // The answer is one byte; anything behind it was not sent by the server (CVE-2021-23222), and is not read here.
    let mut answer = [0];
    while session.stream.read(&mut answer)?.is_none() {
        wait.ready(session.stream.socket.as_fd(), Interest::Read, deadline).map_err(Broken::Wait)?;
    }
    match answer[0] {
        TLS_ACCEPTED => {}
        TLS_REFUSED if config.ssl_mode == SslMode::Prefer => return Ok(()),
        TLS_REFUSED => return Err(ConnectError::Tls("the server does not offer TLS".to_string())),
        _ => return Err(Broken::Protocol("an unknown answer to the request for TLS").into()),
    }
    let connection = tls::connection(config).map_err(ConnectError::Config)?;
    session.stream.tls = Some(Box::new(connection));
    shake_hands(&mut session.stream, wait, deadline)
}

fn shake_hands(stream: &mut Stream, wait: &mut dyn Wait, deadline: Option<Instant>) -> Result<(), ConnectError> {
    let failed = |error: &dyn std::fmt::Display| ConnectError::Tls(error.to_string());
    loop {
        let has_written = stream.write_tls()?;
        let Some(tls) = &mut stream.tls else { return Ok(()) };
        if !tls.is_handshaking() && has_written {
            return Ok(());
        }
        match tls.read_tls(&mut stream.socket) {
            Ok(0) => return Err(ConnectError::Broken(Broken::Closed)),
            Ok(_) => {
                if let Err(error) = tls.process_new_packets() {
                    // The alert tells the server why.
                    let _ = tls.write_tls(&mut stream.socket);
                    return Err(failed(&error));
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                let interest = stream.interest(!has_written);
                wait.ready(stream.socket.as_fd(), interest, deadline).map_err(Broken::Wait)?;
            }
            Err(error) => return Err(failed(&error)),
        }
    }
}

fn start(session: &mut Session, config: &Config) -> Result<(), ConnectError> {
    let mut parameters = vec![
        ("user", config.user.as_str()),
        ("database", config.database.as_str()),
        ("client_encoding", "UTF8"),
        ("application_name", config.application_name.as_str()),
    ];
    parameters.extend(config.settings.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    // A backslash in a constant is a character: what is sent rests on it, whatever the server's default.
    parameters.push(("standard_conforming_strings", "on"));
    frontend::startup_message(parameters, &mut session.out).map_err(|error| ConnectError::Config(error.to_string()))
}

/// What the server asks for next.
enum Asked {
    Nothing,
    Cleartext,
    Md5([u8; 4]),
    Sasl(Vec<u8>),
    SaslContinue(Vec<u8>),
    SaslFinal(Vec<u8>),
    Key(i32, i32),
    Ready,
}

fn asked(session: &mut Session, wait: &mut dyn Wait) -> Result<Asked, ConnectError> {
    let unknown =
        |kind: i32| ConnectError::Authentication(format!("the server asks for authentication of kind {kind}, which is not supported"));
    Ok(match session.receive(wait)? {
        Message::Authentication { kind, body } => match kind {
            authentication::OK => Asked::Nothing,
            authentication::CLEARTEXT => Asked::Cleartext,
            authentication::MD5 => Asked::Md5(body.try_into().map_err(|_| Broken::Protocol("a salt of a wrong length"))?),
            authentication::SASL => Asked::Sasl(body.to_vec()),
            authentication::SASL_CONTINUE => Asked::SaslContinue(body.to_vec()),
            authentication::SASL_FINAL => Asked::SaslFinal(body.to_vec()),
            kind => return Err(unknown(kind)),
        },
        Message::BackendKey { process, secret } => Asked::Key(process, secret),
        Message::ReadyForQuery(_) => Asked::Ready,
        Message::Error(error) => return Err(ConnectError::Refused(error)),
        _ => return Err(Broken::Protocol("an unexpected message at sign-on").into()),
    })
}

struct SignOn<'a> {
    config: &'a Config,
    scram: Option<ScramSha256>,
    /// The password proof is bound to the certificate of the TLS connection.
    is_bound: bool,
}

impl SignOn<'_> {
    fn run(mut self, session: &mut Session, wait: &mut dyn Wait) -> Result<(), ConnectError> {
        loop {
            match asked(session, wait)? {
                Asked::Nothing => self.accepted()?,
                Asked::Ready => return Ok(()),
                Asked::Key(process, secret) => session.key = Some((process, secret)),
                Asked::Cleartext => {
                    let password = password(self.config)?;
                    encoded(frontend::password_message(password.as_bytes(), &mut session.out))?;
                }
                Asked::Md5(salt) => {
                    let hash = md5_hash(self.config.user.as_bytes(), password(self.config)?.as_bytes(), salt);
                    encoded(frontend::password_message(hash.as_bytes(), &mut session.out))?;
                }
                Asked::Sasl(mechanisms) => self.begin_scram(&mechanisms, session)?,
                Asked::SaslContinue(body) => {
                    let scram = self.scram.as_mut().ok_or(Broken::Protocol("SASL out of order"))?;
                    scram.update(&body).map_err(|error| ConnectError::Authentication(error.to_string()))?;
                    encoded(frontend::sasl_response(scram.message(), &mut session.out))?;
                }
                Asked::SaslFinal(body) => {
                    let mut scram = self.scram.take().ok_or(Broken::Protocol("SASL out of order"))?;
                    scram.finish(&body).map_err(|error| ConnectError::Authentication(error.to_string()))?;
                }
            }
        }
    }

    fn begin_scram(&mut self, mechanisms: &[u8], session: &mut Session) -> Result<(), ConnectError> {
        let offers = |name: &str| mechanisms.split(|byte| *byte == 0).any(|offered| offered == name.as_bytes());
        let tls = session.stream.tls.as_deref().filter(|_| self.config.channel_binding != ChannelBinding::Disable);
        let end_point = tls.and_then(tls::end_point);
        let (mechanism, binding) = match end_point {
            Some(hash) if offers(sasl::SCRAM_SHA_256_PLUS) => (sasl::SCRAM_SHA_256_PLUS, sasl::ChannelBinding::tls_server_end_point(hash)),
            Some(_) => (sasl::SCRAM_SHA_256, sasl::ChannelBinding::unrequested()),
            None => (sasl::SCRAM_SHA_256, sasl::ChannelBinding::unsupported()),
        };
        if !offers(mechanism) {
            return Err(ConnectError::Authentication("the server offers no SCRAM-SHA-256".to_string()));
        }
        self.is_bound = mechanism == sasl::SCRAM_SHA_256_PLUS;
        self.check_binding()?;
        let begun = ScramSha256::new(password(self.config)?.as_bytes(), binding);
        encoded(frontend::sasl_initial_response(mechanism, begun.message(), &mut session.out))?;
        self.scram = Some(begun);
        Ok(())
    }

    /// The server lets the user in. It must have proved before that it knows the password, if it asked for a proof.
    fn accepted(&self) -> Result<(), ConnectError> {
        match self.scram.is_some() {
            true => Err(ConnectError::Authentication("the server did not prove that it knows the password".to_string())),
            false => self.check_binding(),
        }
    }

    fn check_binding(&self) -> Result<(), ConnectError> {
        match self.config.channel_binding == ChannelBinding::Require && !self.is_bound {
            true => Err(ConnectError::Authentication("channel_binding=require, and the server does not offer it".to_string())),
            false => Ok(()),
        }
    }
}

fn encoded(result: std::io::Result<()>) -> Result<(), ConnectError> {
    result.map_err(|error| ConnectError::Config(error.to_string()))
}

fn password(config: &Config) -> Result<String, ConnectError> {
    let password = config.password().map_err(ConnectError::Config)?;
    password.ok_or_else(|| ConnectError::NoPassword { user: config.user.clone() })
}

/// Asks the server, on a connection of its own, to cancel what a session executes.
#[derive(Clone, Debug)]
pub struct CancelToken {
    config: Arc<Config>,
    process: i32,
    secret: i32,
}

impl CancelToken {
    /// Sends the request. The session then receives an error with SQLSTATE 57014, if the statement has not ended before.
    pub fn cancel(&self, wait: &mut dyn Wait) -> Result<(), ConnectError> {
        let mut session = open(&self.config, wait, self.config.deadline())?;
        frontend::cancel_request(self.process, self.secret, &mut session.out);
        session.send_all(wait)?;
        // The server closes the connection when it has passed the request on.
        match session.receive(wait) {
            Err(Broken::Closed) => Ok(()),
            Err(Broken::Wait(Interrupted::TimedOut)) | Ok(_) => Ok(()),
            Err(broken) => Err(broken.into()),
        }
    }
}
