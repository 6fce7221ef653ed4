//! The options table DFHNCOPT: which pool a pool selector stands for.
//!
//! The table is the source of the assembler table of CICS, in the file that DD name DFHNCOPT stands for. An entry is a statement
//! `DFHNCO POOLSEL=selector,POOL=pool`. The selector may end with an asterisk for any characters. `POOL=YES` takes the selector as the name of
//! the pool, `POOL=NO` refuses it, and `POOL=` is the region's default pool (NCPLDFT). The first entry that fits decides. Source: CICS TS 5.5,
//! "Named counter options table". Without a table there are the entries of the supplied one: [`SUPPLIED`].

use region::name::Name8;
use std::path::Path;

/// The entries of the supplied table.
const SUPPLIED: &str = " DFHNCO POOLSEL=DFHNC*,POOL=YES\n DFHNCO POOLSEL=*,POOL=";
/// Most entries of a table.
const ENTRIES_MAX: usize = 1_000;
const MACRO: &str = "DFHNCO";

/// What an entry says of the selectors it fits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pool {
    /// The selector is the name of the pool.
    Selector,
    Named(Name8),
    /// NCPLDFT.
    Default,
    None,
}

struct Entry {
    selector: String,
    is_generic: bool,
    pool: Pool,
}

impl Entry {
    fn fits(&self, selector: &str) -> bool {
        if self.is_generic { selector.starts_with(&self.selector) } else { selector == self.selector }
    }
}

/// A table.
pub(super) struct Options(Vec<Entry>);

impl Default for Options {
    fn default() -> Self {
        Options::parse(SUPPLIED).expect("the supplied table is valid")
    }
}

impl Options {
    /// The table of a file.
    ///
    /// # Errors
    ///
    /// It cannot be read, or a statement is not valid.
    pub fn read(path: &Path) -> Result<Options, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Options::parse(&text).map_err(|fault| format!("{}: {fault}", path.display()))
    }

    fn parse(text: &str) -> Result<Options, String> {
        let mut entries = Vec::new();
        for (line, number) in text.lines().zip(1..) {
            if line.starts_with('*') {
                continue;
            }
            // A name in the first column is not looked at; what stands after the operands is a remark.
            let mut words = line.split_whitespace().skip(usize::from(!line.starts_with(' ') && !line.is_empty()));
            match (words.next(), words.next()) {
                (Some(MACRO), Some(operands)) => entries.push(entry(operands).map_err(|fault| format!("line {number}: {fault}"))?),
                (Some(MACRO), None) => return Err(format!("line {number}: operands are expected")),
                _ => {}
            }
            if entries.len() > ENTRIES_MAX {
                return Err(format!("it has more than {ENTRIES_MAX} entries"));
            }
        }
        Ok(Options(entries))
    }

    /// What the first entry that fits a selector says.
    pub fn pool(&self, selector: Name8) -> Pool {
        let selector = selector.as_str();
        self.0.iter().find(|entry| entry.fits(selector)).map_or(Pool::None, |entry| entry.pool)
    }
}

fn entry(operands: &str) -> Result<Entry, String> {
    let operand = |name: &str| {
        let mut all = operands.split(',').filter_map(|operand| operand.split_once('='));
        all.find(|(keyword, _)| *keyword == name).map(|(_, value)| value)
    };
    if operand("CALL").is_some() {
        return Err("CALL: pools are not chosen by programs".to_string());
    }
    let Some(selector) = operand("POOLSEL") else { return Err("POOLSEL is expected".to_string()) };
    let pool = match operand("POOL") {
        Some("YES") => Pool::Selector,
        Some("NO") => Pool::None,
        Some("") | None => Pool::Default,
        Some(name) if name.len() <= Name8::BLANK.as_bytes().len() => Pool::Named(Name8::new(name)),
        Some(name) => return Err(format!("{name} is no name of a pool")),
    };
    let (selector, is_generic) = match selector.strip_suffix('*') {
        Some(prefix) => (prefix, true),
        None => (selector, false),
    };
    Ok(Entry { selector: selector.to_string(), is_generic, pool })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(options: &Options, selector: &str) -> Pool {
        options.pool(Name8::new(selector))
    }

    #[test]
    fn without_a_table_selectors_of_dfhnc_are_pools() {
        let supplied = Options::default();
        assert_eq!(pool(&supplied, "DFHNC001"), Pool::Selector);
        assert_eq!((pool(&supplied, "PAYROLL"), pool(&supplied, "")), (Pool::Default, Pool::Default));
    }

    #[test]
    fn the_first_entry_that_fits_decides() {
        let table = "* Pools\nPAY      DFHNCO POOLSEL=PAY*,POOL=DFHNCPAY  payroll\n         DFHNCO POOLSEL=TEST,POOL=NO\n         DFHNCO POOLSEL=*,POOL=YES\n         END   DFHNCOPT\n";
        let options = Options::parse(table).unwrap();
        assert_eq!(pool(&options, "PAYROLL"), Pool::Named(Name8::new("DFHNCPAY")));
        assert_eq!((pool(&options, "TEST"), pool(&options, "TEST2")), (Pool::None, Pool::Selector));
        assert_eq!(pool(&Options::parse("").unwrap(), "ANY"), Pool::None);
    }

    #[test]
    fn faults_are_told_with_their_lines() {
        for (table, fault) in [
            (" DFHNCO POOL=YES", "line 1: POOLSEL"),
            ("\n DFHNCO POOLSEL=A,CALL=PROG", "line 2: CALL"),
            (" DFHNCO POOLSEL=A,POOL=LONGERTHAN8", "no name of a pool"),
            (" DFHNCO", "operands"),
        ] {
            assert!(Options::parse(table).is_err_and(|told| told.contains(fault)), "{table}");
        }
    }
}
