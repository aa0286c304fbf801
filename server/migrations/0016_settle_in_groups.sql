-- Ended messages are counted once a statement instead of once a row: a group of messages that is settled together
-- changes each counter once.
drop trigger messages_counted_update on messages;
drop function count_ended_message();
create function count_ended_messages() returns trigger language plpgsql as $$
begin
  insert into message_counts as c (shop_id, day, template_id, channel, state, n)
  select ended.shop_id, d.day, ended.template_id, ended.channel, ended.state, sum(ended.delta)
  from (
    select shop_id, created_at, template_id, channel, state, -1 as delta
    from changed_old
    where state in ('RECEIVED', 'ERROR')
    union all
    select shop_id, created_at, template_id, channel, state, 1
    from changed_new
    where state in ('RECEIVED', 'ERROR')
  ) as ended
    , lateral (values ('-infinity'::date), ((ended.created_at at time zone 'UTC')::date)) as d (day)
  group by ended.shop_id, d.day, ended.template_id, ended.channel, ended.state
  having sum(ended.delta) <> 0
  order by ended.shop_id, d.day, ended.template_id, ended.channel, ended.state
  on conflict (shop_id, day, template_id, channel, state) do update set n = c.n + excluded.n;
  return null;
end $$;
create trigger messages_counted_update after update on messages
  referencing old table as changed_old new table as changed_new
  for each statement execute function count_ended_messages();

-- What the platform told us is kept for 30 days after it was worked on.
create index platform_events_done on platform_events (processed_at) where processed_at is not null;
