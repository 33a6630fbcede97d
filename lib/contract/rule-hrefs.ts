export const NEW_RULE_HREF = "/rules/new";

/** The page of a rule, on this server; without a version, of its latest. */
export function ruleHref(ruleId: string, version: number | null = null): string {
  return version === null ? `/rules/${ruleId}` : `/rules/${ruleId}?version=${version}`;
}

export function runsHref(ruleId: string): string {
  return `${ruleHref(ruleId)}/runs`;
}

export function runHref(ruleId: string, executionId: string): string {
  return `${runsHref(ruleId)}/${executionId}`;
}

/** Where a rule is run by hand. */
export function runNowHref(ruleId: string): string {
  return `${ruleHref(ruleId)}/run`;
}

/** What a return has paused, and what could be moved back. */
export function pausedHref(ruleId: string): string {
  return `${ruleHref(ruleId)}/paused`;
}
