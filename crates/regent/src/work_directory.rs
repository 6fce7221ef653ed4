//! The work directory of an application, which holds everything generated from it: the paths of its parts, and which of them a start makes
//! again.

use std::path::{Path, PathBuf};

use vsam::disk::private;

/// Its name below the application's own directory.
const NAME: &str = ".regent";

#[derive(Clone)]
pub struct WorkDirectory {
    root: PathBuf,
}

/// What is lost with a part of the directory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Nothing: a start makes it again from the sources.
    MadeAgain,
    /// What only the application's use has created. The ledger of the set-up belongs to the data: without it the steps would run on it again.
    Data,
}

/// A file or directory of the work directory.
#[derive(Clone, Copy)]
struct Part {
    name: &'static str,
    class: Class,
}

const fn made_again(name: &'static str) -> Part {
    Part { name, class: Class::MadeAgain }
}

const fn data(name: &'static str) -> Part {
    Part { name, class: Class::Data }
}

const LIBRARY: Part = made_again("library");
const COPY: Part = made_again("copy");
const STREAM: Part = made_again("stream");
const LISTINGS: Part = made_again("listings");
const FINGERPRINTS: Part = made_again("compiled.json");
const CSD: Part = data("csd");
const INSTALLED: Part = made_again("installed");
const NOT_USED: Part = made_again("not-used.txt");
const STORE: Part = data("data");
const SEQUENTIAL: Part = data("sequential");
const LISTENER: Part = made_again("listener");
const LEDGER: Part = data("setup.json");
const LOG: Part = data("log");
const DATABASE: Part = data("database");
const SCHEMA: Part = data("schema");

const PARTS: [Part; 15] =
    [LISTENER, LIBRARY, COPY, STREAM, LISTINGS, FINGERPRINTS, CSD, INSTALLED, NOT_USED, STORE, SEQUENTIAL, LEDGER, LOG, DATABASE, SCHEMA];

impl WorkDirectory {
    /// That of the application in `directory`: `data` if `--data` names one. It need not be there.
    pub fn of(directory: &Path, data: Option<&Path>) -> WorkDirectory {
        WorkDirectory { root: data.map_or_else(|| directory.join(NAME), Path::to_path_buf) }
    }

    /// The one whose store this is.
    pub fn of_store(store: &Path) -> WorkDirectory {
        WorkDirectory { root: store.parent().unwrap_or(store).to_path_buf() }
    }

    /// Makes the directory if it is not there.
    pub fn create(self) -> Result<WorkDirectory, String> {
        private::create_directory(&self.root).map_err(|error| {
            format!("{}: {error}; what is made of the application is kept there: name another directory with --data", self.root.display())
        })?;
        private::tighten(&self.root);
        Ok(self)
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    fn path(&self, part: Part) -> PathBuf {
        self.root.join(part.name)
    }

    /// All parts, whether they are there or not.
    pub fn parts(&self) -> impl Iterator<Item = (PathBuf, Class)> {
        PARTS.iter().map(|part| (self.path(*part), part.class))
    }

    /// Load modules of programs and mapsets.
    pub fn library(&self) -> PathBuf {
        self.path(LIBRARY)
    }

    /// Symbolic maps.
    pub fn copy(&self) -> PathBuf {
        self.path(COPY)
    }

    /// Sources that stand in the streams of jobs.
    pub fn stream(&self) -> PathBuf {
        self.path(STREAM)
    }

    /// SYSPRINT of the steps that have run.
    pub fn listings(&self) -> PathBuf {
        self.path(LISTINGS)
    }

    /// What was compiled, and from which sources.
    pub fn fingerprints(&self) -> PathBuf {
        self.path(FINGERPRINTS)
    }

    pub fn csd(&self) -> PathBuf {
        self.path(CSD)
    }

    /// The resources that the region has installed.
    pub fn installed(&self) -> PathBuf {
        self.path(INSTALLED)
    }

    /// The list of files that are not used.
    pub fn not_used(&self) -> PathBuf {
        self.path(NOT_USED)
    }

    /// Files, queues and the system log.
    pub fn store(&self) -> PathBuf {
        self.path(STORE)
    }

    /// Sequential data sets that batch programs create.
    pub fn sequential(&self) -> PathBuf {
        self.path(SEQUENTIAL)
    }

    /// What was set up.
    pub fn ledger(&self) -> PathBuf {
        self.path(LEDGER)
    }

    /// The address of the 3270 listener, while a region runs.
    pub fn listener(&self) -> PathBuf {
        self.path(LISTENER)
    }

    /// The private cluster of the application's SQL database.
    pub fn database(&self) -> PathBuf {
        self.path(DATABASE)
    }

    /// The schema of SQL names without a qualifier.
    pub fn schema(&self) -> PathBuf {
        self.path(SCHEMA)
    }

    /// The log of the region.
    pub fn log(&self) -> PathBuf {
        self.path(LOG)
    }
}
