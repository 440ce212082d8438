//! Vocabulary of real machines: where one keeps its files, and how it is reached.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::PathBuf;

use crate::network::Address;

/// What a real machine is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OsOptions {
    /// The directory that its disk is; it must exist.
    pub root: PathBuf,
    /// Its name.
    pub name: String,
    /// Its address among its peers.
    pub address: Address,
    /// Where it listens for those who dial it; it dials all the same when absent.
    pub listen: Option<SocketAddr>,
    /// Where to dial others. Who dialled us is answered over that connection, also when absent here.
    pub peers: BTreeMap<Address, SocketAddr>,
    /// What its chance hangs on; drawn from the system's when absent.
    pub seed: Option<u64>,
}

impl OsOptions {
    /// A machine of this name with its disk in `root`: address 0, no network, chance of the system.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>, name: &str) -> OsOptions {
        OsOptions {
            root: root.into(),
            name: name.to_owned(),
            address: Address(0),
            listen: None,
            peers: BTreeMap::new(),
            seed: None,
        }
    }
}
