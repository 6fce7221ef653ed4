//! GETMAIN and FREEMAIN.

use super::support::*;
use csd::Definition;
use exec::{command, condition, cvda, option};
use kernel::storage::{Dsa, Key};
use region::exec_interface::Call;
use region::name::Name4;
use region::storage_access::{self, Area};
use region::{AttachRequest, Raised, StartCode, Task};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const LINE: usize = 16 << 20;
const BAR: usize = 1 << 31;
pub const LENGERR: (u16, i32) = (condition::LENGERR.0, 1);
pub const NOT_AN_AREA: (u16, i32) = (condition::INVREQ.0, 1);

pub fn getmain(task: &mut Task, build: impl FnOnce(&mut Call)) -> Result<((u16, i32), usize), Raised> {
    let reply = issue(task, command::GETMAIN, |call| {
        call.integer(option::SET, 0);
        build(call);
    })?;
    Ok((reply.code, reply.number(option::SET) as usize))
}

/// GETMAIN FLENGTH that must succeed.
pub fn got(task: &mut Task, build: impl FnOnce(&mut Call)) -> Result<usize, Raised> {
    let (code, address) = getmain(task, |call| {
        call.integer(option::FLENGTH, 100);
        build(call);
    })?;
    assert_eq!(code, NORMAL);
    Ok(address)
}

pub fn freemain(task: &mut Task, address: usize) -> Result<(u16, i32), Raised> {
    let reply = issue(task, command::FREEMAIN, |call| {
        call.integer(option::DATAPOINTER, address as i64);
    })?;
    Ok(reply.code)
}

#[test]
fn getmain_places_storage_as_flength_below_and_length_say() {
    run(|task| {
        let anywhere = got(task, |_| {})?;
        assert!((LINE..BAR).contains(&anywhere), "{anywhere:x}");
        let below = got(task, |call| {
            call.flag(option::BELOW);
        })?;
        let (code, short) = getmain(task, |call| {
            call.integer(option::LENGTH, 100);
        })?;
        assert_eq!(code, NORMAL);
        assert!(below < LINE && short < LINE, "{below:x} {short:x}");
        for address in [anywhere, below, short] {
            assert_eq!(freemain(task, address)?, NORMAL);
        }
        Ok(())
    });
}

#[test]
fn getmain_checks_lengths_at_their_bounds() {
    run(|task| {
        for (length, expected) in [(-1, LENGERR), (0, LENGERR), (1, NORMAL), (1 << 20, NORMAL), (i64::from(i32::MAX), LENGERR)] {
            let (code, address) = getmain(task, |call| {
                call.integer(option::FLENGTH, length);
            })?;
            assert_eq!(code, expected, "FLENGTH({length})");
            if code == NORMAL {
                freemain(task, address)?;
            }
        }
        // LENGTH is an unsigned halfword of at most 65,520, which a signed one holds as -16.
        for (length, expected) in [(0, LENGERR), (1, NORMAL), (32_767, NORMAL), (-16, NORMAL), (-15, LENGERR), (-1, LENGERR)] {
            let (code, address) = getmain(task, |call| {
                call.integer(option::LENGTH, length);
            })?;
            assert_eq!(code, expected, "LENGTH({length})");
            if code == NORMAL {
                storage_access::write(address, &vec![0xFF; (length & 0xFFFF) as usize])?;
                freemain(task, address)?;
            }
        }
        // Below 16 MB no area of 16 MB can be.
        let (code, _) = getmain(task, |call| {
            call.integer(option::FLENGTH, (16 << 20) + 1).flag(option::BELOW);
        })?;
        assert_eq!(code, LENGERR);
        Ok(())
    });
}

