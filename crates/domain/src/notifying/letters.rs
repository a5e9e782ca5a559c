//! What a mail says: which text it is, and what is put into it. The texts themselves are files of whoever sends it.
//!
//! A value may be what a stranger called themselves or their workspace, and the mail goes out in the name of this service: so it is
//! one line, short, and nothing that a mail program makes a link of.

use std::collections::BTreeMap;

use super::local_time::{Clocks, LocalDate};
use crate::Timestamp;
use crate::identity::users::Role;
use crate::words::words;

words!(
    /// Which text a mail is.
    MailTemplate {
        /// Somebody is invited into a workspace.
        Invitation = "invitation",
        /// Somebody asked for a link by which they sign in.
        SignInLink = "sign_in_link",
        /// A key was made that opens what somebody may open.
        KeyMade = "key_made",
        /// A device lets somebody in from now on.
        PasskeyAdded = "passkey_added",
        /// A device lets somebody in no more.
        PasskeyRemoved = "passkey_removed",
        /// Somebody is told what waits for a person.
        Digest = "digest",
        /// An operator sees whether mail arrives.
        Test = "test",
    }
);

impl MailTemplate {
    /// What the text may hold, beside what is in every text: see [`Self::COMMON`].
    pub const fn values(self) -> &'static [&'static str] {
        match self {
            Self::Invitation => &["inviter", "workspace", "role", "link", "until"],
            Self::SignInLink => &["link", "until"],
            Self::KeyMade => &["key", "workspace", "made_at"],
            Self::PasskeyAdded | Self::PasskeyRemoved => &["passkey", "at"],
            Self::Digest => &[
                "workspace",
                "count",
                "courses",
                "more",
                "oldest",
                "days",
                "link",
                "settings",
            ],
            Self::Test => &[],
        }
    }

    /// What every text may hold: where the service is reached.
    pub const COMMON: &'static [&'static str] = &["service"];

    /// What the body of the text has to hold, or nobody could do anything with it.
    pub const fn needed(self) -> &'static [&'static str] {
        match self {
            Self::Invitation | Self::SignInLink => &["link", "until"],
            Self::KeyMade => &["key", "made_at"],
            Self::PasskeyAdded | Self::PasskeyRemoved => &["passkey", "at"],
            // Whoever gets it must see how to get no more.
            Self::Digest => &["count", "link", "settings"],
            Self::Test => &[],
        }
    }

    /// How many mails of this text one address gets in an hour, whoever asks for them.
    pub const fn hourly(self) -> u64 {
        match self {
            Self::SignInLink => 5,
            // Of what a workspace may have sent to any address: whoever made a member of somebody can be them there.
            Self::Invitation | Self::KeyMade | Self::PasskeyAdded | Self::PasskeyRemoved => 10,
            Self::Test => 30,
            // One a day of each workspace in which they asked for it.
            Self::Digest => 1_000,
        }
    }
}

/// A text and what is put into it. It may hold a link that opens something, so nothing shows it: it has no `Debug` of its values.
#[derive(Clone, PartialEq, Eq)]
pub struct Letter {
    template: MailTemplate,
    values: BTreeMap<String, String>,
}

impl std::fmt::Debug for Letter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Letter")
            .field("template", &self.template)
            .finish_non_exhaustive()
    }
}

/// What a digest tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DigestTold<'a> {
    /// Of which workspace.
    pub workspace: &'a str,
    /// The day that it is of, where its reader lives.
    pub today: LocalDate,
    /// How many submissions wait for a person.
    pub count: u64,
    /// In which courses, and how many in each; the most first.
    pub courses: &'a [(String, u64)],
    /// In how many courses more.
    pub more: usize,
    /// On which day the oldest was handed in.
    pub oldest: Option<LocalDate>,
    /// Where they are looked through.
    pub link: &'a str,
    /// Where digests are switched off.
    pub settings: &'a str,
}

