//! What commands raise when the CSD cannot be used, or refuses a change. The RESP2 values mean the same in all commands.

use crate::{Raised, creation};
use csd::attribute_text::{self, Fault};
use csd::attributes::ResourceType;
use csd::{Part, Refused, Unavailable};
use exec::condition;
use exec::resp2::csd as resp2;

/// Why a command fails.
pub(super) enum Failure {
    Unavailable(Unavailable),
    Refused(Refused),
    Attributes(Fault),
    NoUserDefaults,
}

impl From<Unavailable> for Failure {
    fn from(unavailable: Unavailable) -> Self {
        Failure::Unavailable(unavailable)
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        Failure::Refused(refused)
    }
}

impl From<Unavailable> for Raised {
    fn from(unavailable: Unavailable) -> Self {
        match unavailable {
            Unavailable::Unreadable(reason) => {
                tracing::error!(target: "region::csd", "{reason}");
                Raised::new(condition::CSDERR, resp2::UNREADABLE)
            }
            Unavailable::ReadOnly => Raised::new(condition::CSDERR, resp2::READ_ONLY),
            Unavailable::Full => Raised::new(condition::CSDERR, resp2::FULL),
            Unavailable::InUse => Raised::new(condition::CSDERR, resp2::IN_USE),
        }
    }
}

impl Failure {
    /// The condition for the program. `about`: the type and name of the definition that the command is about.
    pub fn raised(self, region: &crate::Region, about: Option<(&'static ResourceType, &str)>) -> Raised {
        let of_attributes = |fault: &Fault| {
            let (resource, name) = about.expect("only commands about a definition have attributes");
            creation::attribute_fault(region, resource.name, name, fault)
        };
        match self {
            Failure::Unavailable(unavailable) => unavailable.into(),
            Failure::NoUserDefaults => Raised::new(condition::NOTFND, resp2::NO_USER_DEFAULTS),
            Failure::Attributes(fault) => of_attributes(&fault),
            Failure::Refused(Refused::Incomplete(fault)) => {
                let (resource, _) = about.expect("only commands about a definition make one");
                of_attributes(&attribute_text::incomplete(resource, fault))
            }
            Failure::Refused(refused) => refusal(&refused),
        }
    }
}

fn refusal(refused: &Refused) -> Raised {
    match refused {
        Refused::Locked(..) => Raised::new(condition::LOCKED, resp2::LOCKED),
        Refused::Supplied(..) => Raised::new(condition::LOCKED, resp2::SUPPLIED),
        Refused::DefinitionExists(..) | Refused::GroupInList(_) => Raised::new(condition::DUPRES, resp2::EXISTS),
        Refused::NameInUse(Part::Group, _) => Raised::new(condition::DUPRES, resp2::GROUP_IS_LIST),
        Refused::NameInUse(Part::List, _) => Raised::new(condition::DUPRES, resp2::LIST_IS_GROUP),
        Refused::NoDefinition(..) => Raised::new(condition::NOTFND, resp2::NO_DEFINITION),
        Refused::NoGroup(_) | Refused::GroupNotInList(_) => Raised::new(condition::NOTFND, resp2::NO_GROUP),
        Refused::NoList(_) => Raised::new(condition::NOTFND, resp2::NO_LIST),
        Refused::NoPlace(_) => Raised::new(condition::NOTFND, resp2::NO_PLACE),
        Refused::Incomplete(_) => unreachable!("the attributes of a definition have a RESP2 of their own"),
    }
}
