//! Contents of `os`: the real machine behind the same handles.
