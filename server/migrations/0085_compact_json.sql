-- Lists write their records as JSON by themselves; PostgreSQL's own text of jsonb has blanks between its tokens, which
-- responses do not have. A value without a null goes the fastest way, which would drop them.
create function compact_json(value jsonb) returns text
language sql
immutable
parallel safe
as $$
  select case
    when position(', ' in value::text) = 0 and position(': ' in value::text) = 0 then value::text
    when position('null' in value::text) = 0 then json_strip_nulls(value::text::json)::text
    else regexp_replace(value::text, '("(?:[^"\\]|\\.)*")| ', '\1', 'g')
  end
$$;
