//! The table of trace points, the one source of what is traced: component and number, level, module, kind, and the names of the values.
//!
//! Numbers and modules are those of the CICS trace entries ("Trace entries overview", per domain) where CICS has the same point.

use super::component::Component;
use super::component::Component::*;

/// What an entry marks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Entry,
    Exit,
    Event,
    /// Written whatever is traced.
    Exception,
}

impl Kind {
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Entry => "ENTRY",
            Kind::Exit => "EXIT",
            Kind::Event => "EVENT",
            Kind::Exception => "*EXC*",
        }
    }
}

/// A trace point.
#[derive(Debug)]
pub struct Point {
    pub component: Component,
    pub number: u16,
    /// From 1; of an exception 0.
    pub level: u8,
    pub module: &'static str,
    pub kind: Kind,
    /// The names of its values, in order. The first of an entry and of an exit is the function, the second of an exit the response. `...`: what
    /// follows are arguments of a command: the name of an option, then what was given with it.
    pub fields: &'static [&'static str],
}

/// A field that stands for the arguments of a command.
pub const ARGUMENTS: &str = "...";

macro_rules! points {
    ($($name:ident: $component:ident $number:literal $level:literal $module:literal $kind:ident [$($field:literal),*];)*) => {
        $(pub static $name: Point = Point {
            component: $component, number: $number, level: $level, module: $module, kind: Kind::$kind, fields: &[$($field),*],
        };)*

        /// Every point, in the order of components and numbers.
        pub static ALL: &[&Point] = &[$(&$name),*];
    };
}

