//! RocksDB through its C interface (package librocksdb-dev, or another library in LIBRARY_PATH): its transactions, a cache of 1 GB and a
//! filter for point reads, and a write-ahead log that is synced at every commit.
//!
//! The unsafe code of this crate is here, except for the opening of LMDB. Invariants: every handle comes from the library and is returned
//! to it once, when its owner is dropped; the library's objects for databases, options and caches may be used from many threads. The test
//! in `lib.rs` covers it in a build with the feature `rocksdb`.

use std::ffi::{CStr, CString, c_char, c_int, c_uchar, c_void};
use std::path::Path;
use std::ptr::null_mut;
use std::sync::OnceLock;

use super::{Engine, Failure, KEY_BYTES, text};

const CACHE_BYTES: usize = 1 << 30;
const FILTER_BITS_PER_KEY: f64 = 10.0;
const LOAD_BATCH_RECORDS: usize = 10_000;
const NO_COMPRESSION: c_int = 0;

/// An object of the library.
type Handle = *mut c_void;
type Errors = *mut *mut c_char;

#[link(name = "rocksdb")]
unsafe extern "C" {
    fn rocksdb_free(pointer: Handle);
    fn rocksdb_options_create() -> Handle;
    fn rocksdb_options_set_create_if_missing(options: Handle, value: c_uchar);
    fn rocksdb_options_set_compression(options: Handle, kind: c_int);
    fn rocksdb_options_increase_parallelism(options: Handle, threads: c_int);
    fn rocksdb_options_set_block_based_table_factory(options: Handle, table: Handle);
    fn rocksdb_block_based_options_create() -> Handle;
    fn rocksdb_block_based_options_set_block_cache(options: Handle, cache: Handle);
    fn rocksdb_block_based_options_set_filter_policy(options: Handle, policy: Handle);
    fn rocksdb_filterpolicy_create_bloom(bits_per_key: f64) -> Handle;
    fn rocksdb_cache_create_lru(bytes: usize) -> Handle;
    fn rocksdb_readoptions_create() -> Handle;
    fn rocksdb_writeoptions_create() -> Handle;
    fn rocksdb_writeoptions_set_sync(options: Handle, value: c_uchar);
    fn rocksdb_writeoptions_disable_WAL(options: Handle, value: c_int);
    fn rocksdb_flushoptions_create() -> Handle;

    fn rocksdb_open(options: Handle, path: *const c_char, errors: Errors) -> Handle;
    fn rocksdb_close(database: Handle);
    fn rocksdb_flush(database: Handle, options: Handle, errors: Errors);
    fn rocksdb_write(database: Handle, options: Handle, batch: Handle, errors: Errors);
    fn rocksdb_writebatch_create() -> Handle;
    fn rocksdb_writebatch_clear(batch: Handle);
    fn rocksdb_writebatch_destroy(batch: Handle);
    fn rocksdb_writebatch_put(batch: Handle, key: *const u8, key_bytes: usize, value: *const u8, value_bytes: usize);

    fn rocksdb_transactiondb_options_create() -> Handle;
    fn rocksdb_transaction_options_create() -> Handle;
    fn rocksdb_transactiondb_open(options: Handle, transactions: Handle, path: *const c_char, errors: Errors) -> Handle;
    fn rocksdb_transactiondb_close(database: Handle);
    fn rocksdb_transactiondb_get_pinned(database: Handle, options: Handle, key: *const u8, key_bytes: usize, errors: Errors) -> Handle;
    fn rocksdb_transactiondb_create_iterator(database: Handle, options: Handle) -> Handle;
    fn rocksdb_transaction_begin(database: Handle, write: Handle, options: Handle, old: Handle) -> Handle;
    fn rocksdb_transaction_commit(transaction: Handle, errors: Errors);
    fn rocksdb_transaction_destroy(transaction: Handle);
    fn rocksdb_transaction_get_pinned_for_update(
        transaction: Handle,
        options: Handle,
        key: *const u8,
        key_bytes: usize,
        exclusive: c_uchar,
        errors: Errors,
    ) -> Handle;
    fn rocksdb_transaction_put(transaction: Handle, key: *const u8, key_bytes: usize, value: *const u8, value_bytes: usize, errors: Errors);

    fn rocksdb_pinnableslice_value(slice: Handle, bytes: *mut usize) -> *const u8;
    fn rocksdb_pinnableslice_destroy(slice: Handle);
    fn rocksdb_iter_seek(iterator: Handle, key: *const u8, key_bytes: usize);
    fn rocksdb_iter_next(iterator: Handle);
    fn rocksdb_iter_valid(iterator: Handle) -> c_uchar;
    fn rocksdb_iter_value(iterator: Handle, bytes: *mut usize) -> *const u8;
    fn rocksdb_iter_get_error(iterator: Handle, errors: Errors);
    fn rocksdb_iter_destroy(iterator: Handle);
}

