/**
 * Goal: `create_transfers` and the loop that it falls back to decide alike at exact amounts and moments, and what two
 * processes do at the same moment counts for both. Method: a table of cases through each of the two functions, and
 * transactions that overlap for certain.
 */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { revokeApiKey } from "@/lib/core/keys/revoke-api-key";
import { closeGates } from "@/lib/core/keys/switch-gates";
import { closeAccount } from "@/lib/core/ledger/close-account";
import { bookDueTransfers } from "@/lib/core/transfers/book-due-transfers";
import { submitDueTransfers } from "@/lib/core/transfers/submit-due-transfers";
import { joinTransaction, type Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import { createSandboxBank } from "@/lib/ports/bank/sandbox/create-sandbox-bank";
import { moveAnything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { overlap } from "@/lib/testing/overlap";
import { anythingWithRules, makeActive, writeRule } from "@/lib/testing/rules/rules";
import { BANK_WINDOW_MS } from "@/lib/testing/sandbox";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

const MINUTE_MS = 60_000;
const CAP_IN_CENTS = 50_000;
const FUNCTIONS = ["create_transfers", "create_transfers_one_by_one"] as const;
type CreatingFunction = (typeof FUNCTIONS)[number];

interface Asked {
  amountInCents: number;
  from?: string;
  to?: string;
  direction?: "INTERNAL" | "MONEY_OUT" | "MONEY_IN";
  needsApproval?: boolean;
  /** Null: a member. */
  keyId?: string | null;
  idempotencyKey?: string;
}

interface Answer {
  outcome: string;
  /** Why it fails; null: it does not. */
  problem: string | null;
  status: string | null;
}

async function arrange(by: CreatingFunction = "create_transfers") {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId, owner } = organization;
  const pod = (name: string, balanceInCents: number, floorInCents?: number) =>
    organization.addAccount({ name, type: "POD", balanceInCents, ...(floorInCents && { floorInCents }) });
  const operating = await pod("Operating", 100_000);
  const reserve = await pod("Reserve", 100_000, 20_000);
  const taxes = await pod("Taxes", 0);
  const checking = await organization.addAccount({
    name: "Checking",
    type: "EXTERNAL_ACCOUNT",
    balanceInCents: 90_000,
  });
  const free = await organization.addKey([moveAnything(false)], "free");
  const capped = await organization.addKey([moveAnything(false)], "capped", CAP_IN_CENTS);
  const writer = await organization.addKey(anythingWithRules(false), "writer");
  const toItem = ({ needsApproval = false, keyId = free.id, ...asked }: Asked) => {
    const now = clock.now();
    const path = "/platform/v1/transfers";
    return {
      organizationId,
      apiKeyId: keyId,
      proposedBy: { kind: keyId ? "API_KEY" : "MEMBER", id: keyId ?? owner.actor.id, name: "Mara" },
      now,
      transfer: {
        id: newId(now),
        status: needsApproval ? "APPROVAL_PENDING" : "PROCESSING",
        executionMode: "LIVE",
        direction: asked.direction ?? "INTERNAL",
        origin: "API",
        amountInCents: asked.amountInCents,
        description: null,
        sourceAccountId: asked.from ?? operating,
        destinationAccountId: asked.to ?? taxes,
        reasonForApproval: null,
        expectedCompletionDate: null,
      },
      request: { method: "POST", path, body: {} },
      noticeId: newId(now),
      expiresAt: new Date(now.getTime() + MINUTE_MS),
      remindAt: now,
      aboveCap: null,
      idempotency: asked.idempotencyKey
        ? {
            operation: "createTransfer",
            path,
            key: asked.idempotencyKey,
            fingerprint: createHash("sha256").update("body").digest("hex"),
            status: 202,
            body: {},
            expiresAt: new Date(now.getTime() + MINUTE_MS),
          }
        : null,
      audit: {
        organizationId,
        id: newId(now),
        createdAt: now,
        apiKeyId: keyId,
        apiKeyName: "Mara",
        method: "POST",
        path,
        action: "CREATE_TRANSFER",
        reason: null,
        requestId: "req_1",
        outcome: "SUCCESS",
        errorCode: null,
      },
    };
  };
  const read = async (id: string) => {
    const { rows } = await database.ownerPool.query<{
      status: string;
      problem: string | null;
      step: string | null;
    }>(
      `select status, coalesce(fails_with, error_code) as problem, next_step as step from transfers
        where organization_id = $1 and id = $2`,
      [organizationId, id],
    );
    return rows[0];
  };
  /** Several in one call: a group. */
  const ask = async (...all: Asked[]): Promise<Answer[]> => {
    const items = all.map(toItem);
    const { rows } = await database.ownerPool.query<{ outcome: string }>(`select outcome from ${by}($1)`, [
      JSON.stringify(items),
    ]);
    return Promise.all(
      items.map(async ({ transfer }, index) => {
        const written = await read(transfer.id);
        return {
          outcome: rows[index]?.outcome ?? "",
          problem: written?.problem ?? null,
          status: written?.status ?? null,
        };
      }),
    );
  };
  return {
    services,
    clock,
    organizationId,
    owner,
    operating,
    reserve,
    taxes,
    checking,
    free,
    capped,
    writer,
    toItem,
    read,
    ask,
  };
}

type World = Awaited<ReturnType<typeof arrange>>;

describe.each(FUNCTIONS)("%s", (by) => {
  const cases: [string, (world: World) => Asked[], Pick<Answer, "outcome" | "problem">[]][] = [
    [
      "moves exactly the balance",
      () => [{ amountInCents: 100_000 }],
      [{ outcome: "CREATED", problem: null }],
    ],
    [
      "moves no cent more than the balance",
      () => [{ amountInCents: 100_001 }],
      [{ outcome: "CREATED", problem: "INSUFFICIENT_FUNDS" }],
    ],
    [
      "lets a group take exactly the balance",
      () => [{ amountInCents: 40_000 }, { amountInCents: 60_000 }],
      [
        { outcome: "CREATED", problem: null },
        { outcome: "CREATED", problem: null },
      ],
    ],
    [
      "lets a group take no cent more",
      () => [{ amountInCents: 40_000 }, { amountInCents: 60_001 }],
      [
        { outcome: "CREATED", problem: null },
        { outcome: "CREATED", problem: "INSUFFICIENT_FUNDS" },
      ],
    ],
    [
      "goes down to exactly the floor",
      ({ reserve }) => [{ amountInCents: 80_000, from: reserve }],
      [{ outcome: "CREATED", problem: null }],
    ],
    [
      "goes no cent below the floor",
      ({ reserve }) => [{ amountInCents: 80_001, from: reserve }],
      [{ outcome: "CREATED", problem: "BELOW_FLOOR" }],
    ],
    [
      "lets a key move exactly its cap",
      ({ capped }) => [{ amountInCents: CAP_IN_CENTS, keyId: capped.id }],
      [{ outcome: "CREATED", problem: null }],
    ],
    [
      "lets a key move no cent more than its cap",
      ({ capped }) => [{ amountInCents: CAP_IN_CENTS + 1, keyId: capped.id }],
      [{ outcome: "ABOVE_CAP", problem: null }],
    ],
    [
      "lets a key move exactly the rest of its cap, and then nothing",
      ({ capped }) => [
        { amountInCents: 20_000, keyId: capped.id },
        { amountInCents: CAP_IN_CENTS - 20_000, keyId: capped.id },
        { amountInCents: 1, keyId: capped.id },
      ],
      [
        { outcome: "CREATED", problem: null },
        { outcome: "CREATED", problem: null },
        { outcome: "ABOVE_CAP", problem: null },
      ],
    ],
    [
      "pulls exactly what an outside account has",
      ({ checking, taxes }) => [{ amountInCents: 90_000, from: checking, to: taxes, direction: "MONEY_IN" }],
      [{ outcome: "CREATED", problem: null }],
    ],
    [
      "pulls exactly the rest, counting pulls of the moment of the last report",
      ({ checking, taxes }) => [
        { amountInCents: 60_000, from: checking, to: taxes, direction: "MONEY_IN" },
        { amountInCents: 30_000, from: checking, to: taxes, direction: "MONEY_IN" },
      ],
      [
        { outcome: "CREATED", problem: null },
        { outcome: "CREATED", problem: null },
      ],
    ],
    [
      "pulls no cent more than the rest",
      ({ checking, taxes }) => [
        { amountInCents: 60_000, from: checking, to: taxes, direction: "MONEY_IN" },
        { amountInCents: 30_001, from: checking, to: taxes, direction: "MONEY_IN" },
      ],
      [
        { outcome: "CREATED", problem: null },
        { outcome: "CREATED", problem: "INSUFFICIENT_FUNDS" },
      ],
    ],
  ];
  it.each(cases)("%s", async (_, asked, expected) => {
    const world = await arrange(by);
    expect(await world.ask(...asked(world))).toMatchObject(expected);
  });

  it("counts what a key moved one request before", async () => {
    const { ask, capped } = await arrange(by);
    const move = async (amountInCents: number) =>
      (await ask({ amountInCents, keyId: capped.id }))[0]?.outcome;
    expect(await move(CAP_IN_CENTS - 1)).toBe("CREATED");
    expect(await move(2)).toBe("ABOVE_CAP");
    expect(await move(1)).toBe("CREATED");
  });

  it("repeats the answer of an idempotency key until the moment it expires", async () => {
    const { ask, clock } = await arrange(by);
    const again = async () => (await ask({ amountInCents: 100, idempotencyKey: "same" }))[0]?.outcome;
    expect(await again()).toBe("CREATED");
    clock.advance(MINUTE_MS - 1);
    expect(await again()).toBe("REPLAY");
    clock.advance(1);
    expect(await again()).toBe("CREATED");
  });

  it("writes nothing for a key while all gates are closed, moving or proposing", async () => {
    const { ask, services, owner, clock } = await arrange(by);
    await closeGates(services, { ...owner, now: clock.now() });
    for (const needsApproval of [false, true])
      expect(await ask({ amountInCents: 100, needsApproval })).toEqual([
        { outcome: "GATES_CLOSED", problem: null, status: null },
      ]);
  });

  it("writes nothing for a revoked key, moving or proposing", async () => {
    const { ask, services, owner, clock, free } = await arrange(by);
    await revokeApiKey(services, { ...owner, now: clock.now() }, free.id);
    for (const needsApproval of [false, true])
      expect(await ask({ amountInCents: 100, needsApproval })).toEqual([
        { outcome: "KEY_REVOKED", problem: null, status: null },
      ]);
  });

  it("moves nothing from a closed account", async () => {
    const { ask, operating, clock } = await arrange(by);
    await database.ownerPool.query("update accounts set deleted_at = $2 where id = $1", [
      operating,
      clock.now(),
    ]);
    expect(await ask({ amountInCents: 100 })).toMatchObject([{ problem: "ACCOUNT_CLOSED" }]);
  });

  it("moves nothing for a member without an approval", async () => {
    const { ask } = await arrange(by);
    await expect(ask({ amountInCents: 100, keyId: null })).rejects.toThrow("waits for a confirmed approval");
  });
});

it("a proposal being written is seen by the revocation of its key", async () => {
  const { toItem, read, services, owner, free, clock } = await arrange();
  // Alone: the locks that a group takes first would hide a missing one.
  const item = toItem({ amountInCents: 100, needsApproval: true });
  const { hasWaited, result } = await overlap(
    database,
    (client) => client.query("select * from create_transfers($1)", [JSON.stringify([item])]),
    () => revokeApiKey(services, { ...owner, now: clock.now() }, free.id),
  );
  expect({ hasWaited, result }).toEqual({
    hasWaited: true,
    result: { deniedProposals: 1, stoppedTransfers: 0 },
  });
  expect(await read(item.transfer.id)).toMatchObject({ status: "APPROVAL_DENIED" });
});

it("a proposal waits for a revocation of its key in progress, and is not written", async () => {
  const { toItem, read, organizationId, owner, free, clock } = await arrange();
  const item = toItem({ amountInCents: 100, needsApproval: true });
  const { hasWaited, result } = await overlap(
    database,
    (client) =>
      client.query("select * from revoke_api_key($1, $2, $3, 'MEMBER', $4)", [
        organizationId,
        free.id,
        owner.actor.id,
        clock.now(),
      ]),
    () => database.pool.query("select outcome from create_transfers($1)", [JSON.stringify([item])]),
  );
  expect({ hasWaited, rows: result.rows }).toEqual({ hasWaited: true, rows: [{ outcome: "KEY_REVOKED" }] });
  expect(await read(item.transfer.id)).toBeUndefined();
});

it("two pulls at the same moment take no more than the account has", async () => {
  const { toItem, read, checking, taxes } = await arrange();
  const pull = () => toItem({ amountInCents: 60_000, from: checking, to: taxes, direction: "MONEY_IN" });
  const [first, second] = [pull(), pull()];
  const { hasWaited } = await overlap(
    database,
    (client) => client.query("select * from create_transfers($1)", [JSON.stringify([first])]),
    () => database.pool.query("select * from create_transfers($1)", [JSON.stringify([second])]),
  );
  expect(hasWaited).toBe(true);
  expect(await read(first.transfer.id)).toMatchObject({ step: "SUBMIT", problem: null });
  expect(await read(second.transfer.id)).toMatchObject({ step: "FAIL", problem: "INSUFFICIENT_FUNDS" });
});

describe("money that another process spends at the same moment", () => {
  const spend = (item: unknown) => (client: Queryable) =>
    client.query("select * from create_transfers($1)", [JSON.stringify([item])]);

  it("is not spent by a second group, which is answered", async () => {
    const world = await arrange();
    const [first, second] = [
      world.toItem({ amountInCents: 60_000 }),
      world.toItem({ amountInCents: 60_000 }),
    ];
    const { hasWaited } = await overlap(database, spend(first), () => spend(second)(database.pool));
    expect(hasWaited).toBe(true);
    expect(await world.read(first.transfer.id)).toMatchObject({ status: "COMPLETE" });
    expect(await world.read(second.transfer.id)).toMatchObject({
      step: "FAIL",
      problem: "INSUFFICIENT_FUNDS",
    });
  });

  it("does not pay a fee of the bank, which is refused", async () => {
    const world = await arrange();
    const { organizationId, operating, owner, clock } = world;
    const { hasWaited, result } = await overlap(
      database,
      spend(world.toItem({ amountInCents: 60_000 })),
      () =>
        database.pool.query(
          "select book_bank_charge($1, $2, $3, 'a fee', $4, 60000, 'Bank', $5, 'Mara', $6) as outcome",
          [organizationId, newId(clock.now()), newId(clock.now()), operating, owner.actor.id, clock.now()],
        ),
    );
    expect({ hasWaited, rows: result.rows }).toEqual({
      hasWaited: true,
      rows: [{ outcome: "INSUFFICIENT_FUNDS" }],
    });
  });

  it("does not reach an account that is being closed", async () => {
    const world = await arrange();
    const { services, owner, clock, taxes } = world;
    const actor = { ...owner.actor, authenticatedAt: clock.now() };
    const item = world.toItem({ amountInCents: 100 });
    const { hasWaited } = await overlap(
      database,
      (client) =>
        closeAccount(
          { ...services, pool: joinTransaction(database.pool, client) },
          { ...owner, actor, now: clock.now() },
          taxes,
        ),
      () => spend(item)(database.pool),
    );
    expect(hasWaited).toBe(true);
    expect(await world.read(item.transfer.id)).toMatchObject({ step: "BOOK", status: "PROCESSING" });
    await bookDueTransfers(services, 100);
    expect(await world.read(item.transfer.id)).toMatchObject({ status: "FAILED", problem: "ACCOUNT_CLOSED" });
  });
});

it("a fee of the bank is not booked to a closed account", async () => {
  const { organizationId, taxes, owner, clock } = await arrange();
  await database.ownerPool.query("update accounts set deleted_at = $2 where id = $1", [taxes, clock.now()]);
  const { rows } = await database.pool.query(
    "select book_bank_charge($1, $2, $3, 'a fee', $4, 1, 'Bank', $5, 'Mara', $6) as outcome",
    [organizationId, newId(clock.now()), newId(clock.now()), taxes, owner.actor.id, clock.now()],
  );
  expect(rows).toEqual([{ outcome: "NO_ACCOUNT" }]);
});

it("pulled money starts no rule until the bank can no longer take it back", async () => {
  const { organizationId, services, writer, toItem, checking, taxes, operating, clock } = await arrange();
  const ruleId = await writeRule(services, writer.context, {
    trigger: { type: "ON_FUNDS_TRANSFERRED", accountId: taxes, minimumAmountInCents: null },
    steps: [
      { actions: [{ type: "REMAINDER", sourceAccountId: taxes, destinationAccountId: operating, group: 0 }] },
    ],
  });
  await makeActive(database, ruleId);
  const runs = async () =>
    (await database.ownerPool.query("select from rule_executions where rule_id = $1", [ruleId])).rowCount;
  const item = toItem({ amountInCents: 500, from: checking, to: taxes, direction: "MONEY_IN" });
  await database.pool.query("select * from create_transfers($1)", [JSON.stringify([item])]);
  clock.advance(BANK_WINDOW_MS);
  await database.pool.query("select * from lease_bank_orders($1, 60000, 100)", [clock.now()]);
  const availableAt = new Date(clock.now().getTime() + MINUTE_MS);
  await database.pool.query(
    "select apply_bank_notice($1, 'settled', $2, 'SETTLED', null, $3, $4, $3, p_available_at => $5)",
    [organizationId, item.transfer.id, clock.now(), newId(clock.now()), availableAt],
  );
  expect(await runs()).toBe(0);
  await database.pool.query("select release_available_funds($1, 100)", [availableAt]);
  expect(await runs()).toBe(1);
});

it("a pull that will fail is not money on its way", async () => {
  const { toItem, organizationId, checking, taxes } = await arrange();
  const item = toItem({ amountInCents: 90_001, from: checking, to: taxes, direction: "MONEY_IN" });
  await database.pool.query("select * from create_transfers($1)", [JSON.stringify([item])]);
  const { rows } = await database.ownerPool.query(
    `select "onItsWayInCents" from read_facts_of_accounts(array[$1::uuid], array[$2::uuid])`,
    [organizationId, taxes],
  );
  expect(rows).toEqual([{ onItsWayInCents: 0 }]);
});

it("a proposal that still waits cannot be ended without a decision", async () => {
  const { toItem, read, organizationId, clock } = await arrange();
  const item = toItem({ amountInCents: 100, needsApproval: true });
  await database.pool.query("select * from create_transfers($1)", [JSON.stringify([item])]);
  await database.pool.query("select deny_transfers($1, $2, $3)", [
    organizationId,
    [item.transfer.id],
    clock.now(),
  ]);
  expect(await read(item.transfer.id)).toMatchObject({ status: "APPROVAL_PENDING" });
});

describe("an order at the bank", () => {
  async function arrangeOrder() {
    const world = await arrange();
    const item = world.toItem({ amountInCents: 100, to: world.checking, direction: "MONEY_OUT" });
    await database.pool.query("select * from create_transfers($1)", [JSON.stringify([item])]);
    world.clock.advance(BANK_WINDOW_MS);
    return { ...world, id: item.transfer.id };
  }

  it("is not canceled while it is being leased", async () => {
    const { id, organizationId, owner, clock, read } = await arrangeOrder();
    const { hasWaited, result } = await overlap(
      database,
      (client) => client.query("select * from lease_bank_orders($1, 60000, 100)", [clock.now()]),
      () =>
        database.pool.query("select cancel_transfer($1, $2, $3, $4) as canceled", [
          organizationId,
          id,
          owner.actor.id,
          clock.now(),
        ]),
    );
    expect({ hasWaited, rows: result.rows }).toEqual({ hasWaited: true, rows: [{ canceled: false }] });
    expect(await read(id)).toMatchObject({ status: "PROCESSING", step: "ASK" });
  });

  it("that was canceled and still settles is refused, so that a person looks", async () => {
    const { id, organizationId, owner, clock, read } = await arrangeOrder();
    await database.pool.query("select cancel_transfer($1, $2, $3, $4)", [
      organizationId,
      id,
      owner.actor.id,
      clock.now(),
    ]);
    await expect(
      database.pool.query("select apply_bank_notice($1, 'settled', $2, 'SETTLED', null, $3, $4, $3)", [
        organizationId,
        id,
        clock.now(),
        newId(clock.now()),
      ]),
    ).rejects.toThrow("which is CANCELLED");
    expect(await read(id)).toMatchObject({ status: "CANCELLED" });
  });

  it("is leased by one worker at a time, until its lease ends", async () => {
    const { id, clock } = await arrangeOrder();
    const lease = async () => {
      const { rows } = await database.pool.query<{ id: string }>(
        "select id from lease_bank_orders($1, 60000, 100)",
        [clock.now()],
      );
      return rows.some((row) => row.id === id);
    };
    expect([await lease(), await lease()]).toEqual([true, false]);
    clock.advance(MINUTE_MS + 1);
    expect(await lease()).toBe(true);
  });

  it("takes each notice of the bank once", async () => {
    const { id, organizationId, clock } = await arrangeOrder();
    await database.pool.query("select * from lease_bank_orders($1, 60000, 100)", [clock.now()]);
    const report = async () => {
      const { rows } = await database.pool.query(
        "select apply_bank_notice($1, 'settled', $2, 'SETTLED', null, $3, $4, $3) as status",
        [organizationId, id, clock.now(), newId(clock.now())],
      );
      return rows[0].status;
    };
    expect([await report(), await report()]).toEqual(["COMPLETE", null]);
  });

  it("that settles stays settled, whatever a late answer at the same moment says", async () => {
    const { id, organizationId, clock, read } = await arrangeOrder();
    await database.pool.query("select * from lease_bank_orders($1, 60000, 100)", [clock.now()]);
    const { hasWaited, result } = await overlap(
      database,
      (client) =>
        client.query("select apply_bank_notice($1, 'settled', $2, 'SETTLED', null, $3, $4, $3)", [
          organizationId,
          id,
          clock.now(),
          newId(clock.now()),
        ]),
      () =>
        database.pool.query(
          "select record_bank_answer($1, $2, 'REFUSED', null, 'ACH_R03', null, $3, $3) as recorded",
          [organizationId, id, clock.now()],
        ),
    );
    expect({ hasWaited, rows: result.rows }).toEqual({ hasWaited: true, rows: [{ recorded: false }] });
    expect(await read(id)).toMatchObject({ status: "COMPLETE", problem: null });
  });

  it("returns what it moved when its return is reported at the moment of its settlement", async () => {
    const { id, services, organizationId, clock, read, operating } = await arrangeOrder();
    await submitDueTransfers(services, createSandboxBank(database.pool), 100);
    const report = "select apply_bank_notice($1, $2, $3, $4, $5, $6, $7, $6) as status";
    const values = (reference: string, kind: string, code: string | null) => [
      organizationId,
      reference,
      id,
      kind,
      code,
      clock.now(),
      newId(clock.now()),
    ];
    const { hasWaited, result } = await overlap(
      database,
      (client) => client.query(report, values("settled", "SETTLED", null)),
      () => database.pool.query(report, values("returned", "RETURNED", "R03")),
    );
    expect({ hasWaited, rows: result.rows }).toEqual({ hasWaited: true, rows: [{ status: "RETURNED" }] });
    expect(await read(id)).toMatchObject({ status: "RETURNED" });
    const { rows } = await database.ownerPool.query(
      "select credits_in_cents - debits_in_cents as balance, held_in_cents as held from ledgers where id = $1",
      [operating],
    );
    expect(rows).toEqual([{ balance: 100_000, held: 0 }]);
  });
});

it("a deposit that two processes learn of at the same moment is booked once, and neither fails", async () => {
  const { organizationId, taxes, clock } = await arrange();
  const deposit = () =>
    JSON.stringify([
      {
        transferId: newId(clock.now()),
        entryId: newId(clock.now()),
        reference: "one deposit",
        accountId: taxes,
        amountInCents: 500,
        origin: "DIRECT_DEPOSIT",
        payerName: "Halden Health",
        arrivedAt: clock.now(),
        rail: "ACH",
      },
    ]);
  const { hasWaited, result } = await overlap(
    database,
    (client) => client.query("select * from record_deposits($1, $2)", [organizationId, deposit()]),
    () => database.pool.query("select * from record_deposits($1, $2)", [organizationId, deposit()]),
  );
  expect({ hasWaited, rows: result.rows }).toEqual({ hasWaited: true, rows: [] });
});
