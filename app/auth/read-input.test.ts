import { describe, expect, it } from "vitest";
import { z } from "zod";
import { formOf, readInput } from "@/app/auth/read-input";

describe("the input of a server action", () => {
  const schema = z.object({ cardId: z.uuid() });

  it("is what its schema makes of it", () => {
    const cardId = "019a9c52-7a10-7c3e-8d21-5b7f0c4e9a11";
    expect(readInput(schema, { cardId, more: 1 })).toEqual({ cardId });
  });

  it.each([null, undefined, 7, "x", [], {}, { cardId: "x" }, { cardId: { $ne: null } }])(
    "that no page sends (%j) is refused as the caller's mistake, not logged as a server error",
    (input) => {
      expect(() => readInput(schema, input)).toThrow(
        expect.objectContaining({ name: "AppError", code: "INVALID_PARAMETERS" }),
      );
    },
  );

  it("that refers to something of the browser is refused before a schema reads it", () => {
    // As React decodes `$T` in an argument.
    const reference = new Proxy(() => undefined, {
      get: (_, name) => {
        throw new Error(`Cannot access ${String(name)} on the server`);
      },
    });
    const texts = z.object({ name: z.string().min(1), tags: z.array(z.string()).min(1).optional() });
    for (const input of [
      reference,
      { name: reference },
      { name: "x", tags: [reference] },
      { name: "x", tags: reference },
    ]) {
      expect(() => readInput(texts, input)).toThrow(expect.objectContaining({ code: "INVALID_PARAMETERS" }));
    }
  });
});

it("a missing form has no fields, and a real one is unchanged", () => {
  const form = new FormData();
  form.set("reason", "late");
  expect(formOf(form).get("reason")).toBe("late");
  for (const given of [undefined, null, "x", [], {}, { get: "x" }]) expect([...formOf(given)]).toEqual([]);
});
