/** Longer texts crowd out what else an agent has to keep in mind; the structured content has everything. */
const MAXIMUM_LENGTH = 8_000;

/**
 * What an operation answered, in words that an agent can act on.
 * @param data what the envelope holds
 * @param appUrl the address of the dashboard, without a slash at its end
 */
export function tellAnswer(operationId: string, data: unknown, appUrl: string): string {
  const text = `${operationId} answered (dashboard: ${appUrl}): ${JSON.stringify(data)}`;
  return text.length <= MAXIMUM_LENGTH ? text : `${text.slice(0, MAXIMUM_LENGTH - 1)}…`;
}
