//! The tables, as the migrations make them.
//!
//! The same for both databases: [`Instant`] and [`Document`] hide where these differ.

diesel::table! {
    access_stamps (id) {
        id -> Text,
        value -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    workspaces (id) {
        id -> Text,
        platform_number -> BigInt,
        platform_uuid -> Text,
        platform_code -> Nullable<Text>,
        name -> Text,
        domain -> Nullable<Text>,
        status -> Text,
        ai -> Document,
        metadata -> Document,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    counters (name) {
        name -> Text,
        value -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    people (id) {
        id -> Text,
        email -> Text,
        created_at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    users (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        person_id -> Text,
        email -> Text,
        name -> Nullable<Text>,
        role -> Text,
        language -> Nullable<Text>,
        external_id -> Nullable<Text>,
        metadata -> Document,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
        consent -> Text,
        answered_at -> Nullable<Instant>,
        invited_by -> Nullable<Text>,
        kind -> Text,
        suspension -> Nullable<Text>,
        timezone -> Nullable<Text>,
        sessions_ended_at -> Nullable<Instant>,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    api_keys (id) {
        id -> Text,
        person_id -> Text,
        workspace_id -> Nullable<Text>,
        issued_by -> Nullable<Text>,
        package_id -> Nullable<Text>,
        kind -> Text,
        name -> Text,
        lookup -> Text,
        hash -> Text,
        scopes -> Text,
        expires_at -> Nullable<Instant>,
        revoked_at -> Nullable<Instant>,
        last_used_at -> Nullable<Instant>,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
        made_in -> Nullable<Text>,
        signed_in_by -> Nullable<Text>,
        signed_in_at -> Nullable<Instant>,
        user_id -> Nullable<Text>,
        made_by -> Nullable<Text>,
        allowed_addresses -> Text,
        last_used_from -> Nullable<Text>,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    passkeys (id) {
        id -> Text,
        person_id -> Text,
        workspace_id -> Nullable<Text>,
        user_id -> Nullable<Text>,
        credential_id -> Text,
        name -> Text,
        credential -> Text,
        last_used_at -> Nullable<Instant>,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    passkey_ceremonies (hash) {
        hash -> Text,
        person_id -> Nullable<Text>,
        browser -> Text,
        state -> Text,
        expires_at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    sign_in_links (hash) {
        hash -> Text,
        person_id -> Nullable<Text>,
        email -> Text,
        browser -> Nullable<Text>,
        method -> Text,
        workspace_id -> Nullable<Text>,
        user_id -> Nullable<Text>,
        mail_id -> Nullable<Text>,
        created_at -> Instant,
        expires_at -> Instant,
        used_at -> Nullable<Instant>,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    sso_connections (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        name -> Text,
        issuer -> Text,
        client_id -> Text,
        client_secret -> Text,
        role_claim -> Nullable<Text>,
        roles -> Document,
        default_role -> Text,
        greatest_role -> Text,
        just_in_time -> Bool,
        trusts_addresses -> Bool,
        enabled -> Bool,
        last_signed_in_at -> Nullable<Instant>,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::Instant;

    sso_domains (domain) {
        domain -> Text,
        workspace_id -> Text,
        connection_id -> Nullable<Text>,
        created_at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::Instant;

    sso_sign_ins (hash) {
        hash -> Text,
        workspace_id -> Text,
        connection_id -> Text,
        browser -> Text,
        place -> Text,
        fresh -> Bool,
        created_at -> Instant,
        expires_at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::Instant;

    sso_identities (workspace_id, connection_id, subject) {
        workspace_id -> Text,
        connection_id -> Text,
        subject -> Text,
        person_id -> Text,
        created_at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::Instant;

    sso_sessions (workspace_id, connection_id, key_id) {
        workspace_id -> Text,
        connection_id -> Text,
        key_id -> Text,
        subject -> Text,
        sid -> Nullable<Text>,
        created_at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    login_tokens (hash) {
        hash -> Text,
        workspace_id -> Text,
        user_id -> Text,
        email -> Text,
        issued_by -> Text,
        created_at -> Instant,
        expires_at -> Instant,
        used_at -> Nullable<Instant>,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    courses (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        name -> Text,
        language -> Text,
        description -> Text,
        hours -> BigInt,
        minutes_generated -> BigInt,
        status -> Text,
        ai_instructions -> Text,
        ai_evaluator -> Document,
        tutor -> Document,
        completion -> Document,
        gradebook -> Document,
        metadata -> Document,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
        shown_cohorts -> Text,
        shown_generation -> Text,
        changes_wait -> Bool,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    units (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        course_id -> Text,
        name -> Text,
        description -> Text,
        objectives -> Document,
        position -> BigInt,
        origin -> Text,
        model -> Nullable<Text>,
        generation_id -> Nullable<Text>,
        source_hash -> Nullable<Text>,
        metadata -> Document,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    lessons (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        unit_id -> Text,
        course_id -> Text,
        name -> Text,
        summary -> Text,
        objectives -> Document,
        content -> Text,
        duration_minutes -> BigInt,
        language -> Nullable<Text>,
        position -> BigInt,
        origin -> Text,
        model -> Nullable<Text>,
        generation_id -> Nullable<Text>,
        source_hash -> Nullable<Text>,
        metadata -> Document,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    activities (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        lesson_id -> Text,
        course_id -> Text,
        name -> Text,
        kind -> Text,
        content -> Document,
        language -> Nullable<Text>,
        position -> BigInt,
        origin -> Text,
        model -> Nullable<Text>,
        generation_id -> Nullable<Text>,
        source_hash -> Nullable<Text>,
        metadata -> Document,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
        recording -> Nullable<Text>,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    assignments (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        course_id -> Text,
        unit_id -> Nullable<Text>,
        lesson_id -> Nullable<Text>,
        name -> Text,
        instructions -> Text,
        max_score -> BigInt,
        due_at -> Nullable<Instant>,
        max_attempts -> Nullable<BigInt>,
        rubric -> Nullable<Document>,
        ai_enabled -> Bool,
        ai_model -> Text,
        human_review -> Text,
        tone -> Text,
        verbosity -> Text,
        feedback_language -> Text,
        release_terms -> Nullable<Document>,
        late_policy -> Nullable<Document>,
        grader_changed_at -> Nullable<Instant>,
        origin -> Text,
        model -> Nullable<Text>,
        generation_id -> Nullable<Text>,
        source_hash -> Nullable<Text>,
        metadata -> Document,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    media_files (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        status -> Text,
        kind -> Nullable<Text>,
        sha256 -> Text,
        size_bytes -> BigInt,
        uploaded_by -> Text,
        document -> Document,
        metadata -> Document,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    media_uploads (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        uploaded_by -> Text,
        size_bytes -> BigInt,
        media_id -> Nullable<Text>,
        document -> Document,
        metadata -> Document,
        expires_at -> Instant,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Text};
    use crate::mapping::columns::{Document, Instant};

    batches (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        assignment_id -> Text,
        kind -> Text,
        state -> Text,
        document -> Document,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Nullable, Text};
    use crate::mapping::columns::Document;

    batch_items (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        batch_id -> Text,
        place -> BigInt,
        submission_id -> Nullable<Text>,
        state -> Text,
        document -> Document,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Text};
    use crate::mapping::columns::{Document, Instant};

    certificates (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        assignment_id -> Text,
        state -> Text,
        document -> Document,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    certificate_answers (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        certificate_id -> Text,
        submission_id -> Text,
        confidence -> BigInt,
        place -> Nullable<BigInt>,
        arrived -> Nullable<BigInt>,
        fate -> Nullable<Text>,
        test -> Nullable<Document>,
        audit -> Nullable<BigInt>,
        gone -> Bool,
        at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Text};

    certificate_records (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        assignment_id -> Text,
        certificate_id -> Text,
        sequence -> BigInt,
        content -> Text,
        hash -> Text,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    cohorts (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        course_id -> Text,
        name -> Text,
        status -> Text,
        starts_at -> Nullable<Instant>,
        ends_at -> Nullable<Instant>,
        timezone -> Text,
        capacity -> Nullable<BigInt>,
        student_count -> BigInt,
        updates -> Text,
        metadata -> Document,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    enrollments (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        cohort_id -> Text,
        user_id -> Text,
        status -> Text,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    generation_pieces (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        generation_id -> Text,
        position -> BigInt,
        parent_id -> Nullable<Text>,
        kind -> Text,
        name -> Text,
        course_id -> Nullable<Text>,
        unit_id -> Nullable<Text>,
        lesson_id -> Nullable<Text>,
        activity_id -> Nullable<Text>,
        after_id -> Nullable<Text>,
        model -> Text,
        source_hash -> Nullable<Text>,
        draft -> Document,
        was -> Document,
        checks -> Document,
        status -> Text,
        decided_by -> Nullable<Text>,
        decided_at -> Nullable<Instant>,
        result_id -> Nullable<Text>,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    versions (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        lesson_id -> Nullable<Text>,
        activity_id -> Nullable<Text>,
        assignment_id -> Nullable<Text>,
        number -> BigInt,
        content -> Document,
        made_by -> Nullable<Text>,
        created_at -> Instant,
        replaced_by -> Nullable<Text>,
        replaced_at -> Instant,
        may_go -> Bool,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    waiting_changes (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        course_id -> Text,
        unit_id -> Nullable<Text>,
        lesson_id -> Nullable<Text>,
        activity_id -> Nullable<Text>,
        assignment_id -> Nullable<Text>,
        content -> Document,
        base -> Document,
        made_by -> Nullable<Text>,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    pinned_contents (workspace_id, cohort_id, id) {
        workspace_id -> Text,
        cohort_id -> Text,
        id -> Text,
        unit_id -> Nullable<Text>,
        lesson_id -> Nullable<Text>,
        activity_id -> Nullable<Text>,
        assignment_id -> Nullable<Text>,
        content -> Document,
        number -> Nullable<BigInt>,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Nullable, Text};
    use crate::mapping::columns::Instant;

    due_overrides (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        assignment_id -> Text,
        cohort_id -> Nullable<Text>,
        user_id -> Nullable<Text>,
        due_at -> Nullable<Instant>,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    submissions (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        assignment_id -> Text,
        cohort_id -> Nullable<Text>,
        user_id -> Text,
        attempt -> BigInt,
        status -> Text,
        content_type -> Text,
        content -> Text,
        submitted_at -> Nullable<Instant>,
        late -> Bool,
        max_score -> BigInt,
        grade -> Nullable<Document>,
        ai_status -> Nullable<Text>,
        ai -> Document,
        run -> BigInt,
        review_status -> Nullable<Text>,
        review_reasons -> Document,
        metadata -> Document,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
        grade_sequence -> BigInt,
        grade_receipt -> Nullable<Text>,
        blind -> Text,
        ai_graded_at -> Nullable<Instant>,
        due_terms -> Nullable<Document>,
        assignment_version -> Nullable<BigInt>,
        course_id -> Text,
        graded_at -> Nullable<Instant>,
        grader -> Nullable<Text>,
        score -> Nullable<BigInt>,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    grades (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        submission_id -> Text,
        run -> BigInt,
        status -> Text,
        score -> BigInt,
        max_score -> BigInt,
        rubric_hash -> Text,
        criteria -> Document,
        feedback -> Text,
        grader -> Document,
        reason -> Nullable<Text>,
        created_at -> Instant,
        review_reasons -> Nullable<Document>,
        sequence -> Nullable<BigInt>,
        text_hash -> Nullable<Text>,
        answer_hash -> Nullable<Text>,
        previous -> Nullable<Text>,
        receipt -> Nullable<Text>,
        rubric -> Nullable<Text>,
        answer -> Nullable<Text>,
        result_key -> Nullable<Text>,
        tombstone -> Nullable<Text>,
        assignment_id -> Text,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    scorm_packages (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        cohort_id -> Text,
        course_id -> Text,
        edition -> Text,
        runtime_base_url -> Text,
        launch -> Document,
        status -> Text,
        estimated_ready_at -> Nullable<Instant>,
        file -> Nullable<Document>,
        origin_id -> Nullable<Text>,
        fingerprint -> Nullable<Text>,
        error_code -> Nullable<Text>,
        error_message -> Nullable<Text>,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    generations (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        kind -> Text,
        target_object -> Text,
        target_id -> Text,
        request -> Document,
        status -> Text,
        estimated_ready_at -> Nullable<Instant>,
        result -> Nullable<Document>,
        error_code -> Nullable<Text>,
        error_message -> Nullable<Text>,
        completed -> BigInt,
        total -> BigInt,
        tokens_in -> BigInt,
        tokens_out -> BigInt,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    generation_steps (workspace_id, generation_id, key) {
        workspace_id -> Text,
        generation_id -> Text,
        key -> Text,
        position -> BigInt,
        status -> Text,
        task_hash -> Text,
        result -> Nullable<Document>,
        model -> Nullable<Text>,
        prompt_version -> Nullable<Text>,
        tokens_in -> BigInt,
        tokens_out -> BigInt,
        cost_micro_usd -> Nullable<BigInt>,
        latency_ms -> BigInt,
        attempts -> BigInt,
        created_at -> Instant,
        updated_at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    events (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        kind -> Text,
        object_id -> Text,
        body -> Text,
        created_at -> Instant,
        actor -> Nullable<Text>,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    webhook_endpoints (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        url -> Text,
        enabled_events -> Document,
        description -> Text,
        status -> Text,
        secret -> Text,
        previous_secret -> Nullable<Text>,
        previous_secret_until -> Nullable<Instant>,
        failing_since -> Nullable<Instant>,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::Instant;

    mails (id) {
        id -> Text,
        workspace_id -> Nullable<Text>,
        party -> Text,
        address -> Text,
        language -> Text,
        template -> Text,
        content -> Nullable<Text>,
        withheld -> Bool,
        status -> Text,
        attempts -> BigInt,
        next_attempt_at -> Nullable<Instant>,
        lease_until -> Nullable<Instant>,
        node_id -> Nullable<Text>,
        last_error -> Nullable<Text>,
        not_after -> Instant,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    webhook_deliveries (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        event_id -> Text,
        endpoint_id -> Text,
        status -> Text,
        attempts -> BigInt,
        next_attempt_at -> Nullable<Instant>,
        lease_until -> Nullable<Instant>,
        last_status -> Nullable<BigInt>,
        last_error -> Nullable<Text>,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
        node_id -> Nullable<Text>,
        trace_context -> Nullable<Text>,
        attempt_log -> Document,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    jobs (id) {
        id -> Text,
        workspace_id -> Text,
        kind -> Text,
        lane -> Text,
        subject_id -> Text,
        payload -> Document,
        state -> Text,
        attempt -> BigInt,
        max_attempts -> BigInt,
        run_at -> Instant,
        begun_at -> Nullable<Instant>,
        lease_until -> Nullable<Instant>,
        last_error -> Nullable<Text>,
        created_at -> Instant,
        updated_at -> Instant,
        node_id -> Nullable<Text>,
        trace_context -> Nullable<Text>,
        tries -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::{Nullable, Text};
    use crate::mapping::columns::Instant;

    nodes (id) {
        id -> Text,
        name -> Nullable<Text>,
        host -> Text,
        version -> Text,
        state -> Text,
        started_at -> Instant,
        seen_at -> Instant,
        process -> Nullable<Text>,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    idempotency_replies (person_id, workspace_id, key) {
        person_id -> Text,
        workspace_id -> Text,
        key -> Text,
        fingerprint -> Text,
        reply -> Text,
        created_at -> Instant,
        subjects -> Nullable<Text>,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    attempts (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        activity_id -> Text,
        course_id -> Text,
        user_id -> Text,
        number -> BigInt,
        answers -> Document,
        score -> BigInt,
        max_score -> BigInt,
        percent -> Nullable<BigInt>,
        passed -> Nullable<Bool>,
        results -> Document,
        shows_answers -> Bool,
        created_at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    lesson_completions (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        user_id -> Text,
        lesson_id -> Text,
        course_id -> Text,
        created_at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    scorm_learners (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        cohort_id -> Text,
        package_id -> Text,
        user_id -> Text,
        identity -> Text,
        claimed_id -> Text,
        lms_origin -> Text,
        lms_title -> Text,
        lms_version -> Text,
        trust -> Text,
        proof -> Text,
        nonce -> Text,
        created_at -> Instant,
        launched_at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    tutor_turns (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        thread_id -> Text,
        lesson_id -> Text,
        user_id -> Text,
        message -> Text,
        reply -> Text,
        created_at -> Instant,
        hint_level -> BigInt,
        act -> Text,
        model -> Text,
        citations -> Document,
        handoff_to_teacher -> Bool,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    ai_calls (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        feature -> Text,
        subject_id -> Text,
        host -> Text,
        model_asked -> Text,
        model -> Nullable<Text>,
        request_id -> Nullable<Text>,
        tokens_in -> BigInt,
        tokens_out -> BigInt,
        tokens_cached -> BigInt,
        estimated -> BigInt,
        cost -> Nullable<BigInt>,
        latency_ms -> BigInt,
        outcome -> Text,
        sent -> Document,
        created_at -> Instant,
        spender -> Text,
    }
}

diesel::table! {
    use diesel::sql_types::{Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    audit_entries (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        actor -> Text,
        user_id -> Nullable<Text>,
        api_key_id -> Nullable<Text>,
        request_id -> Nullable<Text>,
        action -> Text,
        subject_object -> Text,
        subject_id -> Text,
        old -> Document,
        new -> Document,
        created_at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::Text;
    use crate::mapping::columns::{Document, Instant};

    user_erasures (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        user_id -> Text,
        tables -> Document,
        created_at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::{Nullable, Text};
    use crate::mapping::columns::{Document, Instant};

    trash (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        kind -> Text,
        object_id -> Text,
        name -> Text,
        counts -> Document,
        person_id -> Nullable<Text>,
        deleted_by -> Nullable<Text>,
        restorable_until -> Instant,
        created_at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::{Nullable, Text};
    use crate::mapping::columns::Document;

    trash_rows (workspace_id, trash_id, part, id) {
        workspace_id -> Text,
        trash_id -> Text,
        part -> Text,
        id -> Text,
        user_id -> Nullable<Text>,
        file -> Nullable<Text>,
        body -> Document,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Text};
    use crate::mapping::columns::Instant;

    ai_reservations (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        tokens -> BigInt,
        cost -> BigInt,
        expires_at -> Instant,
    }
}

diesel::table! {
    limit_buckets (name) {
        name -> Text,
        full_at -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::{Nullable, Text};
    use crate::mapping::columns::Instant;

    digests (workspace_id, user_id) {
        workspace_id -> Text,
        user_id -> Text,
        next_at -> Nullable<Instant>,
        last_on -> Nullable<Text>,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Bool, Nullable, Text};
    use crate::mapping::columns::Instant;

    bulk_writes (workspace_id, id) {
        workspace_id -> Text,
        id -> Text,
        asked_by -> Text,
        key_id -> Text,
        request_id -> Nullable<Text>,
        operation -> Text,
        is_dry_run -> Bool,
        is_strict -> Bool,
        size -> BigInt,
        stop_after -> Nullable<BigInt>,
        asked -> Text,
        results -> Text,
        done_at -> Nullable<Instant>,
        created_at -> Instant,
        updated_at -> Instant,
        version -> BigInt,
    }
}

diesel::table! {
    use diesel::sql_types::Text;
    use crate::mapping::columns::Instant;

    unwanted_files (key, due_at) {
        key -> Text,
        due_at -> Instant,
    }
}

diesel::table! {
    use diesel::sql_types::Text;

    service_secrets (name) {
        name -> Text,
        sealed -> Text,
    }
}

diesel::table! {
    use diesel::sql_types::{BigInt, Text};
    use crate::mapping::columns::Instant;

    storage_use (workspace_id) {
        workspace_id -> Text,
        bytes -> BigInt,
        measured_at -> Instant,
    }
}

diesel::joinable!(storage_use -> workspaces (workspace_id));
diesel::allow_tables_to_appear_in_same_query!(storage_use, workspaces);
diesel::allow_tables_to_appear_in_same_query!(api_keys, people, workspaces, users);
diesel::allow_tables_to_appear_in_same_query!(due_overrides, enrollments);
diesel::allow_tables_to_appear_in_same_query!(enrollments, users);
diesel::allow_tables_to_appear_in_same_query!(webhook_deliveries, webhook_endpoints);
diesel::allow_tables_to_appear_in_same_query!(webhook_deliveries, events);
diesel::allow_tables_to_appear_in_same_query!(enrollments, cohorts);
diesel::allow_tables_to_appear_in_same_query!(scorm_packages, cohorts);
diesel::allow_tables_to_appear_in_same_query!(submissions, assignments);
diesel::allow_tables_to_appear_in_same_query!(submissions, grades);
diesel::allow_tables_to_appear_in_same_query!(assignments, grades);
diesel::allow_tables_to_appear_in_same_query!(generation_steps, generations);
diesel::allow_tables_to_appear_in_same_query!(generations, units);
diesel::allow_tables_to_appear_in_same_query!(generations, lessons);
diesel::allow_tables_to_appear_in_same_query!(generations, activities);
diesel::allow_tables_to_appear_in_same_query!(scorm_learners, api_keys);
diesel::allow_tables_to_appear_in_same_query!(scorm_learners, users);
