//! For which tasks the task rules of a policy are: those of an application, or of some of its operations.
//!
//! Source: CICS TS 5.5, "Policy scopes". A policy of an application is for the tasks of that application; policy scopes restrict a policy to
//! operations. The initial application context of a task counts. Invariant: a scope never changes.

use crate::policy::Policy;
use region::application::{Application, Context};
use std::sync::Arc;

/// A policy in force, with its scope.
#[derive(Clone)]
pub struct Scoped {
    pub policy: Arc<Policy>,
    pub scope: Arc<Scope>,
}

/// The tasks that a policy is for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scope {
    application: Option<Arc<Application>>,
    /// None: all.
    operations: Vec<String>,
}

impl Scope {
    /// The tasks of an application, or of some of its operations.
    pub fn of(application: Option<Arc<Application>>, operations: Vec<String>) -> Scope {
        Scope { application, operations }
    }

    pub fn is_region(&self) -> bool {
        self.application.is_none() && self.operations.is_empty()
    }

    pub fn accepts(&self, context: Option<&Context>) -> bool {
        if self.is_region() {
            return true;
        }
        let Some(context) = context else { return false };
        let is_of_application = self.application.is_none() || self.application == context.application;
        is_of_application && (self.operations.is_empty() || self.operations.contains(&context.operation))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_is_for_an_application_and_its_operations() {
        let application = |name: &str| Arc::new(Application { platform: "p".to_string(), name: name.to_string(), version: [1, 0, 0] });
        let context = |name: Option<&str>, operation: &str| Context::of(name.map(application), operation);
        let all = Scope::default();
        assert!(all.accepts(None) && all.accepts(Some(&context(Some("a"), "x"))));
        let of_application = Scope { application: Some(application("a")), operations: Vec::new() };
        assert!(of_application.accepts(Some(&context(Some("a"), "x"))));
        assert!(!of_application.accepts(Some(&context(Some("b"), "x"))) && !of_application.accepts(None));
        let of_operation = Scope { application: None, operations: vec!["x".to_string()] };
        assert!(of_operation.accepts(Some(&context(None, "x"))) && of_operation.accepts(Some(&context(Some("b"), "x"))));
        assert!(!of_operation.accepts(Some(&context(None, "X"))), "names of operations are case sensitive");
    }
}
