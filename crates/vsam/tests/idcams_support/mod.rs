//! A job step that runs IDCAMS.

#![allow(dead_code)]

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use vsam::idcams::{DataClass, DdResolver, DdTarget, IdcamsOptions, Outcome, RecordFormat, run};
use vsam::store::SEGMENT_SIZE_MIN;
use vsam::*;

/// A data directory, and the DD names of a job step that runs IDCAMS on it.
pub struct Job {
    pub data_sets: Arc<DataSets>,
    pub directory: tempfile::TempDir,
    pub dds: HashMap<String, DdTarget>,
    /// The data class that has COMPACTION.
    pub compacting: Option<&'static str>,
}

impl DdResolver for Job {
    fn resolve_dd(&self, name: &str) -> Option<DdTarget> {
        self.dds.get(name).cloned()
    }

    fn resolve_data_set(&self, name: &str) -> Option<DdTarget> {
        self.path(name).is_file().then(|| DdTarget::File { path: self.path(name), format: RecordFormat::Fixed(0) })
    }

    fn data_class(&self, name: &str) -> Option<DataClass> {
        (self.compacting == Some(name)).then_some(DataClass { compaction: true })
    }

    fn rename(&self, name: &str, new_name: &str) -> std::io::Result<bool> {
        if !self.path(name).is_file() {
            return Ok(false);
        }
        if self.path(new_name).exists() {
            return Err(std::io::ErrorKind::AlreadyExists.into());
        }
        std::fs::rename(self.path(name), self.path(new_name)).map(|()| true)
    }

    fn scratch(&self, name: &str) -> std::io::Result<bool> {
        let path = self.path(name);
        if path.is_file() {
            std::fs::remove_file(path).map(|()| true)
        } else if path.is_dir() {
            Err(std::io::ErrorKind::IsADirectory.into())
        } else {
            Ok(false)
        }
    }
}

impl Job {
    pub fn new() -> Job {
        let directory = tempfile::tempdir().unwrap();
        let config = StoreConfig { segment_size: SEGMENT_SIZE_MIN, map_size: 1 << 32, ..StoreConfig::default() };
        let store = Store::open(&directory.path().join("data"), config).unwrap();
        Job { directory, ..Job::on(DataSets::new(store).unwrap()) }
    }

    /// A job on data sets that are open already.
    pub fn on(data_sets: Arc<DataSets>) -> Job {
        Job { data_sets, directory: tempfile::tempdir().unwrap(), dds: HashMap::new(), compacting: None }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn dd_file(&mut self, name: &str, format: RecordFormat, content: Option<&[u8]>) {
        let path = self.path(name);
        if let Some(content) = content {
            std::fs::write(&path, content).unwrap();
        }
        self.dds.insert(name.to_string(), DdTarget::File { path, format });
    }

    pub fn dd_set(&mut self, name: &str, data_set: &str) {
        self.dds.insert(name.to_string(), DdTarget::DataSet(data_set.to_string()));
    }

    pub fn run(&self, statements: &str) -> Outcome {
        run(&self.data_sets, statements, self, &IdcamsOptions { ccsid: 37, progress: None })
    }

    pub fn expect(&self, statements: &str, code: u32) -> String {
        let outcome = self.run(statements);
        assert_eq!(outcome.condition_code, code, "{}", outcome.listing);
        outcome.listing
    }
}

/// A cluster with an alternate index and a path.
pub const DEFINE: &str = "\
  DEFINE CLUSTER (NAME(BANK.CUST) CYL(1 1) -
         KEYS(4 0) RECSZ(10 10) SHR(2 3) INDEXED LOG(UNDO) FSPC(10,5) VOLUMES(VOL001)) -
         DATA (NAME(BANK.CUST.DATA) CISZ(4000)) INDEX (NAME(BANK.CUST.INDEX))
  DEFINE AIX (NAME(BANK.CUST.AIX) RELATE(BANK.CUST) KEYS(2 4) NUNQK UPG RECSZ(20 40) CYL(1))
  DEFINE PATH (NAME(BANK.CUST.PATH) PENT(BANK.CUST.AIX))
";

/// Its records, to be loaded from IN; CUST is the cluster.
pub fn customers(job: &mut Job, count: usize) {
    let mut records = Vec::new();
    for number in 0..count {
        records.extend(ebcdic(&format!("{number:04}{:02}NAME", number % 3)));
    }
    job.dd_file("IN", RecordFormat::Fixed(10), Some(&records));
    job.dd_set("CUST", "BANK.CUST");
}

/// EBCDIC of digits and upper case letters.
pub fn ebcdic(text: &str) -> Vec<u8> {
    text.bytes()
        .map(|byte| match byte {
            b'0'..=b'9' => byte - b'0' + 0xF0,
            b'A'..=b'I' => byte - b'A' + 0xC1,
            b'J'..=b'R' => byte - b'J' + 0xD1,
            b'S'..=b'Z' => byte - b'S' + 0xE2,
            _ => 0x40,
        })
        .collect()
}