/// INQUIRE STORAGE64 finds elements above 2 GB, by an address in them and in the lists of their task.
#[test]
fn inquire_storage64_finds_elements_above_the_bar() {
    run(|task| {
        let obtained = issue(task, command::GETMAIN64, |call| {
            call.integer(option::SET, 0).integer(option::FLENGTH, 300);
        })?;
        let address = obtained.number(option::SET);
        let found = issue(task, command::INQUIRE_STORAGE64, |call| {
            call.integer(option::ADDRESS64, address + 299).integer(option::ELEMENT64, 0).integer(option::FLENGTH, 0);
        })?;
        assert_eq!((found.code, found.number(option::ELEMENT64)), (NORMAL, address));
        assert!((300..400).contains(&found.number(option::FLENGTH)), "{}", found.number(option::FLENGTH));
        let listed = issue(task, command::INQUIRE_STORAGE64, |call| {
            call.integer(option::NUMELEMENTS, 0).integer(option::ELEMENTLIST, 0).integer(option::LENGTHLIST, 0);
        })?;
        assert_eq!((listed.code, listed.number(option::NUMELEMENTS)), (NORMAL, 1));
        let words = |option, length| Area::new(listed.number(option) as usize, length).read().map_err(Raised::from);
        assert_eq!(words(option::ELEMENTLIST, 8)?, (address as u64).to_be_bytes());
        assert_eq!(words(option::LENGTHLIST, 4)?, (found.number(option::FLENGTH) as u32).to_be_bytes());
        Ok(())
    });
}

/// LOCATION of GETMAIN64: 64-bit storage without it, 31-bit and 24-bit storage with LOC31 and LOC24, and no other value.
#[test]
fn getmain64_is_for_64_bit_storage_unless_location_says_another() {
    run(|task| {
        for (location, low, high) in [(None, BAR, usize::MAX), (Some(cvda::LOC31), LINE, BAR), (Some(cvda::LOC24), 0, LINE)] {
            let reply = issue(task, command::GETMAIN64, |call| {
                call.integer(option::SET, 0).integer(option::FLENGTH, 100);
                if let Some(location) = location {
                    call.integer(option::LOCATION, location);
                }
            })?;
            let address = reply.number(option::SET) as usize;
            assert_eq!(reply.code, NORMAL);
            assert!((low..high).contains(&address), "{location:?} {address:x}");
            let freed = issue(task, command::FREEMAIN64, |call| {
                call.integer(option::DATAPOINTER, address as i64);
            })?;
            assert_eq!(freed.code, NORMAL);
        }
        let reply = issue(task, command::GETMAIN64, |call| {
            call.integer(option::SET, 0).integer(option::FLENGTH, 100).integer(option::LOCATION, cvda::CICS);
        })?;
        assert_eq!(reply.code, (condition::INVREQ.0, 1));
        // The limit of the length is that of the line.
        let reply = issue(task, command::GETMAIN64, |call| {
            call.integer(option::SET, 0).integer(option::FLENGTH, (16 << 20) + 1).integer(option::LOCATION, cvda::LOC24);
        })?;
        assert_eq!(reply.code, LENGERR);
        Ok(())
    });
}

#[test]
fn initimg_sets_every_byte() {
    run(|task| {
        for image in [0x00, 0x5A, 0xFF] {
            let address = got(task, |call| {
                call.bytes(option::INITIMG, &[image]);
            })?;
            assert_eq!(Area::new(address, 100).read()?, [image; 100]);
            freemain(task, address)?;
        }
        Ok(())
    });
}

/// Without a key it is that of TASKDATAKEY.
#[test]
fn storage_has_the_key_asked_for() {
    let region = the_region();
    for (transid, task_key, of_task) in [("STKU", "USER", Key::User), ("STKC", "CICS", Key::Cics)] {
        let done = Flag::default();
        let tells = done.clone();
        define_transaction(region, transid, move |task| {
            for (keyword, key) in [(None, of_task), (Some(option::USERDATAKEY), Key::User), (Some(option::CICSDATAKEY), Key::Cics)] {
                let address = got(task, |call| {
                    if let Some(keyword) = keyword {
                        call.flag(keyword);
                    }
                })?;
                assert_eq!(task.region.storage.dsa_at(address).map(Dsa::key), Some(key), "TASKDATAKEY({task_key})");
                freemain(task, address)?;
            }
            tells.raise();
            Ok(())
        });
        // A program in user key has no task data in CICS key.
        let program = format!("PGM{transid}");
        region.install(&Definition::new("PROGRAM", &program, "TEST").with("EXECKEY", task_key)).unwrap();
        let transaction = Definition::new("TRANSACTION", transid, "TEST").with("PROGRAM", &program).with("TASKDATAKEY", task_key);
        region.install(&transaction).unwrap();
        region.attach(AttachRequest::new(Name4::new(transid), StartCode::Start)).unwrap_or_else(|failure| panic!("{failure:?}"));
        done.wait();
    }
}

