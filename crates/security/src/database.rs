//! The database: its state in memory, kept equal to the file that all processes share.
//!
//! Invariants: a change is in the file, and synced unless it only counts sign-ons, before it takes effect anywhere. Looking up access takes
//! no lock that a change of the file holds: it uses an index that is replaced as a whole. Only the first look-up behind changes of this
//! process, which many commands may make in succession, makes a new index first.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use parking_lot::{Mutex, RwLock};

use crate::access::Decision;
use crate::audit::{AuditFile, AuditRecord, Event};
use crate::change::{Change, Transaction};
use crate::identity::Identity;
use crate::journal::{Error, Journal, News, Position};
use crate::level::Level;
use crate::moment::Moment;
use crate::name::{Name8, UserId8};
use crate::prepared::{ClassIndex, Index};
use crate::secret::Secret;
use crate::settings::Settings;
use crate::slots::Slots;
use crate::state::{State, Touched};
use crate::user::{Attributes, Connect, Group, GroupAuthority, Revocation, StoredSecret, User};
use crate::verified::Verified;

/// The group at the top of all groups.
pub(crate) const TOP_GROUP: &str = "SYS1";
/// The user that `create_administrator` makes.
pub const ADMINISTRATOR: &str = "REGADMIN";
/// The default user of a region (system initialization parameter DFLTUSER), which `create_administrator` makes too.
pub const DEFAULT_USER: &str = "CICSUSER";

/// Used PassTickets that are remembered before those that have expired are forgotten.
const TICKETS_MAX: usize = 4096;

/// The database of a data directory. Any number of processes may have it open.
pub struct Database {
    journal: Journal,
    loaded: Mutex<Loaded>,
    index: RwLock<Arc<Index>>,
    /// Whether the state has changes that the index has not.
    is_stale: AtomicBool,
    audit: AuditFile,
    pub(crate) hashing: Slots,
    pub(crate) verified: Verified,
    zone: OnceLock<fn(i64) -> i64>,
    latest: Latest,
}

/// What is in effect as of the last look at the file, for callers that find the file unchanged and need no lock.
///
/// Invariant: the generation is stored before the file that it is of. Whoever finds the file as it was then sees that generation or a later one.
#[derive(Default)]
struct Latest {
    generation: AtomicU64,
    inode: AtomicU64,
    length: AtomicU64,
}

impl Latest {
    fn note(&self, generation: u64, position: &Position) {
        let (inode, length) = position.file();
        self.generation.store(generation, Ordering::Release);
        self.inode.store(inode, Ordering::Release);
        self.length.store(length, Ordering::Release);
    }

    /// None if the file has changed since it was noted.
    fn generation(&self, journal: &Journal) -> Option<u64> {
        let (inode, length) = journal.file()?;
        let is_noted = inode == self.inode.load(Ordering::Acquire) && length == self.length.load(Ordering::Acquire);
        is_noted.then(|| self.generation.load(Ordering::Acquire))
    }
}

/// What has been read of the file.
struct Loaded {
    state: State,
    position: Position,
    /// The length of the file when it was last written as a whole.
    snapshot_bytes: u64,
}

/// What a change of the database does, and what it returns.
pub(crate) struct Update<T> {
    pub changes: Vec<Change>,
    pub touched: Vec<UserId8>,
    pub result: T,
}

impl<T> Update<T> {
    pub fn nothing(result: T) -> Update<T> {
        Update { changes: Vec::new(), touched: Vec::new(), result }
    }
}

impl Database {
    /// Opens the database of a region's data directory, in its folder `security`; creates it if it is missing.
    pub fn open(directory: &Path) -> Result<Database, Error> {
        let directory = directory.join("security");
        let database = Database {
            journal: Journal::new(&directory)?,
            loaded: Mutex::new(Loaded { state: State::default(), position: Position::default(), snapshot_bytes: 0 }),
            index: RwLock::new(Arc::default()),
            is_stale: AtomicBool::new(true),
            audit: AuditFile::new(&directory),
            zone: OnceLock::new(),
            latest: Latest::default(),
            hashing: Slots::for_processors(),
            verified: Verified::new().map_err(|error| Error::Io { path: directory.clone(), error })?,
        };
        database.create_if_missing()?;
        database.refresh()?;
        Ok(database)
    }

    fn create_if_missing(&self) -> Result<(), Error> {
        if self.journal.path().symlink_metadata().is_ok() {
            return Ok(());
        }
        let lock = self.journal.lock()?;
        if self.journal.path().symlink_metadata().is_ok() {
            return Ok(());
        }
        let top = Group {
            name: Name8::constant(TOP_GROUP),
            owner: Name8::constant(TOP_GROUP),
            superior: None,
            created: Moment::now(),
            data: String::new(),
            universal: false,
        };
        let changes = [Change::Settings(Box::<Settings>::default()), Change::Group(top)];
        self.journal.replace(&lock, &mut self.loaded.lock().position, 1, changes.into_iter())?;
        // It is read like any other.
        self.loaded.lock().position = Position::default();
        Ok(())
    }

