ALTER TABLE submissions DROP COLUMN blind;