/// Calls the library and takes the text of its error, if it leaves one.
fn checked<R>(call: impl FnOnce(Errors) -> R) -> Result<R, Failure> {
    let mut error: *mut c_char = null_mut();
    let result = call(&mut error);
    if error.is_null() {
        return Ok(result);
    }
    // Safety: the library left a string of its own, which is freed once.
    let message = unsafe {
        let message = CStr::from_ptr(error).to_string_lossy().into_owned();
        rocksdb_free(error.cast());
        message
    };
    Err(message)
}

/// Appends the bytes at `pointer` to an emptied `copy`.
///
/// Safety: `pointer` has so many bytes.
unsafe fn copy_to(copy: &mut Vec<u8>, pointer: *const u8, bytes: usize) {
    copy.clear();
    copy.extend_from_slice(unsafe { std::slice::from_raw_parts(pointer, bytes) });
}

/// Takes the value a read found; false if it found none.
///
/// Safety: `slice` is null or a pinned value nobody has given back.
unsafe fn take_pinned(slice: Handle, copy: &mut Vec<u8>) -> bool {
    if slice.is_null() {
        return false;
    }
    let mut bytes = 0;
    unsafe {
        let pointer = rocksdb_pinnableslice_value(slice, &mut bytes);
        copy_to(copy, pointer, bytes);
        rocksdb_pinnableslice_destroy(slice);
    }
    true
}

/// Options last as long as the process: there is one set of them.
struct Options {
    database: Handle,
    read: Handle,
    write: Handle,
    transaction: Handle,
}

// Safety: the library reads options from any thread; nobody changes them after `new`.
unsafe impl Send for Options {}
unsafe impl Sync for Options {}

impl Options {
    fn new() -> Options {
        // Safety: handles of the kinds each call takes.
        unsafe {
            let table = rocksdb_block_based_options_create();
            rocksdb_block_based_options_set_block_cache(table, rocksdb_cache_create_lru(CACHE_BYTES));
            rocksdb_block_based_options_set_filter_policy(table, rocksdb_filterpolicy_create_bloom(FILTER_BITS_PER_KEY));
            let database = rocksdb_options_create();
            rocksdb_options_set_create_if_missing(database, 1);
            rocksdb_options_set_compression(database, NO_COMPRESSION);
            rocksdb_options_increase_parallelism(database, std::thread::available_parallelism().map_or(2, |count| count.get() as c_int));
            rocksdb_options_set_block_based_table_factory(database, table);
            let write = rocksdb_writeoptions_create();
            rocksdb_writeoptions_set_sync(write, 1);
            Options { database, read: rocksdb_readoptions_create(), write, transaction: rocksdb_transaction_options_create() }
        }
    }
}

/// A database with transactions.
struct Transactions(Handle);

// Safety: the library's databases are made for calls from many threads.
unsafe impl Send for Transactions {}
unsafe impl Sync for Transactions {}

impl Drop for Transactions {
    fn drop(&mut self) {
        // Safety: opened by `RocksDb::transactions`, closed once.
        unsafe { rocksdb_transactiondb_close(self.0) }
    }
}

pub struct RocksDb {
    path: CString,
    options: Options,
    /// Opened at the first request: loading needs no transactions.
    transactions: OnceLock<Transactions>,
}

impl RocksDb {
    pub fn open(directory: &Path) -> Result<RocksDb, Failure> {
        let path = CString::new(directory.to_string_lossy().as_bytes()).map_err(text)?;
        Ok(RocksDb { path, options: Options::new(), transactions: OnceLock::new() })
    }

    fn transactions(&self) -> Result<Handle, Failure> {
        if self.transactions.get().is_none() {
            // Safety: options of the kinds the call takes, and a string that ends with a null.
            let opened = checked(|errors| unsafe {
                let transactions = rocksdb_transactiondb_options_create();
                rocksdb_transactiondb_open(self.options.database, transactions, self.path.as_ptr(), errors)
            })?;
            let _ = self.transactions.set(Transactions(opened));
        }
        self.transactions.get().map(|transactions| transactions.0).ok_or_else(|| "the database was just opened".to_string())
    }
}

