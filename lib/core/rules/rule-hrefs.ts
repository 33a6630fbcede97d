export const NEW_RULE_HREF = "/rules/new";

export function ruleHref(ruleId: string): string {
  return `/rules/${ruleId}`;
}
