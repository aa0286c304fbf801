-- The steps of messages and of orders are to be divided by month (0081). What is there becomes the first part: it ends with a
-- month that begins a week from now or later, and after all that is there. The bound is stated here and validated there, so that
-- no lock lasts as long as the table is read.
create function part_bound(at timestamptz) returns text language sql immutable as $$
  select lpad(to_hex(extract(epoch from at)::bigint), 8, '0') || repeat('0', 16)
$$;

do $$
declare
  part record;
  newest text;
  bound text;
begin
  for part in values ('message_events', 'message_id'), ('order_events', 'order_id') loop
    execute format('select max(%I) from %I', part.column2, part.column1) into newest;
    bound := part_bound(date_trunc('month', greatest(
      now() + interval '7 days',
      to_timestamp(coalesce(('x' || left(newest, 8))::bit(32)::bigint, 0))
    ), 'UTC') + interval '1 month');
    execute format('alter table %1$I add constraint %1$s_start check (%2$I < %3$L) not valid', part.column1, part.column2, bound);
  end loop;
end $$;
