import type { IncomingMessage, ServerResponse } from "node:http";
import { HOOKS_BASE_PATH } from "@/lib/api/hooks/app";
import { API_BASE_PATH } from "@/lib/api/http/app";
import { HEALTH_PATHS } from "@/lib/api/http/health";
import { MCP_PATH } from "@/lib/api/mcp/mcp-call";
import { isOAuthPath } from "@/lib/api/oauth/app";
import { RECEIVERS_PATH } from "@/lib/core/sandbox/receiver";
import { newRequestId } from "@/lib/platform/ids";

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

export type TransportName = "health" | "metrics" | "api" | "hooks" | "mcp" | "sandbox" | "oauth" | "web";

/** A transport and the paths it owns. */
interface Transport {
  name: TransportName;
  owns: (path: string) => boolean;
}

const METRICS_PATH = "/metrics";

const isBelow = (base: string) => (path: string) => path === base || path.startsWith(`${base}/`);

/** The first that owns a path gets it; the dashboard gets the rest. */
const TRANSPORTS: readonly Transport[] = [
  { name: "api", owns: isBelow(API_BASE_PATH) },
  { name: "hooks", owns: isBelow(HOOKS_BASE_PATH) },
  { name: "mcp", owns: (path) => path === MCP_PATH },
  // The page /sandbox belongs to the dashboard.
  { name: "sandbox", owns: (path) => path.startsWith(`${RECEIVERS_PATH}/`) },
  { name: "oauth", owns: isOAuthPath },
  { name: "health", owns: (path) => HEALTH_PATHS.includes(path) },
  { name: "metrics", owns: (path) => path === METRICS_PATH },
];

/** @param address as a request names it, with or without a query */
export function transportOf(address: string | undefined): TransportName {
  const path = (address ?? "/").split("?", 1)[0] ?? "/";
  return TRANSPORTS.find(({ owns }) => owns(path))?.name ?? "web";
}

/**
 * Answers for a transport that this process does not run: a hanging request or an empty 404 would have people search
 * for the error in their own request.
 */
export const answerElsewhere: Handler = (request, response) => {
  const role = transportOf(request.url) === "web" ? "web" : "api";
  response.writeHead(404, {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Request-Id": newRequestId(),
  });
  response.end(
    `This process of Sluice does not have the role «${role}» (SLUICE_ROLES). ` +
      "Use the public address (APP_URL), or route such requests to a process that has it.\n",
  );
};
