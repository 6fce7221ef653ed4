//! INQUIRE DSNAME and SET DSNAME: data sets as the region's files name them.
//!
//! A data set is known to the region while a FILE names it. Availability is the region's own: requests to open an unavailable data set are
//! refused. Quiescing closes the files that access the data set in RLS mode and keeps them from opening. The store of a single region loses
//! no locks and a backout cannot fail, so LOSTLOCKS is always NOLOSTLOCKS, and RETRY has nothing to do; retained locks are those of
//! in-doubt units of work, which UOWACTION ends. Invariants: marks are kept by the name of the base, until the region ends.

use super::{Busy, FileChange, FileResource, OpenStatus};
use crate::file_control::FileControl;
use crate::file_control::TaskState;
use csd::FileRecovery;
use exec::resp2::data_sets as resp2;
use exec::{OptionId, condition, cvda, option};
use region::inquiry::either;
use region::recovery_manager::EndedBy;
use region::resource_manager::Caller;
use region::{Arguments, Outcome, Raised, Region, Task, raise};
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use vsam::FileError;
use vsam::catalog::{Entry, LogOption};
use vsam::file::FileAttributes;

/// The settings of SET DSNAME for a data set.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(super) struct Mark {
    unavailable: bool,
    quiesced: bool,
}

/// The marks of data sets, by name of the base.
#[derive(Default)]
pub(super) struct Marks(parking_lot::RwLock<BTreeMap<String, Mark>>);

impl Marks {
    fn get(&self, base: &str) -> Mark {
        self.0.read().get(base).copied().unwrap_or_default()
    }

    fn change(&self, base: &str, change: impl FnOnce(&mut Mark)) {
        let mut marks = self.0.write();
        let mark = marks.entry(base.to_string()).or_default();
        change(mark);
        if *mark == Mark::default() {
            marks.remove(base);
        }
    }

    /// Why a data set may not be opened now.
    pub(super) fn refuse(&self, base: &str, rls: bool) -> Result<(), FileError> {
        match self.get(base) {
            Mark { unavailable: true, .. } => Err(FileError::Unavailable(base.to_string())),
            Mark { quiesced: true, .. } if rls => Err(FileError::Quiesced(base.to_string())),
            _ => Ok(()),
        }
    }
}

/// A data set of the region's files.
struct DataSet {
    name: String,
    files: Vec<Arc<FileResource>>,
    /// Of an open file.
    attributes: Option<FileAttributes>,
}

fn known(region: &Region) -> BTreeMap<String, Vec<Arc<FileResource>>> {
    let mut known: BTreeMap<String, Vec<Arc<FileResource>>> = BTreeMap::new();
    for file in FileControl::of(region).names().into_iter().filter_map(|name| FileControl::of(region).find(name)) {
        let name = file.definition().dataset.to_uppercase();
        if !name.is_empty() {
            known.entry(name).or_default().push(file);
        }
    }
    known
}

impl DataSet {
    fn find(region: &Region, name: &str) -> Option<DataSet> {
        let name = name.trim().to_uppercase();
        let mut files = known(region).remove(&name).unwrap_or_default();
        // The base of a path is known only while it is open.
        let over = |file: &FileResource| file.attributes().filter(|attributes| attributes.base == name);
        let attributes = files.iter().find_map(|file| file.attributes());
        if files.is_empty() {
            let all = FileControl::of(region).names().into_iter().filter_map(|name| FileControl::of(region).find(name));
            files = all.filter(|file| over(file).is_some()).collect();
            if files.is_empty() {
                return None;
            }
            let attributes = files.iter().find_map(|file| over(file)).map(|attributes| FileAttributes { path: false, ..attributes });
            return Some(DataSet { name, files: Vec::new(), attributes });
        }
        Some(DataSet { name, files, attributes })
    }

    /// The base cluster, by an open file or by the catalog.
    fn base(&self, region: &Region) -> String {
        if let Some(attributes) = &self.attributes {
            return attributes.base.clone();
        }
        let catalog = region.data_sets.catalog();
        match catalog.resolve(&self.name) {
            Ok(Some((_, Entry::AlternateIndex(index)))) => index.base,
            Ok(Some((_, Entry::Path(path)))) => match catalog.get(&path.entry) {
                Ok(Some(Entry::AlternateIndex(index))) => index.base,
                _ => path.entry,
            },
            Ok(Some((name, _))) => name,
            _ => self.name.clone(),
        }
    }

    fn recovery(&self) -> (i64, i64) {
        let Some(attributes) = &self.attributes else { return (cvda::NOTAPPLIC, 0) };
        let definition = self.files.first().map(|file| file.definition());
        let forward = definition.as_ref().map_or(0, |definition| i64::from(definition.forward_log));
        let all = definition.is_some_and(|definition| definition.recovery == FileRecovery::All);
        match attributes.log {
            LogOption::All => (cvda::FWDRECOVABLE, 0),
            LogOption::Undefined if attributes.recoverable && all => (cvda::FWDRECOVABLE, forward),
            _ if attributes.recoverable => (cvda::RECOVERABLE, 0),
            _ => (cvda::NOTRECOVABLE, 0),
        }
    }
}

