//! EXPORT and IMPORT: portable data sets.
//!
//! A portable data set is a flat file with record descriptor words: a first record that names exporter and format, then records with a tag:
//! catalog entries, data records (with their numbers for a relative record data set), and their count at the end, without which the file is
//! incomplete. Invariant: IMPORT recreates the records, numbers and paths that were exported, or fails.

use std::path::PathBuf;

use super::dd::{FlatReader, FlatWriter};
use super::delete::Deletion;
use super::parser::{Command, Parameter};
use super::range::Range;
use super::repro::{Copy, finish};
use super::{DdTarget, Done, Failure, RecordFormat, Run, name_of, not_found, one_name, one_value, shown};
use crate::catalog::{Entry, Organization};
use crate::codec::{Decoder, Encoder};

const HEADER: &[u8] = b"REGENT PORTABLE DATA SET 2";
/// The first format: the cluster's entry, then records without tag.
const HEADER_1: &[u8] = b"REGENT PORTABLE DATA SET 1";

/// First byte of a record.
mod tag {
    /// Name (counted string) and catalog entry.
    pub const ENTRY: u8 = b'E';
    pub const RECORD: u8 = b'R';
    /// Number, u32, and record of a relative record data set.
    pub const NUMBERED: u8 = b'N';
    /// Count of records, u64.
    pub const END: u8 = b'Z';
}

fn io(why: String) -> Failure {
    Failure::new(12, [format!("IDC3302I ACTION ERROR: {why}")])
}

fn not_portable() -> Failure {
    Failure::new(12, ["IDC3190I INPUT IS NOT A PORTABLE DATA SET".to_string()])
}

fn tagged_entry(name: &str, entry: &Entry) -> Vec<u8> {
    let mut out = Encoder::default();
    out.u8(tag::ENTRY).string(name);
    out.bytes.extend(entry.encode());
    out.bytes
}

/// An entry of IMPORT OBJECTS.
#[derive(Default)]
struct Object {
    name: String,
    new_name: Option<String>,
    storage_class: Option<String>,
    management_class: Option<String>,
    volumes: Option<Vec<String>>,
}

/// OBJECTS((name NEWNAME(...) ...) ...); the inner parentheses may be left out when there is one.
fn objects(parameter: &Parameter) -> Result<Vec<Object>, Failure> {
    let arguments = parameter.arguments.as_deref().unwrap_or_default();
    let grouped = |argument: &&Parameter| argument.word().is_empty() && argument.arguments.is_some();
    let mut lists: Vec<&[Parameter]> = arguments.iter().filter(grouped).filter_map(|group| group.arguments.as_deref()).collect();
    if lists.is_empty() {
        lists.push(arguments);
    }
    lists.into_iter().map(object).collect()
}

fn object(list: &[Parameter]) -> Result<Object, Failure> {
    let Some((first, rest)) = list.split_first() else { return Err(Failure::missing("OBJECTS")) };
    let mut object = Object { name: name_of(first)?, ..Object::default() };
    for parameter in rest {
        match parameter.word() {
            "NEWNAME" | "NEWNM" => object.new_name = Some(one_name(parameter)?),
            "STORAGECLASS" | "STORCLAS" | "STORCLASS" => object.storage_class = Some(shown(one_value(parameter)?)),
            "MANAGEMENTCLASS" | "MGMTCLAS" | "MGMTCLASS" => object.management_class = Some(shown(one_value(parameter)?)),
            "VOLUMES" | "VOLUME" | "VOL" => {
                object.volumes = Some(parameter.arguments.as_deref().unwrap_or_default().iter().map(shown).collect());
            }
            // The data set's volumes, which are not real.
            "FILE" | "DEVICETYPES" | "DEVT" | "KEYRANGES" | "KRNG" | "ORDERED" | "ORD" | "UNORDERED" | "UNORD" => {}
            _ => return Err(Failure::improper(parameter)),
        }
    }
    Ok(object)
}

/// A portable data set being read.
struct Portable {
    reader: FlatReader,
    first_format: bool,
    entries: Vec<(String, Entry)>,
    /// The first record after the entries, if it has been read.
    record: Vec<u8>,
    pending: bool,
    records: u64,
}

