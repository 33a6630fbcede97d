import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DraftEdit } from "@/app/rules/_components/editor/draft-edit";
import {
  type EditorEvent,
  type EditorState,
  editDraft,
  isHeldByJson,
  openWork,
  parseRule,
  reduceEditor,
  workOf,
} from "@/app/rules/_components/editor/editor-state";
import { layOutJson } from "@/components/parts/sentences/parse-json";
import { emptySchedule, toDraft } from "@/lib/contract/rules/definition-to-draft";
import {
  ACCOUNT_FACTS,
  ACTION_TYPES,
  type ConditionDraft,
  MAXIMUM_ACTIONS,
  MAXIMUM_CONDITIONS,
  MAXIMUM_GROUP,
  MAXIMUM_LIMITS,
  MAXIMUM_STEPS,
  RUN_FACTS,
  type RuleDraft,
  ruleWorkSchema,
} from "@/lib/contract/rules/draft";
import { toCandidate, toDefinition } from "@/lib/contract/rules/draft-to-definition";
import { ruleDefinitionSchema } from "@/lib/contract/rules/rule";
import { proofSeed, proofSize } from "@/lib/testing/proof-size";

const ZONE = "America/New_York";
const ACCOUNTS = [1, 2, 3, 4].map((n) => `00000000-0000-4000-8000-00000000000${n}`);

const blank: RuleDraft = {
  name: "",
  description: "",
  trigger: {
    type: "ON_FUNDS_TRANSFERRED",
    accountId: null,
    minimumAmountInCents: null,
    schedule: emptySchedule(ZONE),
  },
  steps: [{ key: 1, conditions: null, actions: [] }],
  limits: [],
  reason: "",
};

const open = (draft = blank) => openWork({ draft, jsonText: null });
const edit = (state: EditorState, change: DraftEdit) => reduceEditor(state, { kind: "EDIT", edit: change });

const account = fc.constantFrom(...ACCOUNTS, null);
const cents = fc.constantFrom(null, 0, 1, 99, 100, 250_000, -5);
const key = fc.nat(60);
const way = fc.constantFrom(-1 as const, 1 as const);
const partial = <T extends object>(shape: { [Name in keyof T]: fc.Arbitrary<T[Name]> }) =>
  fc.record(shape, { requiredKeys: [] });

