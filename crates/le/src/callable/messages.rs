//! Message texts of Language Environment and of the COBOL run time for conditions.
//!
//! `%1` to `%9` are inserts. Numbers and texts are those of z/OS Language Environment Runtime Messages, for the conditions that can arise
//! here.

use super::token::{CEE, IGZ, Token};

/// First message of the program interruptions: interruption 4 is CEE3204S.
const INTERRUPTION_FIRST: u16 = 3200;
/// CEE3250C, an abend.
pub const ABEND: u16 = 3250;

const INTERRUPTIONS: [&str; 15] = [
    "an operation",
    "a privileged-operation",
    "an execute",
    "a protection",
    "an addressing",
    "a specification",
    "a data",
    "a fixed-point overflow",
    "a fixed-point divide",
    "a decimal-overflow",
    "a decimal-divide",
    "an exponent-overflow",
    "an exponent-underflow",
    "a significance",
    "a floating-point-divide",
];

const CEE_TEXTS: [(u16, &str); 96] = [
    (102, "An unrecognized condition token was passed to %1 and could not be used."),
    (198, "The termination of a thread was signaled due to an unhandled condition."),
    (199, "The termination of a thread was signaled due to a STOP statement."),
    (201, "An unhandled condition was returned in a feedback code."),
    (252, "CEEHDLU was unable to find the requested user-written condition handler routine."),
    (253, "A user-written condition handler was unregistered. Additional registrations remain in the queue."),
    (254, "The first parameter passed to CEEMRCR was not 0 or 1."),
    (255, "The first parameter passed to CEEMRCE was an unrecognized label."),
    (256, "The user-written condition handler routine specified was already registered for this stack frame. It was registered again."),
    (257, "The user-written condition handler routine specified is not a valid entry."),
    (259, "A move to stack frame zero using CEEMRCR was requested from a stack frame zero handler."),
    (260, "No condition was active when a call to a condition management routine was made. The requested function was not performed."),
    (401, "An invalid case code was passed to CEENCOD."),
    (402, "An invalid control code was passed to CEENCOD."),
    (403, "An invalid severity code was passed to CEENCOD."),
    (451, "An invalid destination code was passed to %1."),
    (454, "The message number %1 could not be found for facility ID %2."),
    (455, "The message with message number %1 and facility ID %2 was truncated."),
    (458, "The message repository for facility ID %1 could not be located."),
    (462, "Instance specific information for the condition token could not be found."),
    (463, "The maximum size for an insert data item was exceeded."),
    (464, "Instance specific information for the condition token did not exist."),
    (553, "An internal error was detected in creating the inserts for a condition."),
    (803, "The heap identifier in a get storage request or a discard heap request was unrecognized."),
    (804, "The initial size value in a create heap request was unrecognized."),
    (805, "The increment value in a create heap request was unrecognized."),
    (806, "The options value in a create heap request was unrecognized."),
    (808, "Storage size in a get storage request (CEEGTST) or a reallocate request (CEECZST) was not a positive number."),
    (810, "The storage address in a free storage request (CEEFRST) or a reallocate request (CEECZST) was not recognized."),
    (812, "An invalid attempt to discard the Initial Heap was made."),
    (813, "Insufficient storage was available to satisfy a get storage request."),
    (2028, "The value of the second argument was outside the valid range %1 in math routine %2."),
    (2002, "The argument value was too close to one of the singularities (%1) in math routine %2."),
    (2005, "The value of the argument was outside the valid range %1 in math routine %2."),
    (2009, "The value of the real part of the argument was greater than %1 in math routine %2."),
    (2010, "The argument was less than %1 in math routine %2."),
    (2011, "The argument was greater than %1 in math routine %2."),
    (2012, "The argument was less than or equal to %1 in math routine %2."),
    (2014, "Both arguments were equal to %1 in math routine %2."),
    (2016, "The absolute value of the argument was greater than %1 in math routine %2."),
    (2017, "The absolute value of the argument was greater than or equal to %1 in math routine %2."),
    (2018, "The real and imaginary parts of the argument were equal to %1 in math routine %2."),
    (2022, "The value of the argument was plus or minus %1 in math routine %2."),
    (2025, "An underflow has occurred in math routine %2."),
    (2507, "Insufficient data was passed to CEEDAYS or CEESECS. The Lilian value was not calculated."),
    (2508, "The date value passed to CEEDAYS or CEESECS was invalid."),
    (2510, "The hours value in a call to CEEISEC or CEESECS was not recognized."),
    (2512, "The Lilian date value passed in a call to CEEDATE or CEEDYWK was not within the supported range."),
    (2513, "The input date was not within the supported range."),
    (2516, "The minutes value in a call to CEEISEC was not recognized."),
    (2517, "The month value in a call to CEEISEC was not recognized."),
    (2518, "An invalid picture string was specified in a call to a date/time service."),
    (2519, "The seconds value in a call to CEEISEC was not recognized."),
    (2520, "CEEDAYS detected nonnumeric data in a numeric field, or the date string did not match the picture string."),
    (2525, "CEESECS detected nonnumeric data in a numeric field, or the timestamp string did not match the picture string."),
    (2526, "The date string returned by CEEDATE was truncated."),
    (2527, "The timestamp string returned by CEEDATM was truncated."),
    (2530, "A debug tool was not available."),
    (3102, "Invalid CEE3DMP options or suboptions were found and ignored."),
    (3103, "An error occurred in writing messages to the dump file."),
    (3250, "The system or user abend %1 was issued."),
    (3296, "Some of the data in the condition string from CEE3SPM could not be recognized."),
    (3298, "A call to CEE3SPM attempted to PUSH settings onto a full stack."),
    (3299, "A call to CEE3SPM attempted to POP settings off an empty stack."),
    (3300, "The action parameter in CEE3SPM was not one of the digits 1 to 5."),
    (3649, "The parameter string returned from CEE3PRM exceeded the maximum length of 80 bytes and was truncated."),
    (
        3450,
        "Only one language was on the stack when a POP request was made to CEE3LNG. The current language was returned in the desired language parameter.",
    ),
    (3451, "The desired language for the PUSH or SET function for CEE3LNG was invalid. No operation was performed."),
    (3452, "The function specified for CEE3LNG was not recognized. No operation was performed."),
    (
        3455,
        "Only one country code was on the stack when a POP request was made to CEE3CTY. The current country code was returned in the country code parameter.",
    ),
    (3456, "The country code for the PUSH or SET function for CEE3CTY was invalid. No operation was performed."),
    (3457, "The function specified for CEE3CTY was not recognized. No operation was performed."),
    (3461, "The country code was invalid for CEE3MDS. The default decimal separator was returned."),
    (3463, "The country code was invalid for CEE3MCS. The default currency symbol was returned."),
    (3465, "The country code was invalid for CEE3MTS. The default thousands separator was returned."),
    (3467, "The country code was invalid for CEEFMDA. The default date picture string was returned."),
    (3469, "The country code was invalid for CEEFMTM. The default time picture string was returned."),
    (3471, "The country code was invalid for CEEFMDT. The default date and time picture string was returned."),
    (3753, "The input symbol cannot be found in the current job step."),
    (3754, "Incorrect parameters detected."),
    (5177, "A bad input character was detected for the name or value of an environment variable."),
    (5179, "A parameter to the environment variable processing routine contained a value that was not valid."),
    (5180, "The specified environment variable name already exists."),
    (
        3715,
        "The parameter string returned from CEE3PR2 was truncated due to insufficient storage space for the string provided by the caller.",
    ),
    (3900, "The function code passed to CEE3USR was not 1 or 2."),
    (3901, "The field number passed to CEE3USR was not 1 or 2."),
    (3930, "The input value %1 in a call to the callable service %2 was not within the valid range."),
    (3931, "CEEDLYM was invoked in a CICS environment."),
    (3501, "The module %1 was not found."),
    (3260, "No condition was active when a call to a condition management routine was made."),
    (3262, "An invalid condition token was passed. The condition token did not represent an active condition."),
    (2701, "An invalid category parameter was passed to a locale function."),
    (2702, "An invalid locale name parameter was passed to a locale function."),
    (4001, "General Failure: Service could not be completed."),
    (4015, "Input Error: The number of characters to be transformed must be greater than zero."),
    (4086, "Input Error: The number of characters to be formatted must be greater than zero."),
];

