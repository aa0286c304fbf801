-- Which SECRETS_KEY seals what this database holds: a hash of a value derived from the key, never the key. One row.
create table sealing_key (
  is_the_one boolean primary key default true check (is_the_one),
  fingerprint text not null,
  set_at timestamptz not null default now()
);
