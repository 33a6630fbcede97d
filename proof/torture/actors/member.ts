import type { Desk, Random } from "@/proof/torture/actors/agent";
import { answerKind, type Dashboard } from "@/proof/torture/actors/dashboard";
import { breathe } from "@/proof/torture/actors/timed-fetch";
import type { History } from "@/proof/torture/record-history";
import type { Party, PartyMember } from "@/proof/torture/world";

export interface MemberOptions {
  party: Party;
  member: PartyMember;
  desk: Desk;
  dashboard: Dashboard;
  history: History;
  random: Random;
  signal: AbortSignal;
}

const LOOKS = 3;

/**
 * A member who opens approvals and decides them, often the same one as another member at the same moment, and cancels
 * some of what is on its way.
 */
export async function runMember(options: MemberOptions): Promise<void> {
  const { desk, random, signal } = options;
  while (!signal.aborted) {
    // The same few for both members, and not taken away by the first: they meet.
    const place = random(0, Math.min(3, desk.proposals.length - 1));
    const proposalId = desk.proposals[place];
    if (proposalId !== undefined) {
      await decide(options, proposalId, random(1, 10) <= 7 ? "APPROVE" : "DENY");
      desk.proposals = desk.proposals.filter((id) => id !== proposalId);
    } else if (desk.cancellable.length > 0 && random(1, 3) === 1) {
      await cancel(options, desk.cancellable.splice(random(0, desk.cancellable.length - 1), 1)[0] ?? "");
    } else {
      await breathe();
    }
  }
}

async function decide(
  options: MemberOptions,
  proposalId: string,
  decision: "APPROVE" | "DENY",
): Promise<void> {
  const { dashboard, history, party, member } = options;
  const path = `/?approvalTransferId=${proposalId}`;
  for (let look = 0; look < LOOKS; look++) {
    const page = await dashboard.read(path);
    const digest = page?.match(/\\"digest\\":\\"([^"\\]+)\\"/)?.[1];
    // It did not come, or there is nothing left to decide on it.
    if (digest === undefined) continue;
    const call = history.nextCall();
    const { organizationId } = party;
    history.record({ kind: "decided", call, organizationId, memberId: member.id, proposalId, decision });
    const answer = await dashboard.press("app/approvals/actions.ts decide", path, {
      proposalId,
      decision,
      digest,
      note: null,
      confirmation: { kind: "NONE" },
    });
    const result = answerKind(answer);
    history.record({ kind: "verdict", call, result });
    if (result !== null && result !== "CHANGED") return;
  }
}

async function cancel({ dashboard, history, party }: MemberOptions, transferId: string): Promise<void> {
  const call = history.nextCall();
  const { organizationId } = party;
  history.record({
    kind: "called",
    call,
    organizationId,
    keyId: null,
    operation: "cancelTransfer",
    idempotencyKey: null,
    mark: null,
    body: { transferId },
  });
  const path = `/transfers/${transferId}`;
  const result = answerKind(await dashboard.press("app/approvals/actions.ts cancel", path, { transferId }));
  if (result === null) history.record({ kind: "unanswered", call });
  else {
    const status = result === "CANCELLED" ? 200 : 409;
    const resource = { id: transferId };
    history.record({ kind: "answered", call, status, requestId: null, resource, refusal: result });
  }
}
