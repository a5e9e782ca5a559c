DROP TABLE activities;
