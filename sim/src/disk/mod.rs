//! Contents of `disk`: registers by inode, and what a crash leaves of them.
