//! Invariants of planted bugs: at most one, chosen by a guard, by name.

use cenotaph_engine::planted::{Plant, UnknownPlant, on};

#[test]
fn every_planted_bug_parses_from_what_it_displays_as() {
    for plant in Plant::ALL {
        assert_eq!(plant.to_string().parse(), Ok(plant));
        assert_eq!(plant.to_string().to_lowercase().parse(), Ok(plant));
        assert!(!plant.description().is_empty() && !plant.source().is_empty());
    }
    assert_eq!("P00".parse::<Plant>(), Err(UnknownPlant("P00".to_owned())));
}

#[test]
fn no_bug_is_on_unless_chosen() {
    assert!(Plant::ALL.into_iter().all(|plant| !on(plant)));
}

#[cfg(feature = "planted")]
#[test]
fn a_guard_restores_the_choice_before_it() {
    use cenotaph_engine::planted::choose;

    let outer = choose(Some(Plant::P02));
    assert!(on(Plant::P02) && !on(Plant::P36));
    let inner = choose(Some(Plant::P36));
    assert!(!on(Plant::P02) && on(Plant::P36));
    let none = choose(None);
    assert!(Plant::ALL.into_iter().all(|plant| !on(plant)));
    drop(none);
    assert!(on(Plant::P36));
    drop(inner);
    assert!(on(Plant::P02));
    drop(outer);
    assert!(Plant::ALL.into_iter().all(|plant| !on(plant)));
}
