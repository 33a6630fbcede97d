import { expect, test } from "vitest";
import { z } from "zod";
import { parseSent } from "@/lib/api/operations/parse-sent";
import { refusalOf } from "@/lib/api/operations/request-fields";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { MAXIMUM_PROBLEMS } from "@/lib/core/shared/parse-input";
import { leastMs } from "@/lib/testing/least-time";

function wordsOf(schema: z.ZodType, sent: unknown): string[] {
  const parsed = parseSent(schema, sent);
  return "problems" in parsed ? parsed.problems.map(({ field, message }) => `${field}: ${message}`) : [];
}

const schema = z.strictObject({
  of: z.enum(["INCOMING_AMOUNT", "SOURCE_BALANCE"]),
  type: z.literal("FIXED"),
  role: z.enum(["OWNER", "VIEWER"], "must be OWNER or VIEWER"),
});
const problems = (sent: unknown) => {
  return wordsOf(schema, sent);
};

test("a missing or invalid choice is reported with the options", () => {
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

test("common mistakes in a rule are reported with what would be right", () => {
  const id = "019aa2d4-1c23-7f27-95db-e4b06a8c2f1b";
  const action = {
    type: "FIXED",
    sourceAccountId: id,
    destinationAccountId: "019aa2d4-1c23-7f27-95db-e4b06a8c2f1c",
    group: 0,
    amountInCents: 100,
  };
  const rule = { name: "x", trigger: { type: "MANUAL", accountId: id }, steps: [{ actions: [action] }] };
  const reported = (overrides: object) => {
    return wordsOf(ruleDefinitionSchema, { ...rule, ...overrides });
  };
  const conditions = (given: unknown) => reported({ steps: [{ conditions: given, actions: [action] }] });
  const firstOfMonth = { fact: "DAY_OF_MONTH", operator: "EQUAL", value: 1 };
  const wanted =
    "steps.0.conditions: must be an object with `all` or `any` that holds the list of comparisons, or null for always";
  expect(reported({})).toEqual([]);
  for (const given of [[firstOfMonth], [], firstOfMonth, '{"all":[]}', 7]) {
    expect(conditions(given)).toEqual([wanted]);
  }
  // If the outline matches, the problem inside it is reported.
  expect(conditions({ all: [{ ...firstOfMonth, value: "FRIDAY" }] })).toEqual([
    "steps.0.conditions.all.0.value: must be a whole number: cents, or a day, where Monday is 1",
  ]);
  expect(conditions({ all: [firstOfMonth], any: [firstOfMonth] })).toEqual([
    "steps.0.conditions.any: is not a field of this operation",
  ]);
  const schedule = { frequency: "WEEKLY", startAt: "2026-01-01T00:00:00Z", timeZone: "America/New_York" };
  for (const dayOfWeek of ["FRIDAY", 8, 0, 1.5]) {
    const trigger = { type: "SCHEDULED", accountId: id, schedule: { ...schedule, dayOfWeek } };
    expect(reported({ trigger })).toEqual([
      "trigger.schedule.dayOfWeek: must be a number, 1 to 7; Monday is 1",
    ]);
  }
  expect(reported({ steps: [{ actions: [{ ...action, type: "REMAINDER" }] }] })).toEqual([
    "steps.0.actions.0.amountInCents: is not a field of REMAINDER, which moves everything except keepInCents",
  ]);
  expect(reported({ steps: JSON.stringify(rule.steps) })).toEqual([
    "steps: must be a list: give JSON, not a string",
  ]);
  expect(reported({ trigger: JSON.stringify(rule.trigger) })).toEqual([
    "trigger: must be an object: give JSON, not a string",
  ]);
  expect(reported({ steps: [{ actions: [JSON.stringify(action)] }] })).toEqual([
    "steps.0.actions.0: must be an object: give JSON, not a string",
  ]);
  expect(reported({ steps: [{ actions: [{ ...action, group: "0" }] }] })).toEqual([
    "steps.0.actions.0.group: must be a number, not a string",
  ]);
});

test("no problem is in the words of the validator's maker", () => {
  const everything = z.strictObject({
    list: z.array(z.string()).min(1).max(3),
    text: z.string().min(2).max(3),
    number: z.number().gt(0).lt(10).multipleOf(0.5),
    whole: z.int(),
    id: z.guid(),
    email: z.email(),
    at: z.iso.datetime(),
    on: z.iso.date(),
    code: z.string().regex(/^a$/),
    record: z.record(z.enum(["a"]), z.number()),
    either: z.union([z.strictObject({ a: z.number() }), z.strictObject({ b: z.number() })]),
    flag: z.boolean(),
  });
  const bad = {
    list: [],
    text: "a",
    number: 0,
    whole: 1e300,
    id: "x",
    email: "x",
    at: "x",
    on: "x",
    code: "b",
  };
  const worse = { list: [1, 2, 3, 4], text: "abcd", number: 10.3, whole: 1.5, record: { b: 1 }, either: 7 };
  const words = [{}, bad, { ...bad, ...worse, flag: "no", more: 1 }, [], null, "x"].flatMap((sent) =>
    wordsOf(everything, sent),
  );
  expect(words).toContain("list: must have at most 3 items");
  expect(words).toContain("text: must have at least 2 characters");
  for (const word of words) {
    expect(word).not.toMatch(/Invalid|Too (big|small)|expected|received|Unrecognized|[<>]=?/);
  }
});

test("a fraction deep inside hides no problem between two other fields, and nothing else appears beside it", () => {
  const id = (end: number) => `019aa2d4-1c23-7f27-95db-e4b06a8c2f1${end}`;
  const action = { type: "FIXED", sourceAccountId: id(1), destinationAccountId: id(2), group: 0 };
  const rule = (limits: unknown, ofTrigger: unknown, amountInCents: unknown) => ({
    name: "x",
    trigger: ofTrigger,
    steps: [{ actions: [{ ...action, amountInCents }] }],
    limits,
  });
  const limit = { id: "a", period: "DAY", amountInCents: 5 };
  const manual = { type: "MANUAL", accountId: id(1) };
  expect(wordsOf(ruleDefinitionSchema, rule([limit, limit], { ...manual, accountId: 1 }, 100))).toEqual([
    "trigger.accountId: must be the UUID of an account",
    "limits: must not contain two limits with one id",
  ]);
  expect(wordsOf(ruleDefinitionSchema, rule([limit], manual, 12.5))).toEqual([
    "steps.0.actions.0.amountInCents: must be a whole number of cents",
  ]);
  const monthly = {
    frequency: "MONTHLY",
    daysOfMonth: [1.5],
    cron: "0 9 * * *",
    timeZone: "UTC",
    startAt: "2026-01-01T00:00:00Z",
  };
  const scheduled = { type: "SCHEDULED", accountId: id(1), schedule: monthly };
  // The days are not readable, so whatever hangs on them is not judged; the limits are.
  expect(wordsOf(ruleDefinitionSchema, rule([limit, limit], scheduled, 100))).toEqual([
    "trigger.schedule.daysOfMonth.0: must be 1 to 31, or -1 for the last day of the month",
    "limits: must not contain two limits with one id",
  ]);
});

test("an answer lists a bounded number of problems, says that there are more, and is found without a delay", () => {
  const thousands = Object.fromEntries(Array.from({ length: 6_000 }, (_, index) => [`field${index}`, 1]));
  const actions = Array.from({ length: 50 }, () => ({ type: "FIXED", upTo: null, limitId: 5 }));
  const bodies = [thousands, { steps: Array.from({ length: 20 }, () => ({ actions })) }];
  for (const body of bodies) {
    const parsed = parseSent(ruleDefinitionSchema, body);
    const { message, details } = refusalOf("problems" in parsed ? parsed.problems : []);
    expect(details).toHaveLength(MAXIMUM_PROBLEMS);
    expect(message).toBe("name: is required: must be a text. There are more than the 100 problems listed.");
  }
  expect(leastMs(() => parseSent(ruleDefinitionSchema, thousands))).toBeLessThan(50);
});

test("nulls in as many fields as a body holds are left out in one copy", () => {
  const fields = Array.from({ length: 2_000 }, (_, index) => [`field${index}`, null]);
  const wide = z.strictObject(Object.fromEntries(fields.map(([name]) => [name, z.string().optional()])));
  expect(parseSent(wide, Object.fromEntries(fields))).toEqual({ data: {} });
  expect(leastMs(() => parseSent(wide, Object.fromEntries(fields)))).toBeLessThan(50);
});
