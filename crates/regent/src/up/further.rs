//! The further databases of an application: opened at its start with their scripts, and while the region runs if they did not answer then.

use std::sync::Arc;

use super::kept::{Kept, Opening};
use super::problems::Problems;
use crate::console::Console;
use crate::database::Database;

/// All of them.
#[derive(Clone, Default)]
pub struct Further(Vec<Kept>);

impl Further {
    /// Opens them, and runs their scripts. One that is not there is a problem of the start, and is awaited by the region.
    pub fn open(openings: Vec<Opening>, console: &Console, problems: &mut Problems) -> Further {
        let open = |opening: Opening| match open(&opening, console, problems) {
            Ok(database) => Kept::new(opening, Ok(database)),
            Err(error) => {
                let name = &opening.settings.name;
                problems.add(format!("location {name} is not there: {error}; the region looks for it again while it runs"));
                Kept::awaited(opening)
            }
        };
        Further(openings.into_iter().map(open).collect())
    }

    /// For the attachment facility.
    pub fn attachment(&self) -> Vec<attachment::Location> {
        let location = |kept: &Kept| {
            let (own, name) = (kept.clone(), kept.opening().settings.name.clone());
            attachment::Location { name, ready: kept.ready().map(Arc::new), find: Arc::new(move || own.find(0)) }
        };
        self.0.iter().map(location).collect()
    }

    /// The region has ended: so does a private cluster that nobody else uses.
    pub fn close(&self) -> Result<(), String> {
        self.0.iter().for_each(Kept::give_up);
        let mut closed = Ok(());
        for kept in &self.0 {
            closed = closed.and(kept.close());
        }
        closed
    }
}

fn open(opening: &Opening, console: &Console, problems: &mut Problems) -> Result<Database, String> {
    let database = Database::open(&opening.settings, &opening.directory, &opening.work)?;
    let (name, schema) = (&opening.settings.name, &opening.schema);
    console.line(&format!("location  {name}: {}, schema {schema}", database.description()));
    database.warnings().iter().for_each(|warning| console.line(&format!("warning   {warning}")));
    super::tables::run(&database, schema, &opening.scripts, console, problems)?;
    Ok(database)
}
