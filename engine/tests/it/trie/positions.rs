//! Invariants tests of positions: how they compare, what lies beyond, and where a hung branch is.

use cenotaph_engine::trie::{Direction, Position};
use proptest::prelude::*;

use super::support::BOTH;
use crate::laws::config;
use Direction::{Forward, Reverse};

#[test]
fn deeper_is_earlier_and_the_return_is_later() {
    for direction in BOTH {
        let node = |depth, byte| Position::node(depth, byte, direction);
        let (low, high) = match direction {
            Forward => (b'a', b'b'),
            Reverse => (b'b', b'a'),
        };
        assert!(node(2, high) < node(1, low));
        assert!(node(1, low) < node(1, low).on_return());
        assert!(node(1, low).on_return() < node(1, high));
        assert!(node(1, high) < Position::root(direction).on_return());
        assert!(Position::root(direction).on_return() < Position::exhausted(direction));
        assert!(node(1, high) < Position::exhausted(direction));
    }
}

#[test]
fn one_lies_beyond_the_last_byte() {
    for (direction, last) in [(Forward, 0xFF), (Reverse, 0x00)] {
        let node = Position::node(3, last, direction);
        assert!(node.on_return() < node.beyond());
        assert_eq!(node.beyond().byte(), None);
        assert_eq!(node.beyond().depth(), 3);
        assert!(node.beyond() < Position::node(2, last, direction));
        assert!(Position::root(direction).beyond().is_exhausted());
    }
}

#[test]
fn flags_do_not_compare_and_are_united() {
    let plain = Position::node(1, b'x', Forward);
    let (held, hung) = (plain.with_content(), plain.with_branch());
    assert_eq!(held, hung);
    let both = held.with_flags_of(hung);
    assert!(both.may_have_content() && both.may_have_branch());
    assert!(!both.unflagged().may_have_content() && !plain.may_have_branch());
    assert!(
        !both.on_return().may_have_content(),
        "what is held before is not held after"
    );
}

#[test]
fn the_root_of_a_hung_branch_is_its_host() {
    for direction in BOTH {
        let host = Position::node(4, b'h', direction);
        let root = Position::root(direction);
        assert_eq!(root.hung_on(host), host);
        assert_eq!(root.hung_on(host).byte(), Some(b'h'));
        assert_eq!(root.on_return().hung_on(host), host.on_return());
        assert_eq!(root.on_return().hung_on(host).byte(), Some(b'h'));
        assert!(root.with_content().hung_on(host).may_have_content());
        assert!(!root.hung_on(host.with_branch()).may_have_branch());
        assert_eq!(root.on_return().hung_on(root), root.on_return());
    }
}

#[test]
fn what_lies_beyond_a_hung_branch_is_its_end() {
    for direction in BOTH {
        let host = Position::node(4, b'h', direction);
        for beyond in [
            host.beyond(),
            Position::node(3, b'g', direction),
            Position::exhausted(direction),
        ] {
            assert!(beyond.taken_off(host).is_exhausted());
        }
    }
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn taking_off_undoes_hanging_and_keeps_the_order(
        (host_depth, host_byte) in (0_u32..5, any::<u8>()),
        nodes in [(0_u32..4, any::<u8>(), any::<bool>()), (0_u32..4, any::<u8>(), any::<bool>())],
        is_reverse in any::<bool>(),
    ) {
        let direction = if is_reverse { Reverse } else { Forward };
        let node = |depth: u32, byte| match depth {
            0 => Position::root(direction),
            _ => Position::node(depth, byte, direction),
        };
        let host = node(host_depth, host_byte);
        let [one, other] = nodes.map(|(depth, byte, returns)| {
            let node = node(depth, byte);
            if returns { node.on_return() } else { node }
        });
        prop_assert_eq!(one.hung_on(host).taken_off(host), one);
        prop_assert_eq!(one.hung_on(host).is_return(), one.is_return());
        prop_assert_eq!(one.hung_on(host).cmp(&other.hung_on(host)), one.cmp(&other));
        prop_assert_eq!(one.hung_on(host).direction(), direction);
    }
}
