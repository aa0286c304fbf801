-- An owner on the way to the platform's consent page and back: what the page that they come back to must prove, and the
-- verifier that their code is exchanged with, sealed. The state and the session are kept as hashes.
create table account_connects (
  shop_id object_id not null references shops (id),
  state_hash bytea not null,
  session_hash bytea not null,
  app_id text collate "C" not null,
  verifier bytea not null,
  expires_at timestamptz not null,
  primary key (shop_id, state_hash)
);
create index account_connects_expired on account_connects (expires_at);

-- Until when the tokens work; unknown of tokens that were pasted. A refresh token lives three months and is renewed by use.
alter table official_accounts
  add column access_token_until timestamptz,
  add column refresh_token_until timestamptz,
  -- Since when no renewal has worked, why not, and whether the platform refused or was not reached.
  add column renewal_failing_since timestamptz,
  add column renewal_problem text,
  add column is_renewal_refused boolean not null default false,
  add column renewal_tried_at timestamptz,
  -- When its shop was notified that it is disconnected.
  add column disconnected_at timestamptz;
