//! Contents of `memtable`: see below.
