DROP TABLE mails;
