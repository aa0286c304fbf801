-- Versions of what operators change in a form, so that a change by somebody else is not overwritten unseen (G-71): an official
-- account's settings, and a shop's SMS sender. The version of the sender is kept with its shop, since removing the sender is a
-- change too.
alter table official_accounts
  add column version integer not null default 0,
  add column updated_by object_id;

alter table shops
  add column sms_sender_version integer not null default 0,
  add column sms_sender_updated_at timestamptz,
  add column sms_sender_updated_by object_id;