const anyEdit: fc.Arbitrary<DraftEdit> = fc.oneof(
  fc.record({
    kind: fc.constant("SET_TEXT" as const),
    field: fc.constantFrom("name" as const, "description" as const, "reason" as const),
    text: fc.constantFrom("", " Payday ", "Split", "x".repeat(80)),
  }),
  fc.record({
    kind: fc.constant("SET_TRIGGER" as const),
    change: partial({
      type: fc.constantFrom("MANUAL" as const, "SCHEDULED" as const, "ON_FUNDS_TRANSFERRED" as const),
      accountId: account,
      minimumAmountInCents: cents,
    }),
  }),
  fc.record({
    kind: fc.constant("SET_SCHEDULE" as const),
    change: partial({
      frequency: fc.constantFrom(
        ...(["ONE_TIME", "DAILY", "WEEKLY", "EVERY_OTHER_WEEK", "TWICE_A_MONTH", "MONTHLY", "CRON"] as const),
      ),
      startAt: fc.constantFrom(null, "2026-11-21T05:00:00.000Z"),
      daysOfMonth: fc.constantFrom<number[]>([1], [1, 15], [15, 15], [-1], []),
      time: fc.constantFrom("09:00", "25:00"),
      cron: fc.constantFrom("0 9 * * 1", "soon"),
      timeZone: fc.constantFrom(ZONE, "Atlantis/Deep"),
    }),
  }),
  fc.constant({ kind: "ADD_STEP" as const }),
  fc.record({ kind: fc.constant("REMOVE_STEP" as const), step: key }),
  fc.record({ kind: fc.constant("MOVE_STEP" as const), step: key, way }),
  fc.record({
    kind: fc.constantFrom("ADD_CONDITION" as const, "ADD_CONDITION_GROUP" as const),
    step: key,
    group: fc.option(key),
  }),
  fc.record({
    kind: fc.constant("SET_MATCH" as const),
    group: key,
    match: fc.constantFrom("ALL" as const, "ANY" as const),
  }),
  fc.record({
    kind: fc.constant("SET_COMPARISON" as const),
    comparison: key,
    change: partial({
      fact: fc.constantFrom(...ACCOUNT_FACTS, ...RUN_FACTS, "DATE" as const),
      accountId: account,
      against: fc.constantFrom("VALUE" as const, "FACT" as const),
      value: cents,
      date: fc.constantFrom(null, "2026-12-31", "2026-13-45"),
      otherFact: fc.constantFrom(...ACCOUNT_FACTS, ...RUN_FACTS),
      otherAccountId: account,
    }),
  }),
  fc.record({ kind: fc.constant("REMOVE_CONDITION" as const), condition: key }),
  fc.record({ kind: fc.constant("ADD_ACTION" as const), step: key, inNewGroup: fc.boolean() }),
  fc.record({
    kind: fc.constant("SET_ACTION" as const),
    action: key,
    change: partial({
      type: fc.constantFrom(...ACTION_TYPES),
      sourceAccountId: account,
      destinationAccountIds: fc.subarray(ACCOUNTS),
      amountInCents: cents,
      percentage: fc.constantFrom(null, 0, 27, 60, 33.3333, 0.00001, 101),
      of: fc.constantFrom("INCOMING_AMOUNT" as const, "SOURCE_BALANCE" as const),
      keepInCents: cents,
      upTo: fc.boolean(),
      description: fc.constantFrom(null, "RENT", "not a label!"),
    }),
  }),
  fc.record({ kind: fc.constant("REMOVE_ACTION" as const), action: key }),
  fc.record({ kind: fc.constant("MOVE_ACTION" as const), action: key, way }),
  fc.record({
    kind: fc.constant("SET_LIMIT" as const),
    action: key,
    called: fc.constantFrom("Payroll", "Owner’s pay", "…"),
    change: partial({ period: fc.constantFrom("DAY" as const, "TRANSFER" as const), amountInCents: cents }),
  }),
  fc.record({
    kind: fc.constant("USE_LIMIT" as const),
    action: key,
    limitId: fc.constantFrom(null, "payroll", "owner-s-pay", "nothing"),
  }),
);
const anyEvent: fc.Arbitrary<EditorEvent> = fc.oneof(
  { weight: 20, arbitrary: anyEdit.map((change) => ({ kind: "EDIT" as const, edit: change })) },
  { weight: 1, arbitrary: fc.constant({ kind: "TYPE_JSON" as const, text: "{ not json" }) },
  { weight: 1, arbitrary: fc.constant({ kind: "DROP_JSON" as const }) },
);

function keysOf(draft: RuleDraft): number[] {
  const below = (node: ConditionDraft): number[] =>
    node.kind === "GROUP" ? [node.key, ...node.members.flatMap(below)] : [node.key];
  return draft.steps.flatMap((step) => [
    step.key,
    ...step.actions.map((action) => action.key),
    ...(step.conditions ? below(step.conditions) : []),
  ]);
}

/** Whether the editor has a part with this name. */
function hasPart(draft: RuleDraft, part: string): boolean {
  const match = /^([sca])(\d+)(\.\w+)?$/.exec(part);
  if (match) return keysOf(draft).includes(Number(match[2]));
  return /^(name|description|trigger\.(account|minimum)|schedule\.(frequency|time|start|zone))$/.test(part);
}

/** Redirects a random edit to an existing part. */
function aimed(draft: RuleDraft, event: EditorEvent): EditorEvent {
  if (event.kind !== "EDIT") return event;
  const below = (node: ConditionDraft): ConditionDraft[] =>
    node.kind === "GROUP" ? [node, ...node.members.flatMap(below)] : [node];
  const conditions = draft.steps.flatMap((step) => (step.conditions ? below(step.conditions) : []));
  const there: Record<string, number[]> = {
    step: draft.steps.map((step) => step.key),
    action: draft.steps.flatMap((step) => step.actions.map((action) => action.key)),
    condition: conditions.map((node) => node.key),
    comparison: conditions.filter((node) => node.kind === "COMPARISON").map((node) => node.key),
    group: conditions.filter((node) => node.kind === "GROUP").map((node) => node.key),
  };
  const fields = Object.entries(event.edit).map(([name, value]) => {
    const keys = there[name] ?? [];
    return [name, typeof value === "number" && name !== "way" ? (keys[value % keys.length] ?? value) : value];
  });
  return { kind: "EDIT", edit: Object.assign(event.edit, Object.fromEntries(fields)) };
}

