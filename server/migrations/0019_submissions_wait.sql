-- A submission that the platform takes only on another day: not before this instant. Only the job that names it may
-- submit the revision, so that one left over from the day before finds nothing to do.
alter table template_revisions add column not_before timestamptz;
