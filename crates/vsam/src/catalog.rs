//! Draft of the catalog's public interface.
/// Organisation of a data set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Organisation {
    Ksds,
    Esds,
    Rrds,
    /// RRDS with variable length records.
    Vrrds,
    Linear,
}
/// The VSAM catalog of a store.
pub struct Catalog {}
