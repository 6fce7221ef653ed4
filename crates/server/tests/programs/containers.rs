//! PUT, GET and DELETE CONTAINER.

use super::support::*;
use exec::{CommandId, command, condition, cvda, option};
use region::channel::Container;
use region::exec_interface::Call;
use region::name::Name16;
use region::storage_access::Area;
use region::{Raised, Task};

const INVREQ: u16 = condition::INVREQ.0;
const LENGERR: u16 = condition::LENGERR.0;
const CONTAINERERR: u16 = condition::CONTAINERERR.0;
const CHANNELERR: u16 = condition::CHANNELERR.0;
const CCSIDERR: u16 = condition::CCSIDERR.0;
const CODEPAGEERR: u16 = condition::CODEPAGEERR.0;

/// A command on a container of the channel CHAN.
fn on(task: &mut Task, command: CommandId, name: &str, build: impl FnOnce(&mut Call)) -> Result<Reply, Raised> {
    issue(task, command, |call| {
        call.bytes(option::CONTAINER, &e(&format!("{name:<16}"))).bytes(option::CHANNEL, &e(&format!("{:<16}", "CHAN")));
        build(call);
    })
}

fn put(task: &mut Task, name: &str, data: &[u8], build: impl FnOnce(&mut Call)) -> Result<(u16, i32), Raised> {
    let reply = on(task, command::PUT_CONTAINER, name, |call| {
        call.bytes(option::FROM, data);
        build(call);
    })?;
    Ok(reply.code)
}

/// GET INTO an area of 16 bytes: the condition and the data.
fn get(task: &mut Task, name: &str, build: impl FnOnce(&mut Call)) -> Result<((u16, i32), Vec<u8>), Raised> {
    let reply = on(task, command::GET_CONTAINER, name, |call| {
        call.bytes(option::INTO, &[0; 16]).integer(option::FLENGTH, 16);
        build(call);
    })?;
    let length = reply.number(option::FLENGTH).clamp(0, 16) as usize;
    Ok((reply.code, reply.call.result_bytes(option::INTO)[..length].to_vec()))
}

fn data(task: &mut Task, name: &str) -> Result<Vec<u8>, Raised> {
    let (code, data) = get(task, name, |_| {})?;
    assert_eq!(code, NORMAL, "{name}");
    Ok(data)
}

/// Bits are given as they are; characters have a code page, and are given in the region's.
#[test]
fn put_makes_a_container_of_bits_or_of_characters() {
    run(|task| {
        assert_eq!(put(task, "DEFAULT", b"ABC", |_| {})?, NORMAL);
        assert_eq!(data(task, "DEFAULT")?, b"ABC");
        assert_eq!(
            put(task, "BIT", b"ABC", |call| {
                call.flag(option::BIT);
            })?,
            NORMAL
        );
        assert_eq!(data(task, "BIT")?, b"ABC");
        assert_eq!(
            put(task, "CVDA", b"ABC", |call| {
                call.integer(option::DATATYPE, cvda::CHAR).integer(option::FROMCCSID, 819);
            })?,
            NORMAL
        );
        assert_eq!(data(task, "CVDA")?, e("ABC"));
        assert_eq!(
            put(task, "CHAR", &e("ABC"), |call| {
                call.flag(option::CHAR);
            })?,
            NORMAL
        );
        assert_eq!(data(task, "CHAR")?, e("ABC"));
        // A code page says that the data are characters.
        assert_eq!(
            put(task, "NAMED", b"ABC", |call| {
                call.bytes(option::FROMCODEPAGE, &e(&format!("{:<40}", "UTF-8")));
            })?,
            NORMAL
        );
        assert_eq!(data(task, "NAMED")?, e("ABC"));
        let count = issue(task, command::QUERY_CHANNEL, |call| {
            call.bytes(option::CHANNEL, &e(&format!("{:<16}", "CHAN"))).integer(option::CONTAINERCNT, 0);
        })?;
        assert_eq!(count.number(option::CONTAINERCNT), 5);
        Ok(())
    });
}

