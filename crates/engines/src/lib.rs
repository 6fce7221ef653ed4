//! What regions are compared with in one run: for files, storage engines driven directly, LMDB always, RocksDB, SQLite and redb by features;
//! for SQL, a client of PostgreSQL, by a feature.
//!
//! The product uses nothing of this crate. Rules of the comparison: keys and values are the same bytes for all; every `update` is durable
//! when it returns (the engine's own durable setting, none weakened); a reader is opened once, as in an application tuned for speed, and
//! renewed only when the engine asks for it.
//!
//! `unsafe` here opens LMDB, which demands that nobody else changes its file while it is mapped: the directory has just been made for the
//! measurement. The test below opens every engine of the build.

#[cfg(feature = "rocksdb")]
mod rocksdb;
#[cfg(feature = "tokio-postgres")]
pub mod tokio_postgres;

use std::path::Path;

pub const KEY_BYTES: usize = 16;

/// What went wrong, in the engine's words.
pub type Failure = String;

/// An engine with one table of byte keys and values. Calls come from many threads.
pub trait Engine: Send + Sync {
    fn name(&self) -> &'static str;
    /// Adds records in ascending order of keys, durably at the end.
    fn load(&self, records: &mut dyn Iterator<Item = ([u8; KEY_BYTES], Vec<u8>)>) -> Result<(), Failure>;
    /// Reads `count` records by the keys given; answers the bytes read.
    fn read(&self, keys: &mut dyn Iterator<Item = [u8; KEY_BYTES]>) -> Result<u64, Failure>;
    /// Reads `count` records in order from a key; answers how many there were.
    fn browse(&self, from: &[u8; KEY_BYTES], count: usize) -> Result<usize, Failure>;
    /// Reads a record, changes a byte, writes it, and commits durably.
    fn update(&self, key: &[u8; KEY_BYTES]) -> Result<(), Failure>;
}

/// All engines of this build, each with a directory of its own below this one.
pub fn all(directory: &Path) -> Result<Vec<Box<dyn Engine>>, Failure> {
    let own = |name: &str| {
        let path = directory.join(name);
        std::fs::create_dir_all(&path).map_err(|error| error.to_string()).map(|()| path)
    };
    let engines: Vec<Box<dyn Engine>> = vec![
        Box::new(lmdb::Lmdb::open(&own("lmdb")?)?),
        #[cfg(feature = "rocksdb")]
        Box::new(rocksdb::RocksDb::open(&own("rocksdb")?)?),
        #[cfg(feature = "sqlite")]
        Box::new(peer_sqlite::Sqlite::open(&own("sqlite")?)?),
        #[cfg(feature = "redb")]
        Box::new(peer_redb::Redb::open(&own("redb")?)?),
    ];
    Ok(engines)
}

fn text(error: impl std::fmt::Display) -> Failure {
    error.to_string()
}

mod lmdb {
    use super::*;
    use heed::types::Bytes;
    use heed::{CommitOrAbort, Database, Env, EnvOpenOptions, PutFlags};

    const MAP_BYTES: usize = 64 << 30;

    pub struct Lmdb {
        env: Env,
        table: Database<'static, Bytes, Bytes>,
    }

    impl Lmdb {
        pub fn open(directory: &Path) -> Result<Lmdb, Failure> {
            // Safety: the directory was just made for this measurement, so nobody else has the file open.
            let env = unsafe { EnvOpenOptions::new().map_size(MAP_BYTES).max_dbs(1).open(directory) }.map_err(text)?;
            let txn = env.write_txn().map_err(text)?;
            let created = env.create_databases_and_commit(txn, |opener, txn| -> Result<_, heed::Error> {
                let table: Database<Bytes, Bytes> = opener.create_database(txn, None)?;
                Ok(CommitOrAbort::<_, ()>::Commit(table))
            });
            let table = created.map_err(text)?.unwrap_commit();
            Ok(Lmdb { env, table })
        }
    }

    impl Engine for Lmdb {
        fn name(&self) -> &'static str {
            "LMDB"
        }

        fn load(&self, records: &mut dyn Iterator<Item = ([u8; KEY_BYTES], Vec<u8>)>) -> Result<(), Failure> {
            let mut txn = self.env.write_txn().map_err(text)?;
            for (key, value) in records {
                self.table.put_with_flags(&mut txn, PutFlags::APPEND, &key, &value).map_err(text)?;
            }
            txn.commit().map_err(text)
        }

