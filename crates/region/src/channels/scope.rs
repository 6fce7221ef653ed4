//! The channels a program can see: the current channel it was passed, those created at its own link level, and DFHTRANSACTION.

use crate::channel::{CHANNEL_BYTES, Channel, TRANSACTION_CHANNEL, is_valid_name};
use crate::channels::TaskState;
use crate::feature_toggles::FeatureToggles;
use crate::name::Name16;
use crate::{Raised, Task, raise};
use exec::condition;
use exec::resp2::channels as resp2;
use std::sync::Arc;

impl Task {
    /// The channel a command names, or the current channel when it names none (INVREQ 4 without one). `create`: PUT makes a channel
    /// that does not exist; only then is its name checked.
    pub(crate) fn channel(&mut self, name: Option<Name16>, create: bool) -> Result<Arc<Channel>, Raised> {
        let Some(name) = name else {
            return self.level().and_then(|level| level.channel.clone()).ok_or(Raised::new(condition::INVREQ, resp2::NO_CURRENT_CHANNEL));
        };
        if create && !is_valid_name(&name) {
            return raise(condition::CHANNELERR, resp2::CHANNEL_NAME);
        }
        match self.visible_channel(name) {
            Some(channel) => Ok(channel),
            None if create => self.create_channel(name),
            None => raise(condition::CHANNELERR, resp2::NO_CHANNEL),
        }
    }

    pub(crate) fn has_current_channel(&self) -> bool {
        self.level().is_some_and(|level| level.channel.is_some())
    }

    /// The channel of this name that the program of the present level can see.
    pub fn visible_channel(&self, name: Name16) -> Option<Arc<Channel>> {
        if name == TRANSACTION_CHANNEL {
            return TaskState::of(&self.parts).transaction_channel.clone();
        }
        let level = self.level()?;
        let current = level.channel.iter().find(|channel| channel.name() == name);
        current.or_else(|| level.channels.iter().find(|channel| channel.name() == name)).cloned()
    }

    /// The channel a program passes on (LINK, XCTL, RETURN, START); a missing one is created, empty.
    pub(crate) fn channel_to_pass(&mut self, name: Name16) -> Result<Arc<Channel>, Raised> {
        self.channel(Some(name), true)
    }

    /// A separate copy of a channel for another task.
    pub(crate) fn copied_channel(&self, channel: &Channel) -> Result<Arc<Channel>, Raised> {
        channel.copy(self.region.store.account()).map(Arc::new).map_err(Task::no_memory)
    }

    fn create_channel(&mut self, name: Name16) -> Result<Arc<Channel>, Raised> {
        let charge = self.reserve(CHANNEL_BYTES)?;
        let lookup = FeatureToggles::of(self.region).container_lookup();
        let channel = Arc::new(Channel::new(name, lookup).counted(charge));
        if name == TRANSACTION_CHANNEL {
            TaskState::of_mut(&mut self.parts).transaction_channel = Some(channel.clone());
        } else {
            self.level_mut().channels.push(channel.clone());
        }
        Ok(channel)
    }

    pub(crate) fn drop_channel(&mut self, name: Name16) -> bool {
        let channels = &mut self.level_mut().channels;
        let Some(at) = channels.iter().position(|channel| channel.name() == name) else { return false };
        let channel = channels.remove(at);
        self.give_up_channel(channel);
        true
    }

    /// The task no longer holds the channel here; it may hold it elsewhere.
    pub(crate) fn give_up_channel(&mut self, channel: Arc<Channel>) {
        if let Some(channel) = Arc::into_inner(channel) {
            self.note_containers(-(channel.data_bytes() as i64));
        }
    }

    /// The containers of the task's channels have grown by so many bytes, or become smaller.
    pub(crate) fn note_containers(&mut self, growth_bytes: i64) {
        let state = TaskState::of_mut(&mut self.parts);
        state.container_bytes += growth_bytes;
        debug_assert!(state.container_bytes >= 0, "bytes that were counted are given back once");
        let peak = &mut self.performance.container_storage_peak;
        *peak = (*peak).max(state.container_bytes.max(0) as u64);
    }
}
