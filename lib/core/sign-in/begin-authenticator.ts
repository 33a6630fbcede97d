import { encode } from "uqr";
import { AppError } from "@/lib/contract/error";
import type { NewAuthenticatorView } from "@/lib/contract/views/auth-view";
import type { MemberActor } from "@/lib/core/shared/context";
import { authenticatorUri, newAuthenticatorSecret } from "@/lib/core/sign-in/authenticator";
import { requirePresence } from "@/lib/core/sign-in/presence";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";

/**
 * Makes a secret for an authenticator app, in the place of one that was shown and never confirmed. It counts from the
 * first code on (`confirmAuthenticator`). The answer is the only place where the secret ever stands.
 * @throws NotConfirmed without presence; AppError `INVALID_PARAMETERS` where an app is set up already.
 */
export function beginAuthenticator(
  services: Pick<Services, "pool" | "clock" | "authenticatorSecrets">,
  actor: MemberActor,
): Promise<NewAuthenticatorView> {
  const now = services.clock.now();
  const secret = newAuthenticatorSecret();
  return inTransaction(services.pool, async (client) => {
    await client.query("select 1 from users where id = $1 for no key update", [actor.id]);
    await requirePresence(client, actor, now);
    const { rowCount } = await client.query(
      `insert into authenticators as a (user_id, sealed_secret, created_at) values ($1, $2, $3)
       on conflict (user_id) do update set sealed_secret = excluded.sealed_secret, created_at = excluded.created_at
         where a.confirmed_at is null`,
      [actor.id, services.authenticatorSecrets.seal(secret, actor.id), now],
    );
    if (rowCount !== 1) throw new AppError("INVALID_PARAMETERS", "An authenticator app is set up already.");
    return { secret, qr: qrOf(authenticatorUri(secret, actor.email)) };
  });
}

/** A QR code as one path over a square of `size` units, margin included: drawn here, so that no page loads an encoder. */
function qrOf(text: string): NewAuthenticatorView["qr"] {
  const { data, size } = encode(text, { ecc: "M", border: 2 });
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join("");
  return { size, path };
}
