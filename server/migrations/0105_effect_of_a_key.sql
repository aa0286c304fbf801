-- Changes such as a payment and a new secret create no record that has the key's id. Their transaction notes here that the change was
-- made, so that a repeated request whose first response was lost does not make it again.
alter table idempotency_keys add column is_done boolean not null default false;
