-- The request that brought a message, and the one that caused an event, so that one id leads from the log of requests through
-- the call of the platform to the delivery at an endpoint. Null before, and where no request was the cause.
alter table messages add column request_id object_id;
alter table shop_events add column request_id object_id;
