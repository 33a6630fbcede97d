import { z } from "zod";
import type { SentStatement } from "./capture";

/** A value of a statement, as JSON can carry it. */
const valueSchema = z.union([
  z.object({ $date: z.iso.datetime() }),
  z.object({ $hex: z.string() }),
  /** The hash of whichever key's turn it is. */
  z.object({ $keyHash: z.literal(true) }),
  /** The number of the version that this request makes. */
  z.object({ $version: z.literal(true) }),
  z.object({ $plain: z.unknown() }),
]);
type PlanValue = z.infer<typeof valueSchema>;

const statementSchema = z.object({
  name: z.string().nullable(),
  text: z.string(),
  values: z.array(valueSchema),
  isOnClient: z.boolean(),
});

/** What the bare handler does: for each operation, the statements that Sluice sent for one request of it. */
export const barePlanSchema = z.object({
  keyHashes: z.array(z.string()),
  /** Ids that are the same in every request; all others are made anew. */
  knownIds: z.array(z.string()),
  operations: z.record(z.string(), z.array(statementSchema)),
});
export type BarePlan = z.infer<typeof barePlanSchema>;
export type BareStatement = z.infer<typeof statementSchema>;

export function toBareStatement(sent: SentStatement, keyHash: Buffer): BareStatement {
  const makesVersion = sent.name !== null && MAKES_VERSION.includes(sent.name);
  return {
    ...sent,
    values: sent.values.map((value) =>
      makesVersion && typeof value === "number" ? { $version: true } : toPlanValue(value, keyHash),
    ),
  };
}

/** An edit of a rule makes its next version; sent again with the same number it would be refused. */
const MAKES_VERSION = ["update_rule", "insert_rule_version"];

function toPlanValue(value: unknown, keyHash: Buffer): PlanValue {
  if (value instanceof Date) return { $date: value.toISOString() };
  if (value instanceof Uint8Array) {
    return keyHash.equals(value) ? { $keyHash: true } : { $hex: Buffer.from(value).toString("hex") };
  }
  return { $plain: value };
}
