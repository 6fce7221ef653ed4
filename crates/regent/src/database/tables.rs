//! How `[database]` is read: a table in it whose name is no setting is a further database, named by its location.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, Visitor};

use super::Settings;

/// The settings of a database. The names of all others are locations.
const SETTINGS: [&str; 12] = [
    "url",
    "location",
    "password_file",
    "password_env",
    "root_certificate",
    "certificate",
    "key",
    "schema",
    "qualifier",
    "order",
    "scripts",
    "jobs",
];
/// Characters of a location name.
const NAME_MAX: usize = 16;

/// Reads `[database]` with `[database.NAME]`.
pub fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Settings>, D::Error> {
    deserializer.deserialize_map(Whole).map(Some)
}

struct Whole;

impl<'de> Visitor<'de> for Whole {
    type Value = Settings;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("the settings of a database")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Settings, A::Error> {
        let mut locations = BTreeMap::new();
        let own = Settings::deserialize(MapAccessDeserializer::new(Own { map, locations: &mut locations }))?;
        let name = own.location.as_deref().unwrap_or_default();
        if !name.is_empty() {
            checked(name).map_err(A::Error::custom)?;
        }
        let local = own.bind_location();
        if locations.contains_key(&local) {
            return Err(A::Error::custom(format!(
                "location {local} is the application's own database; `location` gives that another name"
            )));
        }
        Ok(Settings { locations, ..own })
    }
}

/// The settings; locations are taken out.
struct Own<'a, A> {
    map: A,
    locations: &'a mut BTreeMap<String, Settings>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Own<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        while let Some(key) = self.map.next_key::<String>()? {
            if SETTINGS.contains(&key.as_str()) {
                return seed.deserialize(key.into_deserializer()).map(Some);
            }
            let settings = self.map.next_value_seed(OfLocation(&key))?;
            let name = settings.name.clone();
            if self.locations.insert(name.clone(), settings).is_some() {
                return Err(A::Error::custom(format!("location {name} is there twice")));
            }
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

/// The table of a location; anything else is an unknown setting.
struct OfLocation<'a>(&'a str);

impl<'de> DeserializeSeed<'de> for OfLocation<'_> {
    type Value = Settings;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Settings, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl OfLocation<'_> {
    fn unknown<T, E: Error>(&self) -> Result<T, E> {
        Err(E::unknown_field(self.0, &SETTINGS))
    }
}

impl<'de> Visitor<'de> for OfLocation<'_> {
    type Value = Settings;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "a table with the settings of location {}", self.0)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Settings, A::Error> {
        let name = checked(self.0).map_err(A::Error::custom)?;
        let settings = Settings::deserialize(MapAccessDeserializer::new(map))?;
        if settings.location.is_some() || !settings.jobs.is_empty() {
            let wrong = if settings.jobs.is_empty() { "location" } else { "jobs" };
            return Err(A::Error::custom(format!("`{wrong}` is for [database] alone, not for location {name}")));
        }
        Ok(Settings { name, ..settings })
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<Settings, E> {
        self.unknown()
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<Settings, E> {
        self.unknown()
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<Settings, E> {
        self.unknown()
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<Settings, E> {
        self.unknown()
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, _: A) -> Result<Settings, A::Error> {
        self.unknown()
    }
}

/// A location name in capital letters.
fn checked(name: &str) -> Result<String, String> {
    let begins = name.starts_with(|first: char| first.is_ascii_alphabetic());
    let is_name = begins && name.len() <= NAME_MAX && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    match is_name {
        true => Ok(name.to_uppercase()),
        false => Err(format!("`{name}` is no location name: a letter, then at most {} letters, digits and underscores", NAME_MAX - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct File {
        #[serde(default, deserialize_with = "read")]
        database: Option<Settings>,
    }

    fn read_text(text: &str) -> Result<Settings, String> {
        toml::from_str::<File>(text).map(|file| file.database.unwrap()).map_err(|error| error.message().to_string())
    }

    #[test]
    fn tables_in_the_database_are_locations() {
        let settings =
            read_text("[database]\nschema = \"S\"\n[database.payroll]\nurl = \"postgresql://u@h/d\"\nschema = \"P\"\n[database.HR_2]\n")
                .unwrap();
        assert_eq!(settings.schema.as_deref(), Some("S"));
        assert_eq!(settings.locations.keys().collect::<Vec<_>>(), ["HR_2", "PAYROLL"]);
        assert_eq!(settings.of_location("payroll").unwrap().schema.as_deref(), Some("P"));
        assert!(settings.of_location("OTHER").unwrap_err().contains("HR_2, PAYROLL"));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, expected) in [
            ("[database]\nulr = \"x\"\n", "unknown field `ulr`"),
            ("[database]\nulr = [1]\n", "unknown field `ulr`"),
            ("[database.2ND]\n", "`2ND` is no location name"),
            ("[database.A_NAME_THAT_IS_TOO_LONG]\n", "no location name"),
            ("[database.\"A-B\"]\n", "`A-B` is no location name"),
            ("[database.A]\n[database.a]\n", "location A is there twice"),
            ("[database.A]\nulr = \"x\"\n", "unknown field `ulr`"),
            ("[database.A]\njobs = [\"J\"]\n", "`jobs` is for [database] alone"),
            ("[database.REGENTDB]\n", "the application's own database"),
            ("[database]\nlocation = \"DB2A\"\n[database.DB2A]\n", "the application's own database"),
        ] {
            let error = read_text(text).unwrap_err();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn every_setting_is_known() {
        let error = toml::from_str::<Settings>("x = 1").unwrap_err().to_string();
        for setting in SETTINGS {
            assert!(error.contains(&format!("`{setting}`")) || setting == "qualifier", "{setting}: {error}");
        }
    }
}
