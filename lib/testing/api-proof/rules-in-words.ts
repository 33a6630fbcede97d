import { isInstantInBounds } from "@/lib/contract/input/instants";
import { parseCron } from "@/lib/contract/rules/cron";

/**
 * Rules between the fields of a request that JSON Schema cannot say. The document says each in words; the test of the
 * document and the validator keeps to them.
 */

/** What a request breaks, and the words of the document that say so. */
interface RuleInWords {
  /** Part of a description in the document. */
  words: string;
  isBroken: (request: Fields) => boolean;
}

const DAY_MS = 86_400_000;

/** Null counts as absent. */
const isAbsent = (value: unknown) => value === undefined || value === null;

type Fields = Readonly<Record<string, unknown>>;

export const RULES_IN_WORDS: readonly RuleInWords[] = [
  {
    words: "another account than the source",
    isBroken: ({ sourceAccountId, destinationAccountId, transfers }) =>
      isSame(sourceAccountId, destinationAccountId) ||
      // The lines of a batch.
      listOf(transfers)
        .map(fieldsOf)
        .some((line) => isSame(line.sourceAccountId, line.destinationAccountId)),
  },
  {
    words: "Needed unless `q`, `externalId` or `metadata` is given",
    isBroken: ({ operationId, ...request }) =>
      operationId === "listTransfers" &&
      ["accountId", "q", "externalId", "metadata"].every((field) => isAbsent(request[field])),
  },
  { words: "not after `to`", isBroken: ({ from, to }) => instantOf(from) > instantOf(to) },
  {
    words: "years 1970 to 9999 of UTC",
    isBroken: (request) =>
      [request.from, request.to, scheduleOf(request).startAt].some(
        // The pattern has the years; only what a zone moves across them is left.
        (text) =>
          typeof text === "string" &&
          /^(?:(?:19[7-9]|[2-9]\d\d)\d-|1969-12-31T)/.test(text) &&
          !isInstantInBounds(text),
      ),
  },
  {
    words: "different for each limit",
    isBroken: (request) => limitIds(request).length !== new Set(limitIds(request)).size,
  },
  {
    words: "One of the rule's `limits`",
    isBroken: (request) =>
      actionsOf(request).some(
        ({ limitId }) => typeof limitId === "string" && !limitIds(request).includes(limitId),
      ),
  },
  {
    words: "Where money goes: not the source",
    isBroken: (request) =>
      actionsOf(request).some(({ sourceAccountId, destinationAccountId }) =>
        isSame(sourceAccountId, destinationAccountId),
      ),
  },
  {
    words: "The debts, without the source",
    isBroken: (request) =>
      actionsOf(request).some(({ sourceAccountId, destinationAccountIds }) =>
        listOf(destinationAccountIds).some((id) => isSame(sourceAccountId, id)),
      ),
  },
  {
    words: "add up to at most 100",
    isBroken: (request) => stepsOf(request).some((step) => sharesOf(step).some((total) => total > 100)),
  },
  {
    words: "Minute, hour, day of month, month, day of week",
    isBroken: (request) => isNoCron(scheduleOf(request).cron),
  },
  {
    words: "with no account twice",
    isBroken: ({ terms }) => {
      const { sourceAccountIds, destinationAccountIds } = fieldsOf(terms);
      const ids = [...listOf(sourceAccountIds), ...listOf(destinationAccountIds)].map((id) =>
        String(id).toLowerCase(),
      );
      return new Set(ids).size < ids.length;
    },
  },
  {
    words: "not more than `maximumInCents`",
    isBroken: ({ terms }) => Number(fieldsOf(terms).minimumInCents) > Number(fieldsOf(terms).maximumInCents),
  },
  {
    words: "not before `from`, both within 731 days",
    isBroken: ({ terms }) => {
      const days = (Date.parse(`${fieldsOf(terms).until}`) - Date.parse(`${fieldsOf(terms).from}`)) / DAY_MS;
      return days < 0 || days >= 731;
    },
  },
  { words: "The IANA name of an area", isBroken: (request) => isNoZone(scheduleOf(request).timeZone) },
];

/** The words of the rules that a request breaks, which is otherwise as the document allows. */
export function brokenRules(sent: unknown): string[] {
  return RULES_IN_WORDS.filter(({ isBroken }) => isBroken(fieldsOf(sent))).map(({ words }) => words);
}

/** The request with limits of its own and a group for each action, so that only a few break a rule. */
export function keepRules(sent: unknown): unknown {
  const request = fieldsOf(sent);
  if (!isAbsent(request.terms)) {
    const terms = fieldsOf(request.terms);
    return { ...request, terms: { ...terms, until: terms.from } };
  }
  if (!Array.isArray(request.steps)) return sent;
  const limits = listOf(request.limits).map((limit, index) => ({ ...fieldsOf(limit), id: `limit-${index}` }));
  const steps = stepsOf(request).map((step) => ({
    ...step,
    actions: listOf(step.actions).map((action, group) => {
      const { limitId, ...rest } = fieldsOf(action);
      return { ...rest, group, ...(typeof limitId === "string" && limits[0] && { limitId: limits[0].id }) };
    }),
  }));
  return { ...request, ...(request.limits !== undefined && { limits }), steps };
}

const fieldsOf = (value: unknown): Fields => Object.fromEntries(Object.entries(Object(value)));
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const stepsOf = (request: Fields): Fields[] => listOf(request.steps).map(fieldsOf);
const actionsOf = (request: Fields): Fields[] =>
  stepsOf(request).flatMap((step) => listOf(step.actions).map(fieldsOf));
const limitIds = (request: Fields): unknown[] => listOf(request.limits).map((limit) => fieldsOf(limit).id);
const scheduleOf = (request: Fields): Fields => fieldsOf(fieldsOf(request.trigger).schedule);

function isSame(one: unknown, other: unknown): boolean {
  return typeof one === "string" && typeof other === "string" && one.toLowerCase() === other.toLowerCase();
}

/** NaN, which is after nothing, unless it is a text with an instant. */
const instantOf = (text: unknown): number => (typeof text === "string" ? Date.parse(text) : Number.NaN);

/** The percentages of each group, source and base. */
function sharesOf(step: Fields): number[] {
  const totals = new Map<string, number>();
  for (const action of listOf(step.actions).map(fieldsOf)) {
    if (action.type !== "PERCENTAGE") continue;
    const key = `${action.group} ${String(action.sourceAccountId).toLowerCase()} ${action.of}`;
    totals.set(key, (totals.get(key) ?? 0) + Math.round(Number(action.percentage) * 10_000));
  }
  return [...totals.values()].map((total) => total / 10_000);
}

function isNoCron(cron: unknown): boolean {
  if (typeof cron !== "string") return false;
  try {
    parseCron(cron);
    return false;
  } catch {
    return true;
  }
}

function isNoZone(timeZone: unknown): boolean {
  if (typeof timeZone !== "string") return false;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone }).resolvedOptions().timeZone === "";
  } catch {
    return true;
  }
}