#[test]
fn put_replaces_the_data_or_appends_to_it() {
    run(|task| {
        assert_eq!(put(task, "GROWS", b"ONE", |_| {})?, NORMAL);
        assert_eq!(put(task, "GROWS", b"REPLACED", |_| {})?, NORMAL);
        assert_eq!(data(task, "GROWS")?, b"REPLACED");
        assert_eq!(
            put(task, "GROWS", b"+2", |call| {
                call.flag(option::APPEND);
            })?,
            NORMAL
        );
        assert_eq!(data(task, "GROWS")?, b"REPLACED+2");
        // What is appended to characters is converted to their code page.
        put(task, "TEXT", b"AB", |call| {
            call.integer(option::FROMCCSID, 819);
        })?;
        put(task, "TEXT", &e("CD"), |call| {
            call.flag(option::CHAR).flag(option::APPEND);
        })?;
        assert_eq!(data(task, "TEXT")?, e("ABCD"));
        // APPEND of what is not there makes it; FLENGTH of nothing empties it.
        put(task, "NEW", b"X", |call| {
            call.flag(option::APPEND);
        })?;
        assert_eq!(data(task, "NEW")?, b"X");
        put(task, "NEW", b"X", |call| {
            call.integer(option::FLENGTH, 0);
        })?;
        assert_eq!(data(task, "NEW")?, b"");
        Ok(())
    });
}

#[test]
fn put_has_the_documented_conditions() {
    run(|task| {
        put(task, "BITS", b"X", |_| {})?;
        put(task, "CHARS", b"X", |call| {
            call.flag(option::CHAR);
        })?;
        let mut code = |name: &str, build: &dyn Fn(&mut Call)| put(task, name, b"XYZ", |call| build(call));
        let flength = |length| {
            move |call: &mut Call| {
                call.integer(option::FLENGTH, length);
            }
        };
        assert_eq!(code("BITS", &flength(2))?, NORMAL);
        assert_eq!(code("BITS", &flength(-1))?, (LENGERR, 1));
        assert_eq!(
            code("BITS", &|call| {
                call.integer(option::DATATYPE, cvda::OPEN);
            })?,
            (INVREQ, 1)
        );
        assert_eq!(
            code("BITS", &|call| {
                call.flag(option::BIT).integer(option::FROMCCSID, 819);
            })?,
            (INVREQ, 2)
        );
        assert_eq!(
            code("CHARS", &|call| {
                call.flag(option::BIT);
            })?,
            (INVREQ, 33)
        );
        assert_eq!(
            code("BITS", &|call| {
                call.flag(option::CHAR);
            })?,
            (INVREQ, 33)
        );
        assert_eq!(
            code("CHARS", &|call| {
                call.integer(option::FROMCCSID, 99_999);
            })?,
            (CCSIDERR, 1)
        );
        assert_eq!(
            code("CHARS", &|call| {
                call.bytes(option::FROMCODEPAGE, &e(&format!("{:<40}", "NOSUCHPAGE")));
            })?,
            (CODEPAGEERR, 1)
        );
        assert_eq!(code("", &|_| {})?, (CONTAINERERR, 18));
        assert_eq!(code("A B", &|_| {})?, (CONTAINERERR, 18));
        assert_eq!(
            code("BITS", &|call| {
                call.bytes(option::ACTIVITY, &e("X"));
            })?,
            (INVREQ, 15)
        );
        // What was refused changed nothing.
        assert_eq!((data(task, "BITS")?, data(task, "CHARS")?), (b"XY".to_vec(), b"X".to_vec()));
        Ok(())
    });
}

