//! TSMODELs: where queues whose names begin so are kept, and whether they are recoverable.

use super::QueueName;
use crate::code_page::RegionCodePage;
use crate::resources::TsModelDefinition;
use std::sync::Arc;

/// A character of PREFIX that stands for any.
const WILD: u8 = b'+';

#[derive(Clone)]
pub(super) struct Model {
    pub definition: Arc<TsModelDefinition>,
}

impl Model {
    pub fn new(definition: TsModelDefinition) -> Self {
        Self { definition: Arc::new(definition) }
    }

    pub fn matches(&self, name: &QueueName, code_page: &RegionCodePage) -> bool {
        let prefix = &self.definition.prefix;
        let readable: crate::name::Name16 = code_page.name(name);
        prefix.len() <= name.len() && prefix.iter().zip(readable.as_bytes()).all(|(wanted, present)| *wanted == WILD || wanted == present)
    }

    /// The longer prefix wins, and of equal ones the one with fewer wild characters.
    pub fn weight(&self) -> (usize, usize) {
        let prefix = &self.definition.prefix;
        (prefix.len(), prefix.iter().filter(|character| **character != WILD).count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resources::Definition;

    fn model(name: &str, prefix: &str) -> Model {
        Model::new(TsModelDefinition::from(&Definition::new("TSMODEL", name, "G").with("PREFIX", prefix)))
    }

    #[test]
    fn the_longest_matching_prefix_wins() {
        let page = RegionCodePage::new(&le::code_page::CCSID_037);
        let mut name = [0x40; 16];
        name[..5].copy_from_slice(&page.encode("PAY01"));
        let models = [model("A", "PAY"), model("B", "P+Y0"), model("C", "PAX")];
        assert!(models[0].matches(&name, &page) && models[1].matches(&name, &page) && !models[2].matches(&name, &page));
        assert!(models[1].weight() > models[0].weight());
        assert!(model("D", "P++").weight() < model("E", "PA+").weight());
    }
}