impl Portable {
    fn open(mut reader: FlatReader) -> Result<Portable, Failure> {
        let mut record = Vec::new();
        if !reader.next(&mut record).map_err(io)? || record != HEADER && record != HEADER_1 {
            return Err(not_portable());
        }
        let first_format = record == HEADER_1;
        let mut portable = Portable { reader, first_format, entries: Vec::new(), record, pending: false, records: 0 };
        while portable.reader.next(&mut portable.record).map_err(io)? {
            if first_format {
                let entry = Entry::decode(&portable.record).ok_or_else(not_portable)?;
                portable.entries.push((String::new(), entry));
                break;
            }
            let mut input = Decoder { bytes: &portable.record };
            if input.u8() != Some(tag::ENTRY) {
                portable.pending = true;
                break;
            }
            let name = input.string().ok_or_else(not_portable)?;
            let entry = Entry::decode(input.bytes).ok_or_else(not_portable)?;
            portable.entries.push((name, entry));
        }
        if portable.entries.is_empty() { Err(not_portable()) } else { Ok(portable) }
    }

    /// The next data record, with its number if it has one; `None` at the end.
    fn next(&mut self) -> Result<Option<(Option<u32>, &[u8])>, Failure> {
        let there = std::mem::take(&mut self.pending) || self.reader.next(&mut self.record).map_err(io)?;
        if self.first_format {
            return Ok(there.then_some((None, &self.record[..])));
        }
        if !there {
            return Err(Failure::new(12, ["IDC3190I THE PORTABLE DATA SET IS NOT WHOLE: ITS END IS MISSING".to_string()]));
        }
        let mut input = Decoder { bytes: &self.record };
        match input.u8() {
            Some(tag::RECORD) => {
                self.records += 1;
                Ok(Some((None, &self.record[1..])))
            }
            Some(tag::NUMBERED) => {
                self.records += 1;
                let number = input.u32().ok_or_else(not_portable)?;
                Ok(Some((Some(number), &self.record[1 + size_of::<u32>()..])))
            }
            Some(tag::END) if input.u64() == Some(self.records) => Ok(None),
            _ => Err(not_portable()),
        }
    }
}

