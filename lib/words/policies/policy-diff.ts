import type { Policy } from "@/lib/contract/policies/policy";
import type { PolicyNames } from "@/lib/words/policies/policy-names";
import { otherwiseSentence, type PolicySentence, ruleSentence } from "@/lib/words/policies/policy-sentence";
import { capitalized, joinWords, phrasesText } from "@/lib/words/rules/phrases";

/** A piece of a compared text. */
export interface DiffPiece {
  kind: "SAME" | "REMOVED" | "ADDED";
  text: string;
}

/** A sentence that is new, gone, moved or says something else. */
export interface SentenceChange {
  /** `Rule 2`, `Otherwise`. */
  part: string;
  kind: "NEW" | "GONE" | "CHANGED" | "MOVED";
  pieces: DiffPiece[];
  /** As it says now; of one that is gone, what it said. */
  sentence: PolicySentence;
}

export interface PolicyDiff {
  changes: SentenceChange[];
  /** `Rules 1, 3 and 4`, `Otherwise`. */
  unchanged: string[];
  /** With those that are gone. */
  sentenceCount: number;
}

interface Line {
  name: string | null;
  part: string;
  place: number;
  sentence: PolicySentence;
  text: string;
}

/** What a draft says that the version in force does not, sentence by sentence; rules are the same by their name. */
export function diffPolicies(before: Policy, after: Policy, names: PolicyNames): PolicyDiff {
  const old = linesOf(before, names);
  const now = linesOf(after, names);
  const kept = old.filter(({ name }) => now.some((line) => line.name === name)).map(({ name }) => name);
  const order = now.filter(({ name }) => kept.includes(name)).map(({ name }) => name);
  const changes: SentenceChange[] = [];
  const unchanged: string[] = [];
  for (const line of now) {
    const was = old.find(({ name }) => name === line.name);
    const { part, sentence } = line;
    if (!was) {
      changes.push({ part, kind: "NEW", pieces: [{ kind: "ADDED", text: line.text }], sentence });
    } else if (was.text !== line.text) {
      changes.push({ part, kind: "CHANGED", pieces: diffWords(was.text, line.text), sentence });
    } else if (kept.indexOf(line.name) !== order.indexOf(line.name)) {
      const moved = { kind: "ADDED", text: ` Before: ${was.part.toLowerCase()}.` } as const;
      changes.push({ part, kind: "MOVED", pieces: [{ kind: "SAME", text: line.text }, moved], sentence });
    } else {
      unchanged.push(part);
    }
  }
  for (const { name, part, text, sentence } of old) {
    if (now.some((line) => line.name === name)) continue;
    changes.push({
      part: `Was ${part.toLowerCase()}`,
      kind: "GONE",
      pieces: [{ kind: "REMOVED", text }],
      sentence,
    });
  }
  return { changes, unchanged: unchangedWords(unchanged), sentenceCount: changes.length + unchanged.length };
}

function linesOf(policy: Policy, names: PolicyNames): Line[] {
  const rules = policy.rules.map((rule, index) => ({
    name: rule.name,
    part: `Rule ${index + 1}`,
    place: index,
    sentence: ruleSentence(rule, policy, names),
  }));
  const last = {
    name: null,
    part: "Otherwise",
    place: policy.rules.length,
    sentence: otherwiseSentence(policy, names),
  };
  return [...rules, last].map((line) => ({ ...line, text: textOf(line.sentence) }));
}

/** The whole of it in one text. */
export function textOf({ says, notes }: PolicySentence): string {
  return [phrasesText(says), ...notes].join(" ");
}

function unchangedWords(parts: readonly string[]): string[] {
  const numbers = parts.flatMap((part) => (part.startsWith("Rule ") ? [part.slice("Rule ".length)] : []));
  const rules =
    numbers.length === 0 ? [] : [numbers.length === 1 ? `Rule ${numbers[0]}` : `Rules ${listed(numbers)}`];
  return [...rules, ...parts.filter((part) => !part.startsWith("Rule "))];
}