/// The channel of the command: named, or the current one.
#[test]
fn each_command_checks_its_channel() {
    run(|task| {
        let named = |task: &mut Task, command, channel: Option<&str>| {
            issue(task, command, |call| {
                if command == command::STARTBROWSE_CONTAINER {
                    call.integer(option::BROWSETOKEN, 0);
                } else if command == command::QUERY_CHANNEL {
                    call.integer(option::CONTAINERCNT, 0);
                } else {
                    call.bytes(option::CONTAINER, &e(&format!("{:<16}", "C"))).bytes(option::FROM, b"X");
                }
                if command == command::GET_CONTAINER {
                    call.flag(option::NODATA).integer(option::FLENGTH, 0);
                }
                if let Some(channel) = channel {
                    call.bytes(option::CHANNEL, &e(&format!("{channel:<16}")));
                }
            })
            .map(|reply| reply.code)
        };
        for command in [command::PUT_CONTAINER, command::GET_CONTAINER, command::DELETE_CONTAINER] {
            assert_eq!(named(task, command, None)?, (INVREQ, 4), "no current channel");
        }
        for name in ["A B", ""] {
            assert_eq!(named(task, command::PUT_CONTAINER, Some(name))?, (CHANNELERR, 1));
        }
        let finding = [command::GET_CONTAINER, command::DELETE_CONTAINER, command::STARTBROWSE_CONTAINER, command::QUERY_CHANNEL];
        for (command, name) in finding.into_iter().flat_map(|command| ["A B", "", "NOTTHERE"].map(|name| (command, name))) {
            assert_eq!(named(task, command, Some(name))?, (CHANNELERR, 2), "{name}");
        }
        // Without a channel the browse is one of an activity.
        assert_eq!(named(task, command::STARTBROWSE_CONTAINER, None)?, (condition::ACTIVITYERR.0, 2));
        let typed = issue(task, command::PUT_CONTAINER, |call| {
            call.bytes(option::CONTAINER, &e(&format!("{:<16}", "C"))).bytes(option::FROM, b"X").flag(option::CHAR);
        })?;
        assert_eq!(typed.code, (INVREQ, 1));
        // PUT makes the channel.
        assert_eq!(named(task, command::PUT_CONTAINER, Some("NOTTHERE"))?, NORMAL);
        assert_eq!(named(task, command::DELETE_CONTAINER, Some("NOTTHERE"))?, NORMAL);
        Ok(())
    });
}

#[test]
fn get_gives_a_copy_a_pointer_or_the_length() {
    run(|task| {
        put(task, "DATA", b"0123456789", |_| {})?;
        for (room, code) in [(10, NORMAL), (16, NORMAL), (9, (LENGERR, 11)), (0, (LENGERR, 11)), (-1, (LENGERR, 11))] {
            let reply = on(task, command::GET_CONTAINER, "DATA", |call| {
                call.bytes(option::INTO, &[0xEE; 16]).integer(option::FLENGTH, room);
            })?;
            assert_eq!((reply.code, reply.number(option::FLENGTH)), (code, 10), "FLENGTH({room})");
            let fits = room.clamp(0, 10) as usize;
            let into = reply.call.result_bytes(option::INTO);
            assert_eq!(into[..fits], b"0123456789"[..fits]);
            assert!(into[fits..].iter().all(|byte| *byte == 0xEE), "what the data does not fill is left alone");
        }
        let set = on(task, command::GET_CONTAINER, "DATA", |call| {
            call.integer(option::SET, 0).integer(option::FLENGTH, 0);
        })?;
        assert_eq!((set.code, set.number(option::FLENGTH)), (NORMAL, 10));
        assert_eq!(Area::new(set.number(option::SET) as usize, 10).read()?, b"0123456789");
        let length = on(task, command::GET_CONTAINER, "DATA", |call| {
            call.flag(option::NODATA).integer(option::FLENGTH, 0);
        })?;
        assert_eq!((length.code, length.number(option::FLENGTH)), (NORMAL, 10));
        // The pointer is to a copy: the container has what PUT left there.
        region::storage_access::write(set.number(option::SET) as usize, b"XXXX")?;
        assert_eq!(data(task, "DATA")?, b"0123456789");
        Ok(())
    });
}

#[test]
fn get_begins_at_an_offset() {
    run(|task| {
        put(task, "DATA", b"0123456789", |_| {})?;
        for (offset, code, expected) in [
            (0, NORMAL, &b"0123456789"[..]),
            (3, NORMAL, b"3456789"),
            (9, NORMAL, b"9"),
            (10, (LENGERR, 12), b""),
            (11, (LENGERR, 12), b""),
            (-1, NORMAL, b"0123456789"),
        ] {
            let reply = on(task, command::GET_CONTAINER, "DATA", |call| {
                call.bytes(option::INTO, &[0; 16]).integer(option::FLENGTH, 16).integer(option::BYTEOFFSET, offset);
            })?;
            assert_eq!(reply.code, code, "BYTEOFFSET({offset})");
            if code == NORMAL {
                let length = reply.number(option::FLENGTH) as usize;
                assert_eq!(&reply.call.result_bytes(option::INTO)[..length], expected);
            }
        }
        Ok(())
    });
}

