import { type DraftEdit, type Edited, freeKey, type Way } from "@/app/rules/_components/editor/draft-edit";
import {
  type ActionDraft,
  type LimitDraft,
  MAXIMUM_ACTIONS,
  MAXIMUM_GROUP,
  MAXIMUM_LIMITS,
  type RuleDraft,
} from "@/lib/contract/rules/draft";
import { isOverDebts } from "@/lib/contract/rules/draft-to-definition";

type ActionEdit = Extract<
  DraftEdit,
  { kind: "ADD_ACTION" | "SET_ACTION" | "REMOVE_ACTION" | "MOVE_ACTION" | "SET_LIMIT" | "USE_LIMIT" }
>;

export function editActions(draft: RuleDraft, edit: ActionEdit): Edited {
  switch (edit.kind) {
    case "ADD_ACTION":
      return addAction(draft, edit);
    case "SET_ACTION":
      return same(changeAction(draft, edit.action, (action) => changed(action, edit.change)));
    case "REMOVE_ACTION": {
      const next = changeSteps(draft, (actions) => inOrder(actions.filter(({ key }) => key !== edit.action)));
      return { draft: dropUnusedLimits(next, draft), notice: next === draft ? null : "Action removed." };
    }
    case "MOVE_ACTION":
      return moveAction(draft, edit.action, edit.way);
    case "SET_LIMIT":
      return setLimit(draft, edit);
    case "USE_LIMIT": {
      if (edit.limitId !== null && !draft.limits.some(({ id }) => id === edit.limitId)) return same(draft);
      const next = changeAction(draft, edit.action, (action) => ({ ...action, limitId: edit.limitId }));
      return same(dropUnusedLimits(next, draft));
    }
  }
}

const same = (draft: RuleDraft): Edited => ({ draft, notice: null });

function changed(action: ActionDraft, change: Partial<ActionDraft>): ActionDraft {
  const next = { ...action, ...change, key: action.key };
  if (isOverDebts(next.type)) return next;
  return { ...next, destinationAccountIds: next.destinationAccountIds.slice(0, 1) };
}

function addAction(draft: RuleDraft, edit: Extract<ActionEdit, { kind: "ADD_ACTION" }>): Edited {
  const step = draft.steps.find(({ key }) => key === edit.step);
  if (!step) return same(draft);
  if (step.actions.length >= MAXIMUM_ACTIONS) {
    return { draft, notice: `A step has at most ${MAXIMUM_ACTIONS} actions.` };
  }
  const actions = inOrder(step.actions);
  const last = actions.at(-1)?.group ?? -1;
  const group = edit.inNewGroup || last < 0 ? last + 1 : last;
  if (group > MAXIMUM_GROUP) return { draft, notice: `A step has at most ${MAXIMUM_GROUP + 1} groups.` };
  const isOnArrival = draft.trigger.type === "ON_FUNDS_TRANSFERRED";
  const action: ActionDraft = {
    key: freeKey(draft),
    type: isOnArrival ? "PERCENTAGE" : "FIXED",
    sourceAccountId: draft.trigger.accountId,
    destinationAccountIds: [],
    amountInCents: null,
    percentage: null,
    of: isOnArrival ? "INCOMING_AMOUNT" : "SOURCE_BALANCE",
    keepInCents: 0,
    group,
    upTo: false,
    limitId: null,
    description: null,
  };
  const steps = draft.steps.map((other) =>
    other === step ? { ...step, actions: [...actions, action] } : other,
  );
  return { draft: { ...draft, steps }, notice: `Action ${actions.length + 1} added to group ${group + 1}.` };
}

/** In run order, with groups numbered without gaps. */
function inOrder(actions: readonly ActionDraft[]): ActionDraft[] {
  const sorted = actions.toSorted((one, other) => one.group - other.group);
  const numbers = [...new Set(sorted.map(({ group }) => group))];
  return sorted.map((action) => ({ ...action, group: numbers.indexOf(action.group) }));
}

