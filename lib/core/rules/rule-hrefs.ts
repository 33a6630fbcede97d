/** Where a rule's pages are. */
export function ruleHref(ruleId: string, version: number | null = null): string {
  return version === null ? `/rules/${ruleId}` : `/rules/${ruleId}?version=${version}`;
}

export function runHref(ruleId: string, executionId: string): string {
  return `/rules/${ruleId}/runs/${executionId}`;
}