        fn read(&self, keys: &mut dyn Iterator<Item = [u8; KEY_BYTES]>) -> Result<u64, Failure> {
            let txn = self.env.read_txn().map_err(text)?;
            let mut copy = Vec::new();
            let mut bytes = 0;
            for key in keys {
                copy.clear();
                copy.extend_from_slice(self.table.get(&txn, &key).map_err(text)?.unwrap_or_default());
                bytes += std::hint::black_box(&copy).len() as u64;
            }
            Ok(bytes)
        }

        fn browse(&self, from: &[u8; KEY_BYTES], count: usize) -> Result<usize, Failure> {
            let txn = self.env.read_txn().map_err(text)?;
            let range = (std::ops::Bound::Included(&from[..]), std::ops::Bound::Unbounded);
            let mut copy = Vec::new();
            let mut seen = 0;
            for entry in self.table.range(&txn, &range).map_err(text)?.take(count) {
                let (_, value) = entry.map_err(text)?;
                copy.clear();
                copy.extend_from_slice(value);
                seen += 1;
            }
            Ok(seen)
        }

        fn update(&self, key: &[u8; KEY_BYTES]) -> Result<(), Failure> {
            let mut txn = self.env.write_txn().map_err(text)?;
            let mut value = self.table.get(&txn, key).map_err(text)?.ok_or("no record")?.to_vec();
            value[20] = value[20].wrapping_add(1);
            self.table.put(&mut txn, key, &value).map_err(text)?;
            txn.commit().map_err(text)
        }
    }
}

#[cfg(feature = "redb")]
mod peer_redb {
    use super::*;
    use redb::{Database, ReadableDatabase, ReadableTable, TableDefinition};

    const TABLE: TableDefinition<&[u8], &[u8]> = TableDefinition::new("records");

    pub struct Redb(Database);

    impl Redb {
        pub fn open(directory: &Path) -> Result<Redb, Failure> {
            Ok(Redb(Database::create(directory.join("data.redb")).map_err(text)?))
        }
    }

    impl Engine for Redb {
        fn name(&self) -> &'static str {
            "redb"
        }

        fn load(&self, records: &mut dyn Iterator<Item = ([u8; KEY_BYTES], Vec<u8>)>) -> Result<(), Failure> {
            let txn = self.0.begin_write().map_err(text)?;
            {
                let mut table = txn.open_table(TABLE).map_err(text)?;
                for (key, value) in records {
                    table.insert(&key[..], &value[..]).map_err(text)?;
                }
            }
            txn.commit().map_err(text)
        }

        fn read(&self, keys: &mut dyn Iterator<Item = [u8; KEY_BYTES]>) -> Result<u64, Failure> {
            let txn = self.0.begin_read().map_err(text)?;
            let table = txn.open_table(TABLE).map_err(text)?;
            let mut copy = Vec::new();
            let mut bytes = 0;
            for key in keys {
                copy.clear();
                if let Some(value) = table.get(&key[..]).map_err(text)? {
                    copy.extend_from_slice(value.value());
                }
                bytes += std::hint::black_box(&copy).len() as u64;
            }
            Ok(bytes)
        }

        fn browse(&self, from: &[u8; KEY_BYTES], count: usize) -> Result<usize, Failure> {
            let txn = self.0.begin_read().map_err(text)?;
            let table = txn.open_table(TABLE).map_err(text)?;
            let mut copy = Vec::new();
            let mut seen = 0;
            for entry in table.range(&from[..]..).map_err(text)?.take(count) {
                let (_, value) = entry.map_err(text)?;
                copy.clear();
                copy.extend_from_slice(value.value());
                seen += 1;
            }
            Ok(seen)
        }

        fn update(&self, key: &[u8; KEY_BYTES]) -> Result<(), Failure> {
            let txn = self.0.begin_write().map_err(text)?;
            {
                let mut table = txn.open_table(TABLE).map_err(text)?;
                let mut value = table.get(&key[..]).map_err(text)?.ok_or("no record")?.value().to_vec();
                value[20] = value[20].wrapping_add(1);
                table.insert(&key[..], &value[..]).map_err(text)?;
            }
            txn.commit().map_err(text)
        }
    }
}

#[cfg(feature = "sqlite")]
mod peer_sqlite {
    use super::*;
    use rusqlite::{Connection, params};
    use std::path::PathBuf;
    use std::sync::Mutex;

