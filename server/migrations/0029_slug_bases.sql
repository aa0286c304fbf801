-- What a product's slug was made unique from: the suffix of a clash is told from a number that belongs to the name
-- (G-64). Empty where it is not known, which is what a process of the version before writes.
alter table products add column slug_base text collate "C" not null default '';

-- Slugs that stand: a number behind the name's slug is taken for a suffix once more, so that no address changes.
with named as (
  select p.shop_id, p.id, p.slug,
    case
      when length(words) <= 150 then coalesce(nullif(words, ''), 'product')
      when strpos(left(words, 151), '-') > 0 then regexp_replace(left(words, 151), '-[^-]*$', '')
      else left(words, 150)
    end as base
  from products p
  cross join lateral (select trim(both '-' from regexp_replace(p.search, '[^a-z0-9]+', '-', 'g')) as words) n
)
update products p
set slug_base = case
  when n.slug = n.base or n.slug ~ ('^' || n.base || '-([2-9]|[1-9][0-9]+)$') then n.base
  else n.slug
end
from named n
where p.shop_id = n.shop_id and p.id = n.id;
