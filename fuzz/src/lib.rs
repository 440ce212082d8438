//! Vocabulary of fuzz targets: plain functions of bytes.
