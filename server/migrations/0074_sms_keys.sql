-- A provider drops what is handed to it twice by one account only: an SMS of which nobody knows whether the provider has it is never
-- handed over with other keys (G-92). Each pair of keys has an id; null is what was set, or handed over, before this migration.
alter table sms_senders add column keys_id object_id;
alter table message_fallbacks add column keys_id object_id;