/// Units of work in doubt that have changed a data set.
fn in_doubt(region: &Region, base: &str) -> Vec<u64> {
    let tables = region.store.table_names();
    let of_base = tables.into_iter().filter(|table| region.data_sets.name_of_table(table).is_some_and(|name| name == base));
    let tables: Vec<_> = of_base.filter_map(|name| region.store.existing_table(&name)).map(|table| table.id()).collect();
    let locks = region.store.locks();
    let units = locks.iter().filter(|lock| lock.retained && tables.contains(&lock.table));
    let mut ids: Vec<u64> = units.filter_map(|lock| region.recovery().owner_of(lock.owner)).map(|owner| owner.id).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// Whether in-doubt units of work have locks in the data set of a file.
pub(super) fn has_retained_locks(region: &Region, data_set: &str) -> bool {
    DataSet::find(region, data_set).is_some_and(|data_set| !in_doubt(region, &data_set.base(region)).is_empty())
}

pub(super) fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let Some(name) = named(task, arguments)? else { return Ok(()) };
    let region = task.region;
    let Some(data_set) = DataSet::find(region, &name) else { return raise(condition::DSNNOTFOUND, resp2::NO_DATA_SET) };
    let base = data_set.base(region);
    let mark = FileControl::of(region).marks.get(&base);
    let open = data_set.attributes.as_ref();
    let when_open = |value: i64| if open.is_some() { value } else { cvda::NOTAPPLIC };
    let (recovery, forward_log) = data_set.recovery();
    let rls = data_set.files.iter().any(|file| file.definition().rls);
    let dynamic = data_set.files.iter().any(|file| file.is_dynamic() == Some(true));
    let values = [
        (option::ACCESSMETHOD, when_open(cvda::VSAM)),
        (option::AVAILABILITY, either(mark.unavailable, cvda::UNAVAILABLE, cvda::AVAILABLE)),
        (option::BACKUPTYPE, when_open(either(dynamic, cvda::DYNAMIC, cvda::STATIC))),
        (option::FILECOUNT, data_set.files.len() as i64),
        (option::OBJECT, when_open(either(open.is_some_and(|open| open.path), cvda::PATH, cvda::BASE))),
        (option::LOGREPSTATUS, when_open(either(open.is_some_and(|open| open.log_replicate), cvda::LOGREPLICATE, cvda::NOLOGREPLICA))),
        (option::LOSTLOCKS, cvda::NOLOSTLOCKS),
        (option::QUIESCESTATE, either(rls || mark.quiesced, either(mark.quiesced, cvda::QUIESCED, cvda::UNQUIESCED), cvda::NOTAPPLIC)),
        (option::RECOVSTATUS, recovery),
        (option::RETLOCKS, either(in_doubt(region, &base).is_empty(), cvda::NORETAINED, cvda::RETAINED)),
        (option::VALIDITY, either(open.is_some(), cvda::VALID, cvda::INVALID)),
    ];
    arguments.set_integers(values);
    arguments.set_bytes(option::FWDRECOVLOG, &(forward_log as u16).to_be_bytes())?;
    let stream = open.filter(|open| open.log == LogOption::All).map_or("", |open| open.log_stream.as_str());
    arguments.set_text(option::FWDRECOVLSN, stream)?;
    arguments.set_text(option::BASEDSNAME, if open.is_some() { &base } else { "" })
}

/// The data set of an inquiry or of a step of a browse; `None`: nothing to return.
fn named(task: &mut Task, arguments: &mut Arguments) -> Result<Option<String>, Raised> {
    let region = task.region;
    let browse = &mut TaskState::of_mut(&mut task.parts).data_sets;
    if arguments.has(option::START) {
        if browse.is_some() {
            return raise(condition::ILLOGIC, exec::resp2::inquiry::BROWSE_STATE);
        }
        *browse = Some(known(region).into_keys().collect::<VecDeque<String>>());
        return Ok(None);
    }
    let wants = |option: OptionId| arguments.has(option);
    if !wants(option::NEXT) && !wants(option::END) {
        return Ok(Some(arguments.text(option::DSNAME)?.unwrap_or_default()));
    }
    let Some(names) = browse else { return raise(condition::ILLOGIC, exec::resp2::inquiry::BROWSE_STATE) };
    if wants(option::END) {
        *browse = None;
        return Ok(None);
    }
    // A data set whose files were removed since START is not shown.
    while let Some(name) = names.pop_front() {
        if known(region).contains_key(&name) {
            arguments.set_text(option::DSNAME, &name)?;
            return Ok(Some(name));
        }
    }
    raise(condition::END, exec::resp2::inquiry::NO_MORE)
}

