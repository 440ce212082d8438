//! Steps from one record's bytes to one operation on rows: the kind, the table, the place in it, and
//! the write time, each drawn in this order.

use super::maker::Maker;
use super::swarm::{Kind, Swarm};
use super::tables::number;
use crate::plan::{Draw, Operation, OperationRef, TableNumber};

/// The operation that a record means, as operation `name`.
pub(super) fn operation(
    maker: &Maker,
    swarm: &Swarm,
    name: OperationRef,
    bytes: &[u8],
) -> Operation {
    let draw = &mut Draw::new(&bytes[1..]);
    let kind = draw.weighted(&swarm.kinds);
    let table = table(swarm, draw, name.index as usize);
    let partition = maker.partition(draw);
    let timestamp = timestamp(swarm, draw, name);
    match kind {
        Kind::Insert => maker.insert(draw, name, table, partition, timestamp),
        Kind::Update => maker.update(draw, name, table, partition, timestamp),
        Kind::DeleteCells => maker.delete_cells(draw, table, partition, timestamp),
        Kind::DeleteRow => maker.delete_row(draw, table, partition, timestamp),
        Kind::DeleteRange => maker.delete_range(draw, table, partition, timestamp),
        Kind::DeletePartition => Operation::DeletePartition {
            table,
            partition,
            timestamp,
        },
        Kind::Read => maker.read(draw, table, partition),
        Kind::Flush => Operation::Flush { table },
        Kind::Describe => Operation::Describe,
        Kind::CreateAgain => maker.create(table),
        Kind::Pause => Operation::Pause {
            millis: draw.within(1, 40),
        },
    }
}

/// Mostly a hot table; else one that is likely there: the schema's client creates them in order,
/// slower than rows are written.
fn table(swarm: &Swarm, draw: &mut Draw<'_>, index: usize) -> TableNumber {
    let is_hot = !draw.chance(1, 6);
    let any = draw.within(0, 255) as usize;
    let created_count = (index / 6 + 1).min(swarm.tables_count);
    let choices_count = if is_hot {
        swarm.hot_count
    } else {
        created_count
    };
    number(any % choices_count)
}

fn timestamp(swarm: &Swarm, draw: &mut Draw<'_>, name: OperationRef) -> i64 {
    let extreme = draw.within(0, 127);
    let pool = i64::from(draw.within(0, 255));
    match (extreme, swarm.timestamps_count) {
        (127, _) => i64::MAX,
        (126, _) => -5,
        (125, _) => 0,
        (_, 0) => 1_000 + i64::from(name.index) * 10 + i64::from(name.client),
        (_, count) => 1 + pool % count,
    }
}
