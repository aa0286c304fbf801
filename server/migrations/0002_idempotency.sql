-- What a request with an Idempotency-Key did (G-10). Running: locked_until is set; answered: status and body are.
-- resource_id is given to what the request creates, whichever try creates it: that row's primary key is what lets
-- the effect happen once.
create table idempotency_keys (
  shop_id object_id not null references shops (id),
  key text collate "C" not null check (length(key) between 1 and 255),
  -- SHA-256 over method, path and body.
  request_hash bytea not null,
  resource_id object_id not null,
  -- The request that holds the claim, until when another may take it over.
  claimed_by object_id not null,
  locked_until timestamptz,
  status integer,
  body text,
  expires_at timestamptz not null,
  primary key (shop_id, key),
  check ((locked_until is null) = (status is not null)),
  check ((status is null) = (body is null))
);
create index idempotency_keys_expired on idempotency_keys (expires_at);

-- Whether the template had a one-time password among its parameters when the message was accepted.
alter table messages add column has_otp boolean not null default false;
create index messages_by_uid on messages (shop_id, user_uid, created_at, id) where channel = 'uid';

-- Seconds until one more message may go to this recipient; null when it may go now. The n-th limit allows counts[n]
-- messages in the seconds[n] before `at`. Samples and refused messages do not count.
-- Volatile, so that it sees what was committed while the statement around it waited for a lock: a query of that
-- statement itself would see the moment before. Looks at no more messages than the recipient got in the window.
create function recipient_wait(
  of_shop object_id, to_channel text, to_recipient text, of_otp boolean, counts integer[], seconds integer[],
  at timestamptz
) returns integer language plpgsql volatile as $$
declare
  first_at timestamptz;
  wait integer;
begin
  for n in 1 .. cardinality(counts) loop
    if to_channel = 'phone' then
      select m.created_at into first_at
      from messages m
      where m.shop_id = of_shop and m.channel = 'phone' and m.phone = to_recipient
        and m.created_at > at - make_interval(secs => seconds[n])
        and m.has_otp = of_otp and not m.is_sample and m.state <> 'ERROR'
      order by m.created_at desc
      offset counts[n] - 1
      limit 1;
    else
      select m.created_at into first_at
      from messages m
      where m.shop_id = of_shop and m.channel = 'uid' and m.user_uid = to_recipient
        and m.created_at > at - make_interval(secs => seconds[n])
        and m.has_otp = of_otp and not m.is_sample and m.state <> 'ERROR'
      order by m.created_at desc
      offset counts[n] - 1
      limit 1;
    end if;
    if found then
      wait := greatest(wait, 1, ceil(extract(epoch from first_at - at))::integer + seconds[n]);
    end if;
  end loop;
  return wait;
end $$;
