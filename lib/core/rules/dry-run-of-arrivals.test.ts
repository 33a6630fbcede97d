import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "@/lib/contract/error";
import type { TriggeredExecution } from "@/lib/contract/rules/execution";
import { type RuleDefinition, ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestOrganization } from "@/lib/testing/organization";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { centsArbitrary, RULE_ACCOUNTS, ruleArbitrary } from "@/lib/testing/rules/rule-arbitraries";
import {
  anythingWithRules,
  makeActive,
  readRun,
  requestRun,
  runAllRules,
  writeRule,
} from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";

/**
 * Goal: a dry run of an arrival predicts what happens when the money arrives. Method: random organizations and rules on
 * PostgreSQL; each deposit is tried as a dry run, then made and settled, and the run that it triggers is compared with
 * the dry one: step, transfers to the cent and in order, failures and reasons. Deposits follow each other, so that later
 * ones meet holds, pending money and partly used limits.
 */

const database = useTestDatabase();

type AccountName = keyof typeof RULE_ACCOUNTS;
const DEBTS: readonly AccountName[] = ["visa", "amex", "loan"];
const OUTSIDE: readonly AccountName[] = [...DEBTS, "checking"];
const NAMES = Object.keys(RULE_ACCOUNTS).filter((name): name is AccountName => name in RULE_ACCOUNTS);

interface World {
  rule: RuleDefinition;
  minimumInCents: number | null;
  triggerName: AccountName;
  balances: Record<string, number | null>;
  floors: Record<string, number>;
  closed: AccountName | null;
  approvalRequired: boolean;
  deposits: number[];
}

const someCents = fc.integer({ min: 0, max: 900_000 });
const worldArbitrary: fc.Arbitrary<World> = fc.record({
  rule: ruleArbitrary({ hasConditions: true, steps: { minimum: 1, maximum: 3 }, maximumActions: 4 }).map(
    withPossibleRoutes,
  ),
  minimumInCents: fc.option(fc.integer({ min: 0, max: 200_000 }), { freq: 2 }),
  triggerName: fc.constantFrom<AccountName>("operating", "income"),
  balances: fc.record(
    Object.fromEntries(
      NAMES.map((name) => [name, OUTSIDE.includes(name) ? fc.option(someCents, { freq: 8 }) : someCents]),
    ),
  ),
  floors: fc.record(Object.fromEntries(NAMES.map((name) => [name, fc.oneof(fc.constant(0), someCents)]))),
  closed: fc
    .option(fc.constantFrom<AccountName>("taxes", "profit"), { freq: 1, nil: null })
    .map((name) => name),
  approvalRequired: fc.boolean(),
  deposits: fc.array(
    fc.oneof(
      fc.integer({ min: 1, max: 600_000 }),
      centsArbitrary.map((cents) => Math.min(50_000_000, cents + 1)),
    ),
    { minLength: 1, maxLength: 3 },
  ),
});

/** Rules that draw money from debts, or move it between two outside accounts, are refused. */
function withPossibleRoutes(rule: RuleDefinition): RuleDefinition {
  const isOutside = (id: string) => OUTSIDE.some((name) => RULE_ACCOUNTS[name] === id);
  const isDebt = (id: string) => DEBTS.some((name) => RULE_ACCOUNTS[name] === id);
  const steps = rule.steps.map((step) => ({
    ...step,
    actions: step.actions.map((action) => {
      const to =
        "destinationAccountIds" in action ? action.destinationAccountIds : [action.destinationAccountId];
      const source = action.sourceAccountId;
      const isRefused = isDebt(source) || (isOutside(source) && to.some(isOutside));
      return isRefused ? { ...action, sourceAccountId: RULE_ACCOUNTS.operating } : action;
    }),
  }));
  return { ...rule, steps };
}

