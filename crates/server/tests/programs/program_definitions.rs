//! PROGRAM definitions: their defaults, what INQUIRE shows of them, what SET changes, and what they do.

use super::definitions::install;
use super::support::*;
use csd::Definition;
use exec::{OptionId, command, condition, cvda, option};
use region::exec_interface::Call;
use region::{Raised, Task};

const INVREQ: u16 = condition::INVREQ.0;
const LINE: usize = 16 << 20;
const BAR: usize = 1 << 31;

fn inquire_program(task: &mut Task, name: &str, options: &[OptionId]) -> Result<Vec<i64>, Raised> {
    let reply = issue(task, command::INQUIRE_PROGRAM, |call| {
        call.bytes(option::PROGRAM, &e(&format!("{name:<8}")));
        options.iter().for_each(|option| {
            call.integer(*option, -7);
        });
    })?;
    assert_eq!(reply.code, NORMAL);
    Ok(options.iter().map(|option| reply.number(*option)).collect())
}

const OF_PROGRAM: [OptionId; 10] = [
    option::DATALOCATION,
    option::CONCURRENCY,
    option::APIST,
    option::EXECKEY,
    option::STATUS,
    option::CEDFSTATUS,
    option::EXECUTIONSET,
    option::RESIDENCY,
    option::DYNAMSTATUS,
    option::LANGUAGE,
];

#[test]
fn inquire_program_shows_defaults_and_attributes() {
    install("PROGRAM", "DFPGM1", &[]);
    let attributes = [
        ("DATALOCATION", "BELOW"),
        ("CONCURRENCY", "REQUIRED"),
        ("API", "OPENAPI"),
        ("EXECKEY", "CICS"),
        ("STATUS", "DISABLED"),
        ("CEDF", "NO"),
        ("EXECUTIONSET", "DPLSUBSET"),
        ("RESIDENT", "YES"),
        ("DYNAMIC", "YES"),
        ("LANGUAGE", "COBOL"),
    ];
    install("PROGRAM", "DFPGM2", &attributes);
    run(|task| {
        let defaults = [
            cvda::ANY,
            cvda::QUASIRENT,
            cvda::CICSAPI,
            cvda::USEREXECKEY,
            cvda::ENABLED,
            cvda::CEDF,
            cvda::FULLAPI,
            cvda::NONRESIDENT,
            cvda::NOTDYNAMIC,
            cvda::NOTDEFINED,
        ];
        let others = [
            cvda::BELOW,
            cvda::REQUIRED,
            cvda::OPENAPI,
            cvda::CICSEXECKEY,
            cvda::DISABLED,
            cvda::NOCEDF,
            cvda::DPLSUBSET,
            cvda::RESIDENT,
            cvda::DYNAMIC,
            cvda::COBOL,
        ];
        assert_eq!(inquire_program(task, "DFPGM1", &OF_PROGRAM)?, defaults);
        assert_eq!(inquire_program(task, "DFPGM2", &OF_PROGRAM)?, others);
        let unknown = issue(task, command::INQUIRE_PROGRAM, |call| {
            call.bytes(option::PROGRAM, &e("NOTTHERE")).integer(option::STATUS, 0);
        })?;
        assert_eq!(unknown.code, (condition::PGMIDERR.0, 1));
        Ok(())
    });
}

/// USECOUNT counts the uses since the program was installed, RESCOUNT those there are now.
#[test]
fn inquire_program_counts_uses() {
    define_transaction(the_region(), "DFU1", |task| {
        assert_eq!(inquire_program(task, "PGMDFU1", &[option::RESCOUNT])?, [1]);
        Ok(())
    });
    run(|task| {
        let counts = [option::USECOUNT, option::RESCOUNT];
        assert_eq!(inquire_program(task, "PGMDFU1", &counts)?, [0, 0]);
        for used in 1..=3 {
            let linked = issue(task, command::LINK, |call| {
                call.bytes(option::PROGRAM, &e("PGMDFU1 "));
            })?;
            assert_eq!(linked.code, NORMAL);
            assert_eq!(inquire_program(task, "PGMDFU1", &counts)?, [used, 0]);
        }
        Ok(())
    });
}

fn set_program(task: &mut Task, name: &str, build: impl FnOnce(&mut Call)) -> Result<(u16, i32), Raised> {
    let reply = issue(task, command::SET_PROGRAM, |call| {
        call.bytes(option::PROGRAM, &e(&format!("{name:<8}")));
        build(call);
    })?;
    Ok(reply.code)
}

#[test]
fn set_program_changes_only_the_named_attributes() {
    define_transaction(the_region(), "DFP3", |_| Ok(()));
    run(|task| {
        for (keyword, option, value) in [
            (option::DISABLED, option::STATUS, cvda::DISABLED),
            (option::ENABLED, option::STATUS, cvda::ENABLED),
            (option::NOCEDF, option::CEDFSTATUS, cvda::NOCEDF),
            (option::CEDF, option::CEDFSTATUS, cvda::CEDF),
            (option::DPLSUBSET, option::EXECUTIONSET, cvda::DPLSUBSET),
            (option::FULLAPI, option::EXECUTIONSET, cvda::FULLAPI),
        ] {
            let code = set_program(task, "PGMDFP3", |call| {
                call.flag(keyword);
            })?;
            assert_eq!((code, inquire_program(task, "PGMDFP3", &[option])?[0]), (NORMAL, value));
            if keyword == option::DISABLED {
                let linked = issue(task, command::LINK, |call| {
                    call.bytes(option::PROGRAM, &e("PGMDFP3 "));
                })?;
                assert_eq!(linked.code, (condition::PGMIDERR.0, 2));
            }
        }
        Ok(())
    });
}

