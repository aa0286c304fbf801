-- Until when an endpoint has asked to be left alone (429 or 503 with Retry-After): all of its deliveries wait.
alter table webhook_endpoints add column paused_until timestamptz;
