//! The private cluster of the tests, and a database in it for each worker, which is emptied before each case. The programs connect as the
//! application, and the tests themselves as the owner of the cluster.

use std::path::Path;

use postgres::cluster::PrivateCluster;
use postgres::{Config, Password, Session, ThreadWait};

/// Sessions at once: two for each worker, and some that are about to end.
const CONNECTIONS_MAX: u32 = 30;

/// Removes what a case has left: every schema but those of the server and of Regent.
const CLEAN: &str = "do $$ declare name text; begin \
    for name in select nspname from pg_namespace where nspname !~ '^pg_' \
        and nspname not in ('information_schema', 'db2', 'sysibm') loop \
        execute format('drop schema %I cascade', name); end loop; \
    create schema public; end $$";

pub struct Cluster {
    cluster: PrivateCluster,
}

impl Cluster {
    pub fn start(directory: &Path) -> Cluster {
        Cluster { cluster: PrivateCluster::open(directory, CONNECTIONS_MAX).expect("a cluster") }
    }

    pub fn database(&self, worker: usize) -> Database {
        let name = format!("cases{worker}");
        let mut owner = self.cluster.owner_config();
        let mut session = connect(&owner);
        run(&mut session, &format!("create database {name} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'"));
        owner.database.clone_from(&name);
        let mut session = connect(&owner);
        let Config { user, host, port, password, .. } = self.cluster.config();
        run(&mut session, &format!("{}{}grant create, temporary on database {name} to {user}", sql::SUPPORT, sql::support_grants(&user)));
        let Password::PassFile(passwords) = password else { panic!("a cluster has a file of passwords") };
        let url = format!("postgresql://{user}@/{name}?host={host}&port={port}&passfile={}", passwords.display());
        Database { url, user, session }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = self.cluster.stop();
    }
}

pub struct Database {
    pub url: String,
    user: String,
    session: Session,
}

impl Database {
    pub fn clean(&mut self) {
        run(&mut self.session, &format!("{CLEAN}; grant usage, create on schema public to {}", self.user));
    }
}

fn connect(config: &Config) -> Session {
    Session::connect(config, &mut ThreadWait).expect("a session")
}

fn run(session: &mut Session, statement: &str) {
    session.query(statement);
    session.finish(&mut ThreadWait, |_| {}).unwrap_or_else(|failure| panic!("{statement}: {failure}"));
}
