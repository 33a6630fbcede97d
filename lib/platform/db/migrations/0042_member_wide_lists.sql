-- What did not simply settle, of a whole organization: the list of its failures, returns, refusals and of what waits is
-- read down this index, however many transfers settled between them. A settled transfer is never in it, so the busy
-- path writes nothing here.
create index transfers_that_stand_out on transfers (organization_id, status, id desc)
  where status in ('APPROVAL_PENDING', 'APPROVAL_DENIED', 'FAILED', 'CANCELLED', 'RETURNED');
