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
        let (base, _) = self.data_set_to_check(command)?;
        Ok(self.data_sets.verify_cluster(&base)?)
    }

    /// EXAMINE: as VERIFY, and indexes against records. INDEXTEST is the default, DATATEST is asked for.
    pub(super) fn examine(&mut self, command: &Command) -> Done {
        let (base, _) = self.data_set_to_check(command)?;
        let is_given = |words: &[&str]| command.parameters.iter().any(|parameter| words.contains(&parameter.word()));
        self.examine_cluster(&base, !is_given(&["NOINDEXTEST"]), is_given(&["DATATEST", "DTEST"]))
    }

    fn data_set_to_check(&mut self, command: &Command) -> Result<(String, Entry), Failure> {
        let mut name = None;
        for parameter in &command.parameters {
            match parameter.word() {
                "FILE" | "DATASET" | "DS" | "NAME" => name = Some(self.data_set(parameter)?),
                "INDEXTEST" | "ITEST" | "NOINDEXTEST" | "DATATEST" | "DTEST" | "NODATATEST" | "ERRORLIMIT" | "RECOVER" => {}
                _ => return Err(Failure::improper(parameter)),
            }
        }
        let name = name.ok_or_else(|| Failure::missing("DATASET"))?;
        self.base_of(&name)
    }

    /// Records with their checksums, and the alternate indexes and the control interval map against the records. Both tests read all of it, so
    /// what is wrong is reported by the first that was asked for.
    fn examine_cluster(&mut self, base: &str, index_test: bool, data_test: bool) -> Done {
        let found = self.data_sets.check_cluster(base)?;
        let mut faults = found.faults.iter();
        for (_, begins, name, completes) in
            [(index_test, "IDC01700I", "INDEXTEST", "IDC01724I"), (data_test, "IDC01701I", "DATATEST", "IDC01709I")]
                .into_iter()
                .filter(|(is_wanted, ..)| *is_wanted)
        {
            self.listing.line(&format!("{begins} {name} BEGINS"));
            let reported = faults.by_ref().map(|fault| self.listing.line(&format!("IDC3351I ** {}", fault.to_uppercase()))).count();
            if reported == 0 && found.faults.is_empty() {
                self.listing.line(&format!("{completes} {name} COMPLETE - NO ERRORS DETECTED"));
            } else if reported > 0 {
                self.listing.message(8, &format!("IDC21701I MAJOR ERRORS FOUND BY {name}"));
            }
        }
        if data_test {
            self.listing.line(&format!("IDC01710I DATA COMPONENT CONTAINS {} RECORDS", found.records));
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
