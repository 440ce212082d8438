//! Contents of the tests of fuzz targets: what a fuzzer would call, on a few inputs of our own.

mod disk;
mod executor;
mod network;
mod record_reader;
mod simulation;
mod trie_ops;
mod trie;
