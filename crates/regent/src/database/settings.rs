//! `[database]` of `regent.toml`, and `[database.NAME]` of a further database.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use postgres::{Config, Password};
use serde::Deserialize;

#[derive(Debug, Default, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// The location of a further database; empty: the application's own.
    #[serde(skip)]
    pub name: String,
    /// Further databases by their locations.
    #[serde(skip)]
    pub locations: BTreeMap<String, Settings>,
    /// The location name of the application's own database, for CONNECT and CURRENT SERVER.
    pub location: Option<String>,
    /// A server in place of the private cluster: `postgresql://user@host:port/database?sslmode=verify-full`.
    pub url: Option<String>,
    /// A file whose first line is the password.
    pub password_file: Option<PathBuf>,
    /// An environment variable that has it.
    pub password_env: Option<String>,
    /// Certificates of the authorities that the server's is checked against.
    pub root_certificate: Option<PathBuf>,
    /// The certificate and key by which this client is known.
    pub certificate: Option<PathBuf>,
    pub key: Option<PathBuf>,
    /// Schema of names without a qualifier, as QUALIFIER of BIND.
    #[serde(alias = "qualifier")]
    pub schema: Option<String>,
    /// The sequence of characters in ORDER BY and ranges.
    pub order: Order,
    /// SQL scripts, and jobs whose SQL is run, in this order, instead of all that are found: paths, or names of jobs or `JOB.STEP`.
    pub scripts: Option<Vec<String>>,
    /// Steps that run programs of the application once, when they have not been run: `JOB` or `JOB.STEP`.
    pub jobs: Vec<String>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// That of the EBCDIC code page, as on the host.
    #[default]
    Ebcdic,
    /// That of the characters' numbers.
    Ascii,
}

impl Settings {
    /// The table of `regent.toml`.
    pub fn title(&self) -> String {
        if self.name.is_empty() { "[database]".to_string() } else { format!("[database.{}]", self.name) }
    }

    /// The settings of a further database.
    pub fn of_location(&self, name: &str) -> Result<&Settings, String> {
        self.locations.get(&name.to_uppercase()).ok_or_else(|| {
            let known: Vec<&str> = self.locations.keys().map(String::as_str).collect();
            let known = if known.is_empty() { "none is".to_string() } else { format!("there are {}", known.join(", ")) };
            format!("location {name} is not in regent.toml, as [database.{}]; {known}", name.to_uppercase())
        })
    }

    /// The location name of a database, in capital letters.
    pub fn bind_location(&self) -> String {
        let own = if self.name.is_empty() { self.location.clone().unwrap_or_default() } else { self.name.clone() };
        let bind = db2::BindOptions { location: own.to_uppercase(), ..db2::BindOptions::default() };
        bind.location().to_string()
    }

    /// The named server; paths are relative to `directory`.
    pub fn server(&self, directory: &Path) -> Result<Option<Config>, String> {
        let Some(url) = &self.url else { return Ok(None) };
        let mut config: Config = url.parse().map_err(|error| format!("{} url: {error}", self.title()))?;
        let path = |path: &PathBuf| directory.join(path);
        if let Some(file) = &self.password_file {
            config.password = Password::File(path(file));
        }
        if let Some(name) = &self.password_env {
            config.password = Password::Environment(name.clone());
        }
        config.root_certificate = self.root_certificate.as_ref().map(path).or(config.root_certificate);
        config.certificate = self.certificate.as_ref().map(path).or(config.certificate);
        config.key = self.key.as_ref().map(path).or(config.key);
        Ok(Some(config))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_with_a_password_in_a_file() {
        let text = "url = \"postgresql://app@db.example:6432/bank?sslmode=verify-full\"\npassword_file = \"secret\"\norder = \"ascii\"\n";
        let settings: Settings = toml::from_str(text).unwrap();
        let config = settings.server(Path::new("/app")).unwrap().unwrap();
        assert_eq!((config.host.as_str(), config.port, config.user.as_str()), ("db.example", 6432, "app"));
        assert_eq!(config.password, Password::File("/app/secret".into()));
        assert_eq!(settings.order, Order::Ascii);
        assert!(Settings::default().server(Path::new(".")).unwrap().is_none());
        assert!(toml::from_str::<Settings>("ulr = \"x\"").is_err());
    }
}
