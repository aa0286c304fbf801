-- A person's number must go from append-only tables too (G-78): from the notes of the ledger, say, and from the audit log.
-- Only the operation that erases a person sets this for its transactions; amounts and times are never touched.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if current_setting('shopbell.erasing', true) = 'on' then
    if tg_op = 'DELETE' then
      return old;
    end if;
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;
