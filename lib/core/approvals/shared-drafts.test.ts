import { describe, expect, it } from "vitest";
import {
  type DraftedTransfer,
  readDraftSubject,
  readSharedDraftSubject,
} from "@/lib/core/approvals/transfer-subject";
import { seededNumbers } from "@/lib/core/demo/seeded-numbers";
import { readAccountFacts } from "@/lib/core/rules/read-rule-facts";
import { readDecidedLookAlikes } from "@/lib/core/shared/look-alikes";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import type { Queryable } from "@/lib/db/transaction";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";

/** The checks of proposals that are made at once are read together; each must learn what it would have learned alone. */
const database = useTestDatabase();

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Some look alike. */
const NAMES = ["Payroll", "Payro1l", "Taxes", "Rent", "Rеnt"];
const AMOUNTS = [12_00, 500_00, 900_00];

async function arrange(seed: number) {
  const { services, clock } = createTestServices(database);
  const random = seededNumbers(seed);
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[random(0, items.length - 1)];
    if (item === undefined) throw new Error("Nothing to pick from");
    return item;
  };
  const addOrganization = async (name: string) => {
    const organization = await createTestOrganization(database, services, name);
    const pods: string[] = [];
    for (const pod of NAMES) {
      const floorInCents = random(0, 1) === 1 ? 100_00 : undefined;
      const balanceInCents = random(100_000_00, 900_000_00);
      pods.push(
        await organization.addAccount({
          name: pod,
          type: "POD",
          balanceInCents,
          ...(floorInCents && { floorInCents }),
        }),
      );
    }
    const outside = await organization.addAccount({
      name: "Card",
      type: "EXTERNAL_ACCOUNT",
      externalAccountType: "LIABILITY",
      balanceInCents: 70_000,
    });
    const moving = await organization.addKey([moveAnything(false)], "moving");
    const asking = await organization.addKey([moveAnything(true)], "asking");
    return { ...organization, pods, outside, moving, asking };
  };
  const organizations = [await addOrganization("Northwind"), await addOrganization("Halden")];
  const draft = (accounts: readonly string[]): DraftedTransfer => {
    const sourceAccountId = pick(accounts);
    return {
      direction: "INTERNAL",
      amountInCents: pick(AMOUNTS),
      description: null,
      sourceAccountId,
      destinationAccountId: pick(accounts.filter((id) => id !== sourceAccountId)),
      externalId: random(0, 2) === 0 ? `invoice-${random(1, 6)}` : null,
    };
  };
  /** Waiting and completed ones over some days. */
  const moveAround = async (count: number) => {
    for (let made = 0; made < count; made++) {
      const { pods, moving, asking } = pick(organizations);
      const { sourceAccountId, destinationAccountId, amountInCents, externalId } = draft(pods);
      const { context } = random(0, 2) === 0 ? asking : moving;
      await askTransfer(services, context, {
        sourceAccountId,
        destinationAccountId,
        amountInCents,
        ...(externalId != null && { externalId }),
      });
      clock.advance(random(0, 3 * HOUR_MS));
    }
    await bookDueTransfers(services, count);
  };
  return { services, clock, organizations, pick, draft, moveAround };
}

/** Counts the statements of this name. */
function counting(pool: Queryable, name: string) {
  let count = 0;
  const counted = new Proxy(pool, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property);
      if (typeof value !== "function") return value;
      return (...parameters: unknown[]) => {
        const [query] = parameters;
        if (typeof query === "object" && query !== null && "name" in query && query.name === name) count += 1;
        return Reflect.apply(value, target, parameters);
      };
    },
  });
  return { pool: counted, count: () => count };
}

