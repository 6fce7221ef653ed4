//! Where a server is and how to sign on: from a URL, from `key=value` pairs, or set field by field. The keys are those of libpq.

use std::fmt;
use std::iter::Peekable;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::str::Chars;
use std::time::{Duration, Instant};

/// Port of a server unless it is named.
pub const PORT: u16 = 5432;
/// Has the password if the configuration names none, as for libpq.
const PASSWORD_VARIABLE: &str = "PGPASSWORD";
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Where a password comes from. It is read at each connection, so a changed one is found.
#[derive(Clone, PartialEq, Eq, Default)]
pub enum Password {
    #[default]
    None,
    Value(String),
    /// The first line of the file.
    File(PathBuf),
    /// The line of libpq's password file that is for the host, port, database and user.
    PassFile(PathBuf),
    /// An environment variable.
    Environment(String),
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Password::None => "None",
            Password::Value(_) => "Value",
            Password::File(_) => "File",
            Password::PassFile(_) => "PassFile",
            Password::Environment(_) => "Environment",
        })
    }
}

/// How far TLS is asked for (libpq's `sslmode`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SslMode {
    Disable,
    /// TLS if the server has it; its certificate is not checked.
    #[default]
    Prefer,
    /// TLS; its certificate is not checked unless `root_certificate` is named.
    Require,
    /// The certificate is signed by an authority that is trusted.
    VerifyCa,
    /// And it is for the name of the host.
    VerifyFull,
}

impl SslMode {
    const NAMES: [(&'static str, SslMode); 5] = [
        ("disable", SslMode::Disable),
        ("prefer", SslMode::Prefer),
        ("require", SslMode::Require),
        ("verify-ca", SslMode::VerifyCa),
        ("verify-full", SslMode::VerifyFull),
    ];
}

/// Whether the proof of the password is bound to the server's certificate, so that nobody between can pass it on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ChannelBinding {
    Disable,
    #[default]
    Prefer,
    Require,
}

impl ChannelBinding {
    const NAMES: [(&'static str, ChannelBinding); 3] =
        [("disable", ChannelBinding::Disable), ("prefer", ChannelBinding::Prefer), ("require", ChannelBinding::Require)];
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// A name or address, or the directory of a Unix socket (it begins with `/`).
    pub host: String,
    /// The address to connect to in place of the host's; the host is then only the name in the server's certificate.
    pub address: Option<String>,
    pub port: u16,
    pub user: String,
    pub database: String,
    pub password: Password,
    pub ssl_mode: SslMode,
    pub root_certificate: Option<PathBuf>,
    pub certificate: Option<PathBuf>,
    pub key: Option<PathBuf>,
    pub channel_binding: ChannelBinding,
    pub application_name: String,
    /// Zero: none.
    pub connect_timeout: Duration,
    /// Settings of the session, sent when it begins.
    pub settings: Vec<(String, String)>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            host: "localhost".to_string(),
            address: None,
            port: PORT,
            user: String::new(),
            database: String::new(),
            password: Password::None,
            ssl_mode: SslMode::default(),
            root_certificate: None,
            certificate: None,
            key: None,
            channel_binding: ChannelBinding::default(),
            application_name: String::new(),
            connect_timeout: CONNECT_TIMEOUT,
            settings: Vec::new(),
        }
    }
}

/// What is wrong with a URL or a list of `key=value`. What it quotes of them is not shown if a password may be in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigError {
    before: &'static str,
    quoted: String,
    after: &'static str,
}

/// Stands for what may be a password.
const HIDDEN: &str = "***";

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}{}", self.before, self.quoted, self.after)
    }
}

impl std::error::Error for ConfigError {}

fn wrong<T>(before: &'static str, quoted: &str, after: &'static str) -> Result<T, ConfigError> {
    Err(ConfigError { before, quoted: quoted.to_string(), after })
}

/// Whether a part of a text may be a password: where a mistake makes another word of it, its characters are all that tells.
fn may_have_password(text: &str) -> bool {
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    rest.contains(['@', ':']) || rest.to_ascii_lowercase().contains("pass")
}