function listed(words: readonly string[]): string {
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

/** Words of a text with their spaces. */
const wordsOf = (text: string) => text.match(/\S+\s*/g) ?? [];

/** Longer texts are compared as wholes: a table of all pairs of words would be too large. */
const MAXIMUM_COMPARED_WORDS = 400;

/** The two texts word by word: the longest common sequence stays. */
export function diffWords(before: string, after: string): DiffPiece[] {
  const old = wordsOf(before);
  const now = wordsOf(after);
  if (old.length > MAXIMUM_COMPARED_WORDS || now.length > MAXIMUM_COMPARED_WORDS) {
    return [
      { kind: "REMOVED", text: before },
      { kind: "ADDED", text: after },
    ];
  }
  const lengths = old.map(() => new Array<number>(now.length + 1).fill(0));
  lengths.push(new Array<number>(now.length + 1).fill(0));
  const at = (row: number, column: number) => lengths[row]?.[column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = now.length - 1; column >= 0; column -= 1) {
      const isSame = old[row]?.trim() === now[column]?.trim();
      const line = lengths[row];
      if (line) {
        line[column] = isSame
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
      }
    }
  }
  const pieces: DiffPiece[] = [];
  let row = 0;
  let column = 0;
  while (row < old.length || column < now.length) {
    const was = old[row];
    const is = now[column];
    if (was !== undefined && is !== undefined && was.trim() === is.trim()) {
      pieces.push({ kind: "SAME", text: is });
      row += 1;
      column += 1;
    } else if (was !== undefined && (is === undefined || at(row + 1, column) >= at(row, column + 1))) {
      pieces.push({ kind: "REMOVED", text: was });
      row += 1;
    } else {
      pieces.push({ kind: "ADDED", text: is ?? "" });
      column += 1;
    }
  }
  return merged(pieces);
}

function merged(pieces: readonly DiffPiece[]): DiffPiece[] {
  const all: DiffPiece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (last?.kind === piece.kind) last.text += piece.text;
    else all.push({ ...piece });
  }
  return all;
}

/** The difference as one sentence for the head of a page: of a single change as it will be, and the text before. */
export function summarizeDiff(
  { changes }: PolicyDiff,
  versionInForce: number,
): { sentence: PolicySentence | null; after: string } {
  const before = versionInForce === 0 ? "Today" : `Version ${versionInForce}`;
  const [only, ...others] = changes;
  if (!only) return { sentence: null, after: "Nothing changes." };
  if (others.length > 0) {
    return { sentence: null, after: `${capitalized(joinWords(countedChanges(changes)))}.` };
  }
  const { sentence, part } = only;
  switch (only.kind) {
    case "NEW":
      return { sentence, after: `${before} ${versionInForce === 0 ? "there is" : "has"} no such rule.` };
    case "GONE":
      return {
        sentence,
        after: `This no longer holds. It ${part.toLowerCase()} of ${before.toLowerCase()}.`,
      };
    case "MOVED":
      return { sentence, after: "Only its place changes." };
    case "CHANGED": {
      const removed = only.pieces.filter(({ kind }) => kind === "REMOVED").map(({ text }) => text.trim());
      const [was, ...more] = removed;
      const isShort = was !== undefined && more.length === 0 && was.length <= 60;
      return {
        sentence,
        after: isShort
          ? `${before} ${versionInForce === 0 ? "it is" : "says"} ${ended(was)}`
          : `${before} says something else; see below.`,
      };
    }
  }
}

/** `2 rules are new`, `1 sentence changes`. */
function countedChanges(changes: readonly SentenceChange[]): string[] {
  const verbs = {
    NEW: ["rule is new", "rules are new"],
    CHANGED: ["sentence changes", "sentences change"],
    MOVED: ["rule moves", "rules move"],
    GONE: ["rule ends", "rules end"],
  } as const;
  return (["NEW", "CHANGED", "MOVED", "GONE"] as const).flatMap((kind) => {
    const count = changes.filter((change) => change.kind === kind).length;
    return count === 0 ? [] : [`${count} ${verbs[kind][count === 1 ? 0 : 1]}`];
  });
}

/** Without a pattern, which would look at every run of stops in a long text. */
function ended(text: string): string {
  let length = text.length;
  while (length > 0 && ".,".includes(text[length - 1] ?? "")) length -= 1;
  return `${text.slice(0, length)}.`;
}
