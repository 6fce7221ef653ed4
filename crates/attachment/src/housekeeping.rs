//! The attachment's own session of the database, and the rows that mark committed units of work.
//!
//! Table `db2.units_of_work` of the support schema has a row for a unit of work that the database has committed together with changes of other resource managers
//! (`C`), written in its own transaction, so it is there exactly if that was committed. To learn an outcome the region first inserts a
//! refusal (`R`): if the row of the commit is there, or comes first, the unit of work is committed; otherwise it cannot commit any more, not
//! even if the session that was lost still tries to. An outcome told once therefore never changes.

use db2::prepared;
use postgres::{Message, Session, ThreadWait};
use region::resource_manager::Outcome;
use sql::names::string;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// A database that does not answer in this time is taken for one that is not there.
const ANSWER_MAX: Duration = Duration::from_secs(10);
/// A region that starts may have many rows to delete.
const CLEAN_UP_MAX: Duration = Duration::from_secs(120);
/// The server gives the question for an outcome up earlier: a transaction that has the row may wait for something itself.
const OUTCOME_MAX: &str = "5s";

pub struct Housekeeper {
    session: Session,
    /// The connection that it belongs to.
    pub epoch: u32,
}

type Rows = Vec<Vec<Option<String>>>;

impl Housekeeper {
    pub fn connect(config: &postgres::Config, epoch: u32) -> Result<Housekeeper, String> {
        let session = Session::connect(config, &mut ThreadWait).map_err(|error| error.to_string())?;
        Ok(Housekeeper { session, epoch })
    }

    /// The version of the server, as major and minor number.
    pub fn release(&mut self) -> Result<String, String> {
        let rows = self.query("select current_setting('server_version_num')::int / 10000")?;
        Ok(rows.into_iter().flatten().flatten().next().unwrap_or_default())
    }

    pub fn is_alive(&mut self) -> bool {
        self.query("select 1").is_ok()
    }

    /// The outcome of a unit of work; it cannot commit any more if it has not committed.
    pub fn outcome(&mut self, region: &str, unit: u64) -> Result<Outcome, String> {
        let region = string(region.trim_end());
        self.query(&format!(
            "set local lock_timeout = '{OUTCOME_MAX}'; \
             insert into db2.units_of_work (region, unit, outcome) values ({region}, {unit}, 'R') on conflict do nothing"
        ))?;
        let rows = self.query(&format!("select outcome from db2.units_of_work where region = {region} and unit = {unit}"))?;
        let outcome = rows.into_iter().flatten().flatten().next();
        Ok(if outcome.as_deref() == Some("C") { Outcome::Committed } else { Outcome::BackedOut })
    }

    /// Deletes the rows of units of work that have ended. A location may still need those that began before the region.
    pub fn forget(&mut self, region: &str, units: &[u64], microseconds: u64) -> Result<(), String> {
        let mut list = String::with_capacity(units.len() * 18);
        for unit in units {
            let _ = write!(list, "{}{unit}", if list.is_empty() { "" } else { "," });
        }
        let region = string(region.trim_end());
        let is_free = format!("(locations is null or unit >= {microseconds})");
        self.query(&format!("delete from db2.units_of_work where region = {region} and unit in ({list}) and {is_free}")).map(drop)
    }

    /// Deletes the rows of units of work that began before a time and are not among those still in doubt.
    pub fn forget_before(&mut self, region: &str, microseconds: u64, in_doubt: &[u64]) -> Result<(), String> {
        let kept: String = in_doubt.iter().map(|unit| format!(" and unit <> {unit}")).collect();
        let region = string(region.trim_end());
        let own = format!("region = {region} and unit < {microseconds}{kept}");
        // What locations may need is deleted when they have been asked.
        self.query_within(CLEAN_UP_MAX, &format!("delete from db2.units_of_work where {own} and locations is null")).map(drop)
    }

    /// Deletes the rows of such units of work of which these locations held parts.
    pub fn forget_parts(&mut self, region: &str, microseconds: u64, in_doubt: &[u64], locations: &[String]) -> Result<(), String> {
        prepared::forget(self.within(CLEAN_UP_MAX), Some((region, microseconds)), in_doubt, locations)
    }

    /// The identity of the database.
    pub fn origin(&mut self) -> Result<String, String> {
        prepared::origin(self.within(ANSWER_MAX))
    }

    fn query(&mut self, text: &str) -> Result<Rows, String> {
        self.query_within(ANSWER_MAX, text)
    }

    /// The session, for what must be answered in this time.
    fn within(&mut self, time: Duration) -> &mut Session {
        self.session.set_deadline(Some(Instant::now() + time));
        &mut self.session
    }

    fn query_within(&mut self, time: Duration, text: &str) -> Result<Rows, String> {
        self.within(time).query(text);
        let mut rows = Rows::new();
        let take = |message: Message<'_>| {
            if let Message::DataRow(row) = message {
                let text = |column: Option<&[u8]>| column.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
                rows.push(row.columns().map(text).collect());
            }
        };
        self.session.finish(&mut ThreadWait, take).map_err(|failure| failure.to_string())?;
        Ok(rows)
    }
}
