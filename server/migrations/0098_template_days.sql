-- What became of each template's messages on each day of its shop's zone, and how the platform judged the template then (G-120): plots read
-- these rows instead of messages. Changed with the message, after its shop's row of the day, which is locked first. Messages are not written
-- while the past is added up: about 2 s with 1,000,000.

create table template_days (
  shop_id object_id not null references shops (id),
  day date not null,
  template_id object_id not null,
  accepted bigint not null default 0,
  delivered bigint not null default 0,
  failed bigint not null default 0,
  -- Fees of the accepted messages, in đồng.
  spend bigint not null default 0,
  -- As the platform last gave them on that day.
  quality text collate "C",
  daily_quota bigint,
  primary key (shop_id, day, template_id),
  foreign key (shop_id, template_id) references templates (shop_id, id)
) with (fillfactor = 50);

lock table messages in share mode;

insert into template_days (shop_id, day, template_id, accepted, delivered, failed, spend)
select shop_id, shop_day(sending_at), template_id, count(*) filter (where state = 'RECEIVED'),
  count(*) filter (where state = 'RECEIVED' and delivered_at is not null), count(*) filter (where state = 'ERROR'),
  coalesce(sum(fee) filter (where state = 'RECEIVED'), 0)
from messages
where state in ('RECEIVED', 'ERROR')
group by 1, 2, 3;

create or replace function add_new_messages_to_day() returns trigger language plpgsql as $$
begin
  insert into shop_days as d (shop_id, day, accepted, delivered, failed, spend)
  select shop_id, shop_day(sending_at) as day, count(*) filter (where state = 'RECEIVED'),
    count(*) filter (where state = 'RECEIVED' and delivered_at is not null), count(*) filter (where state = 'ERROR'),
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
    count(*) filter (where state = 'RECEIVED' and delivered_at is not null), count(*) filter (where state = 'ERROR'),
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
      -(state = 'RECEIVED' and delivered_at is not null)::integer as delivered, -(state = 'ERROR')::integer as failed,
      case when state = 'RECEIVED' then -fee else 0 end as spend
    from changed_old
    where state in ('RECEIVED', 'ERROR')
    union all
    select shop_id, sending_at, (state = 'RECEIVED')::integer,
      (state = 'RECEIVED' and delivered_at is not null)::integer, (state = 'ERROR')::integer,
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
      -(state = 'RECEIVED' and delivered_at is not null)::integer as delivered, -(state = 'ERROR')::integer as failed,
      case when state = 'RECEIVED' then -fee else 0 end as spend
    from changed_old
    where state in ('RECEIVED', 'ERROR')
    union all
    select shop_id, sending_at, template_id, (state = 'RECEIVED')::integer,
      (state = 'RECEIVED' and delivered_at is not null)::integer, (state = 'ERROR')::integer,
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
