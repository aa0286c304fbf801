-- When the operator last asked to try the platform again with an account at once (G-61): its circuits are in the memory of each
-- process, which reads this while one of them is open. Null: never.
alter table official_accounts add column circuit_retry_at timestamptz;
