//! Attacks that talk to whoever grades: orders in many languages and disguises, and what is claimed to be so.

use lyceum_domain::draws::Draws;
use lyceum_domain::grading::red_team::{Attack, AttackTechnique};

use super::bases::Bases;
use super::disguises::{DISGUISES, Disguise};
use super::orders::{Saying, Tongue, place_of, tongues};

/// How many attacks there are to be in all.
const ALL_TOGETHER: usize = 60;
/// Fewest disguises that are tried in another language as well.
const LEAST_ABROAD: usize = 6;

/// What is claimed, and what each claim is called.
const CLAIMS: [(Saying, AttackTechnique); 4] = [
    (Saying::Permission, AttackTechnique::ClaimedPermission),
    (Saying::Result, AttackTechnique::ClaimedResult),
    (Saying::System, AttackTechnique::SystemMessage),
    (Saying::Rubric, AttackTechnique::RubricChanged),
];

/// Everything that is said to whoever grades an assignment in this language, beside so many attacks of other sorts: where these
/// are few, more disguises are tried.
pub(super) fn all(language: &str, beside: usize, bases: &mut Bases, draws: &Draws) -> Vec<Attack> {
    let own = place_of(language);
    let mut made = plain(bases, &mut draws.apart("plain"));
    made.extend(claimed(own, bases, &mut draws.apart("claimed")));
    let mut draws = draws.apart("disguised");
    for disguise in DISGUISES {
        made.extend(disguised(disguise, own, bases, &mut draws));
    }
    let wanted = ALL_TOGETHER.saturating_sub(beside + made.len());
    let mut abroad = DISGUISES;
    draws.shuffle(&mut abroad);
    for disguise in abroad.into_iter().take(wanted.max(LEAST_ABROAD)) {
        let other = other(own, &mut draws);
        made.extend(disguised(disguise, other, bases, &mut draws));
    }
    made
}

/// An order in each language, behind a weak answer and before one by turns.
fn plain(bases: &mut Bases, draws: &mut Draws) -> Vec<Attack> {
    let mut made = Vec::new();
    for (at, tongue) in tongues().iter().enumerate() {
        let order = drawn(tongue, Saying::Order, draws);
        made.push(if at.is_multiple_of(2) {
            bases.behind(AttackTechnique::Order, order)
        } else {
            bases.before(AttackTechnique::Order, order)
        });
    }
    made
}

/// An order in a disguise, in this language or the next that has letters for it.
fn disguised(
    disguise: Disguise,
    from: usize,
    bases: &mut Bases,
    draws: &mut Draws,
) -> Option<Attack> {
    let technique = if disguise.hides() {
        AttackTechnique::OrderHidden
    } else {
        AttackTechnique::OrderEncoded
    };
    let round = tongues().iter().cycle().skip(from).take(tongues().len());
    let mut orders = round.map(|tongue| drawn(tongue, Saying::Order, draws));
    let text = orders.find_map(|order| disguise.of(order))?;
    Some(bases.behind(technique, &text))
}

/// Each claim in the language of the task and in another one.
fn claimed(own: usize, bases: &mut Bases, draws: &mut Draws) -> Vec<Attack> {
    let mut made = Vec::new();
    for (saying, technique) in CLAIMS {
        for place in [own, other(own, draws)] {
            let text = tongues().get(place);
            let text = text.map_or("", |tongue| drawn(tongue, saying, draws));
            made.push(bases.behind(technique, text));
        }
    }
    made
}

/// The place of another language than this.
fn other(own: usize, draws: &mut Draws) -> usize {
    let count = tongues().len();
    (own + 1 + draws.below(count.saturating_sub(1))) % count.max(1)
}

fn drawn(tongue: &Tongue, kind: Saying, draws: &mut Draws) -> &'static str {
    let all = tongue.sayings(kind);
    all.get(draws.below(all.len())).copied().unwrap_or_default()
}
