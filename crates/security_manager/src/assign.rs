//! The options of ASSIGN about the user of the task, from the CICS segment of his profile.

use crate::manager::TaskState;
use exec::{OptionId, option};
use region::name::Name3;
use region::{Assigned, Task};
use smallvec::SmallVec;

/// Bytes of OPCLASS: a bit for each of 24 classes, the last bit for class 1.
const OPERATOR_CLASS_BYTES: usize = 3;

/// `None` for other options, and with SEC=NO.
pub fn assign(task: &Task, option: OptionId) -> Option<Assigned> {
    let identity = TaskState::identity(task)?;
    let operator = &identity.operator;
    Some(match option {
        option::USERNAME => Assigned::Text(identity.name.clone()),
        option::OPID => Assigned::Name3(Name3::new(&operator.operator_identification)),
        option::OPCLASS => {
            let bytes = operator.operator_classes.to_be_bytes();
            Assigned::Bytes(SmallVec::from_slice(&bytes[bytes.len() - OPERATOR_CLASS_BYTES..]))
        }
        option::USERPRIORITY => Assigned::Number(i64::from(operator.operator_priority)),
        _ => return None,
    })
}
