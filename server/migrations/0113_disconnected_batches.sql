-- A batch waits while its official account must be connected again (G-27). Each row that the check before took, this one takes:
-- nothing has to be read.
alter table message_batches
  drop constraint message_batches_waiting_reason_check,
  add constraint message_batches_waiting_reason_check check (
    waiting_reason in (
      'NIGHT_WINDOW', 'DAILY_QUOTA', 'MONTHLY_QUOTA', 'RATE_LIMIT', 'PLATFORM_UNAVAILABLE', 'RETRY', 'PLATFORM_MONEY',
      'ACCOUNT_DISCONNECTED'
    )
  ) not valid;
