import type { Pool } from "pg";
import { afterEach, expect, it } from "vitest";
import { createEndpoint } from "@/lib/core/webhooks/create-endpoint";
import { useTestDatabase } from "@/lib/testing/database";
import { arrangeWebhooks, startReceiver, type TestReceiver } from "@/lib/testing/webhooks";
import { readEndpoint } from "@/lib/views/webhooks/read-endpoint";

// A page polls only until its opened delivery has arrived, so its last read stays on screen and must not mix in data from
// before the attempt. Method: record the attempt between any two statements of one read.

const database = useTestDatabase();
let receiver: TestReceiver;
afterEach(() => receiver.close());

/** Runs an action once, after the statement with this name returned. */
function afterStatement(pool: Pool, name: string, run: () => Promise<unknown>): Pool {
  let isDone = false;
  return new Proxy(pool, {
    get(target, property) {
      if (property !== "query") return Reflect.get(target, property);
      return async (...parameters: [{ name: string }]) => {
        const result = await Reflect.apply(target.query, target, parameters);
        if (parameters[0].name === name && !isDone) {
          isDone = true;
          await run();
        }
        return result;
      };
    },
  });
}

it.each(["read_delivery", "read_deliveries", "read_delivery_attempts", "read_endpoint_facts"])(
  "shows nothing from before the attempt next to an arrived delivery: recorded after %s",
  async (statement) => {
    let status = 500;
    receiver = await startReceiver(() => status);
    const scene = await arrangeWebhooks(database);
    const made = await createEndpoint(scene.services, scene.setting, scene.owner(), { url: receiver.url });
    if (made.kind !== "CREATED") throw new Error(made.message);
    await scene.move();
    await scene.deliver();
    status = 200;
    scene.clock.advance(5_000);
    const [{ event_id: openedEventId }] = await scene.deliveries(made.id);
    let recorded = 0;
    const pool = afterStatement(scene.services.pool, statement, async () => {
      recorded = await scene.deliver();
    });
    const read = (services: { pool: Pool }) =>
      readEndpoint({ services, context: scene.owner(), time: scene.time() }, scene.setting, {
        endpointId: made.id,
        filter: "ALL",
        openedEventId,
        before: null,
      });

    const during = await read({ pool });
    expect(recorded).toBe(1);
    // Polls until it has arrived.
    expect(during?.opened?.state.kind).toBe("RETRYING");
    const after = await read(scene.services);
    expect(after?.opened).toMatchObject({ state: { kind: "DELIVERED" }, attempts: 2 });
    expect(after?.opened?.history).toHaveLength(2);
    expect(after?.deliveries[0]?.state.kind).toBe("DELIVERED");
    expect(after?.endpoint.state.kind).toBe("RECEIVING");
  },
);