impl Run<'_> {
    fn flat(&self, parameter: &Parameter) -> Result<PathBuf, Failure> {
        let by_name = matches!(parameter.word(), "INDATASET" | "IDS" | "OUTDATASET" | "ODS");
        match self.dd(parameter, by_name)? {
            (_, DdTarget::File { path, .. }) => Ok(path),
            (name, _) => Err(Failure::new(12, [format!("IDC3300I ERROR OPENING {name}: A FLAT FILE IS NEEDED")])),
        }
    }

    pub(super) fn export(&mut self, command: &Command) -> Done {
        let Some(first) = command.parameters.first() else { return Err(Failure::missing("ENTRYNAME")) };
        let name = name_of(first)?;
        let (mut path, mut temporary, mut purge) = (None, false, false);
        for parameter in &command.parameters[1..] {
            match parameter.word() {
                "OUTFILE" | "OFILE" | "OUTDATASET" | "ODS" => path = Some(self.flat(parameter)?),
                "TEMPORARY" | "TEMP" => temporary = true,
                "PERMANENT" | "PERM" => temporary = false,
                "PURGE" | "PRG" => purge = true,
                "NOPURGE" | "NPRG" => purge = false,
                "INHIBITSOURCE" | "INHS" | "INHIBITTARGET" | "INHT" | "DISCONNECT" | "DCON" => self.without_meaning(parameter),
                // Records are exported one by one in either mode, and a deleted data set leaves nothing behind.
                "CIMODE" | "CIM" | "RECORDMODE" | "RECM" | "NOINHIBITSOURCE" | "NINHS" | "NOINHIBITTARGET" | "NINHT" | "ERASE" | "ERAS"
                | "NOERASE" | "NERAS" | "INFILE" | "IFILE" => {}
                _ => return Err(Failure::improper(parameter)),
            }
        }
        let path = path.ok_or_else(|| Failure::missing("OUTFILE"))?;
        let (name, entry) = match self.data_sets.catalog().resolve(&name)? {
            Some((name, entry @ (Entry::Cluster(_) | Entry::AlternateIndex(_)))) => (name, entry),
            _ => return Err(not_found(&name)),
        };
        let records = self.write_portable(&path, &name, &entry)?;
        self.listing.line(&format!("IDC0005I NUMBER OF RECORDS PROCESSED WAS {records}"));
        self.listing.line("IDC0594I PORTABLE DATA SET CREATED SUCCESSFULLY");
        if !temporary {
            self.delete_one(&name, &Deletion { kinds: None, purge, scratch: true });
        }
        Ok(())
    }

    fn write_portable(&mut self, path: &std::path::Path, name: &str, entry: &Entry) -> Result<u64, Failure> {
        let mut writer = FlatWriter::create(path, RecordFormat::Variable, self.page).map_err(io)?;
        writer.put(HEADER).and_then(|()| writer.put(&tagged_entry(name, entry))).map_err(io)?;
        let (paths, numbered) = match entry {
            Entry::Cluster(cluster) => (&cluster.paths, matches!(cluster.organization, Organization::Rrds | Organization::Vrrds)),
            Entry::AlternateIndex(index) => (&index.paths, false),
            _ => return Err(not_found(name)),
        };
        for path in paths {
            if let Some(entry) = self.data_sets.catalog().get(path)? {
                writer.put(&tagged_entry(path, &entry)).map_err(io)?;
            }
        }
        let mut source = self.source(name, DdTarget::DataSet(name.to_string()), 0)?;
        let mut records = 0u64;
        let mut tagged = Vec::new();
        source.for_each(&Range::default(), &mut |record, place| {
            records += 1;
            tagged.clear();
            tagged.push(if numbered { tag::NUMBERED } else { tag::RECORD });
            if numbered {
                tagged.extend_from_slice(&(place.number as u32).to_le_bytes());
            }
            tagged.extend_from_slice(record);
            writer.put(&tagged).map(|()| true).map_err(io)
        })?;
        let mut end = Encoder::default();
        end.u8(tag::END).u64(records);
        writer.put(&end.bytes).and_then(|()| writer.finish()).map_err(io)?;
        Ok(records)
    }

    pub(super) fn import(&mut self, command: &Command) -> Done {
        let (mut path, mut name, mut said) = (None, None, Vec::new());
        for parameter in &command.parameters {
            match parameter.word() {
                "INFILE" | "IFILE" | "INDATASET" | "IDS" => path = Some(self.flat(parameter)?),
                "OUTDATASET" | "ODS" => name = Some(one_name(parameter)?),
                "OUTFILE" | "OFILE" => name = Some(self.data_set(parameter)?),
                "OBJECTS" | "OBJ" => said = objects(parameter)?,
                "CONNECT" | "CON" | "ALIAS" | "ALS" => self.without_meaning(parameter),
                // An existing empty data set is loaded in any case, and a deleted data set leaves nothing behind.
                "INTOEMPTY" | "IEMPTY" | "CATALOG" | "CAT" | "PURGE" | "PRG" | "NOPURGE" | "NPRG" | "ERASE" | "ERAS" | "NOERASE"
                | "NERAS" | "SAVRAC" | "NOSAVRAC" | "NOALIAS" | "NALS" | "LOCK" | "UNLOCK" => {}
                _ => return Err(Failure::improper(parameter)),
            }
        }
        let path = path.ok_or_else(|| Failure::missing("INFILE"))?;
        let name = name.ok_or_else(|| Failure::missing("OUTDATASET"))?;
        let reader = FlatReader::open(&path, RecordFormat::Variable, self.page).map_err(io)?;
        let mut portable = Portable::open(reader)?;
        let (exported, entry) = portable.entries.remove(0);
        let paths = std::mem::take(&mut portable.entries);
        for object in &said {
            if !portable.first_format && object.name != exported && paths.iter().all(|(path, _)| *path != object.name) {
                let known = [format!("IDC3190I {} IS NOT IN THE PORTABLE DATA SET", object.name)];
                return Err(Failure::new(12, known));
            }
        }
        // OUTDATASET names the new entry; NEWNAME does so for the exported entry.
        let renamed = said.iter().find(|object| object.name == exported).and_then(|object| object.new_name.clone());
        let name = if name == exported { renamed.unwrap_or(name) } else { name };
        let is_new = self.data_sets.catalog().get(&name)?.is_none();
        if is_new {
            self.define_imported(&name, &exported, entry.clone(), &said)?;
        }
        let loaded = self.load_imported(&name, &entry, &mut portable);
        if let (true, Err(_)) = (is_new, &loaded) {
            // Half a data set is none.
            self.data_sets.delete(&name)?;
        }
        let records = loaded?;
        for (path, entry) in paths {
            let new_name = said.iter().find(|object| object.name == path).and_then(|object| object.new_name.clone());
            self.define_imported_path(&new_name.unwrap_or(path), &name, &entry)?;
        }
        self.listing.line(&format!("IDC0005I NUMBER OF RECORDS PROCESSED WAS {records}"));
        self.listing.line(&format!("IDC0604I DATA SET {name} IMPORTED"));
        Ok(())
    }

    /// Defines the exported entry as `name`, with the attributes of OBJECTS.
    fn define_imported(&self, name: &str, exported: &str, mut entry: Entry, said: &[Object]) -> Done {
        let Some(attributes) = entry.attributes_mut() else { return Err(not_portable()) };
        let new_name = |old: &str| said.iter().find(|object| object.name == old).and_then(|object| object.new_name.clone());
        // Components keep their names with their cluster's.
        for component in [&mut attributes.data_name, &mut attributes.index_name] {
            let kept = if name == exported { component.clone() } else { String::new() };
            *component = new_name(component).unwrap_or(kept);
        }
        if let Some(object) = said.iter().find(|object| object.name == exported) {
            if let Some(class) = &object.storage_class {
                attributes.storage_class.clone_from(class);
            }
            if let Some(class) = &object.management_class {
                attributes.management_class.clone_from(class);
            }
            if let Some(volumes) = &object.volumes {
                attributes.volumes.clone_from(volumes);
            }
        }
        match entry {
            Entry::Cluster(cluster) => self.data_sets.define_cluster(name, cluster.organization, cluster.attributes)?,
            Entry::AlternateIndex(index) => {
                self.data_sets.define_index(name, &index.base, index.unique, index.upgrade, index.attributes)?;
            }
            _ => return Err(not_portable()),
        }
        Ok(())
    }

    /// Loads a cluster with the records; an alternate index is built from its base, which has the data of its records.
    fn load_imported(&self, name: &str, entry: &Entry, portable: &mut Portable) -> Result<u64, Failure> {
        if let Entry::AlternateIndex(_) = entry {
            while portable.next()?.is_some() {}
            return Ok(self.data_sets.build_index(name)?.0);
        }
        if !self.is_empty(name)? {
            return Err(Failure::new(12, [format!("IDC3191I {name} IS NOT EMPTY")]));
        }
        let mut target = self.target(name, &DdTarget::DataSet(name.to_string()), 0, false)?;
        let mut copy = Copy::new(name, false, 1, self.page);
        while let Some((number, record)) = portable.next()? {
            if !copy.put(&mut target, record, number)? {
                return Err(Failure::new(12, copy.lines));
            }
        }
        finish(target, name)?;
        Ok(copy.done)
    }

    /// Defines an exported path together with the entry it leads through. The path may already exist; another entry of its name is kept.
    fn define_imported_path(&mut self, path: &str, through: &str, entry: &Entry) -> Done {
        let Entry::Path(exported) = entry else { return Err(not_portable()) };
        if let Some(there) = self.data_sets.catalog().get(path)? {
            if matches!(&there, Entry::Path(path) if path.entry == through) {
                return Ok(());
            }
            self.listing.message(4, &format!("IDC3013I DUPLICATE DATA SET NAME {path}: THE PATH WAS NOT DEFINED"));
            return Ok(());
        }
        Ok(self.data_sets.define_path_until(path, through, exported.update, exported.expires)?)
    }
}
