import { beforeAll, expect, test } from "vitest";
import type { z } from "zod";
import { type RuleDefinition, storedRuleDefinitionSchema } from "@/lib/contract/rules/rule";
import { rulesSearchSchema } from "@/lib/contract/search/search-schemas";
import { createRule } from "@/lib/core/rules/save-rule";
import { nextOccurrence } from "@/lib/engine/schedule/occurrences";
import { createTestApi } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { createTestMcp } from "@/lib/testing/mcp";
import { createTestOrganization } from "@/lib/testing/organization";
import { anythingWithRules, makeActive } from "@/lib/testing/rules/rules";
import { createTestServices } from "@/lib/testing/services";
import { readRuleEditor } from "@/lib/views/rules/read-rule-editor";
import { readRulePage } from "@/lib/views/rules/read-rule-page";
import { readRulesPage } from "@/lib/views/rules/read-rules-page";
import { phrasesText } from "@/lib/words/rules/phrases";
import { ruleSentence } from "@/lib/words/rules/rule-sentence";

/**
 * What a rule may say has bounds, and what was stored before them is still read, shown and edited: one value that cannot
 * be shown must not hide its rule, or the list around it.
 */

const database = useTestDatabase();
let setting: Awaited<ReturnType<typeof arrange>>;
beforeAll(async () => {
  setting = await arrange();
});

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({ name: "Operating", type: "POD" });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey(anythingWithRules(false));
  const call = createTestApi(services);
  return { services, clock, organization, operating, taxes, key, call, mcp: createTestMcp(services) };
}

const time = (timeZone = "Pacific/Kiritimati") => ({
  nowAt: setting.clock.now().toISOString(),
  timeZone,
  locale: "en-US",
});
const member = () => ({ ...setting.organization.owner, now: setting.clock.now() });

type Input = z.input<typeof storedRuleDefinitionSchema>;

function definition(overrides: Record<string, unknown> = {}, share: Record<string, unknown> = {}) {
  const { operating, taxes } = setting;
  const action = { type: "PERCENTAGE", sourceAccountId: operating, destinationAccountId: taxes, group: 0 };
  return {
    name: "Set aside taxes",
    trigger: { type: "MANUAL", accountId: operating },
    steps: [{ actions: [{ ...action, percentage: 25, of: "SOURCE_BALANCE", ...share }] }],
    ...overrides,
  };
}

function scheduled(startAt: string, more: Record<string, unknown> = {}) {
  const schedule = { frequency: "DAILY", startAt, timeZone: "Pacific/Kiritimati", ...more };
  return definition({ trigger: { type: "SCHEDULED", accountId: setting.operating, schedule } });
}

const onDate = (value: string) => {
  const conditions = { all: [{ fact: "DATE", operator: "LESS_THAN", value }] };
  return definition({ steps: [{ conditions, actions: definition().steps[0]?.actions }] });
};

const create = (body: object) => setting.call(setting.key.text, "POST", "/rules", { body });
const problemOf = async (body: object) => {
  const { status, body: answer } = await create(body);
  return [status, Object(answer).error?.details];
};

test.each([
  "9999-12-31T23:59:59-23:59",
  "0000-01-01T00:00:00Z",
  "1970-01-01T00:00:00+00:01",
  "1969-12-31T23:59:59Z",
])("a start at %s, outside the years that can be returned, is refused", async (startAt) => {
  const message = "must be in the years 1970 to 9999 of UTC";
  expect(await problemOf(scheduled(startAt))).toEqual([
    400,
    [{ field: "trigger.schedule.startAt", message }],
  ]);
});

test.each(["0000-01-01", "1969-12-31"])("a comparison with the date %s is refused", async (date) => {
  const message = "must be in the years 1970 to 9999";
  expect(await problemOf(onDate(date))).toEqual([
    400,
    [{ field: "steps.0.conditions.all.0.value", message }],
  ]);
});

test.each([1e-20, 5e-324, 0.00001, 33.33333, 99.99999999999999])(
  "a share of %d percent is refused",
  async (percentage) => {
    const message = "must have at most four decimals";
    expect(await problemOf(definition({}, { percentage }))).toEqual([
      400,
      [{ field: "steps.0.actions.0.percentage", message }],
    ]);
  },
);

test.each([0.0001, 33.3333, 66.6667, 99.9999, 100, 1.1])(
  "a share of %d percent is a share",
  async (percentage) => {
    const { status, body } = await create(definition({}, { percentage }));
    expect([status, Object(body).data?.steps[0].actions[0].percentage]).toEqual([201, percentage]);
  },
);

