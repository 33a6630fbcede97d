import { Hono } from "hono";
import type { Services } from "@/lib/platform/services";

export const HEALTH_PATHS: readonly string[] = ["/healthz", "/readyz"];

/**
 * For load balancers: `/healthz` while the process lives, `/readyz` while it also reaches its database and is not about to
 * stop.
 */
export function createHealth(
  services: Pick<Services, "pool" | "log"> & { isStopping?: () => boolean },
): Hono {
  const app = new Hono();
  app.get("/healthz", (c) => c.text("ok"));
  app.get("/readyz", async (c) => {
    if (services.isStopping?.()) return c.text("stopping", 503);
    try {
      await services.pool.query("select 1");
      return c.text("ready");
    } catch (error) {
      services.log.warn({ err: error }, "not ready: the database does not answer");
      return c.text("the database does not answer", 503);
    }
  });
  return app;
}
