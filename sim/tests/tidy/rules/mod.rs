//! Contents of `rules`: every rule of the house, each with an offence that it must object to.

mod banned;
mod contents;
mod direction;
mod format;
mod golden;
mod header;
mod laws;
mod manifest;
mod place;
mod plant;
mod reach;
mod rule;
mod seam;
mod size;
mod sound;
mod tests_apart;

pub(crate) use rule::Rule;
pub(crate) use sound::SOUND;

/// In the order in which they are checked and reported.
pub(crate) const RULES: &[Rule] = &[
    place::TOP_LEVEL,
    place::MACHINE_PATHS,
    manifest::PACKAGES,
    manifest::LINTS,
    manifest::VERSIONS,
    direction::ROOMS,
    seam::ENGINE,
    seam::MODEL,
    header::HEADER,
    contents::CONTENTS,
    reach::REACH,
    size::FILE_SIZE,
    size::FUNCTION_SIZE,
    banned::CODE,
    banned::COMMENTS,
    tests_apart::TESTS_APART,
    laws::LAWS,
    golden::GOLDENS,
    format::FORMATS,
    plant::PLANTS,
];
