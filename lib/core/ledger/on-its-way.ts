/**
 * Ids of the transfers of organization $1 that are accepted and not ended, in or out of account $2. Each step is named
 * as in the partial index that holds it, so that nothing that has ended is read.
 */
export const ON_ITS_WAY = `
  select id from transfers where next_step in ('BOOK', 'FAIL') and organization_id = $1
     and $2::uuid in (source_account_id, destination_account_id)
  union all
  select id from transfers where next_step in ('SUBMIT', 'ASK') and organization_id = $1
     and $2::uuid in (source_account_id, destination_account_id)
  union all
  select id from transfers where next_step = 'AWAIT' and organization_id = $1
     and $2::uuid in (source_account_id, destination_account_id)`;
