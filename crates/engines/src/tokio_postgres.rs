//! SQL statements of a Rust program with `tokio-postgres`, for comparison with those of a program in a region.
//!
//! The statements are prepared once; a round is timed from its request to its last row, one session, one thread.

use std::time::Instant;

use tokio_postgres::types::{FromSql, Type};
use tokio_postgres::{Client, NoTls, Row, Statement};

use crate::Failure;

/// SELECTs of a unit of work.
const SELECTS: usize = 200;
/// Rows that a cursor is read for.
const ROWS: i32 = 20;

/// Where the database is: the directory of its socket may have any characters.
pub struct Place<'a> {
    pub host: &'a str,
    pub port: u16,
    pub user: &'a str,
    pub database: &'a str,
    pub password: &'a str,
}

/// The statements of `bench/sql`.
struct Peer {
    client: Client,
    one: Statement,
    several: Statement,
    change: Statement,
    id: i32,
}

/// Nanoseconds of a round of a case, in the mean of `count` rounds. `pipelined`: all SELECTs of a unit of work are sent at once.
pub fn measure(place: &Place<'_>, case: &str, count: u32, pipelined: bool) -> Result<f64, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(crate::text)?;
    runtime.block_on(async {
        let mut config = tokio_postgres::Config::new();
        config.host(place.host).port(place.port).user(place.user).dbname(place.database).password(place.password);
        let (client, session) = config.connect(NoTls).await.map_err(crate::text)?;
        let session = tokio::spawn(session);
        let mut peer = Peer::prepare(client).await.map_err(crate::text)?;
        let start = Instant::now();
        for _ in 0..count {
            peer.round(case, pipelined).await.map_err(crate::text)?;
        }
        let ns = start.elapsed().as_nanos() as f64 / f64::from(count);
        drop(peer);
        session.await.map_err(crate::text)?.map_err(crate::text)?;
        Ok(ns)
    })
}

impl Peer {
    async fn prepare(client: Client) -> Result<Peer, tokio_postgres::Error> {
        const COLUMNS: &str = "select cu_name, cu_balance, cu_since from sqb.customer";
        let one = client.prepare(&format!("{COLUMNS} where cu_id = $1")).await?;
        let several = client.prepare(&format!("{COLUMNS} where cu_id between $1 and $2 order by cu_id")).await?;
        let change = client.prepare("update sqb.customer set cu_balance = cu_balance + 1 where cu_id = $1").await?;
        Ok(Peer { client, one, several, change, id: 0 })
    }

    fn next(&mut self) -> i32 {
        self.id = if self.id + 37 > 9900 { self.id + 37 - 9899 } else { self.id + 37 };
        self.id
    }

    async fn round(&mut self, case: &str, pipelined: bool) -> Result<(), tokio_postgres::Error> {
        let id = self.next();
        match case {
            "SELECT" => look(&self.client.query_one(&self.one, &[&id]).await?),
            "FETCH" => self.client.query(&self.several, &[&id, &(id + ROWS - 1)]).await?.iter().for_each(look),
            "UPDATE" => {
                self.client.execute(&self.change, &[&id]).await?;
            }
            "UNIT" => self.unit(pipelined).await?,
            _ => unreachable!("the cases are those of SQBLOOP"),
        }
        Ok(())
    }

    /// SELECTs in one transaction.
    async fn unit(&mut self, pipelined: bool) -> Result<(), tokio_postgres::Error> {
        let ids: Vec<i32> = (0..SELECTS).map(|_| self.next()).collect();
        let transaction = self.client.transaction().await?;
        if pipelined {
            let (transaction, one) = (&transaction, &self.one);
            let selects = ids.iter().map(|id| async move { transaction.query_one(one, &[id]).await });
            futures_util::future::try_join_all(selects).await?.iter().for_each(look);
        } else {
            for id in ids {
                look(&transaction.query_one(&self.one, &[&id]).await?);
            }
        }
        transaction.commit().await
    }
}

/// The program sees the bytes of each value.
fn look(row: &Row) {
    for column in 0..row.len() {
        std::hint::black_box(row.get::<_, Bytes>(column).0);
    }
}

/// The value as it was sent; the other programs convert it, which takes less than a hundredth of the round.
struct Bytes<'a>(&'a [u8]);

impl<'a> FromSql<'a> for Bytes<'a> {
    fn from_sql(_: &Type, bytes: &'a [u8]) -> Result<Bytes<'a>, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Bytes(bytes))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}
