//! The SQL database of an application: a private cluster in its work directory, or the server that `regent.toml` or a command names.
//!
//! `up`, `run` and `sql` all reach it here, so they find the same data. A private cluster that is running already is used as it is: a batch
//! program beside a region reaches the region's database. The last user of a private cluster ends it.

mod command;
mod give_up;
mod lease;
mod listing;
mod located;
mod script;
mod service;
mod settings;
mod tables;
mod units;

use std::path::Path;

use db2::BindOptions;
use postgres::cluster::PrivateCluster;
use postgres::{Config, FinishError, Message, Session, ThreadWait};

use crate::work_directory::WorkDirectory;
pub use command::{Arguments, command};
pub use give_up::GiveUp;
use lease::Lease;
pub use listing::Listing;
pub use located::Located;
pub use script::{Executor, Failure, Finished};
pub use service::BatchSql;
pub use settings::{Order, Settings};
pub use tables::read as read_tables;
pub use units::Surroundings;

/// Sessions of a private cluster: the threads of a region, and what batch programs and people need beside them.
const CONNECTIONS_MAX: u32 = 300;
/// Schema of names without a qualifier when nothing says it.
const SCHEMA: &str = "PUBLIC";
/// Begins the names of further databases of a private cluster.
const FURTHER: &str = "regent_";

/// A database that answers. Whoever drops it gives it back: see [`Database::close`].
pub struct Database {
    pub config: Config,
    order: Order,
    /// Its location name.
    location: String,
    /// It is not the application's own.
    is_further: bool,
    cluster: Option<(PrivateCluster, Lease)>,
    /// Of a named server: applications are its superuser.
    is_superuser: bool,
    /// Of a further database: its server cannot hold prepared transactions.
    is_one_phase: bool,
    /// Ends what its sessions wait for.
    give_up: GiveUp,
}

impl Database {
    /// That of an application: the named server, or the private cluster, which is made and started if it is not there.
    pub fn open(settings: &Settings, directory: &Path, work: &WorkDirectory) -> Result<Database, String> {
        Database::open_unless(settings, directory, work, &GiveUp::default())
    }

    /// The same, given up as soon as another thread says so.
    pub fn open_unless(settings: &Settings, directory: &Path, work: &WorkDirectory, give_up: &GiveUp) -> Result<Database, String> {
        let (config, cluster) = match settings.server(directory)? {
            Some(config) => (config, None),
            None => {
                let lease = Lease::take(&work.database(), give_up)?;
                let cluster = open_cluster(work, &lease, give_up)?;
                (cluster.config(), Some((cluster, lease)))
            }
        };
        let mut database = Database::of(config, cluster, settings, give_up);
        if let Some((cluster, _)) = &database.cluster {
            database.config = private_config(cluster, settings)?;
        }
        database.with_support()
    }

    fn of(config: Config, cluster: Option<(PrivateCluster, Lease)>, settings: &Settings, give_up: &GiveUp) -> Database {
        let (order, location, is_further) = (settings.order, settings.bind_location(), !settings.name.is_empty());
        let give_up = give_up.clone();
        Database { config, order, location, is_further, cluster, is_superuser: false, is_one_phase: false, give_up }
    }

    /// That of an application which has one already: a command that only uses it makes none.
    pub fn existing(settings: &Settings, directory: &Path, work: &WorkDirectory) -> Result<Database, String> {
        if settings.url.is_none() && !work.database().exists() {
            return Err(format!("{} has no database yet: `regent up` makes it", directory.display()));
        }
        Database::open(settings, directory, work)
    }

    /// A server that a command names.
    pub fn at(url: &str) -> Result<Database, String> {
        let settings = Settings { url: Some(url.to_string()), ..Settings::default() };
        let config = settings.server(Path::new("."))?.ok_or("a URL is expected")?;
        Database::of(config, None, &settings, &GiveUp::default()).with_support()
    }

    pub fn session(&self) -> Result<Session, String> {
        self.connect(&self.config)
    }

    fn connect(&self, config: &Config) -> Result<Session, String> {
        Session::connect(config, &mut self.give_up.clone()).map_err(|error| format!("database {}: {error}", config.place()))
    }

    /// How its sessions wait.
    fn wait(&self) -> GiveUp {
        self.give_up.clone()
    }

    /// False if it is a private cluster whose server has ended.
    pub fn is_running(&self) -> bool {
        self.cluster.as_ref().is_none_or(|(cluster, _)| cluster.process().is_some())
    }

    /// Starts the server of a private cluster again.
    pub fn revive(&mut self, settings: &Settings, work: &WorkDirectory) -> Result<(), String> {
        if let Some((cluster, lease)) = &mut self.cluster {
            *cluster = open_cluster(work, lease, &self.give_up)?;
            self.config = private_config(cluster, settings)?;
        }
        Ok(())
    }

    pub fn order(&self) -> Order {
        self.order
    }

    /// How the programs of an application are bound to it.
    pub fn bind_options(&self, schema: &str) -> BindOptions {
        bind_options(self.order, &self.location, schema)
    }

    /// For programs that CONNECT to it.
    pub fn as_location(&self, schema: &str) -> db2::Location {
        db2::Location { name: self.location.clone(), config: self.config.clone(), bind: self.bind_options(schema).into() }
    }

