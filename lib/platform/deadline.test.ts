import { getEventListeners, once } from "node:events";
import { expect, test } from "vitest";
import { openDeadline } from "@/lib/platform/deadline";

/** Protects: what is bounded in time ends, and leaves nothing behind on a signal that lives on. */

test("aborts when its time is over, and says that it is", async () => {
  const deadline = openDeadline(5);
  await once(deadline.signal, "abort");
  expect(deadline.isOver()).toBe(true);
  expect(deadline.signal.reason).toMatchObject({ name: "TimeoutError" });
});

test("aborts with the other signal, at once if that was aborted before", () => {
  const stopping = new AbortController();
  const [first, closed] = [openDeadline(60_000, stopping.signal), openDeadline(60_000, stopping.signal)];
  closed.close();
  expect(getEventListeners(stopping.signal, "abort")).toHaveLength(1);
  stopping.abort("stopping");
  const second = openDeadline(60_000, stopping.signal);
  for (const deadline of [first, second]) {
    expect(deadline.signal.reason).toBe("stopping");
    expect(deadline.isOver()).toBe(false);
    deadline.close();
  }
  expect(closed.signal.aborted).toBe(false);
});
