import { expect, it } from "vitest";
import { plainInput } from "@/app/auth/read-input";

it("the input of a server action is what was sent", () => {
  const form = new FormData();
  for (const input of [null, 7, "x", [], {}, { cardId: { $ne: null } }, form])
    expect(plainInput(input)).toBe(input);
});

it("input that refers to something of the browser is refused before a schema reads it", () => {
  // As React decodes `$T` in an argument.
  const reference = new Proxy(() => undefined, {
    get: (_, name) => {
      throw new Error(`Cannot access ${String(name)} on the server`);
    },
  });
  for (const input of [
    reference,
    { name: reference },
    { name: "x", tags: [reference] },
    { name: "x", tags: reference },
  ])
    expect(plainInput(input)).toBeUndefined();
});

it("input deeper than any of ours is not read", () => {
  const deep = Array.from({ length: 30 }).reduce<unknown>((inner) => [inner], "x");
  expect(plainInput(deep)).toBeUndefined();
});
