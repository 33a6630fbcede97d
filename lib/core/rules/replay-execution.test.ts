import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findExecutionOrganization, replayExecution } from "@/lib/core/rules/replay-execution";
import { comparePlans } from "@/lib/engine/compare-plans";
import { evaluate } from "@/lib/engine/evaluate";
import { useTestDatabase } from "@/lib/testing/database";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";
import { altered, arrangeReplayedRun } from "@/lib/testing/rules/rule-runs";

const database = useTestDatabase();

/** The same JSON value with the properties of every object in another order. */
function reordered(value: unknown, order: (names: string[]) => string[]): unknown {
  if (Array.isArray(value)) return value.map((member) => reordered(member, order));
  if (typeof value !== "object" || value === null) return value;
  const members = new Map(Object.entries(value));
  return Object.fromEntries(
    order([...members.keys()]).map((name) => [name, reordered(members.get(name), order)]),
  );
}

describe("a replay", () => {
  it("computes the plan that the run stored, after facts, plan and rule went through jsonb", async () => {
    const { organization, plan, store } = await arrangeReplayedRun(database);
    const replay = await replayExecution(database.pool, organization.organizationId, await store(plan));
    expect(plan.moves.map((move) => move.amountInCents)).toEqual([130_000, 124_000, 0]);
    expect(replay).toMatchObject({
      kind: "REPLAYED",
      ruleName: "Split workshop income",
      version: 1,
      comparison: { isSame: true, otherDifferences: [] },
    });
  });

  it("finds an amount that differs by one cent", async () => {
    const { organization, plan, store } = await arrangeReplayedRun(database);
    const replay = await replayExecution(
      database.pool,
      organization.organizationId,
      await store(altered(plan)),
    );
    expect(replay.kind === "REPLAYED" && replay.comparison.moves.map((move) => move.agrees)).toEqual([
      false,
      true,
      true,
    ]);
  });

  it("finds an extra move, a missing move and another step", async () => {
    const { plan } = await arrangeReplayedRun(database);
    const fewer = { ...plan, moves: plan.moves.slice(0, 1) };
    expect(comparePlans(fewer, plan).moves.map((move) => move.agrees)).toEqual([true, false, false]);
    expect(comparePlans(plan, fewer).moves.at(-1)).toMatchObject({ recomputed: null, agrees: false });
    expect(comparePlans(plan, { ...plan, stepIndexMatched: null })).toMatchObject({
      isSame: false,
      otherDifferences: ["STEP_MATCHED"],
    });
  });

  it("does not depend on the order of properties in storage", async () => {
    const { rule, facts, plan } = await arrangeReplayedRun(database);
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), (randoms) => {
        const shuffle = (names: string[]) =>
          names
            .map((name) => ({ name, at: randoms.next().value ?? 0 }))
            .sort((one, other) => one.at - other.at)
            .map(({ name }) => name);
        const [definition, known, stored] = [rule.definition, facts, plan].map((value) =>
          JSON.stringify(reordered(value, shuffle)),
        );
        const evaluation = evaluate(JSON.parse(definition ?? ""), JSON.parse(known ?? ""));
        expect(
          evaluation.kind === "PLANNED" && comparePlans(JSON.parse(stored ?? ""), evaluation.plan),
        ).toMatchObject({ isSame: true });
      }),
      { numRuns: proofSize(200, 10_000), seed: proofSeed },
    );
  });

  it("reports that there is nothing to replay for a run without a plan", async () => {
    const { organization, store } = await arrangeReplayedRun(database);
    const id = await store(null, null);
    expect(await replayExecution(database.pool, organization.organizationId, id)).toMatchObject({
      kind: "NO_PLAN",
    });
  });

  it("does not find another organization's run", async () => {
    const [{ plan, store }, other] = [await arrangeReplayedRun(database), await arrangeReplayedRun(database)];
    const id = await store(plan);
    expect(await replayExecution(database.pool, other.organization.organizationId, id)).toEqual({
      kind: "NOT_FOUND",
    });
  });

  it("rejects facts of a later version", async () => {
    const { organization, plan, store } = await arrangeReplayedRun(database);
    const id = await store(plan);
    await database.ownerPool.query(
      "update rule_executions set facts = facts || '{\"moon\": 1}' where id = $1",
      [id],
    );
    expect(await replayExecution(database.pool, organization.organizationId, id)).toMatchObject({
      kind: "UNREADABLE",
      what: "FACTS",
    });
  });

  it("finds the run's organization by its id", async () => {
    const { organization, plan, store } = await arrangeReplayedRun(database);
    expect(await findExecutionOrganization(database.pool, await store(plan))).toBe(
      organization.organizationId,
    );
  });
});
