-- Which provider carries an account's messages. A version before this knows one only, and never reads it.
alter table official_accounts add column provider text collate "C" not null default 'chatapp';
