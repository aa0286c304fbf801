import { sql } from 'kysely'
import type { Db } from '../../server/src/db/client.ts'

/** Something that a cluster distributed by shop refuses or does in one place only, and where it occurs. */
export type Finding = { kind: string; what: string }

/** The tables with rows of shops, and the other tables, which a cluster copies to every node or keeps on one. */
export async function readTables(db: Db): Promise<{ ofShops: string[]; ofNone: string[] }> {
  const { rows } = await sql<{ name: string; is_of_shop: boolean }>`
    select c.relname as name, exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attname = 'shop_id' and not a.attisdropped
      ) as is_of_shop
    from pg_class c
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
    order by 1`.execute(db)
  const named = (isOfShop: boolean) =>
    rows.flatMap(({ name, is_of_shop }) => (is_of_shop === isOfShop ? [name] : []))
  return { ofShops: named(true), ofNone: named(false) }
}

/** The parts of the schema that a cluster distributed by `shop_id` refuses. */
export async function schemaFindings(db: Db): Promise<Finding[]> {
  const { rows } = await sql<Finding>`
    with own as (
      select c.oid, c.relname as name, exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attname = 'shop_id' and not a.attisdropped
      ) as is_of_shop
      from pg_class c
      where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
    ),
    key_of_shop as (
      select i.indrelid, i.indexrelid, exists (
        select from pg_attribute a
        where a.attrelid = i.indrelid and a.attnum = any (i.indkey) and a.attname = 'shop_id'
      ) as has_shop
      from pg_index i
      where i.indisunique
    )
    select 'trigger with a transition table' as kind, o.name || ': ' || t.tgname as what
    from pg_trigger t join own o on o.oid = t.tgrelid
    where not t.tgisinternal and (t.tgnewtable is not null or t.tgoldtable is not null)
    union all
    select 'trigger of a row', o.name || ': ' || t.tgname
    from pg_trigger t join own o on o.oid = t.tgrelid
    where not t.tgisinternal and t.tgnewtable is null and t.tgoldtable is null and o.is_of_shop
    union all
    select 'unique over all shops', o.name || ': ' || k.indexrelid::regclass
    from key_of_shop k join own o on o.oid = k.indrelid
    where o.is_of_shop and not k.has_shop
    union all
    select 'identity column', o.name || '.' || a.attname
    from pg_attribute a join own o on o.oid = a.attrelid
    where a.attidentity <> '' and o.is_of_shop
    union all
    select 'foreign key between shops’ tables without shop_id', o.name || ': ' || f.conname
    from pg_constraint f join own o on o.oid = f.conrelid join own r on r.oid = f.confrelid
    where f.contype = 'f' and o.is_of_shop and r.is_of_shop and not exists (
      select from pg_attribute a
      where a.attrelid = f.conrelid and a.attnum = any (f.conkey) and a.attname = 'shop_id'
    )
    union all
    select 'foreign key from a table of no shop to one of shops', o.name || ': ' || f.conname
    from pg_constraint f join own o on o.oid = f.conrelid join own r on r.oid = f.confrelid
    where f.contype = 'f' and not o.is_of_shop and r.is_of_shop
    order by 1, 2`.execute(db)
  return rows
}
