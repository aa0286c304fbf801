-- Codes and barcodes are compared in NFC and without regard to case, in Unicode (G-33, decision 0022). By capitals, as a
-- small letter may depend on what follows it. ICU does it whatever the database's own locale is.
create function fold_code(code text) returns text language sql immutable strict parallel safe
  return normalize(upper(normalize(code, nfc) collate "und-x-icu"), nfc) collate "C";

-- `code` is one of the spellings that the product and its SKUs have for it.
alter table product_codes add column folded text collate "C" not null generated always as (fold_code(code)) stored;
-- Codes that were two before this comparison stay with their products and are found; new ones clash with both.
alter table product_codes add column is_duplicate boolean not null default false;
update product_codes c
set is_duplicate = true
from (
  select shop_id, kind, code, row_number() over (partition by shop_id, kind, folded order by product_id, code) as place
  from product_codes
) r
where r.place > 1 and c.shop_id = r.shop_id and c.kind = r.kind and c.code = r.code;

create unique index product_codes_one_per_fold on product_codes (shop_id, kind, folded) where not is_duplicate;
drop index product_codes_by_folded;
create index product_codes_by_fold on product_codes (shop_id, folded text_pattern_ops, kind);
