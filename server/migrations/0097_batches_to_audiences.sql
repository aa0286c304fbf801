-- A batch may be a test to oneself, and it may be sent to an audience: then it has where the next one goes on (G-27). The audience may be
-- deleted afterwards. Adding columns with constant defaults rewrites nothing.
alter table message_batches
  add column is_test boolean not null default false,
  add column audience_id object_id,
  add column audience_next object_id;
