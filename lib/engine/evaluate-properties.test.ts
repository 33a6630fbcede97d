import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { MINIMUM_TRANSFER_IN_CENTS } from "@/lib/contract/limits";
import { type RuleFacts, ruleFactsSchema } from "@/lib/contract/rules/facts";
import { rulePlanSchema } from "@/lib/contract/rules/plan";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { accountsOf } from "@/lib/engine/accounts-of";
import { checkConditions, type RuleConditions } from "@/lib/engine/check-conditions";
import { evaluate } from "@/lib/engine/evaluate";
import { simulatedBase, withBase } from "@/lib/engine/run-facts";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import {
  ACTION_TYPES,
  centsArbitrary,
  conditionsArbitrary,
  factsArbitrary,
  RULE_ACCOUNTS,
  ruleArbitrary,
} from "@/lib/testing/rules/rule-arbitraries";
import { followPlan, planOf } from "@/lib/testing/rules/rule-examples";

const AT_SIZE = { numRuns: proofSize(150, 10_000), seed: proofSeed };
// Ten thousand cases each, on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

const oneStep = ruleArbitrary();
const ifElse = ruleArbitrary({ steps: { minimum: 1, maximum: 4 }, hasConditions: true, maximumActions: 3 });
const facts = factsArbitrary();
const factsWithGaps = factsArbitrary({ unknownOneIn: 8 });

describe("a plan", () => {
  it("never takes more than a source has, nor below its floor unless a person approves", () => {
    fc.assert(
      fc.property(oneStep, facts, (rule, known) => {
        const plan = planOf(rule, known);
        const taken = new Map<string, number>();
        for (const { sourceAccountId, amountInCents, outcome } of plan.moves) {
          if (outcome !== "MOVE") continue;
          taken.set(sourceAccountId, (taken.get(sourceAccountId) ?? 0) + amountInCents);
        }
        for (const [accountId, cents] of taken) {
          const { availableInCents, floorInCents } = known.accounts[accountId] ?? {};
          const floor = known.isApprovedByPerson ? 0 : (floorInCents ?? 0);
          expect(cents).toBeLessThanOrEqual((availableInCents ?? 0) - floor);
        }
      }),
      AT_SIZE,
    );
  });

  it("moves whole cents, at least the minimum transfer, within the requested amount and every named bound", () => {
    fc.assert(
      fc.property(oneStep, facts, (rule, known) => {
        for (const { move } of followPlan(rule, known, planOf(rule, known))) {
          const { amountInCents, wantedInCents, caps, outcome } = move;
          expect(Number.isSafeInteger(amountInCents) && amountInCents >= 0).toBe(true);
          expect(amountInCents).toBeLessThanOrEqual(wantedInCents);
          expect(outcome === "SKIPPED").toBe(amountInCents < MINIMUM_TRANSFER_IN_CENTS);
          const bounds = outcome === "FAILED" ? caps.filter(isOfItsOwn) : caps;
          for (const cap of bounds) expect(amountInCents).toBeLessThanOrEqual(cap.atInCents);
          // The plan names everything that reduces an amount.
          expect([wantedInCents, ...bounds.map((cap) => cap.atInCents)]).toContain(amountInCents);
        }
      }),
      AT_SIZE,
    );
  });

  it("continues in order and ends with the first failure; actions not reached are counted", () => {
    fc.assert(
      fc.property(oneStep, facts, (rule, known) => {
        const { moves, actionsNotReached } = planOf(rule, known);
        const actions = rule.steps[0]?.actions ?? [];
        const failedAt = moves.findIndex(({ outcome }) => outcome === "FAILED");
        expect(failedAt === -1 || failedAt === moves.length - 1).toBe(true);
        const places = moves.map(({ group, actionIndex }) => group * 1_000 + actionIndex);
        expect(places).toEqual([...places].sort((one, other) => one - other));
        expect(new Set(places).size + actionsNotReached).toBe(actions.length);
        expect(actionsNotReached === 0 || failedAt !== -1).toBe(true);
      }),
      AT_SIZE,
    );
  });

  it("fails only for lack of money or at a closed account", () => {
    fc.assert(
      fc.property(oneStep, facts, (rule, known) => {
        const failed = followPlan(rule, known, planOf(rule, known)).at(-1);
        if (failed?.move.outcome !== "FAILED") return;
        const { move, action, sourceHasInCents } = failed;
        const source = known.accounts[move.sourceAccountId];
        const isClosed = source?.isClosed || known.accounts[move.destinationAccountId]?.isClosed;
        expect(move.errorCode === "ACCOUNT_CLOSED").toBe(isClosed);
        if (isClosed) return;
        expect(action.upTo).toBe(false);
        const isCovered = move.amountInCents <= Math.max(0, sourceHasInCents ?? 0);
        expect(move.errorCode).toBe(isCovered ? "BELOW_FLOOR" : "INSUFFICIENT_FUNDS");
        expect(isCovered && known.isApprovedByPerson).toBe(false);
      }),
      AT_SIZE,
    );
  });
});

