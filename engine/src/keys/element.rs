//! Byte layout of paths: which element of a multi-cell column a cell is. They compare as elements do.
//!
//! The path of a map entry or set element is its key as a key component; that of a field is its number in
//! the struct, 16 bits big endian.

use super::comparable;
use super::error::KeyError;
use super::input::Input;
use super::shape::Order;
use super::value::{DataType, Value};
use crate::limits::ELEMENT_PATH_SIZE_MAX;

impl Value {
    /// The path of the element with this key, which is a scalar.
    ///
    /// # Errors
    /// [`KeyError::TooLarge`].
    pub fn to_path(&self) -> Result<Vec<u8>, KeyError> {
        let mut path = Vec::new();
        comparable::encode_into(self, Order::Ascending, &mut path);
        if path.len() > ELEMENT_PATH_SIZE_MAX {
            return Err(KeyError::TooLarge {
                size: path.len(),
                size_max: ELEMENT_PATH_SIZE_MAX,
            });
        }
        Ok(path)
    }

    /// The key of the element with this path.
    ///
    /// # Errors
    /// [`KeyError::Malformed`] when it is no path of a key of the type.
    pub fn of_path(data_type: DataType, path: &[u8]) -> Result<Value, KeyError> {
        let mut input = Input::new(path);
        let value = comparable::decode(data_type, Order::Ascending, &mut input)?;
        input.finish()?;
        Ok(value)
    }
}

/// The path of the field with this number.
#[must_use]
pub fn field_path(number: usize) -> [u8; 2] {
    let number = u16::try_from(number).expect("a struct has fewer fields than 16 bits count");
    number.to_be_bytes()
}

/// The number of the field with this path.
///
/// # Errors
/// [`KeyError::Malformed`] when it is no path of a field.
pub fn field_of_path(path: &[u8]) -> Result<usize, KeyError> {
    match path {
        [high, low] => Ok(usize::from(u16::from_be_bytes([*high, *low]))),
        _ => Err(KeyError::Malformed {
            offset: 0,
            cause: "not the path of a field",
        }),
    }
}