/** One place up or down: past the edge of its group into the next, past the last group into a new one. */
function moveAction(draft: RuleDraft, key: number, way: Way): Edited {
  const step = draft.steps.find(({ actions }) => actions.some((action) => action.key === key));
  if (!step) return same(draft);
  const actions = inOrder(step.actions);
  const from = actions.findIndex((action) => action.key === key);
  const moved = actions[from];
  const neighbor = actions[from + way];
  if (!moved) return same(draft);
  let next: ActionDraft[];
  if (neighbor && neighbor.group === moved.group) {
    next = actions.toSpliced(from, 1).toSpliced(from + way, 0, moved);
  } else {
    const isAlone = actions.filter(({ group }) => group === moved.group).length === 1;
    const group = neighbor?.group ?? moved.group + way;
    if (!neighbor && (isAlone || way < 0 || group > MAXIMUM_GROUP)) {
      return { draft, notice: way < 0 ? "It is already first." : "It is already last." };
    }
    next = actions.with(from, { ...moved, group });
  }
  const ordered = inOrder(next);
  const to = ordered.findIndex((action) => action.key === key);
  const steps = draft.steps.map((other) => (other === step ? { ...step, actions: ordered } : other));
  const group = (ordered[to]?.group ?? 0) + 1;
  return {
    draft: { ...draft, steps },
    notice: `Now action ${to + 1} of ${ordered.length}, in group ${group}.`,
  };
}

function setLimit(draft: RuleDraft, edit: Extract<ActionEdit, { kind: "SET_LIMIT" }>): Edited {
  const action = draft.steps.flatMap(({ actions }) => actions).find(({ key }) => key === edit.action);
  if (!action) return same(draft);
  const known = draft.limits.find(({ id }) => id === action.limitId);
  if (known) {
    const limits = draft.limits.map((limit) => (limit === known ? { ...limit, ...edit.change } : limit));
    return same({ ...draft, limits });
  }
  if (draft.limits.length >= MAXIMUM_LIMITS) {
    return { draft, notice: `A rule has at most ${MAXIMUM_LIMITS} limits. Share an existing one.` };
  }
  const limit: LimitDraft = {
    id: freeLimitId(draft.limits, edit.called),
    period: "MONTH",
    amountInCents: null,
    ...edit.change,
  };
  const next = changeAction(draft, edit.action, (before) => ({ ...before, limitId: limit.id }));
  return same({ ...next, limits: [...draft.limits, limit] });
}

/** A readable id, since it stays across versions: `payroll`, `payroll-2`. */
function freeLimitId(limits: readonly LimitDraft[], called: string): string {
  const words = called
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 30);
  const base = words || "limit";
  const taken = new Set(limits.map(({ id }) => id));
  for (let count = 1; count <= limits.length; count++) {
    const id = count === 1 ? base : `${base}-${count}`;
    if (!taken.has(id)) return id;
  }
  return limits.length === 0 ? base : `${base}-${limits.length + 1}`;
}

/** Drops limits that lost their last action; a limit that never had one was loaded that way and stays. */
export function dropUnusedLimits(draft: RuleDraft, before: RuleDraft): RuleDraft {
  const limits = draft.limits.filter(({ id }) => isUsed(draft, id) || !isUsed(before, id));
  return limits.length === draft.limits.length ? draft : { ...draft, limits };
}

function isUsed(draft: RuleDraft, limitId: string): boolean {
  return draft.steps.some(({ actions }) => actions.some((action) => action.limitId === limitId));
}

function changeAction(
  draft: RuleDraft,
  key: number,
  change: (action: ActionDraft) => ActionDraft,
): RuleDraft {
  return changeSteps(
    draft,
    (actions) => actions.map((action) => (action.key === key ? change(action) : action)),
    key,
  );
}

/** @param only the action whose step changes; otherwise all steps that the change shortens */
function changeSteps(
  draft: RuleDraft,
  change: (actions: readonly ActionDraft[]) => ActionDraft[],
  only?: number,
): RuleDraft {
  let isSame = true;
  const steps = draft.steps.map((step) => {
    if (only !== undefined && !step.actions.some(({ key }) => key === only)) return step;
    const actions = change(step.actions);
    if (only === undefined && actions.length === step.actions.length) return step;
    isSame = false;
    return { ...step, actions };
  });
  return isSame ? draft : { ...draft, steps };
}
