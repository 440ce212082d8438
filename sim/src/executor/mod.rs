//! Contents of `executor`: tasks, and who runs next.