    /// The file of the database.
    pub fn path(&self) -> PathBuf {
        self.journal.path().to_path_buf()
    }

    /// The days and times at which users may sign on are those of a zone: its seconds ahead of Coordinated Universal Time at a moment.
    pub fn in_zone(&self, seconds_ahead: fn(i64) -> i64) {
        let _ = self.zone.set(seconds_ahead);
    }

    pub(crate) fn local(&self, now: Moment) -> Moment {
        Moment(now.0 + self.zone.get().map_or(0, |ahead| ahead(now.0)))
    }

    /// Takes in what other processes have changed. The generation that is then in effect.
    pub fn refresh(&self) -> Result<u64, Error> {
        let mut loaded = self.loaded.lock();
        self.take_in(&mut loaded)?;
        self.index_of(&loaded.state);
        Ok(loaded.state.generation)
    }

    /// Takes in what other processes have changed, for callers that look up no access.
    pub(crate) fn reload(&self) -> Result<(), Error> {
        self.take_in(&mut self.loaded.lock())
    }

    /// The number of the last change that is in effect. Changes of other processes are taken in before; if there are none that costs one call
    /// of the system and no lock. A file that cannot be read leaves what was in effect; `refresh` tells why.
    pub fn generation(&self) -> u64 {
        if !self.is_stale.load(Ordering::Acquire)
            && let Some(generation) = self.latest.generation(&self.journal)
        {
            return generation;
        }
        let mut loaded = self.loaded.lock();
        let _ = self.take_in(&mut loaded);
        self.index_of(&loaded.state);
        loaded.state.generation
    }

    /// Whose authority changed since a generation: what RACFSYNC=YES listens for.
    pub fn changes_since(&self, generation: u64) -> Touched {
        self.loaded.lock().state.touched_since(generation)
    }

    fn take_in(&self, loaded: &mut Loaded) -> Result<(), Error> {
        let taken_in = self.take_in_changes(loaded);
        self.latest.note(loaded.state.generation, &loaded.position);
        taken_in
    }

    fn take_in_changes(&self, loaded: &mut Loaded) -> Result<(), Error> {
        if !self.journal.has_changed(&loaded.position) {
            return Ok(());
        }
        match self.journal.read(&mut loaded.position)? {
            News::Nothing => return Ok(()),
            News::Appended(transactions) => transactions.iter().for_each(|transaction| loaded.state.apply(transaction)),
            News::Whole(transactions) => {
                let generation = transactions.first().map_or(0, |first| first.generation);
                loaded.snapshot_bytes = 0;
                loaded.state = State::of_snapshot(generation);
                transactions.iter().for_each(|transaction| loaded.state.apply(transaction));
                loaded.state.all_classes_changed();
            }
        }
        self.is_stale.store(true, Ordering::Release);
        Ok(())
    }

    /// The index of a state, which the caller has locked.
    pub(crate) fn index_of(&self, state: &State) -> Arc<Index> {
        if self.is_stale.load(Ordering::Acquire) {
            self.index_changes(state);
            self.is_stale.store(false, Ordering::Release);
        }
        self.index.read().clone()
    }

    /// Makes a new index if there are changes that the index has not.
    fn index_if_stale(&self) {
        if self.is_stale.load(Ordering::Acquire) {
            self.index_of(&self.loaded.lock().state);
        }
    }

    /// Replaces the index by one with the classes that have changed.
    fn index_changes(&self, state: &State) {
        let changed = state.take_changed_classes();
        let before = self.index.read().clone();
        if changed.is_empty() && Arc::ptr_eq(&before.settings, &state.settings) {
            return;
        }
        let mut index = Index { classes: before.classes.clone(), settings: state.settings.clone() };
        for name in changed {
            let Some(class) = state.class(name) else {
                index.classes.remove(&name);
                continue;
            };
            let groups = class.group.into_iter().flat_map(|group| state.in_effect(group));
            let global = state.profile(Name8::constant("GLOBAL"), name.as_str()).map_or(&[][..], |profile| &profile.members);
            let made = ClassIndex::new(class, &state.settings, groups, state.in_effect(name), global);
            index.classes.insert(name, Arc::new(made));
        }
        *self.index.write() = Arc::new(index);
    }

