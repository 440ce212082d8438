//! Steps of a replay: make the listing durable; list the segments by id; refuse those that nobody can have
//! written; pass over those that an earlier replay has finished with; read the others one after the other up to the end that its
//! successor names; give what no sstable holds; delete them all once that is durable.
//!
//! Fault policy: a torn tail ends the newest segment and is counted. Corruption, and a record of a table
//! that never was, refuse the start and delete nothing.

use std::rc::Rc;

use bytes::Bytes;
use cenotaph_sim::host::Host;

use super::error::CommitLogError;
use super::interval::IntervalSet;
use super::position::Position;
use super::segment::{END_OF_SEGMENT, goes_on_behind_tear};
use crate::limits::LOG_RECORD_PREFIX_SIZE;
use crate::metrics::Metrics;
use crate::record::{
    Contents, Damage, End, FileKind, FileName, Listed, Record, RecordError, ensure_dir, list,
    read_file, remove_all, sync_listing,
};
use crate::rows::TableId;

/// What the node knows of a table.
#[derive(Clone, Copy, Debug)]
pub enum Fate<'a> {
    /// It exists; the positions that its sstables hold.
    Live(&'a IntervalSet),
    /// It was dropped.
    Dropped,
    /// There never was one: the schema is behind its data.
    Unknown,
}

/// Knows the fate of tables.
pub trait ReplayFilter {
    /// The fate of the table with this id.
    fn fate(&self, table: TableId) -> Fate<'_>;
}

/// A mutation that has to be applied again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replayed {
    /// Its position.
    pub position: Position,
    /// Its table.
    pub table: TableId,
    /// The encoded mutation.
    pub mutation: Bytes,
}

impl Replayed {
    /// The error of a mutation that cannot be decoded although its record is whole.
    #[must_use]
    pub fn undecodable(&self, cause: &str) -> CommitLogError {
        undecodable(self.position, cause)
    }
}

/// What the node knows of its log before it reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// All that the log holds up to here is in sstables, and of this segment there is no more.
    pub log_floor: Position,
    /// This id and larger ones were given to no segment yet.
    pub id_end: u64,
}

/// The log of the node's past, segment by segment.
#[derive(Debug)]
pub struct Replay {
    host: Host,
    metrics: Rc<Metrics>,
    segments: Vec<Listed>,
    log_floor: Position,
    next: usize,
    upper: Position,
    /// Whether the segment that was read last ends in a torn tail.
    is_torn: bool,
}

impl Replay {
    /// Lists the segments, making the log's directory when there is none.
    ///
    /// # Errors
    /// The machine's; a segment with an id that was not given out yet.
    pub async fn open(
        host: &Host,
        metrics: Rc<Metrics>,
        bounds: Bounds,
    ) -> Result<Replay, CommitLogError> {
        let disk = host.disk();
        ensure_dir(&disk, FileKind::CommitLog.dir()).await?;
        // A deletion that only the cache knows could be undone after newer segments were begun.
        sync_listing(&disk, FileKind::CommitLog).await?;
        let segments = list(&disk, FileKind::CommitLog).await?;
        let Bounds { log_floor, id_end } = bounds;
        if let Some(newest) = segments.last().filter(|newest| newest.name.id >= id_end) {
            let (file, id) = (newest.name.to_string(), id_end);
            return Err(CommitLogError::FutureSegment { file, id });
        }
        let upper = Position::NONE;
        Ok(Replay {
            host: host.clone(),
            metrics,
            segments,
            log_floor,
            next: 0,
            upper,
            is_torn: false,
        })
    }

    /// The mutations of the next segment that have to be applied again, in order; `None` after the last
    /// segment.
    ///
    /// # Errors
    /// The machine's; corruption; a table that never was.
    pub async fn next_segment(
        &mut self,
        filter: &impl ReplayFilter,
    ) -> Result<Option<Vec<Replayed>>, CommitLogError> {
        let segment = loop {
            match self.segments.get(self.next) {
                None => return Ok(None),
                Some(segment) if self.may_hold_more(segment.name) => break segment,
                // Its tail may be torn although newer segments follow: it was not this log's newest.
                Some(done) => tracing::info!(file = %done.name, "segment below the log floor"),
            }
            self.next += 1;
        };
        let mut contents = read_file(&self.host.disk(), segment).await?;
        let id = segment.name.id;
        self.upper = Position {
            segment: id,
            offset: contents.end.offset(),
        };
        let is_followed = self.segments[self.next + 1..]
            .iter()
            .any(|file| file.header.is_some());
        let is_ended = contents
            .records
            .pop_if(|record| record.payload == END_OF_SEGMENT[..]);
        if is_followed && (is_ended.is_none() || !matches!(contents.end, End::Clean { .. })) {
            return Err(not_whole(segment.name, &contents).into());
        }
        self.is_torn = matches!(contents.end, End::Torn { .. });
        if self.is_torn {
            self.host.mark("commitlog.torn-tail");
            self.metrics.node.replay_torn_tails.increment();
        }
        self.next += 1;
        let mut wanted = Vec::new();
        for record in contents.records {
            wanted.extend(self.filter(id, &record, filter)?);
        }
        self.metrics.node.replay_records.add(wanted.len() as u64);
        Ok(Some(wanted))
    }

