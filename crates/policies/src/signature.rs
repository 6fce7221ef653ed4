//! The resource signature of what this domain installs: a part has the times and agents of its bundle.

use exec::{cvda, option};
use region::clock::local_from_system;
use region::inquiry::give_signature;
use region::{Arguments, Outcome, Region};
use std::time::SystemTime;

/// Gives the signature of a resource that was installed by `agent` at this time.
pub fn give(
    region: &Region,
    arguments: &mut Arguments,
    resource: &'static str,
    name: &str,
    agent: i64,
    installed_at: SystemTime,
) -> Outcome {
    give_signature(region, arguments, resource, name, agent)?;
    if agent == cvda::CREATESPI {
        arguments.set_integer(option::CHANGEAGENT, cvda::CREATESPI);
    }
    arguments.set_integer(option::INSTALLTIME, local_from_system(installed_at).0);
    Ok(())
}
