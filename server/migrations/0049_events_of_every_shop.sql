-- Events are kept whether or not an endpoint asks for them, so that a first endpoint can be filled from the last 30 days
-- (G-68). Only what an endpoint asks for waits to be handed out. Processes of the version before write fewer events; what they
-- write is handed out as before.
create or replace function add_to_outbox() returns trigger language plpgsql as $$
begin
  if exists (
    select
    from webhook_endpoints e
    where e.shop_id = new.shop_id and e.deleted_at is null and e.events && array[new.type::text, '*']
  ) then
    insert into webhook_outbox (shop_id, event_id) values (new.shop_id, new.id);
  end if;
  return null;
end $$;
