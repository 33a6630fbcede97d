import type { MandateAct } from "@/lib/contract/organization";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { recordChange } from "@/lib/core/shared/record-change";
import type { Queryable } from "@/lib/db/transaction";

/**
 * What a member did with a mandate is among the organization's changes.
 * @returns the id of the record, which notices name
 */
export function recordMandate(
  client: Queryable,
  context: Context<MemberActor>,
  mandateId: string,
  act: MandateAct,
): Promise<string> {
  return recordChange(client, context, { kind: "MANDATE", subject: mandateId, before: null, after: act });
}
