//! File names derived from names in programs and definitions: none leaves the data directory, and no two names share a file.

use super::support::*;
use csd::Definition;
use exec::{command, condition, option};
use region::{Raised, Task};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

fn install(resource: &'static str, name: &str, attributes: &[(&'static str, &str)]) -> Result<(), String> {
    let definition = attributes.iter().fold(Definition::new(resource, name, "NAMES"), |all, (key, value)| all.with(key, value));
    the_region().install(&definition)
}

fn write_queue(task: &mut Task, name: &str, text: &str) -> Result<(u16, i32), Raised> {
    let reply = issue(task, command::WRITEQ_TD, |call| {
        call.bytes(option::QUEUE, &e(&format!("{name:<4}"))).bytes(option::FROM, &e(text));
    })?;
    Ok(reply.code)
}

fn mode(path: &Path) -> u32 {
    std::fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_journal_name_of_other_characters_is_no_journal() {
    run(|task| {
        for name in ["../X", "A/B", "abc", "A B", ".", "A\0B", "%2E"] {
            let reply = issue(task, command::WRITE_JOURNALNAME, |call| {
                call.bytes(option::JOURNALNAME, &e(&format!("{name:<8}"))).bytes(option::JTYPEID, &e("XX"));
                call.bytes(option::FROM, &e("X")).integer(option::FLENGTH, 1).integer(option::REQID, 0);
            })?;
            assert_eq!(reply.code, (condition::JIDERR.0, 1), "{name:?}");
        }
        Ok(())
    });
}

#[test]
fn definitions_with_invalid_names_are_refused() {
    for stream in ["../../TMP/X", "/TMP/X", "A B", "A\0B"] {
        let refused = install("JOURNALMODEL", "BADMODEL", &[("JOURNALNAME", "BADJ*"), ("STREAMNAME", stream)]).unwrap_err();
        assert!(refused.contains("STREAMNAME"), "{refused}");
    }
    for ddname in ["../X", "/TMP", "A.B", "A B", ".."] {
        let refused = install("TDQUEUE", "BADD", &[("TYPE", "EXTRA"), ("TYPEFILE", "OUTPUT"), ("DDNAME", ddname)]).unwrap_err();
        assert!(refused.contains("DDNAME"), "{refused}");
    }
}

/// The result of substituting the symbols of a template is also checked: MVS has no stream of such a name.
#[test]
fn a_stream_whose_name_becomes_too_long_cannot_be_written() {
    install("JOURNALMODEL", "LONGMODL", &[("JOURNALNAME", "LONGJ"), ("STREAMNAME", "QUALIFIER9.X")]).unwrap();
    run(|task| {
        let reply = issue(task, command::WRITE_JOURNALNAME, |call| {
            call.bytes(option::JOURNALNAME, &e("LONGJ   ")).bytes(option::JTYPEID, &e("XX"));
            call.bytes(option::FROM, &e("X")).integer(option::FLENGTH, 1).integer(option::REQID, 0);
        })?;
        assert_eq!(reply.code, (condition::IOERR.0, 1));
        Ok(())
    });
}

#[test]
fn queues_have_files_of_their_own_in_the_directory_of_queues() {
    let queues = the_region().data_directory.join("queues");
    let names = ["../N", "N/..", "NAMQ", "namq", "..", "A/B"];
    for (number, name) in names.into_iter().enumerate() {
        install("TDQUEUE", name, &[("TYPE", "EXTRA"), ("TYPEFILE", "OUTPUT"), ("RECORDFORMAT", "VARIABLE")]).unwrap();
        run(move |task| {
            assert_eq!(write_queue(task, name, &format!("TEXT OF {number}"))?, NORMAL, "{name:?}");
            Ok(())
        });
    }
    let texts: Vec<String> = std::fs::read_dir(&queues)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        // The link that another test leaves here.
        .filter(|path| !path.is_symlink())
        .map(|path| {
            assert_eq!(mode(&path), 0o600, "{}", path.display());
            std::fs::read_to_string(path).unwrap_or_default()
        })
        .collect();
    for (number, name) in names.iter().enumerate() {
        let own: Vec<_> = texts.iter().filter(|text| text.contains(&format!("TEXT OF {number}"))).collect();
        assert!(own.len() == 1 && own[0].matches("TEXT OF").count() == 1, "{name}: {own:?}");
    }
    assert_eq!(mode(&queues), 0o700);
    assert!(queues.join("namq.log").is_file());
}

#[test]
fn a_symbolic_link_in_place_of_a_queue_is_not_followed() {
    let region = the_region();
    let outside = region.data_directory.join("outside.txt");
    std::fs::create_dir_all(region.data_directory.join("queues")).unwrap();
    std::os::unix::fs::symlink(&outside, region.data_directory.join("queues/lnkq.log")).unwrap();
    install("TDQUEUE", "LNKQ", &[("TYPE", "EXTRA"), ("TYPEFILE", "OUTPUT"), ("RECORDFORMAT", "VARIABLE")]).unwrap();
    run(|task| {
        assert_eq!(write_queue(task, "LNKQ", "X")?.0, condition::NOTOPEN.0);
        Ok(())
    });
    assert!(!outside.exists());
}
