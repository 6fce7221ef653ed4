//! The connection of a session: a socket that never blocks, with TLS or without.

use crate::error::Broken;
use crate::wait::Interest;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;

#[derive(Debug)]
pub(crate) enum Socket {
    Unix(UnixStream),
    Tcp(TcpStream),
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Socket::Unix(stream) => stream.as_fd(),
            Socket::Tcp(stream) => stream.as_fd(),
        }
    }
}

impl Read for Socket {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self {
            Socket::Unix(stream) => stream.read(buffer),
            Socket::Tcp(stream) => stream.read(buffer),
        }
    }
}

impl Write for Socket {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Socket::Unix(stream) => stream.write(bytes),
            Socket::Tcp(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

pub(crate) struct Stream {
    pub socket: Socket,
    pub tls: Option<Box<rustls::ClientConnection>>,
}

impl Stream {
    /// Bytes written now; 0: the socket takes none.
    pub fn write(&mut self, bytes: &[u8]) -> Result<usize, Broken> {
        let Some(tls) = &mut self.tls else { return would_block(self.socket.write(bytes)) };
        let taken = tls.writer().write(bytes)?;
        self.write_tls()?;
        Ok(taken)
    }

    /// Sends what TLS holds; true if nothing is left.
    pub fn write_tls(&mut self) -> Result<bool, Broken> {
        let Some(tls) = &mut self.tls else { return Ok(true) };
        while tls.wants_write() {
            match tls.write_tls(&mut self.socket) {
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(true)
    }

    /// Bytes read now into `buffer`; `None`: there are none yet.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<Option<usize>, Broken> {
        let Some(tls) = &mut self.tls else { return end_of_file(self.socket.read(buffer)) };
        loop {
            match tls.reader().read(buffer) {
                Ok(0) => return Err(Broken::Closed),
                Ok(count) => return Ok(Some(count)),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error.into()),
            }
            match tls.read_tls(&mut self.socket) {
                Ok(0) => return Err(Broken::Closed),
                Ok(_) => {
                    tls.process_new_packets().map_err(|error| Broken::Io(format!("TLS: {error}")))?;
                }
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(None),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// What to wait for if nothing can be done now.
    pub fn interest(&self, is_writing: bool) -> Interest {
        match is_writing || self.tls.as_ref().is_some_and(|tls| tls.wants_write()) {
            true => Interest::ReadOrWrite,
            false => Interest::Read,
        }
    }
}

fn would_block(result: std::io::Result<usize>) -> Result<usize, Broken> {
    match result {
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(0),
        other => Ok(other?),
    }
}

fn end_of_file(result: std::io::Result<usize>) -> Result<Option<usize>, Broken> {
    match result {
        Ok(0) => Err(Broken::Closed),
        Ok(count) => Ok(Some(count)),
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
