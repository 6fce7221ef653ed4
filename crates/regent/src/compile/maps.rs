//! BMS sources to mapset load modules and to the symbolic maps that COBOL programs COPY.

use std::path::Path;

use super::library::Library;

/// What an assembly gave: names written, text of the symbolic maps by mapset, messages as they are shown.
#[derive(Default)]
pub struct MapsResult {
    pub mapsets: Vec<String>,
    pub copybooks: Vec<(String, String)>,
    pub messages: Vec<String>,
    pub return_code: u8,
}

/// Assembles one source and writes its mapsets to the library.
pub fn assemble(path: &Path, ccsid: u16, library: &Library) -> Result<MapsResult, String> {
    let source = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let page = bms::CodePage::by_ccsid(u32::from(ccsid)).unwrap_or(bms::CodePage::cp037());
    let assembly = bms::assemble(&path.display().to_string(), &source, page);
    let mut result = MapsResult {
        messages: assembly.diagnostics.iter().map(ToString::to_string).collect(),
        return_code: assembly.return_code(),
        ..MapsResult::default()
    };
    if assembly.has_errors() {
        return Ok(result);
    }
    for set in &assembly.mapsets {
        let name = set.name.to_uppercase();
        result.copybooks.push((name.clone(), bms::symbolic::cobol_copybook(set)));
        library.write(&name, &bms::object::encode(set))?;
        result.mapsets.push(name);
    }
    Ok(result)
}
