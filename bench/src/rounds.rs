//! Two measurements in turns, so that what the machine does meanwhile meets both.

/// Does both so many times; who is first changes from round to round.
///
/// # Errors
/// The first error of either.
pub fn alternating<A, B>(
    rounds: u32,
    mut one: impl FnMut() -> anyhow::Result<A>,
    mut other: impl FnMut() -> anyhow::Result<B>,
) -> anyhow::Result<Vec<(A, B)>> {
    let round = |number: u32| {
        if number.is_multiple_of(2) {
            let first = one()?;
            Ok((first, other()?))
        } else {
            let first = other()?;
            Ok((one()?, first))
        }
    };
    (0..rounds).map(round).collect()
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn each_is_first_every_other_time() {
        let order = RefCell::new(String::new());
        let rounds = alternating(
            3,
            || {
                order.borrow_mut().push('a');
                Ok(1)
            },
            || {
                order.borrow_mut().push('b');
                Ok(2)
            },
        )
        .unwrap();
        assert_eq!(order.into_inner(), "abbaab");
        assert_eq!(rounds, [(1, 2); 3]);
    }

    #[test]
    fn an_error_ends_it() {
        let mut count = 0;
        let ended = alternating(
            5,
            || {
                count += 1;
                anyhow::bail!("broken")
            },
            || Ok(()),
        );
        let ended: anyhow::Result<Vec<((), ())>> = ended;
        assert!(ended.is_err());
        assert_eq!(count, 1);
    }
}