/** Fixes each reported problem until none is left. */
function fixAll(draft: RuleDraft): RuleDraft {
  let fixed = draft;
  for (let round = 0; round < 20; round++) {
    const result = toDefinition(fixed);
    if (result.kind === "RULE") return fixed;
    for (const { part } of result.problems) {
      for (const change of fixesFor(fixed, part)) fixed = editDraft(fixed, change).draft;
    }
  }
  return fixed;
}

function fixesFor(draft: RuleDraft, part: string): DraftEdit[] {
  const [, kind, id, field] = /^([sca])(\d+)(?:\.(\w+))?$/.exec(part) ?? [];
  const [source = "", destination = "", other = ""] = ACCOUNTS;
  if (kind === "c") {
    const value = { fact: "INCOMING_AMOUNT", against: "VALUE", value: 1 } as const;
    return [{ kind: "SET_COMPARISON", comparison: Number(id), change: value }];
  }
  if (kind === "s") {
    const actions = draft.steps.find((step) => step.key === Number(id))?.actions ?? [];
    if (actions.length === 0) return [{ kind: "ADD_ACTION", step: Number(id), inNewGroup: false }];
    return actions.map((action) => ({ kind: "SET_ACTION", action: action.key, change: { percentage: 1 } }));
  }
  if (kind === "a") {
    const action = Number(id);
    const set = (change: Extract<DraftEdit, { kind: "SET_ACTION" }>["change"]): DraftEdit[] => [
      { kind: "SET_ACTION", action, change },
    ];
    if (field === "limit")
      return [{ kind: "SET_LIMIT", action, called: "Fixed", change: { amountInCents: 1 } }];
    if (field === "amount") return set({ amountInCents: 100, percentage: 1 });
    if (field === "keep") return set({ keepInCents: 0 });
    if (field === "label") return set({ description: null });
    const from = draft.steps.flatMap(({ actions }) => actions).find((candidate) => candidate.key === action);
    const taken = from?.sourceAccountId ?? source;
    return set({
      sourceAccountId: taken,
      destinationAccountIds: [taken === destination ? other : destination],
    });
  }
  if (part === "name") return [{ kind: "SET_TEXT", field: "name", text: "Fixed" }];
  if (part === "trigger.account") return [{ kind: "SET_TRIGGER", change: { accountId: source } }];
  if (part === "trigger.minimum") return [{ kind: "SET_TRIGGER", change: { minimumAmountInCents: null } }];
  const change = {
    frequency: "DAILY",
    time: "09:00",
    timeZone: ZONE,
    startAt: "2026-11-21T05:00:00Z",
  } as const;
  return [{ kind: "SET_SCHEDULE", change }];
}

