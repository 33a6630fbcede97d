import { composeNoticeSms } from "@/lib/words/messages/compose-sms";
import {
  emailLayout,
  type MessageSetting,
  paragraphRow,
  type RenderedEmail,
  row,
} from "@/lib/words/messages/email-layout";
import { html } from "@/lib/words/messages/html";
import { type Requester, requesterInWords } from "@/lib/words/messages/proposal";
import {
  isolatedName,
  nameText,
  quoteHtml,
  quoteText,
  sentenceText,
} from "@/lib/words/messages/untrusted-text";

export interface ProposedRule {
  name: string;
  version: number;
  /** The version that runs until a person activates this one; null: none does. */
  activeVersion: number | null;
  proposedBy: Requester;
  /** What it does, with isolated names; null if this version of Sluice cannot represent it. */
  sentence: string | null;
  /** The proposer's own words. */
  reason: string | null;
  ruleUrl: string;
}

/** A key or an assistant wrote a rule, or a new version of one. It waits for a person who activates it. */
export function renderRuleProposed(
  rule: ProposedRule,
  setting: MessageSetting,
): { email: RenderedEmail; sms: string } {
  const { version, activeVersion, reason } = rule;
  const what = version === 1 ? "the rule" : `version ${version} of the rule`;
  const requester = requesterInWords(rule.proposedBy);
  const heading = `${requester} proposes ${what} ${isolatedName(rule.name)}`;
  const sentence = rule.sentence === null ? null : sentenceText(rule.sentence);
  const state =
    activeVersion === null
      ? "It is not active: nothing runs until an owner or co-owner activates it."
      : `Version ${activeVersion} keeps running until an owner or co-owner activates this one.`;
  const email = emailLayout(
    {
      subject: heading,
      preview: sentence ?? state,
      heading: html`<bdi>${requester}</bdi> proposes ${what} <bdi>${nameText(rule.name)}</bdi>`,
      rows: [
        ...(sentence === null ? [] : [paragraphRow(sentence)]),
        ...(reason === null ? [] : [row(quoteHtml(reason))]),
        paragraphRow(state),
      ],
      action: { label: "Review the rule", url: rule.ruleUrl },
      note: "You confirm an activation with your passkey or password; this email alone cannot activate anything.",
      why: "CHOSEN",
      paragraphs: [
        heading,
        ...(sentence === null ? [] : [sentence]),
        ...(reason === null ? [] : [`It wrote:\n${quoteText(reason)}`]),
        state,
      ],
    },
    setting,
  );
  return {
    email,
    sms: composeNoticeSms(
      "Sluice: a rule was proposed. Nothing runs until an owner or co-owner activates it.",
      rule.ruleUrl,
    ),
  };
}
