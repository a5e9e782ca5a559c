-- Secrets that the service made for itself once, sealed under the master key: another master key leaves them alone.
CREATE TABLE service_secrets (
    name TEXT NOT NULL PRIMARY KEY,
    sealed TEXT NOT NULL
) WITHOUT ROWID;
