//! Contents of `honest`: a naive node under chance, which keeps its promises or has one defect.

mod defect;
mod node;
mod table;

pub(crate) use defect::Defect;
pub(crate) use node::run;
