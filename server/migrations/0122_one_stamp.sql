-- A change takes one slot. The free slot was looked up in a join, whose planner could repeat the look-up for each slot of the shop: the
-- row that this statement had just changed was skipped, so one transaction changed all slots, others found none and made more, and waited
-- for one another. As a scalar subquery it runs once.
create or replace function stamp_change() returns trigger language plpgsql as $$
declare
  changed text := case tg_op when 'DELETE' then old.shop_id else new.shop_id end;
  done text := 'shopbell.stamped_' || tg_argv[0];
  step bigint;
begin
  if current_setting(done, true) = changed then
    return null;
  end if;
  step := 1 + floor(random() * 1000000);
  update change_stamps
  set stamp = stamp + step
  where shop_id = changed and area = tg_argv[0] and slot = (
    select slot
    from change_stamps
    where shop_id = changed and area = tg_argv[0]
    limit 1
    for update skip locked
  );
  if not found then
    insert into change_stamps (shop_id, area, stamp) values (changed, tg_argv[0], step);
  end if;
  perform set_config(done, changed, true);
  return null;
end $$;

-- Areas that have far more slots than writers get one slot of the same sum and a step, so that the sum grows as with any change.
lock table change_stamps in exclusive mode;
with many as (
  select shop_id, area, sum(stamp)::bigint as total
  from change_stamps
  group by shop_id, area
  having count(*) > 32
), gone as (
  delete from change_stamps c
  using many
  where c.shop_id = many.shop_id and c.area = many.area
)
insert into change_stamps (shop_id, area, stamp)
select shop_id, area, total + 1 + floor(random() * 1000000)::bigint from many;
