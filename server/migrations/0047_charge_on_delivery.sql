-- When the fee of an account's messages is charged: as the platform accepts them, or as they reach the phone.
alter table official_accounts
  add column charge_on text not null default 'accepted' check (charge_on in ('accepted', 'delivered'));

-- Of a message that is charged when it is delivered: how long its receipt is waited for after the platform accepted it, decided
-- when it was accepted here; and, while its hold is open for that, until when.
alter table messages
  add column receipt_within_seconds integer,
  add column receipt_due_at timestamptz,
  add constraint messages_awaits_receipt
    check (receipt_due_at is null or (state = 'RECEIVED' and delivered_at is null)) not valid;
create index messages_awaiting_receipt on messages (receipt_due_at) where receipt_due_at is not null;

-- One that was accepted and not delivered keeps the platform's id, by which a late receipt finds it. Each row that the check
-- before took, this one takes: nothing has to be read.
alter table messages
  drop constraint messages_check4,
  add constraint messages_error_has_code check (
    state <> 'ERROR' or (error_code is not null and (session_id = '' or error_code = 'NOT_DELIVERED'))
  ) not valid;
