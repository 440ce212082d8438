//! Steps of telling an image in words: what its registers are counted from, and each that deviates, by its path.

use std::collections::BTreeMap;

use cenotaph_sim::disk::states::Image;
use cenotaph_sim::disk::{Base, Disk, RegisterName};

/// Registers that are named.
const NAMED_MAX: usize = 4;

/// What of a disk survives in an image.
pub(super) fn survived(disk: &Disk, image: &Image<'_>) -> String {
    let mut paths = BTreeMap::new();
    find_paths(disk, "", &mut paths);
    let deviations = image.deviations();
    let told = deviations.iter().take(NAMED_MAX);
    let mut told: Vec<String> = told.map(|register| tell(*register, &paths)).collect();
    if let Some(more) = deviations.len().checked_sub(NAMED_MAX + 1) {
        told.push(format!("{} more", more + 1));
    }
    let told = told.join(", ");
    let mut text = match (image.base(), told.is_empty()) {
        (Base::Newest, true) => "all that was written".to_owned(),
        (Base::Oldest, true) => "what was synced, and no more".to_owned(),
        (Base::Newest, false) => format!("all that was written, but for {told}"),
        (Base::Oldest, false) => format!("what was synced, and {told}"),
    };
    if let Some((kept, all)) = image.history() {
        text += &format!("; of the unsynced metadata {kept} of {all} changes");
    }
    text
}

fn find_paths(disk: &Disk, dir: &str, paths: &mut BTreeMap<u64, String>) {
    // What cannot be looked at has no path to tell.
    for name in disk.list(dir).unwrap_or_default() {
        let path = match dir.is_empty() {
            true => name,
            false => format!("{dir}/{name}"),
        };
        let Ok(stat) = disk.stat(&path) else {
            continue;
        };
        paths.insert(stat.inode, path.clone());
        if stat.is_dir {
            find_paths(disk, &path, paths);
        }
    }
}

fn tell(register: RegisterName, paths: &BTreeMap<u64, String>) -> String {
    let path = |inode: u64| match paths.get(&inode) {
        Some(path) => path.clone(),
        None => "a removed file".to_owned(),
    };
    match register {
        RegisterName::Length { inode } => format!("the length of {}", path(inode)),
        RegisterName::Data { inode, sector }
        | RegisterName::Stale { inode, sector }
        | RegisterName::Damage { inode, sector } => format!("sector {sector} of {}", path(inode)),
        RegisterName::Torn { inode } => format!("parts of a write to {}", path(inode)),
        RegisterName::Inode { inode } => format!("the inode of {}", path(inode)),
        RegisterName::Entry { directory, .. } => match paths.get(&directory) {
            Some(path) => format!("a name in {path}"),
            None => "a name in the root".to_owned(),
        },
        RegisterName::File { inode } => path(inode),
        RegisterName::Drive => "syncs that the drive held back".to_owned(),
        RegisterName::Mount => "the file system".to_owned(),
        RegisterName::Names => "names".to_owned(),
        RegisterName::Writeback { inode, .. } => {
            format!("what was written back of {}", path(inode))
        }
    }
}