/** Ignores the source's money, which a failed transfer exceeded. */
function isOfItsOwn({ kind }: { kind: string }): boolean {
  return kind === "LIMIT" || kind === "OWED";
}

describe("evaluating", () => {
  it("is the same twice, even after storing and reading it", () => {
    fc.assert(
      fc.property(ifElse, factsWithGaps, (rule, given) => {
        const first = evaluate(rule, given);
        expect(evaluate(rule, given)).toEqual(first);
        const storedRule = ruleDefinitionSchema.parse(JSON.parse(JSON.stringify(rule)));
        const storedFacts = ruleFactsSchema.parse(JSON.parse(JSON.stringify(given)));
        const again = evaluate(storedRule, storedFacts);
        expect(again).toEqual(first);
        if (again.kind === "UNKNOWN" || first.kind === "UNKNOWN") return;
        expect(rulePlanSchema.parse(JSON.parse(JSON.stringify(first.plan)))).toEqual(again.plan);
      }),
      AT_SIZE,
    );
  });

  it("changes neither the rule nor the facts", () => {
    fc.assert(
      fc.property(ifElse, factsWithGaps, (rule, given) => {
        expect(() => evaluate(deepFreeze(rule), deepFreeze(given))).not.toThrow();
      }),
      AT_SIZE,
    );
  });

  it("uses only the accounts that the rule names", () => {
    fc.assert(
      fc.property(ifElse, factsWithGaps, (rule, given) => {
        const accounts = Object.fromEntries(
          accountsOf(rule).map((accountId) => [accountId, accountIn(given, accountId)]),
        );
        const other = { ...given, accounts, at: "2031-01-01T00:00:00.000Z" };
        expect(evaluate(rule, other)).toEqual(evaluate(rule, given));
      }),
      AT_SIZE,
    );
  });

  it("does not depend on account names", () => {
    fc.assert(
      fc.property(ifElse, factsWithGaps, (rule, given) => {
        const renamed = (json: unknown) =>
          JSON.parse(JSON.stringify(json).replaceAll(/00000000-0000-4000-8000-00000000000(\d)/g, otherId));
        const evaluated = evaluate(
          ruleDefinitionSchema.parse(renamed(rule)),
          ruleFactsSchema.parse(renamed(given)),
        );
        expect(evaluated).toEqual(renamed(evaluate(rule, given)));
      }),
      AT_SIZE,
    );
  });

  it("lets a dry run and a live run from the same facts move the same amounts", () => {
    const amount = fc.option(centsArbitrary, { freq: 2 });
    fc.assert(
      fc.property(ifElse, factsWithGaps, amount, (rule, read, amountInCents) => {
        const trigger = rule.trigger.accountId;
        const real = accountIn(read, trigger);
        // Only one number can be simulated, so accounts with held money differ.
        const whole = { ...real, availableInCents: real.balanceInCents };
        const given = { ...read, accounts: { ...read.accounts, [trigger]: whole } };
        const live = withBase(given, trigger, { mode: "LIVE", incomingAmountInCents: amountInCents });
        const reported = {
          ...(amountInCents !== null && { executeAmountInCents: amountInCents }),
          ...(real.balanceInCents !== null && { simulatedSourceBalanceInCents: real.balanceInCents }),
        };
        const dry = withBase(given, trigger, simulatedBase(rule.trigger, reported));
        // Without a known balance the amount is a dry run's base, which a live run has none of.
        if (real.balanceInCents === null && amountInCents !== null) return;
        expect(evaluate(rule, dry)).toEqual(evaluate(rule, live));
      }),
      AT_SIZE,
    );
  });

  it("of a dry run without an amount equals that of a live run without one", () => {
    fc.assert(
      fc.property(ifElse, factsWithGaps, (rule, given) => {
        const trigger = rule.trigger.accountId;
        const dry = withBase(given, trigger, simulatedBase(rule.trigger, {}));
        const live = withBase(given, trigger, { mode: "LIVE", incomingAmountInCents: null });
        expect(evaluate(rule, dry)).toEqual(evaluate(rule, live));
      }),
      AT_SIZE,
    );
  });

  it("of a simulated deposit equals that of the same deposit after arrival", () => {
    fc.assert(
      fc.property(
        ifElse,
        fc.boolean(),
        facts,
        centsArbitrary,
        centsArbitrary,
        (drawn, acts, known, before, deposit) => {
          const trigger = drawn.trigger.accountId;
          const onArrival = {
            type: "ON_FUNDS_TRANSFERRED",
            accountId: trigger,
            minimumAmountInCents: null,
          } as const;
          const rule = acts ? { ...drawn, trigger: onArrival } : drawn;
          const holding = (cents: number) => ({
            ...known,
            accounts: {
              ...known.accounts,
              [trigger]: { ...accountIn(known, trigger), balanceInCents: cents, availableInCents: cents },
            },
          });
          const base = simulatedBase(rule.trigger, { simulatedIncomingFundsInCents: deposit });
          const dry = withBase(holding(before), trigger, base);
          // Only arrivals give a run their amount; manual and scheduled runs get none.
          const incomingAmountInCents = rule.trigger.type === "ON_FUNDS_TRANSFERRED" ? deposit : null;
          const live = withBase(holding(before + deposit), trigger, { mode: "LIVE", incomingAmountInCents });
          expect(evaluate(rule, dry)).toEqual(evaluate(rule, live));
        },
      ),
      AT_SIZE,
    );
  });
});

