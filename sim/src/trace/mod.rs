//! Contents of `trace`: what happened: events, the fingerprint, marks, timelines.
