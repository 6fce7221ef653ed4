//! The memory that the process may have, and the part of it for what programs make the region keep.

use std::path::Path;

/// The part (one n-th) of the memory that the account of the store may take. The rest is for storage, the log, the buffers of the store and
/// the code.
const PART: u64 = 2;

/// The part (one n-th) of the memory that storage below the bar may take, if EDSALIM does not limit it further.
const STORAGE_PART: u64 = 4;
/// The least EDSALIM of the system initialization parameters.
const EDSALIM_LEAST: u64 = 64 << 20;

/// The memory that this process may have.
pub(super) fn of_this_process() -> Option<u64> {
    of_process(Path::new("/"))
}

/// The limit of the account: MEMLIMIT, at most a part of the memory of the process.
pub(super) fn account_limit(memory_limit: u64, process: Option<u64>) -> u64 {
    process.map_or(memory_limit, |bytes| memory_limit.min(bytes / PART))
}

/// The limit of storage between 16 MB and 2 GB: EDSALIM, at most a part of the memory of the process.
pub(super) fn storage_limit(edsalim: u64, process: Option<u64>) -> u64 {
    let of_process = |bytes: u64| (bytes / STORAGE_PART).next_multiple_of(1 << 20).max(EDSALIM_LEAST);
    process.map_or(edsalim, |bytes| edsalim.min(of_process(bytes)))
}

/// The least of the limits of the control groups, the limits of the process, and the memory of the machine.
fn of_process(root: &Path) -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap_or_default();
    let groups = read("proc/self/cgroup");
    let of_groups = groups.lines().flat_map(|line| of_group(line, &read));
    let limits = read("proc/self/limits");
    let of_limits = limits.lines().filter_map(|line| {
        let values = line.strip_prefix("Max data size").or_else(|| line.strip_prefix("Max address space"))?;
        values.split_whitespace().next()?.parse().ok()
    });
    let machine = read("proc/meminfo");
    let total = machine.lines().find_map(|line| line.strip_prefix("MemTotal:")?.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    of_groups.chain(of_limits).chain(total.map(|kilobytes| kilobytes << 10)).min()
}

/// The limits of a control group (a line of /proc/self/cgroup) and of those around it, in the second or the first version of the interface.
/// In a container, the outer ones are not there.
fn of_group(line: &str, read: &dyn Fn(&str) -> String) -> Vec<u64> {
    let mut fields = line.splitn(3, ':').skip(1);
    let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { return Vec::new() };
    let (mount, file) = match controllers {
        "" => ("sys/fs/cgroup", "memory.max"),
        _ if controllers.split(',').any(|controller| controller == "memory") => ("sys/fs/cgroup/memory", "memory.limit_in_bytes"),
        _ => return Vec::new(),
    };
    let limit = |group: &Path| read(&format!("{mount}{}/{file}", group.to_str()?.trim_end_matches('/'))).trim().parse().ok();
    Path::new(path).ancestors().filter_map(limit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The limit that is found with these files.
    fn found(files: &[(&str, &str)]) -> Option<u64> {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        of_process(root.path())
    }

    const MACHINE: (&str, &str) = ("proc/meminfo", "MemTotal:        2048000 kB\nMemFree:          1 kB\n");

    #[test]
    fn the_account_has_half_of_the_memory_at_most() {
        assert_eq!((account_limit(1000, None), account_limit(1000, Some(2000)), account_limit(1000, Some(1999))), (1000, 1000, 999));
    }

    #[test]
    fn storage_has_a_quarter_of_the_memory_at_most() {
        let megabytes = |edsalim: u64, process: Option<u64>| storage_limit(edsalim << 20, process.map(|process| process << 20)) >> 20;
        assert_eq!(
            (megabytes(800, None), megabytes(800, Some(3200)), megabytes(800, Some(3196)), megabytes(800, Some(3197))),
            (800, 800, 799, 800)
        );
        assert_eq!((megabytes(800, Some(700)), megabytes(100, Some(700)), megabytes(800, Some(200))), (175, 100, 64));
    }

    #[test]
    fn the_memory_of_the_machine_is_the_last_limit() {
        assert_eq!(found(&[]), None);
        assert_eq!(found(&[MACHINE]), Some(2_097_152_000));
        let unlimited = "Limit  Soft Limit  Hard Limit  Units\nMax data size             unlimited            unlimited            bytes\n";
        let group = ("proc/self/cgroup", "0::/bank\n");
        assert_eq!(
            found(&[MACHINE, ("proc/self/limits", unlimited), group, ("sys/fs/cgroup/bank/memory.max", "max\n")]),
            Some(2_097_152_000)
        );
    }

    #[test]
    fn a_limit_of_the_process_counts() {
        for limit in
            ["Max data size             700000000            unlimited            bytes \n", "Max address space   700000000  9  bytes\n"]
        {
            assert_eq!(found(&[MACHINE, ("proc/self/limits", limit)]), Some(700_000_000), "{limit}");
        }
        let others = "Max stack size            8388608              unlimited            bytes\n";
        assert_eq!(found(&[MACHINE, ("proc/self/limits", others)]), Some(2_097_152_000));
    }

    /// The group itself or one around it; the group of a container is the root of what it sees.
    #[test]
    fn a_limit_of_a_control_group_counts() {
        let group = ("proc/self/cgroup", "0::/system.slice/bank.service\n");
        for path in ["system.slice/bank.service/memory.max", "system.slice/memory.max", "memory.max"] {
            assert_eq!(found(&[MACHINE, group, (&format!("sys/fs/cgroup/{path}"), "734003200\n")]), Some(734_003_200), "{path}");
        }
        assert_eq!(found(&[MACHINE, ("proc/self/cgroup", "0::/\n"), ("sys/fs/cgroup/memory.max", "734003200\n")]), Some(734_003_200));
        let first = ("proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/docker/0123\n");
        let path = "sys/fs/cgroup/memory/memory.limit_in_bytes";
        assert_eq!(found(&[MACHINE, first, (path, "734003200\n")]), Some(734_003_200));
        assert_eq!(found(&[MACHINE, first, (path, "9223372036854771712\n")]), Some(2_097_152_000));
    }
}
