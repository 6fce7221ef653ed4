//! The machine that the process runs on, as reports and monitoring records name it: what the logical partition and the model of the processor
//! complex are on z/OS. Read once.
//!
//! The names have the lengths of the fields they go to (LPARNAME, CECMCHTP, CECMDLID); a container has the host name of its own, and the
//! processors of the machine below it.

use crate::name::{Name4, Name8, Name16};
use std::path::Path;
use std::sync::OnceLock;

/// What the system of the process runs in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Host {
    Hardware,
    VirtualMachine,
    Container,
}

impl Host {
    pub const fn text(self) -> &'static str {
        match self {
            Host::Hardware => "Hardware",
            Host::VirtualMachine => "Virtual machine",
            Host::Container => "Container",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Machine {
    /// The host name up to its first dot, in capitals.
    pub name: Name8,
    /// X64 or A64.
    pub architecture: Name4,
    /// The model of the processor, in capitals, without words that every name has.
    pub model: Name16,
    pub host: Host,
}

/// Words of a processor's name that do not tell one from another.
const EMPTY_WORDS: [&str; 4] = ["CPU", "PROCESSOR", "(R)", "(TM)"];
/// Parts of the path of a control group that a container has.
const CONTAINER_GROUPS: [&str; 5] = ["docker", "kubepods", "libpod", "containerd", "lxc"];
const CONTAINER_FILES: [&str; 2] = [".dockerenv", "run/.containerenv"];

impl Machine {
    /// The machine of this process.
    pub fn of_this_process() -> Machine {
        static MACHINE: OnceLock<Machine> = OnceLock::new();
        *MACHINE.get_or_init(|| Machine::of(Path::new("/"), std::env::consts::ARCH))
    }

    fn of(root: &Path, architecture: &str) -> Machine {
        let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap_or_default();
        let host_name = read("proc/sys/kernel/hostname");
        let name = host_name.trim().split('.').next().unwrap_or_default().to_uppercase();
        let processors = read("proc/cpuinfo");
        let value = |wanted: &str| {
            let lines = processors.lines().filter_map(|line| line.split_once(':'));
            lines.into_iter().find(|(key, _)| key.trim() == wanted).map(|(_, value)| value.trim())
        };
        let is_container = CONTAINER_FILES.iter().any(|file| root.join(file).exists())
            || read("proc/self/cgroup").split(['/', '-', '.']).any(|part| CONTAINER_GROUPS.contains(&part));
        let is_virtual = value("flags").is_some_and(|flags| flags.split(' ').any(|flag| flag == "hypervisor"))
            || root.join("sys/hypervisor/type").exists();
        let architecture = match architecture {
            "x86_64" => Name4::new("X64"),
            "aarch64" => Name4::new("A64"),
            other => Name4::new(&other.to_uppercase()),
        };
        Machine {
            name: Name8::new(&name),
            architecture,
            model: Name16::new(&model_of(value("model name").unwrap_or_default())),
            host: match (is_container, is_virtual) {
                (true, _) => Host::Container,
                (false, true) => Host::VirtualMachine,
                (false, false) => Host::Hardware,
            },
        }
    }
}

/// The name of a processor in sixteen characters or a little more: `Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz` is XEON E5-2680 V4.
fn model_of(name: &str) -> String {
    let name = name.split('@').next().unwrap_or_default().to_uppercase();
    let name = EMPTY_WORDS.iter().fold(name, |name, word| name.replace(word, " "));
    let mut words: Vec<&str> = name.split_whitespace().collect();
    if words.len() > 1 && matches!(words[0], "INTEL" | "AMD") {
        words.remove(0);
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, path: &str, text: &str) {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    #[test]
    fn a_machine_is_named_by_host_and_processor() {
        let root = tempfile::tempdir().unwrap();
        write(root.path(), "proc/sys/kernel/hostname", "payroll1.example.com\n");
        let processor = "processor\t: 0\nmodel name\t: Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz\nflags\t\t: fpu vme\n";
        write(root.path(), "proc/cpuinfo", processor);
        write(root.path(), "proc/self/cgroup", "0::/system.slice/regent.service\n");
        let machine = Machine::of(root.path(), "x86_64");
        assert_eq!([machine.name.as_str(), machine.architecture.as_str(), machine.model.as_str()], ["PAYROLL1", "X64", "XEON E5-2680 V4"]);
        assert_eq!(machine.host, Host::Hardware);
        write(root.path(), "proc/cpuinfo", &processor.replace("vme", "vme hypervisor"));
        assert_eq!(Machine::of(root.path(), "aarch64").host, Host::VirtualMachine);
        write(root.path(), "proc/self/cgroup", "0::/kubepods/burstable/pod1\n");
        assert_eq!(Machine::of(root.path(), "aarch64").host, Host::Container);
        write(root.path(), "proc/self/cgroup", "0::/system.slice/docker-0123.scope\n");
        assert_eq!(Machine::of(root.path(), "aarch64").host, Host::Container);
        write(root.path(), "proc/self/cgroup", "0::/\n");
        write(root.path(), "run/.containerenv", "");
        assert_eq!(Machine::of(root.path(), "aarch64").host, Host::Container);
    }

    #[test]
    fn a_machine_that_tells_nothing_has_an_architecture() {
        let root = tempfile::tempdir().unwrap();
        let machine = Machine::of(root.path(), "x86_64");
        assert!(machine.name.is_blank() && machine.model.is_blank());
        assert_eq!((machine.architecture.as_str(), machine.host), ("X64", Host::Hardware));
        assert_eq!(model_of("AMD EPYC 7763 64-Core Processor"), "EPYC 7763 64-CORE");
        assert_eq!(model_of("EPYC"), "EPYC");
    }
}
