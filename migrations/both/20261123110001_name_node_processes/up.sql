-- Which process a node is, as its machine tells it: another on that machine can see whether it is still there.
ALTER TABLE nodes ADD COLUMN process TEXT;
