//! The VERIFY, EXAMINE and BLDINDEX commands.

use super::parser::{Command, Parameter};
use super::{DdTarget, Done, Failure, Run, not_found, repro};
use crate::catalog::Entry;
use crate::file::OpenOptions;

impl Run<'_> {
    pub(super) fn data_set(&self, parameter: &Parameter) -> Result<String, Failure> {
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

    /// EXAMINE: as VERIFY, and indexes against records.
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
        if report {
            return self.examine_cluster(&base);
        }
        Ok(self.data_sets.verify_cluster(&base)?)
    }

    /// Records with their checksums, and the alternate indexes and the control interval map against the records.
    fn examine_cluster(&mut self, base: &str) -> Done {
        self.listing.line("IDC01700I INDEXTEST BEGINS");
        let found = self.data_sets.check_cluster(base)?;
        for fault in &found.faults {
            self.listing.line(&format!("IDC3351I ** {}", fault.to_uppercase()));
        }
        if found.faults.is_empty() {
            self.listing.line("IDC01724I INDEXTEST COMPLETE - NO ERRORS DETECTED");
        } else {
            self.listing.message(8, "IDC21701I MAJOR ERRORS FOUND BY INDEXTEST");
        }
        self.listing.line(&format!("IDC0005I NUMBER OF RECORDS PROCESSED WAS {}", found.records + found.index_entries));
        Ok(())
    }

    /// The base cluster of a cluster, alternate index or path.
    pub(super) fn base_of(&self, name: &str) -> Result<(String, Entry), Failure> {
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
                "INTERNALSORT" | "ISORT" | "EXTERNALSORT" | "ESORT" | "WORKFILES" | "WFILE" | "WORKVOLUMES" | "WVOL" | "CATALOG"
                | "CAT" | "SORTCALL" | "NOSORTCALL" | "SORTDEVICETYPE" | "SORTFILENUMBER" | "SORTMESSAGEDD" | "SORTMESSAGELEVEL" => {}
                _ => return Err(Failure::improper(parameter)),
            }
        }
        let base = base.ok_or_else(|| Failure::missing("INFILE OR INDATASET"))?;
        if indexes.is_empty() {
            return Err(Failure::missing("OUTFILE OR OUTDATASET"));
        }
        let (base, _) = self.base_of(&base)?;
        // "The base cluster can't be empty": an empty one is not opened for input.
        if self.data_sets.open(&base, OpenOptions::default())?.has_never_had_a_record()? {
            return Err(repro::empty(&base));
        }
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
}
