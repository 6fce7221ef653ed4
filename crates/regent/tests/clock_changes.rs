//! The clock of the machine is set while tasks wait: intervals are not those of the clock, and trace goes on in its order.
//!
//! A library put before the C library (`LD_PRELOAD`) adds to the time of day what a file says.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use support::application::Application;
use support::terminal::Terminal;
use support::{Region, regent};

/// `CLOCK_OFFSET` names the file with the seconds that are added. It is looked at fifty times a second.
const CLOCK: &str = r#"
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static _Atomic long offset;
static int (*real)(clockid_t, struct timespec *);

static void *watch(void *unused)
{
    for (;; usleep(20000)) {
        FILE *file = fopen(getenv("CLOCK_OFFSET"), "r");
        long seconds;
        if (file == NULL)
            continue;
        if (fscanf(file, "%ld", &seconds) == 1)
            offset = seconds;
        fclose(file);
    }
    return unused;
}

__attribute__((constructor)) static void begin(void)
{
    pthread_t thread;
    real = dlsym(RTLD_NEXT, "clock_gettime");
    pthread_create(&thread, NULL, watch, NULL);
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    int result = (real ? real : (real = dlsym(RTLD_NEXT, "clock_gettime")))(clock, time);
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)
        time->tv_sec += offset;
    return result;
}
"#;

/// Starts a transaction in two seconds, waits for as long, and shows the date.
const PROGRAM: &str = "       IDENTIFICATION DIVISION.
       PROGRAM-ID. WAITER.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-TIME         PIC S9(15) COMP-3.
       01  WS-OUT.
           05  FILLER      PIC X(6) VALUE 'DATE: '.
           05  WS-DATE     PIC X(8).
       PROCEDURE DIVISION.
           IF EIBTRNID = 'FIRE'
               EXEC CICS WRITEQ TS QUEUE('FIRED') FROM(WS-OUT)
                    LENGTH(6) END-EXEC
               EXEC CICS RETURN END-EXEC
           END-IF
           EXEC CICS START TRANSID('FIRE') AFTER SECONDS(2) END-EXEC
           EXEC CICS DELAY FOR SECONDS(2) END-EXEC
           EXEC CICS ASKTIME ABSTIME(WS-TIME) END-EXEC
           EXEC CICS FORMATTIME ABSTIME(WS-TIME) YYYYMMDD(WS-DATE)
                END-EXEC
           EXEC CICS SEND TEXT FROM(WS-OUT) LENGTH(14) ERASE FREEKB
           END-EXEC
           EXEC CICS RETURN END-EXEC.
";
const DEFINITIONS: &str = "DEFINE PROGRAM(WAITER) GROUP(APP)
DEFINE TRANSACTION(WAIT) GROUP(APP) PROGRAM(WAITER)
DEFINE TRANSACTION(FIRE) GROUP(APP) PROGRAM(WAITER)
";

/// The library, in a directory.
fn clock_in(directory: &Path) -> PathBuf {
    let (source, library) = (directory.join("clock.c"), directory.join("clock.so"));
    std::fs::write(&source, CLOCK).expect("written");
    let compiled = Command::new("cc").args(["-shared", "-fPIC", "-o"]).args([&library, &source]).args(["-ldl", "-lpthread"]).status();
    assert!(compiled.expect("cc is installed").success());
    library
}

#[test]
fn intervals_are_kept_when_the_clock_is_set() {
    const DAY: i64 = 86_400;
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let (library, offset) = (clock_in(scratch.path()), scratch.path().join("offset"));
    let set = |seconds: i64| {
        std::fs::write(offset.with_extension("new"), seconds.to_string()).expect("written");
        std::fs::rename(offset.with_extension("new"), &offset).expect("renamed");
    };
    set(0);
    let application = Application::new();
    application.write("WAITER.cbl", PROGRAM);
    application.write("app.csd", DEFINITIONS);
    let environment: [(&str, &Path); 2] = [("LD_PRELOAD", &library), ("CLOCK_OFFSET", &offset)];
    let region = Region::start_in(&environment, application.path(), application.data(), &["--sit", "AUXTR=ON"]);
    let mut terminal = Terminal::connect(region.port);
    terminal.act("Set(AidWait,False)");
    let mut dates = Vec::new();
    for step in [0, DAY, -DAY, 400 * DAY, 0] {
        let begun = Instant::now();
        terminal.clear();
        terminal.type_text("WAIT");
        terminal.act("Enter");
        std::thread::sleep(Duration::from_millis(500));
        set(step);
        terminal.expect("DATE: ");
        let taken = begun.elapsed();
        assert!((Duration::from_secs(2)..Duration::from_secs(20)).contains(&taken), "the clock is set by {step}: {taken:?}");
        dates.push(terminal.at(1, 8, 8));
        testing::eventually("the START has expired", || {
            terminal.transaction("CECI DELETEQ TS QUEUE(FIRED)");
            terminal.enter();
            terminal.text().iter().any(|line| line.contains("RESPONSE: NORMAL"))
        });
    }
    assert!(dates[1] > dates[0] && dates[2] < dates[0] && dates[3] > dates[1], "the programs see the clock: {dates:?}");
    drop(terminal);
    assert_eq!(region.stop(), 0);
    // No interval between two entries is of a day: they have the time of one clock that is never set.
    let printed = regent().arg("trace").arg(application.data()).args(["--form", "short"]).output().expect("it runs");
    let text = String::from_utf8_lossy(&printed.stdout).into_owned();
    let longest = text.split("INTERVAL-").skip(1).filter_map(|rest| rest.split(['.', ' ']).next()?.parse::<u64>().ok()).max();
    assert!(longest.is_some_and(|seconds| seconds < 20), "{longest:?}");
}
