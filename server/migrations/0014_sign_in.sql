-- People who sign in to the console, and the shops they belong to. The first four tables are the sign-in
-- library's (better-auth), under names of ours; a person is not a shop's, so they carry no shop_id.

create table users (
  id object_id primary key,
  name text not null,
  email text collate "C" not null unique,
  email_verified boolean not null default false,
  image text,
  -- Over all shops (G-61); given by the operator's token alone.
  is_operator boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table sessions (
  id object_id primary key,
  user_id object_id not null references users (id) on delete cascade,
  token text collate "C" not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index sessions_by_user on sessions (user_id);
create index sessions_by_expiry on sessions (expires_at);

create table accounts (
  id object_id primary key,
  user_id object_id not null references users (id) on delete cascade,
  account_id text collate "C" not null,
  provider_id text collate "C" not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  -- A salted scrypt hash.
  password text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (provider_id, account_id)
);
create index accounts_by_user on accounts (user_id);

create table verifications (
  id object_id primary key,
  identifier text collate "C" not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index verifications_by_identifier on verifications (identifier);

create table members (
  shop_id object_id not null references shops (id),
  user_id object_id not null references users (id) on delete cascade,
  role text not null check (role in ('owner', 'staff', 'viewer')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, user_id)
);
create index members_by_user on members (user_id);

-- Shown once as a link, stored as SHA-256; taken once.
create table invitations (
  shop_id object_id not null references shops (id),
  id object_id not null,
  hash bytea not null unique,
  email text collate "C" not null,
  role text not null check (role in ('owner', 'staff', 'viewer')),
  expires_at timestamptz not null,
  accepted_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null,
  primary key (shop_id, id)
);