#[test]
fn get_converts_characters_and_leaves_bits() {
    run(|task| {
        put(task, "CHARS", b"ABC", |call| {
            call.integer(option::FROMCCSID, 819);
        })?;
        put(task, "BITS", b"ABC", |_| {})?;
        let codepage = |name: &'static str| {
            move |call: &mut Call| {
                call.bytes(option::INTOCODEPAGE, &e(&format!("{name:<40}")));
            }
        };
        let ccsid = |number| {
            move |call: &mut Call| {
                call.integer(option::INTOCCSID, number);
            }
        };
        assert_eq!(get(task, "CHARS", ccsid(819))?, (NORMAL, b"ABC".to_vec()));
        assert_eq!(get(task, "CHARS", ccsid(37))?, (NORMAL, e("ABC")));
        assert_eq!(get(task, "CHARS", ccsid(1200))?, (NORMAL, vec![0, 0x41, 0, 0x42, 0, 0x43]));
        assert_eq!(get(task, "CHARS", codepage("UTF-8"))?, (NORMAL, b"ABC".to_vec()));
        let unconverted = get(task, "CHARS", |call| {
            call.integer(option::CONVERTST, cvda::NOCONVERT);
        })?;
        assert_eq!(unconverted, (NORMAL, b"ABC".to_vec()));
        let page = on(task, command::GET_CONTAINER, "CHARS", |call| {
            call.flag(option::NODATA).integer(option::FLENGTH, 0).integer(option::CCSID, 0);
        })?;
        assert_eq!(page.number(option::CCSID), 819);
        assert_eq!(get(task, "CHARS", ccsid(99_999))?.0, (CCSIDERR, 1));
        assert_eq!(get(task, "CHARS", codepage("NOSUCHPAGE"))?.0, (CODEPAGEERR, 1));
        // Bits are given as they are, and the program is told.
        assert_eq!(get(task, "BITS", ccsid(819))?, ((CCSIDERR, 3), b"ABC".to_vec()));
        assert_eq!(get(task, "BITS", codepage("UTF-8"))?, ((CODEPAGEERR, 3), b"ABC".to_vec()));
        Ok(())
    });
}

#[test]
fn get_of_a_missing_container_is_containererr() {
    run(|task| {
        put(task, "THERE", b"X", |_| {})?;
        assert_eq!(get(task, "NOTTHERE", |_| {})?.0, (CONTAINERERR, 10));
        assert_eq!(get(task, "A B", |_| {})?.0, (CONTAINERERR, 10));
        let outside = get(task, "THERE", |call| {
            call.flag(option::ACQACTIVITY);
        })?;
        assert_eq!(outside.0, (INVREQ, 15));
        Ok(())
    });
}

#[test]
fn delete_takes_one_container_and_no_other() {
    run(|task| {
        put(task, "ONE", b"1", |_| {})?;
        put(task, "TWO", b"2", |_| {})?;
        let delete = |task: &mut Task, name: &str| on(task, command::DELETE_CONTAINER, name, |_| {}).map(|reply| reply.code);
        assert_eq!(delete(task, "ONE")?, NORMAL);
        assert_eq!(get(task, "ONE", |_| {})?.0, (CONTAINERERR, 10));
        assert_eq!(delete(task, "ONE")?, (CONTAINERERR, 10));
        assert_eq!(delete(task, "A B")?, (CONTAINERERR, 10));
        assert_eq!(data(task, "TWO")?, b"2");
        let outside = on(task, command::DELETE_CONTAINER, "TWO", |call| {
            call.flag(option::ACQPROCESS);
        })?;
        assert_eq!(outside.code, (INVREQ, 15));
        // The name may be used again, for data of another type.
        assert_eq!(
            put(task, "ONE", b"X", |call| {
                call.flag(option::CHAR);
            })?,
            NORMAL
        );
        Ok(())
    });
}

