import { z } from "zod";
import { AppError } from "@/lib/contract/error";
import { type PermissionInput, permissionsSchema } from "@/lib/contract/permissions";
import { plainText } from "@/lib/contract/plain-text";
import type { Context, MemberActor } from "@/lib/core/context";
import { hashKeyText, keyPrefix, newKeyText } from "@/lib/core/keys/key-text";
import { mayDecide } from "@/lib/core/keys/permits";
import { newId } from "@/lib/platform/ids";
import type { Services } from "@/lib/platform/services";

const nameSchema = plainText(60).min(1, "must not be empty");

/**
 * Makes a key. Its permissions, approval option included (on unless switched off), never change afterwards.
 * @returns the key's text, which is stored nowhere and shown once.
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS`.
 */
export async function createApiKey(
  services: Pick<Services, "pool">,
  context: Context<MemberActor>,
  input: { name: string; permissions: PermissionInput[] },
): Promise<{ id: string; text: string }> {
  if (!mayDecide(context.actor)) {
    throw new AppError("ACCESS_DENIED", "Only an owner or co-owner may make a key.");
  }
  const parsed = z.object({ name: nameSchema, permissions: permissionsSchema }).safeParse(input);
  if (!parsed.success) {
    const details = parsed.error.issues.map((issue) => ({
      field: issue.path.join("."),
      message: issue.message,
    }));
    throw new AppError("INVALID_PARAMETERS", `${details[0]?.field}: ${details[0]?.message}`, details);
  }
  const text = newKeyText();
  const id = newId(context.now);
  await services.pool.query(
    `insert into api_keys (organization_id, id, name, prefix, key_hash, permissions, created_by, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      context.organizationId,
      id,
      parsed.data.name,
      keyPrefix(text),
      hashKeyText(text),
      JSON.stringify(parsed.data.permissions),
      context.actor.id,
      context.now,
    ],
  );
  return { id, text };
}
