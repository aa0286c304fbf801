-- The body of a stored answer that shows a secret is kept sealed, in base64 (G-10, G-62).
alter table idempotency_keys add column is_sealed boolean not null default false;
