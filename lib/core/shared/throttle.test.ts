import { beforeEach, describe, expect, it } from "vitest";
import { refundAttempt, takeAttempt } from "@/lib/core/shared/throttle";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestServices } from "@/lib/testing/services";

const database = useTestDatabase();
beforeEach(() => database.ownerPool.query("delete from throttles"));

const WINDOW_MS = 60_000;

function arrange() {
  const { services, clock } = createTestServices(database);
  const take = () => takeAttempt(services, [{ subject: "a person", limit: 2, windowMs: WINDOW_MS }]);
  const kinds = async (count: number) => {
    const seen: string[] = [];
    for (let attempt = 0; attempt < count; attempt += 1) seen.push((await take()).kind);
    return seen;
  };
  return { services, clock, take, kinds };
}

describe("a throttle", () => {
  it("lets exactly its limit through, until the moment its window ends, and then again", async () => {
    const { clock, kinds } = arrange();
    expect(await kinds(3)).toEqual(["TAKEN", "TAKEN", "THROTTLED"]);
    clock.advance(WINDOW_MS - 1);
    expect(await kinds(1)).toEqual(["THROTTLED"]);
    clock.advance(1);
    expect(await kinds(3)).toEqual(["TAKEN", "TAKEN", "THROTTLED"]);
    // The new window is a whole one.
    clock.advance(WINDOW_MS - 1);
    expect(await kinds(1)).toEqual(["THROTTLED"]);
  });

  it("returns one attempt to the window that it was taken in, and none to a later one", async () => {
    const { services, clock, take, kinds } = arrange();
    const taken = await take();
    if (taken.kind !== "TAKEN") throw new Error("The first attempt was refused");
    await refundAttempt(services, taken);
    expect(await kinds(3)).toEqual(["TAKEN", "TAKEN", "THROTTLED"]);
    clock.advance(WINDOW_MS);
    expect(await kinds(2)).toEqual(["TAKEN", "TAKEN"]);
    await refundAttempt(services, taken);
    expect(await kinds(1)).toEqual(["THROTTLED"]);
  });
});