impl Engine for RocksDb {
    fn name(&self) -> &'static str {
        "RocksDB"
    }

    fn load(&self, records: &mut dyn Iterator<Item = ([u8; KEY_BYTES], Vec<u8>)>) -> Result<(), Failure> {
        // Safety: each handle is used for what it was made for, and given back once; keys and values outlive the calls that take them.
        unsafe {
            let database = checked(|errors| rocksdb_open(self.options.database, self.path.as_ptr(), errors))?;
            let write = rocksdb_writeoptions_create();
            rocksdb_writeoptions_disable_WAL(write, 1);
            let batch = rocksdb_writebatch_create();
            let mut failed = Ok(());
            let mut count = 0;
            let mut more = true;
            while more && failed.is_ok() {
                let next = records.next();
                more = next.is_some();
                if let Some((key, value)) = next {
                    rocksdb_writebatch_put(batch, key.as_ptr(), key.len(), value.as_ptr(), value.len());
                    count += 1;
                }
                if count == LOAD_BATCH_RECORDS || !more {
                    failed = checked(|errors| rocksdb_write(database, write, batch, errors));
                    rocksdb_writebatch_clear(batch);
                    count = 0;
                }
            }
            rocksdb_writebatch_destroy(batch);
            // Without a log, what is in memory becomes durable by a flush.
            let flushed = checked(|errors| rocksdb_flush(database, rocksdb_flushoptions_create(), errors));
            rocksdb_close(database);
            failed.and(flushed)
        }
    }

    fn read(&self, keys: &mut dyn Iterator<Item = [u8; KEY_BYTES]>) -> Result<u64, Failure> {
        let database = self.transactions()?;
        let (mut copy, mut bytes) = (Vec::new(), 0);
        for key in keys {
            // Safety: the database is open as long as `self` lives, and the value found is taken once.
            let found = unsafe {
                let slice =
                    checked(|errors| rocksdb_transactiondb_get_pinned(database, self.options.read, key.as_ptr(), key.len(), errors))?;
                take_pinned(slice, &mut copy)
            };
            if found {
                bytes += std::hint::black_box(&copy).len() as u64;
            }
        }
        Ok(bytes)
    }

    fn browse(&self, from: &[u8; KEY_BYTES], count: usize) -> Result<usize, Failure> {
        let database = self.transactions()?;
        let (mut copy, mut seen) = (Vec::new(), 0);
        // Safety: the iterator is used while the database is open, its value only while it is valid, and it is given back once.
        unsafe {
            let iterator = rocksdb_transactiondb_create_iterator(database, self.options.read);
            rocksdb_iter_seek(iterator, from.as_ptr(), from.len());
            while seen < count && rocksdb_iter_valid(iterator) != 0 {
                let mut bytes = 0;
                let pointer = rocksdb_iter_value(iterator, &mut bytes);
                copy_to(&mut copy, pointer, bytes);
                seen += 1;
                rocksdb_iter_next(iterator);
            }
            let result = checked(|errors| rocksdb_iter_get_error(iterator, errors));
            rocksdb_iter_destroy(iterator);
            result.map(|()| seen)
        }
    }

    fn update(&self, key: &[u8; KEY_BYTES]) -> Result<(), Failure> {
        let database = self.transactions()?;
        let options = &self.options;
        // Safety: the transaction is given back once, at the end, whatever happens in between.
        unsafe {
            let transaction = rocksdb_transaction_begin(database, options.write, options.transaction, null_mut());
            let work = || {
                let slice = checked(|errors| {
                    rocksdb_transaction_get_pinned_for_update(transaction, options.read, key.as_ptr(), key.len(), 1, errors)
                })?;
                let mut value = Vec::new();
                if !take_pinned(slice, &mut value) {
                    return Err("no record".to_string());
                }
                value[20] = value[20].wrapping_add(1);
                checked(|errors| rocksdb_transaction_put(transaction, key.as_ptr(), key.len(), value.as_ptr(), value.len(), errors))?;
                checked(|errors| rocksdb_transaction_commit(transaction, errors))
            };
            let result = work();
            rocksdb_transaction_destroy(transaction);
            result
        }
    }
}
