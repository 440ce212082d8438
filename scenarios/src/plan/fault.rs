//! Vocabulary of faults: what the world does to the database, and when.
//!
//! An anchor's text: `1500ms` (virtual time), `c1o17` (when client 1 begins its operation 17),
//! `n1/2/commitlog/sync/3` (the fourth sync of a commit log file in machine n1's second
//! incarnation), or `n1/2/17` (the eighteenth disk operation of that incarnation, whatever it asks).
//! Incarnations count from 1, ordinals from 0.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::operation::OperationRef;

/// Declares an enum whose variants have one fixed name each, in text and JSON.
macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        pub enum $name { $($(#[$variant_doc])* #[serde(rename = $text)] $variant,)* }

        impl $name {
            /// Every variant, in order.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// The name in texts.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

pub(super) use named;

named! {
    /// What ends an incarnation.
    CrashKind {
        /// The process dies; nothing written is lost.
        Kill = "kill",
        /// The kernel dies; the page cache is lost.
        Panic = "panic",
        /// The power goes; requests in flight may tear, too.
        Power = "power",
    }
}

named! {
    /// What a file is for: the first component of its path.
    FileRole {
        /// The advisory lock.
        Lock = "lock",
        /// The metadata log.
        Metadata = "metadata",
        /// The list of valid sstables.
        Manifest = "manifest",
        /// Commit log segments.
        Commitlog = "commitlog",
        /// Sstables.
        Data = "data",
    }
}

named! {
    /// What is asked of a disk.
    IoKind {
        /// Open or create a file.
        Open = "open",
        /// Read.
        Read = "read",
        /// Write.
        Write = "write",
        /// Sync a file's content.
        Sync = "sync",
        /// Ask for a file's length.
        Len = "len",
        /// Cut or extend a file.
        Truncate = "truncate",
        /// Reserve space.
        Preallocate = "preallocate",
        /// Rename a file.
        Rename = "rename",
        /// Remove a file.
        Remove = "remove",
        /// Make a second name.
        Link = "link",
        /// List a directory.
        List = "list",
        /// Make a directory.
        CreateDir = "create-dir",
        /// Remove a directory.
        RemoveDir = "remove-dir",
        /// Sync a directory.
        SyncDir = "sync-dir",
        /// Take an advisory lock.
        Lock = "lock",
    }
}

named! {
    /// Which way a partition closes.
    #[derive(Default)]
    Way {
        /// In both directions.
        #[default]
        Both = "both",
        /// What the client sends.
        ToNode = "to-node",
        /// What the node answers.
        FromNode = "from-node",
    }
}

named! {
    /// What happens to packets at a closed way.
    #[derive(Default)]
    Packets {
        /// They are lost, those in flight that would arrive meanwhile, too.
        #[default]
        Lost = "lost",
        /// Those sent meanwhile are lost; those in flight arrive.
        SentLost = "sent-lost",
        /// They wait, and arrive all at once when the way opens.
        Held = "held",
    }
}

/// When a fault strikes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Anchor {
    /// A virtual time since the run began.
    Time {
        /// In milliseconds.
        millis: u32,
    },
    /// When a client begins an operation.
    Operation(OperationRef),
    /// One disk operation, counted among its kind.
    Io {
        /// Number of the machine.
        machine: u16,
        /// Incarnation of the machine, from 1.
        incarnation: u32,
        /// What the file is for.
        role: FileRole,
        /// What is asked.
        kind: IoKind,
        /// Which of those operations, from 0.
        ordinal: u32,
    },
    /// One disk operation, counted among all: an early one is of the incarnation's boot.
    Request {
        /// Number of the machine.
        machine: u16,
        /// Incarnation of the machine, from 1.
        incarnation: u32,
        /// Which of its disk operations, from 0.
        ordinal: u32,
    },
}

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Anchor::Time { millis } => write!(f, "{millis}ms"),
            Anchor::Operation(operation) => write!(f, "{operation}"),
            Anchor::Io {
                machine,
                incarnation,
                role,
                kind,
                ordinal,
            } => {
                write!(f, "n{machine}/{incarnation}/{role}/{kind}/{ordinal}")
            }
            Anchor::Request {
                machine,
                incarnation,
                ordinal,
            } => write!(f, "n{machine}/{incarnation}/{ordinal}"),
        }
    }
}

