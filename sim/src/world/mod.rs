//! Contents of `world`: machines, network and executor as one run.
