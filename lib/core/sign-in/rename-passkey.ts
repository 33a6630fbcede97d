import { AppError } from "@/lib/contract/error";
import type { MemberActor } from "@/lib/core/shared/context";
import { passkeyNameSchema } from "@/lib/core/sign-in/passkey-name";
import type { Services } from "@/lib/platform/services";

/** @throws AppError `INVALID_PARAMETERS` when the name does not fit, or the member has no such passkey. */
export async function renamePasskey(
  services: Pick<Services, "pool">,
  actor: MemberActor,
  input: { passkeyId: string; name: string },
): Promise<void> {
  const name = passkeyNameSchema.safeParse(input.name).data;
  if (!name) throw new AppError("INVALID_PARAMETERS", "Give the passkey a name of 1 to 60 characters.");
  const { rowCount } = await services.pool.query(
    "update passkeys set name = $3 where credential_id = $1 and user_id = $2",
    [input.passkeyId, actor.id, name],
  );
  if (rowCount !== 1) throw new AppError("INVALID_PARAMETERS", "You have no such passkey (any more).");
}