describe("an unknown value", () => {
  const VALUES = [
    ["balanceInCents", "BALANCE"],
    ["availableInCents", "AVAILABLE_BALANCE"],
    ["nextPaymentMinimumInCents", "NEXT_PAYMENT_MINIMUM"],
    ["lastStatementBalanceInCents", "LAST_STATEMENT_BALANCE"],
  ] as const;
  const forgotten = fc.subarray(
    Object.values(RULE_ACCOUNTS).flatMap((accountId) =>
      VALUES.map(([field, fact]) => ({ accountId, field, fact })),
    ),
    { minLength: 1 },
  );

  it("is never zero: without it, a run has the same plan or waits and names it", () => {
    let waited = 0;
    fc.assert(
      fc.property(ifElse, facts, forgotten, fc.boolean(), (rule, known, gaps, isAmountForgotten) => {
        const accounts = { ...known.accounts };
        for (const { accountId, field } of gaps) {
          accounts[accountId] = { ...accountIn({ ...known, accounts }, accountId), [field]: null };
        }
        const incomingAmountInCents = isAmountForgotten ? null : known.incomingAmountInCents;
        const evaluation = evaluate(rule, { ...known, accounts, incomingAmountInCents });
        if (evaluation.kind === "PLANNED") {
          expect(evaluation.plan).toEqual(planOf(rule, known));
          return;
        }
        waited += 1;
        const { fact, accountId } = evaluation.missing;
        if (fact === "INCOMING_AMOUNT") expect([isAmountForgotten, accountId]).toEqual([true, null]);
        else expect(gaps).toContainEqual(expect.objectContaining({ fact, accountId }));
      }),
      AT_SIZE,
    );
    expect(waited, "no removed value was needed: the proof is empty").toBeGreaterThan(50);
  });

  it("does not block actions that do not use it", () => {
    const rule = ruleArbitrary({ among: ["FIXED"], hasLimits: false });
    fc.assert(
      fc.property(rule, facts, (fixed, known) => {
        const accounts = Object.fromEntries(
          Object.entries(known.accounts).map(([accountId, account]) => [
            accountId,
            { ...account, balanceInCents: null, nextPaymentMinimumInCents: null },
          ]),
        );
        expect(planOf(fixed, { ...known, accounts, incomingAmountInCents: null })).toEqual(
          planOf(fixed, known),
        );
      }),
      AT_SIZE,
    );
  });
});

