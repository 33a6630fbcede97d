import type { Policy } from "@/lib/contract/policies/policy";
import { forbidsPublishing, type PolicyFinding, type PolicyLint } from "@/lib/engine/policies/lint-policy";
import { type PolicyNames, personName } from "@/lib/words/policies/policy-names";
import { dateWords } from "@/lib/words/rules/number-words";
import { capitalized, joinWords } from "@/lib/words/rules/phrases";

/** A line of what must hold before a policy is published. */
export interface FindingLine {
  tone: "OK" | "LOOK" | "BLOCKS";
  title: string;
  /** What to change, or what follows. */
  text: string | null;
}

/** `Rule 3`; what a policy says otherwise. */
export const ruleLabel = (rule: number | null) => (rule === null ? "Otherwise" : `Rule ${rule + 1}`);
const inSentence = (rule: number | null) => (rule === null ? "“Otherwise”" : `rule ${rule + 1}`);

/** Every promise of a policy with whether it holds, and each finding with what to change. */
export function lintLines(
  { findings, peopleToReplace }: PolicyLint,
  { policy, version, names }: { policy: Policy; version: number; names: PolicyNames },
): FindingLine[] {
  const has = (...kinds: PolicyFinding["kind"][]) => findings.some(({ kind }) => kinds.includes(kind));
  const holds: FindingLine[] = [
    ...(policy.rules.length === 0 || has("NEVER_REACHED", "NOT_DECIDED")
      ? []
      : [{ tone: "OK", title: "Every rule can be reached", text: null } as const]),
    ...(has("NOBODY_CAN_SIGN")
      ? []
      : [
          {
            tone: "OK",
            title: "Someone can always sign",
            text: has("NOBODY_WHEN_AWAY") ? null : "Also when any one person is away.",
          } as const,
        ]),
    ...(has("ALONE", "ONE_PERSON")
      ? []
      : [
          {
            tone: "OK",
            title: "Nobody can change it alone",
            text: `Version ${version} needs ${peopleToReplace} people to replace it.`,
          } as const,
        ]),
  ];
  return [...holds, ...findings.map((finding) => findingLine(finding, names))];
}

function findingLine(finding: PolicyFinding, names: PolicyNames): FindingLine {
  return { tone: forbidsPublishing(finding) ? "BLOCKS" : "LOOK", ...findingWords(finding, names) };
}

function findingWords(finding: PolicyFinding, names: PolicyNames): Omit<FindingLine, "tone"> {
  const people = (ids: readonly string[], conjunction = "and") =>
    joinWords(
      ids.map((id) => personName(names, id)),
      conjunction,
    );
  switch (finding.kind) {
    case "NEVER_REACHED": {
      const { rule, caughtBy } = finding;
      const title = `${ruleLabel(rule)} is never reached`;
      const [only, ...others] = caughtBy;
      if (only === undefined) return { title, text: "Its conditions exclude one another. Take one away." };
      if (others.length === 0) {
        return {
          title,
          text: `${ruleLabel(only)} catches all of it. Move ${inSentence(rule)} above ${inSentence(only)}, or remove it.`,
        };
      }
      const numbers = joinWords(caughtBy.map((at) => String(at + 1)));
      return { title, text: `Rules ${numbers} together catch all of it. Move it above them, or remove it.` };
    }
    case "NOBODY_CAN_SIGN": {
      const { rule, requesterIds, after } = finding;
      const when = after === null ? "" : ` after ${dateWords(after)}`;
      const whose =
        requesterIds === "ANYONE" ? "" : `, if ${people(requesterIds, "or")} or their key or assistant asks`;
      return {
        title: `Nobody can finish ${inSentence(rule)}${when}${whose}`,
        text: "Name more people, ask for fewer signatures, or let the requester count.",
      };
    }
    case "ALONE":
      return {
        title: `${personName(names, finding.memberId)} could replace it alone`,
        text: "Ask for two signatures where the policy itself changes.",
      };
    case "ONE_PERSON":
      return {
        title: `${personName(names, finding.memberId)} can change it alone`,
        text: "Nobody else is an owner or co-owner. With a second one, two must sign.",
      };
    case "NOT_DECIDED":
      return {
        title: `Whether ${inSentence(finding.rule)} is reached was not decided`,
        text: "The rules before it tell too many cases apart. Check it yourself, or name fewer accounts.",
      };
    case "NOBODY_WHEN_AWAY":
      return {
        title: `Without ${people(finding.awayIds, "or")}, nobody can finish ${inSentence(finding.rule)}`,
        text: "What it matches then waits until it expires. Name a deputy or another person.",
      };
    case "CANNOT_SIGN":
      return {
        title: `${capitalized(personName(names, finding.memberId))} cannot sign ${inSentence(finding.rule)}`,
        text: "Only owners and co-owners sign. Name someone else.",
      };
    case "DEPUTY_ENDS": {
      const { rule, deputyId, until, isOver, leftIds } = finding;
      const left =
        leftIds.length === 1
          ? `From then on, only ${people(leftIds)} can sign there.`
          : `From then on, ${people(leftIds, "or")} can sign there.`;
      return {
        title: isOver
          ? `${personName(names, deputyId)} stopped being a deputy in ${inSentence(rule)} after ${dateWords(until)}`
          : `${personName(names, deputyId)} is not a deputy in ${inSentence(rule)} after ${dateWords(until)}`,
        text: leftIds.length === 0 ? "From then on, nobody can sign there." : left,
      };
    }
  }
}
