-- Each process says itself until when it counts as alive without another heartbeat: those that look need not know how
-- long its silence may be. A process of the version before writes no such time; its lock says that it lives.
alter table message_senders
  add column alive_until timestamptz not null default now() + interval '15 seconds';
