//! Job steps of DSNTIAUL: the rows of tables and queries as records of SYSREC00, SYSREC01 ..., and the LOAD statements for them in SYSPUNCH.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use program::batch::DataDefinition;
use vsam::disk::private;

use super::program_steps::ProgramStep;
use super::setup::CARD_LENGTH;
use crate::database::{Database, Executor};

/// Most statements of a run, as of DSNTIAUL.
const STATEMENTS_MAX: usize = 100;

/// The queries of SYSIN, each with the table for its LOAD statement. With parameter SQL they are statements, otherwise tables, which clauses
/// may follow.
fn queries(control: &str, parm: &str) -> Vec<(String, String)> {
    let statements: Vec<String> = sql::script(control, ';').into_iter().map(|statement| statement.text).collect();
    if parm.to_uppercase().split(',').any(|word| word.trim() == "SQL") {
        return statements.into_iter().map(|text| (text, "TBLNAME".to_string())).collect();
    }
    let lines = statements.iter().flat_map(|text| text.lines()).map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| (format!("SELECT * FROM {line}"), line.split_whitespace().next().unwrap_or_default().to_uppercase())).collect()
}

/// Where records go.
fn output(name: &str, definition: Option<&DataDefinition>) -> Result<Option<BufWriter<File>>, String> {
    match definition {
        Some(DataDefinition::File { path, .. }) => create(path).map(Some),
        Some(DataDefinition::Dummy) => Ok(None),
        Some(_) => Err(format!("{name}: DSNTIAUL writes sequential data sets without generations only")),
        None => Err(format!("there is no DD statement {name} with a data set")),
    }
}

fn create(path: &PathBuf) -> Result<BufWriter<File>, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    if let Some(directory) = path.parent() {
        private::create_directory(directory).map_err(failed)?;
    }
    Ok(BufWriter::new(File::create(path).map_err(failed)?))
}

fn write(file: &mut Option<BufWriter<File>>, bytes: &[u8]) -> Result<(), String> {
    file.as_mut().map_or(Ok(()), |file| file.write_all(bytes).map_err(|error| error.to_string()))
}

/// Unloads; `find` gives the data set of a DD. Returns what SYSPRINT says.
pub fn run(
    step: &ProgramStep,
    (database, schema, ccsid): (&Database, &str, u16),
    find: &dyn Fn(&str) -> Option<DataDefinition>,
) -> Result<String, String> {
    let queries = queries(&step.control, &step.parm);
    if queries.is_empty() {
        return Err("SYSIN names no table".to_string());
    }
    if queries.len() > STATEMENTS_MAX {
        return Err(format!("SYSIN has {} statements, and at most {STATEMENTS_MAX} are unloaded", queries.len()));
    }
    let page = codepage::by_ccsid(ccsid).ok_or_else(|| format!("CCSID {ccsid} is not known"))?;
    let mut executor = Executor::new(database, schema)?;
    let mut punch = match find("SYSPUNCH") {
        Some(DataDefinition::File { path, .. }) => Some(create(&path)?),
        _ => None,
    };
    let (mut listing, mut number) = (String::new(), 0);
    for (query, table) in &queries {
        if super::database::first_word(query) == "SET" {
            executor.statement(query, None, &mut Default::default()).map_err(|failure| failure.to_string())?;
            continue;
        }
        let name = format!("SYSREC{number:02}");
        let mut file = output(&name, find(&name).as_ref())?;
        let unloaded = executor.unload(query, (table, number), ccsid, &mut |record| write(&mut file, record))?;
        if let Some(file) = &mut file {
            file.flush().map_err(|error| format!("{name}: {error}"))?;
        }
        for line in unloaded.statement.lines() {
            let mut card = page.encode(line);
            card.resize(card.len().max(CARD_LENGTH), page.space);
            write(&mut punch, &card)?;
        }
        listing += &format!("{name}: {} rows of {table}, {} bytes each\n{}", unloaded.rows, unloaded.record_bytes, unloaded.statement);
        number += 1;
    }
    punch.map_or(Ok(()), |mut punch| punch.flush()).map_err(|error| format!("SYSPUNCH: {error}"))?;
    Ok(listing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_and_statements_are_unloaded() {
        let some = |query: &str, table: &str| (query.to_string(), table.to_string());
        let tables = queries("GEO.TOWN\n geo.river ORDER BY NAME\n", "");
        assert_eq!(tables, [some("SELECT * FROM GEO.TOWN", "GEO.TOWN"), some("SELECT * FROM geo.river ORDER BY NAME", "GEO.RIVER")]);
        assert_eq!(queries(" SELECT A\n FROM B;\n", "SQL"), [some("SELECT A\n FROM B", "TBLNAME")]);
    }
}
