//! Contents of `report`: see below.
