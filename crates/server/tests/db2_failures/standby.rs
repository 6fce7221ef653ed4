//! Commits that are durable at the server and wait, before it answers, for a standby that does not exist.

use super::signal;
use super::support::*;
use postgres::{Session, ThreadWait};

/// Commits wait while this lives.
pub struct AwaitedStandby;

impl AwaitedStandby {
    /// Returns when they do: the processes of the server read their settings one after the other.
    pub fn new() -> AwaitedStandby {
        set("synchronous_standby_names = 'nobody'\n");
        let standby = AwaitedStandby;
        tell();
        let mut probe = Session::connect(&setup().cluster.owner_config(), &mut ThreadWait).unwrap();
        let commits = std::thread::spawn(move || {
            let mut commit = || {
                probe.query("comment on database regent is 'a commit that waits'");
                probe.finish(&mut ThreadWait, |_| ())
            };
            while commit().is_ok() {}
        });
        standby.end_those("query like 'comment on database%'");
        commits.join().unwrap();
        standby
    }

    /// Until a session of the region waits in a commit at this database.
    pub fn eventually_waits(&self, database: &str) {
        eventually_waits(&format!("datname = '{database}'"));
    }

    /// Ends the sessions of the region that wait in a commit at this database. Further commits do not wait.
    pub fn end_who_waits(self, database: &str) {
        self.end_those(&format!("datname = '{database}'"));
    }

    fn end_those(&self, sessions: &str) {
        eventually_waits(sessions);
        as_owner(&format!("select pg_terminate_backend(pid) {WAITING} and {sessions}"));
    }
}

impl Drop for AwaitedStandby {
    /// Tests that follow a failed one do not wait either.
    fn drop(&mut self) {
        set("");
        tell();
    }
}

const WAITING: &str = "from pg_stat_activity where wait_event = 'SyncRep'";

/// The region's own sessions do not show everything of others.
fn as_owner(text: &str) -> Option<String> {
    directly(setup().cluster.owner_config(), text)
}

fn eventually_waits(sessions: &str) {
    testing::eventually("a commit waits", || as_owner(&format!("select count(*) {WAITING} and {sessions}")).as_deref() != Some("0"));
}

/// The settings of the server that are not those of its start.
fn set(text: &str) {
    let place = setup().cluster.log().parent().unwrap().join("data/postgresql.auto.conf");
    std::fs::write(place, text).unwrap();
}

/// The server, if it runs, reads its settings.
fn tell() {
    if let Some(process) = setup().cluster.process() {
        signal("-HUP", [process.to_string()]);
    }
}
