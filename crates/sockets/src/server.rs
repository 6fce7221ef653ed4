//! A server: listens, runs event loops, and serves each connection by its protocol.

use std::io;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;

use parking_lot::Mutex;

use crate::common::{Common, Reports, Statistics};
use crate::config::Config;
use crate::descriptors;
use crate::event_loop::EventLoop;
use crate::loop_control::LoopControl;
use crate::protocol::Protocol;

pub struct Server {
    local_address: SocketAddr,
    common: Arc<Common>,
    controls: Vec<Arc<LoopControl>>,
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl Server {
    /// Listens and starts the event loop threads.
    pub fn listen(address: impl ToSocketAddrs, mut config: Config, protocol: Arc<dyn Protocol>) -> io::Result<Server> {
        let address = address.to_socket_addrs()?.next().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no address"))?;
        let listener = mio::net::TcpListener::bind(address)?;
        rustix::net::listen(&listener, config.backlog)?;
        let local_address = listener.local_addr()?;
        let files_max = descriptors::raise_file_limit();
        config.connections_max = config.connections_max.min(files_max.map_or(usize::MAX, descriptors::room_below));
        let (thread_name, thread_count) = (config.thread_name, config.thread_count.max(1));
        let common = Arc::new(Common {
            config,
            protocol,
            statistics: Statistics::default(),
            stopping: AtomicBool::new(false),
            next_id: AtomicU64::new(1),
            files_max,
            shortage: Reports::default(),
        });
        let mut loops = Vec::new();
        for _ in 0..thread_count {
            loops.push(EventLoop::new(common.clone())?);
        }
        let controls: Vec<Arc<LoopControl>> = loops.iter().map(|event_loop| event_loop.control()).collect();
        loops[0].set_listener(listener, controls.clone())?;
        let mut threads = Vec::new();
        for (index, event_loop) in loops.into_iter().enumerate() {
            threads.push(std::thread::Builder::new().name(format!("{thread_name}-{index}")).spawn(move || event_loop.run())?);
        }
        Ok(Server { local_address, common, controls, threads: Mutex::new(threads) })
    }

    pub fn local_address(&self) -> SocketAddr {
        self.local_address
    }

    pub fn connection_count(&self) -> usize {
        self.common.statistics.connections_current.load(Ordering::Relaxed)
    }

    /// The connections that there is room for.
    pub fn connections_max(&self) -> usize {
        self.common.config.connections_max
    }

    pub fn statistics(&self) -> &Statistics {
        &self.common.statistics
    }

    /// Closes the listener and all connections (queued bytes are sent as far as the sockets accept them) and waits for the threads.
    pub fn stop(&self) {
        self.common.stopping.store(true, Ordering::Release);
        for control in &self.controls {
            control.wake();
        }
        let threads = std::mem::take(&mut *self.threads.lock());
        let own = std::thread::current().id();
        for thread in threads {
            // A conversation that stops the server runs on one of these threads.
            if thread.thread().id() != own {
                let _ = thread.join();
            }
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}
