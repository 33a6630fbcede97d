import type { Caller } from "./arrange";

/** How many at a time, and for how long. */
export interface LoadOptions {
  concurrency: number;
  seconds: number;
}

/** One transfer to ask for. */
export interface Wish {
  caller: Caller;
  sourceAccountId: string;
  destinationAccountId: string;
  amountInCents: number;
}

/** Keys in turn, so that none comes near its rate limit; every pod of an organization is used alike. */
export function planWishes(callers: readonly Caller[]): () => Wish {
  let count = 0;
  return () => {
    const caller = callers[count % callers.length];
    const turn = Math.floor(count / callers.length) + count;
    count += 1;
    const sourceAccountId = caller?.pods[turn % caller.pods.length];
    const destinationAccountId = caller?.pods[(turn + 3) % caller.pods.length];
    if (!caller || !sourceAccountId || !destinationAccountId) throw new Error("There is nobody to ask");
    return { caller, sourceAccountId, destinationAccountId, amountInCents: 100 + (count % 900) };
  };
}

/**
 * Repeats a request over and over, several at a time.
 * @returns the milliseconds that each took.
 */
export async function repeat(
  request: () => Promise<void>,
  { concurrency, seconds }: LoadOptions,
): Promise<number[]> {
  const latenciesMs: number[] = [];
  const endsAt = performance.now() + seconds * 1000;
  const loop = async () => {
    for (let startedAt = performance.now(); startedAt < endsAt; ) {
      await request();
      const endedAt = performance.now();
      latenciesMs.push(endedAt - startedAt);
      startedAt = endedAt;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  return latenciesMs;
}