points! {
    AP_TRANSACTION_BEGINS: Ap 0x0590 1 "APXM" Entry ["FUNCTION", "PROGRAM", "START_CODE", "USERID"];
    AP_TRANSACTION_ENDS: Ap 0x0591 1 "APXM" Exit ["FUNCTION", "RESPONSE"];
    AP_ABEND: Ap 0x0781 0 "SRP" Exception ["ABCODE", "PROGRAM", "LINE", "REASON"];
    AP_LOOP: Ap 0x0790 0 "SRP" Exception ["ABCODE", "PROGRAM", "LINE", "REASON"];

    AS_GATE_ENTRY: As 0x0101 1 "ASAS" Entry ["FUNCTION", "RESOURCE"];
    AS_GATE_EXIT: As 0x0102 1 "ASAS" Exit ["FUNCTION", "RESPONSE"];

    BA_GATE_ENTRY: Ba 0x0101 2 "BACR" Entry ["FUNCTION", "RESOURCE"];
    BA_GATE_EXIT: Ba 0x0102 2 "BACR" Exit ["FUNCTION", "RESPONSE"];

    BF_GATE_ENTRY: Bf 0x0101 1 "EBF" Entry ["FUNCTION", "RESOURCE"];
    BF_GATE_EXIT: Bf 0x0102 1 "EBF" Exit ["FUNCTION", "RESPONSE"];

    BM_GATE_ENTRY: Bm 0xFA00 1 "BMS" Entry ["FUNCTION", "RESOURCE"];
    BM_GATE_EXIT: Bm 0xFA01 1 "BMS" Exit ["FUNCTION", "RESPONSE"];

    DH_GATE_ENTRY: Dh 0x0100 1 "DHDH" Entry ["FUNCTION", "RESOURCE"];
    DH_GATE_EXIT: Dh 0x0101 1 "DHDH" Exit ["FUNCTION", "RESPONSE"];

    DI_GATE_ENTRY: Di 0xD700 1 "DIP" Entry ["FUNCTION", "RESOURCE"];
    DI_GATE_EXIT: Di 0xD701 1 "DIP" Exit ["FUNCTION", "RESPONSE"];

    DM_GATE_ENTRY: Dm 0x0001 1 "DMDM" Entry ["FUNCTION", "RESOURCE"];
    DM_GATE_EXIT: Dm 0x0002 1 "DMDM" Exit ["FUNCTION", "RESPONSE"];

    DS_CHANGE_MODE_ENTRY: Ds 0x0002 1 "DSAT" Entry ["FUNCTION", "MODE"];
    DS_CHANGE_MODE_EXIT: Ds 0x0003 1 "DSAT" Exit ["FUNCTION", "RESPONSE", "OLD_MODE"];
    DS_SUSPEND_ENTRY: Ds 0x0004 1 "DSSR" Entry ["FUNCTION", "RESOURCE_TYPE", "RESOURCE_NAME"];
    DS_SUSPEND_EXIT: Ds 0x0005 1 "DSSR" Exit ["FUNCTION", "RESPONSE"];

    DU_GATE_ENTRY: Du 0x0101 1 "DUDM" Entry ["FUNCTION", "RESOURCE"];
    DU_GATE_EXIT: Du 0x0102 1 "DUDM" Exit ["FUNCTION", "RESPONSE"];
    DU_DUMP_ENTRY: Du 0x0500 1 "DUDU" Entry ["FUNCTION", "DUMPCODE"];
    DU_DUMP_EXIT: Du 0x0501 1 "DUDU" Exit ["FUNCTION", "RESPONSE", "DUMPID"];

    EC_EVENT: Ec 0x3101 1 "ECEC" Event ["FUNCTION", "RULE", "EPADAPTER"];

    EI_ENTRY: Ei 0x0001 1 "EIP" Entry ["FUNCTION", "RESOURCE", "PROGRAM", "LINE"];
    EI_EXIT: Ei 0x0002 1 "EIP" Exit ["FUNCTION", "RESPONSE", "RESP2"];
    EI_ARGUMENTS_IN: Ei 0x0003 2 "EXEC" Entry ["FUNCTION", "..."];
    EI_ARGUMENTS_OUT: Ei 0x0004 2 "EXEC" Exit ["FUNCTION", "RESPONSE", "..."];

    EP_GATE_ENTRY: Ep 0x0400 1 "EPEV" Entry ["FUNCTION", "RESOURCE"];
    EP_GATE_EXIT: Ep 0x0401 1 "EPEV" Exit ["FUNCTION", "RESPONSE"];

    FC_GATE_ENTRY: Fc 0x04E0 1 "FCFR" Entry ["FUNCTION", "RESOURCE"];
    FC_GATE_EXIT: Fc 0x04E1 1 "FCFR" Exit ["FUNCTION", "RESPONSE"];

    IC_GATE_ENTRY: Ic 0xF300 1 "ICP" Entry ["FUNCTION", "RESOURCE"];
    IC_GATE_EXIT: Ic 0xF301 1 "ICP" Exit ["FUNCTION", "RESPONSE"];

    KC_GATE_ENTRY: Kc 0xF000 1 "KCP" Entry ["FUNCTION", "RESOURCE"];
    KC_GATE_EXIT: Kc 0xF001 1 "KCP" Exit ["FUNCTION", "RESPONSE"];

    KE_TASK_ENTRY: Ke 0x0401 1 "KETA" Entry ["FUNCTION"];
    KE_TASK_EXIT: Ke 0x0402 1 "KETA" Exit ["FUNCTION", "RESPONSE"];

    LD_ACQUIRE_ENTRY: Ld 0x0001 1 "LDLD" Entry ["FUNCTION", "PROGRAM_NAME"];
    LD_ACQUIRE_EXIT: Ld 0x0002 1 "LDLD" Exit ["FUNCTION", "RESPONSE", "PROGRAM_NAME"];

    LD_GATE_ENTRY: Ld 0x0101 1 "LDLB" Entry ["FUNCTION", "RESOURCE"];
    LD_GATE_EXIT: Ld 0x0102 1 "LDLB" Exit ["FUNCTION", "RESPONSE"];

    LG_GATE_ENTRY: Lg 0x2001 1 "LGGL" Entry ["FUNCTION", "RESOURCE"];
    LG_GATE_EXIT: Lg 0x2002 1 "LGGL" Exit ["FUNCTION", "RESPONSE"];

    LM_LOCK_ENTRY: Lm 0x0003 1 "LMLM" Entry ["FUNCTION", "LOCK_TYPE", "LOCK_NAME"];
    LM_LOCK_EXIT: Lm 0x0004 1 "LMLM" Exit ["FUNCTION", "RESPONSE"];

    ME_GATE_ENTRY: Me 0x0101 1 "MEWT" Entry ["FUNCTION", "RESOURCE"];
    ME_GATE_EXIT: Me 0x0102 1 "MEWT" Exit ["FUNCTION", "RESPONSE"];
    ME_MESSAGE: Me 0x0301 1 "MEME" Event ["FUNCTION", "MESSAGE", "TEXT"];

    MN_GATE_ENTRY: Mn 0x0201 1 "MNMN" Entry ["FUNCTION", "RESOURCE"];
    MN_GATE_EXIT: Mn 0x0202 1 "MNMN" Exit ["FUNCTION", "RESPONSE"];

    MP_GATE_ENTRY: Mp 0x0101 1 "MPIQ" Entry ["FUNCTION", "RESOURCE"];
    MP_GATE_EXIT: Mp 0x0102 1 "MPIQ" Exit ["FUNCTION", "RESPONSE"];
    MP_EVALUATION: Mp 0x0401 2 "MPSC" Event ["FUNCTION", "RULE", "RESULT"];
    MP_ACTION: Mp 0x0501 1 "MPAC" Event ["FUNCTION", "POLICY", "RULE", "ACTION"];

    NQ_GATE_ENTRY: Nq 0x0301 1 "NQED" Entry ["FUNCTION", "RESOURCE"];
    NQ_GATE_EXIT: Nq 0x0302 1 "NQED" Exit ["FUNCTION", "RESPONSE"];

    PC_GATE_ENTRY: Pc 0xF200 2 "PCP" Entry ["FUNCTION", "RESOURCE"];
    PC_GATE_EXIT: Pc 0xF201 2 "PCP" Exit ["FUNCTION", "RESPONSE"];

    PG_PROGRAM_ENTRY: Pg 0x0901 1 "PGPG" Entry ["FUNCTION", "PROGRAM_NAME", "COMMAREA_LENGTH", "LEVEL"];
    PG_PROGRAM_EXIT: Pg 0x0902 1 "PGPG" Exit ["FUNCTION", "RESPONSE", "PROGRAM_NAME"];

    RA_GATE_ENTRY: Ra 0x3130 1 "D2TM" Entry ["FUNCTION", "RESOURCE"];
    RA_GATE_EXIT: Ra 0x3131 1 "D2TM" Exit ["FUNCTION", "RESPONSE"];

    RI_SQL_ENTRY: Ri 0x2520 1 "ERM" Entry ["FUNCTION", "PROGRAM", "LINE"];
    RI_SQL_EXIT: Ri 0x2521 1 "ERM" Exit ["FUNCTION", "RESPONSE"];

    RL_GATE_ENTRY: Rl 0x0200 1 "RLVP" Entry ["FUNCTION", "RESOURCE"];
    RL_GATE_EXIT: Rl 0x0201 1 "RLVP" Exit ["FUNCTION", "RESPONSE"];

    RM_SYNCPOINT_ENTRY: Rm 0x0201 1 "RMUW" Entry ["FUNCTION"];
    RM_SYNCPOINT_EXIT: Rm 0x0202 1 "RMUW" Exit ["FUNCTION", "RESPONSE"];

    SM_GATE_ENTRY: Sm 0x0301 2 "SMGF" Entry ["FUNCTION", "RESOURCE"];
    SM_GATE_EXIT: Sm 0x0302 2 "SMGF" Exit ["FUNCTION", "RESPONSE"];

    SO_CONNECTED: So 0x0201 1 "SOCK" Event ["FUNCTION", "TERMINAL", "ADDRESS"];
    SO_CLOSED: So 0x0202 1 "SOCK" Event ["FUNCTION", "TERMINAL"];
    SO_RECEIVED: So 0x0301 3 "SOCK" Event ["FUNCTION", "TERMINAL", "LENGTH"];

    ST_GATE_ENTRY: St 0x0201 1 "STST" Entry ["FUNCTION", "RESOURCE"];
    ST_GATE_EXIT: St 0x0202 1 "STST" Exit ["FUNCTION", "RESPONSE"];

    TC_GATE_ENTRY: Tc 0xFC00 1 "ZARQ" Entry ["FUNCTION", "RESOURCE"];
    TC_GATE_EXIT: Tc 0xFC01 1 "ZARQ" Exit ["FUNCTION", "RESPONSE"];

    TD_GATE_ENTRY: Td 0xF600 1 "TDA" Entry ["FUNCTION", "RESOURCE"];
    TD_GATE_EXIT: Td 0xF601 1 "TDA" Exit ["FUNCTION", "RESPONSE"];

    TI_GATE_ENTRY: Ti 0x0100 2 "TISR" Entry ["FUNCTION", "RESOURCE"];
    TI_GATE_EXIT: Ti 0x0101 2 "TISR" Exit ["FUNCTION", "RESPONSE"];

    TR_LOST: Tr 0x0102 0 "TRAO" Exception ["FUNCTION", "BYTES"];

    TR_GATE_ENTRY: Tr 0x0201 1 "TRSR" Entry ["FUNCTION", "RESOURCE"];
    TR_GATE_EXIT: Tr 0x0202 1 "TRSR" Exit ["FUNCTION", "RESPONSE"];

    TS_GATE_ENTRY: Ts 0x0201 2 "TSQR" Entry ["FUNCTION", "RESOURCE"];
    TS_GATE_EXIT: Ts 0x0202 2 "TSQR" Exit ["FUNCTION", "RESPONSE"];

    UE_GATE_ENTRY: Ue 0xD400 1 "UEM" Entry ["FUNCTION", "RESOURCE"];
    UE_GATE_EXIT: Ue 0xD401 1 "UEM" Exit ["FUNCTION", "RESPONSE"];
    UE_PROGRAM_ENTRY: Ue 0xD500 1 "UEH" Entry ["FUNCTION", "PROGRAM", "EXIT_POINT"];
    UE_PROGRAM_EXIT: Ue 0xD501 1 "UEH" Exit ["FUNCTION", "RESPONSE", "RETURN_CODE"];

    US_GATE_ENTRY: Us 0x0401 1 "USAD" Entry ["FUNCTION", "RESOURCE"];
    US_GATE_EXIT: Us 0x0402 1 "USAD" Exit ["FUNCTION", "RESPONSE"];

    XM_ATTACH_ENTRY: Xm 0x0301 1 "XMAT" Entry ["FUNCTION", "TRANSACTION_ID", "START_CODE"];
    XM_ATTACH_EXIT: Xm 0x0302 1 "XMAT" Exit ["FUNCTION", "RESPONSE", "TASK"];

    XM_GATE_ENTRY: Xm 0x0401 1 "XMXE" Entry ["FUNCTION", "RESOURCE"];
    XM_GATE_EXIT: Xm 0x0402 1 "XMXE" Exit ["FUNCTION", "RESPONSE"];

    XS_SIGNON: Xs 0x0201 1 "XSAD" Event ["FUNCTION", "USERID", "TERMINAL"];
    XS_SIGNOFF: Xs 0x0202 1 "XSAD" Event ["FUNCTION", "USERID", "TERMINAL"];
}

/// The point of a component and a number.
pub fn find(component: &str, number: u16) -> Option<&'static Point> {
    ALL.iter().copied().find(|point| point.number == number && point.component.code() == component)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_in_order_and_have_a_level_of_their_component() {
        assert!(ALL.is_sorted_by_key(|point| (point.component, point.number)), "sorted, so no point is there twice");
        for point in ALL {
            let is_exception = point.kind == Kind::Exception;
            assert_eq!(point.level == 0, is_exception, "{point:?}");
            assert!(u32::from(point.level) <= point.component.levels() && point.module.len() <= 5, "{point:?}");
            assert!(!matches!(point.kind, Kind::Entry | Kind::Exit) || point.fields[0] == "FUNCTION", "{point:?}");
            assert!(point.kind != Kind::Exit || point.fields[1] == "RESPONSE", "{point:?}");
        }
    }

    #[test]
    fn a_point_is_found_by_component_and_number() {
        assert_eq!(find("EI", 1).map(|point| point.module), Some("EIP"));
        assert!(find("EI", 0xFFFF).is_none() && find("ZZ", 1).is_none());
    }
}
