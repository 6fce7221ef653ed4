//! What TLS trusts: the certificate of the server, checked as far as `sslmode` asks, and the certificate of the client.

use crate::config::{Config, SslMode};
use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{ClientConfig, ClientConnection, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
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
        false => Verifier { provider, chain: None, any_name: true },
        true => {
            let chain = WebPkiServerVerifier::builder_with_provider(Arc::new(roots(config)?), provider.clone()).build();
            let chain = chain.map_err(|error| error.to_string())?;
            Verifier { provider, chain: Some(chain), any_name: config.ssl_mode != SslMode::VerifyFull }
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

fn certificates(path: &std::path::Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let failed = |error: rustls::pki_types::pem::Error| format!("{}: {error}", path.display());
    CertificateDer::pem_file_iter(path).map_err(failed)?.collect::<Result<_, _>>().map_err(failed)
}

fn roots(config: &Config) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    match &config.root_certificate {
        Some(path) => {
            for certificate in certificates(path)? {
                roots.add(certificate).map_err(|error| format!("{}: {error}", path.display()))?;
            }
        }
        None => {
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
    }
    match roots.is_empty() {
        true => Err("no certificate authority is trusted on this machine; name one with sslrootcert".to_string()),
        false => Ok(roots),
    }
}

/// Signatures are always verified. `chain`: so is who signed the certificate; `any_name`: but not for which host it is.
#[derive(Debug)]
struct Verifier {
    provider: Arc<CryptoProvider>,
    chain: Option<Arc<WebPkiServerVerifier>>,
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
        match chain.verify_server_cert(end_entity, intermediates, server_name, ocsp_response, now) {
            Err(Error::InvalidCertificate(
                rustls::CertificateError::NotValidForName | rustls::CertificateError::NotValidForNameContext { .. },
            )) if self.any_name => Ok(ServerCertVerified::assertion()),
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
