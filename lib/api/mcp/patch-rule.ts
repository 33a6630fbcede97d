import type { ErrorDetail } from "@/lib/contract/error";

/** More fields than a person changes in one go. */
const MAXIMUM_CHANGES = 100;
const MAXIMUM_PATH_LENGTH = 200;

/** One field of a rule and its new value; null or none takes the field, or the entry of a list, away. */
export interface RuleChange {
  path: string;
  value: unknown;
}

/**
 * Reads `set`: an object of paths and values, or a list of `{ path, value }`, which strict function schemas can express.
 * @returns the changes in their order, or what is wrong
 */
export function readChanges(sent: unknown): { changes: RuleChange[] } | { problems: ErrorDetail[] } {
  const entries = entriesOf(sent);
  const changes = entries.filter((one) => one !== null);
  if (changes.length < entries.length || entries.length === 0) {
    const message = "must be a list of { path, value }, e.g. steps.0.actions.0.amountInCents and 50000";
    return { problems: [{ field: "set", message }] };
  }
  if (changes.length > MAXIMUM_CHANGES) {
    return { problems: [{ field: "set", message: `must have at most ${MAXIMUM_CHANGES} items` }] };
  }
  return { changes };
}

function entriesOf(sent: unknown): (RuleChange | null)[] {
  if (Array.isArray(sent)) return sent.map(readEntry);
  if (typeof sent !== "object" || sent === null) return [null];
  return Object.entries(sent).map(([path, value]: [string, unknown]) => ({ path, value }));
}

function readEntry(entry: unknown): RuleChange | null {
  if (typeof entry !== "object" || entry === null || !("path" in entry)) return null;
  const { path } = entry;
  return typeof path === "string" ? { path, value: "value" in entry ? entry.value : null } : null;
}

/**
 * A copy of a rule with some of its fields set.
 * @param rule any JSON object; what it becomes is checked afterwards, like a whole one
 * @returns the changed rule, or each path that leads nowhere, with what is there instead
 */
export function patchRule(
  rule: Readonly<Record<string, unknown>>,
  changes: readonly RuleChange[],
): { rule: Record<string, unknown> } | { problems: ErrorDetail[] } {
  const changed: Record<string, unknown> = structuredClone(rule);
  const problems = changes.flatMap((change) => {
    const message = applyChange(changed, change);
    return message === null ? [] : [{ field: change.path.slice(0, MAXIMUM_PATH_LENGTH), message }];
  });
  return problems.length > 0 ? { problems } : { rule: changed };
}

/** @returns what is wrong with its path, or null */
function applyChange(rule: Record<string, unknown>, { path, value }: RuleChange): string | null {
  const names = namesOf(path);
  const last = names.pop();
  if (last === undefined || path.length > MAXIMUM_PATH_LENGTH)
    return "must be a path like steps.0.actions.0.amountInCents";
  let place: unknown = rule;
  for (const [index, name] of names.entries()) {
    const problem = whyNotThere(place, name, names.slice(0, index));
    if (problem !== null) return problem;
    place = Reflect.get(Object(place), name);
  }
  return setField(place, last, names, asValue(last, value));
}

/** `rule.steps[0].actions[1].group` reads `steps.0.actions.1.group`. */
function namesOf(path: string): string[] {
  const plain = path.replace(/\[(\d+)\]/g, ".$1").replace(/^rule\./, "");
  return plain.split(".").filter((name) => name !== "");
}

function whyNotThere(place: unknown, name: string, above: readonly string[]): string | null {
  const where = above.length === 0 ? "a rule" : above.join(".");
  if (Array.isArray(place)) {
    if (/^\d{1,3}$/.test(name) && Number(name) < place.length) return null;
    return `leads nowhere: ${where} has ${place.length === 1 ? "one entry, 0" : `${place.length} entries, from 0`}`;
  }
  if (typeof place === "object" && place !== null && Object.hasOwn(place, name)) return null;
  return `leads nowhere: ${where} ${fieldsWords(place)}`;
}

function fieldsWords(place: unknown): string {
  if (typeof place !== "object" || place === null) return "is not an object; set the whole of it";
  return `has ${Object.keys(place).join(", ")}`;
}

function setField(place: unknown, name: string, above: readonly string[], value: unknown): string | null {
  if (Array.isArray(place)) {
    const index = /^\d{1,3}$/.test(name) ? Number(name) : Number.NaN;
    // The first index beyond the list adds an entry.
    if (!(index <= place.length)) return whyNotThere(place, name, above);
    if (value === null) place.splice(index, 1);
    else place[index] = value;
    return null;
  }
  if (typeof place !== "object" || place === null) return whyNotThere(place, name, above);
  if (name === "__proto__") return "is not a field of a rule";
  if (value === null) Reflect.deleteProperty(place, name);
  else Reflect.set(place, name, value);
  return null;
}

const TEXTS: readonly string[] = ["name", "description"];

/** A strict function schema has no value of any shape, so a list or an object may arrive as its JSON. */
function asValue(name: string, value: unknown): unknown {
  if (typeof value !== "string" || TEXTS.includes(name) || !/^\s*[[{]/.test(value)) return value ?? null;
  try {
    const parsed: unknown = JSON.parse(value);
    return parsed;
  } catch {
    return value;
  }
}
