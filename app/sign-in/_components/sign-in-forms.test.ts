import { expect, test } from "vitest";
import { signInMessage } from "@/app/sign-in/_components/sign-in-forms";

test("a refused attempt shows the server's sentence as it is", () => {
  expect(signInMessage({ kind: "FAILED", message: "That did not match." })).toBe("That did not match.");
});

test.each([
  [0, "1\u00a0seconds"],
  [20, "20\u00a0seconds"],
  [61, "2\u00a0minutes"],
  [900, "15\u00a0minutes"],
])("throttled for %i s says when to try again, never too early", (retryAfterSeconds, wait) => {
  expect(signInMessage({ kind: "THROTTLED", retryAfterSeconds })).toBe(
    `Too many attempts. Try again in ${wait}.`,
  );
});
