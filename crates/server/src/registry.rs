//! The only list of the domains of a region, in order.
//!
//! The order is that of installation, of the calls around the end of a unit of work, and of the start and the end of the region
//! ([`region::domain`]). So terminals end before files are closed, and the queues of the region's messages end last.

use region::Domain;

pub static DOMAINS: [&Domain; 40] = [
    &region::exec_interface::DOMAIN,
    &region::recovery_manager::DOMAIN,
    // The user of a task is known before another domain looks at the task.
    &security_manager::DOMAIN,
    // Task-related user exits are called at the end of a task, before its programs are given back.
    &region::user_exits::DOMAIN,
    &region::program_manager::DOMAIN,
    &region::transaction_manager::DOMAIN,
    &region::operator::DOMAIN,
    &region::built_in_functions::DOMAIN,
    &region::diagnostics::DOMAIN,
    &region::dump_control::DOMAIN,
    &region::event_wait::DOMAIN,
    &region::storage_control::DOMAIN,
    &region::time_of_day::DOMAIN,
    &region::feature_toggles::DOMAIN,
    &region::channels::DOMAIN,
    &region::inquiry::DOMAIN,
    &region::creation::DOMAIN,
    &region::resource_definition::DOMAIN,
    &region::system_programming::DOMAIN,
    &terminals::terminal_control::DOMAIN,
    &region::monitoring::DOMAIN,
    &region::statistics::DOMAIN,
    &files::file_control::DOMAIN,
    &queues::temporary_storage::DOMAIN,
    &files::journaling::DOMAIN,
    &queues::transient_data::DOMAIN,
    &queues::named_counters::DOMAIN,
    &queues::spool::DOMAIN,
    &documents::DOMAIN,
    &region::interval_control::DOMAIN,
    &region::asynchronous_services::DOMAIN,
    &terminals::basic_mapping::DOMAIN,
    &region::enqueue::DOMAIN,
    &region::program_list::DOMAIN,
    &region::shutdown::DOMAIN,
    &attachment::DOMAIN,
    &debugger::DOMAIN,
    &supplied::DOMAIN,
    &region::trace::DOMAIN,
    &policies::DOMAIN,
];

#[cfg(test)]
mod tests {
    use super::DOMAINS;
    use region::Registry;

    #[test]
    fn every_command_declared_implemented_has_one_handler() {
        let registry = Registry::new(&DOMAINS);
        let has_handler = |spec: &exec::CommandSpec| registry.command(spec.id).is_some_and(|entry| entry.handler.is_some());
        let wrong: Vec<&str> = exec::commands().iter().filter(|spec| spec.implemented != has_handler(spec)).map(|spec| spec.name).collect();
        assert!(wrong.is_empty(), "implemented.tsv and the handlers differ about {wrong:?}");
    }
}
