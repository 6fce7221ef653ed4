//! The components that trace, as STNTRxx, SPCTRxx, SET TRACETYPE and CETR name them.

/// The two letters of a component and its name on the panels of CETR.
struct Row(&'static str, &'static str);

macro_rules! components {
    ($($variant:ident $code:literal $name:literal)*) => {
        /// A component that traces.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Component {
            $($variant,)*
        }

        const ROWS: &[Row] = &[$(Row($code, $name),)*];

        impl Component {
            /// In the order of their letters.
            pub const ALL: &[Component] = &[$(Component::$variant,)*];
        }
    };
}

// "STNTRxx" and "SPCTRxx" (system initialization parameters): the codes and names of the components of CICS TS 5.5.
components! {
    Ap "AP" "Application domain"
    As "AS" "Asynchronous services"
    Ba "BA" "Business application manager"
    Bf "BF" "Built-in function"
    Bm "BM" "Basic mapping support"
    Br "BR" "3270 bridge"
    Cp "CP" "Common programming interface"
    Dc "DC" "Dump compatibility layer"
    Dd "DD" "Directory manager"
    Dh "DH" "Document handling domain"
    Di "DI" "Data interchange"
    Dm "DM" "Domain manager"
    Dp "DP" "Debugging profiles domain"
    Ds "DS" "Dispatcher"
    Du "DU" "Dump domain"
    Ec "EC" "Event capture and emission"
    Ei "EI" "EXEC interface"
    Ej "EJ" "Enterprise Java domain"
    Em "EM" "Event manager domain"
    Ep "EP" "Event processing domain"
    Fc "FC" "File control"
    Gc "GC" "Global catalog domain"
    Ic "IC" "Interval control"
    Ie "IE" "ECI over TCP/IP domain"
    Is "IS" "ISC or IRC"
    Kc "KC" "Task control"
    Ke "KE" "Kernel"
    Lc "LC" "Local catalog domain"
    Ld "LD" "Loader domain"
    Lg "LG" "Log manager domain"
    Lm "LM" "Lock domain"
    Me "ME" "Message domain"
    Ml "ML" "Markup language domain"
    Mn "MN" "Monitoring domain"
    Mp "MP" "Managed platform domain"
    Nq "NQ" "Enqueue domain"
    Ot "OT" "Object transaction domain"
    Pa "PA" "Parameter domain"
    Pc "PC" "Program control"
    Pg "PG" "Program manager domain"
    Pi "PI" "Pipeline domain"
    Pt "PT" "Partner domain"
    Ra "RA" "Resource manager adapters"
    Ri "RI" "Resource manager interface"
    Rl "RL" "Resource life-cycle domain"
    Rm "RM" "Recovery manager domain"
    Rs "RS" "Region status domain"
    Rx "RX" "RRS-coordinated EXCI domain"
    Rz "RZ" "Request streams domain"
    Sc "SC" "Storage control"
    Sh "SH" "Scheduler services domain"
    Sj "SJ" "JVM domain"
    Sm "SM" "Storage manager domain"
    So "SO" "Sockets domain"
    St "ST" "Statistics domain"
    Sz "SZ" "Front End Programming"
    Tc "TC" "Terminal control"
    Td "TD" "Transient data"
    Ti "TI" "Timer domain"
    Tr "TR" "Trace domain"
    Ts "TS" "Temporary storage domain"
    Ue "UE" "User exit interface"
    Us "US" "User domain"
    W2 "W2" "Web 2.0 domain"
    Wb "WB" "Web domain"
    Wu "WU" "System management RESTful API"
    Xm "XM" "Transaction manager"
    Xs "XS" "Security manager domain"
}

pub(crate) const COMPONENT_COUNT: usize = ROWS.len();

impl Component {
    /// The two letters.
    pub const fn code(self) -> &'static str {
        ROWS[self as usize].0
    }

    pub const fn name(self) -> &'static str {
        ROWS[self as usize].1
    }

    /// The component of the two letters.
    pub fn from_code(code: &str) -> Option<Component> {
        Component::ALL.iter().copied().find(|component| component.code() == code)
    }

    /// The highest trace level: storage manager has four, the JVM domain five, the others three (STNTRxx, SPCTRxx).
    pub const fn levels(self) -> u32 {
        match self {
            Component::Sm => 4,
            Component::Sj => 5,
            _ => 3,
        }
    }

    /// The bits of all its levels, level 1 the lowest.
    pub(crate) const fn all_levels(self) -> u32 {
        (1 << self.levels()) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_in_the_order_of_their_letters() {
        assert!(Component::ALL.is_sorted_by_key(|component| component.code()));
        assert!(Component::ALL.iter().all(|component| component.code().len() == 2));
        assert_eq!((Component::from_code("EI"), Component::from_code("ZZ")), (Some(Component::Ei), None));
    }
}