/// GETNEXT CONTAINER: "the order in which containers are returned is undefined", and each is returned once, also when
/// another browse of the channel is active.
#[test]
fn a_browse_gives_each_container_of_the_channel_once() {
    run(|task| {
        let names: Vec<String> = (1..=50).map(|number| format!("C{number:03}")).collect();
        for name in &names {
            put(task, name, b"X", |_| {})?;
        }
        let start = |task: &mut Task| {
            let reply = issue(task, command::STARTBROWSE_CONTAINER, |call| {
                call.bytes(option::CHANNEL, &e(&format!("{:<16}", "CHAN"))).integer(option::BROWSETOKEN, 0);
            })?;
            assert_eq!(reply.code, NORMAL);
            Ok::<i64, Raised>(reply.number(option::BROWSETOKEN))
        };
        let next = |task: &mut Task, token: i64| {
            let reply = issue(task, command::GETNEXT_CONTAINER, |call| {
                call.bytes(option::CONTAINER, &[0; 16]).integer(option::BROWSETOKEN, token);
            })?;
            Ok::<_, Raised>((reply.code, reply.call.result_bytes(option::CONTAINER).to_vec()))
        };
        let (first, second) = (start(task)?, start(task)?);
        assert_ne!(first, second, "each browse has a token of its own");
        for token in [first, second] {
            let mut found = Vec::new();
            loop {
                let (code, name) = next(task, token)?;
                if code != NORMAL {
                    assert_eq!(code, (condition::END.0, 2));
                    break;
                }
                found.push(name);
                assert!(found.len() <= names.len(), "a container is returned twice");
            }
            found.sort();
            let expected: Vec<Vec<u8>> = names.iter().map(|name| e(&format!("{name:<16}"))).collect();
            assert_eq!(found, expected);
        }
        for token in [first, second] {
            let end = |task: &mut Task| {
                issue(task, command::ENDBROWSE_CONTAINER, |call| {
                    call.integer(option::BROWSETOKEN, token);
                })
            };
            assert_eq!(end(task)?.code, NORMAL);
            assert_eq!(end(task)?.code, (condition::TOKENERR.0, 3));
            assert_eq!(next(task, token)?.0, (condition::TOKENERR.0, 3));
        }
        Ok(())
    });
}

/// Containers of CICS are read only. The current channel is meant when none is named.
#[test]
fn a_read_only_container_is_neither_replaced_nor_deleted() {
    define_transaction(the_region(), "CTRO", |task| {
        let channel = task.level().unwrap().channel.clone().unwrap();
        channel.put(Name16::new("OFCICS"), Container { data: vec![1], code_page: None, read_only: true, ..Container::default() });
        let current = |task: &mut Task, command, name: &str| {
            issue(task, command, |call| {
                call.bytes(option::CONTAINER, &e(&format!("{name:<16}"))).bytes(option::FROM, b"X");
            })
            .map(|reply| reply.code)
        };
        assert_eq!(current(task, command::PUT_CONTAINER, "OFCICS")?, (INVREQ, 3));
        assert_eq!(current(task, command::DELETE_CONTAINER, "OFCICS")?, (INVREQ, 30));
        assert_eq!(current(task, command::PUT_CONTAINER, "OURS")?, NORMAL);
        assert_eq!(current(task, command::DELETE_CONTAINER, "GIVEN")?, NORMAL);
        Ok(())
    });
    run(|task| {
        put(task, "GIVEN", b"X", |_| {})?;
        let linked = issue(task, command::LINK, |call| {
            call.bytes(option::PROGRAM, &e("PGMCTRO ")).bytes(option::CHANNEL, &e(&format!("{:<16}", "CHAN")));
        })?;
        assert_eq!(linked.code, NORMAL);
        // The program below had the channel itself, not a copy.
        assert_eq!((get(task, "GIVEN", |_| {})?.0, data(task, "OURS")?), ((CONTAINERERR, 10), b"X".to_vec()));
        Ok(())
    });
}

/// The data of channels is not in the dynamic storage areas: it is in the memory of the process, above the addresses of programs.
#[test]
fn containers_take_no_storage_of_programs() {
    run(|task| {
        let held = |task: &Task| [kernel::storage::Line::Below16M, kernel::storage::Line::Below2G].map(|line| task.storage.held(line));
        let before = held(task);
        let data = vec![7; 8 << 20];
        assert!(data.as_ptr() as usize >= 1 << 31, "the memory of the process lies above the bar");
        assert_eq!(put(task, "LARGE", &data, |_| {})?, NORMAL);
        assert_eq!(held(task), before);
        Ok(())
    });
}

