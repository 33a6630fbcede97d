import { AppError } from "@/lib/contract/error";
import type { MoveDraft } from "@/lib/contract/move";
import { type CheckedLine, writeBatch } from "@/lib/core/approvals/batches/create-batch";
import { requireMover, routeOfDraft } from "@/lib/core/approvals/draft-facts";
import { proposalHref } from "@/lib/core/approvals/read-waiting";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/roles";
import { DELIVER_EVENTS, SEND_NOTICES } from "@/lib/core/shared/work-names";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

export type DraftedLine = Pick<MoveDraft, "sourceAccountId" | "destinationAccountId" | "amountInCents"> & {
  /** For the recipient's statement. */
  description: string | null;
};

interface ProposeBatchInput {
  /** Names the page from which it is sent: sent again from there, nothing is proposed twice. */
  formId: string;
  reason: string | null;
  lines: readonly DraftedLine[];
}

/**
 * Proposes transfers together for a member, all or none. They wait like any batch; the member may sign it.
 * @returns the address of its page
 * @throws AppError `ACCESS_DENIED` unless the member is an owner or co-owner; `INVALID_PARAMETERS` naming the first line
 * that cannot move
 */
export async function proposeBatch(
  services: Pick<Services, "pool" | "wake" | "bankCapabilities">,
  context: Context<MemberActor>,
  { formId, reason, lines }: ProposeBatchInput,
): Promise<string> {
  requireMover(context);
  const checked: CheckedLine[] = [];
  for (const [index, { line, problem }] of (await checkDrafts(services, context, lines)).entries()) {
    if (line === null)
      throw new AppError("INVALID_PARAMETERS", `Line ${index + 1}: ${problem} Nothing was proposed.`);
    checked.push(line);
  }
  await inTransaction(services.pool, async (client) => {
    await requireDecider(client, context, "propose transfers");
    await writeBatch(client, context, { id: formId, reason, request: null, lines: checked });
  });
  for (const work of [SEND_NOTICES, DELIVER_EVENTS]) services.wake(work);
  return proposalHref(formId);
}

export type CheckedDraft = { line: CheckedLine; problem: null } | { line: null; problem: string };

/** Whether each line can move, under the rules of any move by a member. Writes nothing. */
export function checkDrafts(
  services: Pick<Services, "pool" | "bankCapabilities">,
  context: Context<MemberActor>,
  lines: readonly DraftedLine[],
): Promise<CheckedDraft[]> {
  // Asked at once, they share one round trip.
  return Promise.all(lines.map((line) => checkDraft(services, context, line)));
}

async function checkDraft(
  services: Pick<Services, "pool" | "bankCapabilities">,
  context: Context<MemberActor>,
  { description, ...route }: DraftedLine,
): Promise<CheckedDraft> {
  try {
    const draft = { ...route, draftId: "", achLabel: description, note: null };
    const direction = await routeOfDraft(services, context, draft);
    return { line: { ...route, direction, description, externalId: null, metadata: [] }, problem: null };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { line: null, problem: error.message.replace(/ Nothing moved\.$/, "") };
  }
}
