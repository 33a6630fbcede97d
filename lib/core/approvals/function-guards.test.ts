/**
 * Goal: SQL functions that move money or decide refuse by themselves what no command requires from them, so that a fault of the
 * application moves nothing. Method: each is called directly, as the application's role.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { closeGates } from "@/lib/core/keys/switch-gates";
import { newId } from "@/lib/platform/ids";
import { askTransfer, moveAnything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { anythingWithRules, askRun, makeActive, writeRule } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();

const CAP_IN_CENTS = 1_000;

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const { organizationId, owner } = organization;
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 100_000,
    floorInCents: 20_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const asking = await organization.addKey([...anythingWithRules(true), moveAnything(true)]);
  const capped = await organization.addKey(anythingWithRules(false), "capped", CAP_IN_CENTS);
  const accountant = await organization.addMember("ACCOUNTANT", "Tess");
  const ruleId = await writeRule(services, asking.context, {
    trigger: { type: "MANUAL", accountId: operating },
    steps: [
      {
        actions: [
          {
            type: "FIXED",
            sourceAccountId: operating,
            destinationAccountId: taxes,
            amountInCents: 100,
            group: 0,
          },
        ],
      },
    ],
  });
  await makeActive(database, ruleId);
  const call = (text: string, values: unknown[]) => database.pool.query(text, values);
  const proposeTransfer = async () =>
    (
      await askTransfer(services, asking.context, {
        sourceAccountId: operating,
        destinationAccountId: taxes,
        amountInCents: 100,
      })
    ).id;
  const decide = (proposalId: string, state: "APPROVED" | "DENIED") =>
    call("select record_decision($1, $2, $3, $4, 'PASSWORD', null, null, 'digest', $5, null, $6)", [
      organizationId,
      proposalId,
      state,
      owner.actor.id,
      newId(clock.now()),
      clock.now(),
    ]);
  const acceptRun = (id: string, amountInCents: number) =>
    call("select accept_approved_run($1, $2, '{}', $3, $4, $5)", [
      organizationId,
      id,
      JSON.stringify({
        stepIndexMatched: 0,
        moves: [{ outcome: "MOVE", sourceAccountId: operating, destinationAccountId: taxes, amountInCents }],
      }),
      JSON.stringify([{ id: newId(clock.now()), limitId: null, expectedCompletionDate: "2026-01-15" }]),
      clock.now(),
    ]);
  const carryOut = (id: string, amountInCents: number) =>
    call("select carry_out_runs($1)", [
      JSON.stringify([
        {
          organizationId,
          id,
          ruleId,
          ruleName: "A rule",
          chainDepth: 0,
          now: clock.now(),
          status: "EXECUTED",
          outcome: "PLANNED",
          stepIndexMatched: 0,
          conditionsNotMet: false,
          transfersAttempted: 1,
          attempts: 1,
          attemptLog: [],
          transfers: [
            {
              id: newId(clock.now()),
              entryId: newId(clock.now()),
              direction: "INTERNAL",
              sourceAccountId: operating,
              destinationAccountId: taxes,
              amountInCents,
            },
          ],
        },
      ]),
    ]);
  const moved = async () => {
    const { rows } = await call(
      "select credits_in_cents - debits_in_cents as cents from ledgers where organization_id = $1 and id = $2",
      [organizationId, taxes],
    );
    return rows[0].cents;
  };
  const startRun = (by = asking) => askRun(services, { ...by.context, now: clock.now() }, ruleId);
  return {
    services,
    clock,
    organizationId,
    owner,
    operating,
    accountant,
    asking,
    capped,
    ruleId,
    call,
    proposeTransfer,
    startRun,
    decide,
    acceptRun,
    carryOut,
    moved,
  };
}

let world: Awaited<ReturnType<typeof arrange>>;
beforeEach(async () => {
  world = await arrange();
});

describe("without an approval", () => {
  it("no transfer is accepted", async () => {
    const id = await world.proposeTransfer();
    await expect(
      world.call("select accept_approved_transfer($1, $2, null, $3)", [
        world.organizationId,
        id,
        world.clock.now(),
      ]),
    ).rejects.toThrow("no rows");
    expect(await world.moved()).toBe(0);
  });

  it("no run is accepted, and none is carried out", async () => {
    const id = await world.startRun();
    await expect(world.acceptRun(id, 100)).rejects.toThrow("no rows");
    await expect(world.carryOut(id, 100)).rejects.toThrow("is not to be carried out");
    expect(await world.moved()).toBe(0);
  });
});

describe("an approved run", () => {
  it("is accepted once", async () => {
    const id = await world.startRun();
    await world.decide(id, "APPROVED");
    await world.acceptRun(id, 100);
    await expect(world.acceptRun(id, 100)).rejects.toThrow("no rows");
  });

  it("of a rule that is paused is not accepted", async () => {
    const id = await world.startRun();
    await world.decide(id, "APPROVED");
    await database.ownerPool.query(
      `update rules set paused_at = $2, paused_by_transfer_id = (select t.id from transfers t
         where t.organization_id = rules.organization_id limit 1) where id = $1`,
      [world.ruleId, world.clock.now()],
    );
    await expect(world.acceptRun(id, 100)).rejects.toThrow("does not run live");
  });

  it("that lacks money is not accepted", async () => {
    const id = await world.startRun();
    await world.decide(id, "APPROVED");
    await expect(world.acceptRun(id, 100_001)).rejects.toThrow("cannot be carried out as shown");
  });
});

describe("a run without approval", () => {
  it("is carried out once, and takes no account below its floor", async () => {
    const id = await world.startRun(world.capped);
    await expect(world.carryOut(id, 80_001)).rejects.toThrow();
    expect(await world.moved()).toBe(0);
    await world.carryOut(id, 100);
    await expect(world.carryOut(id, 100)).rejects.toThrow("is not to be carried out");
    expect(await world.moved()).toBe(100);
  });

  it("passes no floor even without a cap", async () => {
    const id = await world.startRun(world.capped);
    await database.ownerPool.query("update api_keys set daily_cap_in_cents = null where id = $1", [
      world.capped.id,
    ]);
    await expect(world.carryOut(id, 80_001)).rejects.toThrow("below its floor");
    await world.carryOut(id, 80_000);
    expect(await world.moved()).toBe(80_000);
  });

  it("passes no cap", async () => {
    const id = await world.startRun(world.capped);
    await expect(world.carryOut(id, CAP_IN_CENTS + 1)).rejects.toThrow("would pass its daily cap");
    await world.carryOut(id, CAP_IN_CENTS);
    const { rows } = await world.call("select key_used($1, $2, $3) as used", [
      world.organizationId,
      world.capped.id,
      world.clock.now(),
    ]);
    expect(rows).toEqual([{ used: CAP_IN_CENTS }]);
  });
});

it("an approval accepts nothing while all gates are closed", async () => {
  const id = await world.proposeTransfer();
  await closeGates(world.services, { ...world.owner, now: world.clock.now() });
  await expect(world.decide(id, "APPROVED")).rejects.toThrow("all gates");
  expect(await world.moved()).toBe(0);
});

it("a pod's own account at the bank is moved by the holder of its lease, and not while all gates are closed", async () => {
  const { services, organizationId, operating, owner, clock, call } = world;
  const leasedUntil = new Date(clock.now().getTime() + 60_000);
  await database.ownerPool.query(
    `insert into own_bank_accounts (organization_id, account_id, is_wanted, decided_by, decided_at, is_open, due_at, leased_until)
     values ($1, $2, true, $3, $4, true, $4, $5)`,
    [organizationId, operating, owner.actor.id, clock.now(), leasedUntil],
  );
  const note = async (lease: Date) => {
    const { rows } = await call(
      `select outcome, move_in_cents::int as cents from note_own_bank_account($1, $2, $3, 0, $4, $5)`,
      [organizationId, operating, lease, newId(clock.now()), clock.now()],
    );
    return rows[0];
  };
  expect(await note(clock.now())).toEqual({ outcome: "LOST", cents: null });
  await closeGates(services, { ...owner, now: clock.now() });
  expect(await note(leasedUntil)).toEqual({ outcome: "WAITS", cents: null });
  await database.ownerPool.query("delete from gate_closings where organization_id = $1", [organizationId]);
  expect(await note(leasedUntil)).toEqual({ outcome: "NOTED", cents: 100_000 });
});

it.each([
  ["DENIED", "APPROVED", 0],
  ["APPROVED", "DENIED", 100],
] as const)("a proposal that is %s is not %s afterwards", async (decision, other, movedInCents) => {
  const id = await world.proposeTransfer();
  await world.decide(id, decision);
  await expect(world.decide(id, other)).rejects.toThrow("no rows");
  expect(await world.moved()).toBe(movedInCents);
  const { rows } = await world.call("select state from proposals where organization_id = $1 and id = $2", [
    world.organizationId,
    id,
  ]);
  expect(rows).toEqual([{ state: decision }]);
});

describe("a member who may not decide", () => {
  it("changes no cap and revokes no key", async () => {
    const by = world.accountant.actor.id;
    const { organizationId, capped, clock } = world;
    const cap = await world.call("select set_key_cap($1, $2, null, $3, $4) as outcome", [
      organizationId,
      capped.id,
      by,
      clock.now(),
    ]);
    expect(cap.rows).toEqual([{ outcome: "MAY_NOT" }]);
    const revocation = await world.call("select outcome from revoke_api_key($1, $2, $3, 'MEMBER', $4)", [
      organizationId,
      capped.id,
      by,
      clock.now(),
    ]);
    expect(revocation.rows).toEqual([{ outcome: "MAY_NOT" }]);
  });

  it("activates no rule", async () => {
    const event = {
      organizationId: world.organizationId,
      ruleId: world.ruleId,
      userId: world.accountant.actor.id,
      eventId: newId(world.clock.now()),
      version: 1,
      now: world.clock.now(),
    };
    for (const act of ["activate_rule", "deactivate_rule", "delete_rule"])
      await expect(world.call(`select ${act}($1)`, [JSON.stringify(event)])).rejects.toThrow(
        "only an owner or co-owner",
      );
  });
});
