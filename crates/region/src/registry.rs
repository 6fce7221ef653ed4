//! The domains a region consists of, in order: the one list of them.
//!
//! The order is that of installation, of the calls around the end of a unit of work, and of the start and the end of the region
//! ([`crate::domain`]). So terminals end before files are closed, and the queues of the region's messages last.

use crate::domain::Domain;

pub static DOMAINS: [&Domain; 27] = [
    &crate::exec_interface::DOMAIN,
    &crate::recovery_manager::DOMAIN,
    &crate::program_manager::DOMAIN,
    &crate::transaction_manager::DOMAIN,
    &crate::operator::DOMAIN,
    &crate::built_in_functions::DOMAIN,
    &crate::diagnostics::DOMAIN,
    &crate::event_wait::DOMAIN,
    &crate::storage_control::DOMAIN,
    &crate::time_of_day::DOMAIN,
    &crate::channels::DOMAIN,
    &crate::inquiry::DOMAIN,
    &crate::system_programming::DOMAIN,
    &crate::terminal_control::DOMAIN,
    &crate::monitoring::DOMAIN,
    &crate::statistics::DOMAIN,
    &crate::file_control::DOMAIN,
    &crate::temporary_storage::DOMAIN,
    &crate::journaling::DOMAIN,
    &crate::transient_data::DOMAIN,
    &crate::named_counters::DOMAIN,
    &crate::interval_control::DOMAIN,
    &crate::basic_mapping::DOMAIN,
    &crate::enqueue::DOMAIN,
    &crate::program_list::DOMAIN,
    &crate::shutdown::DOMAIN,
    &crate::supplied_transactions::DOMAIN,
];

#[cfg(test)]
mod tests {
    use super::DOMAINS;
    use crate::domain::Registry;

    #[test]
    fn every_command_declared_implemented_has_one_handler() {
        let registry = Registry::new(&DOMAINS);
        let has_handler = |spec: &exec::CommandSpec| registry.command(spec.id).is_some_and(|entry| entry.handler.is_some());
        let wrong: Vec<&str> = exec::commands().iter().filter(|spec| spec.implemented != has_handler(spec)).map(|spec| spec.name).collect();
        assert!(wrong.is_empty(), "implemented.tsv and the handlers differ about {wrong:?}");
    }
}
