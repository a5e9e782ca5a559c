DROP TABLE bulk_writes;
