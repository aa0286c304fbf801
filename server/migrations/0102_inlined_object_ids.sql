-- The same ids from one expression, which PostgreSQL writes into the statement that calls it. With its own FROM the function was parsed
-- and planned anew by each statement, three times for a counter sale. The last 16 digits have 62 random bits.
create or replace function new_object_id(at timestamptz) returns text language sql volatile as $$
  select lpad(to_hex(extract(epoch from at)::bigint), 8, '0') || right(replace(gen_random_uuid()::text, '-', ''), 16)
$$;