impl Letter {
    /// Who invites, into which workspace and as what, by which link, which ends then.
    pub fn invitation(
        inviter: &str,
        workspace: &str,
        role: Role,
        link: &str,
        until: Timestamp,
    ) -> Self {
        Self::of(
            MailTemplate::Invitation,
            [
                ("inviter", one_line(inviter)),
                ("workspace", one_line(workspace)),
                ("role", role.as_str().to_owned()),
                ("link", link.to_owned()),
                ("until", moment(until)),
            ],
        )
    }

    /// A link by which somebody signs in, which ends then.
    pub fn sign_in_link(link: &str, until: Timestamp) -> Self {
        let values = [("link", link.to_owned()), ("until", moment(until))];
        Self::of(MailTemplate::SignInLink, values)
    }

    /// The name of a key, the workspace through which it was made, and when.
    pub fn key_made(key: &str, workspace: &str, made_at: Timestamp) -> Self {
        Self::of(
            MailTemplate::KeyMade,
            [
                ("key", one_line(key)),
                ("workspace", one_line(workspace)),
                ("made_at", moment(made_at)),
            ],
        )
    }

    /// The name of a passkey that its person can sign in by, and since when.
    pub fn passkey_added(passkey: &str, at: Timestamp) -> Self {
        let values = [("passkey", one_line(passkey)), ("at", moment(at))];
        Self::of(MailTemplate::PasskeyAdded, values)
    }

    /// The name of a passkey that its person cannot sign in by any more, and since when.
    pub fn passkey_removed(passkey: &str, at: Timestamp) -> Self {
        let values = [("passkey", one_line(passkey)), ("at", moment(at))];
        Self::of(MailTemplate::PasskeyRemoved, values)
    }

    /// What waits for a person.
    pub fn digest(told: &DigestTold<'_>) -> Self {
        let course = |(name, count): &(String, u64)| format!("{}\t{count}", one_line(name));
        let courses: Vec<String> = told.courses.iter().map(course).collect();
        let days = told.oldest.map(|day| told.today.days_since(day));
        Self::of(
            MailTemplate::Digest,
            [
                ("workspace", one_line(told.workspace)),
                ("count", told.count.to_string()),
                ("courses", courses.join("\n")),
                ("more", told.more.to_string()),
                (
                    "oldest",
                    told.oldest.map(|day| day.to_string()).unwrap_or_default(),
                ),
                (
                    "days",
                    days.map(|days| days.to_string()).unwrap_or_default(),
                ),
                ("link", told.link.to_owned()),
                ("settings", told.settings.to_owned()),
            ],
        )
    }

    /// Nothing but that mail arrives.
    pub fn test() -> Self {
        Self::of(MailTemplate::Test, [])
    }

    /// What was kept of one.
    pub const fn kept(template: MailTemplate, values: BTreeMap<String, String>) -> Self {
        Self { template, values }
    }

    /// One of each, as somebody may get it: for whoever checks texts.
    pub fn sample(template: MailTemplate, now: Timestamp) -> Self {
        let link = "https://lyceum.example/studio#link=0123456789abcdef";
        match template {
            MailTemplate::Invitation => {
                Self::invitation("Ada Lovelace", "Analytics", Role::Teacher, link, now)
            }
            MailTemplate::SignInLink => Self::sign_in_link(link, now),
            MailTemplate::KeyMade => Self::key_made("Import", "Analytics", now),
            MailTemplate::PasskeyAdded => Self::passkey_added("Ada's laptop", now),
            MailTemplate::PasskeyRemoved => Self::passkey_removed("Ada's laptop", now),
            MailTemplate::Digest => {
                let today = Clocks::of(None).date(now);
                Self::digest(&DigestTold {
                    workspace: "Analytics",
                    today,
                    count: 12,
                    courses: &[("Algorithms".to_owned(), 9), ("Engines".to_owned(), 3)],
                    more: 2,
                    oldest: Some(today),
                    link: "https://lyceum.example/studio#/review",
                    settings: "https://lyceum.example/studio#/account",
                })
            }
            MailTemplate::Test => Self::test(),
        }
    }

