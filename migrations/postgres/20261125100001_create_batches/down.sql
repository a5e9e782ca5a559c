DROP TABLE batch_items;
DROP TABLE batches;