/// The findings of the checks of the COBOL run time, without the names in its own messages.
const IGZ_TEXTS: [(u16, &str); 9] = [
    (6, "A reference to a table addressed an area outside the region of the table."),
    (9, "The object of an OCCURS DEPENDING ON clause was outside its range."),
    (
        20,
        "A logic error occurred. Neither FILE STATUS nor an ERROR declarative were specified for file %1 in program %2 at relative \
         location X'%3'. The status code was %4.",
    ),
    (
        35,
        "There was an unsuccessful OPEN or CLOSE of file %1 in program %2 at relative location X'%3'. Neither FILE STATUS nor an ERROR \
         declarative were specified. The status code was %4.",
    ),
    (50, "A zero base was raised to a negative power in an exponentiation expression %1."),
    (64, "A recursive call was attempted to a program that does not have the RECURSIVE attribute."),
    (72, "A reference modification referenced an area outside the region of a data item."),
    (152, "An argument of an intrinsic function was outside its domain."),
    (280, "%1"),
];

/// The token of a program interruption, severity 3.
pub const fn interruption(code: u8) -> Token {
    Token::new(CEE, 3, INTERRUPTION_FIRST + code as u16)
}

/// The message's text with its inserts; `None` if the message is unknown.
pub fn text(token: &Token, inserts: &[String]) -> Option<String> {
    let (message, facility) = (token.message(), token.facility());
    let find = |texts: &[(u16, &str)]| texts.iter().find(|(number, _)| *number == message).map(|(_, text)| (*text).to_string());
    let text = if facility == CEE {
        let interruption = message.checked_sub(INTERRUPTION_FIRST + 1).and_then(|at| INTERRUPTIONS.get(at as usize));
        match interruption {
            Some(name) => {
                let code = message - INTERRUPTION_FIRST;
                Some(format!("The system detected {name} exception (System Completion Code=0C{code:X})."))
            }
            None => find(&CEE_TEXTS),
        }
    } else if facility == IGZ {
        find(&IGZ_TEXTS)
    } else {
        None
    }?;
    Some(insert(&text, inserts))
}

