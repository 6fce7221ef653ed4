//! INVDATA: zoned and packed items may hold invalid data, which statements process as earlier compilers did. (Enterprise COBOL for z/OS 6.4
//! Programming Guide, options INVDATA and ZONEDATA.)

use serde::{Deserialize, Serialize};
use std::fmt::{Display, Formatter, Result};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InvalidData {
    /// FORCENUMCMP: numeric comparisons of zoned items ignore their zones. NOFORCENUMCMP: zones count where earlier compilers compared the
    /// characters.
    pub numeric_comparison_forced: bool,
    /// CLEANSIGN: a sign position that holds no sign code is plus in comparisons and computations.
    pub signs_cleaned: bool,
}

impl InvalidData {
    /// INVDATA without suboptions is INVDATA(NOFORCENUMCMP,CLEANSIGN). Of suboptions that exclude each other the last one takes effect.
    pub fn parse(text: &str) -> Option<InvalidData> {
        let mut data = InvalidData { numeric_comparison_forced: false, signs_cleaned: true };
        for word in super::split_options(text) {
            match word.as_str() {
                "FORCENUMCMP" | "FNC" => data.numeric_comparison_forced = true,
                "NOFORCENUMCMP" | "NOFNC" => data.numeric_comparison_forced = false,
                "CLEANSIGN" | "CS" => data.signs_cleaned = true,
                "NOCLEANSIGN" | "NOCS" => data.signs_cleaned = false,
                _ => return None,
            }
        }
        Some(data)
    }

    /// ZONEDATA, the older option. Its values correspond to those of INVDATA; `None` inside: NOINVDATA.
    pub fn of_zonedata(text: &str) -> Option<Option<InvalidData>> {
        Some(match text {
            "PFD" => None,
            "NOPFD" => Some(InvalidData { numeric_comparison_forced: false, signs_cleaned: true }),
            "MIG" => Some(InvalidData { numeric_comparison_forced: true, signs_cleaned: true }),
            _ => return None,
        })
    }

    /// The equivalent value of ZONEDATA.
    pub fn zonedata(self) -> Option<&'static str> {
        self.signs_cleaned.then_some(if self.numeric_comparison_forced { "MIG" } else { "NOPFD" })
    }
}

impl Display for InvalidData {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        let comparison = if self.numeric_comparison_forced { "FORCENUMCMP" } else { "NOFORCENUMCMP" };
        let signs = if self.signs_cleaned { "CLEANSIGN" } else { "NOCLEANSIGN" };
        write!(out, "INVDATA({comparison},{signs})")
    }
}
