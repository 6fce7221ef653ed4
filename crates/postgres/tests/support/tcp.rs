//! A server on a port of this machine, with TLS and users for every way to sign on. Its certificates are made by `openssl`.

use super::{Server, run};
use postgres::{Session, ThreadWait};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Who signs on how. `tls_` users are let in with TLS only, `plain_user` without TLS only.
const ACCESS: &str = "\
local all all trust
hostssl all cert_user 127.0.0.1/32 cert
hostssl all tls_user 127.0.0.1/32 trust
hostnossl all plain_user 127.0.0.1/32 trust
host all scram_user 127.0.0.1/32 scram-sha-256
host all md5_user 127.0.0.1/32 md5
host all clear_user 127.0.0.1/32 password
";

const USERS: &str = "create user tls_user; create user cert_user; create user plain_user; \
    set password_encryption = 'md5'; create user md5_user password 'sesame'; \
    set password_encryption = 'scram-sha-256'; create user scram_user password 'sesame'; create user clear_user password 'sesame'";

pub struct TcpServer {
    server: Server,
    child: Child,
    pub port: u16,
}

impl TcpServer {
    /// `sha`: the hash with which the server's certificate is signed.
    pub fn start(sha: &str) -> TcpServer {
        let server = Server::start();
        run(&mut server.session(), USERS);
        let program = std::fs::read_link(format!("/proc/{}/exe", server.cluster.process().unwrap())).unwrap();
        server.cluster.stop().unwrap();
        let root = server.directory.path().join("database");
        make_certificates(&root, sha);
        std::fs::write(root.join("hba"), ACCESS).unwrap();
        let owner = std::fs::metadata(root.join("data")).unwrap();
        for name in ["hba", "server.pem", "server.key", "ca.pem"] {
            chown(root.join(name), Some(owner.uid()), Some(owner.gid())).unwrap();
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut command = Command::new(program);
        command.arg("-D").arg(root.join("data")).arg("-k").arg(&root);
        let file = |setting: &str, name: &str| format!("{setting}={}", root.join(name).display());
        for setting in [
            "listen_addresses=127.0.0.1".to_string(),
            format!("port={port}"),
            // Also a table of prepared units of work at most as large as before.
            "max_prepared_transactions=12".to_string(),
            "ssl=on".to_string(),
            file("hba_file", "hba"),
            file("ssl_cert_file", "server.pem"),
            file("ssl_key_file", "server.key"),
            file("ssl_ca_file", "ca.pem"),
        ] {
            command.arg("-c").arg(setting);
        }
        let log = std::fs::File::create(root.join("log.tcp")).unwrap();
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).current_dir("/");
        if std::fs::metadata("/proc/self").unwrap().uid() != owner.uid() {
            command.uid(owner.uid()).gid(owner.gid());
        }
        let child = command.spawn().unwrap();
        let server = TcpServer { server, child, port };
        let until = Instant::now() + Duration::from_secs(30);
        let local: postgres::Config = format!("host={} port={port} user=regent", root.display()).parse().unwrap();
        while Session::connect(&local, &mut ThreadWait).is_err() {
            assert!(Instant::now() < until, "{}", std::fs::read_to_string(server.path("log.tcp")).unwrap());
            std::thread::sleep(Duration::from_millis(20));
        }
        server
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.server.directory.path().join("database").join(name)
    }

    pub fn config(&self, user: &str, more: &str) -> postgres::Config {
        format!("hostaddr=127.0.0.1 host=db.test port={} dbname=regent user={user} {more}", self.port).parse().unwrap()
    }
}

impl Drop for TcpServer {
    fn drop(&mut self) {
        // The quick shutdown of a server (SIGQUIT): its sessions end with it.
        let _ = Command::new("kill").args(["-QUIT", &self.child.id().to_string()]).status();
        let _ = self.child.wait();
    }
}

/// Two authorities, a certificate of the first for the server `db.test`, and one for the client `cert_user`.
fn make_certificates(root: &Path, sha: &str) {
    let openssl = |arguments: String| {
        let output = Command::new("openssl").args(arguments.split_whitespace()).current_dir(root).output();
        let output = output.expect("openssl makes the certificates of this test");
        assert!(output.status.success(), "openssl {arguments}: {}", String::from_utf8_lossy(&output.stderr));
    };
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    for authority in ["ca", "other"] {
        openssl(format!("req -x509 {key} -keyout {authority}.key -out {authority}.pem -subj /CN={authority} -days 2"));
    }
    openssl(format!("req -x509 {key} -keyout self.key -out self.pem -subj /CN=db.test -addext subjectAltName=DNS:db.test -days 2"));
    std::fs::write(root.join("server.ext"), "subjectAltName=DNS:db.test\n").unwrap();
    std::fs::write(root.join("client.ext"), "extendedKeyUsage=clientAuth\n").unwrap();
    for (name, subject) in [("server", "db.test"), ("client", "cert_user")] {
        openssl(format!("req {key} -keyout {name}.key -out {name}.csr -subj /CN={subject}"));
        let signer = "-CA ca.pem -CAkey ca.key -CAcreateserial -days 2";
        openssl(format!("x509 -req -{sha} -in {name}.csr {signer} -out {name}.pem -extfile {name}.ext"));
    }
    std::fs::set_permissions(root.join("server.key"), std::fs::Permissions::from_mode(0o600)).unwrap();
}
