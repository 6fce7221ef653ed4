//! The users of this machine, by `/etc/passwd`.

use std::path::PathBuf;

pub(crate) struct User {
    pub name: String,
    pub uid: u32,
    pub gid: u32,
    pub home: PathBuf,
}

pub(crate) fn all() -> std::io::Result<Vec<User>> {
    let text = std::fs::read_to_string("/etc/passwd")?;
    Ok(text.lines().filter_map(user_of_line).collect())
}

fn user_of_line(line: &str) -> Option<User> {
    let mut fields = line.split(':');
    let name = fields.next()?.to_string();
    let (uid, gid) = (fields.nth(1)?.parse().ok()?, fields.next()?.parse().ok()?);
    Some(User { name, uid, gid, home: fields.nth(1)?.into() })
}
