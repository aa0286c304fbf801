-- A month of steps is dropped at once instead of row by row (decision 0047). Divided by the id that the steps belong to, which
-- begins with its time: all statements name it, so each reads one part, and primary keys and foreign keys stay as they are.
-- The table becomes the first part as it is. Numbers come from a sequence instead of an identity, which PostgreSQL 17 and later
-- refuse in a part. What no month is made for goes to the part _other.
alter table message_events validate constraint message_events_start;
alter table message_events validate constraint message_events_kind_check;
alter table order_events validate constraint order_events_start;

-- All locks first, or none: statements of the version before take them in either order, and would wait for each other with this one.
do $$
begin
  perform set_config('lock_timeout', '500ms', true);
  loop
    begin
      lock table messages, orders in share row exclusive mode;
      lock table message_events, order_events in access exclusive mode;
      exit;
    exception when lock_not_available then
      perform pg_sleep(0.2);
    end;
  end loop;
  perform set_config('lock_timeout', '0', true);
end $$;

do $$
declare
  part record;
  bound text;
begin
  for part in
    values ('message_events', 'message_id', 'messages'), ('order_events', 'order_id', 'orders')
  loop
    select substring(pg_get_constraintdef(oid) from '[0-9a-f]{24}') into bound
    from pg_constraint
    where conrelid = part.column1::regclass and conname = part.column1 || '_start';
    execute format($sql$
      create sequence %1$s_numbers;
      select setval('%1$s_numbers', nextval(pg_get_serial_sequence('%1$s', 'id')));
      alter table %1$s rename to %1$s_start;
      alter table %1$s_start alter column id drop identity;
      alter table %1$s_start alter column id set default nextval('%1$s_numbers');
      alter table %1$s_start rename constraint %1$s_pkey to %1$s_start_pkey;
      drop trigger %1$s_append_only on %1$s_start;
      create table %1$s (like %1$s_start including defaults including constraints) partition by range (%2$s);
      alter sequence %1$s_numbers owned by %1$s.id;
      alter table %1$s drop constraint %1$s_start;
      alter table %1$s add constraint %1$s_pkey primary key (shop_id, %2$s, id);
      alter table %1$s add constraint %1$s_shop_id_%2$s_fkey foreign key (shop_id, %2$s) references %3$s (shop_id, id);
      create trigger %1$s_append_only before update or delete on %1$s for each row execute function refuse_change();
      alter table %1$s attach partition %1$s_start for values from (minvalue) to (%4$L);
      alter table %1$s_start drop constraint %1$s_start;
      create table %1$s_other partition of %1$s default
    $sql$, part.column1, part.column2, part.column3, bound);
  end loop;
end $$;
