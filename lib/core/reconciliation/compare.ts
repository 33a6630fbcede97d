import { nextBankingDay } from "@/lib/contract/banking-days";

/** A line of the bank's statement, as far as comparing needs it. */
export interface ComparedLine {
  /** The bank's reference of the line. */
  reference: string;
  /** What it settles (`causeKey`); null if the bank names nothing of ours. */
  key: string | null;
  /** Positive: into the account. */
  amountInCents: number;
  /** Banking day. */
  day: string;
}

/** An entry that crosses the border of the managed accounts. */
export interface ComparedMovement {
  entryId: string;
  key: string;
  /** Positive: into the managed accounts. */
  amountInCents: number;
  /** Banking day on which the bank reported it. */
  day: string;
  /** Banking day on which it was sent; `day` for what the bank began. */
  sentDay: string;
  /** Banking day on which it was expected to settle; `day` for what the bank began. */
  expectedDay: string;
}

/** What the books know of causes beyond the movements that are compared. */
export interface KnownCauses {
  /** Whose entry has its line already, or was resolved by hand: a further line is one too many. */
  taken: ReadonlySet<string>;
  /** Orders on their way, with the banking day on which they are expected to settle. */
  awaited: ReadonlyMap<string, string>;
  /** Orders that ended without moving money: the bank's line and its return cancel each other out. */
  unmoved: ReadonlySet<string>;
}

export type Finding =
  | {
      kind: "MATCHED" | "DIFFERENT_AMOUNT" | "DIFFERENT_DATE";
      line: ComparedLine;
      movement: ComparedMovement;
    }
  /** An order that moved nothing here, and its return. */
  | { kind: "CANCELED_OUT"; line: ComparedLine; canceledBy: ComparedLine }
  /** A difference from `differsFrom` on; until then settlement explains it. */
  | { kind: "MISSING_HERE"; line: ComparedLine; differsFrom: string }
  | { kind: "MISSING_AT_BANK"; movement: ComparedMovement; differsFrom: string };

export type CauseKind = "ORDER" | "ORDER_RETURN" | "DEPOSIT" | "DEPOSIT_RETURN" | "CARD";

/** Statement lines and entries of one cause have the same key. */
export function causeKey(kind: CauseKind, id: string): string {
  return `${kind} ${id}`;
}

/**
 * Compares statement lines with the entries that they should have, by what they settle and never by likeness: two equal
 * amounts on one day do not match. Every line and every movement is in exactly one finding.
 */
export function compare(
  lines: readonly ComparedLine[],
  movements: readonly ComparedMovement[],
  known: KnownCauses,
): Finding[] {
  const findings: Finding[] = [];
  const linesByKey = new Map<string, ComparedLine[]>();
  const unmatched: ComparedLine[] = [];
  for (const line of lines) {
    if (line.key === null) unmatched.push(line);
    else linesByKey.set(line.key, [...(linesByKey.get(line.key) ?? []), line]);
  }
  for (const movement of movements) {
    const candidates = linesByKey.get(movement.key) ?? [];
    const line = closest(candidates, movement);
    if (!line) {
      findings.push({ kind: "MISSING_AT_BANK", movement, differsFrom: missedFrom(movement) });
      continue;
    }
    linesByKey.set(
      movement.key,
      candidates.filter((candidate) => candidate !== line),
    );
    findings.push({ kind: judge(line, movement), line, movement });
  }
  unmatched.push(...[...linesByKey.values()].flat());
  const taken = new Set([...known.taken, ...movements.map(({ key }) => key)]);
  findings.push(...judgeUnmatched(unmatched, { ...known, taken }));
  return findings;
}

/** Of several lines with one key, as from a bank that doubles them, the one that fits best is the true one. */
function closest(lines: readonly ComparedLine[], movement: ComparedMovement): ComparedLine | undefined {
  const rank = (line: ComparedLine) =>
    ["MATCHED", "DIFFERENT_DATE", "DIFFERENT_AMOUNT"].indexOf(judge(line, movement));
  return lines.toSorted(
    (a, b) => rank(a) - rank(b) || compareText(a.day, b.day) || compareText(a.reference, b.reference),
  )[0];
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * How a line differs from the entry of the same cause. Banks date an order by its sending or by its settlement, so any
 * day between the two explains it, and one banking day after the expected or the actual settlement.
 */
export function judge(
  line: Pick<ComparedLine, "amountInCents" | "day">,
  movement: Omit<ComparedMovement, "entryId" | "key">,
): "MATCHED" | "DIFFERENT_AMOUNT" | "DIFFERENT_DATE" {
  if (line.amountInCents !== movement.amountInCents) return "DIFFERENT_AMOUNT";
  const isTooEarly = nextBankingDay(line.day) < movement.sentDay;
  const isTooLate = line.day > missedFrom(movement);
  return isTooEarly || isTooLate ? "DIFFERENT_DATE" : "MATCHED";
}

/** The banking day after the settlement that was expected or happened, whichever is later. */
function missedFrom({ day, expectedDay }: Pick<ComparedMovement, "day" | "expectedDay">): string {
  return nextBankingDay(day > expectedDay ? day : expectedDay);
}

function judgeUnmatched(lines: readonly ComparedLine[], { taken, awaited, unmoved }: KnownCauses): Finding[] {
  const findings: Finding[] = [];
  const returns = new Map<string, ComparedLine[]>();
  for (const line of lines) {
    if (line.key?.startsWith(causeKey("ORDER_RETURN", ""))) {
      returns.set(line.key, [...(returns.get(line.key) ?? []), line]);
    }
  }
  const canceling = new Set<ComparedLine>();
  const remaining: ComparedLine[] = [];
  for (const line of lines) {
    const back =
      line.key === null
        ? undefined
        : returns
            .get(returnKeyOf(line.key))
            ?.find(
              (candidate) => !canceling.has(candidate) && candidate.amountInCents === -line.amountInCents,
            );
    if (line.key !== null && back && unmoved.has(line.key)) {
      canceling.add(back);
      findings.push({ kind: "CANCELED_OUT", line, canceledBy: back });
    } else remaining.push(line);
  }
  for (const line of remaining) {
    if (canceling.has(line)) continue;
    findings.push({ kind: "MISSING_HERE", line, differsFrom: unbookedFrom(line, taken, awaited) });
  }
  return findings;
}

/** `ORDER 1` → `ORDER_RETURN 1`. */
function returnKeyOf(key: string): string {
  return key.replace(/^ORDER /, causeKey("ORDER_RETURN", ""));
}

/**
 * A line of something that is booked already is a second one, and one that names nothing of ours will not be booked by
 * itself: neither is explained by settlement.
 */
function unbookedFrom(
  { key, day }: ComparedLine,
  taken: ReadonlySet<string>,
  awaited: ReadonlyMap<string, string>,
): string {
  if (key === null || taken.has(key)) return day;
  const expectedDay = awaited.get(key) ?? day;
  return nextBankingDay(expectedDay > day ? expectedDay : day);
}
