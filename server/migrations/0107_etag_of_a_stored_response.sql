-- The response to a change has the record's ETag (G-71). A repeated request gets it again with the stored response.
alter table idempotency_keys add column etag text;
