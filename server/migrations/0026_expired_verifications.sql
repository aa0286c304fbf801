-- Links to set a password that nobody used are deleted by their end, as sessions are.
create index verifications_by_expiry on verifications (expires_at);
