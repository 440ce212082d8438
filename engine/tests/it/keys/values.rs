//! Vocabulary tests of values: plain bytes and CQL literals.

use bytes::Bytes;
use cenotaph_engine::keys::{DataType, KeyError, Value};

#[test]
fn literals_are_cql() {
    let shown = |value: Value| value.to_string();
    assert_eq!(shown(Value::Boolean(true)), "true");
    assert_eq!(shown(Value::Int(-7)), "-7");
    assert_eq!(shown(Value::BigInt(i64::MIN)), "-9223372036854775808");
    assert_eq!(shown(Value::Text("it's".into())), "'it''s'");
    assert_eq!(shown(Value::Blob(Bytes::from_static(&[0, 255]))), "0x00ff");
    assert_eq!(shown(Value::Blob(Bytes::new())), "0x");
}

#[test]
fn bytes_that_are_no_value_of_the_type_are_refused() {
    let decode = |data_type, bytes: &'static [u8]| {
        Value::decode(data_type, &Bytes::from_static(bytes)).expect_err("not a value")
    };
    let size = KeyError::Malformed {
        offset: 0,
        cause: "a value of the wrong size",
    };
    assert_eq!(decode(DataType::Boolean, &[]), size);
    assert_eq!(
        decode(DataType::Boolean, &[2]),
        KeyError::Malformed {
            offset: 0,
            cause: "neither false nor true"
        }
    );
    assert_eq!(decode(DataType::Int, &[1, 2, 3]), size);
    assert_eq!(decode(DataType::BigInt, &[0; 9]), size);
    assert_eq!(
        decode(DataType::Text, b"ab\xff"),
        KeyError::Malformed {
            offset: 2,
            cause: "not UTF-8"
        }
    );
}
