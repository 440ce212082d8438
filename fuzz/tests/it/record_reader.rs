//! Invariants of the record reader's target: it holds on many inputs, and it objects to a wrong answer.

use cenotaph_engine::record::{Contents, End, FileKind, FileName, read_all};
use cenotaph_fuzz::{Damaged, Edit, record_reader};
use cenotaph_sim::entropy::{RunKey, section_bytes};

const NAME: FileName = FileName {
    kind: FileKind::CommitLog,
    id: 7,
};

/// Three records of eight bytes; each says that all before it was synced.
fn file() -> Damaged {
    let mut file = Damaged::empty();
    for index in 0..3 {
        file.append(1 + index, vec![index; 8]);
    }
    file
}

fn read(file: &Damaged, known_end: Option<u64>) -> Contents {
    read_all(NAME, &file.bytes(), known_end).expect("nothing synced is damaged")
}

#[test]
fn every_input_is_answered() {
    for seed in 0..4_000 {
        let input = section_bytes(RunKey(seed), "record_reader", 700);
        record_reader(&input[..usize::try_from(seed).expect("it is small") % input.len()]);
    }
}

#[test]
fn short_inputs_are_answered() {
    record_reader(&[]);
    for first in 0..=u8::MAX {
        record_reader(&[first]);
        record_reader(&[first, 0, 0, 0, 0, 0, 1]);
    }
}

#[test]
fn every_byte_of_a_file_may_be_lost_zeroed_or_flipped() {
    let size = file().bytes().len();
    for at in 0..size {
        for edit in [
            Edit::Cut(at),
            Edit::Zero(at),
            Edit::Flip(at, 1),
            Edit::Flip(at, 0x80),
        ] {
            for known_end in [None, Some(48), Some(72), Some(size as u64)] {
                let file = file().with(edit, known_end);
                file.judge(&read_all(NAME, &file.bytes(), known_end));
            }
        }
    }
}

#[test]
#[should_panic(expected = "records differ")]
fn a_record_that_is_passed_over_is_noticed() {
    let file = file();
    let mut contents = read(&file, None);
    contents.records.pop();
    file.judge(&Ok(contents));
}

#[test]
#[should_panic(expected = "the file ends elsewhere")]
fn an_end_that_comes_too_early_is_noticed() {
    let contents = read(&file(), Some(72));
    file().judge(&Ok(contents));
}

#[test]
#[should_panic(expected = "synced bytes are given up")]
fn a_torn_tail_in_what_was_synced_is_noticed() {
    let torn = file().with(Edit::Cut(60), None);
    let contents = read(&torn, None);
    assert!(matches!(contents.end, End::Torn { .. }));
    file().with(Edit::Flip(60, 1), None).judge(&Ok(contents));
}

#[test]
#[should_panic(expected = "what may be torn is refused")]
fn a_torn_tail_that_is_refused_is_noticed() {
    let corrupt = file().with(Edit::Flip(60, 1), None);
    let answer = read_all(NAME, &corrupt.bytes(), None);
    file().with(Edit::Cut(60), None).judge(&answer);
}
