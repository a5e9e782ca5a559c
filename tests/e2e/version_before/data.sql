BEGIN TRANSACTION;
CREATE TABLE __diesel_schema_migrations (
       version VARCHAR(50) PRIMARY KEY NOT NULL,
       run_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP
);
INSERT INTO "__diesel_schema_migrations" VALUES('20261121120001','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121120002','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121120003','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121120004','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121120005','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121120006','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121120007','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121120008','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121120009','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121120010','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121120011','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121120012','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121120013','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121120014','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121120015','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121120016','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121120151','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121123001','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121123002','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121123003','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121124001','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121124002','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121125001','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121126001','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121126002','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121126003','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121130001','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121131001','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121131002','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121132001','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121132002','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121132003','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121133001','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261121134001','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261122142001','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261122142002','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261122142003','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261122142004','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261122143001','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261122144001','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261122145001','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261122145002','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261122145003','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261122151001','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261122151002','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261122152001','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261122153001','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261122154001','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261123100001','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261123101001','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261123103001','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261123104001','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261123104002','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261123105001','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261123105002','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261123110001','2026-11-23 13:30:33');
INSERT INTO "__diesel_schema_migrations" VALUES('20261123111001','2026-11-23 13:30:33');
CREATE TABLE activities (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    lesson_id TEXT NOT NULL,
    course_id TEXT NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    content TEXT NOT NULL,
    position INTEGER NOT NULL,
    origin TEXT NOT NULL,
    model TEXT,
    generation_id TEXT,
    metadata TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL, source_hash TEXT, recording TEXT,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, lesson_id) REFERENCES lessons (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, course_id) REFERENCES courses (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
INSERT INTO "activities" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','act_01m849kv36e8j96hzsh595zcqk','les_01m849ktrke479c23txsvdda5a','crs_01m849kt9ce7tr5m2r5tjmpcyt','Your kitchen','reflection','{"prompt":"What would you change?"}',0,'human',NULL,NULL,'{}','2026-11-23T13:30:34.934Z','2026-11-23T13:30:34.934Z',1,NULL,NULL);
CREATE TABLE ai_budget_turns (
    workspace_id TEXT PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
    turn INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE ai_calls (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    feature TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    host TEXT NOT NULL,
    model_asked TEXT NOT NULL,
    model TEXT,
    request_id TEXT,
    tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL,
    tokens_cached INTEGER NOT NULL,
    estimated INTEGER NOT NULL,
    cost INTEGER,
    latency_ms INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    sent TEXT NOT NULL,
    created_at TEXT NOT NULL, spender TEXT NOT NULL DEFAULT 'staff',
    PRIMARY KEY (workspace_id, id)
) WITHOUT ROWID;
CREATE TABLE ai_reservations (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    tokens INTEGER NOT NULL,
    cost INTEGER NOT NULL,
    expires_at TEXT NOT NULL,
    PRIMARY KEY (workspace_id, id)
) WITHOUT ROWID;
CREATE TABLE api_keys (
    id TEXT NOT NULL PRIMARY KEY,
    person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    workspace_id TEXT REFERENCES workspaces (id) ON DELETE CASCADE,
    issued_by TEXT REFERENCES api_keys (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    lookup TEXT NOT NULL,
    hash TEXT NOT NULL,
    scopes TEXT NOT NULL,
    expires_at TEXT,
    revoked_at TEXT,
    last_used_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL
, package_id TEXT, made_in TEXT REFERENCES workspaces (id) ON DELETE SET NULL) WITHOUT ROWID;
INSERT INTO "api_keys" VALUES('key_01m849ksmme088wby1nap311tt','per_01m849ksmhe338yndbsvgxxswp',NULL,NULL,'standard','Bootstrap key','lyc_kgvAPyln','de4f01078c4f3b21e0f7f5dd4917c1419acd8e4e2366ca82e59a7e6c4db8c367','read:* write:* ai:*',NULL,NULL,'2026-11-23T13:30:34.089Z','2026-11-23T13:30:33.489Z','2026-11-23T13:30:33.489Z',1,NULL,'wsp_01m849ksmjep9vcdqntnqpf9bn');
CREATE TABLE assignments (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    course_id TEXT NOT NULL,
    unit_id TEXT,
    lesson_id TEXT,
    name TEXT NOT NULL,
    instructions TEXT NOT NULL,
    max_score INTEGER NOT NULL,
    due_at TEXT,
    max_attempts INTEGER,
    rubric TEXT,
    ai_enabled BOOLEAN NOT NULL,
    ai_model TEXT NOT NULL,
    human_review TEXT NOT NULL,
    tone TEXT NOT NULL,
    verbosity TEXT NOT NULL,
    feedback_language TEXT NOT NULL,
    metadata TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL, origin TEXT NOT NULL DEFAULT 'human', model TEXT, generation_id TEXT, source_hash TEXT,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, course_id) REFERENCES courses (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, unit_id) REFERENCES units (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, lesson_id) REFERENCES lessons (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
INSERT INTO "assignments" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','asg_01m849kv7eeqf9r5tp203yfyq5','crs_01m849kt9ce7tr5m2r5tjmpcyt',NULL,NULL,'Cool a stew','How, and why?',2000,NULL,NULL,'{"criteria":[{"description":"","id":"method","max_points":10,"name":"Method","reference_answers":["I divide the stew into shallow containers and cool it in an ice bath within 90 minutes, because bacteria multiply between 5 and 63 degrees."],"weight":1}]}',1,'','off','normal','normal','en','{}','2026-11-23T13:30:35.057Z','2026-11-23T13:30:35.057Z',1,'human',NULL,NULL,NULL);
CREATE TABLE attempts (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    activity_id TEXT NOT NULL,
    course_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    answers TEXT NOT NULL,
    score INTEGER NOT NULL,
    max_score INTEGER NOT NULL,
    percent INTEGER,
    passed BOOLEAN,
    results TEXT NOT NULL,
    shows_answers BOOLEAN NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, activity_id) REFERENCES activities (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, course_id) REFERENCES courses (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE TABLE audit_entries (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    actor TEXT NOT NULL,
    user_id TEXT,
    api_key_id TEXT,
    request_id TEXT,
    action TEXT NOT NULL,
    subject_object TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    old TEXT NOT NULL,
    new TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (workspace_id, id)
) WITHOUT ROWID;
INSERT INTO "audit_entries" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','aud_01m849ksmme088wby1nd1n316h','system',NULL,NULL,NULL,'workspace.created','workspace','wsp_01m849ksmjep9vcdqntnqpf9bn','{}','{"ai":{"monthly_budget":{"tokens":null,"usd":null},"on_provider_failure":"error"},"domain":null,"metadata_hash":"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","name":"Lyceum"}','2026-11-23T13:30:33.489Z');
INSERT INTO "audit_entries" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','aud_01m849ksmne8kvy3wb0gpejmzg','system',NULL,NULL,NULL,'member.added','user','usr_01m849ksmkec6agaej390v0hdn','{}','{"role":"owner"}','2026-11-23T13:30:33.489Z');
INSERT INTO "audit_entries" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','aud_01m849ksmne8kvy3wb0n3rvzvg','system',NULL,NULL,NULL,'key.created','api_key','key_01m849ksmme088wby1nap311tt','{}','{"expires_at":null,"kind":"standard","name_hash":"eb26f45e1ba3911140a4bb83e75a6ae51db01161e5c8b2ad32812b0d7601af34","prefix":"lyc_kgvAPyln","revoked_at":null,"scopes":["read:*","write:*","ai:*"]}','2026-11-23T13:30:33.489Z');
INSERT INTO "audit_entries" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','aud_01m849kt7fesvr7q8cypzxkdvw','user','usr_01m849ksmkec6agaej390v0hdn','key_01m849ksmme088wby1nap311tt','req_01m849kt6aerxt7bq6dmstp10a','webhook.created','webhook_endpoint','whe_01m849kt7eeyssat8qz6qr7r54','{}','{"enabled_events":["submission.graded","submission.created","submission.submitted","submission.grading_failed","submission.reviewed","submission.reopened","submission.explained","submission.returned","submission.deleted","submission.restored","course.created","course.updated","course.published","course.archived","course.deleted","course.restored","cohort.created","cohort.updated","cohort.started","cohort.completed","cohort.archived","cohort.deleted","cohort.restored","unit.created","unit.updated","unit.deleted","unit.restored","lesson.created","lesson.updated","lesson.deleted","lesson.restored","lesson.completed","activity.created","activity.updated","activity.deleted","activity.restored","assignment.created","assignment.updated","assignment.deleted","assignment.restored","enrollment.created","enrollment.deleted","enrollment.restored","generation.ready","generation.failed","generation.canceled","scorm.ready","scorm.failed","scorm.revoked","user.created","user.updated","user.deleted","user.restored","user.erased","api_key.created","api_key.revoked","webhook_endpoint.disabled"],"origin":"http://127.0.0.1:9","status":"enabled","url_hash":"a94bb7e849462697b6ee9a325910ac55b9f17d1b07fc758dbd47e6065d1616c3"}','2026-11-23T13:30:34.059Z');
INSERT INTO "audit_entries" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','aud_01m849kw2yewyrf7vf6x013k10','user','usr_01m849ksmkec6agaej390v0hdn','key_01m849ksmme088wby1nap311tt','req_01m849kw27e9mvrr1ytrz4d2pr','member.added','user','usr_01m849kw2yewyrf7vf6tq41mn1','{}','{"role":"student"}','2026-11-23T13:30:35.975Z');
CREATE TABLE cohorts (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    course_id TEXT NOT NULL,
    name TEXT NOT NULL,
    status TEXT NOT NULL,
    starts_at TEXT,
    ends_at TEXT,
    timezone TEXT NOT NULL,
    capacity INTEGER,
    student_count INTEGER NOT NULL,
    metadata TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, course_id) REFERENCES courses (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
INSERT INTO "cohorts" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','coh_01m849kvpse9c8zz95n6by9xpv','crs_01m849kt9ce7tr5m2r5tjmpcyt','Spring','active',NULL,NULL,'UTC',NULL,0,'{}','2026-11-23T13:30:35.583Z','2026-11-23T13:30:35.922Z',2);
CREATE TABLE counters (
    name TEXT NOT NULL PRIMARY KEY,
    value INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO "counters" VALUES('access',1);
INSERT INTO "counters" VALUES('platform_number',1);
CREATE TABLE courses (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    language TEXT NOT NULL,
    description TEXT NOT NULL,
    hours INTEGER NOT NULL,
    minutes_generated INTEGER NOT NULL,
    status TEXT NOT NULL,
    ai_instructions TEXT NOT NULL,
    ai_evaluator TEXT NOT NULL,
    tutor TEXT NOT NULL,
    metadata TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id)
) WITHOUT ROWID;
INSERT INTO "courses" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','crs_01m849kt9ce7tr5m2r5tjmpcyt','Keeping food cold','en','',8,0,'published','','{}','{}','{"shelf":"3"}','2026-11-23T13:30:34.127Z','2026-11-23T13:30:35.531Z',2);
CREATE TABLE enrollments (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    cohort_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, cohort_id) REFERENCES cohorts (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
INSERT INTO "enrollments" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','enr_01m849kwaree5902wg4t7w5aye','coh_01m849kvpse9c8zz95n6by9xpv','usr_01m849kw2yewyrf7vf6tq41mn1','active','2026-11-23T13:30:36.241Z','2026-11-23T13:30:36.241Z',1);
CREATE TABLE events (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    object_id TEXT NOT NULL,
    body TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (workspace_id, id)
) WITHOUT ROWID;
INSERT INTO "events" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','evt_01m849kt9eej498hfvy71r631x','course.created','crs_01m849kt9ce7tr5m2r5tjmpcyt','{"created_at":"2026-11-23T13:30:34.127Z","data":{"object":{"ai":{"evaluator":{},"instructions":""},"cohorts":[],"created_at":"2026-11-23T13:30:34.127Z","description":"","duration":{"hours":8,"hours_generated":0},"generation":null,"id":"crs_01m849kt9ce7tr5m2r5tjmpcyt","language":"en","metadata":{"shelf":"3"},"name":"Keeping food cold","object":"course","status":"draft","tutor":{},"updated_at":"2026-11-23T13:30:34.127Z"},"previous_attributes":{}},"id":"evt_01m849kt9eej498hfvy71r631x","object":"event","platform":{"code":"main","id":1,"name":"Lyceum","uuid":"c6d9d2ad8a6a14f5cd89a303"},"request_id":"req_01m849kt8eetwtdpf9kr75k6sj","timestamp":"2026-11-23T13:30:34.127Z","type":"course.created","updated_at":"2026-11-23T13:30:34.127Z"}','2026-11-23T13:30:34.127Z');
INSERT INTO "events" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','evt_01m849ktfpej9v6zeryefkhdyq','unit.created','unt_01m849ktfpej9v6zery9v6sx98','{"created_at":"2026-11-23T13:30:34.330Z","data":{"object":{"course_id":"crs_01m849kt9ce7tr5m2r5tjmpcyt","created_at":"2026-11-23T13:30:34.330Z","description":"","id":"unt_01m849ktfpej9v6zery9v6sx98","lesson_count":0,"metadata":{},"name":"Cooling","object":"unit","objectives":[],"position":0,"provenance":{"generation_id":null,"model":null,"origin":"human","source_hash":null},"updated_at":"2026-11-23T13:30:34.330Z"},"previous_attributes":{}},"id":"evt_01m849ktfpej9v6zeryefkhdyq","object":"event","platform":{"code":"main","id":1,"name":"Lyceum","uuid":"c6d9d2ad8a6a14f5cd89a303"},"request_id":"req_01m849ktetew9a9pfr982pcptx","timestamp":"2026-11-23T13:30:34.330Z","type":"unit.created","updated_at":"2026-11-23T13:30:34.330Z"}','2026-11-23T13:30:34.330Z');
INSERT INTO "events" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','evt_01m849ktrme9xbarw16xepb9zw','lesson.created','les_01m849ktrke479c23txsvdda5a','{"created_at":"2026-11-23T13:30:34.628Z","data":{"object":{"content":"Bacteria multiply fast between 5 and 63 degrees.","course_id":"crs_01m849kt9ce7tr5m2r5tjmpcyt","created_at":"2026-11-23T13:30:34.628Z","duration_minutes":0,"id":"les_01m849ktrke479c23txsvdda5a","metadata":{},"name":"The danger zone","object":"lesson","objectives":[],"position":0,"provenance":{"generation_id":null,"model":null,"origin":"human","source_hash":null},"summary":"","unit_id":"unt_01m849ktfpej9v6zery9v6sx98","updated_at":"2026-11-23T13:30:34.628Z"},"previous_attributes":{}},"id":"evt_01m849ktrme9xbarw16xepb9zw","object":"event","platform":{"code":"main","id":1,"name":"Lyceum","uuid":"c6d9d2ad8a6a14f5cd89a303"},"request_id":"req_01m849ktr4e0zsk9zb4y6dzms9","timestamp":"2026-11-23T13:30:34.628Z","type":"lesson.created","updated_at":"2026-11-23T13:30:34.628Z"}','2026-11-23T13:30:34.628Z');
INSERT INTO "events" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','evt_01m849kv37e42a9wz3p18d9km8','activity.created','act_01m849kv36e8j96hzsh595zcqk','{"created_at":"2026-11-23T13:30:34.934Z","data":{"object":{"content":{"prompt":"What would you change?"},"course_id":"crs_01m849kt9ce7tr5m2r5tjmpcyt","created_at":"2026-11-23T13:30:34.934Z","id":"act_01m849kv36e8j96hzsh595zcqk","kind":"reflection","lesson_id":"les_01m849ktrke479c23txsvdda5a","metadata":{},"name":"Your kitchen","object":"activity","position":0,"provenance":{"generation_id":null,"model":null,"origin":"human","source_hash":null},"updated_at":"2026-11-23T13:30:34.934Z"},"previous_attributes":{}},"id":"evt_01m849kv37e42a9wz3p18d9km8","object":"event","platform":{"code":"main","id":1,"name":"Lyceum","uuid":"c6d9d2ad8a6a14f5cd89a303"},"request_id":"req_01m849kv1pebnt30zc4w4vpevp","timestamp":"2026-11-23T13:30:34.934Z","type":"activity.created","updated_at":"2026-11-23T13:30:34.934Z"}','2026-11-23T13:30:34.934Z');
INSERT INTO "events" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','evt_01m849kv7fe4arrg5m5x2zrqja','assignment.created','asg_01m849kv7eeqf9r5tp203yfyq5','{"created_at":"2026-11-23T13:30:35.057Z","data":{"object":{"ai_evaluator":{"enabled":true,"model":""},"course_id":"crs_01m849kt9ce7tr5m2r5tjmpcyt","created_at":"2026-11-23T13:30:35.057Z","due_at":null,"feedback":{"language":"en","tone":"normal","verbosity":"normal"},"human_review":"off","id":"asg_01m849kv7eeqf9r5tp203yfyq5","instructions":"How, and why?","lesson_id":null,"max_attempts":null,"max_score":20,"metadata":{},"name":"Cool a stew","object":"assignment","rubric":{"criteria":[{"description":"","id":"method","max_points":10,"name":"Method","reference_answers":["I divide the stew into shallow containers and cool it in an ice bath within 90 minutes, because bacteria multiply between 5 and 63 degrees."],"weight":1}]},"unit_id":null,"updated_at":"2026-11-23T13:30:35.057Z"},"previous_attributes":{}},"id":"evt_01m849kv7fe4arrg5m5x2zrqja","object":"event","platform":{"code":"main","id":1,"name":"Lyceum","uuid":"c6d9d2ad8a6a14f5cd89a303"},"request_id":"req_01m849kv5gec98aw2kb3d76dae","timestamp":"2026-11-23T13:30:35.057Z","type":"assignment.created","updated_at":"2026-11-23T13:30:35.057Z"}','2026-11-23T13:30:35.057Z');
INSERT INTO "events" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','evt_01m849kvmhe90tf8knmxthrcj4','course.published','crs_01m849kt9ce7tr5m2r5tjmpcyt','{"created_at":"2026-11-23T13:30:35.531Z","data":{"object":{"ai":{"evaluator":{},"instructions":""},"cohorts":[],"created_at":"2026-11-23T13:30:34.127Z","description":"","duration":{"hours":8,"hours_generated":0},"generation":null,"id":"crs_01m849kt9ce7tr5m2r5tjmpcyt","language":"en","metadata":{"shelf":"3"},"name":"Keeping food cold","object":"course","status":"published","tutor":{},"updated_at":"2026-11-23T13:30:35.531Z"},"previous_attributes":{"status":"draft","updated_at":"2026-11-23T13:30:34.127Z"}},"id":"evt_01m849kvmhe90tf8knmxthrcj4","object":"event","platform":{"code":"main","id":1,"name":"Lyceum","uuid":"c6d9d2ad8a6a14f5cd89a303"},"request_id":"req_01m849kvmae1ttatbh9x0ztk38","timestamp":"2026-11-23T13:30:35.531Z","type":"course.published","updated_at":"2026-11-23T13:30:35.531Z"}','2026-11-23T13:30:35.531Z');
INSERT INTO "events" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','evt_01m849kvpse9c8zz95n9c60xbe','cohort.created','coh_01m849kvpse9c8zz95n6by9xpv','{"created_at":"2026-11-23T13:30:35.583Z","data":{"object":{"capacity":null,"course_id":"crs_01m849kt9ce7tr5m2r5tjmpcyt","created_at":"2026-11-23T13:30:35.583Z","ends_at":null,"id":"coh_01m849kvpse9c8zz95n6by9xpv","metadata":{},"name":"Spring","object":"cohort","starts_at":null,"status":"draft","student_count":0,"timezone":"UTC","updated_at":"2026-11-23T13:30:35.583Z"},"previous_attributes":{}},"id":"evt_01m849kvpse9c8zz95n9c60xbe","object":"event","platform":{"code":"main","id":1,"name":"Lyceum","uuid":"c6d9d2ad8a6a14f5cd89a303"},"request_id":"req_01m849kvnzejv8y99j6a49s5hr","timestamp":"2026-11-23T13:30:35.583Z","type":"cohort.created","updated_at":"2026-11-23T13:30:35.583Z"}','2026-11-23T13:30:35.583Z');
INSERT INTO "events" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','evt_01m849kw0nedasp7bjhxbaxhht','cohort.started','coh_01m849kvpse9c8zz95n6by9xpv','{"created_at":"2026-11-23T13:30:35.922Z","data":{"object":{"capacity":null,"course_id":"crs_01m849kt9ce7tr5m2r5tjmpcyt","created_at":"2026-11-23T13:30:35.583Z","ends_at":null,"id":"coh_01m849kvpse9c8zz95n6by9xpv","metadata":{},"name":"Spring","object":"cohort","starts_at":null,"status":"active","student_count":0,"timezone":"UTC","updated_at":"2026-11-23T13:30:35.922Z"},"previous_attributes":{"status":"draft","updated_at":"2026-11-23T13:30:35.583Z"}},"id":"evt_01m849kw0nedasp7bjhxbaxhht","object":"event","platform":{"code":"main","id":1,"name":"Lyceum","uuid":"c6d9d2ad8a6a14f5cd89a303"},"request_id":"req_01m849kw0jeb6a4jjgfe64tx9a","timestamp":"2026-11-23T13:30:35.922Z","type":"cohort.started","updated_at":"2026-11-23T13:30:35.922Z"}','2026-11-23T13:30:35.922Z');
INSERT INTO "events" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','evt_01m849kw2zegtbsskjkkyf5em0','user.created','usr_01m849kw2yewyrf7vf6tq41mn1','{"created_at":"2026-11-23T13:30:35.975Z","data":{"object":{"accepted_at":null,"created_at":"2026-11-23T13:30:35.975Z","email":"ada@example.org","external_id":null,"id":"usr_01m849kw2yewyrf7vf6tq41mn1","language":null,"metadata":{},"name":"Ada","object":"user","role":"student","updated_at":"2026-11-23T13:30:35.975Z"},"previous_attributes":{}},"id":"evt_01m849kw2zegtbsskjkkyf5em0","object":"event","platform":{"code":"main","id":1,"name":"Lyceum","uuid":"c6d9d2ad8a6a14f5cd89a303"},"request_id":"req_01m849kw27e9mvrr1ytrz4d2pr","timestamp":"2026-11-23T13:30:35.975Z","type":"user.created","updated_at":"2026-11-23T13:30:35.975Z"}','2026-11-23T13:30:35.975Z');
INSERT INTO "events" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','evt_01m849kwase8a86zw20mk7vqs0','enrollment.created','enr_01m849kwaree5902wg4t7w5aye','{"created_at":"2026-11-23T13:30:36.241Z","data":{"object":{"cohort_id":"coh_01m849kvpse9c8zz95n6by9xpv","created_at":"2026-11-23T13:30:36.241Z","id":"enr_01m849kwaree5902wg4t7w5aye","object":"enrollment","status":"active","updated_at":"2026-11-23T13:30:36.241Z","user":{"accepted_at":null,"created_at":"2026-11-23T13:30:35.975Z","email":"ada@example.org","external_id":null,"id":"usr_01m849kw2yewyrf7vf6tq41mn1","language":null,"metadata":{},"name":"Ada","object":"user","role":"student","updated_at":"2026-11-23T13:30:35.975Z"},"user_id":"usr_01m849kw2yewyrf7vf6tq41mn1"},"previous_attributes":{}},"id":"evt_01m849kwase8a86zw20mk7vqs0","object":"event","platform":{"code":"main","id":1,"name":"Lyceum","uuid":"c6d9d2ad8a6a14f5cd89a303"},"request_id":"req_01m849kwahem99rgsghap3vjpx","timestamp":"2026-11-23T13:30:36.241Z","type":"enrollment.created","updated_at":"2026-11-23T13:30:36.241Z"}','2026-11-23T13:30:36.241Z');
INSERT INTO "events" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','evt_01m849kwdwen7ad3vehnf8dkxa','submission.created','sub_01m849kwdveajbaamn85jjeqcb','{"created_at":"2026-11-23T13:30:36.287Z","data":{"object":{"ai_error":null,"ai_model":null,"ai_rationale":null,"ai_score":null,"ai_status":null,"assignment_id":"asg_01m849kv7eeqf9r5tp203yfyq5","attempt":1,"cohort_id":"coh_01m849kvpse9c8zz95n6by9xpv","content":{"text":"I divide the stew into shallow containers and cool it in an ice bath within 90 minutes, because bacteria multiply between 5 and 63 degrees.","type":"text"},"created_at":"2026-11-23T13:30:36.287Z","criteria":[],"estimated_ready_at":null,"feedback":null,"graded_at":null,"graded_by":null,"id":"sub_01m849kwdveajbaamn85jjeqcb","late":false,"max_score":20,"metadata":{},"object":"submission","review_reasons":[],"review_status":null,"score":null,"status":"draft","submitted_at":null,"updated_at":"2026-11-23T13:30:36.287Z","user_id":"usr_01m849kw2yewyrf7vf6tq41mn1"},"previous_attributes":{}},"id":"evt_01m849kwdwen7ad3vehnf8dkxa","object":"event","platform":{"code":"main","id":1,"name":"Lyceum","uuid":"c6d9d2ad8a6a14f5cd89a303"},"request_id":"req_01m849kwbzedb9k3x9gx49yb3s","timestamp":"2026-11-23T13:30:36.287Z","type":"submission.created","updated_at":"2026-11-23T13:30:36.287Z"}','2026-11-23T13:30:36.287Z');
INSERT INTO "events" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','evt_01m849kwhpe8cs0aw04qaz0mmr','submission.submitted','sub_01m849kwdveajbaamn85jjeqcb','{"created_at":"2026-11-23T13:30:36.467Z","data":{"object":{"ai_error":null,"ai_model":null,"ai_rationale":null,"ai_score":null,"ai_status":"pending","assignment_id":"asg_01m849kv7eeqf9r5tp203yfyq5","attempt":1,"cohort_id":"coh_01m849kvpse9c8zz95n6by9xpv","content":{"text":"I divide the stew into shallow containers and cool it in an ice bath within 90 minutes, because bacteria multiply between 5 and 63 degrees.","type":"text"},"created_at":"2026-11-23T13:30:36.287Z","criteria":[],"estimated_ready_at":"2026-11-23T13:30:51.467Z","feedback":null,"graded_at":null,"graded_by":null,"id":"sub_01m849kwdveajbaamn85jjeqcb","late":false,"max_score":20,"metadata":{},"object":"submission","review_reasons":[],"review_status":null,"score":null,"status":"submitted","submitted_at":"2026-11-23T13:30:36.467Z","updated_at":"2026-11-23T13:30:36.467Z","user_id":"usr_01m849kw2yewyrf7vf6tq41mn1"},"previous_attributes":{}},"id":"evt_01m849kwhpe8cs0aw04qaz0mmr","object":"event","platform":{"code":"main","id":1,"name":"Lyceum","uuid":"c6d9d2ad8a6a14f5cd89a303"},"request_id":"req_01m849kwhjeyvszh2hy5jmsy2b","timestamp":"2026-11-23T13:30:36.467Z","type":"submission.submitted","updated_at":"2026-11-23T13:30:36.467Z"}','2026-11-23T13:30:36.467Z');
CREATE TABLE generation_steps (
    workspace_id TEXT NOT NULL,
    generation_id TEXT NOT NULL,
    key TEXT NOT NULL,
    position INTEGER NOT NULL,
    status TEXT NOT NULL,
    task_hash TEXT NOT NULL,
    result TEXT,
    model TEXT,
    prompt_version TEXT,
    tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL,
    cost_micro_usd INTEGER,
    latency_ms INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (workspace_id, generation_id, key),
    FOREIGN KEY (workspace_id, generation_id) REFERENCES generations (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
INSERT INTO "generation_steps" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','gen_01m849kwm3eq7vjp4t4fghyqk5','outline',0,'pending','',NULL,NULL,NULL,0,0,0,0,0,'2026-11-23T13:30:36.516Z','2026-11-23T13:30:36.516Z');
CREATE TABLE generations (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    target_object TEXT NOT NULL,
    target_id TEXT NOT NULL,
    request TEXT NOT NULL,
    status TEXT NOT NULL,
    estimated_ready_at TEXT,
    result TEXT,
    error_code TEXT,
    error_message TEXT,
    completed INTEGER NOT NULL,
    total INTEGER NOT NULL,
    tokens_in INTEGER NOT NULL,
    tokens_out INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id)
) WITHOUT ROWID;
INSERT INTO "generations" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','gen_01m849kwm3eq7vjp4t4fghyqk5','syllabus','course','crs_01m849kt9ce7tr5m2r5tjmpcyt','{"brief":"Keeping food cold in a small kitchen: danger zone, cooling, storing.","budget":{"micro_usd":null,"tokens":null},"content":"outline","hours":8,"mode":"append"}','pending','2026-11-23T13:31:06.516Z',NULL,NULL,NULL,0,1,0,0,'2026-11-23T13:30:36.516Z','2026-11-23T13:30:36.516Z',1);
CREATE TABLE grades (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    submission_id TEXT NOT NULL,
    run INTEGER NOT NULL,
    status TEXT NOT NULL,
    score INTEGER NOT NULL,
    max_score INTEGER NOT NULL,
    rubric_hash TEXT NOT NULL,
    criteria TEXT NOT NULL,
    feedback TEXT NOT NULL,
    grader TEXT NOT NULL,
    reason TEXT,
    created_at TEXT NOT NULL, review_reasons TEXT, sequence INTEGER, text_hash TEXT, answer_hash TEXT, previous TEXT, receipt TEXT, rubric TEXT, answer TEXT, result_key TEXT, tombstone TEXT, assignment_id TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, submission_id) REFERENCES submissions (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE TABLE idempotency_replies (
    person_id TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    reply TEXT NOT NULL,
    created_at TEXT NOT NULL, subjects TEXT,
    PRIMARY KEY (person_id, workspace_id, key)
) WITHOUT ROWID;
CREATE TABLE jobs (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    payload TEXT NOT NULL,
    state TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    max_attempts INTEGER NOT NULL,
    run_at TEXT NOT NULL,
    lease_until TEXT,
    last_error TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
, lane TEXT NOT NULL DEFAULT 'ai', begun_at TEXT, node_id TEXT, trace_context TEXT) WITHOUT ROWID;
INSERT INTO "jobs" VALUES('01a20899-f238-7346-a0c5-1424cb3ee53e','wsp_01m849ksmjep9vcdqntnqpf9bn','grade_submission','sub_01m849kwdveajbaamn85jjeqcb','{"run":1,"spender":"learners"}','running',1,5,'2026-11-23T13:30:36.467Z','2026-11-23T13:31:36.499Z',NULL,'2026-11-23T13:30:36.467Z','2026-11-23T13:30:36.499Z','ai','2026-11-23T13:30:36.499Z','01a20899-e5ff-7694-bea3-55f937a88b44',NULL);
INSERT INTO "jobs" VALUES('01a20899-f284-70be-9423-1bb16c04c047','wsp_01m849ksmjep9vcdqntnqpf9bn','generate_syllabus','gen_01m849kwm3eq7vjp4t4fghyqk5','{}','running',1,5,'2026-11-23T13:30:36.516Z','2026-11-23T13:31:36.566Z',NULL,'2026-11-23T13:30:36.516Z','2026-11-23T13:30:36.566Z','ai','2026-11-23T13:30:36.566Z','01a20899-e5ff-7694-bea3-55f937a88b44',NULL);
INSERT INTO "jobs" VALUES('01a20899-f2b4-727a-8840-17a664bec0bf','wsp_01m849ksmjep9vcdqntnqpf9bn','export_scorm','scp_01m849kwnme9x8gg0qmq2w3rv6','{}','running',1,5,'2026-11-23T13:30:36.582Z','2026-11-23T13:31:36.623Z',NULL,'2026-11-23T13:30:36.582Z','2026-11-23T13:30:36.623Z','work','2026-11-23T13:30:36.623Z','01a20899-e5ff-7694-bea3-55f937a88b44',NULL);
INSERT INTO "jobs" VALUES('01a20899-f2ed-74a9-906b-3a8b5ce0f9a7','wsp_01m849ksmjep9vcdqntnqpf9bn','export_scorm','scp_01m849kwqce6v853dt1bn733jx','{}','running',1,5,'2026-11-23T13:30:36.646Z','2026-11-23T13:31:36.652Z',NULL,'2026-11-23T13:30:36.646Z','2026-11-23T13:30:36.652Z','work','2026-11-23T13:30:36.652Z','01a20899-e5ff-7694-bea3-55f937a88b44',NULL);
INSERT INTO "jobs" VALUES('01a20899-f33a-77d7-a554-3a5dd3563a8d','wsp_01m849ksmjep9vcdqntnqpf9bn','export_scorm','scp_01m849kwstezbtan1tbh81mbvn','{}','running',1,5,'2026-11-23T13:30:36.719Z','2026-11-23T13:31:36.733Z',NULL,'2026-11-23T13:30:36.719Z','2026-11-23T13:30:36.733Z','work','2026-11-23T13:30:36.733Z','01a20899-e5ff-7694-bea3-55f937a88b44',NULL);
CREATE TABLE lesson_completions (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    lesson_id TEXT NOT NULL,
    course_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, lesson_id) REFERENCES lessons (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, course_id) REFERENCES courses (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE TABLE lessons (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    unit_id TEXT NOT NULL,
    course_id TEXT NOT NULL,
    name TEXT NOT NULL,
    summary TEXT NOT NULL,
    objectives TEXT NOT NULL,
    content TEXT NOT NULL,
    duration_minutes INTEGER NOT NULL,
    position INTEGER NOT NULL,
    origin TEXT NOT NULL,
    model TEXT,
    generation_id TEXT,
    metadata TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL, source_hash TEXT,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, unit_id) REFERENCES units (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, course_id) REFERENCES courses (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
INSERT INTO "lessons" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','les_01m849ktrke479c23txsvdda5a','unt_01m849ktfpej9v6zery9v6sx98','crs_01m849kt9ce7tr5m2r5tjmpcyt','The danger zone','','[]','Bacteria multiply fast between 5 and 63 degrees.',0,0,'human',NULL,NULL,'{}','2026-11-23T13:30:34.628Z','2026-11-23T13:30:34.628Z',1,NULL);
CREATE TABLE limit_buckets (
    name TEXT PRIMARY KEY,
    full_at INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO "limit_buckets" VALUES('start wsp_01m849ksmjep9vcdqntnqpf9bn usr_01m849kw2yewyrf7vf6tq41mn1',1795440816522000);
CREATE TABLE login_tokens (
    hash TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    email TEXT NOT NULL,
    issued_by TEXT NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    used_at TEXT,
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE TABLE nodes (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT,
    host TEXT NOT NULL,
    version TEXT NOT NULL,
    state TEXT NOT NULL,
    started_at TEXT NOT NULL,
    seen_at TEXT NOT NULL
, process TEXT) WITHOUT ROWID;
INSERT INTO "nodes" VALUES('01a20899-e5ff-7694-bea3-55f937a88b44',NULL,'vm','0.1.0','serving','2026-11-23T13:30:33.477Z','2026-11-23T13:30:33.477Z','33daf28a-ebf6-48c4-b2cc-6f609ede6e0c pid:[4026531836] 335 4147913');
CREATE TABLE people (
    id TEXT NOT NULL PRIMARY KEY,
    email TEXT NOT NULL,
    created_at TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO "people" VALUES('per_01m849ksmhe338yndbsvgxxswp','owner@localhost.localdomain','2026-11-23T13:30:33.489Z');
INSERT INTO "people" VALUES('per_01m849kw2yewyrf7vf6pp0v36k','ada@example.org','2026-11-23T13:30:35.975Z');
CREATE TABLE scorm_learners (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    cohort_id TEXT NOT NULL,
    package_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    identity TEXT NOT NULL,
    claimed_id TEXT NOT NULL,
    lms_origin TEXT NOT NULL,
    lms_title TEXT NOT NULL,
    lms_version TEXT NOT NULL,
    trust TEXT NOT NULL,
    proof TEXT NOT NULL,
    nonce TEXT NOT NULL,
    created_at TEXT NOT NULL,
    launched_at TEXT NOT NULL,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, cohort_id) REFERENCES cohorts (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE TABLE scorm_packages (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    cohort_id TEXT NOT NULL,
    course_id TEXT NOT NULL,
    edition TEXT NOT NULL,
    runtime_base_url TEXT NOT NULL,
    status TEXT NOT NULL,
    estimated_ready_at TEXT,
    file TEXT,
    error_code TEXT,
    error_message TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL, origin_id TEXT, fingerprint TEXT, launch TEXT NOT NULL DEFAULT '{}',
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, cohort_id) REFERENCES cohorts (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
INSERT INTO "scorm_packages" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','scp_01m849kwnme9x8gg0qmq2w3rv6','coh_01m849kvpse9c8zz95n6by9xpv','crs_01m849kt9ce7tr5m2r5tjmpcyt','1.2','http://127.0.0.1:18099','pending','2026-11-23T13:30:46.582Z',NULL,NULL,NULL,'2026-11-23T13:30:36.582Z','2026-11-23T13:30:36.582Z',1,NULL,NULL,'{"allowed_origins":[],"connected":true,"expires_at":null,"max_learners":null,"retries_failed":false,"waits_for_grades":false}');
INSERT INTO "scorm_packages" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','scp_01m849kwqce6v853dt1bn733jx','coh_01m849kvpse9c8zz95n6by9xpv','crs_01m849kt9ce7tr5m2r5tjmpcyt','1.2','http://127.0.0.1:18099','pending','2026-11-23T13:30:46.646Z',NULL,NULL,NULL,'2026-11-23T13:30:36.646Z','2026-11-23T13:30:36.646Z',1,NULL,NULL,'{"allowed_origins":[],"connected":true,"expires_at":null,"max_learners":null,"retries_failed":false,"waits_for_grades":false}');
INSERT INTO "scorm_packages" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','scp_01m849kwstezbtan1tbh81mbvn','coh_01m849kvpse9c8zz95n6by9xpv','crs_01m849kt9ce7tr5m2r5tjmpcyt','1.2','http://127.0.0.1:18099','pending','2026-11-23T13:30:46.719Z',NULL,NULL,NULL,'2026-11-23T13:30:36.719Z','2026-11-23T13:30:36.719Z',1,NULL,NULL,'{"allowed_origins":[],"connected":true,"expires_at":null,"max_learners":null,"retries_failed":false,"waits_for_grades":false}');
CREATE TABLE service_secrets (
    name TEXT NOT NULL PRIMARY KEY,
    sealed TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO "service_secrets" VALUES('download','v2.09040704.OJekxQQhUlORfwXmIfSH6cCnze9USs1Z38oDTtbxSoSE1K/5lkkZMFYkT5T0MyKSgTqcfyDxBCQHwUaEiseL5814s4p45xoj5L6qOCK4Owe2kOujy7I8SlUAKd/56XKONxFMnRVWxrk=');
INSERT INTO "service_secrets" VALUES('file_store','v2.09040704.8XcHMb8BBnGAW8cLPq1IR6WQvplqErORQAnQwTJwgoZW1onfE0QuumENTUcXWhUZ5uByLGO2hc3fWak//ilUrdM0a4URJfCp1JEYyfb1D2GbE1bZH5R9AY+n8UdlYKfMQ7abVWuYZg4=');
INSERT INTO "service_secrets" VALUES('launch','v2.09040704.GfU5ddtAGJAAWgqtCoMbkHhR4dqMeQ77KWHtCTryNG06l2qgp6d4GW8X8fudnS2YD03iGvsPev7HRrbk+g2WXRYYyX9hKu1vM4THtlga5yU93GTg4LlaE3+SLZ9BweSAaO2LoHOvW7Y=');
ANALYZE "sqlite_master";
INSERT INTO "sqlite_stat1" VALUES('activities','activities','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('activities','activities_by_recording','100000 1000 10 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('activities','activities_of_course','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('activities','activities_of_lesson','1000000 10000 100 1 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('ai_budget_turns','ai_budget_turns','1000000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('ai_calls','ai_calls','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('ai_calls','ai_calls_of_subject','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('ai_calls','ai_calls_of_time','1000000 10000 100 1 1 1 1 1 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('ai_reservations','ai_reservations','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('api_keys','api_keys','1000000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('api_keys','api_keys_expiring','100000 25000 250 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('api_keys','api_keys_issued_by','1000000 10000 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('api_keys','api_keys_lookup','1000000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('api_keys','api_keys_made_in','1000000 10000 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('api_keys','api_keys_of_person','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('api_keys','api_keys_of_workspace','1000000 10000 100 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('assignments','assignments','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('assignments','assignments_of_course','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('assignments','assignments_of_lesson','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('assignments','assignments_of_unit','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('attempts','attempts','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('attempts','attempts_number','1000000 10000 100 1 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('attempts','attempts_of_activity','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('attempts','attempts_of_course','1000000 10000 100 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('attempts','attempts_of_user','1000000 10000 100 1 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('audit_entries','audit_entries','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('audit_entries','audit_entries_of_subject','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('audit_entries','audit_entries_of_time','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('audit_entries','audit_entries_of_user','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('cohorts','cohorts','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('cohorts','cohorts_of_course','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('counters','counters','1000000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('courses','courses','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('enrollments','enrollments','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('enrollments','enrollments_by_age','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('enrollments','enrollments_of_cohort','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('enrollments','enrollments_of_user','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('events','events','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('events','events_by_time','1000000 10000 100 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('events','events_of_kind','1000000 10000 2500 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('events','events_of_object','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('generation_steps','generation_steps','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('generation_steps','generation_steps_by_task','100000 1000 10 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('generation_steps','generation_steps_kept','100000 1000 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('generations','generations','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('generations','generations_of_target','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('generations','generations_one_pending','100000 1000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('grades','grades','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('grades','grades_of_assignment','1000000 10000 100 25 6 1 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('grades','grades_of_submission','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('grades','grades_result','100000 1000 10 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('grades','grades_run','100000 1000 10 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('grades','grades_sequence','100000 1000 10 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('idempotency_replies','idempotency_replies','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('idempotency_replies','idempotency_replies_age','1000000 10000 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('jobs','jobs','1000000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('jobs','jobs_dead','100000 1000 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('jobs','jobs_done','100000 1000 250 2 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('jobs','jobs_leased','100000 25000 250 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('jobs','jobs_of_subject','1000000 10000 100 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('jobs','jobs_queued','100000 25000 250 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('jobs','jobs_running','100000 25000 250 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('jobs','jobs_waiting','100000 25000 250 2 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('lesson_completions','lesson_completions','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('lesson_completions','lesson_completions_of_course','1000000 10000 100 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('lesson_completions','lesson_completions_of_lesson','1000000 10000 100 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('lesson_completions','lesson_completions_of_user','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('lesson_completions','lesson_completions_once','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('lessons','lessons','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('lessons','lessons_of_course','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('lessons','lessons_of_unit','1000000 10000 100 1 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('limit_buckets','limit_buckets','1000000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('login_tokens','login_tokens','1000000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('login_tokens','login_tokens_expiry','1000000 10000 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('login_tokens','login_tokens_issued_by','1000000 10000 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('login_tokens','login_tokens_user','1000000 10000 100 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('nodes','nodes','1000000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('people','people','1000000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('people','people_email','1000000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('scorm_learners','scorm_learners','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('scorm_learners','scorm_learners_first','100000 1000 10 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('scorm_learners','scorm_learners_of_cohort','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('scorm_learners','scorm_learners_of_package','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('scorm_learners','scorm_learners_user','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('scorm_packages','scorm_packages','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('scorm_packages','scorm_packages_fingerprint','100000 1000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('scorm_packages','scorm_packages_of_cohort','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('scorm_packages','scorm_packages_of_fingerprint','100000 1000 10 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('scorm_packages','scorm_packages_sharing','100000 1000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('scorm_packages','scorm_packages_signed','1000000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('service_secrets','service_secrets','1000000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('storage_use','storage_use','1000000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('submissions','submissions','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('submissions','submissions_attempt','1000000 10000 100 1 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('submissions','submissions_of_ai_status','100000 1000 250 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('submissions','submissions_of_assignment','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('submissions','submissions_of_cohort','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('submissions','submissions_of_review','100000 1000 250 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('submissions','submissions_of_status','1000000 10000 2500 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('submissions','submissions_of_user','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('trash','trash','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('trash','trash_ending','1000000 10000 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('trash','trash_of_object','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('trash','trash_of_person','100000 1000 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('trash_rows','trash_rows','1000000 10000 100 1 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('trash_rows','trash_rows_by_id','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('trash_rows','trash_rows_of_file','100000 1000 10 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('trash_rows','trash_rows_of_user','100000 1000 10 1 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('tutor_turns','tutor_turns','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('tutor_turns','tutor_turns_of_talk','1000000 10000 100 1 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('tutor_turns','tutor_turns_of_thread','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('tutor_turns','tutor_turns_of_user','1000000 10000 100 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('units','units','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('units','units_of_course','1000000 10000 100 1 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('unwanted_files','unwanted_files','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('unwanted_files','unwanted_files_due','1000000 10000 100 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('user_erasures','user_erasures','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('user_erasures','user_erasures_user','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('users','users','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('users','users_email','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('users','users_of_person','1000000 10000 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('users','users_of_role','1000000 10000 2500 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('users','users_person','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('webhook_deliveries','webhook_deliveries','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('webhook_deliveries','webhook_deliveries_due','100000 1000 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('webhook_deliveries','webhook_deliveries_ended','100000 1000 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('webhook_deliveries','webhook_deliveries_leased','100000 1000 10 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('webhook_deliveries','webhook_deliveries_of_endpoint','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('webhook_deliveries','webhook_deliveries_once','1000000 10000 100 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('webhook_deliveries','webhook_deliveries_waiting','100000 1000 10 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('webhook_endpoints','webhook_endpoints','1000000 10000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('webhook_endpoints','webhook_endpoints_by_id','1000000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('workspaces','workspaces','1000000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('workspaces','workspaces_platform_code','1000000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('workspaces','workspaces_platform_number','1000000 1 noskipscan');
INSERT INTO "sqlite_stat1" VALUES('workspaces','workspaces_platform_uuid','1000000 1 noskipscan');
CREATE TABLE storage_use (
    workspace_id TEXT PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
    bytes INTEGER NOT NULL,
    measured_at TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO "storage_use" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn',0,'2026-11-23T13:30:33.529Z');
CREATE TABLE submissions (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    assignment_id TEXT NOT NULL,
    cohort_id TEXT,
    user_id TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    status TEXT NOT NULL,
    content_type TEXT NOT NULL,
    content TEXT NOT NULL,
    submitted_at TEXT,
    late BOOLEAN NOT NULL,
    max_score INTEGER NOT NULL,
    grade TEXT,
    ai_status TEXT,
    ai TEXT NOT NULL,
    run INTEGER NOT NULL,
    review_status TEXT,
    review_reasons TEXT NOT NULL,
    metadata TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL, grade_sequence INTEGER NOT NULL DEFAULT 0, grade_receipt TEXT,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, assignment_id) REFERENCES assignments (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, cohort_id) REFERENCES cohorts (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
INSERT INTO "submissions" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','sub_01m849kwdveajbaamn85jjeqcb','asg_01m849kv7eeqf9r5tp203yfyq5','coh_01m849kvpse9c8zz95n6by9xpv','usr_01m849kw2yewyrf7vf6tq41mn1',1,'submitted','text','I divide the stew into shallow containers and cool it in an ice bath within 90 minutes, because bacteria multiply between 5 and 63 degrees.','2026-11-23T13:30:36.467Z',0,2000,NULL,'pending','{"pending":{"anew":false,"estimated_ready_at":"2026-11-23T13:30:51.467Z","samples":1}}',1,NULL,'[]','{}','2026-11-23T13:30:36.287Z','2026-11-23T13:30:36.467Z',3,0,NULL);
CREATE TABLE trash (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    object_id TEXT NOT NULL,
    name TEXT NOT NULL,
    counts TEXT NOT NULL,
    -- Whose membership it was; with no reference, because whoever is erased elsewhere is looked for here first.
    person_id TEXT,
    deleted_by TEXT,
    restorable_until TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (workspace_id, id)
) WITHOUT ROWID;
CREATE TABLE trash_rows (
    workspace_id TEXT NOT NULL,
    trash_id TEXT NOT NULL,
    part TEXT NOT NULL,
    id TEXT NOT NULL,
    -- Whose work it is.
    user_id TEXT,
    -- The file that belongs to it: an archive by the id of its origin, a recording by its name.
    file TEXT,
    body TEXT NOT NULL,
    PRIMARY KEY (workspace_id, trash_id, part, id),
    FOREIGN KEY (workspace_id, trash_id) REFERENCES trash (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE TABLE tutor_turns (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    thread_id TEXT NOT NULL,
    lesson_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    message TEXT NOT NULL,
    reply TEXT NOT NULL,
    created_at TEXT NOT NULL, hint_level INTEGER NOT NULL DEFAULT 1, act TEXT NOT NULL DEFAULT 'hint', model TEXT NOT NULL DEFAULT '', citations TEXT NOT NULL DEFAULT '[]', handoff_to_teacher BOOLEAN NOT NULL DEFAULT FALSE,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, lesson_id) REFERENCES lessons (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, user_id) REFERENCES users (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE TABLE units (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    course_id TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    objectives TEXT NOT NULL,
    position INTEGER NOT NULL,
    origin TEXT NOT NULL,
    model TEXT,
    generation_id TEXT,
    metadata TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL, source_hash TEXT,
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, course_id) REFERENCES courses (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
INSERT INTO "units" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','unt_01m849ktfpej9v6zery9v6sx98','crs_01m849kt9ce7tr5m2r5tjmpcyt','Cooling','','[]',0,'human',NULL,NULL,'{}','2026-11-23T13:30:34.330Z','2026-11-23T13:30:34.330Z',1,NULL);
CREATE TABLE unwanted_files (
    key TEXT NOT NULL,
    due_at TEXT NOT NULL,
    PRIMARY KEY (key, due_at)
) WITHOUT ROWID;
CREATE TABLE user_erasures (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    tables TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (workspace_id, id)
) WITHOUT ROWID;
CREATE TABLE users (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    person_id TEXT NOT NULL REFERENCES people (id),
    email TEXT NOT NULL,
    name TEXT,
    role TEXT NOT NULL,
    language TEXT,
    external_id TEXT,
    metadata TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL, consent TEXT NOT NULL DEFAULT 'pending'
    CHECK (consent IN ('pending', 'accepted', 'declined')), answered_at TEXT CHECK ((consent = 'pending') = (answered_at IS NULL)), invited_by TEXT,
    PRIMARY KEY (workspace_id, id)
) WITHOUT ROWID;
INSERT INTO "users" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','usr_01m849ksmkec6agaej390v0hdn','per_01m849ksmhe338yndbsvgxxswp','owner@localhost.localdomain',NULL,'owner',NULL,NULL,'{}','2026-11-23T13:30:33.489Z','2026-11-23T13:30:33.489Z',1,'accepted','2026-11-23T13:30:33.489Z',NULL);
INSERT INTO "users" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','usr_01m849kw2yewyrf7vf6tq41mn1','per_01m849kw2yewyrf7vf6pp0v36k','ada@example.org','Ada','student',NULL,NULL,'{}','2026-11-23T13:30:35.975Z','2026-11-23T13:30:35.975Z',1,'pending',NULL,'usr_01m849ksmkec6agaej390v0hdn');
CREATE TABLE webhook_deliveries (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    event_id TEXT NOT NULL,
    endpoint_id TEXT NOT NULL,
    status TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    next_attempt_at TEXT,
    lease_until TEXT,
    last_status INTEGER,
    last_error TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL, node_id TEXT, trace_context TEXT, attempt_log TEXT NOT NULL DEFAULT '[]',
    PRIMARY KEY (workspace_id, id),
    FOREIGN KEY (workspace_id, event_id) REFERENCES events (workspace_id, id) ON DELETE CASCADE,
    FOREIGN KEY (workspace_id, endpoint_id) REFERENCES webhook_endpoints (workspace_id, id) ON DELETE CASCADE
) WITHOUT ROWID;
INSERT INTO "webhook_deliveries" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','whd_01m849kt9femqv1399sdskrp8n','evt_01m849kt9eej498hfvy71r631x','whe_01m849kt7eeyssat8qz6qr7r54','pending',1,'2026-11-23T13:32:52.371Z',NULL,NULL,'the receiver refused the connection','2026-11-23T13:30:34.127Z','2026-11-23T13:30:34.251Z',2,'01a20899-e5ff-7694-bea3-55f937a88b44',NULL,'[{"answer":"","at":"2026-11-23T13:30:34.179Z","duration_ms":null,"error":"the receiver refused the connection","status":null}]');
INSERT INTO "webhook_deliveries" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','whd_01m849ktfqecf9xjt3p8jtks3q','evt_01m849ktfpej9v6zeryefkhdyq','whe_01m849kt7eeyssat8qz6qr7r54','pending',1,'2026-11-23T13:32:30.777Z',NULL,NULL,'the receiver refused the connection','2026-11-23T13:30:34.330Z','2026-11-23T13:30:34.377Z',2,'01a20899-e5ff-7694-bea3-55f937a88b44',NULL,'[{"answer":"","at":"2026-11-23T13:30:34.376Z","duration_ms":null,"error":"the receiver refused the connection","status":null}]');
INSERT INTO "webhook_deliveries" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','whd_01m849ktrnecjv2e40ss868kqt','evt_01m849ktrme9xbarw16xepb9zw','whe_01m849kt7eeyssat8qz6qr7r54','pending',1,'2026-11-23T13:32:56.532Z',NULL,NULL,'the receiver refused the connection','2026-11-23T13:30:34.628Z','2026-11-23T13:30:34.692Z',2,'01a20899-e5ff-7694-bea3-55f937a88b44',NULL,'[{"answer":"","at":"2026-11-23T13:30:34.690Z","duration_ms":null,"error":"the receiver refused the connection","status":null}]');
INSERT INTO "webhook_deliveries" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','whd_01m849kv38enktag6nwvd6nw8a','evt_01m849kv37e42a9wz3p18d9km8','whe_01m849kt7eeyssat8qz6qr7r54','pending',1,'2026-11-23T13:32:15.692Z',NULL,NULL,'the receiver refused the connection','2026-11-23T13:30:34.934Z','2026-11-23T13:30:35.012Z',2,'01a20899-e5ff-7694-bea3-55f937a88b44',NULL,'[{"answer":"","at":"2026-11-23T13:30:35.010Z","duration_ms":null,"error":"the receiver refused the connection","status":null}]');
INSERT INTO "webhook_deliveries" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','whd_01m849kv7se4trez3y0y6pcecg','evt_01m849kv7fe4arrg5m5x2zrqja','whe_01m849kt7eeyssat8qz6qr7r54','pending',1,'2026-11-23T13:32:49.673Z',NULL,NULL,'the receiver refused the connection','2026-11-23T13:30:35.057Z','2026-11-23T13:30:35.153Z',2,'01a20899-e5ff-7694-bea3-55f937a88b44',NULL,'[{"answer":"","at":"2026-11-23T13:30:35.151Z","duration_ms":null,"error":"the receiver refused the connection","status":null}]');
INSERT INTO "webhook_deliveries" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','whd_01m849kvmke48sfbf5c7gkqtyr','evt_01m849kvmhe90tf8knmxthrcj4','whe_01m849kt7eeyssat8qz6qr7r54','pending',1,'2026-11-23T13:32:30.275Z',NULL,NULL,'the receiver refused the connection','2026-11-23T13:30:35.531Z','2026-11-23T13:30:35.555Z',2,'01a20899-e5ff-7694-bea3-55f937a88b44',NULL,'[{"answer":"","at":"2026-11-23T13:30:35.553Z","duration_ms":null,"error":"the receiver refused the connection","status":null}]');
INSERT INTO "webhook_deliveries" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','whd_01m849kvpteterj7rfjt7xav84','evt_01m849kvpse9c8zz95n9c60xbe','whe_01m849kt7eeyssat8qz6qr7r54','pending',1,'2026-11-23T13:32:19.682Z',NULL,NULL,'the receiver refused the connection','2026-11-23T13:30:35.583Z','2026-11-23T13:30:35.642Z',2,'01a20899-e5ff-7694-bea3-55f937a88b44',NULL,'[{"answer":"","at":"2026-11-23T13:30:35.638Z","duration_ms":null,"error":"the receiver refused the connection","status":null}]');
INSERT INTO "webhook_deliveries" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','whd_01m849kw0pexz94gt3trh21pc1','evt_01m849kw0nedasp7bjhxbaxhht','whe_01m849kt7eeyssat8qz6qr7r54','pending',1,'2026-11-23T13:32:18.446Z',NULL,NULL,'the receiver refused the connection','2026-11-23T13:30:35.922Z','2026-11-23T13:30:35.966Z',2,'01a20899-e5ff-7694-bea3-55f937a88b44',NULL,'[{"answer":"","at":"2026-11-23T13:30:35.962Z","duration_ms":null,"error":"the receiver refused the connection","status":null}]');
INSERT INTO "webhook_deliveries" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','whd_01m849kw30e7wv8jrdvnfws2ms','evt_01m849kw2zegtbsskjkkyf5em0','whe_01m849kt7eeyssat8qz6qr7r54','pending',1,'2026-11-23T13:32:54.503Z',NULL,NULL,'the receiver refused the connection','2026-11-23T13:30:35.975Z','2026-11-23T13:30:36.023Z',2,'01a20899-e5ff-7694-bea3-55f937a88b44',NULL,'[{"answer":"","at":"2026-11-23T13:30:36.022Z","duration_ms":null,"error":"the receiver refused the connection","status":null}]');
INSERT INTO "webhook_deliveries" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','whd_01m849kwatepyt59rmnv63vvry','evt_01m849kwase8a86zw20mk7vqs0','whe_01m849kt7eeyssat8qz6qr7r54','pending',1,'2026-11-23T13:32:16.395Z',NULL,NULL,'the receiver refused the connection','2026-11-23T13:30:36.241Z','2026-11-23T13:30:36.315Z',2,'01a20899-e5ff-7694-bea3-55f937a88b44',NULL,'[{"answer":"","at":"2026-11-23T13:30:36.306Z","duration_ms":null,"error":"the receiver refused the connection","status":null}]');
INSERT INTO "webhook_deliveries" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','whd_01m849kwdxeegb8jve2ttr8dnq','evt_01m849kwdwen7ad3vehnf8dkxa','whe_01m849kt7eeyssat8qz6qr7r54','pending',1,'2026-11-23T13:32:38.660Z',NULL,NULL,'the receiver refused the connection','2026-11-23T13:30:36.287Z','2026-11-23T13:30:36.380Z',2,'01a20899-e5ff-7694-bea3-55f937a88b44',NULL,'[{"answer":"","at":"2026-11-23T13:30:36.378Z","duration_ms":null,"error":"the receiver refused the connection","status":null}]');
INSERT INTO "webhook_deliveries" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','whd_01m849kwhqe4vs47drvx78yeq9','evt_01m849kwhpe8cs0aw04qaz0mmr','whe_01m849kt7eeyssat8qz6qr7r54','pending',1,'2026-11-23T13:32:26.198Z',NULL,NULL,'the receiver refused the connection','2026-11-23T13:30:36.467Z','2026-11-23T13:30:36.518Z',2,'01a20899-e5ff-7694-bea3-55f937a88b44',NULL,'[{"answer":"","at":"2026-11-23T13:30:36.517Z","duration_ms":null,"error":"the receiver refused the connection","status":null}]');
CREATE TABLE webhook_endpoints (
    workspace_id TEXT NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    url TEXT NOT NULL,
    enabled_events TEXT NOT NULL,
    description TEXT NOT NULL,
    status TEXT NOT NULL,
    secret TEXT NOT NULL,
    previous_secret TEXT,
    previous_secret_until TEXT,
    failing_since TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, id)
) WITHOUT ROWID;
INSERT INTO "webhook_endpoints" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn','whe_01m849kt7eeyssat8qz6qr7r54','http://127.0.0.1:9/hook','["*"]','','enabled','v2.09040704.jOH/kfKxhHLCf35K1YV5AfDHZNopKuGpelW5aBG83cqgaC9Vir6DdgB9qc3f+LAhsQyS6jm/rKH25MprjmAQxXNVaxgXrq6g1ZbJt6Hm7HvZsKkvSFLj0Tal',NULL,NULL,'2026-11-23T13:30:34.251Z','2026-11-23T13:30:34.059Z','2026-11-23T13:30:34.251Z',2);
CREATE TABLE workspaces (
    id TEXT NOT NULL PRIMARY KEY,
    platform_number INTEGER NOT NULL,
    platform_uuid TEXT NOT NULL,
    platform_code TEXT,
    name TEXT NOT NULL,
    domain TEXT,
    status TEXT NOT NULL,
    metadata TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    version INTEGER NOT NULL
, ai TEXT NOT NULL DEFAULT '{}') WITHOUT ROWID;
INSERT INTO "workspaces" VALUES('wsp_01m849ksmjep9vcdqntnqpf9bn',1,'c6d9d2ad8a6a14f5cd89a303','main','Lyceum',NULL,'active','{}','2026-11-23T13:30:33.489Z','2026-11-23T13:30:33.489Z',1,'{"monthly_cost":null,"monthly_tokens":null,"on_provider_failure":"error"}');
CREATE UNIQUE INDEX workspaces_platform_number ON workspaces (platform_number);
CREATE UNIQUE INDEX workspaces_platform_uuid ON workspaces (platform_uuid);
CREATE UNIQUE INDEX workspaces_platform_code ON workspaces (platform_code);
CREATE UNIQUE INDEX people_email ON people (email);
CREATE UNIQUE INDEX users_person ON users (workspace_id, person_id);
CREATE INDEX users_of_person ON users (person_id);
CREATE UNIQUE INDEX api_keys_lookup ON api_keys (lookup);
CREATE INDEX api_keys_of_person ON api_keys (person_id, id);
CREATE INDEX api_keys_issued_by ON api_keys (issued_by);
CREATE INDEX login_tokens_user ON login_tokens (workspace_id, user_id);
CREATE INDEX login_tokens_issued_by ON login_tokens (issued_by);
CREATE INDEX login_tokens_expiry ON login_tokens (expires_at);
CREATE INDEX units_of_course ON units (workspace_id, course_id, position, id);
CREATE INDEX lessons_of_unit ON lessons (workspace_id, unit_id, position, id);
CREATE INDEX lessons_of_course ON lessons (workspace_id, course_id, id);
CREATE INDEX activities_of_lesson ON activities (workspace_id, lesson_id, position, id);
CREATE INDEX activities_of_course ON activities (workspace_id, course_id, id);
CREATE INDEX assignments_of_course ON assignments (workspace_id, course_id, id);
CREATE INDEX assignments_of_unit ON assignments (workspace_id, unit_id, id);
CREATE INDEX assignments_of_lesson ON assignments (workspace_id, lesson_id, id);
CREATE INDEX cohorts_of_course ON cohorts (workspace_id, course_id, id);
CREATE UNIQUE INDEX enrollments_of_cohort ON enrollments (workspace_id, cohort_id, user_id);
CREATE INDEX enrollments_of_user ON enrollments (workspace_id, user_id, id);
CREATE UNIQUE INDEX submissions_attempt ON submissions (workspace_id, assignment_id, user_id, attempt);
CREATE INDEX submissions_of_assignment ON submissions (workspace_id, assignment_id, id);
CREATE INDEX submissions_of_user ON submissions (workspace_id, user_id, id);
CREATE INDEX submissions_of_cohort ON submissions (workspace_id, cohort_id, id);
CREATE INDEX grades_of_submission ON grades (workspace_id, submission_id, id);
CREATE UNIQUE INDEX grades_run ON grades (workspace_id, submission_id, run) WHERE run > 0;
CREATE INDEX scorm_packages_of_cohort ON scorm_packages (workspace_id, cohort_id, id);
CREATE INDEX scorm_packages_signed ON scorm_packages (id);
CREATE INDEX generations_of_target ON generations (workspace_id, target_id, id);
CREATE INDEX events_of_object ON events (workspace_id, object_id, id);
CREATE UNIQUE INDEX webhook_deliveries_once ON webhook_deliveries (workspace_id, event_id, endpoint_id);
CREATE INDEX webhook_deliveries_of_endpoint ON webhook_deliveries (workspace_id, endpoint_id, id);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (next_attempt_at) WHERE status = 'pending';
CREATE INDEX jobs_of_subject ON jobs (workspace_id, subject_id);
CREATE INDEX idempotency_replies_age ON idempotency_replies (created_at);
CREATE INDEX events_by_time ON events (workspace_id, created_at);
CREATE UNIQUE INDEX attempts_number ON attempts (workspace_id, activity_id, user_id, number);
CREATE INDEX attempts_of_activity ON attempts (workspace_id, activity_id, id);
CREATE INDEX attempts_of_user ON attempts (workspace_id, user_id, course_id, activity_id);
CREATE INDEX attempts_of_course ON attempts (workspace_id, course_id);
CREATE UNIQUE INDEX lesson_completions_once ON lesson_completions (workspace_id, user_id, lesson_id);
CREATE INDEX lesson_completions_of_user ON lesson_completions (workspace_id, user_id, course_id);
CREATE INDEX lesson_completions_of_lesson ON lesson_completions (workspace_id, lesson_id);
CREATE INDEX lesson_completions_of_course ON lesson_completions (workspace_id, course_id);
CREATE UNIQUE INDEX generations_one_pending ON generations (workspace_id, target_id) WHERE status = 'pending';
CREATE INDEX tutor_turns_of_thread ON tutor_turns (workspace_id, thread_id, id);
CREATE INDEX tutor_turns_of_user ON tutor_turns (workspace_id, user_id);
CREATE INDEX jobs_done ON jobs (workspace_id, kind, updated_at) WHERE state = 'done';
CREATE UNIQUE INDEX scorm_packages_fingerprint ON scorm_packages (workspace_id, fingerprint) WHERE status = 'ready' AND origin_id = id;
CREATE INDEX scorm_packages_of_fingerprint ON scorm_packages (workspace_id, fingerprint, id) WHERE status = 'ready';
CREATE INDEX scorm_packages_sharing ON scorm_packages (origin_id, id) WHERE status = 'ready';
CREATE UNIQUE INDEX scorm_learners_first ON scorm_learners (workspace_id, cohort_id, identity) WHERE trust = 'first_use';
CREATE INDEX scorm_learners_of_cohort ON scorm_learners (workspace_id, cohort_id, identity);
CREATE INDEX scorm_learners_of_package ON scorm_learners (workspace_id, package_id, id);
CREATE UNIQUE INDEX scorm_learners_user ON scorm_learners (workspace_id, user_id, package_id);
CREATE UNIQUE INDEX grades_sequence ON grades (workspace_id, submission_id, sequence) WHERE sequence IS NOT NULL;
CREATE INDEX grades_result ON grades (workspace_id, result_key, id) WHERE result_key IS NOT NULL;
CREATE INDEX generation_steps_by_task ON generation_steps (workspace_id, task_hash) WHERE result IS NOT NULL;
CREATE INDEX ai_calls_of_subject ON ai_calls (workspace_id, subject_id, id);
CREATE INDEX jobs_queued ON jobs (lane, run_at, id) WHERE state = 'queued';
CREATE INDEX jobs_leased ON jobs (lane, lease_until) WHERE state = 'running';
CREATE INDEX jobs_running ON jobs (lane, workspace_id) WHERE state = 'running';
CREATE INDEX tutor_turns_of_talk ON tutor_turns (workspace_id, lesson_id, user_id, id);
CREATE INDEX activities_by_recording ON activities (workspace_id, recording) WHERE recording IS NOT NULL;
CREATE INDEX jobs_waiting ON jobs (lane, workspace_id, run_at, id) WHERE state = 'queued';
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (endpoint_id, next_attempt_at, id) WHERE status = 'pending';
CREATE INDEX webhook_endpoints_by_id ON webhook_endpoints (id);
CREATE INDEX jobs_dead ON jobs (updated_at) WHERE state = 'dead';
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (created_at) WHERE status <> 'pending';
CREATE INDEX api_keys_expiring ON api_keys (kind, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX generation_steps_kept ON generation_steps (updated_at) WHERE result IS NOT NULL;
CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (endpoint_id, lease_until)
    WHERE status = 'pending' AND lease_until IS NOT NULL;
CREATE INDEX audit_entries_of_subject ON audit_entries (workspace_id, subject_id, id);
CREATE INDEX audit_entries_of_user ON audit_entries (workspace_id, user_id, id);
CREATE INDEX audit_entries_of_time ON audit_entries (workspace_id, created_at, id);
CREATE TRIGGER audit_entries_stay BEFORE UPDATE ON audit_entries
BEGIN
    SELECT RAISE(ABORT, 'audit entries are never changed');
END;
CREATE TRIGGER audit_entries_remain BEFORE DELETE ON audit_entries
WHEN EXISTS (SELECT 1 FROM workspaces WHERE id = OLD.workspace_id)
BEGIN
    SELECT RAISE(ABORT, 'audit entries are never removed');
END;
CREATE UNIQUE INDEX user_erasures_user ON user_erasures (workspace_id, user_id);
CREATE INDEX users_of_role ON users (workspace_id, role, id);
CREATE INDEX enrollments_by_age ON enrollments (workspace_id, cohort_id, id);
CREATE INDEX submissions_of_status ON submissions (workspace_id, status, id);
CREATE INDEX submissions_of_ai_status ON submissions (workspace_id, ai_status, id) WHERE ai_status IS NOT NULL;
CREATE INDEX submissions_of_review ON submissions (workspace_id, review_status, id) WHERE review_status IS NOT NULL;
CREATE INDEX events_of_kind ON events (workspace_id, kind, id);
CREATE INDEX api_keys_of_workspace ON api_keys (workspace_id, person_id);
CREATE INDEX users_email ON users (workspace_id, email, id);
CREATE INDEX unwanted_files_due ON unwanted_files (due_at, key);
CREATE TRIGGER api_keys_changed AFTER UPDATE ON api_keys BEGIN
    UPDATE counters SET value = value + 1 WHERE name = 'access';
END;
CREATE TRIGGER api_keys_deleted AFTER DELETE ON api_keys BEGIN
    UPDATE counters SET value = value + 1 WHERE name = 'access';
END;
CREATE TRIGGER people_changed AFTER UPDATE ON people BEGIN
    UPDATE counters SET value = value + 1 WHERE name = 'access';
END;
CREATE TRIGGER people_deleted AFTER DELETE ON people BEGIN
    UPDATE counters SET value = value + 1 WHERE name = 'access';
END;
CREATE TRIGGER users_changed AFTER UPDATE ON users BEGIN
    UPDATE counters SET value = value + 1 WHERE name = 'access';
END;
CREATE TRIGGER users_deleted AFTER DELETE ON users BEGIN
    UPDATE counters SET value = value + 1 WHERE name = 'access';
END;
CREATE TRIGGER workspaces_changed AFTER UPDATE ON workspaces BEGIN
    UPDATE counters SET value = value + 1 WHERE name = 'access';
END;
CREATE TRIGGER workspaces_deleted AFTER DELETE ON workspaces BEGIN
    UPDATE counters SET value = value + 1 WHERE name = 'access';
END;
CREATE INDEX grades_of_assignment ON grades (workspace_id, assignment_id, run, status, created_at, id);
CREATE INDEX trash_of_object ON trash (workspace_id, object_id, id);
CREATE INDEX trash_ending ON trash (restorable_until);
CREATE INDEX trash_of_person ON trash (person_id) WHERE person_id IS NOT NULL;
CREATE INDEX trash_rows_by_id ON trash_rows (workspace_id, id);
CREATE INDEX trash_rows_of_user ON trash_rows (workspace_id, user_id, part, id) WHERE user_id IS NOT NULL;
CREATE INDEX trash_rows_of_file ON trash_rows (workspace_id, file) WHERE file IS NOT NULL;
CREATE INDEX api_keys_made_in ON api_keys (made_in);
CREATE INDEX ai_calls_of_time ON ai_calls (workspace_id, created_at, tokens_in, tokens_out, tokens_cached, estimated, cost, spender);
COMMIT;
