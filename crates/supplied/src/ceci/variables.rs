//! Variables of CECI: each has a name (`&NAME`), a length and data.

use std::collections::BTreeMap;

/// Longest data of one variable.
pub const LENGTH_MAX: usize = 32_767;
/// Longest name, without the ampersand.
pub const NAME_LENGTH_MAX: usize = 9;

#[derive(Clone, Debug, Default)]
pub struct Variables(BTreeMap<String, Vec<u8>>);

impl Variables {
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.0.get(&key(name)).map(Vec::as_slice)
    }

    pub fn set(&mut self, name: &str, mut data: Vec<u8>) {
        data.truncate(LENGTH_MAX);
        let key = key(name);
        if !key.is_empty() {
            self.0.insert(key, data);
        }
    }

    pub fn remove(&mut self, name: &str) {
        self.0.remove(&key(name));
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().map(|(name, data)| (name.as_str(), data.as_slice()))
    }
}

fn key(name: &str) -> String {
    name.trim().trim_start_matches('&').chars().take(NAME_LENGTH_MAX).collect::<String>().to_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_folded_and_bounded() {
        let mut variables = Variables::default();
        variables.set("&rec", vec![1; LENGTH_MAX + 1]);
        assert_eq!(variables.get("REC").map(<[u8]>::len), Some(LENGTH_MAX));
        variables.set("&", vec![1]);
        assert_eq!(variables.iter().count(), 1);
        variables.remove("&REC");
        assert!(variables.get("rec").is_none());
    }
}