/// Whether a word could be a misspelt parameter: libpq's are in lower case. Another may be a part of a password.
fn is_parameter(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

impl std::str::FromStr for Config {
    type Err = ConfigError;

    /// `postgresql://user:password@host:port/database?key=value`, or `host=... user=...`.
    fn from_str(text: &str) -> Result<Config, ConfigError> {
        Config::read(text).map_err(|mut error| {
            if !error.quoted.is_empty() && may_have_password(text) {
                error.quoted = HIDDEN.to_string();
            }
            error
        })
    }
}

impl Config {
    fn read(text: &str) -> Result<Config, ConfigError> {
        let mut config = Config::default();
        match text.strip_prefix("postgresql://").or_else(|| text.strip_prefix("postgres://")) {
            Some(rest) => config.read_url(rest)?,
            None if text.contains("://") => return wrong("the URL of a database begins with postgresql://", "", ""),
            None => config.read_pairs(text)?,
        }
        if config.user.is_empty() {
            config.user = user_of_process().unwrap_or_default();
        }
        if config.database.is_empty() {
            config.database.clone_from(&config.user);
        }
        Ok(config)
    }

    fn read_url(&mut self, rest: &str) -> Result<(), ConfigError> {
        let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, database) = place.split_once('/').unwrap_or((place, ""));
        let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
        if database.contains('@') || query.contains('@') {
            // A password with one of these characters would become a part of names that messages show.
            return wrong("an @ stands behind a / or ?: in a user, password or database write / as %2F, ? as %3F and @ as %40", "", "");
        }
        let (user, password) = user.split_once(':').map_or((user, None), |(user, password)| (user, Some(password)));
        if user.contains('@') {
            return wrong("an @ stands in the user: a password follows a colon, and @ in a user is written %40", "", "");
        }
        self.user = decoded(user)?;
        if let Some(password) = password {
            self.password = Password::Value(decoded(password)?);
        }
        self.database = decoded(database)?;
        let (host, port) = match host.strip_prefix('[').and_then(|host| host.split_once(']')) {
            Some((address, port)) => (address, port.strip_prefix(':')),
            None => host.rsplit_once(':').map_or((host, None), |(host, port)| (host, Some(port))),
        };
        if !host.is_empty() {
            self.set("host", &decoded(host)?)?;
        }
        if let Some(port) = port.filter(|port| !port.is_empty()) {
            self.set("port", port)?;
        }
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let Some((key, value)) = pair.split_once('=') else { return wrong("", pair, " is not KEY=VALUE") };
            self.set(key, &decoded(value)?)?;
        }
        Ok(())
    }

    /// `key = value` with blanks around; a value in quotes may have blanks; a backslash takes the next character as it is.
    fn read_pairs(&mut self, text: &str) -> Result<(), ConfigError> {
        let mut rest = text.chars().peekable();
        loop {
            skip_blanks(&mut rest);
            if rest.peek().is_none() {
                return Ok(());
            }
            let mut key = String::new();
            while let Some(next) = rest.next_if(|next| *next != '=' && !next.is_whitespace()) {
                key.push(next);
            }
            skip_blanks(&mut rest);
            if rest.next_if_eq(&'=').is_none() {
                // It may be the rest of a password with a blank.
                return wrong("a word is not KEY=VALUE: a value with blanks stands in quotes, and a URL begins with postgresql://", "", "");
            }
            skip_blanks(&mut rest);
            let value = quoted_value(&mut rest).map_or_else(|| wrong("the value of ", &key, " has no closing quote"), Ok)?;
            self.set(&key, &value)?;
        }
    }

    /// One parameter by libpq's name of it.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), ConfigError> {
        let path = || Some(PathBuf::from(value));
        match key {
            "host" | "hostaddr" if value.contains(',') => {
                return wrong("host=", value, ": one host, not a list");
            }
            "host" => self.host = value.to_string(),
            "hostaddr" => match value.parse::<std::net::IpAddr>() {
                Ok(address) => self.address = Some(address.to_string()),
                Err(_) => return wrong("hostaddr=", value, ": not an address"),
            },
            "port" => match value.parse() {
                Ok(port) => self.port = port,
                Err(_) => return wrong("port=", value, ": not a port"),
            },
            "user" => self.user = value.to_string(),
            "dbname" => self.database = value.to_string(),
            "password" => self.password = Password::Value(value.to_string()),
            "passfile" => self.password = Password::PassFile(value.into()),
            "password_file" => self.password = Password::File(value.into()),
            "password_env" => self.password = Password::Environment(value.to_string()),
            "sslmode" => match SslMode::NAMES.iter().find(|(name, _)| *name == value) {
                Some((_, mode)) => self.ssl_mode = *mode,
                None => return wrong("sslmode=", value, ": disable, prefer, require, verify-ca or verify-full"),
            },
            "channel_binding" => match ChannelBinding::NAMES.iter().find(|(name, _)| *name == value) {
                Some((_, binding)) => self.channel_binding = *binding,
                None => return wrong("channel_binding=", value, ": disable, prefer or require"),
            },
            // As for libpq: the authorities that this machine trusts, of which many would sign for any name.
            "sslrootcert" if value == "system" => (self.root_certificate, self.ssl_mode) = (None, SslMode::VerifyFull),
            "sslrootcert" => self.root_certificate = path(),
            "sslcert" => self.certificate = path(),
            "sslkey" => self.key = path(),
            "application_name" => self.application_name = value.to_string(),
            "connect_timeout" => match value.parse() {
                Ok(seconds) => self.connect_timeout = Duration::from_secs(seconds),
                Err(_) => return wrong("connect_timeout=", value, ": not a number of seconds"),
            },
            "options" => self.settings.push(("options".to_string(), value.to_string())),
            _ if !is_parameter(key) => return wrong("a word before = is not a parameter of a connection", "", ""),
            _ => return wrong("", key, " is not a parameter of a connection"),
        }
        Ok(())
    }

    /// Whether it is a socket of this machine.
    pub fn is_unix(&self) -> bool {
        self.host.starts_with('/')
    }

    /// The Unix socket of the server, if it is reached by one.
    pub fn socket_path(&self) -> String {
        format!("{}/.s.PGSQL.{}", self.host, self.port)
    }

    /// For messages: the place, without the password.
    pub fn place(&self) -> String {
        format!("{}:{}/{}", self.host, self.port, self.database)
    }

    /// When connecting ends, if it begins now.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        (!self.connect_timeout.is_zero()).then(|| Instant::now() + self.connect_timeout)
    }

    /// The password, or why it cannot be had.
    pub fn password(&self) -> Result<Option<String>, String> {
        match &self.password {
            Password::None => Ok(std::env::var(PASSWORD_VARIABLE).ok()),
            Password::Value(value) => Ok(Some(value.clone())),
            Password::File(path) => Ok(Some(read(path)?.lines().next().unwrap_or_default().to_string())),
            Password::PassFile(path) => Ok(read(path)?.lines().find_map(|line| self.password_of_line(line))),
            Password::Environment(name) => match std::env::var(name) {
                Ok(value) => Ok(Some(value)),
                Err(_) => Err(format!("environment variable {name}, which is to have the password, is not set")),
            },
        }
    }

    /// The password of a line `host:port:database:user:password`, if it is for this connection. `*` is for all.
    fn password_of_line(&self, line: &str) -> Option<String> {
        if line.starts_with('#') {
            return None;
        }
        let mut fields = [const { String::new() }; 5];
        let mut number = 0;
        let mut rest = line.chars();
        while let Some(next) = rest.next() {
            match next {
                '\\' => fields[number].push(rest.next()?),
                ':' if number < 4 => number += 1,
                other => fields[number].push(other),
            }
        }
        let [host, port, database, user, password] = fields;
        let port_wanted = self.port.to_string();
        let wanted = [(&host, &self.host), (&port, &port_wanted), (&database, &self.database), (&user, &self.user)];
        let is_ours = wanted.iter().all(|(field, value)| *field == "*" || field == value);
        // A socket's directory is also called localhost.
        let is_local = host == "localhost" && self.is_unix() && wanted[1..].iter().all(|(field, value)| *field == "*" || field == value);
        (number == 4 && (is_ours || is_local)).then_some(password)
    }
}

