-- Imports are kept for 30 days after their end.
create index product_imports_finished on product_imports (finished_at) where finished_at is not null;
