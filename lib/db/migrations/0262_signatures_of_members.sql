-- Who leaves or loses the role loses the signatures that were not used: they are found by the member.
-- while serving: the table was made with this version, and is empty
create index signatures_of_member on signatures (organization_id, user_id) where (withdrawn_at is null);
