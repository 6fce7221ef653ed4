//! The constants of task-related user exits, from `exec/tables/exit_constants.tsv`.

use exec::exit_constant;

macro_rules! constants {
    ($(#[$doc:meta])* $module:ident : $type:ty { $($function:ident = $name:literal),* $(,)? }) => {
        $(#[$doc])*
        pub mod $module {
            $(
                pub fn $function() -> $type {
                    static VALUE: std::sync::OnceLock<$type> = std::sync::OnceLock::new();
                    *VALUE.get_or_init(|| super::exit_constant($name) as $type)
                }
            )*
        }
    };
}

constants! {
    /// UERTFID: who calls.
    function: u8 {
        programming_interface = "UERTSPI",
        application = "UERTAPPL",
        syncpoint = "UERTSYNC",
        task_manager = "UERTTASK",
        termination = "UERTCTER",
        edf = "UERTFEDF",
    }
}

constants! {
    /// Bits of the schedule flag word.
    flag: u32 {
        edf = "UEFMFEDF",
        termination = "UEFMCTER",
        task_manager = "UEFMTASK",
        syncpoint = "UEFMSYNC",
        application = "UEFMAPPL",
        programming_interface = "UEFMSPI",
    }
}

constants! {
    /// Bits of operation byte 1, and of operation byte 2.
    operation: u8 {
        prepare = "UERTPREP",
        commit = "UERTCOMM",
        back_out = "UERTBACK",
        lost = "UERTDGCS",
        not_in_doubt = "UERTDGNK",
        wait = "UERTWAIT",
        resynchronize = "UERTRSYN",
        last = "UERTLAST",
        only = "UERTONLY",
        read_only = "UERTELUW",
    }
}

constants! {
    /// Return codes of calls of the syncpoint manager.
    answer: i32 {
        prepared = "UERFPREP",
        done = "UERFDONE",
        committed = "UERFOK",
        backed_out = "UERFBOUT",
    }
}

constants! {
    /// Bits of UEPSYNCA, and the bytes of the task manager, the termination manager and INQUIRE EXITPROGRAM.
    byte: u8 {
        single_update = "UEPSUPDR",
        read_only = "UEPREADO",
        start_of_task = "UERTSOTR",
        end_of_task = "UERTEOTR",
        orderly = "UERTCORD",
        immediate = "UERTCIMM",
        connected = "UERTCONN",
        about_to_execute = "UEPEDFRQ",
        executed = "UEPEDFRS",
        default_display = "UEPEDFDF",
        no_display = "UEPEDFND",
    }
}
