//! Byte layout of a connection, in each direction: one hello, then packets, to the end.
//!
//! ```text
//! hello    8  "cenotaph"
//!          4  version, 1
//!          4  the sender's address
//!          4  the sender's incarnation
//! packet   4  size of the body in bytes, at most 4 MiB
//!          …  the body
//! ```
//! Numbers are little-endian.

use thiserror::Error;

use crate::network::{Address, PACKET_SIZE_MAX};

const MAGIC: [u8; 8] = *b"cenotaph";
const VERSION: u32 = 1;

/// Bytes of a hello.
pub(super) const HELLO_SIZE: usize = 20;

/// Who is at the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hello {
    pub(super) address: Address,
    pub(super) incarnation: u32,
}

/// Why a connection cannot be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(super) enum FrameError {
    /// Somebody else's protocol.
    #[error("no hello of ours")]
    Foreign,
    /// Another version of ours.
    #[error("a hello of version {0}, not {VERSION}")]
    Version(u32),
    /// A packet that no sender may send.
    #[error("a packet of {0} bytes, more than {PACKET_SIZE_MAX}")]
    Size(u32),
}

impl Hello {
    pub(super) fn encode(self) -> [u8; HELLO_SIZE] {
        let mut bytes = [0_u8; HELLO_SIZE];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.address.0.to_le_bytes());
        bytes[16..].copy_from_slice(&self.incarnation.to_le_bytes());
        bytes
    }

    pub(super) fn decode(bytes: &[u8; HELLO_SIZE]) -> Result<Hello, FrameError> {
        let word = |at: usize| {
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        if bytes[..8] != MAGIC {
            return Err(FrameError::Foreign);
        }
        if word(8) != VERSION {
            return Err(FrameError::Version(word(8)));
        }
        Ok(Hello {
            address: Address(word(12)),
            incarnation: word(16),
        })
    }
}

/// What stands before a body of this size.
pub(super) fn encode_size(size: usize) -> [u8; 4] {
    u32::try_from(size)
        .expect("larger packets are refused before they are queued")
        .to_le_bytes()
}

/// The size of the body that follows.
pub(super) fn decode_size(bytes: [u8; 4]) -> Result<usize, FrameError> {
    let size = u32::from_le_bytes(bytes);
    match usize::try_from(size) {
        Ok(size) if size <= PACKET_SIZE_MAX => Ok(size),
        _ => Err(FrameError::Size(size)),
    }
}
