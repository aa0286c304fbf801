-- The time of a wallet's newest entry. A change takes its time before it waits for the wallet's row, so of two that overlap the
-- later entry could have the earlier time, and the ledger in the order of times did not add up from one entry to the next. The row's
-- lock now also gives the time: later than that of the entry before.
alter table wallets add column last_entry_at timestamptz not null default '-infinity';
