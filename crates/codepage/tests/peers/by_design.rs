//! Differences of the peers' tables from CDRA's, with the reason for each.

use super::{Difference, Peer};

pub static BY_DESIGN: &[Difference] = &[
    Difference {
        peer: Peer::Glibc,
        pages: &[278],
        codes: &[0x71, 0xE0],
        reason: "Its table has the two exchanged; CDRA and the JDK have the reverse solidus at 71.",
    },
    Difference { peer: Peer::Glibc, pages: &[285], codes: &[0xA1], reason: "The overline for the macron." },
    Difference { peer: Peer::Glibc, pages: &[870], codes: &[0xB0], reason: "The middle dot for the dot above." },
    Difference { peer: Peer::Glibc, pages: &[871], codes: &[0x4A, 0xC0], reason: "Its table has capital and small thorn exchanged." },
    Difference {
        peer: Peer::Glibc,
        pages: &[875],
        codes: &[0x6A, 0x74, 0xDD],
        reason: "An older version of the page: no vertical line, a nabla for the no-break space, and the middle dot for the ano teleia.",
    },
    Difference {
        peer: Peer::Glibc,
        pages: &[1026],
        codes: &[0x9A, 0x9D, 0xBC],
        reason: "The page before the lira sign; the ogonek for the cedilla and the dash for the macron.",
    },
    Difference {
        peer: Peer::Glibc,
        pages: &[1252],
        codes: &[0x81, 0x8D, 0x8F, 0x90, 0x9D],
        reason: "Not assigned; here the C1 control, so that every byte comes back.",
    },
    Difference {
        peer: Peer::Glibc,
        pages: &[1390],
        codes: &[
            0x57, 0x59, 0x6A, 0x9C, 0xCA, 0xCB, 0xCC, 0xCD, 0xCE, 0xCF, 0xDA, 0xDB, 0xDC, 0xDD, 0xDE, 0xDF, 0xEA, 0xEB, 0xEC, 0xED, 0xEE,
            0xEF, 0xFA, 0xFB, 0xFC, 0xFD, 0xFE,
        ],
        reason: "Bytes without a character are SUB there, and malformed here.",
    },
    Difference {
        peer: Peer::Glibc,
        pages: &[1399],
        codes: &[
            0x41, 0x6A, 0x80, 0x90, 0xCA, 0xCB, 0xCC, 0xCD, 0xCE, 0xCF, 0xDA, 0xDB, 0xDC, 0xDD, 0xDE, 0xDF, 0xEA, 0xEB, 0xEC, 0xED, 0xEE,
            0xEF, 0xFA, 0xFB, 0xFC, 0xFD, 0xFE,
        ],
        reason: "Bytes without a character are SUB there, and malformed here.",
    },
    Difference {
        peer: Peer::Jdk,
        pages: &[
            37, 273, 277, 278, 280, 284, 285, 297, 500, 870, 871, 875, 1025, 1026, 1047, 1140, 1141, 1142, 1143, 1144, 1145, 1146, 1147,
            1148, 1149, 930, 935, 937, 939,
        ],
        codes: &[0x15],
        reason: "Java reads NL as U+000A.",
    },
    Difference { peer: Peer::Jdk, pages: &[1047], codes: &[0x25], reason: "Java exchanges NL and LF." },
    Difference { peer: Peer::Jdk, pages: &[1026], codes: &[0x9A], reason: "The page before the lira sign." },
    Difference {
        peer: Peer::Jdk,
        pages: &[1252],
        codes: &[0x81, 0x8D, 0x8F, 0x90, 0x9D],
        reason: "Not assigned; here the C1 control, so that every byte comes back.",
    },
    Difference {
        peer: Peer::Jdk,
        pages: &[930, 939],
        codes: &[0x426A, 0x43A1, 0x444A, 0x447C],
        reason: "The wide forms that Windows has for broken bar, wave dash, em dash and double line; they are only written here.",
    },
    Difference { peer: Peer::Jdk, pages: &[939], codes: &[0x4260], reason: "The wide form of the minus sign." },
];