fn insert(text: &str, inserts: &[String]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '%' => {
                let number = characters.next().and_then(|digit| digit.to_digit(10)).unwrap_or(0) as usize;
                out.push_str(number.checked_sub(1).and_then(|at| inserts.get(at)).map_or("", String::as_str));
            }
            other => out.push(other),
        }
    }
    out
}

/// `CEE3204S`: facility in the program's characters, number, and the letter of the severity.
pub fn identifier(token: &Token) -> String {
    let facility: String = token.facility().iter().map(|byte| crate::code_page::CCSID_037.to_ascii(*byte) as char).collect();
    let letter = ['I', 'W', 'E', 'S', 'C'].get(token.severity() as usize).copied().unwrap_or('C');
    format!("{facility}{:04}{letter}", token.message())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::callable::Feedback;

    #[test]
    fn documented_messages() {
        let protection = interruption(4);
        assert_eq!(identifier(&protection), "CEE3204S");
        assert_eq!(text(&protection, &[]).unwrap(), "The system detected a protection exception (System Completion Code=0C4).");
        assert_eq!(Feedback { severity: 3, message: 3204 }.symbol(), *b"CEE344");
        let abend = Token::new(CEE, 4, ABEND);
        assert_eq!(identifier(&abend), "CEE3250C");
        assert_eq!(text(&abend, &["AEI0".to_string()]).unwrap(), "The system or user abend AEI0 was issued.");
        assert_eq!(Feedback { severity: 4, message: ABEND }.symbol(), *b"CEE35I");
        assert_eq!(text(&Token::new(CEE, 2, 9999), &[]), None);
    }
}
