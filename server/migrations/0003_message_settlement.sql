-- How a message whose outcome nobody knows is settled, and what became of each message step by step.

-- settle_at: when an UNKNOWN message is looked at next; its template's timeout after the answer failed to come.
-- resent_at: when it was handed to the platform a second time, which is the last (decision 0006).
-- is_late: its receipt came after its fee had been given back.
alter table messages add column settle_at timestamptz;
alter table messages add column resent_at timestamptz;
alter table messages add column is_late boolean not null default false;
update messages set settle_at = updated_at + interval '24 hours' where state = 'UNKNOWN';
alter table messages add constraint messages_unknown_is_settled check ((state = 'UNKNOWN') = (settle_at is not null));
alter table messages add constraint messages_late_is_received check (not is_late or state = 'RECEIVED');
-- What the settling round takes: as many rows as messages are unknown now, however many there were.
create index messages_to_settle on messages (settle_at) where state = 'UNKNOWN';

-- The timeline of a message, in the order of `id`; written by the statements that change the message.
-- detail: code, text, cause, session_id, delivered_at, attempt, fee, charged, owed; never a value sent.
create table message_events (
  shop_id object_id not null,
  message_id object_id not null,
  id bigint generated always as identity,
  kind text collate "C" not null check (kind in ('accepted', 'sending', 'sent', 'rejected', 'not_sent', 'unknown',
    'resent', 'status', 'receipt', 'released', 'late')),
  detail jsonb not null default '{}',
  created_at timestamptz not null,
  primary key (shop_id, message_id, id),
  foreign key (shop_id, message_id) references messages (shop_id, id)
);
create trigger message_events_append_only before update or delete on message_events
  for each row execute function refuse_change();

-- A message that arrived after its fee was given back is charged once more: what the balance holds of the fee, the
-- rest is noted as owed (decision 0006).
alter table wallet_entries add column owed bigint not null default 0 check (owed >= 0);
alter table wallet_entries drop constraint wallet_entries_type_check;
alter table wallet_entries add constraint wallet_entries_type_check
  check (type in ('top_up', 'correction', 'hold', 'capture', 'release', 'late_capture'));
alter table wallet_entries drop constraint wallet_entries_check;
alter table wallet_entries add constraint wallet_entries_amounts check (case type
  when 'hold' then amount < 0 and held_change = -amount and message_id is not null
  when 'capture' then amount = 0 and held_change < 0 and message_id is not null
  when 'release' then amount > 0 and held_change = -amount and message_id is not null
  when 'late_capture' then amount <= 0 and held_change = 0 and owed - amount > 0 and message_id is not null
  else held_change = 0 and amount <> 0
end and (owed = 0 or type = 'late_capture'));
create unique index wallet_one_late_capture on wallet_entries (shop_id, message_id) where type = 'late_capture';
