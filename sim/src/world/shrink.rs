//! Steps of shrinking: leave out half of what fails, then a quarter, down to one thing at a time, as
//! long as the rest still fails.

/// The least of `items` that still fails, in their order: without any one of them it does not. `fails`
/// says whether a part fails *in the same way*; it must give the same answer each time, so it belongs to
/// runs of one key.
///
/// ```
/// use cenotaph_sim::world::smallest;
///
/// let fails = |numbers: &[u32]| numbers.contains(&3) && numbers.contains(&8);
/// assert_eq!(smallest(&[1, 8, 2, 5, 3, 9, 3], fails), [8, 3]);
/// ```
///
/// # Panics
/// When all of `items` together do not fail.
pub fn smallest<T: Clone>(items: &[T], mut fails: impl FnMut(&[T]) -> bool) -> Vec<T> {
    assert!(fails(items), "only what fails can be made smaller");
    let mut kept = items.to_vec();
    let mut size = kept.len().div_ceil(2);
    while size > 0 {
        let mut left_out = false;
        let mut at = 0;
        while at < kept.len() {
            let mut rest = kept.clone();
            rest.drain(at..kept.len().min(at + size));
            if fails(&rest) {
                kept = rest;
                left_out = true;
            } else {
                at += size;
            }
        }
        // What had to stay may go once another went: the last round leaves nothing out.
        if size > 1 || !left_out {
            size /= 2;
        }
    }
    kept
}
