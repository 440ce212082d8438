//! Steps of turning a plan's engine knobs into the engine's own configuration.

use std::time::Duration;

use cenotaph_engine::node::Config;

use crate::plan::EngineKnobs;

pub(super) fn engine_config(knobs: &EngineKnobs) -> Config {
    let _ = (knobs, Duration::ZERO);
    Config::default()
}
