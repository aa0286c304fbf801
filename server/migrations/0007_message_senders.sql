-- The processes that hand messages over. A living one notes the moment every few seconds, by the database's clock,
-- and holds an advisory lock on its id in a session of its own, which the server ends with the process. Only a
-- process that is silent and whose lock is free is dead: one that merely stands still keeps its session.
-- The embedded database has one process and no rows here.
create table message_senders (
  id object_id primary key,
  seen_at timestamptz not null
) with (fillfactor = 20);

-- While SENDING: whose it is. Null on the embedded database, and for messages from before this column.
alter table messages add column sender_id object_id;