    /// Where what was read so far ends: all given mutations lie at or below it.
    #[must_use]
    pub fn upper(&self) -> Position {
        self.upper
    }

    /// The largest segment id on disk; 0 when there is none.
    #[must_use]
    pub fn id_max(&self) -> u64 {
        self.segments.last().map_or(0, |segment| segment.name.id)
    }

    /// Deletes all segments. Only when everything they gave is durable elsewhere.
    ///
    /// # Errors
    /// The machine's; the rest is then deleted by the next start.
    pub async fn delete(self) -> Result<(), CommitLogError> {
        assert_eq!(
            self.next,
            self.segments.len(),
            "what was not read is not deleted"
        );
        let mut names: Vec<_> = self.segments.iter().map(|segment| segment.name).collect();
        // The newest too: nothing is ever appended to a file of the past.
        if self.is_torn && self.upper.offset > 0 && goes_on_behind_tear() {
            names.pop();
        }
        remove_all(&self.host.disk(), FileKind::CommitLog, &names).await?;
        self.metrics
            .node
            .log_segments_deleted
            .add(names.len() as u64);
        Ok(())
    }

    /// Whether a segment may hold what is not in sstables: one that was read by an earlier replay holds nothing
    /// more, since no log goes on in it.
    fn may_hold_more(&self, name: FileName) -> bool {
        let floor = self.log_floor.segment;
        name.id > floor || name.id == floor && goes_on_behind_tear()
    }

    fn filter(
        &self,
        segment: u64,
        record: &Record,
        filter: &impl ReplayFilter,
    ) -> Result<Option<Replayed>, CommitLogError> {
        let position = Position {
            segment,
            offset: record.end,
        };
        let prefix = record.payload.first_chunk::<LOG_RECORD_PREFIX_SIZE>();
        let Some(prefix) = prefix.filter(|prefix| record.payload.len() > prefix.len()) else {
            return Err(undecodable(position, "a record without a mutation"));
        };
        let table = TableId(u64::from_le_bytes(*prefix));
        match filter.fate(table) {
            Fate::Live(persisted) if persisted.contains(position) => {
                self.metrics.node.replay_records_persisted.increment();
                Ok(None)
            }
            Fate::Live(_) => {
                let mutation = record.payload.slice(LOG_RECORD_PREFIX_SIZE..);
                Ok(Some(Replayed {
                    position,
                    table,
                    mutation,
                }))
            }
            Fate::Dropped => {
                self.metrics.node.replay_records_dropped.increment();
                Ok(None)
            }
            Fate::Unknown => {
                let file = file_of(position);
                let offset = position.offset;
                Err(CommitLogError::UnknownTable {
                    file,
                    offset,
                    table: table.0,
                })
            }
        }
    }
}

/// A segment was synced to its end before the next was begun.
fn not_whole(name: FileName, contents: &Contents) -> RecordError {
    let damage = match contents.end {
        End::Clean { .. } => Damage::Missing,
        End::Torn { damage, .. } => damage,
    };
    let (file, offset) = (name.to_string(), contents.end.offset());
    RecordError::Corrupt {
        file,
        offset,
        damage,
        synced_upto: contents.size,
    }
}

fn file_of(position: Position) -> String {
    FileName {
        kind: FileKind::CommitLog,
        id: position.segment,
    }
    .to_string()
}

fn undecodable(position: Position, cause: &str) -> CommitLogError {
    let (file, offset, cause) = (file_of(position), position.offset, cause.to_owned());
    CommitLogError::Record(RecordError::Content {
        file,
        offset,
        cause,
    })
}
