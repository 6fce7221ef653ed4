//! Ways to reach a server and to sign on: TCP, TLS with and without checks, passwords, certificates.

mod support;

use postgres::{ConnectError, Session, ThreadWait};
use std::os::unix::fs::PermissionsExt;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;
use support::tcp::TcpServer;
use support::{answers, value};

fn server() -> Arc<TcpServer> {
    static SHARED: Mutex<Weak<TcpServer>> = Mutex::new(Weak::new());
    let mut shared = SHARED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    shared.upgrade().unwrap_or_else(|| {
        let server = Arc::new(TcpServer::start("sha256"));
        *shared = Arc::downgrade(&server);
        server
    })
}

fn connect(server: &TcpServer, user: &str, more: &str) -> Result<Session, ConnectError> {
    Session::connect(&server.config(user, more), &mut ThreadWait)
}

fn uses_tls(session: &mut Session) -> String {
    value(session, "select ssl from pg_stat_ssl where pid = pg_backend_pid()")
}

fn refused(server: &TcpServer, user: &str, more: &str) -> String {
    match connect(server, user, more) {
        Ok(_) => panic!("{user} {more}: let in"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_password_is_proved_in_each_way_that_a_server_asks() {
    let server = server();
    for user in ["clear_user", "md5_user", "scram_user"] {
        for mode in ["disable", "prefer"] {
            let mut session = connect(&server, user, &format!("password=sesame sslmode={mode}")).unwrap();
            assert_eq!(value(&mut session, "select current_user"), user);
            assert_eq!(uses_tls(&mut session), if mode == "disable" { "f" } else { "t" });
        }
        let error = connect(&server, user, "password=wrong").err().unwrap();
        assert!(matches!(&error, ConnectError::Refused(error) if error.code == "28P01"), "{user}: {error}");
        let error = connect(&server, user, "").err().unwrap();
        assert!(matches!(&error, ConnectError::NoPassword { user: named } if named == user), "{user}: {error}");
    }
    let file = server.path("password");
    std::fs::write(&file, "sesame\nanother line\n").unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    let error = connect(&server, "scram_user", &format!("password_file={}", file.display())).err().unwrap();
    assert!(error.to_string().contains("chmod 600"), "{error}");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    connect(&server, "scram_user", &format!("password_file={}", file.display())).unwrap();
    std::fs::write(&file, format!("db.test:{}:regent:scram_user:sesame\n", server.port)).unwrap();
    connect(&server, "scram_user", &format!("passfile={}", file.display())).unwrap();
}

#[test]
fn scram_is_bound_to_the_certificate() {
    let server = server();
    connect(&server, "scram_user", "password=sesame channel_binding=require sslmode=require").unwrap();
    connect(&server, "scram_user", "password=sesame channel_binding=disable sslmode=require").unwrap();
    for (user, mode) in [("scram_user", "disable"), ("md5_user", "require"), ("tls_user", "require")] {
        let error = refused(&server, user, &format!("password=sesame channel_binding=require sslmode={mode}"));
        assert!(error.contains("channel_binding"), "{user} {mode}: {error}");
    }
}

#[test]
fn a_certificate_of_each_hash_serves() {
    for (sha, is_bound) in [("sha384", true), ("sha512", false)] {
        let server = TcpServer::start(sha);
        connect(&server, "scram_user", "password=sesame sslmode=require").unwrap();
        let bound = connect(&server, "scram_user", "password=sesame sslmode=require channel_binding=require");
        assert_eq!(bound.is_ok(), is_bound, "{sha}: {:?}", bound.err());
    }
}

#[test]
fn a_certificate_is_checked_as_far_as_asked() {
    let server = server();
    let root = |name: &str| format!("sslrootcert={}", server.path(name).display());
    let mut session = connect(&server, "tls_user", &format!("sslmode=verify-full {}", root("ca.pem"))).unwrap();
    assert_eq!(uses_tls(&mut session), "t");
    for mode in ["require", "verify-ca", "verify-full"] {
        connect(&server, "tls_user", &format!("sslmode={mode} {}", root("ca.pem"))).unwrap();
        let error = refused(&server, "tls_user", &format!("sslmode={mode} {}", root("other.pem")));
        assert!(error.contains("UnknownIssuer"), "{mode}: {error}");
    }
    // The name of the host is not that in the certificate.
    let named = |mode: &str| format!("host=another.test sslmode={mode} {}", root("ca.pem"));
    connect(&server, "tls_user", &named("verify-ca")).unwrap();
    let error = refused(&server, "tls_user", &named("verify-full"));
    assert!(error.contains("another.test"), "{error}");
    // Without a file the authorities of the machine count, and they do not know ours.
    refused(&server, "tls_user", "sslmode=verify-ca");
    connect(&server, "tls_user", "sslmode=require").unwrap();
    let error = refused(&server, "tls_user", "sslmode=verify-full sslrootcert=/no/such/file");
    assert!(error.contains("/no/such/file"), "{error}");
    let error = refused(&server, "tls_user", &format!("sslmode=verify-full {}", root("hba")));
    assert!(error.contains("hba"), "{error}");
}

#[test]
fn the_servers_own_certificate_may_be_trusted() {
    let server = server();
    let root = format!("sslrootcert={}", server.path("server.pem").display());
    connect(&server, "tls_user", &format!("sslmode=verify-full {root}")).unwrap();
    connect(&server, "tls_user", &format!("sslmode=verify-ca host=another.test {root}")).unwrap();
    refused(&server, "tls_user", &format!("sslmode=verify-full host=another.test {root}"));
}

#[test]
fn a_client_signs_on_by_its_certificate() {
    let server = server();
    let pair = |certificate: &str, key: &str| {
        format!("sslmode=require sslcert={} sslkey={}", server.path(certificate).display(), server.path(key).display())
    };
    let mut session = connect(&server, "cert_user", &pair("client.pem", "client.key")).unwrap();
    assert_eq!(value(&mut session, "select current_user"), "cert_user");
    // One of an authority that the server does not know, one whose key is another's, none, half.
    refused(&server, "cert_user", &pair("other.pem", "other.key"));
    refused(&server, "cert_user", &pair("client.pem", "other.key"));
    refused(&server, "cert_user", "sslmode=require");
    let half = format!("sslmode=require sslcert={}", server.path("client.pem").display());
    assert!(refused(&server, "cert_user", &half).contains("sslkey"));
}

#[test]
fn tls_is_refused_where_it_is_not_offered() {
    let server = server();
    connect(&server, "plain_user", "sslmode=disable").unwrap();
    let error = connect(&server, "plain_user", "sslmode=require").err().unwrap();
    assert!(matches!(&error, ConnectError::Refused(error) if error.code == "28000"), "{error}");
    let error = connect(&server, "tls_user", "sslmode=disable").err().unwrap();
    assert!(matches!(&error, ConnectError::Refused(error) if error.code == "28000"), "{error}");
}

#[test]
fn much_data_goes_both_ways_over_tls() {
    const COUNT: usize = 3000;
    let server = server();
    let mut session = connect(&server, "tls_user", "sslmode=require").unwrap();
    let text = vec![b'x'; 20_000];
    session.parse("s", "select $1::text", &[]);
    for _ in 0..COUNT {
        support::bind(&mut session, "", "s", &[Some(&text)]);
        session.execute("", 0);
    }
    session.sync();
    assert_eq!(answers(&mut session).len(), 2 * COUNT);
    assert_eq!(value(&mut session, "select length(repeat('y', 50000000))"), "50000000");
}

#[test]
fn a_statement_over_tls_is_cancelled() {
    let server = server();
    let mut session = connect(&server, "tls_user", "sslmode=require").unwrap();
    let token = session.cancel_token().unwrap();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        token.cancel(&mut ThreadWait).unwrap();
    });
    session.query("select pg_sleep(60)");
    assert_eq!(answers(&mut session).last().map(String::as_str), Some("error 57014"));
    canceller.join().unwrap();
}

#[test]
fn the_place_is_named_when_nothing_listens() {
    let server = server();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let error = refused(&server, "tls_user", &format!("port={free}"));
    assert!(error.contains(&format!("db.test:{free}")), "{error}");
    let error = refused(&server, "tls_user", "host=/no/such/directory");
    assert!(error.contains("/no/such/directory/.s.PGSQL."), "{error}");
    let error = connect(&server, "tls_user", "dbname=none").err().unwrap();
    assert!(matches!(&error, ConnectError::Refused(error) if error.code == "3D000"), "{error}");
}

#[test]
fn settings_are_those_of_the_session() {
    let server = server();
    let mut session = connect(&server, "tls_user", "application_name=regent options='-c work_mem=7MB -c search_path=bank'").unwrap();
    assert_eq!(value(&mut session, "show work_mem"), "7MB");
    assert_eq!(value(&mut session, "show search_path"), "bank");
    assert_eq!(value(&mut session, "show application_name"), "regent");
    assert_eq!(session.parameter("application_name"), Some("regent"));
}