describe("steps", () => {
  it("run only the first whose conditions are met", () => {
    fc.assert(
      fc.property(ifElse, facts, (rule, known) => {
        const { stepIndexMatched, steps } = planOf(rule, known);
        const holding = rule.steps.findIndex(
          ({ conditions }) => conditions === null || doHold(conditions, known),
        );
        expect(stepIndexMatched).toBe(holding === -1 ? null : holding);
        expect(steps.map(({ outcome }) => outcome)).toEqual(
          rule.steps.map((_, index) => {
            if (holding === -1 || index < holding) return "CONDITIONS_NOT_MET";
            return index === holding ? "RAN" : "NOT_LOOKED_AT";
          }),
        );
        const matched = rule.steps[holding];
        const alone = matched && planOf({ ...rule, steps: [{ ...matched, conditions: null }] }, known);
        expect(planOf(rule, known).moves).toEqual(alone?.moves ?? []);
      }),
      AT_SIZE,
    );
  });

  it("follow all and any, with each comparison at its path", () => {
    fc.assert(
      fc.property(conditionsArbitrary, facts, (conditions, known) => {
        const trace: Parameters<typeof checkConditions>[2] = [];
        expect(checkConditions(conditions, known, trace)).toBe(doHold(conditions, known));
        expect(trace.map(({ path }) => path)).toEqual(pathsOf(conditions, ""));
        for (const { path, outcome } of trace) {
          if (outcome === "NOT_LOOKED_AT") continue;
          expect(doHold(nodeAt(conditions, path), known)).toBe(outcome === "HOLDS");
        }
      }),
      AT_SIZE,
    );
  });
});

describe("more money, or more freedom", () => {
  // With one action only: several compete, so more for one is less for another. Rounding down is not monotonic.
  const types = ACTION_TYPES.filter((type) => type !== "ROUND_DOWN");
  const moved = (rule: Parameters<typeof planOf>[0], known: RuleFacts) =>
    planOf(rule, known).moves.reduce(
      (sum, { outcome, amountInCents }) => sum + (outcome === "MOVE" ? amountInCents : 0),
      0,
    );
  const oneAction = fc
    .constantFrom(...types)
    .chain((type) => ruleArbitrary({ holding: [type], maximumActions: 0 }));

  it("in the source never moves less", () => {
    fc.assert(
      fc.property(oneAction, facts, centsArbitrary, (rule, known, more) => {
        const source = rule.steps[0]?.actions[0]?.sourceAccountId ?? "";
        const account = accountIn(known, source);
        const richer = { ...account, availableInCents: (account.availableInCents ?? 0) + more };
        const accounts = { ...known.accounts, [source]: richer };
        expect(moved(rule, { ...known, accounts })).toBeGreaterThanOrEqual(moved(rule, known));
      }),
      AT_SIZE,
    );
  });

  it("by an approval never moves less", () => {
    fc.assert(
      fc.property(oneAction, facts, (rule, known) => {
        const unapproved = moved(rule, { ...known, isApprovedByPerson: false });
        expect(moved(rule, { ...known, isApprovedByPerson: true })).toBeGreaterThanOrEqual(unapproved);
      }),
      AT_SIZE,
    );
  });

  it("under a higher limit never moves less, and a limit never causes a failure", () => {
    fc.assert(
      fc.property(oneAction, facts, centsArbitrary, (rule, known, more) => {
        const raised = rule.limits.map((limit) => ({ ...limit, amountInCents: limit.amountInCents + more }));
        const unlimited = rule.limits.map((limit) => ({
          ...limit,
          amountInCents: Number.MAX_SAFE_INTEGER,
        }));
        const hasFailed = (limits: typeof rule.limits) =>
          planOf({ ...rule, limits }, known).moves.some(({ outcome }) => outcome === "FAILED");
        if (hasFailed(rule.limits)) expect(hasFailed(unlimited)).toBe(true);
        if (hasFailed(raised)) return;
        expect(moved({ ...rule, limits: raised }, known)).toBeGreaterThanOrEqual(moved(rule, known));
      }),
      AT_SIZE,
    );
  });
});

