import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createSingleKeys, QUIET_MS, REST_MS } from "@/components/ui/single-keys/single-keys";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

function arrange() {
  let at = 0;
  let isDialogOpen = false;
  const keys = createSingleKeys({ now: () => at, mayAct: () => !isDialogOpen });
  const acted: string[] = [];
  let texts = 0;
  keys.listen({
    onKey: (key) => acted.push(key) > 0,
    onText: () => {
      texts += 1;
    },
  });
  const wait = (ms: number) => {
    at += ms;
    vi.advanceTimersByTime(ms);
  };
  return {
    keys,
    acted,
    wait,
    texts: () => texts,
    openDialog: () => {
      isDialogOpen = true;
    },
    type: (text: string, gapMs = 120) => {
      for (const key of text) {
        keys.press(key);
        wait(gapMs);
      }
    },
  };
}

describe("a single key", () => {
  it("acts once silence followed it", () => {
    const { keys, acted, wait } = arrange();
    keys.press("a");
    wait(QUIET_MS - 1);
    expect(acted).toEqual([]);
    wait(1);
    expect(acted).toEqual(["a"]);
  });

  it("acts again when pressed again slowly, as approving asks for", () => {
    const { acted, wait, type } = arrange();
    type("a", QUIET_MS + 50);
    wait(400);
    type("a", QUIET_MS + 50);
    expect(acted).toEqual(["a", "a"]);
  });

  it("follows G at any speed", () => {
    const fast = arrange();
    fast.type("go", 40);
    fast.wait(QUIET_MS);
    expect(fast.acted).toEqual(["g", "o"]);
    const slow = arrange();
    slow.type("go", 600);
    expect(slow.acted).toEqual(["g", "o"]);
  });

  it("moves through a list at once, however fast", () => {
    const { acted, type } = arrange();
    type("jjkj", 30);
    expect(acted).toEqual(["j", "j", "k", "j"]);
  });

  it("rests for a second after the page changed by itself, also where it was pressed just before", () => {
    const { keys, acted, wait, type } = arrange();
    keys.press("a");
    wait(QUIET_MS - 10);
    keys.rest();
    wait(QUIET_MS);
    keys.press("j");
    type("a", QUIET_MS);
    expect(acted).toEqual([]);
    wait(REST_MS);
    type("a", QUIET_MS);
    expect(acted).toEqual(["a"]);
  });

  it("does nothing where a dialog opened since", () => {
    const { keys, acted, wait, openDialog } = arrange();
    keys.press("d");
    openDialog();
    wait(QUIET_MS);
    expect(acted).toEqual([]);
  });
});

describe("text that is typed fast", () => {
  it("acts in no part, whatever it is and however it ends", () => {
    const text = fc.string({
      unit: fc.constantFrom(..."abdegmo?1"),
      minLength: 3,
      maxLength: 20,
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 10, max: QUIET_MS }), (typed, gapMs) => {
        const { acted, type, wait, texts, keys } = arrange();
        type(typed, gapMs - 1);
        expect(keys.isTyping()).toBe(true);
        wait(5 * REST_MS);
        expect(acted).toEqual([]);
        expect(texts()).toBe(1);
        expect(keys.isTyping()).toBe(false);
      }),
    );
  });

  it("is still text after a short pause", () => {
    const { acted, wait, type } = arrange();
    type("pass", 90);
    wait(600);
    type("a", QUIET_MS + 1);
    expect(acted).toEqual([]);
  });

  it("may go into a field that its first key opened", () => {
    const { keys, acted } = arrange();
    expect(keys.press("/")).toBe(true);
    expect(acted).toEqual(["/"]);
  });
});
