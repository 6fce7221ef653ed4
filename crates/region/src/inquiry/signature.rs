//! The resource signature of INQUIRE commands: who defined, changed and installed a resource, when and from where.
//!
//! Definitions come from DFHCSDUP input that the region reads at start, so the region's default user defined, changed and installed them at
//! that time. A resource the region created by itself (autoinstall) has no definition source.

use super::either;
use crate::clock::local_from_system;
use crate::control_blocks::region::RELEASE;
use crate::{Arguments, Outcome, Region};
use exec::{cvda, option};

/// Returns the signature of an installed resource. `agent`: how it was installed.
pub fn give(region: &Region, arguments: &mut Arguments, resource: &'static str, name: &str, agent: i64) -> Outcome {
    let source = region.installed.read().get(resource, name).map(|definition| definition.group.clone()).unwrap_or_default();
    let time = local_from_system(region.started_at()).0;
    // Times and release are data areas: packed decimal milliseconds, and text.
    for option in [option::CHANGETIME, option::DEFINETIME, option::INSTALLTIME] {
        arguments.set_integer(option, time);
    }
    arguments.set_integer(option::CHANGEAGENT, either(agent == cvda::AUTOINSTALL, cvda::AUTOINSTALL, cvda::CSDBATCH));
    arguments.set_integer(option::INSTALLAGENT, agent);
    arguments.set_text(option::CHANGEAGREL, RELEASE)?;
    arguments.set_text(option::DEFINESOURCE, &source)?;
    arguments.set_name(option::CHANGEUSRID, &region.default_user)?;
    arguments.set_name(option::INSTALLUSRID, &region.default_user)
}
