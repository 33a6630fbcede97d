import type { Handler } from "@/lib/api/launcher/doors";
import { mayReadMetrics } from "@/lib/api/launcher/may-read-metrics";
import type { Metrics } from "@/lib/api/launcher/metrics";

/** The door of `/metrics`: for Prometheus, not for the public. */
export function createMetricsDoor(
  metrics: Metrics,
  setting: { token: string | null; appUrl: string },
): Handler {
  return async (request, response) => {
    if (!mayReadMetrics(request, setting)) {
      response.writeHead(setting.token === null ? 403 : 401, {
        "Content-Type": "text/plain; charset=utf-8",
        "Cache-Control": "no-store",
        ...(setting.token !== null && { "WWW-Authenticate": "Bearer" }),
      });
      response.end("The metrics are for the operator (docs/operating.md, «Metrics»).\n");
      return;
    }
    const text = await metrics.write();
    response.writeHead(200, { "Content-Type": metrics.contentType, "Cache-Control": "no-store" });
    response.end(text);
  };
}