/// Others may read it.
const FOR_OTHERS: u32 = 0o077;

/// A file of passwords. As for libpq, one that others may read is not used.
fn read(path: &Path) -> Result<String, String> {
    let named = |error: std::io::Error| format!("password file {}: {error}", path.display());
    let metadata = std::fs::metadata(path).map_err(named)?;
    if !metadata.is_file() {
        return Err(format!("password file {} is not a plain file, and is not used", path.display()));
    }
    if metadata.permissions().mode() & FOR_OTHERS != 0 {
        let path = path.display();
        return Err(format!("password file {path} is not used: group or others may use it; make it for its owner alone: chmod 600 {path}"));
    }
    std::fs::read_to_string(path).map_err(named)
}

fn skip_blanks(rest: &mut Peekable<Chars>) {
    while rest.next_if(|next| next.is_whitespace()).is_some() {}
}

/// `None`: a quote is not closed.
fn quoted_value(rest: &mut Peekable<Chars>) -> Option<String> {
    let is_quoted = rest.next_if_eq(&'\'').is_some();
    let mut value = String::new();
    loop {
        match rest.peek().copied() {
            None => return (!is_quoted).then_some(value),
            Some('\'') if is_quoted => {
                rest.next();
                return Some(value);
            }
            Some(next) if next.is_whitespace() && !is_quoted => return Some(value),
            Some('\\') => {
                rest.next();
                value.extend(rest.next());
            }
            Some(next) => {
                rest.next();
                value.push(next);
            }
        }
    }
}

