//! Vocabulary of anchors: when a fault strikes, by a name that survives changes of everything else.

use std::fmt;
use std::str::FromStr;

use crate::time::Instant;

/// When a fault strikes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Anchor {
    /// At this virtual instant.
    At(Instant),
    /// When the harness says so, with this number (operation k of a client).
    Signal(u64),
    /// At one request of one incarnation of one machine.
    Disk(DiskAnchor),
    /// At the `ordinal`-th request of one incarnation, whatever it asks.
    Request(RequestAnchor),
}

/// Names one disk request by its number alone: `n1/2/17`. The first ones of an incarnation are those of
/// its boot: a crash there is one inside recovery.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RequestAnchor {
    /// The machine's name.
    pub machine: String,
    /// Its incarnation, from 1.
    pub incarnation: u32,
    /// Which of its requests, from 0.
    pub ordinal: u64,
}

/// Names one disk request: `n1/2/commitlog/sync/3`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DiskAnchor {
    /// The machine's name.
    pub machine: String,
    /// Its incarnation, from 1.
    pub incarnation: u32,
    /// The file's role: the first part of its path, up to a `-` or `.`.
    pub role: String,
    /// The kind of request.
    pub kind: RequestKind,
    /// Which of these requests, from 0.
    pub ordinal: u64,
}

/// The kinds of disk requests. `Sync` is of content, whether data only or all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each is the request of that name")]
pub enum RequestKind {
    Open,
    Read,
    Write,
    Sync,
    Len,
    Truncate,
    Preallocate,
    Rename,
    Remove,
    Link,
    List,
    CreateDir,
    RemoveDir,
    SyncDir,
    Lock,
}

impl RequestKind {
    /// Every kind.
    pub const ALL: [RequestKind; 15] = [
        RequestKind::Open,
        RequestKind::Read,
        RequestKind::Write,
        RequestKind::Sync,
        RequestKind::Len,
        RequestKind::Truncate,
        RequestKind::Preallocate,
        RequestKind::Rename,
        RequestKind::Remove,
        RequestKind::Link,
        RequestKind::List,
        RequestKind::CreateDir,
        RequestKind::RemoveDir,
        RequestKind::SyncDir,
        RequestKind::Lock,
    ];

    /// The kind's name in an anchor.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            RequestKind::Open => "open",
            RequestKind::Read => "read",
            RequestKind::Write => "write",
            RequestKind::Sync => "sync",
            RequestKind::Len => "len",
            RequestKind::Truncate => "truncate",
            RequestKind::Preallocate => "preallocate",
            RequestKind::Rename => "rename",
            RequestKind::Remove => "remove",
            RequestKind::Link => "link",
            RequestKind::List => "list",
            RequestKind::CreateDir => "create-dir",
            RequestKind::RemoveDir => "remove-dir",
            RequestKind::SyncDir => "sync-dir",
            RequestKind::Lock => "lock",
        }
    }

    /// The kind's number in a fingerprint.
    #[must_use]
    pub const fn word(self) -> u64 {
        self as u64
    }
}

impl fmt::Display for DiskAnchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DiskAnchor {
            machine,
            incarnation,
            role,
            kind,
            ordinal,
        } = self;
        write!(
            f,
            "{machine}/{incarnation}/{role}/{}/{ordinal}",
            kind.name()
        )
    }
}

impl fmt::Display for RequestAnchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RequestAnchor {
            machine,
            incarnation,
            ordinal,
        } = self;
        write!(f, "{machine}/{incarnation}/{ordinal}")
    }
}

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Anchor::At(instant) => write!(f, "{instant}"),
            Anchor::Signal(number) => write!(f, "signal {number}"),
            Anchor::Disk(anchor) => write!(f, "{anchor}"),
            Anchor::Request(anchor) => write!(f, "{anchor}"),
        }
    }
}

/// A text is not an anchor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not {form}: {cause}")]
pub struct AnchorError {
    /// What was to be read.
    pub text: String,
    /// How it is written.
    pub form: &'static str,
    /// What is wrong with it.
    pub cause: String,
}

impl FromStr for DiskAnchor {
    type Err = AnchorError;

    fn from_str(text: &str) -> Result<DiskAnchor, AnchorError> {
        let error = |cause: String| AnchorError {
            text: text.to_owned(),
            form: "`machine/incarnation/file role/request kind/ordinal`",
            cause,
        };
        let parts: Vec<&str> = text.split('/').collect();
        let [machine, incarnation, role, kind, ordinal] = parts[..] else {
            return Err(error(format!("it has {} parts, not 5", parts.len())));
        };
        let named = RequestKind::ALL
            .into_iter()
            .find(|candidate| candidate.name() == kind);
        if machine.is_empty() || role.is_empty() {
            return Err(error(
                "the machine and the role may not be empty".to_owned(),
            ));
        }
        let incarnation = incarnation
            .parse()
            .map_err(|_| error(format!("the incarnation `{incarnation}` is not a number")))?;
        let ordinal = ordinal
            .parse()
            .map_err(|_| error(format!("the ordinal `{ordinal}` is not a number")))?;
        Ok(DiskAnchor {
            machine: machine.to_owned(),
            incarnation,
            role: role.to_owned(),
            kind: named.ok_or_else(|| error(format!("there is no request kind `{kind}`")))?,
            ordinal,
        })
    }
}

impl FromStr for RequestAnchor {
    type Err = AnchorError;

    fn from_str(text: &str) -> Result<RequestAnchor, AnchorError> {
        let error = |cause: String| AnchorError {
            text: text.to_owned(),
            form: "`machine/incarnation/ordinal`",
            cause,
        };
        let parts: Vec<&str> = text.split('/').collect();
        let [machine, incarnation, ordinal] = parts[..] else {
            return Err(error(format!("it has {} parts, not 3", parts.len())));
        };
        if machine.is_empty() {
            return Err(error("the machine may not be empty".to_owned()));
        }
        Ok(RequestAnchor {
            machine: machine.to_owned(),
            incarnation: incarnation
                .parse()
                .map_err(|_| error(format!("the incarnation `{incarnation}` is not a number")))?,
            ordinal: ordinal
                .parse()
                .map_err(|_| error(format!("the ordinal `{ordinal}` is not a number")))?,
        })
    }
}