describe("the editor's state", () => {
  it("is, after any edits, a valid rule or a draft with named problems", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 80 }), (events) => {
        const start = edit(edit(open(), { kind: "ADD_ACTION", step: 1, inNewGroup: false }), {
          kind: "SET_ACTION",
          action: 2,
          change: { percentage: 10, destinationAccountIds: ACCOUNTS.slice(0, 1) },
        });
        const state = events.reduce(
          (before, event) => reduceEditor(before, aimed(before.draft, event)),
          start,
        );
        const { draft } = state;
        expect(ruleWorkSchema.parse(JSON.parse(JSON.stringify(workOf(state))))).toEqual(workOf(state));
        const keys = keysOf(draft);
        expect(new Set(keys).size).toBe(keys.length);
        for (const { actions } of draft.steps) {
          expect(actions.map(({ group }) => group)).toEqual(
            actions.map(({ group }) => group).sort((a, b) => a - b),
          );
        }
        const result = toDefinition(draft);
        if (result.kind === "INCOMPLETE") {
          expect(result.problems).not.toEqual([]);
          expect(result.problems.filter(({ part }) => !hasPart(draft, part))).toEqual([]);
          expect(result.problems.every(({ message }) => /^[A-Z].*[.!]$/.test(message))).toBe(true);
        }
        const fixed = fixAll(draft);
        const rule = toDefinition(fixed);
        if (rule.kind !== "RULE")
          throw new Error(`Fixing the named problems left ${JSON.stringify(rule.problems)}`);
        expect(ruleDefinitionSchema.parse(toCandidate(fixed))).toEqual(rule.definition);
        // Opening a saved rule loses nothing.
        expect(toDefinition(toDraft(rule.definition, ZONE))).toEqual(rule);
      }),
      { seed: proofSeed, numRuns: proofSize(400, 10_000) },
    );
  });

  it("shows the same rule in JSON and in words", () => {
    const state = finished();
    const text = layOutJson(toCandidate(state.draft));
    const typed = reduceEditor(state, { kind: "TYPE_JSON", text });
    expect(typed.json).toEqual({ text, problems: [] });
    expect(toDefinition(typed.draft)).toEqual(toDefinition(state.draft));
    expect(parseRule(text).kind).toBe("VALUE");
  });

  it("keeps invalid JSON, and blocks edits in words until it is dropped", () => {
    const broken = reduceEditor(finished(), { kind: "TYPE_JSON", text: '{ "name": ' });
    expect(isHeldByJson(broken)).toBe(true);
    const held = edit(broken, { kind: "SET_TEXT", field: "name", text: "Other" });
    expect(held.draft.name).toBe("Payday");
    expect(held.json?.text).toBe('{ "name": ');
    const dropped = edit(reduceEditor(held, { kind: "DROP_JSON" }), {
      kind: "SET_TEXT",
      field: "name",
      text: "Other",
    });
    expect(dropped).toMatchObject({ json: null, draft: { name: "Other" } });
    expect(openWork(workOf(broken)).json).toEqual(broken.json);
  });

  it("names the field of every problem in typed JSON, even in unions", () => {
    const candidate = toCandidate(finished().draft);
    const [step] = candidate.steps;
    const conditions = { all: [{ fact: "BALANCE", accountId: ACCOUNTS[0], operator: "EQUALS", value: 1 }] };
    const text = layOutJson({ ...candidate, steps: [{ ...step, conditions }], surplus: 1 });
    const parsed = parseRule(text);
    if (parsed.kind === "VALUE") throw new Error("Expected text that is not a rule");
    expect(parsed.problems.map(({ field }) => field)).toEqual([
      "steps.0.conditions.all.0.operator",
      "surplus",
    ]);
    expect(parseRule('{\n  "name": x }')).toMatchObject({
      problems: [{ field: null, message: expect.stringContaining("is not JSON") }],
    });
  });

  it("rejects edits beyond a bound with a notice", () => {
    let state = open();
    for (let count = 1; count < MAXIMUM_STEPS; count++) state = edit(state, { kind: "ADD_STEP" });
    expect(state.draft.steps).toHaveLength(MAXIMUM_STEPS);
    const beyond = edit(state, { kind: "ADD_STEP" });
    expect(beyond).toMatchObject({ draft: state.draft, notice: expect.stringContaining("at most 20 steps") });

    let full = open();
    for (let count = 0; count < MAXIMUM_ACTIONS; count++) {
      full = edit(full, { kind: "ADD_ACTION", step: 1, inNewGroup: true });
    }
    expect(full.draft.steps[0]?.actions.at(-1)?.group).toBe(MAXIMUM_GROUP);
    expect(edit(full, { kind: "ADD_ACTION", step: 1, inNewGroup: false }).notice).toContain(
      "at most 50 actions",
    );
    const keys = full.draft.steps[0]?.actions.map((action) => action.key) ?? [];
    for (const action of keys) full = edit(full, { kind: "SET_LIMIT", action, called: "Rent", change: {} });
    expect(full.draft.limits).toHaveLength(MAXIMUM_LIMITS);
    expect(full.notice).toContain("at most 20 limits");

    let asking = open();
    for (let count = 0; count <= MAXIMUM_CONDITIONS; count++) {
      asking = edit(asking, { kind: "ADD_CONDITION", step: 1, group: null });
    }
    expect(asking.draft.steps[0]?.conditions?.members).toHaveLength(MAXIMUM_CONDITIONS);
    expect(asking.notice).toContain("at most 20 conditions");
  });

  it("nests conditions at most three levels deep", () => {
    let state = edit(open(), { kind: "ADD_CONDITION", step: 1, group: null });
    for (let depth = 0; depth < 3; depth++) {
      let deepest = state.draft.steps[0]?.conditions;
      for (let at = 0; at < depth; at++) {
        const inner = deepest?.members.find((member) => member.kind === "GROUP");
        deepest = inner?.kind === "GROUP" ? inner : null;
      }
      state = edit(state, { kind: "ADD_CONDITION_GROUP", step: 1, group: deepest?.key ?? null });
    }
    expect(state.notice).toContain("at most 3 levels deep");
    expect(ruleWorkSchema.safeParse(workOf(state)).success).toBe(true);
  });

  it("moves an action past the edge of its group, and past the last into a new group", () => {
    let state = open();
    for (let count = 0; count < 3; count++) {
      state = edit(state, { kind: "ADD_ACTION", step: 1, inNewGroup: count === 2 });
    }
    const order = () => state.draft.steps[0]?.actions.map(({ key: id, group }) => `${id}:${group}`);
    expect(order()).toEqual(["2:0", "3:0", "4:1"]);
    state = edit(state, { kind: "MOVE_ACTION", action: 2, way: 1 });
    expect(order()).toEqual(["3:0", "2:0", "4:1"]);
    state = edit(state, { kind: "MOVE_ACTION", action: 2, way: 1 });
    expect(order()).toEqual(["3:0", "2:1", "4:1"]);
    state = edit(state, { kind: "MOVE_ACTION", action: 4, way: 1 });
    expect(order()).toEqual(["3:0", "2:1", "4:2"]);
    state = edit(state, { kind: "MOVE_ACTION", action: 4, way: 1 });
    expect(state.notice).toBe("It is already last.");
    state = edit(state, { kind: "MOVE_ACTION", action: 3, way: 1 });
    expect(order()).toEqual(["3:0", "2:0", "4:1"]);
  });

  it("shares a limit between actions, and drops it with the last of them", () => {
    let state = open();
    for (let count = 0; count < 2; count++)
      state = edit(state, { kind: "ADD_ACTION", step: 1, inNewGroup: false });
    state = edit(state, {
      kind: "SET_LIMIT",
      action: 2,
      called: "Owner’s pay",
      change: { amountInCents: 600_000 },
    });
    state = edit(state, { kind: "USE_LIMIT", action: 3, limitId: "owner-s-pay" });
    state = edit(state, { kind: "REMOVE_ACTION", action: 2 });
    expect(state.draft.limits).toEqual([{ id: "owner-s-pay", period: "MONTH", amountInCents: 600_000 }]);
    state = edit(state, { kind: "USE_LIMIT", action: 3, limitId: null });
    expect(state.draft.limits).toEqual([]);
  });

  it("keeps the start date of a schedule when its zone or time changes", () => {
    let state = edit(open(), {
      kind: "SET_SCHEDULE",
      change: { frequency: "ONE_TIME", startAt: "2026-03-08T05:00:00.000Z", time: "09:00" },
    });
    // Clocks go forward in New York that night.
    state = edit(state, { kind: "SET_SCHEDULE", change: { time: "17:30" } });
    expect(state.draft.trigger.schedule.startAt).toBe("2026-03-08T21:30:00.000Z");
    state = edit(state, { kind: "SET_SCHEDULE", change: { timeZone: "Europe/Berlin" } });
    expect(state.draft.trigger.schedule.startAt).toBe("2026-03-08T16:30:00.000Z");
    state = edit(state, { kind: "SET_SCHEDULE", change: { frequency: "DAILY" } });
    expect(state.draft.trigger.schedule.startAt).toBe("2026-03-07T23:00:00.000Z");
  });
});

/** A rule with every kind of part. */
function finished(): EditorState {
  const edits: DraftEdit[] = [
    { kind: "SET_TEXT", field: "name", text: "Payday" },
    { kind: "SET_TRIGGER", change: { accountId: ACCOUNTS[0] ?? null } },
    { kind: "ADD_ACTION", step: 1, inNewGroup: false },
    {
      kind: "SET_ACTION",
      action: 2,
      change: { percentage: 27, destinationAccountIds: ACCOUNTS.slice(1, 2) },
    },
    { kind: "SET_LIMIT", action: 2, called: "Taxes", change: { amountInCents: 600_000 } },
    { kind: "ADD_CONDITION", step: 1, group: null },
    { kind: "SET_COMPARISON", comparison: 5, change: { value: 100_000 } },
  ];
  return edits.reduce(edit, open());
}
