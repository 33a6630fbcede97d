import fc from "fast-check";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { RuleNetwork } from "@/app/rules/[id]/_components/rule-network";
import {
  type Branch,
  branchesOf,
  branchLabel,
  branchOutcome,
  type DrawnRule,
  fitText,
  layOutNetwork,
  MAXIMUM_BRANCHES,
  type NetworkMeasures,
  networkText,
  wrapText,
} from "@/components/parts/rules/network-geometry";
import { SmallNetwork, WaitingNetwork } from "@/components/parts/rules/small-network";
import type { RuleFacts } from "@/lib/contract/rules/facts";
import type { RulePlan } from "@/lib/contract/rules/plan";
import type { RuleDefinition } from "@/lib/contract/rules/rule";
import { accountsOf } from "@/lib/engine/accounts-of";
import { evaluate } from "@/lib/engine/evaluate";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { ACCOUNT, act, NAMES, ruleOf, SPLIT_RULE, share } from "@/lib/testing/rules/example-rules";

const MEASURES: NetworkMeasures = {
  trunkX: 0,
  forkX: 100,
  branchX: 200,
  trunkY: 64,
  trunkHeight: 64,
  pitch: 58,
  firstY: 24,
  branchesAtRest: 5,
  ownChannel: 26,
};

function planOf(rule: RuleDefinition, incomingAmountInCents: number): RulePlan {
  const account = (id: string): RuleFacts["accounts"][string] => {
    const cents = id === ACCOUNT.client ? incomingAmountInCents : 215_000;
    return {
      name: "Any",
      type: "POD",
      externalAccountType: null,
      isClosed: false,
      balanceInCents: cents,
      availableInCents: cents,
      floorInCents: null,
      onItsWayInCents: 0,
      nextPaymentMinimumInCents: 3_500,
      lastStatementBalanceInCents: 90_000,
      interestRatePercentage: null,
    };
  };
  const evaluation = evaluate(rule, {
    at: "2026-11-20T12:00:00.000Z",
    date: "2026-11-20",
    incomingAmountInCents,
    isApprovedByPerson: false,
    limitsUsedInCents: { payroll: 420_000 },
    accounts: Object.fromEntries(accountsOf(rule).map((id) => [id, account(id)])),
  });
  if (evaluation.kind !== "PLANNED") throw new Error("not planned");
  return evaluation.plan;
}

const drawn = (rule: RuleDefinition, incomingAmountInCents: number): DrawnRule => ({
  rule,
  plan: planOf(rule, incomingAmountInCents),
  names: NAMES,
  incomingAmountInCents,
});

test("the branches are the run's transfers in order, including skipped ones", () => {
  const branches = branchesOf(drawn(SPLIT_RULE, 620_000));
  expect(branches.map((branch) => [branch.name, branchLabel(branch), branchOutcome(branch)])).toEqual([
    ["Taxes", "27%", "$1,674.00"],
    ["Payroll", "30%, at most $6,000.00 a month", "$1,800.00"],
    ["Profit", "10%", "$620.00"],
    ["Owner’s pay", "up to $2,000.00", "Skipped"],
    ["Operating", "the rest", "$2,106.00"],
  ]);
  const [, payroll] = branches;
  expect(payroll && branchLabel(payroll, 24)).toBe("30%, within its limit");
});

test("actions after a failure are drawn as not reached, and other sources are named", () => {
  const rule = ruleOf({
    steps: [
      {
        actions: [
          act({ type: "FIXED", destinationAccountId: ACCOUNT.taxes, amountInCents: 90_000_000 }),
          act({
            type: "SNOWBALL",
            sourceAccountId: ACCOUNT.operating,
            destinationAccountIds: [ACCOUNT.visa, ACCOUNT.loan, ACCOUNT.visa],
            amountInCents: 100,
            group: 1,
          }),
        ],
      },
    ],
  });
  const branches = branchesOf(drawn(rule, 620_000));
  expect(branches.map(({ name, state, fromName }) => [name, state, fromName])).toEqual([
    ["Taxes", "FAILED", null],
    ["Summit Visa", "NOT_REACHED", "Operating"],
    ["Car loan", "NOT_REACHED", "Operating"],
  ]);
});

test("too many branches are merged into one with their total", () => {
  const accounts = [ACCOUNT.taxes, ACCOUNT.payroll, ACCOUNT.profit];
  const rule = ruleOf({
    steps: [{ actions: Array.from({ length: 16 }, (_, index) => share(5, accounts[index % 3] ?? "")) }],
  });
  const branches = branchesOf(drawn(rule, 100_000));
  expect(branches).toHaveLength(MAXIMUM_BRANCHES);
  expect(branches.at(-1)).toMatchObject({ name: "and 5 more", amountInCents: 25_000, state: "FLOWS" });
});

const branch: fc.Arbitrary<Branch> = fc
  .record({
    amountInCents: fc.option(fc.integer({ min: 100, max: 100_000_000_000_000 })),
    fromName: fc.constantFrom(null, null, "Operating"),
  })
  .map(({ amountInCents, fromName }) => ({
    id: "any",
    name: "Any",
    label: "",
    shortLabel: "",
    amountInCents,
    fromName,
    state: amountInCents === null ? "SKIPPED" : "FLOWS",
  }));

