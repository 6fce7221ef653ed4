//! INQUIRE ASSOCIATION: where the work of a task came from.
//!
//! TCP/IP services, connections to other regions and adapters do not exist here; their options return blanks, zero or NOTAPPLIC, and an
//! address 0.0.0.0.

use super::application;
use crate::clock::local_from_system;
use crate::control_blocks::origin::{Ancestry, Origin};
use crate::inquiry::either;
use crate::recovery_manager::NETWORK;
use crate::{Arguments, Outcome, Region, Task, TaskShared, raise};
use exec::resp2::tasks as resp2;
use exec::{OptionId, condition, cvda, option};

/// No address.
const NO_ADDRESS: &str = "0.0.0.0";
/// Bytes of TRNGRPID.
const GROUP_BYTES: usize = 28;

pub(super) fn inquire(task: &mut Task, arguments: &mut Arguments) -> Outcome {
    let asks = |option: OptionId| ![option::ASSOCIATION, option::RESP, option::RESP2].contains(&option);
    if !arguments.all().iter().any(|argument| asks(argument.option)) {
        return raise(condition::INVREQ, resp2::NOTHING_ASKED);
    }
    let number = arguments.integer(option::ASSOCIATION).and_then(|number| u32::try_from(number).ok());
    let shared = number.and_then(|number| task.region.transactions().task(number));
    let Some(shared) = shared.filter(|shared| shared.kernel.lock().is_some()) else {
        return raise(condition::TASKIDERR, resp2::NO_TASK);
    };
    let ancestry = shared.ancestry.as_deref();
    let own = Origin::of(&shared);
    let origin = ancestry.map_or(&own, |ancestry| &ancestry.origin);
    own_data(task.region, &shared, &own, arguments)?;
    origin_data(task.region, origin, arguments)?;
    previous_data(ancestry, arguments)?;
    application::give_association(arguments, shared.contexts.current().as_deref())?;
    nothing(arguments)
}

fn attached(origin: &Origin) -> i64 {
    origin.attached_at.map_or(0, |time| local_from_system(time).0)
}

/// Address, port and family of a client.
fn client(origin: &Origin, options: [OptionId; 3], arguments: &mut Arguments) -> Outcome {
    let [address, port, family] = options;
    let text = origin.client.map_or_else(|| NO_ADDRESS.to_string(), |client| client.ip().to_string());
    arguments.set_text(address, &text)?;
    arguments.set_integer(port, origin.client.map_or(0, |client| i64::from(client.port())));
    let known = origin.client.map(|client| either(client.is_ipv6(), cvda::IPV6, cvda::IPV4));
    arguments.set_integer(family, known.unwrap_or(cvda::NOTAPPLIC));
    Ok(())
}

fn own_data(region: &Region, shared: &TaskShared, own: &Origin, arguments: &mut Arguments) -> Outcome {
    arguments.set_name(option::APPLID, &region.applid)?;
    arguments.set_name(option::TRANSACTION, &own.transid)?;
    arguments.set_name(option::PROGRAM, &shared.definition.program)?;
    arguments.set_name(option::USERID, &own.user_id)?;
    arguments.set_name(option::INITUSERID, &own.user_id)?;
    arguments.set_text(option::FACILNAME, own.facility_name.as_str())?;
    arguments.set_integer(option::FACILTYPE, own.facility_type);
    arguments.set_name(option::LUNAME, &own.netname)?;
    arguments.set_integer(option::STARTTIME, attached(own));
    let family = own.client.map(|client| either(client.is_ipv6(), cvda::IPV6, cvda::IPV4));
    arguments.set_integer(option::IPFAMILY, family.unwrap_or(cvda::NOTAPPLIC));
    client(own, [option::CLIENTIPADDR, option::CLIENTPORT, option::CLNTIPFAMILY], arguments)
}

fn origin_data(region: &Region, origin: &Origin, arguments: &mut Arguments) -> Outcome {
    arguments.set_name(option::ODAPPLID, &region.applid)?;
    arguments.set_text(option::ODNETWORKID, NETWORK)?;
    arguments.set_name(option::ODTRANSID, &origin.transid)?;
    arguments.set_name(option::ODUSERID, &origin.user_id)?;
    arguments.set_text(option::ODFACILNAME, origin.facility_name.as_str())?;
    arguments.set_integer(option::ODFACILTYPE, origin.facility_type);
    arguments.set_name(option::ODLUNAME, &origin.netname)?;
    arguments.set_integer(option::ODTASKID, i64::from(origin.number));
    arguments.set_integer(option::ODSTARTTIME, attached(origin));
    // The origin's own task has this key, and no other origin of the region has it: network, region, task and time.
    let mut group = region.code_page.encode(&format!("{NETWORK}.{}", region.applid.as_str().trim_end()));
    group.resize(GROUP_BYTES - 12, region.code_page.space());
    group.extend(origin.number.to_be_bytes());
    group.extend(attached(origin).to_be_bytes());
    arguments.set_bytes(option::TRNGRPID, &group)?;
    match &origin.user_correlation {
        Some(data) => arguments.set_bytes(option::USERCORRDATA, &data[..])?,
        None => arguments.set_blank(&[option::USERCORRDATA])?,
    }
    client(origin, [option::ODCLNTIPADDR, option::ODCLNTPORT, option::ODIPFAMILY], arguments)
}

/// The task that issued the START.
fn previous_data(ancestry: Option<&Ancestry>, arguments: &mut Arguments) -> Outcome {
    let previous = ancestry.map(|ancestry| &ancestry.previous);
    arguments.set_text(option::PTTRANSID, previous.map_or("", |previous| previous.transid.as_str()))?;
    arguments.set_integer(option::PTTASKID, previous.map_or(0, |previous| i64::from(previous.number)));
    arguments.set_integer(option::PTSTARTTIME, previous.map_or(0, attached));
    arguments.set_integer(option::PTCOUNT, ancestry.map_or(0, |ancestry| i64::from(ancestry.starts)));
    Ok(())
}

/// What no task here has.
fn nothing(arguments: &mut Arguments) -> Outcome {
    let zero = [option::ODSERVERPORT, option::PHCOUNT, option::PHSTARTTIME, option::PHTASKID, option::SERVERPORT];
    arguments.set_integers(zero.map(|option| (option, 0)));
    arguments.set_integer(option::SRVRIPFAMILY, cvda::NOTAPPLIC);
    arguments.set_text(option::SERVERIPADDR, NO_ADDRESS)?;
    arguments.set_blank(&[
        option::APPLDATA,
        option::CLIENTLOC,
        option::DNAME,
        option::IPCONN,
        option::MVSIMAGE,
        option::NETID,
        option::ODADPTRDATA1,
        option::ODADPTRDATA2,
        option::ODADPTRDATA3,
        option::ODADPTRID,
        option::ODNETID,
        option::ODTCPIPS,
        option::PHAPPLID,
        option::PHNETWORKID,
        option::PHTRANSID,
        option::REALM,
        option::TCPIPJOB,
        option::TCPIPSERVICE,
        option::TCPIPZONE,
    ])
}
