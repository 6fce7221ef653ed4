//! The processors that the process may use: those of its affinity, the quota of its control groups, and the NUMA nodes they belong to.
//!
//! Read once, when a dispatcher starts; a quota that is changed later shows in the times of tasks only.

use std::path::Path;

/// The processors of a process.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Processors {
    /// Processors the process may be scheduled on.
    pub allowed: usize,
    /// Processor time per unit of time that its control groups allow; `None` without a quota.
    pub quota: Option<f64>,
    /// NUMA nodes of the machine with allowed processors.
    pub nodes: usize,
}

impl Processors {
    pub fn of_this_process() -> Processors {
        Processors::of(Path::new("/"))
    }

    /// Threads that can run at the same time. A part of a processor counts as one: two threads share a quota of 1.5.
    pub fn threads(self) -> usize {
        let of_quota = self.quota.map_or(usize::MAX, |quota| quota.ceil() as usize);
        self.allowed.min(of_quota).max(1)
    }

    fn of(root: &Path) -> Processors {
        let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap_or_default();
        let status = read("proc/self/status");
        let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).map(numbers).unwrap_or_default();
        let groups = read("proc/self/cgroup");
        let quota = groups.lines().flat_map(|line| quotas(line, &read)).min_by(f64::total_cmp);
        let online = numbers(&read("sys/devices/system/node/online"));
        let has_allowed = |node: &&usize| {
            let of_node = numbers(&read(&format!("sys/devices/system/node/node{node}/cpulist")));
            of_node.iter().any(|processor| allowed.contains(processor))
        };
        Processors { allowed: allowed.len().max(1), quota, nodes: online.iter().filter(has_allowed).count().max(1) }
    }
}

/// The numbers of a list of ranges, as the kernel writes it: `0-3,8`.
fn numbers(list: &str) -> Vec<usize> {
    let range = |text: &str| {
        let (low, high) = text.split_once('-').unwrap_or((text, text));
        Some(low.trim().parse().ok()?..=high.trim().parse().ok()?)
    };
    list.trim().split(',').filter_map(range).flatten().collect()
}

/// The quotas of a control group (a line of /proc/self/cgroup) and of those around it, in the second or the first version of the interface
/// (Linux documentation, "Control Group v2", cpu.max; "CFS Bandwidth Control"). In a container, the outer ones are not there.
fn quotas(line: &str, read: &dyn Fn(&str) -> String) -> Vec<f64> {
    let mut fields = line.splitn(3, ':').skip(1);
    let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { return Vec::new() };
    let is_second = controllers.is_empty();
    if !is_second && !controllers.split(',').any(|controller| controller == "cpu") {
        return Vec::new();
    }
    let of_group = |group: &Path| {
        let group = group.to_str()?.trim_end_matches('/');
        let text = match is_second {
            true => read(&format!("sys/fs/cgroup{group}/cpu.max")),
            false => {
                let of = |file: &str| read(&format!("sys/fs/cgroup/cpu{group}/cpu.cfs_{file}_us"));
                format!("{} {}", of("quota").trim(), of("period").trim())
            }
        };
        let mut values = text.split_whitespace();
        // `max` or -1: no quota.
        let (quota, period): (f64, f64) = (values.next()?.parse().ok()?, values.next()?.parse().ok()?);
        (quota > 0.0 && period > 0.0).then(|| quota / period)
    };
    Path::new(path).ancestors().filter_map(of_group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, path: &str, text: &str) {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn machine() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        write(root.path(), "proc/self/status", "Name:\tregent\nCpus_allowed:\tff\nCpus_allowed_list:\t0-3,8-11\n");
        write(root.path(), "sys/devices/system/node/online", "0-1\n");
        write(root.path(), "sys/devices/system/node/node0/cpulist", "0-7\n");
        write(root.path(), "sys/devices/system/node/node1/cpulist", "8-15\n");
        root
    }

    #[test]
    fn without_a_quota_the_allowed_processors_count() {
        let root = machine();
        write(root.path(), "proc/self/cgroup", "0::/\n");
        write(root.path(), "sys/fs/cgroup/cpu.max", "max 100000\n");
        let processors = Processors::of(root.path());
        assert_eq!(processors, Processors { allowed: 8, quota: None, nodes: 2 });
        assert_eq!(processors.threads(), 8);
    }

    /// A container of 1.5 processors has two threads that run at a time, inside a group of three.
    #[test]
    fn the_least_quota_of_the_groups_counts() {
        let root = machine();
        write(root.path(), "proc/self/cgroup", "0::/pod/container\n");
        write(root.path(), "sys/fs/cgroup/pod/cpu.max", "300000 100000\n");
        write(root.path(), "sys/fs/cgroup/pod/container/cpu.max", "150000 100000\n");
        let processors = Processors::of(root.path());
        assert_eq!((processors.quota, processors.threads()), (Some(1.5), 2));
    }

    #[test]
    fn quotas_of_the_first_version_count_too() {
        let root = machine();
        write(root.path(), "proc/self/cgroup", "2:memory:/a\n1:cpu,cpuacct:/a\n0::/\n");
        write(root.path(), "sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "50000\n");
        write(root.path(), "sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n");
        assert_eq!(Processors::of(root.path()).quota, Some(0.5));
        write(root.path(), "sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "-1\n");
        let processors = Processors::of(root.path());
        assert_eq!((processors.quota, processors.threads()), (None, 8));
    }

    #[test]
    fn a_machine_that_tells_nothing_has_one_processor() {
        let root = tempfile::tempdir().unwrap();
        let processors = Processors::of(root.path());
        assert_eq!((processors, processors.threads()), (Processors { allowed: 1, quota: None, nodes: 1 }, 1));
        assert!(Processors::of_this_process().threads() >= 1);
    }
}
