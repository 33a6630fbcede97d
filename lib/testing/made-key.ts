import type { MadeKey } from "@/lib/contract/policies/asked-change";
import type { NewKey } from "@/lib/core/keys/create-api-key";

/** A key that was made at once. */
export async function madeAtOnce(making: Promise<MadeKey>): Promise<NewKey> {
  const made = await making;
  if (made.kind !== "CREATED") throw new Error("The key waits for signatures");
  return made;
}
