//! Invariants of errors: each says who must act.

use std::io;

use cenotaph_engine::error::{Actor, Class, Classify, Error, IoFailure};
use cenotaph_engine::record::{Damage, RecordError};
use cenotaph_engine::schema::SchemaError;

#[test]
fn any_rooms_error_becomes_the_crate_error_and_can_be_found_in_it() {
    let corrupt = RecordError::Corrupt {
        file: "commitlog/7.log".to_owned(),
        offset: 48,
        damage: Damage::PayloadChecksum,
        synced_upto: 96,
    };
    let error = Error::from(corrupt.clone());
    assert_eq!(error.downcast_ref::<RecordError>(), Some(&corrupt));
    assert_eq!(error.downcast_ref::<SchemaError>(), None);
    assert_eq!(
        error.to_string(),
        "commitlog/7.log is corrupt at offset 48: a payload does not match its checksum \
         (synced up to 96)"
    );
    assert!(error.is_corruption() && error.is_deterministic() && !error.is_retryable());
    assert_eq!(error.actor(), Actor::Operator);
}

#[test]
fn a_full_disk_is_told_apart_from_a_failing_one() {
    let class = |kind: io::ErrorKind| {
        IoFailure::new("write", "commitlog/7.log", &io::Error::from(kind)).class()
    };
    assert_eq!(class(io::ErrorKind::StorageFull), Class::DiskFull);
    assert_eq!(class(io::ErrorKind::QuotaExceeded), Class::DiskFull);
    assert_eq!(class(io::ErrorKind::Other), Class::Io);
}

#[test]
fn a_refused_change_is_the_clients_to_correct() {
    let error = Error::from(SchemaError::TableExists {
        table: "ks.t".to_owned(),
    });
    assert_eq!(error.class(), Class::Refused);
    assert_eq!(error.actor(), Actor::Client);
    assert!(error.is_deterministic() && !error.is_retryable() && !error.is_corruption());
}
