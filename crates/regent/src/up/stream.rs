//! Sources that stand in the streams of jobs: the input of the assembler or of a compiler in `DD *`. Each is copied to a file of the work
//! directory and compiled like any other source. In the copy a line has the number that it has in the job, so messages name its line.

use std::path::Path;

use vsam::disk::private;

use super::discover::{Found, has_program, is_map};
use super::jcl;
use super::jobs::read_text;
use crate::work_directory::WorkDirectory;

/// Adds the sources in the streams of the application's jobs to what was found.
pub fn add_sources(found: &mut Found, directory: &Path, work: &WorkDirectory) -> Result<(), String> {
    let stream = work.stream();
    let failed = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    // A source that is no longer in a job is no longer compiled.
    match std::fs::remove_dir_all(&stream) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(failed(&stream, error)),
        _ => {}
    }
    for job in &found.jobs {
        let name = job.strip_prefix(directory).unwrap_or(job).to_string_lossy().replace(['/', '\\'], ".");
        for (line, records) in jcl::in_stream(&read_text(job)) {
            let text = records.join("\n");
            let upper = text.to_uppercase();
            // The statements of IEBUPDTE: several members in one stream.
            let is_update = text.starts_with("./");
            let (sources, extension) = match () {
                () if is_update => continue,
                () if is_map(&upper) => (&mut found.maps, "bms"),
                () if has_program(&upper) => (&mut found.programs, "cbl"),
                () => continue,
            };
            private::create_directory(&stream).map_err(|error| failed(&stream, error))?;
            let path = stream.join(format!("{name}.{line}.{extension}"));
            private::write(&path, format!("{}{text}\n", "\n".repeat(line - 1)).as_bytes()).map_err(|error| failed(&path, error))?;
            sources.push(path);
        }
    }
    Ok(())
}
