//! Contents of `network`: links between machines, their loss and delay.
