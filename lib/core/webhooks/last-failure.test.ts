import { afterEach, expect, it } from "vitest";
import { createEndpoint } from "@/lib/core/webhooks/create-endpoint";
import { useTestDatabase } from "@/lib/testing/database";
import { arrangeWebhooks, startReceiver, type TestReceiver } from "@/lib/testing/webhooks";
import { listEndpoints } from "@/lib/views/webhooks/endpoint-facts";

// A page must show a receiver's latest failure: a stale one makes people look for a problem that is already fixed. Method:
// a receiver that fails in one way, then in another, then works.

const database = useTestDatabase();
let receiver: TestReceiver;
afterEach(() => receiver.close());

it("shows the failure of the newest event that has not arrived, and none once all have", async () => {
  let status = 500;
  receiver = await startReceiver(() => status);
  const scene = await arrangeWebhooks(database);
  await createEndpoint(scene.services, scene.setting, scene.owner(), { url: receiver.url });
  const lastFailure = async () => {
    const { endpoints } = await listEndpoints(
      { services: scene.services, context: scene.owner(), time: scene.time() },
      scene.setting,
    );
    return endpoints[0]?.lastFailure;
  };
  expect(await lastFailure()).toBeNull();
  await scene.move();
  expect(await lastFailure()).toBeNull();
  await scene.deliver();
  expect(await lastFailure()).toEqual({ statusCode: 500, problem: "STATUS" });

  status = 301;
  scene.clock.advance(1);
  await scene.move();
  await scene.deliver();
  expect(await lastFailure()).toEqual({ statusCode: 301, problem: "REDIRECT" });

  status = 200;
  scene.clock.advance(10_000);
  await scene.deliver();
  expect(await lastFailure()).toBeNull();
});
