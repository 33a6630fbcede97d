import { AppError } from "@/lib/contract/error";
import { queuePush } from "@/lib/core/notifications/queue-messages";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { byDeviceTested, takeAttempt } from "@/lib/core/shared/throttle";
import { SEND_PUSH } from "@/lib/core/shared/work-names";
import { inTransaction } from "@/lib/db/transaction";
import type { Services } from "@/lib/platform/services";
import { renderDeviceTest } from "@/lib/words/messages/push";

/**
 * Sends a test to one of the member's own devices.
 * @throws AppError `INVALID_PARAMETERS` for a device that is gone, or another person's; `RATE_LIMIT_EXCEEDED` after too
 *   many tests.
 */
export async function testDevice(
  services: Pick<Services, "pool" | "clock" | "wake" | "appUrl">,
  context: Context<MemberActor>,
  deviceId: string,
): Promise<void> {
  const taken = await takeAttempt(services, [byDeviceTested(context.actor.id)]);
  if (taken.kind === "THROTTLED") {
    const minutes = Math.ceil(taken.retryAfterSeconds / 60);
    throw new AppError("RATE_LIMIT_EXCEEDED", `Too many tests. Try again in ${minutes}\u00a0min.`);
  }
  await inTransaction(services.pool, async (client) => {
    const { rows } = await client.query<{ name: string }>("select name from organizations where id = $1", [
      context.organizationId,
    ]);
    const push = renderDeviceTest(rows[0]?.name ?? "", `${services.appUrl}/settings/notifications`);
    const count = await queuePush(
      client,
      { organizationId: context.organizationId, now: context.now, userId: context.actor.id, deviceId },
      { kind: "DEVICE_TEST", push, goodForMs: TEST_GOOD_FOR_MS },
    );
    if (count === 0) throw new AppError("INVALID_PARAMETERS", "This device is no longer registered.");
  });
  services.wake(SEND_PUSH);
}

/** Someone is looking at the device. */
const TEST_GOOD_FOR_MS = 10 * 60_000;
