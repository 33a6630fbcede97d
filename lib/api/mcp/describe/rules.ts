import { describer } from "@/lib/api/mcp/describe/answer-describer";
import { describePage } from "@/lib/api/mcp/describe/list-page";
import { accountOf, asSentence, describeLookAlike, quote } from "@/lib/api/mcp/describe/text";
import { type Page, pageOf } from "@/lib/contract/page";
import {
  type Rule,
  type RuleSummary,
  ruleSchema,
  ruleSummarySchema,
  type WrittenRule,
  writtenRuleSchema,
} from "@/lib/contract/rules/rule";
import type { AccountNames } from "@/lib/contract/rules/rule-parts";
import { ruleInWords, triggerInWords } from "@/lib/core/rules/rule-in-words";

const DESCRIPTION_LENGTH = 500;
const SENTENCE_LENGTH = 4_000;

/** A page of rules. */
export const describeRules = describer(pageOf(ruleSummarySchema), (page: Page<RuleSummary>, { names }) =>
  describePage(
    page,
    {
      one: "rule",
      many: "rules",
      empty:
        "No rules match. Leave out status and sourceAccountId to see all rules you may read. createRule writes one, for a person to activate.",
      next: "getRule with an id says what a rule moves.",
    },
    (rule) =>
      [
        `${quote(rule.activeName ?? rule.name)}, ${describeState(rule)}`,
        `runs ${triggerInWords(rule.trigger, (id) => accountOf(id, names))}`,
        ...describeLookAlike(rule.lookAlike),
        `id ${rule.id}`,
      ].join("; "),
  ),
);

/** One rule, with what it does. */
export const describeRule = describer(ruleSchema, (rule, { appUrl, names }) =>
  [
    `Rule ${quote(rule.activeName ?? rule.name)}, id ${rule.id}: ${describeState(rule)}. Its latest version is ${rule.version}.`,
    ...describeNewName(rule),
    ...describeLookAlike(rule.lookAlike).map(asSentence),
    ...(rule.description === null ? [] : [`Described as ${quote(rule.description, DESCRIPTION_LENGTH)}.`]),
    describeWhatItDoes(rule, names),
    ...describeRunning(rule),
    ...describePersonsPart(rule),
    `listRuleExecutions with ruleId: "${rule.id}" says when it ran.`,
    `Next: to change it, call updateRule with id, set and expectedVersion: ${rule.version}.`,
    ...(rule.activationUrl === null ? [`Its page, for a person: ${appUrl}/rules/${rule.id}`] : []),
  ].join("\n"),
);

/** A rule that was just written. It moves nothing until a person activates it. */
export const describeNewRule = describer(writtenRuleSchema, (rule, { names, mayCall }) =>
  [
    `Written: rule ${quote(rule.name)}, id ${rule.id}. It is inactive: nothing runs and nothing moves until a person activates it.`,
    ...describeLookAlike(rule.lookAlike).map(asSentence),
    describeWhatItDoes(rule, names),
    describeTryout(rule),
    ...describeActivation(rule),
    `Programs and assistants cannot activate a rule.${mayCall("getRule") ? " getRule shows later whether someone did." : ""}`,
  ].join("\n"),
);

/** A rule that was just changed. */
export const describeChangedRule = describer(writtenRuleSchema, (rule, { names }) =>
  [
    `Written: version ${rule.version} of rule ${quote(rule.activeName ?? rule.name)}, id ${rule.id}.`,
    ...describeNewName(rule),
    ...describeLookAlike(rule.lookAlike).map(asSentence),
    rule.activeVersion === null
      ? "No version of it is active: nothing runs until a person activates it."
      : `Version ${rule.activeVersion} keeps running as before until a person activates version ${rule.version}.`,
    describeWhatItDoes(rule, names),
    describeTryout(rule),
    ...describeActivation(rule),
  ].join("\n"),
);

/** A name belongs to its version: what runs keeps its own. */
function describeNewName({ name, activeName, version }: Rule): string[] {
  if (activeName === null || activeName === name) return [];
  return [
    `Version ${version} is called ${quote(name)}; the rule keeps its name until that version is activated.`,
  ];
}

function describeState({ status, version, activeVersion, deletedAt }: RuleSummary): string {
  if (deletedAt !== null) return "deleted";
  if (status === "ACTIVE" && activeVersion !== null) {
    return activeVersion === version
      ? "active"
      : `active in version ${activeVersion}, with version ${version} waiting for a person`;
  }
  return activeVersion === null ? "inactive" : "paused, until a person resumes it";
}

function describeWhatItDoes(rule: Rule, names: AccountNames): string {
  const sentence = ruleInWords(rule, (id) => accountOf(id, names));
  // Half a sentence about money is worse than none.
  return sentence.length <= SENTENCE_LENGTH
    ? `What version ${rule.version} does: ${sentence}`
    : `What version ${rule.version} does is too long for a sentence: its steps are in the structured content, and on its page.`;
}

/** The API shows only the latest version, and an agent must not explain the wrong one. */
function describeRunning({ version, activeVersion }: Rule): string[] {
  if (activeVersion === null || activeVersion === version) return [];
  return [
    `Until then version ${activeVersion} runs, which may do something else: the rule's page shows both.`,
  ];
}

/** Without a version, a dry run uses the active one, not the one just written. */
function describeTryout({ id, version, trigger }: Rule): string {
  const arrival =
    trigger.type === "ON_FUNDS_TRANSFERRED"
      ? " Add simulatedIncomingFunds to see what happens when that much arrives."
      : "";
  return `Next: try it: triggerRule with id: "${id}", simulation: true and version: ${version} moves nothing.${arrival}`;
}

/** Sending a person to a rule that cannot be activated wastes their time. */
function describeActivation(rule: WrittenRule): string[] {
  const { canActivate, problems } = rule.activation;
  if (canActivate) return describePersonsPart(rule);
  return [
    "It cannot be activated yet:",
    ...problems.map(({ message }) => `- ${quote(message, DESCRIPTION_LENGTH)}`),
    `Next: change it with updateRule, id: "${rule.id}" and expectedVersion: ${rule.version}, or ask the person, before you send anyone to its page: ${rule.activationUrl ?? "none"}`,
  ];
}

function describePersonsPart({ activationUrl }: RuleSummary): string[] {
  if (activationUrl === null) return [];
  return [
    `Next: give this address to an owner or co-owner, who reads it and activates or resumes it there: ${activationUrl}`,
  ];
}
