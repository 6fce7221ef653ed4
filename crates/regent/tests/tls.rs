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

/// An authority, and a certificate that it has signed, with its key.
fn signed_certificate(directory: &Path) -> (PathBuf, PathBuf, PathBuf) {
    let (authority, authority_key) = certificate(directory);
    let (certificate, key) = (directory.join("signed.pem"), directory.join("signed.key"));
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=ADAMS"])
        .args(["-addext", "basicConstraints=critical,CA:FALSE", "-CA"])
        .arg(&authority)
        .arg("-CAkey")
        .arg(&authority_key)
        .arg("-keyout")
        .arg(&key)
        .arg("-out")
        .arg(&certificate)
        .output()
        .expect("openssl is installed");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    (authority, certificate, key)
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

/// STARTTLS: the listener offers it, s3270 changes to TLS by itself; a client that does not may go on, unless TLS is required.
#[test]
fn a_terminal_changes_to_tls() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let (certificate, key) = certificate(data.path());
    let files = [certificate.display().to_string(), key.display().to_string()];
    for (mode, plain_is_served) in [("offered", true), ("required", false)] {
        let arguments = ["--starttls", mode, "--certificate", &files[0], "--private-key", &files[1]];
        let region = Region::start(&root().join("crates/regent/tests/applications/screens"), &data.path().join(mode), &arguments);
        let mut terminal = Terminal::connect_at(&format!("localhost:{}", region.port), "3279-2-E", &["-cafile", &files[0]]);
        terminal.expect("TERMID=");
        let session = terminal.act("Query(TlsSessionInfo)").join(" ");
        assert!(session.contains("TLSv1.3"), "{mode}: {session}");
        terminal.transaction("SPGA");
        terminal.expect("ITEM0001");
        terminal.pf(8);
        terminal.expect("ITEM0021");
        let plain = plain_negotiation(region.port);
        assert_eq!(plain.windows(3).any(|bytes| bytes == [0xFF, 0xFD, 0x28]), plain_is_served, "{mode}: {plain:02X?}");
        let text = String::from_utf8_lossy(&plain).into_owned();
        assert_eq!(text.contains("This port needs TLS"), !plain_is_served, "{mode}: {text}");
        drop(terminal);
        assert_eq!(region.stop(), 0);
    }
}

/// What a client that refuses STARTTLS is sent.
fn plain_negotiation(port: u16) -> Vec<u8> {
    let mut plain = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
    plain.set_read_timeout(Some(Duration::from_secs(2))).expect("a socket");
    let mut offered = [0; 3];
    plain.read_exact(&mut offered).expect("an offer");
    assert_eq!(offered, [0xFF, 0xFD, 0x2E]);
    plain.write_all(&[0xFF, 0xFC, 0x2E]).expect("it reads");
    let mut answer = Vec::new();
    let _ = plain.read_to_end(&mut answer);
    answer
}

/// Only a client with a certificate of the authority is served.
#[test]
fn clients_show_their_certificates() {
    let data = tempfile::tempdir().expect("a scratch directory");
    let (authority, client_key) = (data.path().join("client"), data.path().join("other"));
    std::fs::create_dir(&authority).and_then(|()| std::fs::create_dir(&client_key)).expect("directories");
    let (own, own_key) = certificate(data.path());
    let (authority, client, key) = signed_certificate(&authority);
    let (_, strange, strange_key) = signed_certificate(&client_key);
    let text = |path: &Path| path.display().to_string();
    let files = [text(&own), text(&own_key), text(&authority)];
    let arguments = ["--port-3270-tls", "0", "--certificate", &files[0], "--private-key", &files[1], "--client-authorities", &files[2]];
    let region = Region::start(&root().join("crates/regent/tests/applications/screens"), &data.path().join("data"), &arguments);
    let said = region.output.iter().find_map(|line| line.strip_prefix("3270-tls localhost:")).expect("the port of the listener");
    let host = format!("L:localhost:{}", said.trim());
    let options = ["-cafile", &files[0], "-certfile", &text(&client), "-keyfile", &text(&key)];
    let mut terminal = Terminal::connect_at(&host, "3279-2-E", &options);
    terminal.expect("TERMID=");
    for (what, certificate) in [("none", None), ("of another authority", Some((&strange, &strange_key)))] {
        let mut client = Command::new("openssl");
        client.args(["s_client", "-quiet", "-connect", host.trim_start_matches("L:"), "-CAfile", &files[0]]);
        if let Some((certificate, key)) = certificate {
            client.arg("-cert").arg(certificate).arg("-key").arg(key);
        }
        let mut child = client.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("openssl is installed");
        let mut got = Vec::new();
        child.stdout.take().expect("piped").read_to_end(&mut got).expect("it ends");
        let _ = child.kill();
        let _ = child.wait();
        assert!(got.is_empty(), "a client with a certificate {what}: {got:02X?}");
    }
    drop(terminal);
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
