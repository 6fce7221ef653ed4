//! The server's programs: where they are installed, and which version they are.

use super::error::{ClusterError, io};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The system's roots of versioned installations: `/usr/lib/postgresql/15/bin`, `/usr/pgsql-15/bin`.
const ROOTS: [(&str, &str); 2] = [("/usr/lib/postgresql", ""), ("/usr", "pgsql-")];

/// The directory with the programs: one on PATH, or of the newest version that is installed. `data`: the major version that the data has,
/// which the programs must be of.
pub(super) fn find(data: Option<&str>) -> Result<PathBuf, ClusterError> {
    let mut searched: Vec<PathBuf> = std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default();
    let mut versioned: Vec<(u32, PathBuf)> = ROOTS.iter().flat_map(|(root, prefix)| installed(Path::new(root), prefix)).collect();
    versioned.sort_by(|left, right| right.cmp(left));
    searched.extend(versioned.into_iter().map(|(_, path)| path));
    choose(searched, data)
}

fn installed(root: &Path, prefix: &str) -> Vec<(u32, PathBuf)> {
    let entries = fs::read_dir(root).into_iter().flatten().flatten();
    let versioned = entries.filter_map(|entry| {
        let version = entry.file_name().to_str()?.strip_prefix(prefix)?.parse().ok()?;
        Some((version, entry.path().join("bin")))
    });
    versioned.collect()
}

fn choose(searched: Vec<PathBuf>, data: Option<&str>) -> Result<PathBuf, ClusterError> {
    let is_there = |path: &&PathBuf| path.is_absolute() && path.join("initdb").exists() && path.join("postgres").exists();
    let mut other = None;
    for path in searched.iter().filter(is_there) {
        let Some(data) = data else { return Ok(path.clone()) };
        let programs = major_version(path)?;
        if programs == data {
            return Ok(path.clone());
        }
        other.get_or_insert(programs);
    }
    match (other, data) {
        (Some(programs), Some(data)) => Err(ClusterError::OtherVersion { data: data.to_string(), programs }),
        _ => Err(ClusterError::NotInstalled { searched }),
    }
}

fn major_version(programs: &Path) -> Result<String, ClusterError> {
    let program = programs.join("postgres");
    let output = Command::new(&program).arg("--version").output().map_err(io(program.display().to_string()))?;
    // postgres (PostgreSQL) 15.8 (Debian 15.8-0+deb12u1)
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let version = text.split_whitespace().find(|word| word.starts_with(|first: char| first.is_ascii_digit())).unwrap_or_default();
    Ok(version.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn installation(directory: &Path, version: &str) -> PathBuf {
        let bin = directory.join(version).join("bin");
        fs::create_dir_all(&bin).unwrap();
        fs::write(bin.join("initdb"), "").unwrap();
        fs::write(bin.join("postgres"), format!("#!/bin/sh\necho 'postgres (PostgreSQL) {version}.3 (Debian {version}.3-1)'\n")).unwrap();
        fs::set_permissions(bin.join("postgres"), fs::Permissions::from_mode(0o755)).unwrap();
        bin
    }

    #[test]
    fn data_is_served_by_programs_of_its_version() {
        let directory = tempfile::tempdir().unwrap();
        let (new, old) = (installation(directory.path(), "17"), installation(directory.path(), "15"));
        let searched = vec![PathBuf::from("/no/such"), new.clone(), old.clone()];
        assert_eq!(choose(searched.clone(), None).unwrap(), new);
        assert_eq!(choose(searched.clone(), Some("15")).unwrap(), old);
        let error = choose(searched, Some("16")).unwrap_err();
        assert!(matches!(&error, ClusterError::OtherVersion { data, programs } if data == "16" && programs == "17"), "{error}");
    }

    #[test]
    fn what_is_not_installed_is_named() {
        let error = choose(vec![PathBuf::from("/no/such")], Some("15")).unwrap_err().to_string();
        assert!(error.contains("/no/such") && error.contains("apt-get install postgresql"), "{error}");
    }

    #[test]
    fn only_names_of_versions_are_installations() {
        let directory = tempfile::tempdir().unwrap();
        for name in ["pgsql-14", "pgsql-x", "lib", "15"] {
            fs::create_dir(directory.path().join(name)).unwrap();
        }
        assert_eq!(installed(directory.path(), "pgsql-"), [(14, directory.path().join("pgsql-14/bin"))]);
        assert_eq!(installed(directory.path(), ""), [(15, directory.path().join("15/bin"))]);
    }
}