#[test]
fn shared_storage_outlives_its_task_and_any_task_gives_it_back() {
    let address = run(|task| {
        let address = got(task, |call| {
            call.flag(option::SHARED).bytes(option::INITIMG, &[7]);
        })?;
        Ok(address)
    });
    run(move |task| {
        assert_eq!(Area::new(address, 100).read()?, [7; 100]);
        assert_eq!(freemain(task, address)?, NORMAL);
        assert_eq!(freemain(task, address)?, NOT_AN_AREA);
        Ok(())
    });
}

/// A task gives back its own storage only, and the end of the task gives back what is left.
#[test]
fn freemain_is_for_the_tasks_own_storage() {
    static ADDRESS: AtomicUsize = AtomicUsize::new(0);
    let (got_it, end) = (Flag::default(), Flag::default());
    let owner = {
        let (got_it, end) = (got_it.clone(), end.clone());
        begin(move |task| {
            ADDRESS.store(got(task, |_| {})?, Ordering::SeqCst);
            got_it.raise();
            end.await_raised(task)
        })
    };
    got_it.wait();
    let give_back = || run(|task| freemain(task, ADDRESS.load(Ordering::SeqCst)));
    assert_eq!(give_back(), NOT_AN_AREA, "another task's");
    end.raise();
    owner.result().unwrap();
    assert_eq!(give_back(), NOT_AN_AREA, "nobody's");
}

#[test]
fn freemain_takes_an_address_or_the_area_itself() {
    run(|task| {
        let address = got(task, |_| {})?;
        assert_eq!(freemain(task, 0)?, NOT_AN_AREA);
        assert_eq!(freemain(task, address + 8)?, NOT_AN_AREA);
        let reply = issue(task, command::FREEMAIN, |call| {
            call.area(option::DATA, address, 100);
        })?;
        assert_eq!(reply.code, NORMAL);
        assert_eq!(freemain(task, address)?, NOT_AN_AREA);
        Ok(())
    });
}

/// NOSUSPEND: NOSTG at once instead of a wait. DSALIM is 5 MB.
#[test]
fn storage_that_is_not_there_is_nostg() {
    let _turn = SHORTAGE.lock();
    run(|task| {
        let mut addresses = Vec::new();
        let code = loop {
            let (code, address) = getmain(task, |call| {
                call.integer(option::FLENGTH, 1 << 20).flag(option::BELOW).flag(option::NOSUSPEND);
            })?;
            if code != NORMAL {
                break code;
            }
            addresses.push(address);
        };
        assert_eq!(code, (condition::NOSTG.0, 2));
        assert!((1..=5).contains(&addresses.len()), "{} areas of 1 MB", addresses.len());
        for address in addresses {
            assert_eq!(freemain(task, address)?, NORMAL);
        }
        let (code, _) = getmain(task, |call| {
            call.integer(option::FLENGTH, 1 << 20).flag(option::BELOW).flag(option::NOSUSPEND);
        })?;
        assert_eq!(code, NORMAL);
        Ok(())
    });
}

/// Tests that take all storage below 16 MB take turns.
pub static SHORTAGE: Mutex<()> = Mutex::new(());

