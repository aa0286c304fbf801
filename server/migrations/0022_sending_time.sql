-- E7 is sorted by the time of sending. A message of a batch is sent when its turn comes, which may be a night after it
-- was accepted; one whose outcome stayed unknown perhaps once more.
alter table messages
  -- When a queued message was last taken out of the queue; null for one sent as it was accepted.
  add column handed_at timestamptz;
update messages m
set handed_at = e.created_at
from (
  select shop_id, message_id, max(created_at) as created_at
  from message_events
  where kind = 'sending'
  group by shop_id, message_id
) as e
where m.shop_id = e.shop_id and m.id = e.message_id;
alter table messages
  add column sending_at timestamptz not null generated always as (coalesce(resent_at, handed_at, created_at)) stored;

-- messages_history_by_phone stays as it is: the messages to one phone are few, and their limits go by acceptance.
drop index messages_history;
drop index messages_history_by_status;
drop index messages_history_by_template;
create index messages_history on messages (shop_id, sending_at, id) where state in ('RECEIVED', 'ERROR');
create index messages_history_by_status on messages (shop_id, state, sending_at, id);
create index messages_history_by_template on messages (shop_id, template_id, sending_at, id);

create or replace function count_new_messages() returns trigger language plpgsql as $$
begin
  insert into message_counts as c (shop_id, day, template_id, channel, state, n)
  select m.shop_id, d.day, m.template_id, m.channel, m.state, count(*)
  from changed_new m
    , lateral (values ('-infinity'::date), ((m.sending_at at time zone 'UTC')::date)) as d (day)
  where m.state in ('RECEIVED', 'ERROR')
  group by m.shop_id, d.day, m.template_id, m.channel, m.state
  order by m.shop_id, d.day, m.template_id, m.channel, m.state
  on conflict (shop_id, day, template_id, channel, state) do update set n = c.n + excluded.n;
  return null;
end $$;
create or replace function count_ended_messages() returns trigger language plpgsql as $$
begin
  insert into message_counts as c (shop_id, day, template_id, channel, state, n)
  select ended.shop_id, d.day, ended.template_id, ended.channel, ended.state, sum(ended.delta)
  from (
    select shop_id, sending_at, template_id, channel, state, -1 as delta
    from changed_old
    where state in ('RECEIVED', 'ERROR')
    union all
    select shop_id, sending_at, template_id, channel, state, 1
    from changed_new
    where state in ('RECEIVED', 'ERROR')
  ) as ended
    , lateral (values ('-infinity'::date), ((ended.sending_at at time zone 'UTC')::date)) as d (day)
  group by ended.shop_id, d.day, ended.template_id, ended.channel, ended.state
  having sum(ended.delta) <> 0
  order by ended.shop_id, d.day, ended.template_id, ended.channel, ended.state
  on conflict (shop_id, day, template_id, channel, state) do update set n = c.n + excluded.n;
  return null;
end $$;

delete from message_counts;
insert into message_counts (shop_id, day, template_id, channel, state, n)
select m.shop_id, d.day, m.template_id, m.channel, m.state, count(*)
from messages m
  , lateral (values ('-infinity'::date), ((m.sending_at at time zone 'UTC')::date)) as d (day)
where m.state in ('RECEIVED', 'ERROR')
group by m.shop_id, d.day, m.template_id, m.channel, m.state;
