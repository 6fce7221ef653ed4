//! The encoding of catalog entries: see docs/formats.md.
//!
//! Invariant: an entry is written in the lowest version that can represent it, so that earlier releases can read most entries too.

use super::*;
use crate::codec::{Decoder, Encoder};

/// The version of entries that need nothing of a later one.
const ENTRY_VERSION: u8 = 2;
/// Entries of the first release: without LOGREPLICATE and BWO.
const ENTRY_VERSION_FIRST: u8 = 1;
/// Compressed clusters; paths, non-VSAM data sets and generation groups with an expiration date, groups with PURGE.
const ENTRY_VERSION_LATEST: u8 = 3;

impl Entry {
    /// The version an entry is written in: the lowest that can represent it, so that earlier releases can read most entries too.
    fn version(&self) -> u8 {
        let latest = match self {
            Entry::Path(_) | Entry::NonVsam(_) => self.expires() != 0,
            Entry::GenerationGroup(group) => group.expires != 0 || group.purge || group.extended,
            other => other.attributes().is_some_and(|attributes| attributes.compressed),
        };
        if latest { ENTRY_VERSION_LATEST } else { ENTRY_VERSION }
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::default();
        let version = self.version();
        out.u8(version);
        let later = version >= ENTRY_VERSION_LATEST;
        match self {
            Entry::Cluster(entry) => {
                out.u8(1).u8(entry.organization as u8);
                entry.attributes.encode(&mut out, later);
                out.strings(&entry.indexes).strings(&entry.paths);
            }
            Entry::AlternateIndex(entry) => {
                out.u8(2).string(&entry.base).bool(entry.unique).bool(entry.upgrade);
                entry.attributes.encode(&mut out, later);
                out.strings(&entry.paths);
            }
            Entry::Path(entry) => {
                out.u8(3).string(&entry.entry).bool(entry.update);
                if later {
                    out.u32(entry.expires);
                }
            }
            Entry::NonVsam(entry) => {
                out.u8(4).string(&entry.device_types).strings(&entry.volumes).u32(entry.created);
                if later {
                    out.u32(entry.expires);
                }
            }
            Entry::GenerationGroup(entry) => {
                out.u8(5).u32(entry.limit).bool(entry.scratch).bool(entry.empty).bool(entry.fifo);
                out.strings(&entry.generations).u32(entry.created);
                if later {
                    out.u32(entry.expires).bool(entry.purge).bool(entry.extended);
                }
            }
            Entry::Alias(target) => {
                out.u8(6).string(target);
            }
            Entry::Component(owner, data) => {
                out.u8(7).string(owner).bool(*data);
            }
        }
        out.bytes
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Entry> {
        let mut input = Decoder { bytes };
        let version = input.u8()?;
        if !(ENTRY_VERSION_FIRST..=ENTRY_VERSION_LATEST).contains(&version) {
            return None;
        }
        let later = version >= ENTRY_VERSION_LATEST;
        let expires = |input: &mut Decoder<'_>| if later { input.u32() } else { Some(0) };
        Some(match input.u8()? {
            1 => Entry::Cluster(ClusterEntry {
                organization: organization(input.u8()?)?,
                attributes: Attributes::decode(&mut input, version)?,
                indexes: input.strings()?,
                paths: input.strings()?,
            }),
            2 => Entry::AlternateIndex(IndexEntry {
                base: input.string()?,
                unique: input.bool()?,
                upgrade: input.bool()?,
                attributes: Attributes::decode(&mut input, version)?,
                paths: input.strings()?,
            }),
            3 => Entry::Path(PathEntry { entry: input.string()?, update: input.bool()?, expires: expires(&mut input)? }),
            4 => Entry::NonVsam(NonVsamEntry {
                device_types: input.string()?,
                volumes: input.strings()?,
                created: input.u32()?,
                expires: expires(&mut input)?,
            }),
            5 => {
                let mut group = GenerationGroupEntry {
                    limit: input.u32()?,
                    scratch: input.bool()?,
                    empty: input.bool()?,
                    fifo: input.bool()?,
                    generations: input.strings()?,
                    created: input.u32()?,
                    expires: expires(&mut input)?,
                    purge: later && input.bool()?,
                    extended: false,
                };
                // Earlier releases did not keep it: a group with a higher limit was defined so.
                group.extended = later && input.bool().unwrap_or(false) || group.limit > GENERATIONS_MAX;
                Entry::GenerationGroup(group)
            }
            6 => Entry::Alias(input.string()?),
            7 => Entry::Component(input.string()?, input.bool()?),
            _ => return None,
        })
    }
}

fn organization(code: u8) -> Option<Organization> {
    use Organization::*;
    [Ksds, Esds, Rrds, Vrrds, Linear].into_iter().find(|organization| *organization as u8 == code)
}

fn space_unit(code: u8) -> Option<SpaceUnit> {
    use SpaceUnit::*;
    [Tracks, Cylinders, Records, Kilobytes, Megabytes].into_iter().find(|unit| *unit as u8 == code)
}

fn backup_option(code: u8) -> Option<BackupOption> {
    use BackupOption::*;
    [Undefined, No, TypeCics, TypeIms, TypeOther].into_iter().find(|option| *option as u8 == code)
}

fn log_option(code: u8) -> Option<LogOption> {
    use LogOption::*;
    [Undefined, None, Undo, All].into_iter().find(|option| *option as u8 == code)
}

impl Attributes {
    fn encode(&self, out: &mut Encoder, later: bool) {
        out.u32(self.number).string(&self.data_name).string(&self.index_name);
        for value in [
            self.key_length,
            self.key_position,
            self.record_average,
            self.record_max,
            self.ci_size,
            self.index_ci_size,
            self.freespace_ci,
            self.freespace_ca,
            self.space_primary,
            self.space_secondary,
            self.share_cross_region,
            self.share_cross_system,
            self.buffer_space,
            self.created,
            self.expires,
        ] {
            out.u32(value);
        }
        for flag in [self.reuse, self.spanned, self.erase, self.speed, self.write_check] {
            out.bool(flag);
        }
        out.u8(self.space_unit as u8).u8(self.log as u8).string(&self.log_stream).string(&self.owner);
        out.strings(&self.volumes).string(&self.storage_class).string(&self.management_class).string(&self.data_class);
        out.bool(self.log_replicate).u8(self.backup as u8);
        if later {
            out.bool(self.compressed);
        }
    }

