import type { LookAlike } from "@/lib/contract/input/look-alike";

const KIND_WORDS: Record<LookAlike["kind"], string> = {
  ACCOUNT: "account",
  RULE: "rule",
  BENEFICIARY: "beneficiary",
  PAYEE: "payee",
  KEY: "key",
  ASSISTANT: "assistant",
};

/** Names the alphabets, because homoglyphs look the same on a page. */
export function lookAlikeWords(names: readonly LookAlike[]): { title: string; text: string } {
  const [first] = names;
  const kind = first && names.every((name) => name.kind === first.kind) ? KIND_WORDS[first.kind] : null;
  const sentences = names.map((alike) =>
    alike.name === alike.otherName
      ? `Another ${KIND_WORDS[alike.kind]} is also called ${alike.otherName}.`
      : `${alike.name}${scriptsOf(alike.name)} is not ${alike.otherName}${scriptsOf(alike.otherName)}.`,
  );
  return {
    title: kind ? `Another ${kind}’s name looks the same` : "Other names look the same",
    text: `${sentences.join(" ")} Check which one this is.`,
  };
}

/** ` (with Cyrillic letters)`; empty for Latin letters only. */
export function scriptsOf(name: string): string {
  const scripts = [
    ...(/\p{Script=Cyrillic}/u.test(name) ? ["Cyrillic"] : []),
    ...(/\p{Script=Greek}/u.test(name) ? ["Greek"] : []),
    ...(/\p{Script=Armenian}/u.test(name) ? ["Armenian"] : []),
  ];
  return scripts.length === 0 ? "" : ` (with ${scripts.join(" and ")} letters)`;
}