/** One assertion per drawing, since ten thousand are laid out. */
function faultsOf(branches: readonly Branch[], incoming: number | null): string[] {
  const { trunk, branches: laid, bottom } = layOutNetwork(branches, incoming, MEASURES);
  const faults: string[] = [];
  const hold = (isTrue: boolean, what: string) => {
    if (!isTrue) faults.push(what);
  };
  let before = trunk.top;
  let middleBefore = MEASURES.firstY - 1;
  for (const { branch: each, from, to, middleY } of laid) {
    const width = to.bottom - to.top;
    hold(each.amountInCents === null ? width === 0 : width >= 1.9, "a width is wrong for its amount");
    hold(width <= MEASURES.trunkHeight + 0.2, "a branch is wider than the channel");
    hold(middleY <= bottom && middleY > middleBefore, "a branch is misplaced");
    middleBefore = middleY;
    if (each.fromName !== null) continue;
    hold(
      from.top >= before - 0.2 && from.bottom <= trunk.bottom + 0.2,
      "branches cross or leave the channel",
    );
    before = from.bottom;
  }
  return faults;
}

test("channels are to scale, never cross, and are together never wider than their source", () => {
  fc.assert(
    fc.property(
      fc.array(branch, { minLength: 1, maxLength: MAXIMUM_BRANCHES }),
      fc.option(fc.integer({ min: 0, max: 100_000_000_000_000 })),
      (branches, incoming) => {
        expect(faultsOf(branches, incoming)).toEqual([]);
      },
    ),
    { numRuns: proofSize(300, 10_000), seed: proofSeed },
  );
});

test("the part of a deposit that no branch takes stays in the channel", () => {
  const half: Branch = {
    id: "half",
    name: "Taxes",
    label: "50%",
    shortLabel: "50%",
    amountInCents: 5_000,
    state: "FLOWS",
    fromName: null,
  };
  const { trunk, leftover, branches } = layOutNetwork([half], 10_000, MEASURES);
  expect(branches[0]?.from).toEqual({ top: trunk.top, bottom: trunk.top + 32 });
  expect(leftover).toEqual({ top: trunk.top + 32, bottom: trunk.bottom });
  expect(layOutNetwork([half], 5_000, MEASURES).leftover).toBeNull();
});

test("every drawing has a text alternative, and water only where money moves", () => {
  const split = drawn(SPLIT_RULE, 620_000);
  const large = renderToStaticMarkup(<RuleNetwork {...split} />);
  expect(large).toContain(`aria-label="${networkText(split)}"`);
  expect(large).toContain("Below $100.00 nothing moves. The money stays in Client payments.");
  expect(large).toContain("27% to Taxes, the rest to");
  expect(renderToStaticMarkup(<SmallNetwork {...split} />)).toContain("$2,106.00");
  // Only the channel before the gate has water; no branch does.
  expect(renderToStaticMarkup(<WaitingNetwork {...split} gate="WAITS" />).match(/data-water/g)).toHaveLength(
    1,
  );
  const shape = renderToStaticMarkup(<RuleNetwork {...split} plan={null} incomingAmountInCents={null} />);
  expect(shape).not.toContain("data-water");
  const idle = drawn(SPLIT_RULE, 6_200);
  expect(networkText(idle)).toContain("no step applies, nothing moves");
  expect(renderToStaticMarkup(<RuleNetwork {...idle} />).match(/data-water/g)).toHaveLength(1);
});

test("text is cut at the drawing's edge, or wrapped between words", () => {
  expect(fitText("Emergency fund", 10)).toBe("Emergency…");
  expect(fitText("Taxes", 5)).toBe("Taxes");
  expect(wrapText("Money arrives in Client payments", 16, 3)).toEqual([
    "Money arrives in",
    "Client payments",
  ]);
  expect(wrapText("one two three four", 7, 2)).toEqual(["one two", "three…"]);
});

test("a rule that only pulls from another account is drawn from that account", () => {
  const pull = (destinationAccountId: string) =>
    act({ type: "FIXED", sourceAccountId: ACCOUNT.operating, destinationAccountId, amountInCents: 5_000 });
  const rule = ruleOf({ steps: [{ actions: [pull(ACCOUNT.client)] }] });
  const drawn: DrawnRule = { rule, plan: planOf(rule, 0), names: NAMES, incomingAmountInCents: 0 };
  expect(branchesOf(drawn)).toMatchObject([{ name: "Client payments", fromName: null, state: "FLOWS" }]);
  const network = layOutNetwork(branchesOf(drawn), null, MEASURES);
  expect(network.leftover).toBeNull();
  expect(network.branches[0]?.fromX).toBe(MEASURES.forkX);
  expect(networkText(drawn)).toBe("Operating to Client payments $50.00 $50.00");
  for (const Drawing of [RuleNetwork, SmallNetwork]) {
    expect(renderToStaticMarkup(<Drawing {...drawn} />)).toContain("Operating");
  }
  // If anything is taken from the trigger's account, it has the channel, and other sources have their own.
  const both = ruleOf({ steps: [{ actions: [share(10, ACCOUNT.taxes), pull(ACCOUNT.payroll)] }] });
  expect(branchesOf({ ...drawn, rule: both, plan: null }).map(({ fromName }) => fromName)).toEqual([
    null,
    "Operating",
  ]);
});
