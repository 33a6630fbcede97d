-- The page of a reversal names the transfer that it reverses.
-- while serving: members made a few thousand of these rows at most; the index is made in milliseconds
create index transfer_reversals_by_reversal on transfer_reversals (organization_id, reversal_id);
