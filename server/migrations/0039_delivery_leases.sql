-- A delivery under way is a lease in its own row: it had a job of pg-boss beside it, written, taken and ended with it.
-- One that a process of the version before had in progress goes out again when its job's time would have been over. Such a
-- process can take no more: its `queued` is refused, and those of this version deliver instead.
alter table webhook_deliveries drop constraint webhook_deliveries_state_check;
drop index webhook_deliveries_queued;
alter table webhook_deliveries add column lease_until timestamptz;

update webhook_deliveries
set state = 'leased', lease_until = now() + interval '30 seconds'
where state = 'queued';

-- pending: goes out at due_at; leased: in progress in some process, until lease_until at most; failed: given up, or the
-- endpoint was switched off.
alter table webhook_deliveries
  add constraint webhook_deliveries_state_check check (state in ('pending', 'leased', 'delivered', 'failed')),
  add constraint webhook_deliveries_lease_check check ((state = 'leased') = (lease_until is not null));
create index webhook_deliveries_leased on webhook_deliveries (shop_id, endpoint_id) where state = 'leased';

do $$
begin
  if to_regprocedure('pgboss.delete_queue(text)') is not null then
    perform pgboss.delete_queue('deliver-webhook'), pgboss.delete_queue('retry-webhook');
  end if;
end $$;
