-- A suspended shop (G-69): its keys and sessions are refused and nothing is sent for it until it is resumed.
alter table shops add column suspended_at timestamptz, add column suspension_reason text;
