//! Invariants of times: all that one write leaves has one timestamp, and one expiry or deletion second.

use bytes::Bytes;

use crate::limits::TTL_SECONDS_MAX;
use crate::message::error::StatementError;
use crate::message::statement::{WriteStatement, WriteTarget};
use crate::rows::{Cell, DeletionTime, Liveness, NO_DELETION_SECONDS, RowsError};

/// The times that everything in one write has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Times {
    timestamp: i64,
    /// 0 for none.
    ttl_seconds: u32,
    now_seconds: u32,
    expiry_seconds: u32,
}

impl Times {
    /// The times of a statement that is prepared at the wall second `now_seconds`.
    pub(super) fn of(
        statement: &WriteStatement,
        now_seconds: u32,
    ) -> Result<Times, StatementError> {
        if statement.timestamp == i64::MIN {
            return Err(RowsError::ReservedTimestamp.into());
        }
        let ttl_seconds = statement.ttl_seconds.unwrap_or(0);
        let writes_values = matches!(
            statement.target,
            WriteTarget::Insert { .. } | WriteTarget::Update { .. }
        );
        if statement.ttl_seconds.is_some() && !writes_values {
            return Err(StatementError::DeletionTtl);
        }
        if ttl_seconds > TTL_SECONDS_MAX {
            return Err(StatementError::TtlTooLong {
                ttl_seconds,
                ttl_seconds_max: TTL_SECONDS_MAX,
            });
        }
        let expiry = now_seconds.checked_add(ttl_seconds);
        let Some(expiry_seconds) = expiry.filter(|expiry| *expiry < NO_DELETION_SECONDS) else {
            return Err(StatementError::ExpiryTooLate {
                ttl_seconds,
                now_seconds,
            });
        };
        Ok(Times {
            timestamp: statement.timestamp,
            ttl_seconds,
            now_seconds,
            expiry_seconds,
        })
    }

    pub(super) fn marker(self) -> Liveness {
        match self.ttl_seconds {
            0 => Liveness::plain(self.timestamp),
            ttl_seconds => Liveness::expiring(self.timestamp, ttl_seconds, self.expiry_seconds),
        }
    }

    /// The cell with these value bytes; a tombstone for none.
    pub(super) fn cell(self, value: Option<Bytes>) -> Cell {
        match (value, self.ttl_seconds) {
            (None, _) => Cell::tombstone(self.timestamp, self.now_seconds),
            (Some(value), 0) => Cell::plain(self.timestamp, value),
            (Some(value), ttl_seconds) => {
                Cell::expiring(self.timestamp, ttl_seconds, self.expiry_seconds, value)
            }
        }
    }

    pub(super) const fn timestamp(self) -> i64 {
        self.timestamp
    }

    /// A deletion of all that is older than what is written.
    pub(super) fn deletion_before(self) -> Result<DeletionTime, StatementError> {
        match self.timestamp - 1 {
            i64::MIN => Err(RowsError::ReservedTimestamp.into()),
            timestamp => Ok(DeletionTime {
                timestamp,
                ..self.deletion()
            }),
        }
    }

    pub(super) const fn deletion(self) -> DeletionTime {
        let Times {
            timestamp,
            now_seconds,
            ..
        } = self;
        DeletionTime {
            timestamp,
            local_deletion_seconds: now_seconds,
        }
    }
}
