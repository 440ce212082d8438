//! Contents of `machine`: power, incarnations, clocks, and the requests of one machine.
