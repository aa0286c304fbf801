-- An import's error names the broken rule and its values, so that a screen can say it in its reader's language (G-03).
-- Errors of before have none.
alter table product_import_errors
  add column rule text,
  add column rule_values jsonb;
