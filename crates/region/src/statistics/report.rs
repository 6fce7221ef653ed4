//! The statistics report, as the sample program DFH0STAT prints it: transaction STAT.
//!
//! Each domain has its own sections; this module assembles them with their common parts.
//!
//! The report is a text file for a printer of 132 columns, in `reports` of the data directory. Figures count from the start of the region,
//! and peaks from the last reset of statistics. Those of an LSR pool count from the opening of its first file.

use crate::Region;
use crate::figures::Report;
use std::path::PathBuf;
use vsam::disk::private;

/// Where reports are, in the data directory.
pub const DIRECTORY: &str = "reports";

/// 1,234,567
pub fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The largest ratio shown, for division by zero.
const RATIO_MAX: f64 = 9_999_999.99;

/// How many of `these` to one of `those`.
pub fn ratio(these: f64, those: f64) -> String {
    let value = if these == 0.0 { 0.0 } else { (these / those).min(RATIO_MAX) };
    format!("{value:.2}")
}

/// A part of a whole, as the report shows it.
pub fn percent(part: u64, whole: u64) -> String {
    format!("{:.2}%", if whole == 0 { 0.0 } else { part as f64 * 100.0 / whole as f64 })
}

/// The whole report.
pub fn text(region: &'static Region) -> String {
    let now = crate::clock::now_local();
    let place = format!("Applid {}   Sysid {}   {} {}", region.applid, region.sysid, now.date_text(), now.time_text());
    let mut report = Report::new(place);
    for write in region.registry.domains().iter().filter_map(|domain| domain.report) {
        write(region, &mut report);
    }
    report.text
}

/// Writes the report; where it is.
pub fn write(region: &'static Region) -> std::io::Result<PathBuf> {
    let directory = region.data_directory.join(DIRECTORY);
    private::create_directory(&directory)?;
    let now = crate::clock::now_local();
    let path = directory.join(format!("DFH0STAT-{}-{:06}.txt", now.date_text(), now.hhmmss()));
    private::write(&path, text(region).as_bytes())?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_separators_and_ratios_an_end() {
        assert_eq!([0, 999, 1000, 1_234_567].map(number), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(ratio(0.0, 0.0), "0.00");
        assert_eq!(ratio(260_933.0, 520_408.0), "0.50");
        assert_eq!(ratio(535_119.0, 0.0), "9999999.99");
        assert_eq!(percent(260_204, 781_341), "33.30%");
    }
}
