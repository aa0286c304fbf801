-- How many of its shop's requests a minute a key may use (G-07), so that one partner's system cannot use up a till's; null: all.
alter table api_keys add column max_per_minute integer check (max_per_minute >= 1);