/// GETMAIN below 16 MB until it is refused: the abend code, and how long the last one took.
fn take_all(attributes: &[(&'static str, &str)]) -> (String, Duration) {
    let task = begin_with(the_region(), attributes, |task| {
        loop {
            let since = Instant::now();
            let taken = getmain(task, |call| {
                call.integer(option::FLENGTH, 1 << 20).flag(option::BELOW);
            });
            match taken {
                Ok((code, _)) => assert_eq!(code, NORMAL),
                Err(Raised::Abend(abend)) => return Ok((abend.code_text(), since.elapsed())),
                Err(other) => return Err(other),
            }
        }
    });
    task.result().unwrap()
}

/// A task that has all storage itself and waits for more is ended: after DTIMOUT, or when nothing else can end its wait. Others go on.
#[test]
fn a_task_does_not_wait_for_ever_for_what_it_has_itself() {
    let _turn = SHORTAGE.lock();
    let (code, waited) = take_all(&[("DTIMOUT", "1"), ("SPURGE", "YES")]);
    assert_eq!(code, "AKCS");
    assert!((1..9).contains(&waited.as_secs()), "{waited:?}");
    let (code, _) = take_all(&[]);
    assert_eq!(code, "AKCS");
    run(|task| {
        got(task, |call| {
            call.flag(option::BELOW);
        })
    });
}

/// INQUIRE STORAGE of an address: the element, and its length.
fn element_at(task: &mut Task, address: usize) -> Result<(i64, i64), Raised> {
    let reply = issue(task, command::INQUIRE_STORAGE, |call| {
        call.integer(option::ADDRESS, address as i64).integer(option::ELEMENT, -1).integer(option::FLENGTH, -1);
    })?;
    assert_eq!(reply.code, NORMAL);
    Ok((reply.number(option::ELEMENT), reply.number(option::FLENGTH)))
}

/// "INQUIRE STORAGE applies only to storage allocated to user tasks": of any such task, until it ends.
#[test]
fn storage_of_another_task_is_found_until_it_ends() {
    static ADDRESS: AtomicUsize = AtomicUsize::new(0);
    let (got_it, end) = (Flag::default(), Flag::default());
    let owner = {
        let (got_it, end) = (got_it.clone(), end.clone());
        begin(move |task| {
            ADDRESS.store(got(task, |_| {})?, Ordering::SeqCst);
            got_it.raise();
            end.await_raised(task)
        })
    };
    got_it.wait();
    let number = owner.number();
    let address = ADDRESS.load(Ordering::SeqCst);
    let elements = move |task: &mut Task| {
        issue(task, command::INQUIRE_STORAGE, |call| {
            call.integer(option::NUMELEMENTS, 0).integer(option::TASK, number.into());
        })
    };
    let (found, inside, count) =
        run(move |task| Ok((element_at(task, address)?, element_at(task, address + 99)?, elements(task)?.number(option::NUMELEMENTS))));
    assert_eq!((found, inside), ((address as i64, 100), (address as i64, 100)));
    assert!(count > 0);
    end.raise();
    owner.result().unwrap();
    let (found, code) = run(move |task| Ok((element_at(task, address)?, elements(task)?.code)));
    assert_eq!(found, (0, 0));
    assert_eq!(code, (condition::TASKIDERR.0, 1));
}

#[test]
fn storage_of_a_system_task_is_not_for_programs() {
    let region = the_region();
    let (begun, end) = (Flag::default(), Flag::default());
    let (begins, ends) = (begun.clone(), end.clone());
    define_transaction(region, "STSY", move |task| {
        begins.raise();
        ends.await_raised(task)
    });
    let number = region.attach(AttachRequest::new(Name4::new("STSY"), StartCode::System)).unwrap_or_else(|failure| panic!("{failure:?}"));
    begun.wait();
    let code = run(move |task| {
        let reply = issue(task, command::INQUIRE_STORAGE, |call| {
            call.integer(option::NUMELEMENTS, 0).integer(option::TASK, number.into());
        })?;
        Ok(reply.code)
    });
    end.raise();
    assert_eq!(code, (condition::TASKIDERR.0, 2));
}

/// Lists stay until the next command that returns lists.
#[test]
fn a_list_is_freed_by_the_next_inquiry() {
    run(|task| {
        let list = |task: &mut Task| {
            let reply = issue(task, command::INQUIRE_STORAGE, |call| {
                call.integer(option::NUMELEMENTS, 0).integer(option::ELEMENTLIST, 0).integer(option::LENGTHLIST, 0);
            })?;
            Ok::<_, Raised>((reply.number(option::NUMELEMENTS), reply.number(option::ELEMENTLIST) as usize))
        };
        let (first, at) = list(task)?;
        let of_list = element_at(task, at)?;
        assert_eq!(of_list, (at as i64, 4 * first));
        // A program cannot give a list up, so no storage of its own is at the address when the next command does.
        assert_eq!(freemain(task, at)?.0, condition::INVREQ.0);
        assert_eq!(element_at(task, at)?, of_list);
        // The two lists of the first command are gone: there are as many elements as before it.
        assert_eq!(list(task)?.0, first);
        Ok(())
    });
}

pub fn told(region: &region::Region, id: &str) -> usize {
    region.messages.kept().iter().filter(|message| message.id == id).count()
}

fn limit(task: &mut Task, option: exec::OptionId, bytes: i64) -> Result<(), Raised> {
    let reply = issue(task, command::SET_SYSTEM, |call| {
        call.integer(option, bytes);
    })?;
    assert_eq!(reply.code, NORMAL);
    Ok(())
}

fn sos_status(task: &mut Task, option: exec::OptionId) -> Result<i64, Raised> {
    let reply = issue(task, command::INQUIRE_SYSTEM, |call| {
        call.integer(option, 0);
    })?;
    Ok(reply.number(option))
}

/// A task that waits for storage of each DSA below 16 MB: it is suspended for the DSA, the operator is told which one is short, and that
/// it is no longer when the task has got its storage.
#[test]
fn the_operator_is_told_of_a_short_line_and_of_its_recovery() {
    let _turn = SHORTAGE.lock();
    let region = the_region();
    for (dsa, flags) in
        [("UDSA", &[option::USERDATAKEY][..]), ("CDSA", &[option::CICSDATAKEY]), ("SDSA", &[option::USERDATAKEY, option::SHARED])]
    {
        let (short, recovered) = (told(region, "DFHSM0131"), told(region, "DFHSM0132"));
        let (full, free) = (Flag::default(), Flag::default());
        let holder = {
            let (full, free) = (full.clone(), free.clone());
            begin(move |task| {
                loop {
                    let (code, _) = getmain(task, |call| {
                        call.integer(option::FLENGTH, 256 << 10).flag(option::BELOW).flag(option::NOSUSPEND);
                    })?;
                    if code != NORMAL {
                        break;
                    }
                }
                full.raise();
                free.await_raised(task)
            })
        };
        full.wait();
        let waiter = begin(move |task| {
            let (code, address) = getmain(task, |call| {
                call.integer(option::FLENGTH, 1 << 20).flag(option::BELOW);
                flags.iter().for_each(|flag| {
                    call.flag(*flag);
                });
            })?;
            assert_eq!(code, NORMAL);
            assert_eq!(freemain(task, address)?, NORMAL);
            Ok(())
        });
        until(|| is_waiting(region, dsa));
        let status = run(|task| sos_status(task, option::SOSBELOWLINE));
        assert_eq!(status, exec::cvda::SOS, "{dsa}");
        assert_eq!(told(region, "DFHSM0131"), short + 1, "{dsa}");
        assert!(region.messages.kept().iter().rev().find(|message| message.id == "DFHSM0131").unwrap().text.ends_with(dsa), "{dsa}");
        free.raise();
        holder.result().unwrap();
        waiter.result().unwrap();
        assert_eq!(told(region, "DFHSM0132"), recovered + 1, "{dsa}");
        let status = run(|task| sos_status(task, option::SOSBELOWLINE));
        assert_eq!(status, exec::cvda::NOTSOS, "{dsa}");
    }
}

/// A larger limit ends a shortage.
#[test]
fn a_larger_limit_ends_the_wait_for_storage() {
    let _turn = SHORTAGE.lock();
    let region = the_region();
    let waiter = begin(|task| {
        for _ in 0..6 {
            let (code, _) = getmain(task, |call| {
                call.integer(option::FLENGTH, 1 << 20).flag(option::BELOW);
            })?;
            assert_eq!(code, NORMAL);
        }
        Ok(())
    });
    until(|| is_waiting(region, "UDSA"));
    run(|task| limit(task, option::DSALIMIT, 12 << 20));
    waiter.result().unwrap();
    run(|task| limit(task, option::DSALIMIT, 5 << 20));
}

/// MEMLIMIT: a task that finds no 64-bit storage waits for it, and INQUIRE SYSTEM says that the region is short above the bar.
#[test]
fn storage_above_the_bar_has_a_limit() {
    let _turn = SHORTAGE.lock();
    let region = the_region();
    let line = kernel::storage::Line::Above;
    let before = region.storage.limit(line);
    // The cushion of the areas above 2 GB is 64 MB.
    region.storage.set_limit(line, 160 << 20);
    let (short, recovered) = (told(region, "DFHSM0606"), told(region, "DFHSM0607"));
    let get = |task: &mut Task, no_suspend: bool| {
        let reply = issue(task, command::GETMAIN64, |call| {
            call.integer(option::SET, 0).integer(option::FLENGTH, 15 << 20);
            if no_suspend {
                call.flag(option::NOSUSPEND);
            }
        })?;
        Ok::<_, Raised>((reply.code, reply.number(option::SET) as usize))
    };
    let (full, free) = (Flag::default(), Flag::default());
    let holder = {
        let (full, free) = (full.clone(), free.clone());
        begin(move |task| {
            let mut areas = 0;
            loop {
                let (code, address) = get(task, true)?;
                if code != NORMAL {
                    assert_eq!(code, (condition::NOSTG.0, 2));
                    break;
                }
                assert!(address >= BAR);
                areas += 1;
            }
            full.raise();
            free.await_raised(task)?;
            Ok(areas)
        })
    };
    full.wait();
    let waiter = begin(move |task| Ok(get(task, false)?.0));
    until(|| is_waiting(region, "GUDSA"));
    let status = run(|task| Ok((sos_status(task, option::SOSABOVEBAR)?, sos_status(task, option::MEMLIMIT)?)));
    assert_eq!(status, (exec::cvda::SOS, 160));
    assert_eq!(told(region, "DFHSM0606"), short + 1);
    free.raise();
    assert_eq!(holder.result().unwrap(), 6, "areas of 15 MB below the cushion");
    assert_eq!(waiter.result().unwrap(), NORMAL);
    assert_eq!(told(region, "DFHSM0607"), recovered + 1);
    region.storage.set_limit(line, before);
}

/// SM-19: the report has the frames of real storage of the region.
#[test]
fn the_report_shows_storage_by_line_and_the_frames_of_the_process() {
    run(|task| got(task, |_| {}));
    let text = region::statistics::report::text(the_region());
    for heading in ["Storage below 16MB", "Storage above 16MB", "Storage above 2GB", "Storage - Domain Subpools", "Real Storage"] {
        assert!(text.lines().any(|line| line.starts_with(heading)), "{heading}");
    }
    let value = |title: &str| {
        let line = text.lines().find(|line| line.trim_start().starts_with(title)).unwrap_or_else(|| panic!("{title}"));
        line.rsplit(' ').next().unwrap().replace(',', "")
    };
    let frames: u64 = value("Real storage frames in use").parse().unwrap();
    let peak: u64 = value("Peak real storage frames in use").parse().unwrap();
    assert!(frames > 1000 && peak >= frames, "{frames} {peak}");
    assert_eq!(value("Current EDSA Limit"), format!("{}K", region_limit(kernel::storage::Line::Below2G)));
    assert!(text.lines().any(|line| line.trim_start().starts_with("TSBUFFRS ECDSA")), "{text}");
}

fn region_limit(line: kernel::storage::Line) -> u64 {
    the_region().storage.limit(line) / 1024
}
