//! The ranges of REPRO and PRINT: which records, by key, address or number, and how many.

use super::parser::{Parameter, Value};
use super::{Done, Failure, Run, numbers, one_value};
use crate::catalog::Organization;
use crate::file::FileAttributes;

/// Which records to copy.
#[derive(Clone, Debug, Default)]
pub(super) struct Range {
    pub from_key: Option<Vec<u8>>,
    pub to_key: Option<Vec<u8>>,
    /// Addresses, or relative record numbers.
    pub from_number: Option<u64>,
    pub to_number: Option<u64>,
    pub by_address: bool,
    pub skip: u64,
    pub count: Option<u64>,
}

impl Range {
    /// Keywords of which a command takes one.
    pub(super) const EXCLUSIVE: &[&[&str]] = &[
        &["INFILE", "IFILE", "INDATASET", "IDS"],
        &["OUTFILE", "OFILE", "OUTDATASET", "ODS"],
        &["FROMKEY", "FKEY", "FROMADDRESS", "FADDR", "FROMNUMBER", "FNUM", "SKIP"],
        &["TOKEY", "TOADDRESS", "TADDR", "TONUMBER", "TNUM", "COUNT"],
        &["REPLACE", "REP", "NOREPLACE", "NREP"],
        &["REUSE", "RUS", "NOREUSE", "NRUS"],
        &["CHARACTER", "CHAR", "HEX", "DUMP"],
    ];

    /// Applies a range keyword; false for any other parameter.
    pub(super) fn apply(&mut self, run: &Run<'_>, parameter: &Parameter) -> Result<bool, Failure> {
        match parameter.word() {
            "FROMKEY" | "FKEY" => self.from_key = Some(run.key_bytes(one_value(parameter)?)),
            "TOKEY" => self.to_key = Some(run.key_bytes(one_value(parameter)?)),
            "FROMADDRESS" | "FADDR" => self.from_number = Some(address(parameter)?),
            "TOADDRESS" | "TADDR" => self.to_number = Some(address(parameter)?),
            "FROMNUMBER" | "FNUM" => self.from_number = Some(numbers(parameter, 1, 1)?[0].into()),
            "TONUMBER" | "TNUM" => self.to_number = Some(numbers(parameter, 1, 1)?[0].into()),
            "SKIP" => self.skip = numbers(parameter, 1, 1)?[0].into(),
            "COUNT" => self.count = Some(numbers(parameter, 1, 1)?[0].into()),
            _ => return Ok(false),
        }
        self.by_address |= matches!(parameter.word(), "FROMADDRESS" | "FADDR" | "TOADDRESS" | "TADDR");
        Ok(true)
    }

    fn by_number(&self) -> bool {
        !self.by_address && (self.from_number.is_some() || self.to_number.is_some())
    }

    /// Refuses a range of a kind that the data set does not support.
    pub(super) fn check(&self, attributes: &FileAttributes) -> Done {
        let by_key = self.from_key.is_some() || self.to_key.is_some();
        let (keys, addresses, numbers) = match attributes.organization {
            _ if attributes.path => (true, false, false),
            Organization::Ksds => (true, true, false),
            Organization::Esds | Organization::Linear => (false, true, false),
            Organization::Rrds | Organization::Vrrds => (false, false, true),
        };
        for (given, possible, what) in
            [(by_key, keys, "KEYS"), (self.by_address, addresses, "ADDRESSES"), (self.by_number(), numbers, "NUMBERS")]
        {
            if given && !possible {
                let data_set = &attributes.data_set;
                return Err(Failure::new(12, [format!("IDC3211I A RANGE OF {what} IS IMPROPER: RECORDS OF {data_set} HAVE NO {what}")]));
            }
        }
        let length = attributes.key_length;
        match [&self.from_key, &self.to_key].into_iter().flatten().find(|key| key.len() > length) {
            Some(key) => Err(Failure::new(
                12,
                [format!(
                    "IDC3203I A KEY OF {} BYTES DOES NOT ADHERE TO RESTRICTIONS: KEYS OF {} HAVE {length}",
                    key.len(),
                    attributes.data_set
                )],
            )),
            None => Ok(()),
        }
    }
}

/// An address, which may be one of eight bytes.
fn address(parameter: &Parameter) -> Result<u64, Failure> {
    let value = one_value(parameter)?;
    let number = match &value.value {
        Value::Word(word) => word.parse().ok(),
        Value::Hex(bytes) if bytes.len() <= 8 => Some(bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))),
        _ => None,
    };
    number.ok_or_else(|| Failure::syntax(format!("IDC3218I IMPROPER NUMERIC FIELD IN '{}'", super::shown(parameter))))
}

impl Run<'_> {
    /// A key value of a statement in the data's code page. A trailing asterisk makes it generic; keys shorter than full length are generic
    /// anyway.
    fn key_bytes(&self, parameter: &Parameter) -> Vec<u8> {
        match &parameter.value {
            Value::Hex(bytes) => bytes.clone(),
            Value::Text(text) => self.page.encode(text),
            Value::Word(word) => self.page.encode(word.trim_end_matches('*')),
        }
    }
}
