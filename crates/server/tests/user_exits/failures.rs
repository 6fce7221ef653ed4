//! Exit programs that fail: the region and the application go on.

use super::sources::run;
use super::{alone, says};

/// DFHAP0701 names the exit program and the exit point, and the return code is UERCNORM.
#[test]
fn an_exit_program_that_abends_is_reported_and_passed_over() {
    let _alone = alone();
    assert_eq!(run("EX30", &["EXBAD", "EXTEST30"]), "GOOD");
    assert!(says(&["DFHAP0701", "BAD1", "EXBAD", "XEIIN"]));
}

/// A wild pointer is 0C4 in the exit program, which is an abend of the exit program only.
#[test]
fn a_wild_pointer_ends_the_exit_program_only() {
    let _alone = alone();
    assert_eq!(run("EX31", &["EXWILD", "EXTEST31"]), "GOOD");
    assert!(says(&["DFHAP0701", "ASRA", "EXWILD", "XEIIN"]));
}

/// What the exit program leaves in its parameter list is not trusted: it fills the list, the addresses of the command's arguments and the lengths
/// with addresses that lead nowhere. The application's command fails as with addresses of its own, and the region goes on.
#[test]
fn addresses_that_an_exit_program_leaves_cannot_end_the_region() {
    let _alone = alone();
    assert_eq!(run("EX32", &["EXHOST", "EXTEST32"]), "GOOD");
}

/// A return code that the point does not have is reported; UERCNORM is taken.
#[test]
fn a_return_code_of_another_point_is_not_accepted() {
    let _alone = alone();
    assert_eq!(run("EX33", &["EXCODE", "EXTEST33"]), "GOOD");
    assert!(says(&["DFHAP0700", "EXCODE", "XEIOUT", "99"]));
}
