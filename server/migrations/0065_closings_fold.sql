-- The sums of a deleted shop's ledger are added up as its entries are deleted, so that one written while the shop is erased counts
-- too. False: they were taken before the first was deleted, by the version before.
alter table closed_shops add column is_folded boolean not null default false;
