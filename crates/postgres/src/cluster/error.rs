//! Why a private cluster cannot be had.

use std::fmt;
use std::path::PathBuf;

#[derive(Debug)]
pub enum ClusterError {
    /// There are no server programs; where they were looked for.
    NotInstalled {
        searched: Vec<PathBuf>,
    },
    /// The data was made by another major version.
    OtherVersion {
        data: String,
        programs: String,
    },
    /// This process is root, and the user that runs the server in its place cannot pass a directory above the data.
    Unreachable {
        directory: PathBuf,
        closed: PathBuf,
        user: String,
    },
    /// The caller did not want it any more.
    GivenUp,
    /// A program failed; its output.
    Failed {
        what: String,
        output: String,
    },
    Io {
        what: String,
        error: std::io::Error,
    },
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ClusterError::NotInstalled { searched } => {
                let places: Vec<String> = searched.iter().map(|path| path.display().to_string()).collect();
                write!(
                    f,
                    "no PostgreSQL server is installed (looked for initdb in {}); install it with: apt-get install postgresql",
                    places.join(", ")
                )
            }
            ClusterError::OtherVersion { data, programs } => {
                write!(
                    f,
                    "the database was made by PostgreSQL {data}, and PostgreSQL {programs} is installed; \
                     install {data} (package postgresql-{data}), or move the data with pg_dump"
                )
            }
            ClusterError::Unreachable { directory, closed, user } => {
                let (directory, closed) = (directory.display(), closed.display());
                write!(
                    f,
                    "the database {directory} cannot run as root, and user {user}, who runs it instead, cannot pass {closed}; \
                     run this command as another user than root, use a directory elsewhere, or let others pass: chmod o+x {closed}"
                )
            }
            ClusterError::GivenUp => f.write_str("the start of the database was given up"),
            ClusterError::Failed { what, output } => write!(f, "{what} failed: {}", output.trim()),
            ClusterError::Io { what, error } => write!(f, "{what}: {error}"),
        }
    }
}

impl std::error::Error for ClusterError {}

pub(super) fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> ClusterError {
    let what = what.into();
    move |error| ClusterError::Io { what, error }
}
