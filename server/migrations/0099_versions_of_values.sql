-- Versions of what people change beside the records that have one, so that a change by somebody else is not overwritten unseen
-- (G-71): a member's role, a key's share of the limit, a template's text for SMS, and the wallet's threshold. The version of the
-- text is kept with its template, since removing the text is a change too.
alter table members
  add column version integer not null default 0,
  add column updated_by object_id;

alter table api_keys
  add column version integer not null default 0,
  add column updated_at timestamptz,
  add column updated_by object_id;

alter table templates
  add column sms_version integer not null default 0,
  add column sms_updated_at timestamptz,
  add column sms_updated_by object_id;

alter table wallets
  add column alert_version integer not null default 0,
  add column alert_updated_at timestamptz,
  add column alert_updated_by object_id;
