//! The SQL database of an application: a private cluster in its work directory, or the server that `regent.toml` or a command names.
//!
//! `up`, `run` and `sql` all reach it here, so they find the same data. A private cluster that is running already is used as it is: a batch
//! program beside a region reaches the region's database.

mod script;
mod service;

use std::path::Path;

use db2::BindOptions;
use postgres::cluster::{ClusterError, PrivateCluster};
use postgres::{Config, Message, Session, ThreadWait};
use serde::Deserialize;

use crate::work_directory::WorkDirectory;
pub use script::{Mode, Outcome, Script, execute};
pub use service::BatchSql;

/// Sessions of a private cluster: the threads of a region and what batch programs need beside them.
const CONNECTIONS_MAX: u32 = 300;

/// `[database]` of `regent.toml`.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// A server in place of the private cluster: `postgresql://user@host:port/database?sslmode=verify-full`.
    pub url: Option<String>,
    /// A file whose first line is the password.
    pub password_file: Option<std::path::PathBuf>,
    /// An environment variable that has it.
    pub password_env: Option<String>,
    /// Schema of names without a qualifier, as BIND QUALIFIER.
    pub schema: Option<String>,
    /// The sequence of characters in ORDER BY and ranges.
    pub order: Order,
    /// SQL scripts and jobs to run, in this order, instead of those that are found.
    pub scripts: Option<Vec<std::path::PathBuf>>,
    /// Programs that a job step of the application's JCL runs with the database: `[["BANKDATA", "1,100,1,A"]]` runs at the first start.
    pub load: Vec<Load>,
}

/// A batch program that fills tables and files, once.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Load {
    /// Its load module.
    pub program: String,
    #[serde(default)]
    pub parm: String,
    /// DD name to data set name.
    #[serde(default)]
    pub dd: std::collections::BTreeMap<String, String>,
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

/// A database that answers.
pub struct Database {
    pub config: Config,
    schema: String,
    order: Order,
    cluster: Option<PrivateCluster>,
}

impl Database {
    /// That of an application: the named server, or the private cluster, which is made and started if it is not there.
    pub fn open(settings: &Settings, directory: &Path, work: &WorkDirectory) -> Result<Database, String> {
        let (config, cluster) = match &settings.url {
            Some(url) => (server(url, settings, directory)?, None),
            None => {
                let cluster = PrivateCluster::open(&work.database(), CONNECTIONS_MAX).map_err(|error| error.to_string())?;
                (cluster.config(), Some(cluster))
            }
        };
        let database = Database { config, schema: settings.schema.clone().unwrap_or_default(), order: settings.order, cluster };
        database.install_support()?;
        Ok(database)
    }

    /// That of the application if it has one already; a command that only wants to use it makes none.
    pub fn existing(settings: &Settings, directory: &Path, work: &WorkDirectory) -> Result<Option<Database>, String> {
        let is_there = settings.url.is_some() || work.database().exists();
        is_there.then(|| Database::open(settings, directory, work)).transpose()
    }

    /// A server that a command names.
    pub fn at(url: &str) -> Result<Database, String> {
        let database = Database {
            config: server(url, &Settings::default(), Path::new("."))?,
            schema: String::new(),
            order: Order::default(),
            cluster: None,
        };
        database.install_support()?;
        Ok(database)
    }

    pub fn session(&self) -> Result<Session, String> {
        Session::connect(&self.config, &mut ThreadWait).map_err(|error| format!("database {}: {error}", self.config.place()))
    }

    /// Functions and views of Db2, and the schema of unqualified names.
    fn install_support(&self) -> Result<(), String> {
        let mut session = self.session()?;
        let failed = |error: String| format!("database {}: schema db2 cannot be installed: {error}", self.config.place());
        if support_version(&mut session)? != Some(sql::SUPPORT_VERSION) {
            run(&mut session, sql::SUPPORT).map_err(failed)?;
        }
        if !self.schema.is_empty() {
            run(&mut session, &format!("CREATE SCHEMA IF NOT EXISTS {}", self.schema.to_lowercase())).map_err(failed)?;
        }
        Ok(())
    }

    pub fn bind_options(&self) -> BindOptions {
        BindOptions { qualifier: self.schema.to_lowercase(), ebcdic_order: self.order == Order::Ebcdic, ..BindOptions::default() }
    }

    /// Whether it is the application's own, and was found running.
    pub fn place(&self) -> String {
        match &self.cluster {
            Some(cluster) if cluster.adopted => "private PostgreSQL, found running".to_string(),
            Some(_) => "private PostgreSQL, started".to_string(),
            None => self.config.place(),
        }
    }

    /// The process of a private cluster.
    pub fn process(&self) -> Option<u32> {
        self.cluster.as_ref()?.process()
    }

    /// Ends a private cluster that this process has started.
    pub fn stop(&self) -> Result<(), ClusterError> {
        match &self.cluster {
            Some(cluster) => cluster.stop(),
            None => Ok(()),
        }
    }

    /// Whether this process has started it.
    pub fn is_ours(&self) -> bool {
        self.cluster.as_ref().is_some_and(|cluster| !cluster.adopted)
    }
}

fn server(url: &str, settings: &Settings, directory: &Path) -> Result<Config, String> {
    let mut config: Config = url.parse().map_err(|error| format!("[database] url: {error}"))?;
    if let Some(file) = &settings.password_file {
        config.password = postgres::Password::File(directory.join(file));
    }
    if let Some(name) = &settings.password_env {
        config.password = postgres::Password::Environment(name.clone());
    }
    Ok(config)
}

/// Runs statements that return nothing of interest.
fn run(session: &mut Session, text: &str) -> Result<(), String> {
    session.query(text);
    let mut failed = None;
    loop {
        match session.receive(&mut ThreadWait).map_err(|error| error.to_string())? {
            Message::ReadyForQuery(_) => break,
            Message::Error(error) => failed = Some(error.to_string()),
            _ => {}
        }
    }
    failed.map_or(Ok(()), Err)
}

/// The version of the schema that is installed.
fn support_version(session: &mut Session) -> Result<Option<u32>, String> {
    let mut found = None;
    session.query("SELECT max(version) FROM db2.version");
    loop {
        match session.receive(&mut ThreadWait).map_err(|error| error.to_string())? {
            Message::ReadyForQuery(_) => return Ok(found),
            Message::DataRow(row) => found = row.columns().next().flatten().and_then(|value| std::str::from_utf8(value).ok()?.parse().ok()),
            _ => {}
        }
    }
}
