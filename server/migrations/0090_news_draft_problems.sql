-- Why a draft could not be published names the broken rule and its values, so that a screen can say it in its reader's language
-- (G-03). Problems of before have none.
alter table news_drafts add column problem_details jsonb not null default '[]';
