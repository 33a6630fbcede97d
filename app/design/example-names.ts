/** The names that `?show=` takes. */
export const EXAMPLE_NAMES = [
  "primitives",
  "inbox-empty",
  "rules-empty",
  "rule-networks",
  "webhooks-empty",
  "webhook-failing",
  "webhook-off",
  "webhook-viewer",
  "assistants",
  "consent",
  "consent-viewer",
  "consent-over",
  "would-fail",
  "viewer",
  "on-its-way",
  "settled",
  "denied",
  "expired",
  "failed",
  "returned",
  "cancelled",
  "answer-changed",
  "answer-already-decided",
  "answer-not-confirmed",
  "answer-error",
] as const;

export type ExampleName = (typeof EXAMPLE_NAMES)[number];

export function isExampleName(value: string | string[] | undefined): value is ExampleName {
  return EXAMPLE_NAMES.some((name) => name === value);
}
