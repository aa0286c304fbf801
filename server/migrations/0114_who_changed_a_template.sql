-- Who created or submitted a template (G-18). Null for changes by the platform, and for those before this migration.
alter table template_events add column by_id text collate "C";
