//! A terminal for tests and scripts: one connection, a `bms::Screen`, and waiting with deadlines. Everything here may block
//! up to its deadline. Rows and columns count from 1.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use bms::Screen;
use bms::screen::{KeyError, Keyboard, StreamError};

use crate::client_protocol::{ClientConfig, ClientEvent, ClientProtocol, ClientProtocolError};
use crate::session::RecordKind;

#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("{0}")]
    Protocol(#[from] ClientProtocolError),
    #[error("the host sent a bad data stream: {0}")]
    Stream(#[from] StreamError),
    #[error("{0}")]
    Key(#[from] KeyError),
    #[error("timed out waiting for {0}")]
    Timeout(String),
    #[error("the host closed the connection{}", if .0.is_empty() { String::new() } else { format!(": {}", .0) })]
    Closed(String),
    #[error("the host refused the terminal (reason {0})")]
    Refused(u8),
    #[error("{0:?} is not the name of a key")]
    UnknownKey(String),
    #[error("{0:?} is not on the screen")]
    NotFound(String),
}

pub struct Client {
    stream: TcpStream,
    protocol: ClientProtocol,
    screen: Screen,
    buffer: Vec<u8>,
    timeout: Duration,
    closed: bool,
    /// Data streams received that ask for no answer.
    writes: u64,
    /// The SSCP-LU texts received, newest last.
    pub sscp_lu_text: Vec<String>,
}

impl Client {
    /// Connects and negotiates. `timeout` is also the default deadline of every wait.
    pub fn connect(address: impl ToSocketAddrs, config: ClientConfig, timeout: Duration) -> Result<Client, ClientError> {
        let address = address.to_socket_addrs()?.next().ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "no address"))?;
        let stream = TcpStream::connect_timeout(&address, timeout)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(timeout))?;
        let screen = Screen::new(&config.capabilities(), &codepage::CCSID_037);
        let mut client = Client {
            stream,
            screen,
            timeout,
            protocol: ClientProtocol::new(config),
            buffer: vec![0; 16 * 1024],
            closed: false,
            writes: 0,
            sscp_lu_text: Vec::new(),
        };
        client.wait("the end of negotiation", |client| client.protocol.is_connected())?;
        Ok(client)
    }

    pub fn screen(&self) -> &Screen {
        &self.screen
    }

    pub fn lu(&self) -> Option<&str> {
        self.protocol.lu()
    }

    pub fn is_tn3270e(&self) -> bool {
        self.protocol.is_tn3270e()
    }

    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Takes what the host has sent, waiting up to `wait` for the first byte. False when nothing came.
    pub fn receive(&mut self, wait: Duration) -> Result<bool, ClientError> {
        self.stream.set_read_timeout(Some(wait.max(Duration::from_millis(1))))?;
        let count = match self.stream.read(&mut self.buffer) {
            Ok(0) => {
                self.closed = true;
                return Err(ClientError::Closed(self.protocol.host_text()));
            }
            Ok(count) => count,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted) => {
                return Ok(false);
            }
            Err(error) => return Err(error.into()),
        };
        let mut out = Vec::new();
        let mut fault = None;
        let (screen, texts, writes) = (&mut self.screen, &mut self.sscp_lu_text, &mut self.writes);
        self.protocol.feed(&self.buffer[..count], &mut out, |event, outgoing| match event {
            ClientEvent::Record { kind: RecordKind::Data, data } => match screen.apply(data) {
                Ok(Some(answer)) => outgoing.data(&answer),
                Ok(None) => *writes += 1,
                Err(error) => fault = Some(ClientError::Stream(error)),
            },
            ClientEvent::Record { data, .. } => texts.push(codepage::CCSID_037.decode(data)),
            ClientEvent::Refused { reason } => fault = Some(ClientError::Refused(reason)),
            ClientEvent::Connected { .. } => {}
        })?;
        if !out.is_empty() {
            self.stream.write_all(&out)?;
        }
        fault.map_or(Ok(true), Err)
    }

    /// Waits until the condition holds.
    pub fn wait(&mut self, what: &str, mut condition: impl FnMut(&Client) -> bool) -> Result<(), ClientError> {
        let deadline = Instant::now() + self.timeout;
        while !condition(self) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(ClientError::Timeout(what.to_string()));
            }
            self.receive(left)?;
        }
        Ok(())
    }

    /// Waits for what a region sends first to every terminal, its greeting or an empty write that unlocks the keyboard. A keyboard that was never
    /// locked says nothing: a key pressed before the greeting would be answered after it.
    pub fn wait_greeting(&mut self) -> Result<(), ClientError> {
        self.wait("the region's greeting", |client| client.writes > 0 && client.screen.is_unlocked())
    }

    fn wait_unlocked(&mut self) -> Result<(), ClientError> {
        self.wait("the keyboard to unlock", |client| client.screen.is_unlocked())
    }

    pub fn wait_text(&mut self, text: &str) -> Result<(), ClientError> {
        self.wait(&format!("{text:?}"), |client| client.screen.contains(text)).map_err(|error| self.with_screen(error))
    }

    /// A timeout shows what was on the screen.
    fn with_screen(&self, error: ClientError) -> ClientError {
        match error {
            ClientError::Timeout(what) => {
                let rows: Vec<String> = self.screen.rows().into_iter().filter(|row| !row.is_empty()).collect();
                ClientError::Timeout(format!("{what}; on the screen:\n{}", rows.join("\n")))
            }
            other => other,
        }
    }

    pub fn type_text(&mut self, text: &str) -> Result<(), ClientError> {
        Ok(self.screen.type_text(text)?)
    }

    /// Types in place of what is in the field from the cursor on (the ERASE EOF key).
    pub fn replace(&mut self, text: &str) -> Result<(), ClientError> {
        self.screen.erase_to_end_of_field()?;
        self.type_text(text)
    }

    pub fn tab(&mut self) {
        self.screen.tab();
    }

    /// Erases the n-th input field (from 1) and types into it.
    pub fn fill_input(&mut self, number: usize, text: &str) -> Result<(), ClientError> {
        Ok(self.screen.fill_input(number, text)?)
    }

    /// Fills the field that begins at or holds this place.
    pub fn fill_at(&mut self, row: u16, column: u16, text: &str) -> Result<(), ClientError> {
        let address = self.screen.address(row, column).ok_or(KeyError::NoField)?;
        let field = self.screen.field_at(address).ok_or(KeyError::NoField)?;
        Ok(self.screen.fill_field(field.start, text)?)
    }

    /// Fills the first input field after a label.
    pub fn fill_after(&mut self, label: &str, text: &str) -> Result<(), ClientError> {
        let (row, column) = self.screen.find(label).ok_or_else(|| ClientError::NotFound(label.to_string()))?;
        let address = self.screen.address(row, column).ok_or(KeyError::NoField)?;
        let start = self.screen.next_unprotected(address).ok_or(KeyError::NoField)?;
        Ok(self.screen.fill_field(start, text)?)
    }

    /// Presses a key by name (ENTER, PF3, CLEAR, PA1) and does not wait.
    pub fn press(&mut self, key: &str) -> Result<(), ClientError> {
        let aid = bms::constants::aid_by_key(key).ok_or_else(|| ClientError::UnknownKey(key.to_string()))?;
        let record = self.screen.press(aid)?;
        let mut out = Vec::new();
        self.protocol.push_data(&record, &mut out);
        Ok(self.stream.write_all(&out)?)
    }

    /// Presses a key and waits until the host has answered and the keyboard is free.
    pub fn enter(&mut self, key: &str) -> Result<(), ClientError> {
        self.press(key)?;
        self.wait_unlocked().map_err(|error| self.with_screen(error))
    }

    /// On a cleared screen: types and presses ENTER, then waits for the keyboard.
    pub fn run(&mut self, text: &str) -> Result<(), ClientError> {
        self.type_text(text)?;
        self.enter("ENTER")
    }

    pub fn attention(&mut self) -> Result<(), ClientError> {
        let mut out = Vec::new();
        self.protocol.push_attention(&mut out);
        Ok(self.stream.write_all(&out)?)
    }

    /// The RESET key.
    pub fn reset(&mut self) {
        self.screen.set_keyboard(Keyboard::Unlocked);
        self.screen.reset();
    }

    /// The lines of the screen.
    pub fn text(&self) -> String {
        self.screen.rows().join("\n")
    }

    /// Sends telnet bytes as they are (tests of broken clients).
    pub fn send_raw(&mut self, bytes: &[u8]) -> Result<(), ClientError> {
        Ok(self.stream.write_all(bytes)?)
    }
}
