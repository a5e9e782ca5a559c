//! What may be used once was used once: idempotency keys, one-time tokens.

use super::{Invariant, Sql};

pub(super) const INVARIANTS: &[Invariant] = &[
    Invariant::always(
        "I3.idempotency_key_twice",
        "An idempotency key of a person in a workspace has one answer.",
        Sql::Both(
            "SELECT key AS id FROM idempotency_replies \
             GROUP BY person_id, workspace_id, key HAVING count(*) > 1",
        ),
    ),
    Invariant::always(
        "I11.session_without_token",
        "Every session that a token was exchanged for has a token of its own, used at that moment.",
        Sql::Both(
            "SELECT min(k.id) AS id FROM api_keys k JOIN users u \
             ON u.workspace_id = k.workspace_id AND u.person_id = k.person_id \
             WHERE k.kind = 'session' AND k.issued_by IS NOT NULL AND k.package_id IS NULL \
             AND k.created_at > $day \
             GROUP BY k.workspace_id, u.id, k.issued_by, k.created_at HAVING count(*) > (\
             SELECT count(*) FROM login_tokens t WHERE t.workspace_id = k.workspace_id AND t.user_id = u.id \
             AND t.issued_by = k.issued_by AND t.used_at = k.created_at)",
        ),
    ),
    Invariant::always(
        "I11.token_used_out_of_time",
        "A token was used after it was made and before it expired.",
        Sql::Both(
            "SELECT workspace_id || ' ' || user_id AS id FROM login_tokens \
             WHERE used_at >= expires_at OR used_at < created_at",
        ),
    ),
    Invariant::always(
        "I11.session_of_nobody",
        "Whoever has a live session in a workspace is a member of it.",
        Sql::Both(
            "SELECT k.id AS id FROM api_keys k WHERE k.kind = 'session' AND k.revoked_at IS NULL \
             AND k.expires_at > $now AND k.created_at < $settled AND NOT EXISTS (\
             SELECT 1 FROM users u WHERE u.workspace_id = k.workspace_id AND u.person_id = k.person_id)",
        ),
    ),
];
