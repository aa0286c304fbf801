-- Whether the link of an invitation reaches nobody but its address: mailed to it, or handed over by the operator (0017).
alter table invitations add column proves_address boolean not null default false;

-- Until now every account counted as proved, also those that an owner could make for anybody's address. Only those stay
-- so that the operator's token invited, and operators, whose password a handed over link set.
update users u
set email_verified = false
where not u.is_operator and not exists (
  select 1
  from invitations i
  join audit_entries a on a.shop_id = i.shop_id and a.target->>'invitationId' = i.id
  where i.email = u.email and i.accepted_at = u.created_at and a.action = 'member.invite' and a.actor = 'operator'
);

-- A new password ends all reset links of its person.
create index verifications_by_value on verifications (value);
