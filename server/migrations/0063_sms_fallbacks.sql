-- Who sends a shop's SMS (G-90): the keys are sealed, the price is of one SMS, in đồng.
create table sms_senders (
  shop_id object_id not null references shops (id),
  provider text collate "C" not null,
  brandname text not null check (brandname <> ''),
  keys bytea not null,
  price bigint not null check (price between 1 and 1000000),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id)
);

-- The text that goes out as SMS in place of a template's message (G-91), with the template's params in it.
create table template_sms_texts (
  shop_id object_id not null,
  template_id object_id not null,
  text text not null check (text <> ''),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, template_id),
  foreign key (shop_id, template_id) references templates (shop_id, id)
);

-- The SMS that stands in for a message (G-92), at most one. It has one hold, and one capture or release once it has ended; no
-- value that is sent. `text` is the template's as it was when it began.
create table message_fallbacks (
  shop_id object_id not null,
  message_id object_id not null,
  cause text collate "C" not null check (cause in ('NO_ACCOUNT', 'BLOCKED', 'NOT_DELIVERED')),
  provider text collate "C" not null,
  text text not null,
  parts integer not null check (parts > 0),
  fee bigint not null check (fee > 0),
  state text collate "C" not null check (state in ('QUEUED', 'SENDING', 'UNKNOWN', 'SENT', 'ENDED')),
  tries integer not null default 0,
  due_at timestamptz,
  session_id text collate "C" not null default '',
  sent_at timestamptz,
  -- A receipt of the message itself that came meanwhile.
  overtaken_at timestamptz,
  outcome text collate "C" check (outcome in ('DELIVERED', 'REFUSED', 'FAILED', 'UNCONFIRMED')),
  hold_entry_id object_id not null,
  end_entry_id object_id,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (shop_id, message_id),
  foreign key (shop_id, message_id) references messages (shop_id, id),
  foreign key (shop_id, hold_entry_id) references wallet_entries (shop_id, id),
  foreign key (shop_id, end_entry_id) references wallet_entries (shop_id, id),
  check ((state = 'ENDED') = (outcome is not null)),
  check ((state = 'ENDED') = (end_entry_id is not null)),
  check ((state = 'ENDED') = (due_at is null))
);
create index message_fallbacks_due on message_fallbacks (due_at) where due_at is not null;
create trigger message_fallbacks_ended_stay before update on message_fallbacks
  for each row when (old.state = 'ENDED' or old.hold_entry_id <> new.hold_entry_id or old.fee <> new.fee)
  execute function refuse_change();

-- A message whose SMS is under way is no longer the platform's. Each row that the checks before took, these take: nothing has
-- to be read.
alter table messages
  drop constraint messages_state_check,
  add constraint messages_state_check
    check (state in ('QUEUED', 'SENDING', 'UNKNOWN', 'FALLBACK', 'RECEIVED', 'ERROR')) not valid;
alter table message_events
  drop constraint message_events_kind_check,
  add constraint message_events_kind_check check (
    kind in (
      'accepted', 'sending', 'sent', 'rejected', 'not_sent', 'unknown', 'resent', 'status', 'receipt', 'released', 'late',
      'put_off', 'cancelled', 'sms_queued', 'sms_sent', 'sms_unknown', 'sms_put_off', 'sms_delivered', 'sms_failed'
    )
  ) not valid;

-- The money of SMS: entries of their own beside those of the message, whose fee is given back.
alter table wallet_entries
  drop constraint wallet_entries_type_check,
  add constraint wallet_entries_type_check check (
    type in (
      'top_up', 'correction', 'hold', 'capture', 'release', 'late_capture', 'sms_hold', 'sms_capture', 'sms_release'
    )
  ) not valid,
  drop constraint wallet_entries_amounts,
  add constraint wallet_entries_amounts check (
    case
      when type in ('hold', 'sms_hold') then amount < 0 and held_change = -amount and message_id is not null
      when type in ('capture', 'sms_capture') then amount = 0 and held_change < 0 and message_id is not null
      when type in ('release', 'sms_release') then amount > 0 and held_change = -amount and message_id is not null
      when type = 'late_capture' then amount <= 0 and held_change = 0 and owed - amount > 0 and message_id is not null
      else held_change = 0 and amount <> 0
    end
    and (owed = 0 or type = 'late_capture')
  ) not valid;

-- An entry of an SMS is the one that the SMS names, of its fee: so it has one hold and one end. The message that it stands in
-- for has its own fee back, and is not charged when it arrives after all, once the SMS has arrived.
create function check_sms_entry() returns trigger language plpgsql as $$
declare
  sms message_fallbacks;
begin
  select * into sms from message_fallbacks f where f.shop_id = new.shop_id and f.message_id = new.message_id;
  if new.type = 'late_capture' then
    if sms.outcome is distinct from 'DELIVERED' then return null; end if;
  elsif new.id = (case when new.type = 'sms_hold' then sms.hold_entry_id else sms.end_entry_id end)
    and abs(new.held_change) = sms.fee
    and (new.type = 'sms_hold' or (new.type = 'sms_capture') = (sms.outcome = 'DELIVERED'))
    and (
      exists (
        select from wallet_entries e
        where e.shop_id = new.shop_id and e.message_id = new.message_id and e.type = 'release'
      )
      or exists (select from messages m where m.shop_id = new.shop_id and m.id = new.message_id and m.fee = 0)
      or new.type <> 'sms_hold'
    )
    and (
      new.type <> 'sms_capture'
      or not exists (
        select from wallet_entries e
        where e.shop_id = new.shop_id and e.message_id = new.message_id and e.type = 'late_capture'
      )
    )
  then return null; end if;
  raise exception 'the entry is not one of the SMS of its message' using errcode = 'check_violation';
end $$;
create trigger wallet_entries_of_sms after insert on wallet_entries
  for each row when (new.type in ('sms_hold', 'sms_capture', 'sms_release', 'late_capture'))
  execute function check_sms_entry();
