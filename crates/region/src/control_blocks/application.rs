//! Application contexts: the application, its version and the operation that a task works for.
//!
//! A task gets a context when it passes an application entry point: a program or a transaction that an enabled and available bundle declares.
//! The first one is the initial context of the task: monitoring has it, and policies select tasks by it. The latest one is the current context:
//! programs see it, and it decides which private programs they find. A START without TERMID and RUN TRANSID hand both on.
//! Source: CICS TS 5.5, "Application context", "Application entry points". Invariant: a task with a current context has an initial one.

use parking_lot::Mutex;
use std::sync::{Arc, OnceLock};

/// Longest name of an application, a platform and an operation.
pub const NAME_LENGTH_MAX: usize = 64;
/// How the scope of a bundle that belongs to an application begins: `cicsapplication://platform/application/major/minor/micro`.
const SCOPE: &str = "cicsapplication://";

/// Major, minor and micro version.
pub type Version = [u32; 3];

/// A version of an application on a platform. The order of versions is that of their numbers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Application {
    pub platform: String,
    pub name: String,
    pub version: Version,
}

impl Application {
    /// The application of a bundle, by its BASESCOPE; `None` for a bundle of its own.
    ///
    /// # Errors
    ///
    /// The scope is one of applications, and names none.
    pub fn of_scope(scope: &str) -> Result<Option<Application>, String> {
        let Some(rest) = scope.strip_prefix(SCOPE) else { return Ok(None) };
        let fault = || format!("BASESCOPE {scope} is not {SCOPE}platform/application/major/minor/micro");
        let parts: Vec<&str> = rest.trim_end_matches('/').split('/').collect();
        let [platform, name, major, minor, micro] = parts[..] else { return Err(fault()) };
        let number = |text: &str| text.parse::<u32>().ok().filter(|number| i32::try_from(*number).is_ok()).ok_or_else(fault);
        if !is_name(platform) || !is_name(name) {
            return Err(fault());
        }
        let version = [number(major)?, number(minor)?, number(micro)?];
        Ok(Some(Application { platform: platform.to_string(), name: name.to_string(), version }))
    }
}

/// The characters of the name of an application, a platform or an operation.
pub fn is_name(name: &str) -> bool {
    let is_known = |character: char| character.is_ascii_alphanumeric() || "._#@-".contains(character);
    !name.is_empty() && name.len() <= NAME_LENGTH_MAX && name.chars().all(is_known)
}

/// An application context.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Context {
    /// `None`: the entry point is of a bundle that belongs to no application, or of SET PROGRAM OPERATION.
    pub application: Option<Arc<Application>>,
    pub operation: String,
    /// SET PROGRAM OPERATION made the entry point, not a bundle.
    pub is_experiment: bool,
}

impl Context {
    pub fn of(application: Option<Arc<Application>>, operation: &str) -> Context {
        Context { application, operation: operation.to_string(), is_experiment: false }
    }

    pub fn platform(&self) -> &str {
        self.application.as_ref().map_or("", |application| &application.platform)
    }

    pub fn name(&self) -> &str {
        self.application.as_ref().map_or("", |application| &application.name)
    }

    /// Major, minor and micro version; -1 without an application.
    pub fn version(&self) -> [i64; 3] {
        self.application.as_ref().map_or([-1; 3], |application| application.version.map(i64::from))
    }
}

/// The contexts of a task.
#[derive(Default)]
pub struct TaskContexts {
    initial: OnceLock<Arc<Context>>,
    current: Mutex<Option<Arc<Context>>>,
}

impl TaskContexts {
    /// Those that a task has from the one that started it.
    pub fn inherited(handed_on: Option<&HandedOn>) -> TaskContexts {
        let contexts = TaskContexts::default();
        if let Some(HandedOn { initial, current }) = handed_on {
            let _ = contexts.initial.set(initial.clone());
            *contexts.current.lock() = current.clone();
        }
        contexts
    }

    #[inline]
    pub fn initial(&self) -> Option<&Arc<Context>> {
        self.initial.get()
    }

    #[inline]
    pub fn current(&self) -> Option<Arc<Context>> {
        self.initial.get().and_then(|_| self.current.lock().clone())
    }

    /// The task has passed an entry point; true if it is its first.
    pub fn enter(&self, context: &Arc<Context>) -> bool {
        let is_first = self.initial.set(context.clone()).is_ok();
        self.return_to(Some(context));
        is_first
    }

    /// The task is again in the program of an outer level.
    pub fn return_to(&self, context: Option<&Arc<Context>>) {
        assert!(context.is_none() || self.initial.get().is_some(), "a task with a current context has an initial one");
        *self.current.lock() = context.cloned();
    }

    /// What the tasks that this one starts get.
    pub fn handed_on(&self) -> Option<HandedOn> {
        self.initial.get().map(|initial| HandedOn { initial: initial.clone(), current: self.current.lock().clone() })
    }
}

/// The contexts that a task hands on to one that it starts.
#[derive(Clone, Debug)]
pub struct HandedOn {
    pub initial: Arc<Context>,
    pub current: Option<Arc<Context>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_names_platform_application_and_version() {
        let found = Application::of_scope("cicsapplication://plat/Payroll.v/1/2/3").unwrap().unwrap();
        assert_eq!((found.platform.as_str(), found.name.as_str(), found.version), ("plat", "Payroll.v", [1, 2, 3]));
        assert_eq!(Application::of_scope("http://example.com/a"), Ok(None));
        assert_eq!(Application::of_scope(""), Ok(None));
        for wrong in ["p/a/1/2", "p/a/1/2/x", "p/a/1/2/3/4", "/a/1/2/3", "p//1/2/3", "p/a b/1/2/3", "p/a/1/2/2147483648"] {
            assert!(Application::of_scope(&format!("{SCOPE}{wrong}")).is_err(), "{wrong}");
        }
        let of_length = |length: usize| Application::of_scope(&format!("{SCOPE}p/{}/1/0/0", "a".repeat(length)));
        assert!(of_length(NAME_LENGTH_MAX).is_ok() && of_length(NAME_LENGTH_MAX + 1).is_err());
    }

    #[test]
    fn the_first_context_stays_the_initial_one() {
        let contexts = TaskContexts::default();
        let of = |operation: &str| Arc::new(Context::of(None, operation));
        assert!(contexts.handed_on().is_none() && contexts.enter(&of("first")) && !contexts.enter(&of("second")));
        let inherited = TaskContexts::inherited(contexts.handed_on().as_ref());
        assert_eq!(inherited.initial().unwrap().operation, "first");
        assert_eq!(inherited.current().unwrap().operation, "second");
        assert!(!inherited.enter(&of("third")));
        inherited.return_to(None);
        assert!(inherited.current().is_none() && inherited.initial().is_some());
    }
}