    /// The functions and views of Db2, in the version of this build.
    fn with_support(mut self) -> Result<Database, String> {
        let mut session = match &self.cluster {
            Some((cluster, _)) => self.connect(&cluster.owner_config_of(&self.config.database))?,
            None => self.session()?,
        };
        self.is_superuser = self.cluster.is_none() && session.parameter("is_superuser") == Some("on");
        let wait = &mut self.wait();
        let prepared_max = format!("select current_setting('{PREPARED_MAX}')");
        self.is_one_phase = self.is_further && value(&mut session, &prepared_max, wait)?.as_deref() == Some("0");
        if installed_version(&mut session, wait)?.is_some_and(|version| version >= sql::SUPPORT_VERSION) {
            return Ok(self);
        }
        let grants = self.cluster.as_ref().map(|_| sql::support_grants(&self.config.user)).unwrap_or_default();
        session.query(&format!("{}{grants}", sql::SUPPORT));
        let installed = session.finish(wait, |_| {});
        installed.map_err(|error| format!("database {}: schema db2 cannot be installed: {error}", self.config.place()))?;
        Ok(self)
    }

    /// What the administrator of a named server should change.
    pub fn warnings(&self) -> Vec<String> {
        let (user, place) = (&self.config.user, self.config.place());
        let mut warnings = Vec::new();
        if self.is_superuser {
            warnings.push(format!(
                "user {user} is a superuser of server {place}: let applications connect as a role that is none and owns only their database"
            ));
        }
        if self.is_one_phase {
            warnings.push(format!(
                "server {place} of location {} has {PREPARED_MAX} = 0: a unit of work that changes data there and in another database is \
                 backed out; give it one for each session",
                self.location
            ));
        }
        warnings
    }

    /// For a line of the console.
    pub fn description(&self) -> String {
        match &self.cluster {
            Some((cluster, _)) if cluster.adopted => "private PostgreSQL, found running".to_string(),
            Some(_) => "private PostgreSQL, started".to_string(),
            None => format!("server {}", self.config.place()),
        }
    }

    /// Ends a private cluster that nobody else uses.
    pub fn close(mut self) -> Result<(), String> {
        self.end()
    }

    fn end(&mut self) -> Result<(), String> {
        match self.cluster.take() {
            Some((cluster, lease)) if lease.is_last() => cluster.stop().map_err(|error| error.to_string()),
            _ => Ok(()),
        }
    }
}

/// A command that fails leaves no server behind.
impl Drop for Database {
    fn drop(&mut self) {
        if let Err(error) = self.end() {
            tracing::error!(target: "region::db2", "{error}");
        }
    }
}

/// The private cluster, with its server running. A server that cannot be used is ended, if nobody else has a lease.
fn open_cluster(work: &WorkDirectory, lease: &Lease, give_up: &GiveUp) -> Result<PrivateCluster, String> {
    let directory = work.database();
    PrivateCluster::open_unless(&directory, CONNECTIONS_MAX, give_up.flag()).map_err(|error| {
        let ended = if lease.is_last() { PrivateCluster::end(&directory) } else { Ok(()) };
        lease.share();
        ended.map_or_else(|also| format!("{error}; {also}"), |()| error.to_string())
    })
}

/// How programs are bound to a database with this sequence of characters.
pub fn bind_options(order: Order, location: &str, schema: &str) -> BindOptions {
    let (qualifier, ebcdic_order) = (schema.to_lowercase(), order == Order::Ebcdic);
    BindOptions { location: location.to_string(), qualifier, ebcdic_order, ..BindOptions::default() }
}

/// Ends the private cluster of a work directory that is going to be removed.
pub fn end(work: &WorkDirectory) -> Result<(), String> {
    let directory = work.database();
    if !directory.join("data").exists() {
        return Ok(());
    }
    let lease = Lease::take(&directory, &GiveUp::default())?;
    match lease.is_last() {
        true => PrivateCluster::end(&directory).map_err(|error| error.to_string()),
        false => Err(format!("{}: the database is in use", directory.display())),
    }
}

/// Keeps what `up` found for `run` and `sql`.
pub fn keep_schema(work: &WorkDirectory, schema: &str) -> Result<(), String> {
    let path = work.schema();
    vsam::disk::private::write(&path, format!("{schema}\n").as_bytes()).map_err(|error| format!("{}: {error}", path.display()))
}

/// Schema of names without a qualifier: `regent.toml` goes before what `up` found.
pub fn schema(settings: &Settings, work: &WorkDirectory) -> String {
    let found = || std::fs::read_to_string(work.schema()).ok().map(|text| text.trim().to_string()).filter(|text| !text.is_empty());
    settings.schema.clone().or_else(found).unwrap_or_else(|| SCHEMA.to_string())
}

/// The setting of a server that says how many prepared transactions it can hold.
const PREPARED_MAX: &str = "max_prepared_transactions";

/// The database of a private cluster: the application's own, or a further one.
fn private_config(cluster: &PrivateCluster, settings: &Settings) -> Result<Config, String> {
    match settings.name.is_empty() {
        true => Ok(cluster.config()),
        false => cluster.add_database(&format!("{FURTHER}{}", settings.name.to_lowercase())).map_err(|error| error.to_string()),
    }
}

fn session(config: &Config) -> Result<Session, String> {
    Session::connect(config, &mut ThreadWait).map_err(|error| format!("database {}: {error}", config.place()))
}

/// The only value of a query.
fn value(session: &mut Session, query: &str, wait: &mut GiveUp) -> Result<Option<String>, String> {
    let mut found = None;
    session.query(query);
    let take = |message: Message<'_>| {
        if let Message::DataRow(row) = message {
            let value = row.columns().next().flatten().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
            found = value.or(found.take());
        }
    };
    let done = session.finish(wait, take);
    match done {
        Ok(()) => Ok(found),
        // What it asks for is not there.
        Err(FinishError::Refused(_)) => Ok(None),
        Err(broken) => Err(broken.to_string()),
    }
}

/// The version of the support schema, if there is one.
fn installed_version(session: &mut Session, wait: &mut GiveUp) -> Result<Option<u32>, String> {
    Ok(value(session, "select max(version) from db2.version", wait)?.and_then(|text| text.parse().ok()))
}
