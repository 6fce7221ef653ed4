//! The 3270 listener with TLS, through s3270 and the client of OpenSSL.

mod support;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use support::terminal::Terminal;
use support::{Region, regent, root};

/// A certificate for this machine that nobody else has signed, and its key.
fn certificate(directory: &Path) -> (PathBuf, PathBuf) {
    let (certificate, key) = (directory.join("certificate.pem"), directory.join("key.pem"));
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"])
        .args(["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout"])
        .arg(&key)
        .arg("-out")
        .arg(&certificate)
        .output()
        .expect("openssl is installed");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    (certificate, key)
}

fn start(directory: &Path) -> (Region, u16, PathBuf) {
    let (certificate, key) = certificate(directory);
    let files = [certificate.display().to_string(), key.display().to_string()];
    let arguments = ["--port-3270-tls", "0", "--certificate", &files[0], "--private-key", &files[1]];
    let region = Region::start(&root().join("crates/regent/tests/applications/screens"), &directory.join("data"), &arguments);
    let said = region.output.iter().find_map(|line| line.strip_prefix("3270-tls localhost:")).expect("the port of the listener");
    let port = said.trim().parse().expect("a port");
    (region, port, certificate)
}

#[test]
fn a_terminal_uses_tls() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let (region, port, certificate) = start(data.path());
    let authority = certificate.display().to_string();
    let mut terminal = Terminal::connect_at(&format!("L:localhost:{port}"), "3279-2-E", &["-cafile", &authority]);
    terminal.expect("TERMID=");
    let session = terminal.act("Query(TlsSessionInfo)").join(" ");
    assert!(session.contains("TLSv1.3"), "{session}");
    // Input of several fields, and pages.
    terminal.transaction("SKEY");
    terminal.expect("KEY CHECK");
    terminal.fill(3, 11, "ABC");
    terminal.enter();
    terminal.expect("AID 7D CPOSN 0173 RESP 00 L 03 05 F 02 00");
    terminal.pf(3);
    terminal.transaction("SPGA");
    terminal.expect("ITEM0001");
    terminal.pf(8);
    terminal.expect("ITEM0021");
    // The listener without TLS serves others meanwhile.
    let mut plain = Terminal::connect(region.port);
    plain.expect("TERMID=");
    drop((terminal, plain));
    assert_eq!(region.stop(), 0);
}

#[test]
fn openssl_sees_the_certificate_and_both_protocols() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let (region, port, certificate) = start(data.path());
    for (version, name) in [("-tls1_3", "TLSv1.3"), ("-tls1_2", "TLSv1.2")] {
        let mut client = Command::new("openssl")
            .args(["s_client", "-brief", "-verify_return_error", version, "-connect", &format!("127.0.0.1:{port}"), "-CAfile"])
            .arg(&certificate)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("openssl is installed");
        std::thread::sleep(Duration::from_millis(500));
        drop(client.stdin.take());
        let said = client.wait_with_output().expect("it ends");
        let text = String::from_utf8_lossy(&said.stderr);
        assert!(text.contains(name) && text.contains("Verification: OK"), "{text}");
    }
    // Older protocols and clients without TLS get nothing.
    let old = Command::new("openssl").args(["s_client", "-tls1_1", "-connect", &format!("127.0.0.1:{port}")]).stdin(Stdio::null()).output();
    assert!(!old.expect("openssl is installed").status.success());
    let mut plain = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
    plain.set_read_timeout(Some(Duration::from_secs(20))).expect("a socket");
    plain.write_all(b"\xFF\xFB\x18 this is no client hello").expect("it reads");
    let mut answer = Vec::new();
    let _ = plain.read_to_end(&mut answer);
    assert!(!answer.windows(3).any(|bytes| bytes == [0xFF, 0xFD, 0x28]), "no telnet in plain text: {answer:02X?}");
    assert_eq!(region.stop(), 0);
}

#[test]
fn certificate_and_key_are_checked_before_anything_is_done() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let (certificate, key) = certificate(data.path());
    let application = root().join("samples/filework");
    let up = |arguments: &[&str]| {
        let output = regent()
            .arg("up")
            .arg(&application)
            .args(["--port-3270", "0", "--data"])
            .arg(data.path().join("data"))
            .args(arguments)
            .output();
        let output = output.expect("regent starts");
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let (certificate, key) = (certificate.display().to_string(), key.display().to_string());
    assert!(up(&["--port-3270-tls", "0"]).contains("--certificate"));
    assert!(up(&["--certificate", &certificate, "--private-key", &key]).contains("--port-3270-tls"));
    let wrong = up(&["--port-3270-tls", "0", "--certificate", &key, "--private-key", &key]);
    assert!(wrong.contains("there is no certificate in this file"), "{wrong}");
    let missing = up(&["--port-3270-tls", "0", "--certificate", &certificate, "--private-key", "/nowhere/key.pem"]);
    assert!(missing.contains("/nowhere/key.pem"), "{missing}");
    let other = tempfile::tempdir().expect("a scratch directory");
    let (_, other_key) = self::certificate(other.path());
    let mismatch = up(&["--port-3270-tls", "0", "--certificate", &certificate, "--private-key", &other_key.display().to_string()]);
    assert!(mismatch.contains(&other_key.display().to_string()), "{mismatch}");
    assert!(!data.path().join("data").exists(), "nothing has been made");
}
