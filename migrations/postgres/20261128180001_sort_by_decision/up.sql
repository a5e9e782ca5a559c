-- What people decided lately. As `store/src/mapping/sorting.rs` spells it, or no list uses it.
CREATE INDEX submissions_by_decision ON submissions (workspace_id, ((grade ->> 'decided_at') COLLATE "C"), id)
    WHERE ((grade ->> 'decided_at') COLLATE "C") IS NOT NULL;
