import type { IssueCardInput } from "@/lib/contract/card";
import { authorizeCardPurchase } from "@/lib/core/cards/authorize-card-purchase";
import { applyCardNotice, collectCardNotices } from "@/lib/core/cards/collect-card-notices";
import { issueCard } from "@/lib/core/cards/issue-card";
import type { Services } from "@/lib/platform/services";
import type { CardNotice } from "@/lib/ports/cards/card-network-port";
import { createSandboxCardNetwork } from "@/lib/ports/cards/sandbox/create-sandbox-card-network";
import { createSandboxCardDriver } from "@/lib/ports/cards/sandbox/sandbox-card-driver";
import type { TestDatabase } from "@/lib/testing/database";
import type { createTestOrganization } from "@/lib/testing/organization";

export type NoticeInput =
  | {
      kind: "SETTLED";
      cardId: string;
      amountInCents: number;
      reference: string;
      authorization: string | null;
      isFinal?: boolean;
    }
  | { kind: "RELEASED"; cardId: string; amountInCents: number; authorization: string }
  | { kind: "REFUND" | "PAYOUT"; cardId: string; amountInCents: number; reference: string };

/** The cards of one organization, and a network that a test plays by hand or has the sandbox play. */
export function createTestCards(
  database: Pick<TestDatabase, "pool">,
  services: Services,
  organization: Pick<Awaited<ReturnType<typeof createTestOrganization>>, "organizationId" | "owner">,
) {
  const { organizationId, owner } = organization;
  const network = createSandboxCardNetwork(database.pool);
  const driver = createSandboxCardDriver(database.pool);
  const now = () => services.clock.now();
  const merchant = "Harbor Cloud";
  const category = "SHOPPING" as const;

  /** Within five minutes of the organization's creation: issuing requires a recent sign-in. */
  const issue = (input: Partial<IssueCardInput> & { accountId: string }) =>
    issueCard(
      services,
      network,
      { ...owner, now: now() },
      { cardType: "DEBIT_CARD", name: "Studio", holderId: null, monthlyLimitInCents: null, ...input },
    );

  /** @returns null if approved, else why not */
  async function ask(cardId: string, amountInCents: number, authorizationReference: string) {
    const money = { organizationId, cardId, amountInCents, merchant, category };
    const answer = await authorizeCardPurchase(services, { ...money, authorizationReference });
    return answer.decision === "APPROVED" ? null : answer.reason;
  }

  function toNotice(input: NoticeInput): CardNotice {
    const { cardId, amountInCents } = input;
    const stated = { organizationId, cardId, amountInCents, merchant, category, occurredAt: now() };
    if (input.kind === "RELEASED") {
      const { authorization: authorizationReference } = input;
      return {
        ...stated,
        kind: input.kind,
        noticeReference: `release of ${authorizationReference}`,
        authorizationReference,
      };
    }
    if (input.kind === "SETTLED") {
      const { authorization: authorizationReference, reference: noticeReference, isFinal = true } = input;
      return { ...stated, kind: input.kind, noticeReference, authorizationReference, isFinal };
    }
    return { ...stated, kind: input.kind, noticeReference: input.reference, authorizationReference: null };
  }

  const report = (input: NoticeInput) => applyCardNotice(services.pool, toNotice(input), now());
  const collect = () => collectCardNotices(services, network, 100);

  return { network, driver, issue, ask, report, collect };
}
