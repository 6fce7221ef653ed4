//! The parts of units of work that other databases hold prepared: their names, and how those are ended that nobody waits for any more.
//!
//! The local database decides a unit of work that several have changed, by its row in `db2.units_of_work`. The others prepare their parts
//! first (PREPARE TRANSACTION) and commit them when the row is there. A part is named
//! `regent.ORIGIN.REGION.UNIT.LOCATION`: the identity of the local database, the region or batch program, its number of the unit of work, and
//! the location itself, because two locations may be databases of one server. The names of a server are those of all its databases and
//! users, so only the origin tells whose row is to be looked for.

use postgres::{Message, Session, ThreadWait};
use sql::names::string;
use std::fmt::Write as _;

/// Begins the name of every part.
const PREFIX: &str = "regent";
/// Begins the name of a batch program in place of a region's: small letters, which no APPLID has.
pub const BATCH: &str = "batch-";
/// A batch program that is still at its commit after this time loses it.
const BATCH_AGE: &str = "1 minute";
/// Rows of batch programs that were not deleted when they ended are, after this time.
const BATCH_ROW_AGE: &str = "1 day";

/// The row that the database keeps of a unit of work, if others took part: in table `db2.units_of_work`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitOfWorkMarker {
    /// The region, or the batch program.
    pub region: String,
    pub unit: u64,
    /// The identity of the database that has the row, as [`origin`] tells it.
    pub origin: String,
}

impl UnitOfWorkMarker {
    /// The statement that inserts the row; `locations` have prepared parts.
    pub fn statement(&self, locations: &[String]) -> String {
        let region = string(self.region.trim_end());
        let locations = if locations.is_empty() { "NULL".to_string() } else { array(locations) };
        format!("INSERT INTO db2.units_of_work (region, unit, outcome, locations) VALUES ({region}, {}, 'C', {locations})", self.unit)
    }

    /// The name of a location's part.
    pub fn part(&self, location: &str) -> String {
        format!("{}{:016X}.{}", prefix(&self.origin, &self.region), self.unit, escaped(location))
    }
}

fn array(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| string(text)).collect();
    format!("ARRAY[{}]::text[]", texts.join(", "))
}

/// What the names of a region's parts begin with.
fn prefix(origin: &str, region: &str) -> String {
    format!("{PREFIX}.{}.{}.", escaped(origin), escaped(region.trim_end()))
}

/// Without the character that separates the fields of a name.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'$' | b'@' | b'#' => escaped.push(char::from(byte)),
            other => {
                let _ = write!(escaped, "%{other:02X}");
            }
        }
    }
    escaped
}

fn unescaped(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(bytes).ok()
}

/// A part that a database holds prepared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Its name at the server.
    pub name: String,
    pub region: String,
    pub unit: u64,
}

fn parse(name: &str) -> Option<Part> {
    let mut fields = name.split('.');
    let (PREFIX, Some(_), Some(region), Some(unit), Some(_), None) =
        (fields.next()?, fields.next(), fields.next(), fields.next(), fields.next(), fields.next())
    else {
        return None;
    };
    Some(Part { name: name.to_string(), region: unescaped(region)?, unit: u64::from_str_radix(unit, 16).ok()? })
}

type Rows = Vec<Vec<Option<String>>>;

fn query(session: &mut Session, text: &str) -> Result<Rows, String> {
    session.query(text);
    let mut rows = Rows::new();
    let take = |message: Message<'_>| {
        if let Message::DataRow(row) = message {
            let text = |column: Option<&[u8]>| column.map(|bytes| String::from_utf8_lossy(bytes).into_owned());
            rows.push(row.columns().map(text).collect());
        }
    };
    session.finish(&mut ThreadWait, take).map_err(|failure| failure.to_string())?;
    Ok(rows)
}

fn first(rows: Rows) -> Option<String> {
    rows.into_iter().flatten().flatten().next()
}

/// The identity of a database.
pub fn origin(session: &mut Session) -> Result<String, String> {
    first(query(session, "select id from db2.identity")?).ok_or_else(|| "the database has no identity (table db2.identity)".to_string())
}