async function arrange(world: World) {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const ids = new Map<string, string>();
  for (const name of NAMES) {
    const isOutside = OUTSIDE.includes(name);
    const balanceInCents = world.balances[name] ?? undefined;
    const id = await organization.addAccount({
      name,
      type: isOutside ? "EXTERNAL_ACCOUNT" : "POD",
      ...(isOutside && { externalAccountType: DEBTS.includes(name) ? "LIABILITY" : "DEPOSITORY" }),
      ...(balanceInCents !== undefined && { balanceInCents }),
      ...(!isOutside && { floorInCents: world.floors[name] ?? 0 }),
    });
    ids.set(RULE_ACCOUNTS[name], id);
    if (DEBTS.includes(name)) {
      await database.ownerPool.query(
        `update provider_balances set next_payment_minimum_in_cents = balance_in_cents / 20,
            last_statement_balance_in_cents = balance_in_cents / 2 where account_id = $1`,
        [id],
      );
    }
  }
  const idOf = (name: AccountName) => ids.get(RULE_ACCOUNTS[name]) ?? "";
  const trigger = {
    type: "ON_FUNDS_TRANSFERRED",
    accountId: idOf(world.triggerName),
    minimumAmountInCents: world.minimumInCents,
  };
  const renamed: unknown = JSON.parse(
    JSON.stringify({ ...world.rule, trigger }, (_, value: unknown) =>
      typeof value === "string" ? (ids.get(value) ?? value) : value,
    ),
  );
  const key = await organization.addKey([
    ...anythingWithRules(world.approvalRequired),
    { type: "READ_ACCOUNTS", accounts: "ALL" },
  ]);
  const parsed = ruleDefinitionSchema.safeParse(renamed);
  fc.pre(parsed.success);
  const ruleId = await writeRule(services, key.context, parsed.data).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "INVALID_PARAMETERS") return null;
    throw error;
  });
  fc.pre(ruleId !== null);
  await makeActive(database, ruleId);
  if (world.closed && world.closed !== world.triggerName) {
    await database.ownerPool.query("update accounts set deleted_at = created_at where id = $1", [
      idOf(world.closed),
    ]);
  }
  const transfersOf = async (executionId: string) => {
    const { rows } = await database.pool.query(
      `select source_account_id, destination_account_id, amount_in_cents, error_code, direction, description
         from transfers where rule_execution_id = $1 order by id`,
      [executionId],
    );
    return rows;
  };
  const read = async (executionId: string) => {
    const run = await readRun(services, key.context, ruleId, executionId);
    const { stepIndexMatched, conditionsNotMet, transfersAttempted } = run;
    return {
      run,
      // A live run waits for an unknown value; a dry run fails at once.
      outcome: {
        stepIndexMatched,
        conditionsNotMet,
        transfersAttempted,
        transfers: await transfersOf(executionId),
        // The bank has not answered about pending transfers.
        failure: run.errorMessage,
      },
    };
  };
  const dry = async (amountInCents: number) => {
    const body = { simulation: true, simulatedIncomingFunds: amountInCents };
    const answer = await requestRun(services, key.context, ruleId, body);
    return { ...(await read(answer.executionId)), answer };
  };
  /** Makes the deposit. @returns the run that it triggered; null: none. */
  const arrive = async (amountInCents: number) => {
    await organization.deposit(idOf(world.triggerName), amountInCents);
    await runAllRules(services);
    const { rows } = await database.pool.query<{ id: string; problem: string | null }>(
      `select e.id, e.attempt_log -> 0 ->> 'problem' as problem from rule_executions e
        where e.rule_id = $1 and e.execution_mode = 'LIVE' and e.chain_depth = 0 order by e.id desc limit 1`,
      [ruleId],
    );
    return rows[0] ?? null;
  };
  return { clock, dry, arrive, read };
}

/** What the answer of a dry run predicts, in the form of `madeBy`. */
function answered({ transfers, conditionsNotMet }: TriggeredExecution) {
  const kept = (transfers ?? []).filter(({ skippedBecause }) => skippedBecause === null);
  return {
    conditionsNotMet,
    skipped: (transfers ?? []).length - kept.length,
    transfers: kept.map(({ source, destination, amountInCents, errorCode }) => [
      source.id,
      destination.id,
      amountInCents,
      errorCode,
    ]),
  };
}

/** What a live run made. */
function madeBy(run: {
  conditionsNotMet: boolean;
  transfersAttempted: number;
  transfers: Record<string, unknown>[];
}) {
  return {
    conditionsNotMet: run.conditionsNotMet,
    skipped: run.transfersAttempted - run.transfers.length,
    transfers: run.transfers.map((made) => [
      made.source_account_id,
      made.destination_account_id,
      made.amount_in_cents,
      made.error_code,
    ]),
  };
}

describe("a dry run of an arrival", () => {
  it("predicts what happens when it arrives", { timeout: 600_000 }, async () => {
    const seen = { runs: 0, moved: 0, failed: 0, unknown: 0, idle: 0, small: 0 };
    await fc.assert(
      fc.asyncProperty(worldArbitrary, async (world) => {
        const { clock, dry, arrive, read } = await arrange(world);
        let last: string | null = null;
        for (const amountInCents of world.deposits) {
          const tried = await dry(amountInCents);
          const live = await arrive(amountInCents);
          clock.advance(1_000);
          if (tried.run.base?.setsOff === false) {
            expect(live?.id ?? null).toBe(last);
            seen.small += 1;
            continue;
          }
          if (!live || live.id === last) throw new Error("The deposit triggered nothing");
          last = live.id;
          if (live.problem !== null) {
            expect([tried.run.status, tried.run.errorMessage]).toEqual(["FAILED", live.problem]);
            seen.unknown += 1;
            // It would be retried later and interfere with the next deposits.
            return;
          }
          const happened = await read(live.id);
          expect(tried.outcome).toEqual(happened.outcome);
          expect(answered(tried.answer)).toEqual(madeBy(happened.outcome));
          seen.runs += 1;
          if (tried.outcome.transfers.length > 0) seen.moved += 1;
          if (tried.outcome.failure !== null) seen.failed += 1;
          if (tried.outcome.conditionsNotMet) seen.idle += 1;
        }
      }),
      // Each shrinking step creates an organization; debugging by hand is faster.
      { numRuns: proofSize(15, 1_000), seed: proofSeed, endOnFailure: true },
    );
    // Every outcome occurred; otherwise agreement on it would prove nothing.
    for (const [what, count] of Object.entries(seen)) expect([what, count > 0]).toEqual([what, true]);
  });
});
