DROP TABLE service_secrets;
