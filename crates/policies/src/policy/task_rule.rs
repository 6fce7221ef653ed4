//! What a task rule can limit: the rows of `tables/task_rules.tsv`.
//!
//! Invariant: an item is the number of its row.

use std::sync::OnceLock;

const TABLE: &str = include_str!("../../tables/task_rules.tsv");

/// What the values of an item count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    Requests,
    Bytes,
    /// Microseconds.
    Time,
}

impl Unit {
    /// How many single requests, bytes or microseconds a unit of policy XML is; `None` for one that does not fit.
    pub fn multiple(self, unit: &str) -> Option<u64> {
        match (self, unit) {
            (Unit::Requests, "") | (Unit::Bytes, "" | "B") | (Unit::Time, "" | "O") => Some(1),
            (Unit::Requests, "K") | (Unit::Time, "M") => Some(1_000),
            (Unit::Time, "S") => Some(1_000_000),
            (Unit::Bytes, "K") => Some(1 << 10),
            (Unit::Bytes, "M") => Some(1 << 20),
            (Unit::Bytes, "G") => Some(1 << 30),
            _ => None,
        }
    }
}

/// A row of the table.
#[derive(Debug)]
pub struct Row {
    /// The type of the rule: RuleType of the messages.
    pub kind: &'static str,
    /// The element with the threshold.
    pub condition: &'static str,
    /// The subtype of the rule: Category of the messages.
    pub item: &'static str,
    pub unit: Unit,
    /// Greatest threshold, in single units.
    pub limit_max: u64,
}

/// All rows.
pub fn rows() -> &'static [Row] {
    static ROWS: OnceLock<Vec<Row>> = OnceLock::new();
    ROWS.get_or_init(|| TABLE.lines().filter(|line| !line.starts_with('#')).map(row).collect())
}

fn row(line: &'static str) -> Row {
    let columns: Vec<&'static str> = line.split('\t').collect();
    let [kind, condition, item, unit, limit_max] = columns[..] else { panic!("task_rules.tsv: {line}") };
    let unit = match unit {
        "requests" => Unit::Requests,
        "bytes" => Unit::Bytes,
        "time" => Unit::Time,
        _ => panic!("task_rules.tsv: {line}"),
    };
    Row { kind, condition, item, unit, limit_max: limit_max.parse().unwrap_or_else(|_| panic!("task_rules.tsv: {line}")) }
}

macro_rules! items {
    ($( $item:ident = $kind:literal $name:literal, )*) => {
        /// What a task uses, in the order of the table.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum Item { $( $item ),* }

        /// The items.
        pub const ITEMS: &[Item] = &[ $( Item::$item ),* ];

        #[cfg(test)]
        const NAMES: &[(&str, &str)] = &[ $( ($kind, $name) ),* ];
    };
}

items! {
    RunTransid = "asyncrequest" "runtransid",
    Sql = "databaserequest" "sqlcommand",
    Commands = "execcicsrequest" "execcicscommand",
    Delete = "filerequest" "delete",
    Read = "filerequest" "read",
    ReadNext = "filerequest" "readnext",
    ReadPrev = "filerequest" "readprev",
    ReadUpdate = "filerequest" "readupdate",
    Rewrite = "filerequest" "rewrite",
    StartBrowse = "filerequest" "startbr",
    Write = "filerequest" "write",
    GetCounter = "namedcounterrequest" "getcounter",
    GetDcounter = "namedcounterrequest" "getdcounter",
    Link = "programrequest" "link",
    Start = "startrequest" "start",
    Syncpoint = "syncpointrequest" "syncpoint",
    ReadTd = "tdqrequest" "readq",
    WriteTd = "tdqrequest" "writeq",
    ReadTs = "tsqrequest" "readq",
    WriteTsAuxiliary = "tsqrequest" "writeqaux",
    WriteTsMain = "tsqrequest" "writeqmain",
    BytesTsAuxiliary = "tsqbytes" "writeqaux",
    BytesTsMain = "tsqbytes" "writeqmain",
    StorageTask24 = "storage" "task24",
    StorageTask31 = "storage" "task31",
    StorageTask64 = "storage" "task64",
    StorageShared24 = "storage" "shared24",
    StorageShared31 = "storage" "shared31",
    StorageShared64 = "storage" "shared64",
    GetmainTask24 = "storagerequest" "task24request",
    GetmainTask31 = "storagerequest" "task31request",
    GetmainTask64 = "storagerequest" "task64request",
    GetmainShared24 = "storagerequest" "shared24request",
    GetmainShared31 = "storagerequest" "shared31request",
    GetmainShared64 = "storagerequest" "shared64request",
    CpuTime = "time" "cpulimit",
    ElapsedTime = "time" "elapsedlimit",
}

/// How many items there are.
pub const ITEM_COUNT: usize = ITEMS.len();

impl Item {
    pub fn row(self) -> &'static Row {
        &rows()[self as usize]
    }

    /// The item of a rule type; `Err` with those it has for one it has not.
    pub fn find(kind: &str, item: &str) -> Result<Item, String> {
        let found = ITEMS.iter().find(|known| known.row().kind == kind && known.row().item == item);
        found.copied().ok_or_else(|| {
            let known: Vec<&str> = rows().iter().filter(|row| row.kind == kind).map(|row| row.item).collect();
            format!("{item} is not an item of rule type {kind}: {} is expected", known.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_the_rows_of_the_table_in_order() {
        let rows: Vec<_> = rows().iter().map(|row| (row.kind, row.item)).collect();
        assert_eq!(rows, NAMES);
    }

    #[test]
    fn units_fit_what_they_count() {
        assert_eq!(Unit::Requests.multiple("K"), Some(1_000));
        assert_eq!(Unit::Bytes.multiple("K"), Some(1_024));
        assert_eq!(Unit::Time.multiple("S"), Some(1_000_000));
        assert_eq!((Unit::Requests.multiple("M"), Unit::Time.multiple("G"), Unit::Bytes.multiple("S")), (None, None, None));
    }

    #[test]
    fn an_unknown_item_is_named_with_the_known_ones() {
        assert_eq!(Item::find("programrequest", "link"), Ok(Item::Link));
        let fault = Item::find("time", "cputime").unwrap_err();
        assert!(fault.contains("cpulimit, elapsedlimit"), "{fault}");
    }
}
