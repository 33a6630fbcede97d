import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readInput } from "@/app/auth/read-input";

describe("the input of a server action", () => {
  const schema = z.object({ cardId: z.uuid() });

  it("is what its schema makes of it", () => {
    const cardId = "019a9c52-7a10-7c3e-8d21-5b7f0c4e9a11";
    expect(readInput(schema, { cardId, more: 1 })).toEqual({ cardId });
  });

  it.each([null, undefined, 7, "x", [], {}, { cardId: "x" }, { cardId: { $ne: null } }])(
    "that no page sends (%j) is refused in a sentence, as its caller's mistake and not as a fault of ours",
    (input) => {
      expect(() => readInput(schema, input)).toThrow(
        expect.objectContaining({ name: "AppError", code: "INVALID_PARAMETERS" }),
      );
    },
  );
});
