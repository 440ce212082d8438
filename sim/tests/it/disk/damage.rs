//! Invariants of damage at rest: exactly what was asked for, and no crash heals it.

use cenotaph_sim::disk::{Damage, DiskError};

use super::support::*;

#[test]
fn damage_strikes_exactly_where_it_was_aimed() {
    let cases = [
        (
            Damage::FlipBit {
                offset: 5000,
                bit: 1,
            },
            "f=Ax5000 Cx1 Ax4999",
        ),
        (
            Damage::Zero {
                offset: 4000,
                size: 200,
            },
            "f=Ax4000 0x200 Ax5800",
        ),
        (Damage::Truncate { size: 4097 }, "f=Ax4097"),
    ];
    for (damage, left) in cases {
        let mut disk = adversarial();
        settled(&mut disk, "f", b'A', 10_000);
        settled(&mut disk, "g", b'A', 10);
        disk.damage("f", damage).unwrap();
        disk.check();
        assert_eq!(
            outcomes(&disk, 20),
            set([format!("{left}; g=Ax10").as_str()])
        );
        assert_eq!(tree(&mut disk), format!("{left}; g=Ax10"));
    }
}

#[test]
fn damage_outside_the_file_is_refused() {
    let mut disk = adversarial();
    settled(&mut disk, "f", b'A', 10);
    for damage in [
        Damage::FlipBit { offset: 10, bit: 0 },
        Damage::FlipBit { offset: 0, bit: 8 },
        Damage::Zero {
            offset: 5,
            size: u64::MAX,
        },
        Damage::Truncate { size: 11 },
    ] {
        let refused = disk.damage("f", damage);
        assert!(
            matches!(refused, Err(DiskError::Invalid { .. })),
            "{refused:?}"
        );
    }
    assert!(matches!(
        disk.damage("x", Damage::Truncate { size: 0 }),
        Err(DiskError::NotFound { .. })
    ));
}