/// PGCSTHWM: the most container storage at one time, of the channels of all link levels. What is passed on is counted once, and what a level
/// made is given back at its end.
#[test]
fn the_most_container_storage_of_a_task_is_measured() {
    let region = the_region();
    define_transaction(region, "CTRH", |task| {
        put(task, "GIVEN", &[1; 3_000], |_| {})?;
        // At a level of its own, until this one ends.
        issue(task, command::PUT_CONTAINER, |call| {
            call.bytes(option::CONTAINER, &e(&format!("{:<16}", "OWN"))).bytes(option::CHANNEL, &e(&format!("{:<16}", "LOCAL")));
            call.bytes(option::FROM, &[2; 10_000]);
        })?;
        Ok(())
    });
    let peaks = run(|task| {
        let start = task.performance.container_storage_peak;
        let mut peaks = Vec::new();
        let mut note = |task: &Task| peaks.push(task.performance.container_storage_peak - start);
        put(task, "ONE", &[0; 1_000], |_| {})?;
        put(task, "TWO", &[0; 500], |_| {})?;
        note(task);
        on(task, command::DELETE_CONTAINER, "ONE", |_| {})?;
        put(task, "TWO", &[0; 700], |_| {})?;
        note(task);
        put(task, "TWO", &[0; 2_000], |call| {
            call.flag(option::APPEND);
        })?;
        note(task);
        let linked = issue(task, command::LINK, |call| {
            call.bytes(option::PROGRAM, &e("PGMCTRH ")).bytes(option::CHANNEL, &e(&format!("{:<16}", "CHAN")));
        })?;
        assert_eq!(linked.code, NORMAL);
        note(task);
        put(task, "LAST", &[0; 10_000], |_| {})?;
        note(task);
        Ok(peaks)
    });
    // 2,700 bytes are there at the LINK, 3,000 come and stay, 10,000 come and go.
    assert_eq!(peaks, [1_500, 1_500, 2_700, 15_700, 15_700]);
}

/// The code pages that every program meets: the region's, a PC's, and the two of Unicode. GET converts among them, and a container that is
/// converted there and back is what it was.
#[test]
fn characters_are_converted_among_the_common_code_pages() {
    const PAGES: [(i64, &[u8]); 4] =
        [(37, &[0xC1, 0x51, 0xF1]), (437, &[0x41, 0x82, 0x31]), (1208, &[0x41, 0xC3, 0xA9, 0x31]), (1200, &[0, 0x41, 0, 0xE9, 0, 0x31])];
    run(|task| {
        for (from, given) in PAGES {
            let code = put(task, "PAGES", given, |call| {
                call.integer(option::DATATYPE, cvda::CHAR).integer(option::FROMCCSID, from);
            })?;
            assert_eq!(code, NORMAL, "{from}");
            for (into, wanted) in PAGES {
                let (code, data) = get(task, "PAGES", |call| {
                    call.integer(option::INTOCCSID, into);
                })?;
                assert_eq!((code, data.as_slice()), (NORMAL, wanted), "{from} to {into}");
            }
        }
        Ok(())
    });
}

/// "The data area is maintained by CICS until a subsequent GET CONTAINER with the SET option for the same container": a loop of such GETs takes the
/// storage of one, and those of other containers stay.
#[test]
fn the_next_get_of_a_container_gives_the_copy_up() {
    run(|task| {
        let pointer = |task: &mut Task, name: &str| {
            let reply = on(task, command::GET_CONTAINER, name, |call| {
                call.integer(option::SET, 0).integer(option::FLENGTH, 0);
            })?;
            assert_eq!(reply.code, NORMAL);
            Ok::<_, Raised>(reply.number(option::SET) as usize)
        };
        put(task, "LARGE", &[0xC1; 100_000], |_| {})?;
        put(task, "OTHER", b"STAYS", |_| {})?;
        let other = pointer(task, "OTHER")?;
        pointer(task, "LARGE")?;
        let used = |task: &Task| task.storage.elements().iter().map(|(_, _, length)| length).sum::<usize>();
        let before = used(task);
        for _ in 0..100 {
            pointer(task, "LARGE")?;
        }
        assert_eq!(used(task), before);
        assert_eq!(Area::new(other, 5).read()?, b"STAYS");
        // It is CICS's to give up, not the program's to free.
        let copy = pointer(task, "LARGE")?;
        let freed = issue(task, command::FREEMAIN, |call| {
            call.integer(option::DATAPOINTER, copy as i64);
        })?;
        assert_eq!(freed.code, (condition::INVREQ.0, 1));
        Ok(())
    });
}
