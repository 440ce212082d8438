//! Steps of turning what the node says of deletions into what the client knows.

use cenotaph_engine::compaction::CompactionReport;
use cenotaph_engine::keys::Value;
use cenotaph_engine::read::{RowStones, Stone, StoneBound, Stones};

use super::answers::TypeOf;
use super::values::{element_seen, scalar_seen};
use crate::history::{CompactionSeen, StoneEdge, StoneOf, StoneSeen, StonesSeen};
use crate::plan::{Column, Scalar};

/// What a compaction says that it did.
pub(super) fn compaction_seen(report: &CompactionReport) -> CompactionSeen {
    CompactionSeen {
        now_seconds: report.now_seconds,
        gc_before_seconds: report.gc_before_seconds,
        purged_count: report.purged.total(),
        kept_by_grace_count: report.kept_by_grace.total(),
        kept_by_memtable_count: report.kept_by_memtable.total(),
        kept_by_sstable_count: report.kept_by_sstable.total(),
    }
}

/// The stored deletions of a partition; none when a plan's table cannot have them.
pub(super) fn stones_seen(stones: &Stones, type_of: TypeOf<'_>) -> Option<StonesSeen> {
    let mut seen = StonesSeen {
        partition: stones.partition.map(stone_seen),
        statics: cells_seen(&stones.statics, type_of)?,
        ..StonesSeen::default()
    };
    for range in &stones.ranges {
        let (from, to) = (edge_seen(&range.start)?, edge_seen(&range.end)?);
        seen.ranges.push((from, to, stone_seen(range.stone)));
    }
    for row in &stones.rows {
        let key = scalars(&row.clustering)?;
        if let Some(stone) = row.row {
            seen.rows.push((key.clone(), stone_seen(stone)));
        }
        let cells = cells_seen(row, type_of)?;
        let keyed = |(of, stone)| (key.clone(), of, stone);
        seen.cells.extend(cells.into_iter().map(keyed));
    }
    // A static row is deleted with its partition only.
    stones.statics.row.is_none().then_some(seen)
}

fn stone_seen(stone: Stone) -> StoneSeen {
    StoneSeen {
        timestamp: stone.timestamp,
        second: stone.local_deletion_seconds,
    }
}

fn edge_seen(bound: &StoneBound) -> Option<StoneEdge> {
    Some(StoneEdge {
        values: scalars(&bound.values)?,
        is_after: bound.is_after,
    })
}

fn cells_seen(row: &RowStones, type_of: TypeOf<'_>) -> Option<Vec<(StoneOf, StoneSeen)>> {
    let mut seen = Vec::new();
    for (name, stone) in &row.complex {
        let column: Column = name.parse().ok()?;
        seen.push((StoneOf::Elements(column), stone_seen(*stone)));
    }
    for (name, stone) in &row.cells {
        seen.push((StoneOf::Cell(name.parse().ok()?), stone_seen(*stone)));
    }
    for (name, path, stone) in &row.elements {
        let column: Column = name.parse().ok()?;
        let element = element_seen(path, type_of(column))?;
        seen.push((StoneOf::Element(column, element), stone_seen(*stone)));
    }
    Some(seen)
}

fn scalars(values: &[Value]) -> Option<Vec<Scalar>> {
    values.iter().map(scalar_seen).collect()
}
