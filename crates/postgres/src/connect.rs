//! The beginning of a session: socket, TLS, sign-on; and the request to cancel what a session executes.

use crate::config::{Config, SslMode};
use crate::error::{Broken, ConnectError};
use crate::message::Message;
use crate::session::Session;
use crate::stream::{Socket, Stream};
use crate::tls;
use crate::wait::{Interest, Interrupted, Wait};
use bytes::BytesMut;
use postgres_protocol::authentication::md5_hash;
use postgres_protocol::authentication::sasl::{self, ChannelBinding, ScramSha256};
use postgres_protocol::message::frontend;
use rustix::net::{AddressFamily, SocketFlags, SocketType, connect, socket_with};
use std::net::{SocketAddr, ToSocketAddrs};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::time::Instant;

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

impl Session {
    /// Begins a session. The wait may take as long as `connect_timeout`.
    pub fn connect(config: &Config, wait: &mut dyn Wait) -> Result<Session, ConnectError> {
        let deadline = Instant::now() + config.connect_timeout;
        let stream = open(config, wait, deadline)?;
        let mut session = Session::new(stream);
        session.set_deadline(Some(deadline));
        if !config.is_unix() && config.ssl_mode != SslMode::Disable {
            begin_tls(&mut session, config, wait, deadline)?;
        }
        start(&mut session, config)?;
        sign_on(&mut session, config, wait)?;
        session.set_deadline(None);
        Ok(session)
    }
}

fn unreachable(config: &Config, error: impl std::fmt::Display) -> ConnectError {
    let place = match config.is_unix() {
        true => socket_path(config),
        false => format!("{}:{}", config.host, config.port),
    };
    ConnectError::Unreachable { place, why: error.to_string() }
}

fn socket_path(config: &Config) -> String {
    format!("{}/.s.PGSQL.{}", config.host, config.port)
}

fn open(config: &Config, wait: &mut dyn Wait, deadline: Instant) -> Result<Stream, ConnectError> {
    if config.is_unix() {
        let socket = UnixStream::connect(socket_path(config)).map_err(|error| unreachable(config, error))?;
        socket.set_nonblocking(true).map_err(|error| unreachable(config, error))?;
        return Ok(Stream { socket: Socket::Unix(socket), tls: None });
    }
    let addresses = (config.host.as_str(), config.port).to_socket_addrs().map_err(|error| unreachable(config, error))?;
    let mut last = unreachable(config, "the name has no address");
    for address in addresses {
        match open_tcp(&address, wait, deadline) {
            Ok(socket) => return Ok(Stream { socket, tls: None }),
            Err(error) => last = unreachable(config, error),
        }
    }
    Err(last)
}

fn open_tcp(address: &SocketAddr, wait: &mut dyn Wait, deadline: Instant) -> std::io::Result<Socket> {
    let family = if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 };
    let socket = socket_with(family, SocketType::STREAM, SocketFlags::NONBLOCK | SocketFlags::CLOEXEC, None)?;
    match connect(&socket, address) {
        Ok(()) => {}
        Err(rustix::io::Errno::INPROGRESS) => {
            let timed_out = || std::io::Error::from(std::io::ErrorKind::TimedOut);
            loop {
                wait.ready(socket.as_fd(), Interest::Write, Some(deadline)).map_err(|_| timed_out())?;
                // It is connected when it has a peer; an early return of the wait is waited for again.
                rustix::net::sockopt::socket_error(&socket)?.map_err(std::io::Error::from)?;
                match rustix::net::getpeername(&socket) {
                    Err(rustix::io::Errno::NOTCONN) => {}
                    other => break other.map(drop)?,
                }
            }
        }
        Err(error) => return Err(error.into()),
    }
    let socket = std::net::TcpStream::from(socket);
    socket.set_nodelay(true)?;
    Ok(Socket::Tcp(socket))
}

