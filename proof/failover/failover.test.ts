import { afterAll, beforeAll, expect, it } from "vitest";
import { type BuiltProgram, buildProgram } from "@/lib/testing/embedded-process";
import { playFailover, WAYS } from "@/proof/failover/failover";

/** Protects: no acknowledged transfer is lost or repeated when the primary fails, and the way on is found without a restart. */

/** Promised on an idle machine (`npm run failover`); here other tests run beside it. */
const LONGEST_GAP_MS = 15_000;

let program: BuiltProgram;
beforeAll(async () => {
  program = await buildProgram("lib/testing/product-process-main.ts");
});
afterAll(() => program?.remove());

it.each(WAYS)(
  "a primary that is %s under load is replaced by its standby",
  { timeout: 240_000 },
  async (way) => {
    const failover = await playFailover({ way, program: program.path, withoutPrimaryMs: 1_500, answers: 20 });
    expect(failover.gapMs).toBeLessThan(LONGEST_GAP_MS);
    expect(failover.unclear).toBeGreaterThan(0);
  },
);