    /// Changes the database. `act` sees all changes of other processes; nothing else can change while it runs. It looks up
    /// access by `index_of`.
    pub(crate) fn update<T, E: From<Error>>(&self, act: impl FnOnce(&State) -> Result<Update<T>, E>) -> Result<T, E> {
        let mut loaded = self.loaded.lock();
        let lock = self.journal.lock()?;
        self.take_in(&mut loaded)?;
        let update = act(&loaded.state)?;
        if update.changes.is_empty() {
            return Ok(update.result);
        }
        // The time of a sign-on may be lost; everything else may not.
        let is_synced = !update.changes.iter().all(|change| matches!(change, Change::SignOn { failures: 0, .. }));
        let transaction = Transaction { generation: loaded.state.generation + 1, touched: update.touched, changes: update.changes };
        let Loaded { state, position, snapshot_bytes } = &mut *loaded;
        self.journal.append(&lock, position, &transaction, is_synced)?;
        state.apply(&transaction);
        if state.tickets.len() > TICKETS_MAX {
            state.forget_tickets(Moment::now());
        }
        if self.journal.is_overgrown(position, *snapshot_bytes) {
            state.forget_tickets(Moment::now());
            // The file as it is remains good if there is no room for another.
            if self.journal.replace(&lock, position, state.generation, state.snapshot()).is_ok() {
                *snapshot_bytes = position.length();
            }
        }
        self.is_stale.store(true, Ordering::Release);
        self.latest.note(loaded.state.generation, &loaded.position);
        Ok(update.result)
    }

    /// Looks at the state.
    pub(crate) fn with_state<T>(&self, look: impl FnOnce(&State) -> T) -> T {
        look(&self.loaded.lock().state)
    }

    /// What an identity may do with a resource of a class, by the profiles that are in effect since the last `generation` or `refresh`.
    pub fn access(&self, identity: &Identity, class: &str, resource: &str) -> Decision {
        let class = Name8::new(class).unwrap_or_else(|_| Name8::constant("$"));
        self.index_if_stale();
        self.index.read().access(identity, class, resource)
    }

    /// Whether a class is known and active.
    pub fn is_active(&self, class: &str) -> bool {
        self.index_if_stale();
        let index = self.index.read();
        Name8::new(class).is_ok_and(|class| index.classes.contains_key(&class) && index.settings.active.contains(&class))
    }

    /// Appends a record to the audit file.
    pub fn audit(&self, record: &AuditRecord) -> std::io::Result<()> {
        self.audit.append(record)
    }

    /// Records an access if the decision says so.
    pub fn audit_access(&self, identity: &Identity, class: &str, resource: &str, asked: Level, decision: &Decision) -> std::io::Result<()> {
        if !decision.is_audited(asked) {
            return Ok(());
        }
        let is_granted = decision.level.is_some_and(|level| level >= asked);
        let result = if is_granted {
            "success"
        } else if decision.warning {
            "warning"
        } else {
            "failure"
        };
        self.audit(&AuditRecord {
            group: Some(identity.group),
            terminal: identity.terminal,
            class: Some(class),
            resource: Some(resource),
            profile: decision.profile.as_ref().map(|profile| profile.name.as_str()),
            asked: Some(asked),
            allowed: decision.level,
            ..AuditRecord::new(Moment::now(), Event::Access, identity.user, result)
        })
    }

    /// Makes the first users of an empty database: the administrator, whose random password is returned and must be changed at the first
    /// sign-on, and the default user of regions, who cannot sign on. None if there are users already.
    pub fn create_administrator(&self) -> Result<Option<Secret>, Error> {
        let failed = |error| Error::Io { path: self.path(), error };
        let secret = crate::secret::random_password().map_err(failed)?;
        let hash = crate::secret::HashedSecret::of(&secret, None).map_err(failed)?;
        let now = Moment::now();
        let made = self.update(|state| -> Result<Update<bool>, Error> {
            if !state.users.is_empty() {
                return Ok(Update::nothing(false));
            }
            let mut administrator = new_user(Name8::constant(ADMINISTRATOR), Name8::constant(TOP_GROUP), now);
            administrator.name = "ADMINISTRATOR".to_string();
            administrator.attributes = Attributes { special: true, auditor: true, ..Attributes::default() };
            administrator.password.current = Some(hash);
            let mut default = new_user(Name8::constant(DEFAULT_USER), Name8::constant(TOP_GROUP), now);
            default.name = "DEFAULT USER".to_string();
            default.attributes.protected = true;
            let changes = [administrator, default].map(|user| Change::User(Box::new(user)));
            Ok(Update { changes: changes.into(), touched: Vec::new(), result: true })
        })?;
        Ok(made.then_some(secret))
    }
}

/// A user with nothing but a group.
pub(crate) fn new_user(id: UserId8, group: Name8, now: Moment) -> User {
    let connect =
        Connect { authority: GroupAuthority::Use, owner: group, created: now, uacc: Level::None, revocation: Revocation::default() };
    User {
        id,
        name: String::new(),
        owner: group,
        default_group: group,
        created: now,
        attributes: Attributes::default(),
        revocation: Revocation::default(),
        password: StoredSecret::default(),
        phrase: StoredSecret::default(),
        interval_days: None,
        data: String::new(),
        cics: None,
        language: None,
        logon: None,
        card: None,
        connects: [(group, connect)].into(),
        used: None,
        failures: 0,
    }
}
