-- Products written in the background from an uploaded file (G-37).
create table product_imports (
  shop_id object_id not null references shops (id),
  id object_id not null,
  upload_id object_id not null,
  format text collate "C" not null check (format in ('csv', 'ndjson')),
  mode text collate "C" not null check (mode in ('all-or-nothing', 'each-row')),
  is_dry_run boolean not null,
  -- Of the texts in its errors.
  language text collate "C" not null,
  created_by text collate "C",
  status text collate "C" not null default 'pending'
    check (status in ('pending', 'checking', 'writing', 'done', 'failed', 'cancelled')),
  -- The try that works on it now; one that was taken over ends without effect.
  run_id object_id,
  -- In products, whose lines stand together; null until the file has been read once.
  total integer,
  done integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  failed integer not null default 0,
  errors integer not null default 0,
  -- Why nothing was done with the file as a whole.
  reason text,
  cancelled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz,
  primary key (shop_id, id),
  check (done = created + updated + unchanged + failed)
) with (fillfactor = 70);
create index product_imports_open on product_imports (shop_id) where finished_at is null;

-- The bytes of an upload, in order, until its import has ended. An upload that no import came of goes after a while.
create table product_import_chunks (
  shop_id object_id not null references shops (id),
  upload_id object_id not null,
  n integer not null,
  bytes bytea not null,
  created_at timestamptz not null,
  primary key (shop_id, upload_id, n)
);

create table product_import_errors (
  shop_id object_id not null,
  import_id object_id not null,
  n integer not null,
  line integer not null,
  column_name text not null,
  message text not null,
  primary key (shop_id, import_id, n),
  foreign key (shop_id, import_id) references product_imports (shop_id, id) on delete cascade
);