/// The parts of a region that the session's database holds, and with them those that batch programs of the same origin left behind.
pub fn list(session: &mut Session, origin: &str, region: Option<&str>) -> Result<Vec<Part>, String> {
    let begins = |prefix: &str| format!("pg_catalog.left(gid, {}) = {}", prefix.len(), string(prefix));
    let batch = prefix(origin, BATCH);
    let batch = format!("{} and prepared < pg_catalog.now() - interval '{BATCH_AGE}'", begins(batch.trim_end_matches('.')));
    let own = region.map_or("false".to_string(), |region| begins(&prefix(origin, region)));
    let rows = query(
        session,
        &format!(
            "select gid from pg_catalog.pg_prepared_xacts where database = pg_catalog.current_database() and ({own} or {batch}) order by prepared"
        ),
    )?;
    Ok(rows.into_iter().flatten().flatten().filter_map(|name| parse(&name)).collect())
}

/// Ends a part; false if it is not there: another has ended it.
pub fn finish(session: &mut Session, part: &Part, commits: bool) -> Result<bool, String> {
    let verb = if commits { "COMMIT" } else { "ROLLBACK" };
    session.query(&format!("{verb} PREPARED {}", string(&part.name)));
    match session.finish(&mut ThreadWait, |_| {}) {
        Err(postgres::FinishError::Refused(error)) if error.code == NOT_THERE => Ok(false),
        done => done.map(|()| true).map_err(|failure| failure.to_string()),
    }
}

/// SQLSTATE of a part that is not there.
pub const NOT_THERE: &str = "42704";

/// Asks the database that decides whether a unit of work was committed. If it was not, it cannot be any more: a row says so.
pub fn is_committed(session: &mut Session, region: &str, unit: u64) -> Result<bool, String> {
    let region = string(region.trim_end());
    query(
        session,
        &format!("insert into db2.units_of_work (region, unit, outcome) values ({region}, {unit}, 'R') on conflict do nothing"),
    )?;
    let rows = query(session, &format!("select outcome from db2.units_of_work where region = {region} and unit = {unit}"))?;
    Ok(first(rows).as_deref() == Some("C"))
}

/// Deletes rows of units of work.
pub fn delete(session: &mut Session, region: &str, units: &[u64]) -> Result<(), String> {
    if units.is_empty() {
        return Ok(());
    }
    let units: Vec<String> = units.iter().map(u64::to_string).collect();
    query(session, &format!("delete from db2.units_of_work where region = {} and unit in ({})", string(region), units.join(","))).map(drop)
}

/// Deletes the rows of a region's earlier units of work, those of which locations had parts: if all of the locations are among these, which
/// hold no part any more. Rows that batch programs left behind are old enough after a day.
pub fn forget(session: &mut Session, region: Option<(&str, u64)>, kept: &[u64], locations: &[String]) -> Result<(), String> {
    let kept: String = kept.iter().map(|unit| format!(" and unit <> {unit}")).collect();
    let own = region.map_or("false".to_string(), |(region, before)| {
        format!("region = {} and unit < {before}{kept} and locations is not null", string(region.trim_end()))
    });
    let batch =
        format!("pg_catalog.left(region, {}) = {} and time < pg_catalog.now() - interval '{BATCH_ROW_AGE}'", BATCH.len(), string(BATCH));
    let locations = array(locations);
    query(session, &format!("delete from db2.units_of_work where ({own} or {batch}) and coalesce(locations, '{{}}') <@ {locations}"))
        .map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_its_region_and_unit() {
        for region in ["REGION1", "A.B", "x%2E", "O'NEIL", "Größe", "batch-1A", "$@#"] {
            let marker = UnitOfWorkMarker { region: region.to_string(), unit: 0x00AB_CDEF_0123_4567, origin: "0af3".to_string() };
            let name = marker.part("PAYROLL");
            assert!(name.starts_with(&prefix("0af3", region)), "{name}");
            assert_eq!(parse(&name).map(|part| (part.region, part.unit)), Some((region.to_string(), marker.unit)), "{name}");
        }
        for name in ["", "regent", "regent.a.B.1", "other.a.B.1.C", "regent.a.B.1.C.D", "regent.a.B.x.C", "regent.a.%Z.1.C"] {
            assert_eq!(parse(name), None, "{name}");
        }
    }

    #[test]
    fn a_region_does_not_take_the_parts_of_one_whose_name_begins_alike() {
        assert!(
            !UnitOfWorkMarker { region: "REGION12".to_string(), unit: 1, origin: "a".to_string() }
                .part("L")
                .starts_with(&prefix("a", "REGION1"))
        );
    }
}
