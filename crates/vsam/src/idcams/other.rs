//! VERIFY, EXAMINE, BLDINDEX, EXPORT and IMPORT.
//!
//! A portable data set is a flat file with record descriptor words: a first record that names the exporter and format, one with
//! the catalog entry, then the data records.

use super::dd::{FlatReader, FlatWriter};
use super::parser::{Command, Parameter};
use super::repro::Range;
use super::{DdTarget, Done, Failure, RecordFormat, Run, name_of, not_found, one_name};
use crate::catalog::Entry;
use crate::load::LoadError;

const PORTABLE_HEADER: &[u8] = b"REGENT PORTABLE DATA SET 1";

impl Run<'_> {
    fn data_set(&self, parameter: &Parameter) -> Result<String, Failure> {
        let by_name = matches!(parameter.word(), "DATASET" | "DS" | "INDATASET" | "IDS" | "OUTDATASET" | "ODS" | "NAME");
        match self.dd(parameter, by_name)? {
            (_, DdTarget::DataSet(name)) => Ok(name),
            (name, _) => Err(not_found(&name)),
        }
    }

    /// VERIFY: the store keeps the ends of data sets itself; every record is read and its checksum checked.
    pub(super) fn verify(&mut self, command: &Command) -> Done {
        self.check_data_set(command, false)
    }

    /// EXAMINE: as VERIFY, and the number of records.
    pub(super) fn examine(&mut self, command: &Command) -> Done {
        self.check_data_set(command, true)
    }

    fn check_data_set(&mut self, command: &Command, report: bool) -> Done {
        let mut name = None;
        for parameter in &command.parameters {
            match parameter.word() {
                "FILE" | "DATASET" | "DS" | "NAME" => name = Some(self.data_set(parameter)?),
                "INDEXTEST" | "ITEST" | "NOINDEXTEST" | "DATATEST" | "DTEST" | "NODATATEST" | "ERRORLIMIT" | "RECOVER" => {}
                _ => return Err(Failure::improper(parameter)),
            }
        }
        let name = name.ok_or_else(|| Failure::missing("DATASET"))?;
        let (base, _) = self.base_of(&name)?;
        let sphere = self.data_sets.sphere(&base)?;
        let mut records = self.data_sets.store().check_table(&sphere.data)?;
        for index in &sphere.indexes {
            records += self.data_sets.store().check_table(&index.table)?;
        }
        if report {
            self.listing.line("IDC01700I INDEXTEST BEGINS");
            self.listing.line("IDC01724I INDEXTEST COMPLETE - NO ERRORS DETECTED");
            self.listing.line(&format!("IDC0005I NUMBER OF RECORDS PROCESSED WAS {records}"));
        }
        Ok(())
    }

    /// The base cluster of a cluster, alternate index or path.
    fn base_of(&self, name: &str) -> Result<(String, Entry), Failure> {
        match self.data_sets.catalog().resolve(name)? {
            Some((name, entry @ Entry::Cluster(_))) => Ok((name, entry)),
            Some((_, Entry::AlternateIndex(index))) => self.base_of(&index.base),
            Some((_, Entry::Path(path))) => self.base_of(&path.entry),
            Some((_, Entry::Component(owner, _))) => self.base_of(&owner),
            _ => Err(not_found(name)),
        }
    }

    pub(super) fn build_index(&mut self, command: &Command) -> Done {
        let (mut base, mut indexes) = (None, Vec::new());
        for parameter in &command.parameters {
            match parameter.word() {
                "INFILE" | "IFILE" | "INDATASET" | "IDS" => base = Some(self.data_set(parameter)?),
                "OUTFILE" | "OFILE" | "OUTDATASET" | "ODS" => {
                    let by_name = matches!(parameter.word(), "OUTDATASET" | "ODS");
                    for argument in parameter.arguments.as_deref().unwrap_or_default() {
                        let single = Parameter { value: parameter.value.clone(), arguments: Some(vec![argument.clone()]) };
                        match self.dd(&single, by_name)? {
                            (_, DdTarget::DataSet(name)) => indexes.push(name),
                            (name, _) => return Err(not_found(&name)),
                        }
                    }
                }
                "INTERNALSORT" | "ISORT" | "EXTERNALSORT" | "ESORT" | "WORKFILES" | "WORKVOLUMES" | "CATALOG" | "CAT" | "SORTCALL"
                | "NOSORTCALL" | "SORTDEVICETYPE" | "SORTFILENUMBER" | "SORTMESSAGEDD" | "SORTMESSAGELEVEL" => {}
                _ => return Err(Failure::improper(parameter)),
            }
        }
        let base = base.ok_or_else(|| Failure::missing("INFILE OR INDATASET"))?;
        if indexes.is_empty() {
            return Err(Failure::missing("OUTFILE OR OUTDATASET"));
        }
        let (base, _) = self.base_of(&base)?;
        for name in indexes {
            let name = match self.data_sets.catalog().resolve(&name)? {
                Some((_, Entry::Path(path))) => path.entry,
                Some((name, _)) => name,
                None => return Err(not_found(&name)),
            };
            if !matches!(self.data_sets.catalog().get(&name)?, Some(Entry::AlternateIndex(index)) if index.base == base) {
                let line = format!("IDC1632I {name} IS NOT AN ALTERNATE INDEX OVER {base}");
                self.listing.message(8, &line);
                continue;
            }
            let (entries, duplicates) = self.data_sets.build_index(&name)?;
            if let Some(progress) = self.options.progress {
                progress(&name, entries);
            }
            if duplicates > 0 {
                let line = format!("IDC1646I {duplicates} RECORDS WITH A DUPLICATE ALTERNATE KEY LEFT OUT OF {name}");
                self.listing.message(4, &line);
            }
            self.listing.line(&format!("IDC0652I {name} SUCCESSFULLY BUILT"));
        }
        Ok(())
    }

    fn flat(&self, parameter: &Parameter) -> Result<std::path::PathBuf, Failure> {
        let by_name = matches!(parameter.word(), "INDATASET" | "IDS" | "OUTDATASET" | "ODS");
        match self.dd(parameter, by_name)? {
            (_, DdTarget::File { path, .. }) => Ok(path),
            (name, _) => Err(Failure::new(12, [format!("IDC3300I ERROR OPENING {name}: A FLAT FILE IS NEEDED")])),
        }
    }

    pub(super) fn export(&mut self, command: &Command) -> Done {
        let Some(first) = command.parameters.first() else { return Err(Failure::missing("ENTRYNAME")) };
        let name = name_of(first)?;
        let (mut path, mut temporary) = (None, false);
        for parameter in &command.parameters[1..] {
            match parameter.word() {
                "OUTFILE" | "OFILE" | "OUTDATASET" | "ODS" => path = Some(self.flat(parameter)?),
                "TEMPORARY" | "TEMP" => temporary = true,
                "PERMANENT" | "PERM" => temporary = false,
                "CIMODE" | "CIM" | "RECORDMODE" | "RECM" | "INHIBITSOURCE" | "INHS" | "NOINHIBITSOURCE" | "NINHS" | "INHIBITTARGET"
                | "INHT" | "NOINHIBITTARGET" | "NINHT" | "PURGE" | "PRG" | "NOPURGE" | "NPRG" | "ERASE" | "NOERASE" | "INFILE" => {}
                _ => return Err(Failure::improper(parameter)),
            }
        }
        let path = path.ok_or_else(|| Failure::missing("OUTFILE"))?;
        let io = |why: String| Failure::new(12, [format!("IDC3302I ACTION ERROR: {}", why.to_uppercase())]);
        let entry = match self.data_sets.catalog().resolve(&name)? {
            Some((_, entry @ Entry::Cluster(_))) => entry,
            _ => return Err(not_found(&name)),
        };
        let mut writer = FlatWriter::create(&path, RecordFormat::Variable, self.page).map_err(io)?;
        writer.put(PORTABLE_HEADER).and_then(|()| writer.put(&entry.encode())).map_err(io)?;
        let mut source = self.source(&name, DdTarget::DataSet(name.clone()), 0)?;
        let mut records = 0u64;
        source.for_each(&Range::default(), &mut |record, _| {
            records += 1;
            writer.put(record).map(|()| true).map_err(io)
        })?;
        writer.finish().map_err(io)?;
        drop(source);
        self.listing.line(&format!("IDC0005I NUMBER OF RECORDS PROCESSED WAS {records}"));
        self.listing.line("IDC0594I PORTABLE DATA SET CREATED SUCCESSFULLY");
        if !temporary {
            for (kind, name) in self.data_sets.delete(&name)? {
                self.listing.line(&format!("IDC0550I ENTRY ({}) {name} DELETED", kind.letter()));
            }
        }
        Ok(())
    }

    pub(super) fn import(&mut self, command: &Command) -> Done {
        let (mut path, mut name) = (None, None);
        for parameter in &command.parameters {
            match parameter.word() {
                "INFILE" | "IFILE" | "INDATASET" | "IDS" => path = Some(self.flat(parameter)?),
                "OUTDATASET" | "ODS" => name = Some(one_name(parameter)?),
                "OUTFILE" | "OFILE" => name = Some(self.data_set(parameter)?),
                "INTOEMPTY" | "IEMPTY" | "OBJECTS" | "OBJ" | "CATALOG" | "CAT" | "PURGE" | "NOPURGE" | "ERASE" | "NOERASE" => {}
                _ => return Err(Failure::improper(parameter)),
            }
        }
        let path = path.ok_or_else(|| Failure::missing("INFILE"))?;
        let name = name.ok_or_else(|| Failure::missing("OUTDATASET"))?;
        let io = |why: String| Failure::new(12, [format!("IDC3302I ACTION ERROR: {}", why.to_uppercase())]);
        let mut reader = FlatReader::open(&path, RecordFormat::Variable, self.page).map_err(io)?;
        let mut record = Vec::new();
        let headed = reader.next(&mut record).map_err(io)? && record == PORTABLE_HEADER;
        if !headed || !reader.next(&mut record).map_err(io)? {
            return Err(Failure::new(12, ["IDC3190I INPUT IS NOT A PORTABLE DATA SET".to_string()]));
        }
        let Some(Entry::Cluster(mut cluster)) = Entry::decode(&record) else {
            return Err(Failure::new(12, ["IDC3190I INPUT IS NOT A PORTABLE DATA SET".to_string()]));
        };
        if self.data_sets.catalog().get(&name)?.is_none() {
            cluster.attributes.data_name.clear();
            cluster.attributes.index_name.clear();
            self.data_sets.define_cluster(&name, cluster.organisation, cluster.attributes)?;
        }
        let Some(mut load) = self.data_sets.sequential_load(&name)? else {
            return Err(Failure::new(12, [format!("IDC3191I {name} IS NOT EMPTY OR IN USE")]));
        };
        while reader.next(&mut record).map_err(io)? {
            load.put(&record).map_err(|error| match error {
                LoadError::File(error) => error.into(),
                other => io(format!("{other:?}")),
            })?;
        }
        let records = load.finish()?;
        self.listing.line(&format!("IDC0005I NUMBER OF RECORDS PROCESSED WAS {records}"));
        self.listing.line(&format!("IDC0604I DATA SET {name} IMPORTED"));
        Ok(())
    }
}
