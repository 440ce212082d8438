//! Byte layout of rows and deletions inside their blocks.
//!
//! A row that is deleted and written again is in both sections: its marker and cells in the live one,
//! its deletion in the other. Cell tombstones and complex deletions stay with their row.

use bytes::Bytes;

use super::layout::Kind;
use super::section::{Section, SectionWriter};
use crate::keys::{Clustering, Slice};
use crate::rows::wire::{Input, put_bytes};
use crate::rows::{DeletionTime, Partition, RangeTombstone, Row, RowsError};

const ROW_DELETION: u8 = 0x01;
const RANGE: u8 = 0x02;
/// Most rows are smaller.
const ROW_SIZE_USUAL: usize = 64;

/// Writes the live section of a partition.
pub(super) fn put_rows(section: SectionWriter<'_>, partition: &Partition) -> Option<Section> {
    let entries = partition.rows.iter().filter_map(|(clustering, row)| {
        if !row.is_written() {
            return None;
        }
        let mut bytes = Vec::with_capacity(ROW_SIZE_USUAL);
        put_bytes(&clustering.0, &mut bytes);
        row.encode_written_into(&mut bytes);
        Some((clustering.0.clone(), clustering.0.clone(), bytes))
    });
    section.write(Kind::RowIndex, entries)
}

/// Writes the deletion section of a partition: ranges and row deletions in one order.
pub(super) fn put_deletions(section: SectionWriter<'_>, partition: &Partition) -> Option<Section> {
    let rows = partition.rows.iter().filter_map(|(clustering, row)| {
        let mut bytes = vec![ROW_DELETION];
        put_bytes(&clustering.0, &mut bytes);
        row.deletion?.encode_into(&mut bytes);
        Some((clustering.0.clone(), clustering.0.clone(), bytes))
    });
    let ranges = partition.ranges.iter().map(|range| {
        let mut bytes = vec![RANGE];
        range.encode_into(&mut bytes);
        (range.start.0.clone(), range.end.0.clone(), bytes)
    });
    let (mut rows, mut ranges) = (rows.peekable(), ranges.peekable());
    let entries = std::iter::from_fn(|| match (rows.peek(), ranges.peek()) {
        (Some(row), Some(range)) if row.0 < range.0 => rows.next(),
        (_, Some(_)) => ranges.next(),
        (_, None) => rows.next(),
    });
    section.write(Kind::DeletionIndex, entries)
}

/// Adds the rows of one live block that lie in the slice.
pub(super) fn take_rows(
    input: &mut Input<'_>,
    slice: &Slice,
    partition: &mut Partition,
) -> Result<(), RowsError> {
    let mut last: Option<Clustering> = None;
    while input.remaining() > 0 {
        let clustering = take_clustering(input)?;
        if last.is_some_and(|last| last >= clustering) {
            return Err(input.malformed("rows out of order"));
        }
        let row = Row::decode_from(input)?;
        last = Some(clustering.clone());
        if slice.contains(&clustering) {
            partition.rows.insert(clustering, row);
        }
    }
    Ok(())
}

/// Adds the deletions of one block that lie in the slice, ranges clipped to it. Rows come before them.
pub(super) fn take_deletions(
    input: &mut Input<'_>,
    slice: &Slice,
    partition: &mut Partition,
) -> Result<(), RowsError> {
    let mut last = Bytes::new();
    while input.remaining() > 0 {
        let first = match input.byte()? {
            ROW_DELETION => {
                let clustering = take_clustering(input)?;
                let deletion = DeletionTime::decode_from(input)?;
                let first = clustering.0.clone();
                if slice.contains(&clustering) {
                    match partition.rows.get_mut(&clustering) {
                        Some(row) => row.deletion = Some(deletion),
                        None => {
                            let deletion = Some(deletion);
                            let row = Row {
                                deletion,
                                ..Row::default()
                            };
                            partition.rows.insert(clustering, row);
                        }
                    }
                }
                first
            }
            RANGE => {
                let range = RangeTombstone::decode_from(input)?;
                let first = range.start.0.clone();
                partition.ranges.extend(clip(range, slice));
                first
            }
            _ => return Err(input.malformed("no kind of deletion")),
        };
        if last >= first {
            return Err(input.malformed("deletions out of order"));
        }
        last = first;
    }
    Ok(())
}

fn clip(range: RangeTombstone, slice: &Slice) -> Option<RangeTombstone> {
    let covered = slice.intersection(&Slice {
        start: range.start,
        end: range.end,
    });
    let Slice { start, end } = covered;
    (start < end).then_some(RangeTombstone {
        start,
        end,
        deletion: range.deletion,
    })
}

fn take_clustering(input: &mut Input<'_>) -> Result<Clustering, RowsError> {
    let bytes = input.sized_bytes()?;
    Clustering::from_bytes(bytes).map_err(|_| input.malformed("no clustering"))
}

/// Reads a static row.
pub(super) fn take_static(input: &mut Input<'_>) -> Result<Row, RowsError> {
    let row = Row::decode_from(input)?;
    input.finish()?;
    Ok(row)
}