/// SET DSNAME: in the order of the command reference, RECOVERED, UNQUIESCED, AVAILABLE, RETRY, UOWACTION, RESETLOCKS, UNAVAILABLE, QUIESCED.
pub(super) fn set(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let region = task.region;
    let name = arguments.text(option::DSNAME)?.unwrap_or_default();
    let Some(data_set) = DataSet::find(region, &name) else { return raise(condition::DSNNOTFOUND, resp2::NO_DATA_SET_TO_SET) };
    let base = data_set.base(region);
    let choice = |option, keywords: &[(OptionId, i64)], invalid| match arguments.chosen(option, keywords) {
        Some(value) if !keywords.iter().any(|(_, known)| *known == value) => raise(condition::INVREQ, invalid),
        value => Ok(value),
    };
    let action = [
        (option::REMOVE, cvda::REMOVE),
        (option::RECOVERED, cvda::RECOVERED),
        (option::RESETLOCKS, cvda::RESETLOCKS),
        (option::RETRY, cvda::RETRY),
    ];
    let action = choice(option::ACTION, &action, resp2::ACTION)?;
    let availability = [(option::AVAILABLE, cvda::AVAILABLE), (option::UNAVAILABLE, cvda::UNAVAILABLE)];
    let availability = choice(option::AVAILABILITY, &availability, resp2::AVAILABILITY)?;
    let state = [(option::QUIESCED, cvda::QUIESCED), (option::IMMQUIESCED, cvda::IMMQUIESCED), (option::UNQUIESCED, cvda::UNQUIESCED)];
    let state = choice(option::QUIESCESTATE, &state, resp2::QUIESCESTATE)?;
    let units = [(option::COMMIT, cvda::COMMIT), (option::BACKOUT, cvda::BACKOUT), (option::FORCE, cvda::FORCE)];
    let units = choice(option::UOWACTION, &units, resp2::UOWACTION)?;
    let busy = choice(option::BUSY, &[(option::WAIT, cvda::WAIT), (option::NOWAIT, cvda::NOWAIT)], resp2::BUSY)?;
    let others = availability.is_some() || state.is_some() || units.is_some();
    if action == Some(cvda::REMOVE) {
        return remove(region, &data_set, &base, others);
    }
    if action == Some(cvda::RECOVERED) {
        super::backup::recovered(region, &base);
    }
    if state == Some(cvda::UNQUIESCED) {
        FileControl::of(region).marks.change(&base, |mark| mark.quiesced = false);
    }
    if availability == Some(cvda::AVAILABLE) {
        FileControl::of(region).marks.change(&base, |mark| mark.unavailable = false);
    }
    if let Some(decision) = units {
        end_units(task, &base, decision)?;
    }
    if availability == Some(cvda::UNAVAILABLE) {
        FileControl::of(region).marks.change(&base, |mark| mark.unavailable = true);
    }
    match state {
        Some(state @ (cvda::QUIESCED | cvda::IMMQUIESCED)) => {
            FileControl::of(region).marks.change(&base, |mark| mark.quiesced = true);
            quiesce(task, &base, state == cvda::IMMQUIESCED, busy != Some(cvda::NOWAIT))
        }
        _ => Ok(()),
    }
}

/// REMOVE drops the information about a data set that no open file uses.
fn remove(region: &Region, data_set: &DataSet, base: &str, others: bool) -> Outcome {
    if others {
        return raise(condition::INVREQ, resp2::REMOVE_WITH_OTHERS);
    }
    if data_set.files.iter().any(|file| file.open_status() != OpenStatus::Closed) || !in_doubt(region, base).is_empty() {
        return raise(condition::INVREQ, resp2::REMOVE_IN_USE);
    }
    FileControl::of(region).marks.change(base, |mark| *mark = Mark::default());
    Ok(())
}

fn end_units(task: &mut Task, base: &str, decision: i64) -> Outcome {
    let region = task.region;
    for id in in_doubt(region, base) {
        let forced = || region.recovery().owners().iter().find(|owner| owner.id == id).is_some_and(|owner| owner.forced_commit);
        let commit = if decision == cvda::FORCE { forced() } else { decision == cvda::COMMIT };
        if let Err(error) = region.recovery().resolve(&mut Caller::Task(task), id, commit, EndedBy::Operator) {
            tracing::error!(target: "region::file", %error, "SET DSNAME UOWACTION");
            return raise(condition::IOERR, resp2::UNITS_NOT_ENDED);
        }
    }
    Ok(())
}

/// Closes the files that access the data set in RLS mode, either when their users have ended or at once, by abending them.
fn quiesce(task: &mut Task, base: &str, immediate: bool, wait: bool) -> Outcome {
    let files = FileControl::of(task.region).names().into_iter().filter_map(|name| FileControl::of(task.region).find(name));
    let open_in_rls = |file: &Arc<FileResource>| file.definition().rls && file.attributes().is_some_and(|open| open.base == base);
    let files: Vec<_> = files.filter(open_in_rls).collect();
    let busy = match (immediate, wait) {
        (true, _) => Busy::Force,
        (false, true) => Busy::Wait,
        (false, false) => Busy::NoWait,
    };
    for file in files {
        super::inquire::set_file(task, &file, &FileChange { busy, open: Some(false), ..FileChange::default() })?;
        // Closed by quiescing, a file is available again when the data set is.
        file.enable(task.region);
    }
    Ok(())
}