    /// One connection a call would be unfair: connections are kept and handed out.
    pub struct Sqlite {
        path: PathBuf,
        free: Mutex<Vec<Connection>>,
    }

    impl Sqlite {
        pub fn open(directory: &Path) -> Result<Sqlite, Failure> {
            let sqlite = Sqlite { path: directory.join("data.sqlite"), free: Mutex::new(Vec::new()) };
            let table = "create table if not exists records (key blob primary key, value blob) without rowid";
            sqlite.with(|connection| connection.execute(table, []).map(|_| ()))?;
            Ok(sqlite)
        }

        fn with<R>(&self, work: impl FnOnce(&mut Connection) -> rusqlite::Result<R>) -> Result<R, Failure> {
            let kept = self.free.lock().map_err(text)?.pop();
            let mut connection = match kept {
                Some(connection) => connection,
                None => {
                    let connection = Connection::open(&self.path).map_err(text)?;
                    // Write-ahead log with a sync at every commit.
                    connection
                        .execute_batch("pragma journal_mode=wal; pragma synchronous=full; pragma cache_size=-262144; pragma mmap_size=8589934592; pragma busy_timeout=60000;")
                        .map_err(text)?;
                    connection
                }
            };
            let result = work(&mut connection).map_err(text);
            self.free.lock().map_err(text)?.push(connection);
            result
        }
    }

    impl Engine for Sqlite {
        fn name(&self) -> &'static str {
            "SQLite"
        }

        fn load(&self, records: &mut dyn Iterator<Item = ([u8; KEY_BYTES], Vec<u8>)>) -> Result<(), Failure> {
            self.with(|connection| {
                let txn = connection.transaction()?;
                {
                    let mut insert = txn.prepare("insert into records values (?1, ?2)")?;
                    for (key, value) in records {
                        insert.execute(params![&key[..], value])?;
                    }
                }
                txn.commit()
            })
        }

        fn read(&self, keys: &mut dyn Iterator<Item = [u8; KEY_BYTES]>) -> Result<u64, Failure> {
            self.with(|connection| {
                let txn = connection.transaction()?;
                let mut bytes = 0;
                {
                    let mut select = txn.prepare_cached("select value from records where key = ?1")?;
                    for key in keys {
                        bytes += select.query_row(params![&key[..]], |row| row.get::<_, Vec<u8>>(0))?.len() as u64;
                    }
                }
                txn.commit()?;
                Ok(bytes)
            })
        }

        fn browse(&self, from: &[u8; KEY_BYTES], count: usize) -> Result<usize, Failure> {
            self.with(|connection| {
                let mut select = connection.prepare_cached("select value from records where key >= ?1 order by key limit ?2")?;
                let rows = select.query_map(params![&from[..], count as i64], |row| row.get::<_, Vec<u8>>(0))?;
                Ok(rows.filter(Result::is_ok).count())
            })
        }

        fn update(&self, key: &[u8; KEY_BYTES]) -> Result<(), Failure> {
            self.with(|connection| {
                let txn = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
                {
                    let mut select = txn.prepare_cached("select value from records where key = ?1")?;
                    let mut value: Vec<u8> = select.query_row(params![&key[..]], |row| row.get(0))?;
                    value[20] = value[20].wrapping_add(1);
                    txn.prepare_cached("update records set value = ?2 where key = ?1")?.execute(params![&key[..], value])?;
                }
                txn.commit()
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What every engine must do for its figures to count.
    #[test]
    fn every_engine_reads_browses_and_updates_what_was_loaded() {
        const RECORDS: u64 = 25_000;
        let key = |number: u64| -> [u8; KEY_BYTES] { format!("{number:016}").into_bytes().try_into().unwrap() };
        let directory = tempfile::tempdir().unwrap();
        for engine in all(directory.path()).unwrap() {
            let name = engine.name();
            engine.load(&mut (0..RECORDS).map(|number| (key(number), vec![b'x'; 116]))).unwrap();
            assert_eq!(engine.read(&mut [key(0), key(RECORDS - 1)].into_iter()), Ok(232), "{name}");
            assert_eq!(engine.browse(&key(RECORDS - 5), 20), Ok(5), "{name}");
            assert_eq!(engine.browse(&key(3), 20), Ok(20), "{name}");
            engine.update(&key(7)).unwrap();
            assert!(engine.update(&key(RECORDS)).is_err(), "{name}: a record that is not there");
            assert_eq!(engine.read(&mut [key(7)].into_iter()), Ok(116), "{name}");
        }
    }
}
