import { authorizeCardPurchase } from "@/lib/core/cards/authorize-card-purchase";
import { collectCardNotices } from "@/lib/core/cards/collect-card-notices";
import { issueCard } from "@/lib/core/cards/issue-card";
import { freezeCard } from "@/lib/core/cards/set-card-status";
import { withSignedIn } from "@/lib/core/demo/act-as";
import type { DemoCardCredit, DemoPurchase } from "@/lib/core/demo/history-step";
import type { AccountName, MemberName } from "@/lib/core/demo/northwind";
import { CARDS, type CardName } from "@/lib/core/demo/northwind-cards";
import type { Services } from "@/lib/platform/services";
import { createSandboxCardNetwork } from "@/lib/ports/cards/sandbox/create-sandbox-card-network";
import { createSandboxCardDriver } from "@/lib/ports/cards/sandbox/sandbox-card-driver";

interface Holders {
  organizationId: string;
  accountIds: Record<AccountName, string>;
  memberIds: Record<MemberName, string>;
}

const ISSUED_BY: MemberName = "MARA";

/** Plays card events at the time of `services.clock`. */
export class CardPlayer {
  readonly #cardIds = new Map<CardName, string>();

  constructor(
    private readonly services: Services,
    private readonly holders: Holders,
  ) {}

  async issue(name: CardName): Promise<void> {
    const { services, holders } = this;
    const { cardType, numberLast4, account, holder, monthlyLimitInCents } = CARDS[name];
    const network = createSandboxCardNetwork(services.pool, () => numberLast4);
    const cardId = await withSignedIn(services, holders.memberIds[ISSUED_BY], (context) =>
      issueCard(services, network, context, {
        cardType,
        name,
        accountId: holders.accountIds[account],
        holderId: holder && holders.memberIds[holder],
        monthlyLimitInCents,
      }),
    );
    this.#cardIds.set(name, cardId);
  }

  async freeze(name: CardName, by: MemberName): Promise<void> {
    const { services, holders } = this;
    await withSignedIn(services, holders.memberIds[by], (context) =>
      freezeCard(services, context, this.#cardId(name)),
    );
  }

  /** @throws Error if the outcome differs from the plan. */
  async purchase({ card, amountInCents, merchant, category, end }: DemoPurchase): Promise<void> {
    const { services, holders } = this;
    const outcome = await createSandboxCardDriver(services.pool).purchase(
      {
        organizationId: holders.organizationId,
        cardId: this.#cardId(card),
        amountInCents,
        merchant,
        category,
      },
      {
        businessNow: services.clock.now(),
        authorize: (request) => authorizeCardPurchase(services, request),
      },
    );
    if (outcome.kind !== (end === "DECLINED" ? "DECLINED" : "APPROVED")) {
      throw new Error(`A demo purchase at ${merchant} was ${outcome.kind}`);
    }
  }

  async credit({ card, subtype, amountInCents, merchant, category }: DemoCardCredit): Promise<void> {
    const { services, holders } = this;
    const driver = createSandboxCardDriver(services.pool);
    const give = subtype === "REFUND" ? driver.refund : driver.payout;
    await give(
      {
        organizationId: holders.organizationId,
        cardId: this.#cardId(card),
        amountInCents,
        merchant,
        category,
      },
      { businessNow: services.clock.now() },
    );
    await this.collect();
  }

  async collect(): Promise<void> {
    await collectCardNotices(this.services, createSandboxCardNetwork(this.services.pool), 1);
  }

  #cardId(name: CardName): string {
    const id = this.#cardIds.get(name);
    if (id === undefined) throw new Error(`The demo card ${name} is not issued yet`);
    return id;
  }
}
