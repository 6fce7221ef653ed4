//! XSNON and XSNOFF: the exit points after a user of a terminal has signed on or off, or has failed to.

use exec::{ExitPoint, exit_constant};
use region::facility::Terminal;
use region::name::Name8;
use region::{ExitArgument, Outcome, Task};

/// Names of the bits of UEPSNFLG.
pub const SUCCESSFUL: &[&str] = &["UEPSNOK"];
pub const FAILED: &[&str] = &["UEPSNFL"];
/// A sign-off that the user has asked for.
pub const NORMAL: &[&str] = &["UEPSNOK", "UEPSNNML"];

/// A sign-off by a time limit.
pub const TIMED_OUT: &[&str] = &["UEPSNOK", "UEPSNTIM"];

/// Who signs on or off, and what has become of it.
pub struct Signing {
    pub user: Name8,
    pub group: Name8,
    pub flags: &'static [&'static str],
}

pub fn call(task: &mut Task, point: ExitPoint, terminal: &dyn Terminal, signing: &Signing) -> Outcome {
    if !task.has_exit(point) {
        return Ok(());
    }
    let page = &task.region.code_page;
    let flags = signing.flags.iter().fold(0, |flags, flag| flags | exit_constant(flag) as u16);
    let area = terminal.user_area();
    let length = |name: &Name8| ExitArgument::bytes(&[name.as_str().len() as u8]);
    let mut arguments = task.exit_arguments(point, |name| {
        Some(match name {
            "UEPUSRID" => ExitArgument::bytes(&page.encode_name(&signing.user)),
            "UEPUSRLN" => length(&signing.user),
            "UEPGRPID" => ExitArgument::bytes(&page.encode_name(&signing.group)),
            "UEPGRPLN" => length(&signing.group),
            "UEPNETN" => ExitArgument::bytes(&page.encode_name(&terminal.netname())),
            "UEPTRMID" => ExitArgument::bytes(&page.encode_name(&terminal.name())),
            "UEPTCTUA" if area.length == 0 => ExitArgument::Absent,
            "UEPTCTUA" => ExitArgument::Address(area.address),
            "UEPTCTUL" => ExitArgument::bytes(&[area.length as u8]),
            "UEPTRMTY" => ExitArgument::bytes(&terminal.attributes().term_code[..1]),
            "UEPSNFLG" => ExitArgument::bytes(&flags.to_be_bytes()),
            "UEPSGTYP" => ExitArgument::bytes(&[exit_constant("UEPSGUID") as u8]),
            _ => return None,
        })
    });
    task.call_exit(point, &mut arguments).map(|_| ())
}