/// The name of the user that runs this process.
fn user_of_process() -> Option<String> {
    let uid = rustix::process::geteuid().as_raw();
    crate::users::all().ok()?.into_iter().find(|user| user.uid == uid).map(|user| user.name)
}

/// Percent decoding.
fn decoded(text: &str) -> Result<String, ConfigError> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => bytes.push(byte),
            None => return wrong("", text, ": % is not followed by two hexadecimal digits"),
        }
        rest = &after[2..];
    }
    String::from_utf8(bytes).or_else(|_| wrong("", text, ": not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_has_user_place_and_parameters() {
        let config: Config = "postgresql://cics:p%40ss@db.example:6543/bank?sslmode=verify-full&connect_timeout=3".parse().unwrap();
        assert_eq!((config.user.as_str(), config.host.as_str(), config.port), ("cics", "db.example", 6543));
        assert_eq!(config.password, Password::Value("p@ss".to_string()));
        assert_eq!((config.database.as_str(), config.ssl_mode), ("bank", SslMode::VerifyFull));
        assert_eq!(config.connect_timeout, Duration::from_secs(3));
    }

    #[test]
    fn pairs_name_a_socket_directory() {
        let config: Config = "host=/run/db user=cics port=5433".parse().unwrap();
        assert!(config.is_unix());
        assert_eq!((config.database.as_str(), config.port), ("cics", 5433));
        let address: Config = "postgresql://u@[::1]:77/d".parse().unwrap();
        assert_eq!((address.host.as_str(), address.port), ("::1", 77));
    }

    #[test]
    fn a_wrong_parameter_is_named() {
        for (text, part) in [
            ("mysql://x", "postgresql://"),
            ("host=a sslmode=maybe", "sslmode=maybe"),
            ("host=a colour=red", "colour"),
            ("host=a port=70000", "port=70000"),
            ("host", "KEY=VALUE"),
            ("host=a,b", "host=a,b"),
            ("hostaddr=db.example", "hostaddr=db.example"),
            ("password='open", "closing quote"),
            ("postgresql://h/d?sslmode", "sslmode is not KEY=VALUE"),
            ("channel_binding=maybe", "channel_binding=maybe"),
            ("connect_timeout=soon", "connect_timeout=soon"),
            ("postgresql://a%4@h/d", "%"),
        ] {
            let error = text.parse::<Config>().unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn values_may_be_quoted() {
        let config: Config = r"user = cics password='it\'s a \\ secret' dbname=b\ c options='-c work_mem=8MB'".parse().unwrap();
        assert_eq!(config.password, Password::Value(r"it's a \ secret".to_string()));
        assert_eq!((config.user.as_str(), config.database.as_str()), ("cics", "b c"));
        assert_eq!(config.settings, [("options".to_string(), "-c work_mem=8MB".to_string())]);
    }

    #[test]
    fn the_user_of_the_process_signs_on_unless_another_is_named() {
        let config: Config = "host=/run/db".parse().unwrap();
        assert!(!config.user.is_empty());
        assert_eq!(config.database, config.user);
    }

    #[test]
    fn passwords_come_from_files_and_variables() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("passwords");
        let allow = |mode| std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        std::fs::write(&file, "# comment\nother:*:*:*:wrong\n*:5432:bank:cics:a\\:b:c\nlocalhost:*:*:*:local\n").unwrap();
        allow(0o600);
        let mut config: Config = "host=h user=cics dbname=bank".parse().unwrap();
        config.set("passfile", file.to_str().unwrap()).unwrap();
        assert_eq!(config.password(), Ok(Some("a:b:c".to_string())));
        config.set("user", "another").unwrap();
        assert_eq!(config.password(), Ok(None));
        config.set("host", "/run/db").unwrap();
        assert_eq!(config.password(), Ok(Some("local".to_string())));
        config.set("password_file", file.to_str().unwrap()).unwrap();
        assert_eq!(config.password(), Ok(Some("# comment".to_string())));
        for mode in [0o640, 0o604] {
            allow(mode);
            assert!(config.password().unwrap_err().contains("chmod 600"), "{mode:o}");
        }
        config.set("passfile", file.to_str().unwrap()).unwrap();
        assert!(config.password().unwrap_err().contains("not used"));
        config.set("password_file", "/no/such/file").unwrap();
        assert!(config.password().unwrap_err().contains("/no/such/file"));
        config.set("password_env", "REGENT_TEST_NOT_SET").unwrap();
        assert!(config.password().unwrap_err().contains("REGENT_TEST_NOT_SET"));
    }

    #[test]
    fn a_password_does_not_show() {
        let config: Config = "postgresql://u:secret@h/d".parse().unwrap();
        assert!(!format!("{config:?} {}", config.place()).contains("secret"));
    }
}
