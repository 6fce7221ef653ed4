//! Code pages as options of commands: `--ccsid N`.

use codepage::{ALL, CodePage, Encoding};

/// Whether data of programs and files can be in this page: all in which digits, blanks and signs are one byte each. UTF-16 and the pages of
/// double-byte characters alone are for national data and conversions.
fn is_for_data(page: &CodePage) -> bool {
    !matches!(page.encoding, Encoding::Double | Encoding::Utf16)
}

/// The value of `--ccsid`.
pub fn ccsid(text: &str) -> Result<u16, String> {
    let number = text.trim().parse::<u16>().map_err(|_| format!("'{text}' is no CCSID: a number such as 37 is expected"))?;
    page(number).map(|page| page.ccsid)
}

/// The code page of data with this number, or what to do instead.
pub fn page(ccsid: u16) -> Result<&'static CodePage, String> {
    codepage::by_ccsid(ccsid).filter(|page| is_for_data(page)).ok_or_else(|| {
        let known: Vec<String> = ALL.iter().filter(|page| is_for_data(page)).map(|page| page.ccsid.to_string()).collect();
        let what = match codepage::by_ccsid(ccsid) {
            Some(_) => format!("code page {ccsid} is not one for data"),
            None => format!("there is no code page {ccsid}"),
        };
        format!("{what}; choose one of {}", known.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_without_a_page_is_refused_with_the_list() {
        assert_eq!(ccsid("037"), Ok(37));
        assert_eq!(ccsid("1399"), Ok(1399));
        assert_eq!(ccsid("1208"), Ok(1208));
        for wrong in ["38", "300", "1200", "70000", "EBCDIC"] {
            assert!(ccsid(wrong).is_err(), "{wrong}");
        }
        assert!(ccsid("38").unwrap_err().contains("there is no code page 38; choose one of 37, 273, 277"));
        let utf16 = ccsid("1200").unwrap_err();
        assert!(utf16.starts_with("code page 1200 is not one for data; choose one of 37, 273") && !utf16.contains("1200,"), "{utf16}");
    }
}