type Node = RuleConditions | Extract<RuleConditions, { all: unknown }>["all"][number];
type Comparison = Exclude<Node, { all: unknown } | { any: unknown }>;

/** A naive reference for conditions, without order or unknown values. */
function doHold(node: Node, known: RuleFacts): boolean {
  if ("all" in node) return node.all.every((member: Node) => doHold(member, known));
  if ("any" in node) return node.any.some((member: Node) => doHold(member, known));
  const left = valueIn(node, known);
  const right = "value" in node ? node.value : valueIn(node.valueFact, known);
  const outcomes: Record<Comparison["operator"], boolean> = {
    EQUAL: left === right,
    NOT_EQUAL: left !== right,
    GREATER_THAN: left > right,
    GREATER_THAN_OR_EQUAL: left >= right,
    LESS_THAN: left < right,
    LESS_THAN_OR_EQUAL: left <= right,
  };
  return outcomes[node.operator];
}

function valueIn(reference: { fact: Comparison["fact"]; accountId?: string }, known: RuleFacts) {
  const account = reference.accountId === undefined ? null : accountIn(known, reference.accountId);
  // 1 January 2024 was a Monday.
  const days = (Date.parse(known.date) - Date.parse("2024-01-01")) / 86_400_000;
  const values: Record<Comparison["fact"], number | string | null | undefined> = {
    DATE: known.date,
    DAY_OF_MONTH: Number(known.date.split("-")[2]),
    DAY_OF_WEEK: (((days % 7) + 7) % 7) + 1,
    INCOMING_AMOUNT: known.incomingAmountInCents,
    BALANCE: account?.balanceInCents,
    AVAILABLE_BALANCE: account?.availableInCents,
    NEXT_PAYMENT_MINIMUM: account?.nextPaymentMinimumInCents,
    LAST_STATEMENT_BALANCE: account?.lastStatementBalanceInCents,
  };
  const value = values[reference.fact];
  if (value === null || value === undefined) throw new Error(`${reference.fact} should be known here`);
  return value;
}

function membersOf(node: Node): readonly Node[] | null {
  if ("all" in node) return node.all;
  return "any" in node ? node.any : null;
}

function pathsOf(node: Node, path: string): string[] {
  const members = membersOf(node);
  if (!members) return [path];
  return members.flatMap((member, index) => pathsOf(member, path === "" ? `${index}` : `${path}.${index}`));
}

function nodeAt(conditions: RuleConditions, path: string): Node {
  let node: Node = conditions;
  for (const index of path.split(".")) {
    const member: Node | undefined = membersOf(node)?.[Number(index)];
    if (!member) throw new Error(`There is no condition at ${path}`);
    node = member;
  }
  return node;
}

function accountIn(given: RuleFacts, accountId: string) {
  const account = given.accounts[accountId];
  if (!account) throw new Error(`Arbitrary facts lack ${accountId}`);
  return account;
}

/** A different id for each account. */
function otherId(_: string, digit: string): string {
  return `11111111-0000-4000-8000-00000000000${9 - Number(digit)}`;
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) {
    for (const part of Object.values(value)) deepFreeze(part);
    Object.freeze(value);
  }
  return value;
}
