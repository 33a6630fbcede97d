import { MutationObserver, QueryClient } from "@tanstack/react-query";
import { UnrecognizedActionError } from "next/dist/client/components/unrecognized-action-error";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type ActionRequest, actionMutation, NotDone } from "@/components/act/action-mutation";
import { isOfAnotherBuild, outcomeUnknown } from "@/components/act/answer-lost";
import type { Proof, StepUpRequest } from "@/components/act/prove";

type Answer = { kind: "DONE" };

const UNKNOWN = outcomeUnknown("it may or may not be saved. Reload the page to check.");
const DONE = { kind: "DONE" } as const;
const REFUSED = {
  kind: "REFUSED",
  message: "There is no such thing.",
  problems: { name: "Too long." },
} as const;
const lost = () => Promise.reject(new TypeError("Failed to fetch"));

/** Not every timer: what other tests of this process left scheduled may schedule itself again without end. */
const passWaits = () => vi.advanceTimersByTimeAsync(10_000);

/** Runs an action as `useAction` does, without a browser. The clock is ahead of every wait. */
async function run(
  request: Partial<ActionRequest<string, Answer>>,
  prove: (request: StepUpRequest) => Promise<Proof> = async () => DONE,
) {
  vi.useFakeTimers();
  const client = new QueryClient();
  const observer = new MutationObserver(client, {
    ...actionMutation<string, Answer>({ act: async () => DONE, whenLost: UNKNOWN, ...request }, prove),
  });
  const outcome = observer.mutate({ input: "given", shown: "who and where" }).then(
    (result) => ({ result, error: null }),
    (error: unknown) => ({ result: null, error }),
  );
  await passWaits();
  return { ...(await outcome), observer, client };
}

afterEach(() => vi.useRealTimers());

describe("an action", () => {
  it("is done with the server's answer", async () => {
    const act = vi.fn(async () => DONE);
    const { result } = await run({ act });
    expect(result).toEqual(DONE);
    expect(act).toHaveBeenCalledExactlyOnceWith("given", "who and where");
  });

  it("keeps a refusal whole, with the problems of its fields, and never repeats it", async () => {
    const act = vi.fn(async () => REFUSED);
    const { error } = await run({ act, isRepeatable: true });
    expect(error).toBeInstanceOf(NotDone);
    expect(error).toMatchObject({ refused: REFUSED, isLost: false });
    expect(act).toHaveBeenCalledTimes(1);
  });

  it("of a page from before an upgrade says so, is not repeated, and claims no lost answer", async () => {
    const act = vi.fn(() => Promise.reject(new UnrecognizedActionError("Server action not found.")));
    const { error } = await run({ act, isRepeatable: true });
    expect(error).toMatchObject({
      refused: { kind: "REFUSED", message: "Sluice was updated. Reload this page." },
      isLost: false,
    });
    expect(act).toHaveBeenCalledTimes(1);
  });

  it("whose answer needed a script that an upgrade removed may have happened: its outcome is unknown", async () => {
    const gone = Object.assign(new Error("Loading chunk 7 failed"), { name: "ChunkLoadError" });
    expect((await run({ act: () => Promise.reject(gone) })).error).toMatchObject({
      refused: UNKNOWN,
      isLost: true,
    });
    expect([isOfAnotherBuild(gone), isOfAnotherBuild(new TypeError("Failed to fetch"))]).toEqual([
      true,
      false,
    ]);
  });

  it("says that the outcome is unknown when no answer comes, and does not repeat what could happen twice", async () => {
    const act = vi.fn(lost);
    const { error } = await run({ act });
    expect(error).toMatchObject({ refused: UNKNOWN, isLost: true });
    expect(act).toHaveBeenCalledTimes(1);
  });

  it("requests a lost answer once more where the server does it only once", async () => {
    const act = vi.fn(async () => DONE as Answer).mockImplementationOnce(lost);
    expect((await run({ act, isRepeatable: true })).result).toEqual(DONE);
    expect(act).toHaveBeenCalledTimes(2);

    const never = vi.fn(lost);
    expect((await run({ act: never, isRepeatable: true })).error).toMatchObject({ refused: UNKNOWN });
    expect(never).toHaveBeenCalledTimes(2);
  });

  it("is sent only after its step-up, which a repetition does not ask for again", async () => {
    const prove = vi.fn(async (): Promise<Proof> => DONE);
    const act = vi.fn(async () => DONE as Answer).mockImplementationOnce(lost);
    const request = {
      act: "REMOVE_PHONE",
      title: "Remove your phone number",
      confirmLabel: "Remove",
    } as const;
    const proof = () => request;
    await run({ act, proof, isRepeatable: true }, prove);
    expect(prove).toHaveBeenCalledExactlyOnceWith({ ...request, instead: undefined });
    expect(act).toHaveBeenCalledTimes(2);

    const canceled: Proof = { kind: "REFUSED", message: "Your passkey was canceled. Nothing was changed." };
    const unsent = vi.fn(async () => DONE);
    const { error } = await run({ act: unsent, proof }, async () => canceled);
    expect(error).toMatchObject({ refused: canceled, isLost: false });
    expect(unsent).not.toHaveBeenCalled();
  });

  it("asks for no proof where its input needs none", async () => {
    const prove = vi.fn(async (): Promise<Proof> => DONE);
    const proof = (input: string) =>
      input === "given"
        ? null
        : ({ act: "REMOVE_PHONE", title: "Remove it", confirmLabel: "Remove" } as const);
    await run({ proof }, prove);
    expect(prove).not.toHaveBeenCalled();
  });

  it("leaves the router its redirects", async () => {
    const redirect = Object.assign(new Error("NEXT_REDIRECT"), {
      digest: "NEXT_REDIRECT;replace;/overview;307;",
    });
    const { error, observer } = await run({ act: () => Promise.reject(redirect), isRepeatable: true });
    expect(error).toBe(redirect);
    expect(observer.options.throwOnError).toSatisfy((shows: (error: Error) => boolean) => shows(redirect));
    expect(observer.options.throwOnError).not.toSatisfy((shows: (error: Error) => boolean) =>
      shows(new NotDone(UNKNOWN, true)),
    );
  });

  it("keeps nothing of what was typed or answered once its component is gone", async () => {
    const { client, observer } = await run({});
    observer.reset();
    await passWaits();
    expect(client.getMutationCache().getAll()).toEqual([]);
  });
});
