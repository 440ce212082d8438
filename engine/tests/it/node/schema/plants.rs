//! Invariants under test: the planted bugs of the schema's flush are found, and only with them.

use std::time::Duration;

use super::agree::{add, check_flushes, set_window, window};
use crate::node::client::Client;
use crate::node::cluster::Cluster;

/// Changes close to one another, with windows set between; then a long quiet time.
async fn script(mut client: Client, set: bool) {
    client.create("t").await;
    for n in 0..12 {
        client.insist(add("t", &format!("x{n}"))).await;
        if set && n % 3 == 0 {
            set_window(&mut client, 7).await;
        }
    }
    client.sleep(Duration::from_secs(5)).await;
}

/// What is objected to in some runs.
fn objections(set: bool) -> Vec<String> {
    let each = (400..412).filter_map(|key| {
        let (cluster, _answer) = Cluster::new(key, window(7), move |client| script(client, set));
        cluster.run();
        check_flushes(&cluster.schema_marks(), Duration::from_millis(40)).err()
    });
    each.collect()
}

#[test]
fn nothing_is_objected_to_without_a_bug() {
    assert_eq!(objections(false), Vec::<String>::new());
    assert_eq!(objections(true), Vec::<String>::new());
}

#[cfg(feature = "planted")]
#[test]
fn a_flag_that_is_cleared_at_the_end_of_the_flush_is_found() {
    let _guard = cenotaph_engine::planted::choose(Some(cenotaph_engine::planted::Plant::P09));
    assert!(!objections(false).is_empty());
}

#[cfg(feature = "planted")]
#[test]
fn a_window_that_forgets_the_armed_flush_is_found() {
    let _guard = cenotaph_engine::planted::choose(Some(cenotaph_engine::planted::Plant::C02));
    let found = objections(true);
    assert_eq!(found.len(), 12, "{found:?}");
    assert!(found[0].contains("never flushed"), "{found:?}");
}
