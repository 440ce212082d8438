//! Contents of `sstable`: see below.
