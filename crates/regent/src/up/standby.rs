//! The databases of a region while it runs, as the attachment facility is told of them.

use std::sync::Arc;

use postgres::Config;

use super::further::Further;
use super::kept::Kept;

#[derive(Clone)]
pub struct Standby {
    own: Kept,
    /// The further databases.
    locations: Further,
}

impl Standby {
    pub fn new(own: Kept, locations: Further) -> Standby {
        Standby { own, locations }
    }

    pub fn attachment(&self) -> attachment::Settings {
        let opening = self.own.opening();
        let bind = crate::database::bind_options(opening.settings.order, &opening.settings.bind_location(), &opening.schema);
        let own = self.own.clone();
        let find = Arc::new(move |tries| Ok(own.find(tries)?.config));
        attachment::Settings { find, bind: bind.into(), locations: self.locations.attachment() }
    }

    /// How to reach the region's own database, if it has answered.
    pub fn config(&self) -> Option<Config> {
        self.own.ready().map(|location| location.config)
    }

    /// The region has ended: so does a private cluster that nobody else uses.
    pub fn close(&self) -> Result<(), String> {
        self.own.give_up();
        let closed = self.locations.close();
        self.own.close().and(closed)
    }
}
