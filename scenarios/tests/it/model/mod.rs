//! Contents of the tests of `model`.

mod cases;
mod cases_cells;
mod cases_collections;
mod cases_columns;
mod cases_purges;
mod cases_ranges;
mod cases_rows;
mod cases_ties;
mod chance;
mod elements;
mod forgetting;
mod seconds;
mod sets;
mod words;
mod worked;
