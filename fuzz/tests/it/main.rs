//! Contents of the tests of fuzz targets: what a fuzzer would call, on a few inputs of our own.

mod byte_comparable;
mod disk;
mod executor;
mod memtable_vs_model;
mod network;
mod record_reader;
mod simulation;
mod trie_ops;
mod trie;
