//! Names of resources as the region keeps them: a fixed number of ASCII characters, blank padded.
//!
//! Programs pass names in the region's code page; [`crate::code_page::RegionCodePage::name`] converts them from storage.

pub use kernel::name::{Name, Name8, Name16};

/// Transactions, terminals, systems, queues of transient data.
pub type Name4 = Name<4>;
/// Operator identifications, languages.
pub type Name3 = Name<3>;

/// The same name in another length: cut or padded.
pub fn resized<const N: usize, const M: usize>(name: &Name<N>) -> Name<M> {
    Name::from_bytes(name.as_bytes())
}
