import { expect, test } from "vitest";
import { z } from "zod";
import { toProblems } from "@/lib/doors/operations/to-problems";

const schema = z.strictObject({
  of: z.enum(["INCOMING_AMOUNT", "SOURCE_BALANCE"]),
  type: z.literal("FIXED"),
  role: z.enum(["OWNER", "VIEWER"], "must be OWNER or VIEWER"),
});
const problems = (sent: unknown) => {
  const parsed = schema.safeParse(sent, { reportInput: true });
  return toProblems(parsed.error?.issues ?? []).map(({ field, message }) => `${field}: ${message}`);
};

test("a choice that is missing or wrong is told with what there is to choose from", () => {
  expect(problems({})).toEqual([
    "of: is required: must be one of INCOMING_AMOUNT, SOURCE_BALANCE",
    "type: is required: must be FIXED",
    "role: is required: must be OWNER or VIEWER",
  ]);
  expect(problems({ of: "ALL", type: "FIXED", role: "KING" })).toEqual([
    "of: must be one of INCOMING_AMOUNT, SOURCE_BALANCE",
    "role: must be OWNER or VIEWER",
  ]);
});
