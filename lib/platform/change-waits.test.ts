import { describe, expect, it } from "vitest";
import { MAXIMUM_WAITS_OF_A_CALLER, MAXIMUM_WAITS_OF_A_PROCESS } from "@/lib/contract/limits";
import { type ChangeWaits, createChangeWaits, type WaitedFor } from "@/lib/platform/change-waits";

/** Goal: a wait ends at the first change after it was registered, notices or none, and costs one statement for all. */
function arrange({ lookEveryMs = 60_000 } = {}) {
  const marks = new Map<string, string>();
  const looks: string[][] = [];
  let failure: Error | null = null;
  const waits = createChangeWaits({
    readMarks: async (subjects) => {
      looks.push(subjects.map(({ id }) => id));
      if (failure) throw failure;
      return subjects.map(({ id }) => marks.get(id) ?? null);
    },
    log: { warn: () => undefined },
    lookEveryMs,
  });
  return { marks, looks, waits, fail: (error: Error | null) => (failure = error) };
}

const subject = (id: string): WaitedFor => ({ kind: "TRANSFER", organizationId: "o", id });

/** Whether it has resolved by the next turns. */
async function hasEnded(promise: Promise<void>): Promise<boolean> {
  return Promise.race([
    promise.then(() => true),
    new Promise<boolean>((resolve) => setImmediate(() => setImmediate(() => resolve(false)))),
  ]);
}

const watchMany = (waits: ChangeWaits, count: number, caller: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => waits.watch(caller(index), subject(String(index))));

describe("a wait", () => {
  it("ends at a change that is noted, and not at one of something else", async () => {
    const { marks, waits } = arrange();
    const [mine, other] = [waits.watch("key", subject("mine")), waits.watch("key", subject("other"))];
    await Promise.all([mine.seen, other.seen]);
    marks.set("mine", "changed");
    waits.noteChange();
    await mine.changed;
    expect(await hasEnded(other.changed)).toBe(false);
    for (const watch of [mine, other]) watch.end();
  });

  it("ends at a change between its registration and the end of the first look", async () => {
    const { marks, waits } = arrange();
    const watch = waits.watch("key", subject("a"));
    await watch.seen;
    // Committed right after the state was known, before anyone reads it; the notice comes while the look still rests.
    marks.set("a", "changed");
    waits.noteChange();
    await watch.changed;
    watch.end();
  });

  it("ends without any notice", async () => {
    const { marks, waits } = arrange({ lookEveryMs: 20 });
    const watch = waits.watch("key", subject("a"));
    await watch.seen;
    marks.set("a", "changed");
    await watch.changed;
    watch.end();
  });

  it("looks at everything with one statement, and at nothing when nobody waits", async () => {
    const { looks, waits } = arrange();
    waits.noteChange();
    expect(looks).toEqual([]);
    const watches = watchMany(waits, 3, String);
    await Promise.all(watches.map(({ seen }) => seen));
    expect(looks.at(-1)).toEqual(["0", "1", "2"]);
    expect(looks.length).toBeLessThanOrEqual(2);
    for (const watch of watches) watch.end();
  });

  it("fails when the state cannot be read, and survives that later", async () => {
    const { marks, waits, fail } = arrange({ lookEveryMs: 20 });
    const known = waits.watch("key", subject("known"));
    await known.seen;
    fail(new Error("no database"));
    const unknown = waits.watch("key", subject("unknown"));
    await expect(unknown.seen).rejects.toThrow("no database");
    unknown.end();
    fail(null);
    marks.set("known", "changed");
    await known.changed;
    known.end();
  });

  it("ends with the process, also one that begins later", async () => {
    const { waits } = arrange();
    const watch = waits.watch("key", subject("a"));
    await watch.seen;
    waits.close();
    await watch.changed;
    await waits.watch("key", subject("a")).changed;
    watch.end();
  });
});

describe("the number of waits", () => {
  it("is bounded per caller, and a slot is free at once when its wait ends", () => {
    const { waits } = arrange();
    const watches = watchMany(waits, MAXIMUM_WAITS_OF_A_CALLER, () => "key");
    const oneMore = () => waits.watch("key", subject("more"));
    expect(oneMore).toThrow(`${MAXIMUM_WAITS_OF_A_CALLER} requests of this caller already wait`);
    expect(() => waits.watch("another key", subject("more")).end()).not.toThrow();
    watches[0]?.end();
    watches[0]?.end();
    const again = oneMore();
    expect(oneMore).toThrow("already wait");
    for (const watch of [...watches, again]) watch.end();
  });

  it("is bounded per process", () => {
    const { waits } = arrange();
    const watches = watchMany(waits, MAXIMUM_WAITS_OF_A_PROCESS, String);
    expect(() => waits.watch("one more", subject("more"))).toThrow("requests here already wait");
    for (const watch of watches) watch.end();
  });
});