    fn decode(input: &mut Decoder<'_>, version: u8) -> Option<Attributes> {
        let (number, data_name, index_name) = (input.u32()?, input.string()?, input.string()?);
        let mut values = [0; 15];
        for value in &mut values {
            *value = input.u32()?;
        }
        let mut flags = [false; 5];
        for flag in &mut flags {
            *flag = input.bool()?;
        }
        let mut attributes = Attributes {
            number,
            data_name,
            index_name,
            key_length: values[0],
            key_position: values[1],
            record_average: values[2],
            record_max: values[3],
            ci_size: values[4],
            index_ci_size: values[5],
            freespace_ci: values[6],
            freespace_ca: values[7],
            space_primary: values[8],
            space_secondary: values[9],
            share_cross_region: values[10],
            share_cross_system: values[11],
            buffer_space: values[12],
            created: values[13],
            expires: values[14],
            reuse: flags[0],
            spanned: flags[1],
            erase: flags[2],
            speed: flags[3],
            write_check: flags[4],
            space_unit: space_unit(input.u8()?)?,
            log: log_option(input.u8()?)?,
            log_stream: input.string()?,
            owner: input.string()?,
            volumes: input.strings()?,
            storage_class: input.string()?,
            management_class: input.string()?,
            data_class: input.string()?,
            log_replicate: false,
            backup: BackupOption::Undefined,
            compressed: false,
        };
        if version > ENTRY_VERSION_FIRST {
            attributes.log_replicate = input.bool()?;
            attributes.backup = backup_option(input.u8()?)?;
        }
        if version >= ENTRY_VERSION_LATEST {
            attributes.compressed = input.bool()?;
        }
        Some(attributes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_read_back_as_written() {
        let mut attributes = Attributes::new(8, 4, 300, 300);
        attributes.reuse = true;
        attributes.log = LogOption::Undo;
        (attributes.log_replicate, attributes.backup) = (true, BackupOption::TypeCics);
        attributes.volumes = vec!["VOL001".into()];
        let entries = [
            Entry::Cluster(ClusterEntry {
                organization: Organization::Vrrds,
                attributes: attributes.clone(),
                indexes: vec!["A".into()],
                paths: vec![],
            }),
            Entry::Cluster(ClusterEntry {
                organization: Organization::Ksds,
                attributes: Attributes { compressed: true, ..attributes.clone() },
                indexes: vec![],
                paths: vec!["P".into()],
            }),
            Entry::AlternateIndex(IndexEntry { base: "B".into(), unique: true, upgrade: false, attributes, paths: vec!["P".into()] }),
            Entry::Path(PathEntry { entry: "A".into(), update: true, expires: 0 }),
            Entry::Path(PathEntry { entry: "A".into(), update: true, expires: 1_999_365 }),
            Entry::NonVsam(NonVsamEntry { device_types: "3390".into(), volumes: vec!["V".into()], created: 7, expires: 2_100_001 }),
            Entry::GenerationGroup(GenerationGroupEntry {
                limit: 3,
                scratch: true,
                empty: false,
                fifo: true,
                generations: vec!["G".into()],
                created: 9,
                expires: 0,
                purge: true,
                extended: true,
            }),
            Entry::Alias("X".into()),
            Entry::Component("B".into(), true),
        ];
        for entry in entries {
            assert_eq!(Entry::decode(&entry.encode()), Some(entry));
        }
    }
}