test.each([" ", "\u3000", "\u0301", " \u0301\u0302", ""])(
  "the name %j shows nothing and is refused",
  async (name) => {
    expect(await problemOf(definition({ name }))).toEqual([
      400,
      [{ field: "name", message: expect.stringMatching(/^must not be (blank|empty)$/) }],
    ]);
  },
);

test("a name is stored without the spaces around it", async () => {
  const { body } = await create(definition({ name: " Taxes\u3000" }));
  expect(Object(body).data.name).toBe("Taxes");
});

const STORED: [string, () => object][] = [
  ["a start after year 9999", () => scheduled("9999-12-31T23:59:59-23:59")],
  ["a start after year 9999 in its zone", () => scheduled("9999-12-31T23:59:59Z")],
  ["one run after year 9999", () => scheduled("9999-12-31T23:59:59-23:59", { frequency: "ONE_TIME" })],
  ["one run at the end of 9999", () => scheduled("9999-12-31T23:59:59Z", { frequency: "ONE_TIME" })],
  ["a start in year 0", () => scheduled("0000-01-01T00:00:00Z")],
  [
    "every other week since year 0",
    () => scheduled("0000-01-01T00:00:00Z", { frequency: "EVERY_OTHER_WEEK", dayOfWeek: 5 }),
  ],
  ["a fraction of 300 digits", () => scheduled(`2027-01-01T00:00:00.${"0".repeat(300)}Z`)],
  ["a date of year 0", () => onDate("0000-01-01")],
  ["a share of nearly nothing", () => definition({}, { percentage: 1e-20 })],
  ["a blank name", () => definition({ name: " " })],
];

const asStored = (input: object): RuleDefinition => storedRuleDefinitionSchema.parse(input as Input);

test.each(STORED)(
  "a rule stored with %s is listed, shown, in words, and can be edited",
  async (_, stored) => {
    const { services, key, call, mcp } = setting;
    const { id } = await writeStored(asStored(stored()));
    // A list with it still has the others.
    const { id: other } = await writeStored(asStored(definition()));
    const list = await call(key.text, "GET", "/rules?pageSize=100");
    expect(Object(list.body).data.items.map((rule: { id: string }) => rule.id)).toEqual(
      expect.arrayContaining([id, other]),
    );
    expect((await call(key.text, "GET", `/rules/${id}`)).status).toBe(200);
    for (const [tool, sent] of [
      ["listRules", {}],
      ["getRule", { id }],
    ] as const) {
      const reported = await mcp.callTool(key.text, tool, sent);
      expect([reported.isError, reported.text.includes(id)]).toEqual([false, true]);
    }
    const page = await readRulesPage(
      { services, context: member(), time: time() },
      rulesSearchSchema.parse({}),
    );
    expect(page.rules.find((rule) => rule.id === id)?.line).toEqual(expect.any(String));
    const shown = await readRulePage(
      { services, context: member(), time: time() },
      { ruleId: id, version: null },
    );
    if (!shown || !("definition" in shown)) throw new Error("The rule is shown as unreadable");
    expect(phrasesText(ruleSentence(shown.definition, {}))).toEqual(expect.any(String));
    const editor = await readRuleEditor({ services, context: member(), time: time() }, id);
    expect(editor.work.draft.steps).toHaveLength(1);
    const edited = await call(key.text, "PUT", `/rules/${id}`, { body: definition({ name: "Edited" }) });
    expect([edited.status, Object(edited.body).data?.version]).toEqual([200, 2]);
  },
);

/** Through the command, as a version without today's bounds wrote it. */
async function writeStored(rule: RuleDefinition): Promise<{ id: string }> {
  const { services, key, clock } = setting;
  const sent = { method: "POST", path: "/rules", idempotencyKey: null, calledReason: null, body: null };
  const request = { sent, auditAction: null, status: 201, idempotency: null };
  const written = await createRule(services, { ...key.context, now: clock.now() }, rule, request);
  const { id } = Object(written.body).data;
  await makeActive(database, id);
  return { id };
}

test("a schedule that starts after every calendar has no next run", () => {
  const { trigger } = asStored(scheduled("9999-12-31T23:59:59-23:59"));
  if (trigger.type !== "SCHEDULED") throw new Error("The trigger has no schedule");
  expect(nextOccurrence(trigger.schedule, setting.clock.now())).toBeNull();
});