#[test]
fn set_program_has_the_documented_conditions() {
    install("PROGRAM", "DFPGM4", &[]);
    install("PROGRAM", "DFPGMREM", &[("REMOTESYSTEM", "SYSB")]);
    install("MAPSET", "DFMAPSET", &[]);
    install("PARTITIONSET", "DFPARTS", &[]);
    run(|task| {
        for (option, resp2) in [
            (option::STATUS, 2),
            (option::SHARESTATUS, 4),
            (option::COPY, 5),
            (option::CEDFSTATUS, 9),
            (option::EXECUTIONSET, 20),
            (option::RUNTIME, 22),
        ] {
            let code = set_program(task, "DFPGM4", |call| {
                call.integer(option, cvda::OPEN);
            })?;
            assert_eq!(code, (INVREQ, resp2));
        }
        let flag = |task: &mut Task, name: &str, keyword: OptionId| {
            set_program(task, name, |call| {
                call.flag(keyword);
            })
        };
        assert_eq!(flag(task, "NOTTHERE", option::ENABLED)?, (condition::PGMIDERR.0, 7));
        assert_eq!(flag(task, "DFPGM4", option::NEWCOPY)?, (condition::PGMIDERR.0, 8), "in no library");
        assert_eq!(flag(task, "DFPGM4", option::PHASEIN)?, (condition::PGMIDERR.0, 8), "in no library");
        assert_eq!(flag(task, "DFHEMTP", option::DISABLED)?, (INVREQ, 1));
        for keyword in [option::NEWCOPY, option::NOCEDF, option::DPLSUBSET, option::PRIVATE] {
            assert_eq!(flag(task, "DFPGMREM", keyword)?, (INVREQ, 17));
        }
        assert_eq!(flag(task, "DFPGMREM", option::DISABLED)?, NORMAL);
        for keyword in [option::NOCEDF, option::DPLSUBSET] {
            assert_eq!((flag(task, "DFMAPSET", keyword)?, flag(task, "DFPARTS", keyword)?), ((INVREQ, 18), (INVREQ, 19)));
        }
        assert_eq!(flag(task, "DFPGM4", option::JVM)?, (INVREQ, 23));
        Ok(())
    });
}

/// Where SET options of a program's commands place their data; GETMAIN goes by its own options.
#[test]
fn datalocation_decides_where_set_options_place_data() {
    fn addresses(task: &mut Task) -> Result<Vec<usize>, Raised> {
        let mut addresses = Vec::new();
        let mut set = |task: &mut Task, command, build: &dyn Fn(&mut Call)| {
            let reply = issue(task, command, |call| {
                call.integer(option::SET, 0);
                build(call);
            })?;
            assert_eq!(reply.code, NORMAL);
            addresses.push(reply.number(option::SET) as usize);
            Ok::<_, Raised>(())
        };
        set(task, command::READ, &|call| {
            call.bytes(option::FILE, &e("VARFILE ")).bytes(option::RIDFLD, &e("DATALOC1")).integer(option::LENGTH, 0);
        })?;
        set(task, command::READQ_TS, &|call| {
            call.bytes(option::QUEUE, &e("DATALOCQ")).integer(option::ITEM, 1).integer(option::LENGTH, 0);
        })?;
        set(task, command::GET_CONTAINER, &|call| {
            call.bytes(option::CONTAINER, &e(&format!("{:<16}", "C"))).integer(option::FLENGTH, 0);
            call.bytes(option::CHANNEL, &e(&format!("{:<16}", "DFHTRANSACTION")));
        })?;
        set(task, command::GETMAIN, &|call| {
            call.integer(option::FLENGTH, 10);
        })?;
        Ok(addresses)
    }
    let region = the_region();
    for (transid, program, location, line) in [("DFL1", "PGMDFL1", "BELOW", 0..LINE), ("DFL2", "PGMDFL2", "ANY", LINE..BAR)] {
        define_transaction(region, transid, move |task| {
            let found = addresses(task)?;
            assert!(found[..3].iter().all(|address| line.contains(address)), "DATALOCATION({location}): {found:x?}");
            assert!((LINE..BAR).contains(&found[3]), "GETMAIN: {found:x?}");
            Ok(())
        });
        region.install(&Definition::new("PROGRAM", program, "TEST").with("DATALOCATION", location)).unwrap();
    }
    run(|task| {
        write(task, "VARFILE", "DATALOC1", "X")?;
        issue(task, command::WRITEQ_TS, |call| {
            call.bytes(option::QUEUE, &e("DATALOCQ")).bytes(option::FROM, b"X");
        })?;
        issue(task, command::PUT_CONTAINER, |call| {
            call.bytes(option::CONTAINER, &e(&format!("{:<16}", "C"))).bytes(option::FROM, b"X");
            call.bytes(option::CHANNEL, &e(&format!("{:<16}", "DFHTRANSACTION")));
        })?;
        // One task: what one program was given is not used again for another that takes data below 16 MB only.
        for program in ["PGMDFL2", "PGMDFL1"] {
            let linked = issue(task, command::LINK, |call| {
                call.bytes(option::PROGRAM, &e(&format!("{program:<8}")));
            })?;
            assert_eq!(linked.code, NORMAL);
        }
        Ok(())
    });
}
