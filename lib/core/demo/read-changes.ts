import type { EventResourceType } from "@/lib/contract/webhooks";
import type { Queryable } from "@/lib/db/transaction";

/** What an event tells of. */
export interface DemoChange {
  resourceType: EventResourceType;
  resourceId: string;
  at: Date;
  /** `TROUBLE`: a transfer failed or came back; `WAITS`: one that waits for a person still. */
  story: "PLAIN" | "TROUBLE" | "WAITS";
}

interface ChangeRow {
  resource_type: EventResourceType;
  resource_id: string;
  at: Date;
  story: DemoChange["story"];
}

/** Outside accounts were looked at every four hours, at this moment and from it on. */
const FIRST_LOOK = "2020-01-01 00:12+00";
/** Far more than thirty days of the demo have. */
const MAXIMUM_CHANGES = 2_000;

/**
 * What the event triggers would have told of, had there been an endpoint then, oldest first: of the history as it was
 * booked, and of what happened to
 * one transfer in one moment once. What is known of accounts outside is dated by the look that would have found it, for the demo connects them
 * at its end.
 */
export async function readChanges(
  client: Queryable,
  organizationId: string,
  since: Date,
  now: Date,
): Promise<DemoChange[]> {
  const { rows } = await client.query<ChangeRow>(
    `
    with moved as (select * from transfers where organization_id = $1 and execution_mode = 'LIVE'),
    changes as (
      select 'transfer' as resource_type, id as resource_id, created_at as at,
          case when status = 'APPROVAL_PENDING' then 'WAITS' else 'PLAIN' end as story from moved
      union all
      -- A person has approved it.
      select 'transfer', id, accepted_at, 'PLAIN' from moved where accepted_at > created_at
      union all
      -- Told when it is booked, which over ACH is after the bank settled it. A deposit is booked as it is made.
      select 'transfer', m.id, e.booked_at, 'PLAIN' from moved m
        join entries e on e.organization_id = $1 and e.transfer_id = m.id and e.kind = 'TRANSFER'
        where m.source_account_id is not null
      union all
      select 'transfer', id, updated_at, case when status in ('FAILED', 'RETURNED') then 'TROUBLE' else 'PLAIN' end
        from moved where status in ('FAILED', 'RETURNED', 'CANCELLED', 'APPROVAL_DENIED')
      union all
      select 'card_transaction', id, completed_at, 'PLAIN' from card_transactions where organization_id = $1
      union all
      select 'external_transaction', id,
          date_bin('4 hours', transaction_date, '${FIRST_LOOK}') + interval '4 hours', 'PLAIN'
        from external_transactions where organization_id = $1)
    -- PLAIN sorts before the others.
    select resource_type, resource_id, at, max(story) as story from changes where at > $2 and at <= $3
     group by 1, 2, 3 order by at, resource_id limit ${MAXIMUM_CHANGES}`,
    [organizationId, since, now],
  );
  return rows.map((row) => ({
    resourceType: row.resource_type,
    resourceId: row.resource_id,
    at: row.at,
    story: row.story,
  }));
}
