//! The two roles of a private cluster, and their passwords.
//!
//! The owner is the superuser that the cluster was made with: only Regent's own set-up uses it. The role of the application owns what the
//! application makes, and nothing else. Both have a password of their own in a file that only the user of this process reads. The server
//! asks for it on every connection, so SQL that the server executes does not get in as the owner. Where root runs Regent, the user who
//! runs the server can do anything with it.
//!
//! Invariant: the server asks for passwords only when both roles have those of the file; until then its directory alone protects it. So the
//! rules change first when the passwords do, and a process that is killed at any point leaves what the next one completes.

use super::error::{ClusterError, io};
use super::place::{Owner, no_link, replace};
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

pub(super) const OWNER: &str = "regent";
pub(super) const APPLICATION: &str = "regent_application";
const FILE: &str = "passwords";
const PASSWORD_BYTES: usize = 24;
/// Who may connect, as the server reads it: nobody without a password, and without one while there are none.
const WITH_PASSWORDS: &str =
    "# Written by Regent. The passwords are in the file `passwords` beside the data.\nlocal all all scram-sha-256\n";
const WITHOUT_PASSWORDS: &str = "# Written by Regent, until the roles have their passwords.\nlocal all all trust\n";

/// The file of passwords, in the form that libpq reads.
pub(super) struct Passwords {
    pub path: PathBuf,
    owner: String,
    application: String,
}

impl Passwords {
    /// Those of the file, or new ones, which the server does not know: it is told to let the roles in without.
    pub fn find(directory: &Path, data: &Path, owner: Option<&Owner>) -> Result<Passwords, ClusterError> {
        if let Some(known) = Passwords::read(directory)? {
            return Ok(known);
        }
        ask_for_passwords(data, false, owner)?;
        Passwords::make(directory)
    }

    fn read(directory: &Path) -> Result<Option<Passwords>, ClusterError> {
        let path = file(directory);
        let mut text = String::new();
        match no_link().read(true).open(&path).and_then(|mut file| file.read_to_string(&mut text)) {
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(io(path.display().to_string())(error)),
        }
        let of = |role: &str| text.lines().find_map(|line| line.strip_prefix(&format!("*:*:*:{role}:")).map(str::to_string));
        let (Some(owner), Some(application)) = (of(OWNER), of(APPLICATION)) else { return Ok(None) };
        Ok(Some(Passwords { path, owner, application }))
    }

    fn make(directory: &Path) -> Result<Passwords, ClusterError> {
        let path = file(directory);
        let named = || path.display().to_string();
        let (owner, application) = (random()?, random()?);
        let unfinished = directory.join(format!("{FILE}.unfinished"));
        let _ = fs::remove_file(&unfinished);
        let mut file = fs::OpenOptions::new().create_new(true).write(true).mode(0o600).open(&unfinished).map_err(io(named()))?;
        let lines = format!("*:*:*:{OWNER}:{owner}\n*:*:*:{APPLICATION}:{application}\n");
        file.write_all(lines.as_bytes()).and_then(|()| file.sync_all()).map_err(io(named()))?;
        fs::rename(&unfinished, &path).map_err(io(named()))?;
        Ok(Passwords { path, owner, application })
    }

    /// The statements that give the roles these passwords, and the application what it needs.
    pub fn statements(&self) -> String {
        format!(
            "alter role {OWNER} password '{}';\n{}\nalter role {APPLICATION} login password '{}';\n{MIGRATION}",
            self.owner, MAKING, self.application
        )
    }
}

/// The statements that give the application what it needs in a further database.
pub(super) fn rights(database: &str) -> String {
    let database = delimited(database);
    format!(
        "grant connect, create, temporary on database {database} to {APPLICATION};\ngrant usage, create on schema public to {APPLICATION};"
    )
}

pub(super) fn delimited(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Where the passwords are.
pub(super) fn file(directory: &Path) -> PathBuf {
    directory.join(FILE)
}

/// The role, once.
const MAKING: &str = include_str!("role.sql");
/// What an earlier build made as the owner becomes the application's.
const MIGRATION: &str = include_str!("migration.sql");

fn random() -> Result<String, ClusterError> {
    let mut bytes = [0; PASSWORD_BYTES];
    fs::File::open("/dev/urandom").and_then(|mut source| source.read_exact(&mut bytes)).map_err(io("/dev/urandom"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The server asks for passwords.
pub(super) fn asks_for_passwords(data: &Path) -> bool {
    fs::read_to_string(rules(data)).is_ok_and(|text| text == WITH_PASSWORDS)
}

/// Says whether the server asks for passwords; it reads this when it starts, or is told to.
pub(super) fn ask_for_passwords(data: &Path, asks: bool, owner: Option<&Owner>) -> Result<(), ClusterError> {
    replace(&rules(data), if asks { WITH_PASSWORDS } else { WITHOUT_PASSWORDS }, owner)
}

fn rules(data: &Path) -> PathBuf {
    data.join("pg_hba.conf")
}
