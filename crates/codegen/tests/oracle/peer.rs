//! The other compiler: compiles a program and runs it.

use std::path::Path;
use std::process::Command;

pub fn is_installed() -> bool {
    Command::new("cobc").arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Standard output of the program.
pub fn run(directory: &Path, name: &str, source: &str) -> Result<String, String> {
    let file = directory.join(format!("{name}.cob"));
    std::fs::write(&file, source).map_err(|error| error.to_string())?;
    // TRUNC(STD) is IBM's default, -std=ibm has TRUNC(BIN); its OS/VS arithmetic cuts intermediate results to the places of
    // the receiver; binary items have 2, 4 or 8 bytes. Without optimization it compiles in a fifth of the time.
    let compiled = Command::new("cobc")
        .args(["-x", "-O0", "-std=ibm", "-fbinary-truncate", "-fbinary-size=2-4-8", "-fno-arithmetic-osvs", "-w", "-o", name])
        .arg(&file)
        // Neither debugging information nor checks of the C compiler.
        .env("COB_CFLAGS", "-pipe -fsigned-char -Wno-unused -Wno-pointer-sign")
        .current_dir(directory)
        .output()
        .map_err(|error| error.to_string())?;
    if !compiled.status.success() {
        return Err(format!("cobc: {}", String::from_utf8_lossy(&compiled.stderr)));
    }
    let ran = Command::new(directory.join(name)).current_dir(directory).output().map_err(|error| error.to_string())?;
    let output = String::from_utf8_lossy(&ran.stdout).into_owned();
    if ran.status.success() { Ok(output) } else { Err(format!("{}\n{output}", ran.status)) }
}
