-- Messages that were cancelled with their batch before they were sent are not failed ones (G-27): the batch, the home and the results of a
-- template count them apart, and the history finds them apart (G-25). message_counts has them under a state of its own. Messages are not
-- written while the past is counted: about 1 s with 1,000,000.

lock table messages in share mode;

create or replace function count_new_messages() returns trigger language plpgsql as $$
begin
  insert into message_counts as c (shop_id, day, template_id, channel, state, n)
  select m.shop_id, d.day, m.template_id, m.channel, counted.state, count(*)
  from changed_new m
    , lateral (values (case when m.state = 'ERROR' and m.error_code = 'CANCELLED' then 'CANCELLED' else m.state end)) as counted (state)
    , lateral (values ('-infinity'::date), ((m.sending_at at time zone 'UTC')::date)) as d (day)
  where m.state in ('RECEIVED', 'ERROR')
  group by m.shop_id, d.day, m.template_id, m.channel, counted.state
  order by m.shop_id, d.day, m.template_id, m.channel, counted.state
  on conflict (shop_id, day, template_id, channel, state) do update set n = c.n + excluded.n;
  return null;
end $$;
create or replace function count_ended_messages() returns trigger language plpgsql as $$
begin
  insert into message_counts as c (shop_id, day, template_id, channel, state, n)
  select ended.shop_id, d.day, ended.template_id, ended.channel, ended.state, sum(ended.delta)
  from (
    select shop_id, sending_at, template_id, channel,
      case when state = 'ERROR' and error_code = 'CANCELLED' then 'CANCELLED' else state end as state, -1 as delta
    from changed_old
    where state in ('RECEIVED', 'ERROR')
    union all
    select shop_id, sending_at, template_id, channel,
      case when state = 'ERROR' and error_code = 'CANCELLED' then 'CANCELLED' else state end, 1
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
create or replace function add_new_messages_to_day() returns trigger language plpgsql as $$
begin
  insert into shop_days as d (shop_id, day, accepted, delivered, failed, spend)
  select shop_id, shop_day(sending_at) as day, count(*) filter (where state = 'RECEIVED'),
    count(*) filter (where state = 'RECEIVED' and delivered_at is not null),
    count(*) filter (where state = 'ERROR' and error_code is distinct from 'CANCELLED'),
    coalesce(sum(fee) filter (where state = 'RECEIVED'), 0)
  from changed_new
  where state in ('RECEIVED', 'ERROR')
  group by shop_id, day
  order by shop_id, day
  on conflict (shop_id, day) do update
    set accepted = d.accepted + excluded.accepted, delivered = d.delivered + excluded.delivered,
      failed = d.failed + excluded.failed, spend = d.spend + excluded.spend;
  insert into template_days as d (shop_id, day, template_id, accepted, delivered, failed, spend)
  select shop_id, shop_day(sending_at) as day, template_id, count(*) filter (where state = 'RECEIVED'),
    count(*) filter (where state = 'RECEIVED' and delivered_at is not null),
    count(*) filter (where state = 'ERROR' and error_code is distinct from 'CANCELLED'),
    coalesce(sum(fee) filter (where state = 'RECEIVED'), 0)
  from changed_new
  where state in ('RECEIVED', 'ERROR')
  group by shop_id, day, template_id
  order by shop_id, day, template_id
  on conflict (shop_id, day, template_id) do update
    set accepted = d.accepted + excluded.accepted, delivered = d.delivered + excluded.delivered,
      failed = d.failed + excluded.failed, spend = d.spend + excluded.spend;
  return null;
end $$;
create or replace function move_messages_in_days() returns trigger language plpgsql as $$
begin
  insert into shop_days as d (shop_id, day, accepted, delivered, failed, spend)
  select shop_id, shop_day(sending_at) as day, sum(accepted), sum(delivered), sum(failed), sum(spend)
  from (
    select shop_id, sending_at, -(state = 'RECEIVED')::integer as accepted,
      -(state = 'RECEIVED' and delivered_at is not null)::integer as delivered,
      -(state = 'ERROR' and error_code is distinct from 'CANCELLED')::integer as failed,
      case when state = 'RECEIVED' then -fee else 0 end as spend
    from changed_old
    where state in ('RECEIVED', 'ERROR')
    union all
    select shop_id, sending_at, (state = 'RECEIVED')::integer,
      (state = 'RECEIVED' and delivered_at is not null)::integer,
      (state = 'ERROR' and error_code is distinct from 'CANCELLED')::integer,
      case when state = 'RECEIVED' then fee else 0 end
    from changed_new
    where state in ('RECEIVED', 'ERROR')
  ) as counted
  group by shop_id, day
  having (sum(accepted), sum(delivered), sum(failed), sum(spend)) <> (0, 0, 0, 0)
  order by shop_id, day
  on conflict (shop_id, day) do update
    set accepted = d.accepted + excluded.accepted, delivered = d.delivered + excluded.delivered,
      failed = d.failed + excluded.failed, spend = d.spend + excluded.spend;
  insert into template_days as d (shop_id, day, template_id, accepted, delivered, failed, spend)
  select shop_id, shop_day(sending_at) as day, template_id, sum(accepted), sum(delivered), sum(failed), sum(spend)
  from (
    select shop_id, sending_at, template_id, -(state = 'RECEIVED')::integer as accepted,
      -(state = 'RECEIVED' and delivered_at is not null)::integer as delivered,
      -(state = 'ERROR' and error_code is distinct from 'CANCELLED')::integer as failed,
      case when state = 'RECEIVED' then -fee else 0 end as spend
    from changed_old
    where state in ('RECEIVED', 'ERROR')
    union all
    select shop_id, sending_at, template_id, (state = 'RECEIVED')::integer,
      (state = 'RECEIVED' and delivered_at is not null)::integer,
      (state = 'ERROR' and error_code is distinct from 'CANCELLED')::integer,
      case when state = 'RECEIVED' then fee else 0 end
    from changed_new
    where state in ('RECEIVED', 'ERROR')
  ) as counted
  group by shop_id, day, template_id
  having (sum(accepted), sum(delivered), sum(failed), sum(spend)) <> (0, 0, 0, 0)
  order by shop_id, day, template_id
  on conflict (shop_id, day, template_id) do update
    set accepted = d.accepted + excluded.accepted, delivered = d.delivered + excluded.delivered,
      failed = d.failed + excluded.failed, spend = d.spend + excluded.spend;
  return null;
end $$;

with cancelled as materialized (
  select m.shop_id, m.template_id, m.channel, m.sending_at, count(*) as n
  from messages m
  where m.state = 'ERROR' and m.error_code = 'CANCELLED' and m.batch_id is not null
  group by m.shop_id, m.template_id, m.channel, m.sending_at
), moved as (
  select c.shop_id, d.day, c.template_id, c.channel, sum(c.n) as n
  from cancelled c
    , lateral (values ('-infinity'::date), ((c.sending_at at time zone 'UTC')::date)) as d (day)
  group by c.shop_id, d.day, c.template_id, c.channel
), counts as (
  insert into message_counts as c (shop_id, day, template_id, channel, state, n)
  select m.shop_id, m.day, m.template_id, m.channel, s.state, s.sign * m.n
  from moved m
    , lateral (values ('ERROR', -1), ('CANCELLED', 1)) as s (state, sign)
  on conflict (shop_id, day, template_id, channel, state) do update set n = c.n + excluded.n
), days as (
  update shop_days d
  set failed = d.failed - c.n
  from (select shop_id, shop_day(sending_at) as day, sum(n) as n from cancelled group by 1, 2) as c
  where d.shop_id = c.shop_id and d.day = c.day
)
update template_days d
set failed = d.failed - c.n
from (select shop_id, shop_day(sending_at) as day, template_id, sum(n) as n from cancelled group by 1, 2, 3) as c
where d.shop_id = c.shop_id and d.day = c.day and d.template_id = c.template_id;

-- The list of the failed ones, and that of the cancelled ones, of which a large batch leaves many side by side.
create index messages_failed on messages (shop_id, sending_at, id) where state = 'ERROR' and error_code is distinct from 'CANCELLED';
create index messages_cancelled on messages (shop_id, sending_at, id) where state = 'ERROR' and error_code = 'CANCELLED';
