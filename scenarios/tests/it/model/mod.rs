//! Contents of the tests of `model`.

mod cases;
mod cases_cells;
mod cases_columns;
mod cases_purges;
mod cases_ranges;
mod cases_rows;
mod chance;
mod forgetting;
mod seconds;
mod sets;
mod words;
mod worked;
