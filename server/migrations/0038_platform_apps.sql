-- The operator's apps on the messaging platform. Token requests carry the app secret; events are signed with the OA secret
-- key of the app's webhook page, which is another one. One address takes the events of all accounts of an app.
create table platform_apps (
  app_id text collate "C" primary key,
  name text not null,
  app_secret bytea,
  oa_secret_key bytea,
  -- Still accepted after the key was replaced, until it is removed.
  previous_oa_secret_key bytea,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- An account refers to its app by app_id. The secret of the account that changed last is the app's; an account without an
-- app keeps its own.
insert into platform_apps (app_id, name, app_secret, oa_secret_key, created_at, updated_at)
select distinct on (app_id) app_id, app_id, secret_key, webhook_secret, created_at, updated_at
from official_accounts
where app_id is not null
order by app_id, secret_key is null, updated_at desc;

update official_accounts set secret_key = null where app_id is not null;
alter table official_accounts drop column webhook_secret;

create index official_accounts_by_app on official_accounts (app_id);
