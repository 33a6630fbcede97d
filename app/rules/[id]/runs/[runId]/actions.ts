"use server";

import { z } from "zod";
import { readInput } from "@/app/auth/read-input";
import { runAsMember } from "@/app/auth/run-as-member";
import type { ReplayResult } from "@/lib/contract/views/run-view";
import { type Replay, replayExecution } from "@/lib/core/rules/replay-execution";

/** Works a run out again from what it stored. Every member may: it changes nothing. */
export async function replayRun(executionId: string): Promise<ReplayResult> {
  return runAsMember(async (services, context) => {
    const id = readInput(z.uuid(), executionId);
    return toResult(
      await replayExecution(services.pool, context.organizationId, id),
      context.now.toISOString(),
    );
  });
}

function toResult(replay: Replay, at: string): ReplayResult {
  switch (replay.kind) {
    case "NOT_FOUND":
      return { kind: "REFUSED", message: "There is no such run. Nothing moved." };
    case "NO_PLAN":
      return { kind: "REFUSED", message: "It stored no plan, so there is nothing to replay. Nothing moved." };
    case "UNREADABLE":
      return {
        kind: "REFUSED",
        message: "This version of Sluice cannot read what it stored, so nothing was replayed. Nothing moved.",
      };
    case "REPLAYED": {
      const { comparison } = replay;
      if (comparison.isSame) return { kind: "SAME", count: comparison.moves.length, at };
      const amounts = comparison.moves.flatMap(({ stored, recomputed, agrees }, index) =>
        agrees
          ? []
          : [
              {
                kind: "AMOUNT" as const,
                place: index + 1,
                storedInCents: stored?.amountInCents ?? null,
                recomputedInCents: recomputed?.amountInCents ?? null,
              },
            ],
      );
      const others = comparison.otherDifferences.map((what) => ({ kind: "OTHER" as const, what }));
      return { kind: "DIFFERENT", differences: [...amounts, ...others], at };
    }
  }
}
