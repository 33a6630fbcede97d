-- outside a transaction: proposals are written while this is made
-- Programs list the proposals of one kind, newest first.
create index concurrently proposals_by_kind on proposals (organization_id, kind, id desc) include (state);
