-- Who has seen a key's text: the person who issued or rotated it; null: the operator's token, or nobody known. One who is
-- removed from the shop still has it.
alter table api_keys add column issued_by object_id;
update api_keys k
set issued_by = a.actor_id
from audit_entries a
where a.shop_id = k.shop_id and a.actor = 'member'
  and ((a.action = 'key.create' and a.target->>'keyId' = k.id)
    or (a.action = 'key.rotate' and a.target->>'newKeyId' = k.id));
create index api_keys_by_issuer on api_keys (shop_id, issued_by) where issued_by is not null;