fn parse_io(text: &str) -> Option<Anchor> {
    let parts: Vec<&str> = text.strip_prefix('n')?.split('/').collect();
    if let [machine, incarnation, ordinal] = parts[..] {
        return Some(Anchor::Request {
            machine: machine.parse().ok()?,
            incarnation: incarnation.parse().ok()?,
            ordinal: ordinal.parse().ok()?,
        });
    }
    let [machine, incarnation, role, kind, ordinal] = parts[..] else {
        return None;
    };
    Some(Anchor::Io {
        machine: machine.parse().ok()?,
        incarnation: incarnation.parse().ok()?,
        role: FileRole::ALL
            .iter()
            .copied()
            .find(|known| known.name() == role)?,
        kind: IoKind::ALL
            .iter()
            .copied()
            .find(|known| known.name() == kind)?,
        ordinal: ordinal.parse().ok()?,
    })
}

impl FromStr for Anchor {
    type Err = String;

    fn from_str(text: &str) -> Result<Anchor, String> {
        let time = || {
            text.strip_suffix("ms")?
                .parse()
                .ok()
                .map(|millis| Anchor::Time { millis })
        };
        let operation = || text.parse().ok().map(Anchor::Operation);
        let anchor = time().or_else(operation).or_else(|| parse_io(text));
        anchor.filter(|anchor| anchor.to_string() == text).ok_or_else(|| {
            format!("`{text}` is not an anchor: expected `1500ms`, `c1o17`, `n1/2/commitlog/sync/3` or `n1/2/17`")
        })
    }
}

impl Serialize for Anchor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Anchor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Anchor, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// What happens when a fault strikes. Each strikes once.
///
/// At an I/O anchor a disk fault meets that very operation; at any other anchor the node's next
/// operation that it can meet.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum FaultKind {
    /// The node's incarnation ends, another begins later.
    Crash {
        /// How it ends.
        kind: CrashKind,
        /// How long the machine stays down.
        restart_after_millis: u32,
    },
    /// A disk operation fails with EIO.
    DiskError,
    /// A disk operation fails with ENOSPC.
    NoSpace,
    /// A sync fails, and the content it should have saved is lost.
    FailSync,
    /// No packet passes between a client and the node, in both directions or in one.
    Partition {
        /// Index of the client.
        client: u16,
        /// How long.
        duration_millis: u32,
        /// In which direction.
        #[serde(default, skip_serializing_if = "is_default")]
        way: Way,
        /// What happens to packets meanwhile.
        #[serde(default, skip_serializing_if = "is_default")]
        packets: Packets,
    },
    /// All links of some of the machines are clogged, one machine after the other in the first half of the
    /// time, and unclogged in another order in the second. A clogged link holds its packets.
    Swizzle {
        /// How long.
        duration_millis: u32,
    },
    /// Nothing of the node runs: its timers are late and its packets queue, while the clients go on and what
    /// it asked of its disk is done.
    Pause {
        /// How long.
        duration_millis: u32,
    },
    /// The node's wall clock gains, or loses, for a while; what it gained stays gained.
    ClockDrift {
        /// How much, in millionths, beside what it always gains.
        ppm: i32,
        /// How long.
        duration_millis: u32,
    },
    /// The node's wall clock jumps.
    ClockJump {
        /// How far, forward or back.
        millis: i32,
    },
    /// The next packets are lost.
    DropPackets {
        /// How many.
        count: u16,
    },
    /// The page cache is written back and forgotten.
    EvictCache,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl FaultKind {
    /// What reports call kinds of fault, in the order of what [`FaultKind::name`] tells apart.
    pub const NAMES: &'static [&'static str] = &[
        "crash kill",
        "crash panic",
        "crash power",
        "disk error",
        "disk full",
        "failed sync",
        "partition",
        "one-way partition",
        "clog",
        "swizzled clogs",
        "pause",
        "clock jump",
        "clock drift",
        "dropped packets",
        "evicted cache",
    ];

    /// What reports call this kind of fault.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            FaultKind::Crash { kind, .. } => match kind {
                CrashKind::Kill => "crash kill",
                CrashKind::Panic => "crash panic",
                CrashKind::Power => "crash power",
            },
            FaultKind::DiskError => "disk error",
            FaultKind::NoSpace => "disk full",
            FaultKind::FailSync => "failed sync",
            FaultKind::Partition { way, packets, .. } => match (packets, way) {
                (Packets::Held, _) => "clog",
                (_, Way::Both) => "partition",
                (_, Way::ToNode | Way::FromNode) => "one-way partition",
            },
            FaultKind::Swizzle { .. } => "swizzled clogs",
            FaultKind::Pause { .. } => "pause",
            FaultKind::ClockJump { .. } => "clock jump",
            FaultKind::ClockDrift { .. } => "clock drift",
            FaultKind::DropPackets { .. } => "dropped packets",
            FaultKind::EvictCache => "evicted cache",
        }
    }
}

/// One fault of a plan.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    /// When it strikes.
    pub at: Anchor,
    /// What happens.
    pub kind: FaultKind,
}