fn begin_tls(session: &mut Session, config: &Config, wait: &mut dyn Wait, deadline: Instant) -> Result<(), ConnectError> {
    frontend::ssl_request(&mut session.out);
    session.send_all(wait)?;
    // The answer is one byte; anything behind it was not sent by the server (CVE-2021-23222), and is not read here.
    let mut answer = [0];
    while session.stream.read(&mut answer)?.is_none() {
        wait.ready(session.stream.socket.as_fd(), Interest::Read, Some(deadline)).map_err(|why| Broken::Wait(why))?;
    }
    if answer[0] != TLS_ACCEPTED {
        return match config.ssl_mode {
            SslMode::Prefer => Ok(()),
            _ => Err(ConnectError::Tls("the server does not offer TLS".to_string())),
        };
    }
    let connection = tls::connection(config).map_err(ConnectError::Config)?;
    session.stream.tls = Some(Box::new(connection));
    shake_hands(&mut session.stream, wait, deadline)
}

fn shake_hands(stream: &mut Stream, wait: &mut dyn Wait, deadline: Instant) -> Result<(), ConnectError> {
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
                wait.ready(stream.socket.as_fd(), interest, Some(deadline)).map_err(Broken::Wait)?;
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

fn sign_on(session: &mut Session, config: &Config, wait: &mut dyn Wait) -> Result<(), ConnectError> {
    let mut scram: Option<ScramSha256> = None;
    loop {
        match asked(session, wait)? {
            Asked::Nothing => {}
            Asked::Ready => return Ok(()),
            Asked::Key(process, secret) => session.cancel = Some(CancelToken { config: config.clone(), process, secret }),
            Asked::Cleartext => {
                let password = password(config)?;
                encoded(frontend::password_message(password.as_bytes(), &mut session.out))?;
            }
            Asked::Md5(salt) => {
                let hash = md5_hash(config.user.as_bytes(), password(config)?.as_bytes(), salt);
                encoded(frontend::password_message(hash.as_bytes(), &mut session.out))?;
            }
            Asked::Sasl(mechanisms) => {
                if !mechanisms.split(|byte| *byte == 0).any(|name| name == sasl::SCRAM_SHA_256.as_bytes()) {
                    return Err(ConnectError::Authentication("the server offers no SCRAM-SHA-256".to_string()));
                }
                let begun = ScramSha256::new(password(config)?.as_bytes(), ChannelBinding::unsupported());
                encoded(frontend::sasl_initial_response(sasl::SCRAM_SHA_256, begun.message(), &mut session.out))?;
                scram = Some(begun);
            }
            Asked::SaslContinue(body) => {
                let scram = scram.as_mut().ok_or(Broken::Protocol("SASL out of order"))?;
                scram.update(&body).map_err(|error| ConnectError::Authentication(error.to_string()))?;
                encoded(frontend::sasl_response(scram.message(), &mut session.out))?;
            }
            Asked::SaslFinal(body) => {
                let scram = scram.as_mut().ok_or(Broken::Protocol("SASL out of order"))?;
                scram.finish(&body).map_err(|error| ConnectError::Authentication(error.to_string()))?;
            }
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
    config: Config,
    process: i32,
    secret: i32,
}

impl CancelToken {
    /// Sends the request. The session then receives an error with SQLSTATE 57014, if the statement has not ended before.
    pub fn cancel(&self, wait: &mut dyn Wait) -> Result<(), ConnectError> {
        let deadline = Instant::now() + self.config.connect_timeout;
        let mut session = Session::new(open(&self.config, wait, deadline)?);
        session.set_deadline(Some(deadline));
        if !self.config.is_unix() && self.config.ssl_mode != SslMode::Disable {
            begin_tls(&mut session, &self.config, wait, deadline)?;
        }
        let mut request = BytesMut::new();
        frontend::cancel_request(self.process, self.secret, &mut request);
        session.out.extend_from_slice(&request);
        session.send_all(wait)?;
        // The server closes the connection when it has passed the request on.
        match session.receive(wait) {
            Err(Broken::Closed) => Ok(()),
            Err(Broken::Wait(Interrupted::TimedOut)) | Ok(_) => Ok(()),
            Err(broken) => Err(broken.into()),
        }
    }
}
