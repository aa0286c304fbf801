-- What a shop's counter prints and shows: where the shop is, its tax code, and the account that transfers go to.
alter table shops
  add column address text not null default '',
  add column phone text not null default '',
  add column tax_code text not null default '',
  add column print_note text not null default '',
  add column print_paper text not null default '80' check (print_paper in ('58', '80', 'a5')),
  add column bank_bin text collate "C",
  add column bank_number text collate "C",
  add column bank_holder text,
  add constraint shops_bank_whole check (num_nulls(bank_bin, bank_number, bank_holder) in (0, 3));
