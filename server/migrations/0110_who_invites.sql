-- Who invited a person, null for the operator's token. An invitation ends when that person may invite no more.
alter table invitations add column invited_by object_id;
