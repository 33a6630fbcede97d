-- The palette finds transfers by their amount, in an organization of a million of them as fast as in a new one.
create index transfers_by_amount on transfers (organization_id, amount_in_cents, id desc);
