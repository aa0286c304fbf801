-- The expiry that a key was issued with. `expires_at` is earlier once the key was rotated: if it is rotated again, the newest key must not
-- end with the overlap of the first.
alter table api_keys add column own_end timestamptz;
update api_keys set own_end = expires_at;
