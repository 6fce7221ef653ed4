//! The resource signature of INQUIRE commands: who defined, changed and installed a resource, when and from where.
//!
//! Definitions come from DFHCSDUP input that the region reads at start, so the region's default user defined, changed and installed them at
//! that time, unless a user has installed or created them since. A resource the region created by itself (autoinstall) has no definition source.

use crate::clock::local_from_system;
use crate::control_blocks::region::RELEASE;
use crate::name::Name8;
use crate::{Arguments, Outcome, Region};
use csd::installed::Agent;
use exec::{cvda, option};

/// Returns the signature of an installed resource. `agent`: how it was installed, unless a user has installed it at run time.
pub fn give(region: &Region, arguments: &mut Arguments, resource: &'static str, name: &str, agent: i64) -> Outcome {
    let (source, installer) = {
        let installed = region.installed.read();
        let installer = installed.installer(resource, name).cloned();
        let program = installer.as_ref().and_then(|installer| installer.program.clone());
        let group = || installed.get(resource, name).map(|definition| definition.group.clone());
        (program.or_else(group).unwrap_or_default(), installer)
    };
    let started = local_from_system(region.started_at()).0;
    let installed_at = installer.as_ref().map_or(started, |installer| local_from_system(installer.at).0);
    let agent = installer.as_ref().map_or(agent, |installer| match installer.agent {
        Agent::CsdApi => cvda::CSDAPI,
        Agent::CreateSpi => cvda::CREATESPI,
    });
    let user = installer.as_ref().map_or(region.default_user, |installer| Name8::new(&installer.user));
    // A program that creates a resource also defines it.
    let is_created = agent == cvda::CREATESPI && installer.is_some();
    let (changed_at, changed_by) = if is_created { (installed_at, user) } else { (started, region.default_user) };
    let change_agent = match agent {
        cvda::AUTOINSTALL => cvda::AUTOINSTALL,
        _ if is_created => cvda::CREATESPI,
        _ => cvda::CSDBATCH,
    };
    // Times and release are data areas: packed decimal milliseconds, and text.
    arguments.set_integers([
        (option::CHANGETIME, changed_at),
        (option::DEFINETIME, changed_at),
        (option::INSTALLTIME, installed_at),
        (option::CHANGEAGENT, change_agent),
        (option::INSTALLAGENT, agent),
    ]);
    arguments.set_text(option::CHANGEAGREL, RELEASE)?;
    arguments.set_text(option::DEFINESOURCE, &source)?;
    arguments.set_name(option::CHANGEUSRID, &changed_by)?;
    arguments.set_name(option::INSTALLUSRID, &user)
}
