//! The counters and clocks of a task for its performance class record.
//!
//! `FIELDS` and `CLOCKS` map each of them to its CMF field, so that records, exits and statistics use the same names. The clocks here are those
//! that a domain measures; those of the dispatcher and of its waits are added to the record when the task ends (`monitoring::fields`).

use kernel::Clock;

macro_rules! counters {
    (
        counters { $( $(#[$doc:meta])* $field:ident = $group:literal $id:literal $nickname:literal, )* }
        clocks { $( $(#[$clock_doc:meta])* $clock:ident = $clock_group:literal $clock_id:literal $clock_nickname:literal, )* }
    ) => {
        /// The counters and clocks of a task, field by field.
        #[derive(Clone, Copy, Default, Debug)]
        pub struct Performance {
            $( $(#[$doc])* pub $field: u64, )*
            /// SYNCPOINT ROLLBACK; no field of the record has them alone.
            pub rollbacks: u64,
            $( $(#[$clock_doc])* pub $clock: Clock, )*
        }

        /// CMF group, field number and nickname of each counter, in the order of [`Performance::values`].
        pub const FIELDS: &[(&str, u16, &str)] = &[ $( ($group, $id, $nickname) ),* ];

        /// The same of each clock, in the order of [`Performance::clocks`].
        pub const CLOCKS: &[(&str, u16, &str)] = &[ $( ($clock_group, $clock_id, $clock_nickname) ),* ];

        impl Performance {
            pub fn values(&self) -> Vec<u64> {
                vec![ $( self.$field ),* ]
            }

            pub fn clocks(&self) -> Vec<Clock> {
                vec![ $( self.$clock ),* ]
            }
        }
    };
}

counters! {
    counters {
        /// EXEC CICS commands.
        commands = "DFHCICS" 402 "EICTOTCT",
        /// ASKTIME
        asktimes = "DFHCICS" 405 "TIASKTCT",
        asktime_total = "DFHCICS" 406 "TITOTCT",
        bif_digest = "DFHCICS" 408 "BFDGSTCT",
        bif_total = "DFHCICS" 409 "BFTOTCT",
        /// DOCUMENT commands, and the length of the documents created.
        document_deletions = "DFHDOCH" 223 "DHDELCT",
        document_creations = "DFHDOCH" 226 "DHCRECT",
        document_insertions = "DFHDOCH" 227 "DHINSCT",
        document_sets = "DFHDOCH" 228 "DHSETCT",
        document_retrievals = "DFHDOCH" 229 "DHRETCT",
        document_total = "DFHDOCH" 230 "DHTOTCT",
        document_bytes = "DFHDOCH" 240 "DHTOTDCL",
        /// GET COUNTER and GET DCOUNTER
        named_counter_gets = "DFHCICS" 464 "NCGETCT",
        file_gets = "DFHFILE" 36 "FCGETCT",
        file_puts = "DFHFILE" 37 "FCPUTCT",
        file_browses = "DFHFILE" 38 "FCBRWCT",
        file_adds = "DFHFILE" 39 "FCADDCT",
        file_deletes = "DFHFILE" 40 "FCDELCT",
        file_total = "DFHFILE" 93 "FCTOTCT",
        file_access_method = "DFHFILE" 70 "FCAMCT",
        td_gets = "DFHDEST" 41 "TDGETCT",
        td_puts = "DFHDEST" 42 "TDPUTCT",
        td_purges = "DFHDEST" 43 "TDPURCT",
        td_total = "DFHDEST" 91 "TDTOTCT",
        ts_gets = "DFHTEMP" 44 "TSGETCT",
        ts_puts_auxiliary = "DFHTEMP" 46 "TSPUTACT",
        ts_puts_main = "DFHTEMP" 47 "TSPUTMCT",
        ts_total = "DFHTEMP" 92 "TSTOTCT",
        ts_gets_shared = "DFHTEMP" 460 "TSGETSCT",
        ts_puts_shared = "DFHTEMP" 461 "TSPUTSCT",
        map_requests = "DFHMAPP" 50 "BMSMAPCT",
        map_inputs = "DFHMAPP" 51 "BMSINCT",
        map_outputs = "DFHMAPP" 52 "BMSOUTCT",
        map_total = "DFHMAPP" 90 "BMSTOTCT",
        terminal_messages_in = "DFHTERM" 34 "TCMSGIN1",
        terminal_messages_out = "DFHTERM" 35 "TCMSGOU1",
        terminal_characters_in = "DFHTERM" 83 "TCCHRIN1",
        terminal_characters_out = "DFHTERM" 84 "TCCHROU1",
        /// GETMAIN of task storage, by DSA; the fields of the EUDSA have the nicknames of the UDSA's.
        getmains_udsa = "DFHSTOR" 54 "SCUGETCT",
        getmains_eudsa = "DFHSTOR" 105 "SCUGETCT",
        getmains_gudsa = "DFHSTOR" 443 "SC64UGCT",
        getmains_cdsa = "DFHSTOR" 117 "SC24CGCT",
        getmains_ecdsa = "DFHSTOR" 120 "SC31CGCT",
        getmains_gcdsa = "DFHSTOR" 441 "SC64CGCT",
        /// GETMAIN of shared storage, with the bytes got and given back; above the bar those are pages of 4 KB.
        getmains_shared_24 = "DFHSTOR" 144 "SC24SGCT",
        shared_bytes_got_24 = "DFHSTOR" 145 "SC24GSHR",
        shared_bytes_freed_24 = "DFHSTOR" 146 "SC24FSHR",
        getmains_shared_31 = "DFHSTOR" 147 "SC31SGCT",
        shared_bytes_got_31 = "DFHSTOR" 148 "SC31GSHR",
        shared_bytes_freed_31 = "DFHSTOR" 149 "SC31FSHR",
        getmains_shared_64 = "DFHSTOR" 445 "SC64SGCT",
        shared_pages_got_64 = "DFHSTOR" 446 "SC64GSHR",
        shared_pages_freed_64 = "DFHSTOR" 447 "SC64FSHR",
        /// The most task storage at one time, by DSA; above the bar in whole pages of 4 KB.
        storage_peak_udsa = "DFHSTOR" 33 "SCUSRHWM",
        storage_peak_eudsa = "DFHSTOR" 106 "SCUSRHWM",
        storage_peak_cdsa = "DFHSTOR" 116 "SC24CHWM",
        storage_peak_ecdsa = "DFHSTOR" 119 "SC31CHWM",
        storage_peak_gcdsa = "DFHSTOR" 442 "SC64CHWM",
        storage_peak_gudsa = "DFHSTOR" 444 "SC64UHWM",
        program_links = "DFHPROG" 55 "PCLINKCT",
        program_xctls = "DFHPROG" 56 "PCXCTLCT",
        program_loads = "DFHPROG" 57 "PCLOADCT",
        program_links_dpl = "DFHPROG" 73 "PCDPLCT",
        program_channel_links = "DFHPROG" 306 "PCLNKCCT",
        starts = "DFHTASK" 59 "ICPUINCT",
        asynchronous_total = "DFHTASK" 476 "ASTOTCT",
        asynchronous_runs = "DFHTASK" 477 "ASRUNCT",
        asynchronous_fetches = "DFHTASK" 478 "ASFTCHCT",
        asynchronous_frees = "DFHTASK" 479 "ASFREECT",
        interval_total = "DFHTASK" 66 "ICTOTCT",
        syncpoints = "DFHSYNC" 60 "SPSYNCCT",
        container_total = "DFHCHNL" 321 "PGTOTCCT",
        container_browses = "DFHCHNL" 322 "PGBRWCCT",
        container_gets = "DFHCHNL" 323 "PGGETCCT",
        container_puts = "DFHCHNL" 324 "PGPUTCCT",
        container_moves = "DFHCHNL" 325 "PGMOVCCT",
        container_bytes_got = "DFHCHNL" 326 "PGGETCDL",
        container_bytes_put = "DFHCHNL" 327 "PGPUTCDL",
        container_creations = "DFHCHNL" 328 "PGCRECCT",
        /// The most bytes in containers of the task's channels at one time.
        container_storage_peak = "DFHCHNL" 329 "PGCSTHWM",
        /// Thresholds of policy task rules that the task exceeded; system rules that were looked at for it, and those that acted.
        policy_thresholds = "DFHCICS" 449 "MPPRTXCD",
        policy_system_rules_evaluated = "DFHCICS" 466 "MPSRECT",
        policy_system_rules_acted = "DFHCICS" 467 "MPSRACT",
        /// Requests to Db2: EXEC SQL statements.
        db2_requests = "DFHDATA" 180 "DB2REQCT",
    }
    clocks {
        /// Waits for the files of extrapartition queues.
        td_extrapartition_lock_wait = "DFHDEST" 404 "TDELWTT",
        /// Requests to shared pools.
        ts_shared_wait = "DFHTEMP" 178 "TSSHWAIT",
        /// FETCH CHILD and FETCH ANY, and delays of RUN TRANSID.
        asynchronous_fetch_wait = "DFHTASK" 480 "ASFTCHWT",
        asynchronous_run_delay = "DFHTASK" 481 "ASRNATWT",
        /// Waits for a Db2 thread, for a connection (TCBLIMIT), and for Db2 off an open TCB, which never happens here.
        db2_ready_queue_wait = "DFHDATA" 187 "DB2RDYQW",
        db2_connection_wait = "DFHDATA" 188 "DB2CONWT",
        db2_wait = "DFHDATA" 189 "DB2WAIT",
        /// Dispatched in syncpoints.
        syncpoint_time = "DFHSYNC" 173 "SYNCTIME",
        /// Time in resource managers, with the wait for them, and suspended in them; in all, in task-related user exits of the shop, and in
        /// Db2.
        resource_manager_time = "DFHTASK" 170 "RMITIME",
        resource_manager_suspend = "DFHTASK" 171 "RMISUSP",
        rmi_total = "DFHRMI" 1 "RMITOTAL",
        rmi_other = "DFHRMI" 2 "RMIOTHER",
        rmi_db2 = "DFHRMI" 3 "RMIDB2",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_counter_has_a_field() {
        let none = Performance::default();
        assert_eq!((none.values().len(), none.clocks().len()), (FIELDS.len(), CLOCKS.len()));
        let mut fields: Vec<_> = FIELDS.iter().chain(CLOCKS).map(|(group, number, _)| (group, number)).collect();
        let count = fields.len();
        fields.sort_unstable();
        fields.dedup();
        assert_eq!(fields.len(), count);
    }
}
