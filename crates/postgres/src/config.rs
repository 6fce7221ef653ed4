//! Where a server is and how to sign on: from a URL, from `key=value` pairs, or set field by field.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// Port of a server unless it is named.
pub const PORT: u16 = 5432;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Where a password comes from. It is read at each connection, so a changed one is found.
#[derive(Clone, PartialEq, Eq, Default)]
pub enum Password {
    #[default]
    None,
    Value(String),
    /// The first line of the file.
    File(PathBuf),
    /// An environment variable.
    Environment(String),
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Password::None => "None",
            Password::Value(_) => "Value",
            Password::File(_) => "File",
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

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// A name or address, or the directory of a Unix socket (it begins with `/`).
    pub host: String,
    pub port: u16,
    pub user: String,
    pub database: String,
    pub password: Password,
    pub ssl_mode: SslMode,
    pub root_certificate: Option<PathBuf>,
    pub certificate: Option<PathBuf>,
    pub key: Option<PathBuf>,
    pub application_name: String,
    pub connect_timeout: Duration,
    /// Settings of the session, sent when it begins.
    pub settings: Vec<(String, String)>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            host: "localhost".to_string(),
            port: PORT,
            user: String::new(),
            database: String::new(),
            password: Password::None,
            ssl_mode: SslMode::default(),
            root_certificate: None,
            certificate: None,
            key: None,
            application_name: String::new(),
            connect_timeout: CONNECT_TIMEOUT,
            settings: Vec::new(),
        }
    }
}

/// What is wrong with a URL or a list of `key=value`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigError(pub String);

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ConfigError {}

fn wrong<T>(text: impl Into<String>) -> Result<T, ConfigError> {
    Err(ConfigError(text.into()))
}

impl std::str::FromStr for Config {
    type Err = ConfigError;

    /// `postgresql://user:password@host:port/database?key=value`, or `host=... user=...`.
    fn from_str(text: &str) -> Result<Config, ConfigError> {
        let mut config = Config::default();
        match text.strip_prefix("postgresql://").or_else(|| text.strip_prefix("postgres://")) {
            Some(rest) => config.read_url(rest)?,
            None if text.contains("://") => return wrong("the URL of a database begins with postgresql://"),
            None => {
                for pair in text.split_whitespace() {
                    let Some((key, value)) = pair.split_once('=') else { return wrong(format!("{pair} is not KEY=VALUE")) };
                    config.set(key, value.trim_matches('\''))?;
                }
            }
        }
        if config.database.is_empty() {
            config.database.clone_from(&config.user);
        }
        Ok(config)
    }
}

impl Config {
    fn read_url(&mut self, rest: &str) -> Result<(), ConfigError> {
        let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, database) = place.split_once('/').unwrap_or((place, ""));
        let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
        let (user, password) = user.split_once(':').map_or((user, None), |(user, password)| (user, Some(password)));
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
            self.host = decoded(host)?;
        }
        if let Some(port) = port {
            self.set("port", port)?;
        }
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            self.set(key, &decoded(value)?)?;
        }
        Ok(())
    }

    /// One parameter by libpq's name of it.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), ConfigError> {
        let path = || Some(PathBuf::from(value));
        match key {
            "host" | "hostaddr" => self.host = value.to_string(),
            "port" => match value.parse() {
                Ok(port) => self.port = port,
                Err(_) => return wrong(format!("port={value}: not a port")),
            },
            "user" => self.user = value.to_string(),
            "dbname" => self.database = value.to_string(),
            "password" => self.password = Password::Value(value.to_string()),
            "password_file" => self.password = Password::File(value.into()),
            "password_env" => self.password = Password::Environment(value.to_string()),
            "sslmode" => match SslMode::NAMES.iter().find(|(name, _)| *name == value) {
                Some((_, mode)) => self.ssl_mode = *mode,
                None => return wrong(format!("sslmode={value}: disable, prefer, require, verify-ca or verify-full")),
            },
            "sslrootcert" => self.root_certificate = path(),
            "sslcert" => self.certificate = path(),
            "sslkey" => self.key = path(),
            "application_name" => self.application_name = value.to_string(),
            "connect_timeout" => match value.parse() {
                Ok(seconds) => self.connect_timeout = Duration::from_secs(seconds),
                Err(_) => return wrong(format!("connect_timeout={value}: not a number of seconds")),
            },
            "options" => self.settings.push(("options".to_string(), value.to_string())),
            _ => return wrong(format!("{key} is not a parameter of a connection")),
        }
        Ok(())
    }

    /// Whether it is a socket of this machine.
    pub fn is_unix(&self) -> bool {
        self.host.starts_with('/')
    }

    /// For messages: the place, without the password.
    pub fn place(&self) -> String {
        format!("{}:{}/{}", self.host, self.port, self.database)
    }

    /// The password, or why it cannot be had.
    pub fn password(&self) -> Result<Option<String>, String> {
        match &self.password {
            Password::None => Ok(None),
            Password::Value(value) => Ok(Some(value.clone())),
            Password::File(path) => match std::fs::read_to_string(path) {
                Ok(text) => Ok(Some(text.lines().next().unwrap_or_default().to_string())),
                Err(error) => Err(format!("password file {}: {error}", path.display())),
            },
            Password::Environment(name) => match std::env::var(name) {
                Ok(value) => Ok(Some(value)),
                Err(_) => Err(format!("environment variable {name}, which is to have the password, is not set")),
            },
        }
    }
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
            None => return wrong(format!("{text}: % is not followed by two hexadecimal digits")),
        }
        rest = &after[2..];
    }
    String::from_utf8(bytes).map_err(|_| ConfigError(format!("{text}: not UTF-8")))
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
            ("postgresql://a%4@h/d", "%"),
        ] {
            let error = text.parse::<Config>().unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn a_password_does_not_show() {
        let config: Config = "postgresql://u:secret@h/d".parse().unwrap();
        assert!(!format!("{config:?} {}", config.place()).contains("secret"));
    }
}