    fn of<const N: usize>(template: MailTemplate, values: [(&str, String); N]) -> Self {
        let values = values
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        Self { template, values }
    }

    /// Which text it is.
    pub const fn template(&self) -> MailTemplate {
        self.template
    }

    /// Where whoever gets it says that they want no more of its kind, if it is of a kind that comes by itself.
    pub fn unsubscribe(&self) -> Option<&str> {
        match self.template {
            MailTemplate::Digest => self.values.get("settings").map(String::as_str),
            MailTemplate::Invitation
            | MailTemplate::SignInLink
            | MailTemplate::KeyMade
            | MailTemplate::PasskeyAdded
            | MailTemplate::PasskeyRemoved
            | MailTemplate::Test => None,
        }
    }

    /// What is put into it, by name.
    pub const fn values(&self) -> &BTreeMap<String, String> {
        &self.values
    }
}

/// Longest name that is told in a mail, in characters.
const LONGEST: usize = 100;
/// Joins what it stands between and is not seen: with it, mail programs take no part of a name for an address.
const JOINER: char = '\u{2060}';

/// What somebody called something, fit for a mail that goes out in our name.
fn one_line(name: &str) -> String {
    let spaced = name
        .chars()
        .map(|c| if is_unseen(c) { ' ' } else { c })
        .collect::<String>();
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let whole = words.join(" ");
    let mut shown = String::with_capacity(whole.len());
    for c in whole.chars().take(LONGEST) {
        shown.push(c);
        if matches!(c, '.' | ':' | '/' | '@') {
            shown.push(JOINER);
        }
    }
    if whole.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}

/// What ends a line, or turns what follows it around.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// A moment as it reads in any language.
fn moment(at: Timestamp) -> String {
    let text = at.to_string();
    let part = |from, to| text.get(from..to).unwrap_or_default();
    format!("{} {} UTC", part(0, 10), part(11, 16))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn now() -> Timestamp {
        Timestamp::from_unix_millis(1_795_244_100_000)
    }

    #[test]
    fn every_text_has_the_values_that_it_may_hold() {
        for template in MailTemplate::ALL {
            let letter = Letter::sample(*template, now());
            let values: Vec<&str> = letter.values().keys().map(String::as_str).collect();
            let mut named = template.values().to_vec();
            named.sort_unstable();
            assert_eq!((letter.template(), values), (*template, named));
            for needed in template.needed() {
                assert!(template.values().contains(needed), "{needed}");
            }
        }
    }

    #[test]
    fn a_name_is_one_short_line_of_which_no_program_makes_a_link() {
        let joined = |text: &str| text.replace('_', &JOINER.to_string());
        let evil = "Bank\r\nBcc: x@y.z\u{202E} https://evil.example/now";
        assert_eq!(
            one_line(evil),
            joined("Bank Bcc:_ x@_y._z https:_/_/_evil._example/_now")
        );
        let long = one_line(&"é".repeat(300));
        assert_eq!(long.chars().count(), LONGEST + 1);
        assert!(long.ends_with('…'));
        assert_eq!(one_line("  Schule\tam  See "), "Schule am See");
        assert_eq!(one_line("مدرسة"), "مدرسة");
    }

    #[test]
    fn a_moment_reads_in_any_language() {
        let letter = Letter::sign_in_link("https://lyceum.example/#x", now());
        let until = &letter.values()["until"];
        assert!(until.ends_with(" UTC") && until.len() == 20, "{until}");
        assert!(
            now().to_string().starts_with(until.get(..10).unwrap()),
            "{until}"
        );
    }

    #[test]
    fn no_link_shows_where_a_letter_is_printed() {
        let letter = Letter::sample(MailTemplate::SignInLink, now());
        assert!(!format!("{letter:?}").contains("0123456789abcdef"));
    }
}
