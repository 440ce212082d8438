//! Byte layout tests of partition keys and tokens.

use std::fmt::Write;

use bytes::Bytes;
use cenotaph_engine::keys::{DataType, DecoratedKey, KeyError, PartitionKey, Token, Value};

use crate::laws::hex;

fn decorated(types: &[DataType], values: &[Value]) -> DecoratedKey {
    DecoratedKey::new(PartitionKey::from_values(types, values).unwrap())
}

#[test]
fn keys_and_tokens_are_frozen() {
    let text = |text: &str| Value::Text(text.into());
    let keys: [&[Value]; 7] = [
        &[Value::Int(1)],
        &[Value::BigInt(1)],
        &[text("Apple")],
        &[text("a key of more than sixteen bytes")],
        &[Value::Blob(Bytes::from_static(&[0x80, 0xFF, 0x00, 0x90]))],
        &[Value::Int(1), text("a")],
        &[text(""), Value::Boolean(true), Value::Int(-1)],
    ];
    let mut shown = String::new();
    for values in keys {
        let types: Vec<DataType> = values.iter().filter_map(Value::data_type).collect();
        let key = decorated(&types, values);
        let literals: Vec<String> = values.iter().map(Value::to_string).collect();
        writeln!(shown, "({})", literals.join(", ")).unwrap();
        writeln!(shown, "  key        {}", hex(&key.key.0)).unwrap();
        writeln!(shown, "  token      {}", key.token.0).unwrap();
        writeln!(shown, "  comparable {}", hex(&key.to_comparable())).unwrap();
    }
    cenotaph_snapshots::golden!(
        "engine/keys",
        "tokens",
        "Partition keys and their tokens are frozen: every stored partition lies by them.",
        shown
    );
}

#[test]
fn a_token_is_what_cassandra_computes() {
    let token = Token::of(&PartitionKey(Bytes::from_static(b"Apple")));
    assert_eq!(token.0, 0x4D0A_37FD_8F05_3C6C);
}

#[test]
fn keys_without_bytes_or_with_too_many_are_refused() {
    let text =
        |text: String| PartitionKey::from_values(&[DataType::Text], &[Value::Text(text.into())]);
    assert_eq!(text(String::new()), Err(KeyError::Empty));
    assert!(text("x".repeat(65_535)).is_ok());
    let too_large = Err(KeyError::TooLarge {
        size: 65_536,
        size_max: 65_535,
    });
    assert_eq!(text("x".repeat(65_536)), too_large);
}

#[test]
fn a_composite_key_cut_anywhere_is_refused() {
    let types = [DataType::Int, DataType::Text];
    let key = PartitionKey::from_values(&types, &[Value::Int(5), Value::Text("ab".into())]);
    let whole = key.unwrap().0;
    for size in 0..whole.len() {
        let cut = PartitionKey(whole.slice(..size));
        assert!(
            matches!(cut.values(&types), Err(KeyError::Malformed { .. })),
            "{size}"
        );
    }
    let longer = PartitionKey([&whole[..], &[0]].concat().into());
    assert_eq!(
        longer.values(&types),
        Err(KeyError::Malformed {
            offset: whole.len(),
            cause: "bytes left over"
        })
    );
}

#[test]
fn a_comparable_key_with_another_keys_token_is_refused() {
    let mut bytes = decorated(&[DataType::Int], &[Value::Int(1)])
        .to_comparable()
        .to_vec();
    bytes[4] ^= 1;
    let error = DecoratedKey::from_comparable(&bytes).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("byte {}: the token is not the key's", bytes.len())
    );
}
