/** `2026-11-20 13:40 UTC`, of an ISO 8601 time in UTC: agents know their person's zone, and the API has no other. */
export function tellMoment(instant: string): string {
  return `${instant.slice(0, 16).replace("T", " ")} UTC`;
}

/** The moment `milliseconds` after an instant. */
export function momentAfter(instant: string, milliseconds: number): string {
  return tellMoment(new Date(Date.parse(instant) + milliseconds).toISOString());
}
