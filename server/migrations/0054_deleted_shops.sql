-- A shop that the operator deletes (G-69): suspended since, exported once, erased when it is due.
alter table shops
  add column deletion_asked_at timestamptz,
  add column deletion_due_at timestamptz,
  add column exported_at timestamptz,
  add column erasing_since timestamptz,
  add constraint shops_deletion_whole check (
    num_nulls(deletion_asked_at, deletion_due_at) in (0, 2)
      and (deletion_asked_at is null or suspended_at is not null)
      and (erasing_since is null or (deletion_asked_at is not null and exported_at is not null))
  );
create index shops_to_erase on shops (deletion_due_at) where deletion_due_at is not null;

-- What the operator's books need of a shop that is gone: the sums of its ledger, and nothing that names anybody. Its id is no
-- `shop_id`: nothing refers to it, and what has a `shop_id` goes with the shop.
create table closed_shops (
  id object_id primary key,
  asked_at timestamptz not null,
  erasing_since timestamptz not null,
  erased_at timestamptz,
  topped_up bigint not null,
  corrected bigint not null,
  charged bigint not null,
  charged_messages bigint not null,
  owed bigint not null,
  balance bigint not null,
  held bigint not null,
  constraint closed_shops_sums check (topped_up + corrected - charged = balance + held)
);
create index closed_shops_newest on closed_shops (erasing_since, id);
