//! The TCBs on which the commands of the security manager run, and what a check costs.

use crate::support::{define, region};
use exec::{command, option};
use kernel::Mode;
use region::exec_interface::call::Call;
use region::name::{Name4, Name8};
use region::{AttachRequest, Raised, StartCode, Task};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

/// Changes of mode of a command: in all, to L8, and to RO.
type Changes = (u64, u64, u64);

static SENDER: Mutex<Option<mpsc::Sender<Vec<Changes>>>> = Mutex::new(None);

fn changes(task: &mut Task, call: &mut Call) -> Result<Changes, Raised> {
    let look = |task: &Task| {
        let times = task.kernel.times();
        (times.change_modes, times.modes[Mode::L8 as usize].switches, times.modes[Mode::Ro as usize].switches)
    };
    let before = look(task);
    call.execute(task)?;
    let after = look(task);
    Ok((after.0 - before.0, after.1 - before.1, after.2 - before.2))
}

/// A program on QR.
fn program(task: &mut Task) -> Result<(), Raised> {
    let mut verify = Call::new(command::VERIFY_PASSWORD);
    verify.text(task, option::PASSWORD, "SECRET1 ").text(task, option::USERID, "LONER   ");
    let mut query = Call::new(command::QUERY_SECURITY);
    query.text(task, option::RESTYPE, "SPCOMMAND   ").text(task, option::RESID, "FILE        ");
    for level in [option::READ, option::UPDATE, option::CONTROL, option::ALTER] {
        query.integer(level, 0);
    }
    let mut rebuild = Call::new(command::PERFORM_SECURITY_REBUILD);
    let all = [changes(task, &mut verify)?, changes(task, &mut query)?, changes(task, &mut rebuild)?];
    if let Some(sender) = SENDER.lock().unwrap().as_ref() {
        let _ = sender.send(all.to_vec());
    }
    Ok(())
}

/// A password is verified on L8 and never on RO (DSP-45); one QUERY SECURITY with four levels changes nothing (DSP-48); profiles are taken in on
/// RO (DSP-13).
#[test]
fn passwords_are_verified_on_an_open_tcb_and_profiles_read_on_ro() {
    region().programs().install_native(Name8::new("MODEPGM"), program);
    define("TMOD", "MODEPGM", &[]);
    let (sender, receiver) = mpsc::channel();
    *SENDER.lock().unwrap() = Some(sender);
    let mut request = AttachRequest::new(Name4::new("TMOD"), StartCode::Start);
    request.user_id = Name8::new("TELLER");
    region().attach(request).unwrap();
    let all = receiver.recv_timeout(Duration::from_secs(30)).unwrap();
    assert_eq!(all, [(2, 1, 0), (0, 0, 0), (2, 0, 1)]);
}
