//! The resource that a command names.

use crate::code_page::RegionCodePage;
use crate::name::Name;

/// Longest name of a resource: QNAME.
pub const NAME_BYTES_MAX: usize = 16;

/// The resource a command is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// Its type, as definitions call it.
    pub resource: &'static str,
    /// As the program gave it, padded with blanks.
    pub(crate) name: [u8; NAME_BYTES_MAX],
}

impl Target {
    pub fn name<const N: usize>(&self, code_page: &RegionCodePage) -> Name<N> {
        assert!(N <= NAME_BYTES_MAX);
        code_page.name(&self.name[..N])
    }

    pub fn bytes(&self) -> &[u8; NAME_BYTES_MAX] {
        &self.name
    }
}
