//! Byte layout of packets: version, checksum, body; `FORMAT.md` says it in full.

use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::envelope::{Envelope, Reply};
use super::error::MessageError;
use crate::limits::MESSAGE_SIZE_MAX;

/// The first byte of every packet.
pub const MESSAGE_VERSION: u8 = 3;

const VERSION_SIZE: usize = 1;
const CHECKSUM_SIZE: usize = 4;
const HEADER_SIZE: usize = VERSION_SIZE + CHECKSUM_SIZE;
/// Most packets are smaller: room for one at once, rather than for half of it again and again.
const SIZE_USUAL: usize = 256;

impl Envelope {
    /// The packet's bytes.
    ///
    /// # Errors
    /// [`MessageError::TooLarge`].
    pub fn encode(&self) -> Result<Bytes, MessageError> {
        encode(self)
    }

    /// The packet of these bytes.
    ///
    /// # Errors
    /// [`MessageError`] when they are none.
    pub fn decode(bytes: &[u8]) -> Result<Envelope, MessageError> {
        decode(bytes)
    }
}

impl Reply {
    /// The packet's bytes.
    ///
    /// # Errors
    /// [`MessageError::TooLarge`].
    pub fn encode(&self) -> Result<Bytes, MessageError> {
        encode(self)
    }

    /// The packet of these bytes.
    ///
    /// # Errors
    /// [`MessageError`] when they are none.
    pub fn decode(bytes: &[u8]) -> Result<Reply, MessageError> {
        decode(bytes)
    }
}

fn encode(message: &impl Serialize) -> Result<Bytes, MessageError> {
    let mut header = Vec::with_capacity(SIZE_USUAL);
    header.extend([MESSAGE_VERSION, 0, 0, 0, 0]);
    let mut out = postcard::to_extend(message, header)
        .expect("a message of sequences with known sizes has an encoding");
    check_size(out.len())?;
    let checksum = checksum(&out).to_le_bytes();
    out[VERSION_SIZE..HEADER_SIZE].copy_from_slice(&checksum);
    Ok(Bytes::from(out))
}

fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, MessageError> {
    check_size(bytes.len())?;
    let malformed = |offset, cause| MessageError::Malformed { offset, cause };
    let (header, body) = bytes
        .split_at_checked(HEADER_SIZE)
        .ok_or(malformed(bytes.len(), "ends too early"))?;
    let (version, stored) = header.split_at(VERSION_SIZE);
    if version != [MESSAGE_VERSION] {
        return Err(MessageError::UnknownVersion {
            version: version[0],
        });
    }
    if stored != checksum(bytes).to_le_bytes() {
        return Err(malformed(VERSION_SIZE, "the checksum does not match"));
    }
    match postcard::take_from_bytes(body) {
        Ok((message, [])) => Ok(message),
        Ok((_, rest)) => Err(malformed(bytes.len() - rest.len(), "bytes left over")),
        Err(_) => Err(malformed(HEADER_SIZE, "no message of this protocol")),
    }
}

/// Over the version and the body: all but itself.
fn checksum(bytes: &[u8]) -> u32 {
    crc32c::crc32c_append(
        crc32c::crc32c(&bytes[..VERSION_SIZE]),
        &bytes[HEADER_SIZE..],
    )
}

const fn check_size(size: usize) -> Result<(), MessageError> {
    if size > MESSAGE_SIZE_MAX {
        return Err(MessageError::TooLarge {
            size,
            size_max: MESSAGE_SIZE_MAX,
        });
    }
    Ok(())
}
