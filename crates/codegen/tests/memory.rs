//! The memory of a compilation grows linearly with the program: the test counts live bytes, not time.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts the bytes that are allocated and the most there were.
struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// Every call goes to the system's allocator with the same arguments; the counters are atomic.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let live = LIVE.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(live, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, area: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(area, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A program of so many lines: items, paragraphs and statements in the proportions of business programs.
fn program_of(lines: usize) -> String {
    let paragraphs = lines / 8;
    let mut source =
        String::from("       IDENTIFICATION DIVISION.\n       PROGRAM-ID. T.\n       DATA DIVISION.\n       WORKING-STORAGE SECTION.\n");
    for n in 0..paragraphs {
        source.push_str(&format!("       01 A-{n} PIC S9(7)V99 COMP-3.\n       01 T-{n} PIC X(20) VALUE SPACES.\n"));
    }
    source.push_str("       PROCEDURE DIVISION.\n       MAIN.\n           PERFORM P-0\n           STOP RUN.\n");
    for n in 0..paragraphs {
        source.push_str(&format!(
            "       P-{n}.\n           ADD 1 TO A-{n}\n           IF A-{n} > 5\n             MOVE 'X' TO T-{n}\n           END-IF\n           \
             COMPUTE A-{n} = A-{n} * 2 + 1.\n"
        ));
    }
    source
}

/// The most bytes that were live while the program was compiled.
fn most_while_compiling(lines: usize) -> usize {
    let source = program_of(lines);
    assert!(source.lines().count().abs_diff(lines) < lines / 10);
    let before = LIVE.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    let compiled = cobol::compile_source("T.cbl", source.as_bytes(), &cobol::Options::default(), &cobol::source::NoCopies);
    assert!(compiled.is_usable(), "{:#?}", compiled.diagnostics);
    let image = codegen::compile(&compiled.programs, &codegen::Settings::default()).expect("the program compiles");
    assert!(!image.to_bytes().is_empty());
    MOST.load(Ordering::Relaxed) - before
}

#[test]
fn four_times_the_lines_take_about_four_times_the_memory() {
    let (small, large) = (most_while_compiling(10_000), most_while_compiling(40_000));
    println!("{small} bytes for 10,000 lines, {large} bytes for 40,000");
    // Vectors and tables grow by doubling: up to a quarter more.
    assert!(large < 5 * small, "{small} bytes for 10,000 lines, {large} for 40,000");
}
