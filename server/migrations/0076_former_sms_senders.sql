-- The keys that SMS were handed over with stay for two days after their shop has others, or no sender any more: the provider reports to
-- the address that came with them, and knows these SMS by that account only (G-92).
create table former_sms_senders (
  shop_id object_id not null references shops (id),
  keys_id object_id not null,
  provider text not null,
  brandname text not null,
  keys bytea not null,
  replaced_at timestamptz not null,
  primary key (shop_id, keys_id)
);

-- What was set before keys had ids gets one: any that is unique in its shop.
update sms_senders set keys_id = shop_id where keys_id is null;
update message_fallbacks set keys_id = shop_id where keys_id is null and state in ('SENDING', 'UNKNOWN', 'SENT');