describe("checks that are read together", () => {
  it.each([1, 2, 3])("are those that each reads alone, in random states (%i)", async (seed) => {
    const { services, clock, organizations, pick, draft, moveAround } = await arrange(seed);
    await moveAround(40);
    const foreign = organizations.flatMap(({ pods }) => pods);
    const asked = Array.from({ length: 60 }, (_, place) => {
      const { organizationId, pods, outside } = pick(organizations);
      // Every tenth names accounts of any organization.
      return { organizationId, ...draft(place % 10 === 0 ? foreign : [...pods, outside]) };
    });
    const now = clock.now();
    const { pool, count } = counting(services.pool, "read_drafts");
    const together = await Promise.all(
      asked.map(({ organizationId, ...one }) => readSharedDraftSubject(pool, organizationId, one, now)),
    );
    expect(count()).toBeLessThanOrEqual(6);
    const seen = { none: 0, alike: 0, route: 0, names: 0, id: 0 };
    for (const [place, { organizationId, ...one }] of asked.entries()) {
      const alone = await readDraftSubject(services.pool, organizationId, one, now);
      expect(together[place]).toEqual(alone);
      const ids = [one.sourceAccountId, one.destinationAccountId];
      const accounts = await readAccountFacts(services.pool, { organizationId }, ids);
      if (!alone) {
        expect(Object.keys(accounts).length).toBeLessThan(2);
        seen.none += 1;
        continue;
      }
      // As the readers for other subjects see them.
      expect([alone.source, alone.destination]).toEqual(ids.map((id) => ({ id, ...accounts[id] })));
      const lookAlikes = await readDecidedLookAlikes(services.pool, organizationId, {
        accountIds: ids,
        rule: null,
      });
      expect(alone.lookAlikes).toEqual(lookAlikes);
      expect(alone).toMatchObject(await countBefore(organizationId, one, now));
      if (alone.similarLately.count > 0) seen.alike += 1;
      if (alone.route.count > 0) seen.route += 1;
      if (lookAlikes.length > 0) seen.names += 1;
      if (alone.sameExternalId !== null) seen.id += 1;
    }
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(0);
  });

  it("see what was committed before each was asked, though another read is running", async () => {
    const { services, clock, organizations, draft } = await arrange(4);
    const [organization] = organizations;
    if (!organization) throw new Error("No organization");
    const { organizationId, pods, asking } = organization;
    const one = { ...draft(pods), externalId: null };
    const read = () => readSharedDraftSubject(services.pool, organizationId, one, clock.now());
    for (let made = 0; made < 5; made++) {
      const running = read();
      const { sourceAccountId, destinationAccountId, amountInCents } = one;
      await askTransfer(services, asking.context, { sourceAccountId, destinationAccountId, amountInCents });
      expect((await read())?.similarLately.count).toBe(made + 1);
      await running;
    }
  });
});

/** Read without the statement's text: every transfer of the organization, looked through here. */
async function countBefore(organizationId: string, draft: DraftedTransfer, now: Date) {
  const { rows } = await database.ownerPool.query<{
    id: string;
    sourceId: string;
    destinationId: string;
    amountInCents: number;
    status: string;
    createdAt: Date;
    externalId: string | null;
  }>(
    `select t.id, t.source_account_id as "sourceId", t.destination_account_id as "destinationId",
        t.amount_in_cents::float as "amountInCents", t.status, t.created_at as "createdAt", l.external_id as "externalId"
       from transfers t left join transfer_labels l on l.organization_id = t.organization_id and l.transfer_id = t.id
      where t.organization_id = $1 and t.execution_mode = 'LIVE' and t.source_account_id is not null order by t.id`,
    [organizationId],
  );
  const isRoute = (row: (typeof rows)[number]) =>
    row.sourceId === draft.sourceAccountId && row.destinationId === draft.destinationAccountId;
  const similar = rows.filter(
    (row) =>
      row.createdAt.getTime() > now.getTime() - DAY_MS &&
      ["APPROVAL_PENDING", "PROCESSING", "COMPLETE"].includes(row.status) &&
      (isRoute(row) ||
        (row.amountInCents === draft.amountInCents &&
          (row.sourceId === draft.sourceAccountId || row.destinationId === draft.destinationAccountId))),
  );
  const onRoute = rows.filter((row) => isRoute(row) && row.status === "COMPLETE");
  const labeled = rows.filter((row) => draft.externalId != null && row.externalId === draft.externalId);
  return {
    similarLately: {
      count: similar.length,
      sameAmountCount: similar.filter((row) => row.amountInCents === draft.amountInCents).length,
    },
    route: { count: onRoute.length, lastAt: onRoute.at(-1)?.createdAt ?? null },
    sameExternalId: labeled.at(-1)?.id ?? null,
  };
}
