//! TLS on the connections of a server: its certificate, and one session for each connection.
//!
//! Invariants: a session is used under the lock of its connection's queue only; whatever it wants to send has been moved to that queue when the
//! lock is released; plain text never reaches the socket.

use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

use mio::net::TcpStream;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, ServerConnection};

/// The identity of a server: its certificate with the chain to its authority, and its private key. TLS 1.2 and 1.3.
#[derive(Debug, Clone)]
pub struct Tls(Arc<ServerConfig>);

fn failed(path: &Path, why: impl ToString) -> String {
    format!("{}: {}", path.display(), why.to_string())
}

fn certificates_in(path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let chain: Result<Vec<_>, _> = CertificateDer::pem_file_iter(path).and_then(Iterator::collect);
    let chain = chain.map_err(|error| failed(path, error))?;
    if chain.is_empty() { Err(failed(path, "there is no certificate in this file")) } else { Ok(chain) }
}

impl Tls {
    /// Reads certificates and private key in PEM. With `client_authorities`, the certificates of authorities, each client must show a certificate
    /// of one of them.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, holds nothing of the kind, or a key that does not belong to the certificate.
    pub fn from_pem_files(certificates: &Path, private_key: &Path, client_authorities: Option<&Path>) -> Result<Tls, String> {
        let chain = certificates_in(certificates)?;
        let key = PrivateKeyDer::from_pem_file(private_key).map_err(|error| failed(private_key, error))?;
        let provider = Arc::new(ring::default_provider());
        let builder = ServerConfig::builder_with_provider(provider.clone()).with_safe_default_protocol_versions();
        let builder = builder.map_err(|error| error.to_string())?;
        let builder = match client_authorities {
            None => builder.with_no_client_auth(),
            Some(authorities) => {
                let mut roots = RootCertStore::empty();
                for certificate in certificates_in(authorities)? {
                    roots.add(certificate).map_err(|error| failed(authorities, error))?;
                }
                let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build();
                builder.with_client_cert_verifier(verifier.map_err(|error| failed(authorities, error))?)
            }
        };
        let config = builder.with_single_cert(chain, key).map_err(|error| failed(private_key, error))?;
        Ok(Tls(Arc::new(config)))
    }

    /// A session for a connection; `received`: what its client has sent of it already.
    pub(crate) fn session(&self, received: &[u8]) -> io::Result<Session> {
        let mut connection = ServerConnection::new(self.0.clone()).map_err(io::Error::other)?;
        // The queue of the connection bounds what is sent.
        connection.set_buffer_limit(None);
        Ok(Session { connection: Box::new(connection), plain: Vec::new(), received: received.to_vec() })
    }
}

/// One connection's session.
pub(crate) struct Session {
    connection: Box<ServerConnection>,
    /// What is to be sent, before it is encrypted.
    plain: Vec<u8>,
    /// Has been read from the socket before the session began.
    received: Vec<u8>,
}

impl Session {
    /// Encrypts what `fill` adds, and appends it to `out`. What is given before the handshake is over follows after it.
    pub fn encrypt<R>(&mut self, out: &mut Vec<u8>, fill: impl FnOnce(&mut Vec<u8>) -> R) -> R {
        debug_assert!(self.plain.is_empty(), "plain text is encrypted at once");
        let filled = fill(&mut self.plain);
        // Neither call fails: there is no limit, and a vector takes everything.
        let _ = self.connection.writer().write_all(&self.plain);
        self.plain.clear();
        self.take_output(out);
        filled
    }

    /// Says that nothing more is sent.
    pub fn close(&mut self, out: &mut Vec<u8>) {
        self.connection.send_close_notify();
        self.take_output(out);
    }

    /// Reads from the socket until there is plain text. What the client must be answered for that (a handshake) is appended to `out`.
    pub fn read(&mut self, mut socket: &TcpStream, buffer: &mut [u8], out: &mut Vec<u8>) -> io::Result<usize> {
        loop {
            match self.connection.reader().read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                read => return read,
            }
            if self.received.is_empty() {
                if self.connection.read_tls(&mut socket)? == 0 {
                    return Ok(0);
                }
            } else {
                let taken = self.connection.read_tls(&mut self.received.as_slice())?;
                self.received.drain(..taken);
            }
            let processed = self.connection.process_new_packets();
            self.take_output(out);
            processed.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
        }
    }

    fn take_output(&mut self, out: &mut Vec<u8>) {
        while self.connection.wants_write() {
            if self.connection.write_tls(out).is_err() {
                return;
            }
        }
    }
}
