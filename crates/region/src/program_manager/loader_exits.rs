//! XLDLOAD and XLDELETE: the exit points of the loader, after a program has been loaded and before its copy is given up.
//!
//! Load modules belong to all tasks. A program is loaded by the first task that uses it, and its copy is given up by NEWCOPY, PHASEIN, DISCARD,
//! and, for the data of LOAD, by the last RELEASE. Programs that run on keep the old copy.

use super::program::{Code, Program, ProgramFault};
use crate::name::Name8;
use crate::{ExitArgument, Task};
use exec::{ExitPoint, exit_point};

/// What exit programs are told of a copy.
pub(crate) struct LoadedCopy {
    name: Name8,
    length: usize,
    /// Of the data of LOAD; 0: there are none.
    address: usize,
}

impl LoadedCopy {
    /// The present copy; `None`: the program is not loaded.
    pub(crate) fn of(program: &Program) -> Option<LoadedCopy> {
        let address = program.image().map(|(address, _)| address);
        let is_there = address.is_some() || program.is_loaded() && !program.is_native();
        is_there.then(|| LoadedCopy { name: program.name, length: program.length(), address: address.unwrap_or(0) })
    }
}

impl Task {
    /// The code of a program, which is loaded if it is not.
    pub(super) fn code_of(&mut self, program: &Program) -> Result<Code, ProgramFault> {
        let is_new = self.has_exit(exit_point::XLDLOAD) && !program.is_loaded();
        let region = self.region;
        let code = self.on_resource_owner(program, || region.programs().code(region, program))?;
        if is_new {
            self.copy_loaded(program);
        }
        Ok(code)
    }

    /// XLDLOAD.
    pub(crate) fn copy_loaded(&mut self, program: &Program) {
        self.call_loader_exit(exit_point::XLDLOAD, LoadedCopy::of(program));
    }

    /// XLDELETE.
    pub(crate) fn copy_given_up(&mut self, copy: Option<LoadedCopy>) {
        self.call_loader_exit(exit_point::XLDELETE, copy);
    }

    /// Gives back one LOAD, and the data if it was the last.
    pub(super) fn release_program(&mut self, program: &Program) {
        if program.end_load() {
            self.copy_given_up(LoadedCopy::of(program));
            program.drop_image();
        }
    }

    /// A purge of the task is noticed by what it does next.
    fn call_loader_exit(&mut self, point: ExitPoint, copy: Option<LoadedCopy>) {
        let Some(copy) = copy.filter(|_| self.has_exit(point)) else { return };
        let fullword = |value: usize| ExitArgument::bytes(&(value as u32).to_be_bytes());
        let page = &self.region.code_page;
        let mut arguments = self.exit_arguments(point, |parameter| {
            Some(match parameter {
                "UEPPROGN" => ExitArgument::bytes(&page.encode_name(&copy.name)),
                "UEPPROGL" => fullword(copy.length),
                "UEPLDPT" | "UEPENTRY" => fullword(copy.address),
                "UEPLDCTXT" => ExitArgument::Absent,
                _ => return None,
            })
        });
        let _ = self.call_exit(point, &mut arguments);
    }
}
