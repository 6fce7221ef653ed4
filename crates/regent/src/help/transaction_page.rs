//! The page of a supplied transaction, and that of an exit point: what each is, and where it is described.

use csd::file::Csd;

use super::page::Page;

/// The page of a supplied transaction, by its identifier.
pub fn of_transaction(word: &str) -> Option<Page> {
    let csd = Csd::initialized();
    let groups = csd.list("DFHLIST")?;
    let mut all = groups.iter().flat_map(|group| csd.group(group));
    let transaction = all.find(|definition| definition.resource.name == "TRANSACTION" && definition.name == word)?;
    let mut page = Page::new(word);
    page.text(format!("{}. A supplied transaction: type {word} on a cleared screen.", transaction.get("DESCRIPTION")));
    page.text(
        "`docs/operators.md` describes the supplied transactions, names the guides of those that have one, and says which of CICS are not \
         there and what to use instead.",
    );
    Some(page)
}

/// The page of a global user exit point, by its name.
pub fn of_exit_point(word: &str) -> Option<Page> {
    let point = exec::exit_point_by_name(word)?;
    let mut page = Page::new(word);
    page.text(format!("A global user exit point: it is called {}.", point.when));
    if let Some(why) = point.absent {
        page.text(format!("It is not called here, and ENABLE PROGRAM refuses it: {why}."));
        return Some(page);
    }
    let parameter = |parameter: &&'static exec::ExitParameter| vec![parameter.name.to_string(), parameter.meaning.to_string()];
    if !point.parameters.is_empty() {
        page.heading("Parameters besides the standard ones");
        page.table(&["Parameter", "The address of"], point.parameters.iter().map(parameter).collect());
    }
    let code = |code: &&'static exec::ExitReturnCode| vec![code.name.to_string(), code.value.to_string(), code.meaning.to_string()];
    page.heading("Return codes");
    page.table(&["Name", "Value", "Meaning"], point.return_codes.iter().map(code).collect());
    page.text("`docs/exits.md` shows exit programs in COBOL and in C.");
    Some(page)
}
