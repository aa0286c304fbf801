-- A sale that a till kept through an outage may be sent in another person's session. `sold_by` names who sold it, as the till says;
-- this names who sent it, where that is another one (decision 0037).
alter table orders add column sent_by object_id;
