//! What TLS trusts: the certificate of the server, checked as far as `sslmode` asks, and the certificate of the client.

use crate::config::{Config, SslMode};
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::crypto::hash::HashAlgorithm;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, ClientConfig, ClientConnection, DigitallySignedStruct, Error};
use rustls::{RootCertStore, SignatureScheme, SupportedCipherSuite};
use std::sync::Arc;

/// A TLS connection that has not yet shaken hands.
pub(crate) fn connection(config: &Config) -> Result<ClientConnection, String> {
    let name = ServerName::try_from(config.host.clone()).map_err(|_| format!("{}: not the name of a host", config.host))?;
    ClientConnection::new(Arc::new(client_config(config)?), name).map_err(|error| error.to_string())
}

fn client_config(config: &Config) -> Result<ClientConfig, String> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider.clone()).with_safe_default_protocol_versions();
    let builder = builder.map_err(|error| error.to_string())?;
    let is_checked = match config.ssl_mode {
        SslMode::VerifyCa | SslMode::VerifyFull => true,
        // As libpq: a named authority is used.
        SslMode::Require => config.root_certificate.is_some(),
        SslMode::Disable | SslMode::Prefer => false,
    };
    let verifier = match is_checked {
        false => Verifier { provider, chain: None, named: Vec::new(), any_name: true },
        true => {
            let named = config.root_certificate.as_deref().map(certificates).transpose()?.unwrap_or_default();
            let roots = roots(config, &named)?;
            let chain = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider.clone()).build();
            let chain = chain.map_err(|error| error.to_string())?;
            Verifier { provider, chain: Some(chain), named, any_name: config.ssl_mode != SslMode::VerifyFull }
        }
    };
    let builder = builder.dangerous().with_custom_certificate_verifier(Arc::new(verifier));
    match (&config.certificate, &config.key) {
        (Some(certificate), Some(key)) => {
            let chain = certificates(certificate)?;
            let key = PrivateKeyDer::from_pem_file(key).map_err(|error| format!("{}: {error}", key.display()))?;
            builder.with_client_auth_cert(chain, key).map_err(|error| error.to_string())
        }
        (None, None) => Ok(builder.with_no_client_auth()),
        _ => Err("sslcert and sslkey go together".to_string()),
    }
}

/// Object identifiers of the signatures of certificates whose hash is known (RFC 8017, RFC 5758), in DER.
const SIGNATURES: [(&[u8], HashAlgorithm); 4] = [
    (&[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B], HashAlgorithm::SHA256),
    (&[0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0C], HashAlgorithm::SHA384),
    (&[0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02], HashAlgorithm::SHA256),
    (&[0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x03], HashAlgorithm::SHA384),
];

/// The hash of the server's certificate by which a password proof is bound to the connection (RFC 5929, tls-server-end-point); `None` if
/// the certificate is signed with another hash.
pub(crate) fn end_point(connection: &ClientConnection) -> Option<Vec<u8>> {
    let certificate = connection.peer_certificates()?.first()?;
    // A certificate is a sequence of the signed part, the algorithm of the signature, and the signature; the algorithm begins with its
    // name.
    let (signed, _) = element(certificate)?;
    let (_, algorithm) = element(signed)?;
    let (name, _) = element(element(algorithm)?.0)?;
    let (_, wanted) = SIGNATURES.iter().find(|(known, _)| *known == name)?;
    let provider = rustls::crypto::ring::default_provider();
    let hash = provider.cipher_suites.iter().find_map(|suite| {
        let hash = match suite {
            SupportedCipherSuite::Tls13(suite) => suite.common.hash_provider,
            SupportedCipherSuite::Tls12(suite) => suite.common.hash_provider,
        };
        (hash.algorithm() == *wanted).then_some(hash)
    })?;
    Some(hash.hash(certificate).as_ref().to_vec())
}

/// The first element of DER: its content, and what follows it.
fn element(der: &[u8]) -> Option<(&[u8], &[u8])> {
    const LONG: u8 = 0x80;
    let (&first, rest) = der.get(1..)?.split_first()?;
    let (length, rest) = match first & LONG {
        0 => (usize::from(first), rest),
        _ => {
            let (bytes, rest) = rest.split_at_checked(usize::from(first - LONG))?;
            (bytes.iter().try_fold(0usize, |length, byte| Some(length.checked_mul(256)? + usize::from(*byte)))?, rest)
        }
    };
    rest.split_at_checked(length)
}

fn certificates(path: &std::path::Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let failed = |error: rustls::pki_types::pem::Error| format!("{}: {error}", path.display());
    CertificateDer::pem_file_iter(path).map_err(failed)?.collect::<Result<_, _>>().map_err(failed)
}

/// The authorities of the file that is named, or those that this machine trusts.
fn roots(config: &Config, named: &[CertificateDer<'static>]) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    match &config.root_certificate {
        Some(path) => {
            for certificate in named {
                roots.add(certificate.clone()).map_err(|error| format!("{}: {error}", path.display()))?;
            }
        }
        None => {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
    }
    match (roots.is_empty(), &config.root_certificate) {
        (false, _) => Ok(roots),
        (true, Some(path)) => Err(format!("{}: it has no certificate", path.display())),
        (true, None) => Err("no certificate authority is trusted on this machine; name one with sslrootcert".to_string()),
    }
}

/// Signatures are always verified. `chain`: so is who signed the certificate. `named`: certificates that are trusted as they are, as a
/// server's own that is its own authority. `any_name`: it is not verified for which host the certificate is.
#[derive(Debug)]
struct Verifier {
    provider: Arc<CryptoProvider>,
    chain: Option<Arc<WebPkiServerVerifier>>,
    named: Vec<CertificateDer<'static>>,
    any_name: bool,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(chain) = &self.chain else { return Ok(ServerCertVerified::assertion()) };
        if self.named.contains(end_entity) {
            if !self.any_name {
                rustls::client::verify_server_name(&ParsedCertificate::try_from(end_entity)?, server_name)?;
            }
            return Ok(ServerCertVerified::assertion());
        }
        match chain.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now) {
            Err(Error::InvalidCertificate(CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. }))
                if self.any_name =>
            {
                Ok(ServerCertVerified::assertion())
            }
            other => other,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        rustls::crypto::verify_tls12_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        rustls::crypto::verify_tls13_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
