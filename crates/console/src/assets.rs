//! The files of the console, as they stand in `assets`.

/// A file in the binary.
pub struct Asset {
    /// Under which it is asked for.
    pub name: &'static str,
    /// What browsers take it for.
    pub content_type: &'static str,
    /// Its bytes.
    pub body: &'static [u8],
}

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

macro_rules! files {
    ($($name:literal: $kind:expr,)*) => {
        &[$(Asset {
            name: $name,
            content_type: $kind,
            body: include_bytes!(concat!("../assets/", $name)),
        },)*]
    };
}

/// All of them; a test holds the list against the folder.
pub static FILES: &[Asset] = files! {
    "accept.js": SCRIPT,
    "account.js": SCRIPT,
    "answers.js": SCRIPT,
    "api.js": SCRIPT,
    "app.js": SCRIPT,
    "ar.js": SCRIPT,
    "assignment_pages.js": SCRIPT,
    "audit.js": SCRIPT,
    "audit_ar.js": SCRIPT,
    "audit_de.js": SCRIPT,
    "audit_en.js": SCRIPT,
    "base.css": STYLE,
    "batches.js": SCRIPT,
    "batches_ar.js": SCRIPT,
    "batches_de.js": SCRIPT,
    "batches_en.js": SCRIPT,
    "bulk.js": SCRIPT,
    "calibration.js": SCRIPT,
    "certificate.js": SCRIPT,
    "certificate_ar.js": SCRIPT,
    "certificate_de.js": SCRIPT,
    "certificate_dialogs.js": SCRIPT,
    "certificate_offer.js": SCRIPT,
    "certificate_en.js": SCRIPT,
    "cohorts.js": SCRIPT,
    "courses.js": SCRIPT,
    "de.js": SCRIPT,
    "desk.css": STYLE,
    "dialogs.js": SCRIPT,
    "dom.js": SCRIPT,
    "door_ar.js": SCRIPT,
    "door_de.js": SCRIPT,
    "door_en.js": SCRIPT,
    "en.js": SCRIPT,
    "events.js": SCRIPT,
    "format.js": SCRIPT,
    "generation.js": SCRIPT,
    "groups.js": SCRIPT,
    "groups_ar.js": SCRIPT,
    "groups_de.js": SCRIPT,
    "groups_en.js": SCRIPT,
    "groups_give.js": SCRIPT,
    "groups_read.js": SCRIPT,
    "groups_text.js": SCRIPT,
    "i18n.js": SCRIPT,
    "icon.svg": "image/svg+xml",
    "index.html": "text/html; charset=utf-8",
    "invitations.js": SCRIPT,
    "keys.js": SCRIPT,
    "layout.css": STYLE,
    "lesson.js": SCRIPT,
    "lists.js": SCRIPT,
    "members.js": SCRIPT,
    "members_ar.js": SCRIPT,
    "members_de.js": SCRIPT,
    "members_en.js": SCRIPT,
    "names.js": SCRIPT,
    "overview.js": SCRIPT,
    "packages.js": SCRIPT,
    "passkeys.js": SCRIPT,
    "preferences.js": SCRIPT,
    "prose.css": STYLE,
    "prose.js": SCRIPT,
    "red_team.js": SCRIPT,
    "regrade.js": SCRIPT,
    "regrade_items.js": SCRIPT,
    "regrades.js": SCRIPT,
    "review.js": SCRIPT,
    "review_blind.js": SCRIPT,
    "review_data.js": SCRIPT,
    "review_form.js": SCRIPT,
    "review_history.js": SCRIPT,
    "review_judgement.js": SCRIPT,
    "review_queue.js": SCRIPT,
    "review_text.js": SCRIPT,
    "review_texts.js": SCRIPT,
    "router.js": SCRIPT,
    "settings.js": SCRIPT,
    "shortcuts.js": SCRIPT,
    "sign_in.js": SCRIPT,
    "start.css": STYLE,
    "start.html": "text/html; charset=utf-8",
    "usage.js": SCRIPT,
    "views.css": STYLE,
    "webhooks.js": SCRIPT,
};
