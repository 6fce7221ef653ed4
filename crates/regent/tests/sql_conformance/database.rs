//! The private cluster of the tests, and the databases in it.

use std::path::PathBuf;
use std::process::Command;

/// Removes what a case has left: every schema but those of the server and of Regent.
const CLEAN: &str = "do $$ declare name text; begin \
    for name in select nspname from pg_namespace where nspname !~ '^pg_' \
        and nspname not in ('information_schema', 'db2', 'sysibm', 'syscat') loop \
        execute format('drop schema %I cascade', name); end loop; \
    create schema public; end $$";

/// STUB until `postgres::cluster` is there: a server named by the environment.
pub struct Cluster {
    socket: String,
}

impl Cluster {
    pub fn start() -> Cluster {
        Cluster { socket: std::env::var("SQL_CASES_SOCKET").expect("a socket directory") }
    }

    pub fn database(&self, worker: usize) -> Database {
        let name = format!("cases{worker}");
        let create = format!("create database {name} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'");
        let url = |name: &str| format!("postgresql://postgres@/{name}?host={}", self.socket);
        psql(&url("postgres"), &format!("drop database if exists {name}"));
        psql(&url("postgres"), &create);
        Database { url: url(&name) }
    }
}

pub struct Database {
    pub url: String,
}

impl Database {
    pub fn clean(&mut self) {
        psql(&self.url, CLEAN);
    }
}

fn psql(url: &str, statement: &str) {
    let program: PathBuf = "psql".into();
    let output = Command::new(program).args([url, "-q", "-v", "ON_ERROR_STOP=1", "-c", statement]).output().expect("psql runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
