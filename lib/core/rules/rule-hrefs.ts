export function ruleHref(ruleId: string): string {
  return `/rules/${ruleId}`;
}
