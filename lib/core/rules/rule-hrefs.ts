export const NEW_RULE_HREF = "/rules/new";

/** The page of a rule; without a version, of its latest. */
export function ruleHref(ruleId: string, version: number | null = null): string {
  return version === null ? `/rules/${ruleId}` : `/rules/${ruleId}?version=${version}`;
}

export function runHref(ruleId: string, executionId: string): string {
  return `/rules/${ruleId}/runs/${executionId}`;
}
