import { hkdfSync } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { z } from "zod";
import { API_BASE_PATH, OPENAPI_PATH } from "@/lib/api/http/app";
import { describeStart } from "@/lib/api/launcher/describe-start";
import { readPageRoutes } from "@/lib/api/launcher/observe-requests";
import { assertCanListen, type Pages } from "@/lib/api/launcher/open-server";
import { createStrangerPace } from "@/lib/api/launcher/pace-strangers";
import { createPageHeaders } from "@/lib/api/launcher/response-headers";
import {
  closeUnread,
  isSentByNext,
  type PageRefusal,
  settlePageRequest,
} from "@/lib/api/launcher/settle-page-request";
import { createStaticFiles, STATIC_FILES_PATH } from "@/lib/api/launcher/static-files";
import { describeAssistants } from "@/lib/api/mcp/tools";
import { buildOpenApiDocument } from "@/lib/api/openapi/build-document";
import { describeReference } from "@/lib/api/openapi/describe-reference";
import { operations } from "@/lib/api/operations/table";
import { sessionCookieName } from "@/lib/core/shared/session";
import { openPageRequests } from "@/lib/next/page-request";
import { getRuntime, setRuntime } from "@/lib/next/runtime";
import { type Config, findMisspelt, loadConfig } from "@/lib/platform/config";
import { derivedOf } from "@/lib/platform/product-secrets";
import { dashboardPath, readVersion } from "@/lib/platform/project-path";
import { mailWay } from "@/lib/ports/messages/create-mail";
import { smsWay } from "@/lib/ports/messages/create-sms";
import { openProduct, type Product } from "@/open-product";

/**
 * Finds early what would stop the start later: an invalid variable, a busy port.
 * @param say gets warnings that do not stop the start
 * @throws Error that names the variable, or the port and what to do
 */
export async function prepareStart(say: (line: string) => void): Promise<Config> {
  const config = loadConfig(process.env);
  for (const line of findMisspelt(process.env)) say(line);
  await assertCanListen(config);
  return config;
}

/**
 * Opens the transports of this process's roles: with all of them, API, dashboard and worker in one, on the embedded
 * database or yours.
 * @param config from `prepareStart`
 * @param say progress, for the terminal
 * @returns what to print once it answers requests
 */
export async function serve(
  config: Config,
  isDevelopment: boolean,
  say: (line: string) => void,
): Promise<string> {
  const product = await openProduct(config, say);
  await product.listen(config.roles.web ? await openPages(config, product, isDevelopment) : undefined);
  return describeStart(config, product.start);
}

async function openPages(config: Config, product: Product, isDevelopment: boolean): Promise<Pages> {
  setRuntime({
    services: product.services,
    sessionSecrets: derivedOf(product.secrets, (secret) => deriveSecret(secret, "sluice sessions")),
    bank: product.ports.bank,
    aggregator: product.ports.aggregator,
    cards: product.ports.cards,
    identity: product.ports.identity,
    webhooks: product.ports.webhooks,
    push: product.ports.push,
    connections: product.connections,
    isSandbox: product.ports.bank.isSandbox,
    sandbox: product.sandbox,
    simulations: product.simulations,
    hasMailbox: config.mailbox,
    signUp: config.signUp,
    smsWay: smsWay(config),
    mailWay: mailWay(config),
    version: await readVersion(),
    supportEmail: config.supportEmail,
    reference: describeReference(
      buildOpenApiDocument(operations, config.appUrl, API_BASE_PATH),
      OPENAPI_PATH,
      describeAssistants(config.appUrl),
    ),
  });
  // next-auth reads its own address from the environment.
  process.env.NEXTAUTH_URL = config.appUrl;
  return await openDashboard(
    config,
    isDevelopment,
    deriveSecret(product.secrets.current(), "sluice forwarded actions"),
  );
}

async function openDashboard(config: Config, isDevelopment: boolean, mark: string): Promise<Pages> {
  const { host, port, appUrl } = config;
  // Next's requests to itself go to this very process: derived from a request's address, behind a TLS proxy, it would
  // use https where there is none.
  process.env.__NEXT_PRIVATE_ORIGIN = ownOrigin(host, port);
  // Only here: a process without pages saves the memory and the time.
  const { default: next } = await import("next");
  const dashboard = next({
    dev: isDevelopment,
    hostname: host,
    port,
    // Next subscribes to upgrades of the server it finds, ignores them in production, and leaves their sockets open
    // forever:
    // it gets a server that nothing reaches. In development it uses them to reload pages.
    ...(!isDevelopment && { httpServer: createServer() }),
  });
  await dashboard.prepare();
  const handle = dashboard.getRequestHandler();
  const setPageHeaders = createPageHeaders({
    isDevelopment,
    hasPlaid: config.plaid !== null,
    hasMailbox: config.mailbox,
    appUrl,
  });
  const forRequest = openPageRequests();
  const hasAction = isDevelopment ? () => true : await readActionIds();
  const settings = { appUrl, hasAction, mark };
  // In development, pages are compiled on request.
  const pace = isDevelopment ? async () => null : await openStrangerPace(appUrl);
  const toPages: Pages["handle"] = async (request, response, facts) => {
    closeUnread(request, response);
    const isPartOfAnother = isSentByNext(request, mark);
    const refusal =
      settlePageRequest(request, settings) ?? (isPartOfAnother ? null : await pace(request, response));
    if (refusal) return answerRefusal(response, refusal);
    setPageHeaders(request, response);
    return forRequest(request, response, facts, () => handle(request, response));
  };
  if (isDevelopment) return { handle: toPages };
  const staticFiles = createStaticFiles(dashboardPath("static"));
  const toStaticFiles = getRequestListener(staticFiles.fetch, { overrideGlobalObjects: false });
  return {
    route: await readPageRoutes(dashboardPath("routes-manifest.json")),
    handle: (request, response, facts) =>
      request.url?.startsWith(STATIC_FILES_PATH)
        ? toStaticFiles(request, response)
        : toPages(request, response, facts),
  };
}

async function openStrangerPace(appUrl: string): Promise<ReturnType<typeof createStrangerPace>> {
  const { services, sessionSecrets } = getRuntime();
  // Like Next, only where there are pages.
  const { createSessionCheck } = await import("@/lib/next/session-token");
  const cookieName = sessionCookieName(appUrl);
  return createStrangerPace(
    createSessionCheck({ cookieName, secrets: sessionSecrets, clock: services.clock }),
  );
}

function ownOrigin(host: string, port: number): string {
  // A wildcard listener is reached at localhost.
  const name = ["0.0.0.0", "::"].includes(host) ? "127.0.0.1" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

function answerRefusal(response: ServerResponse, { status, text, headers }: PageRefusal): void {
  response.writeHead(status, {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    ...headers,
  });
  response.end(text === "" ? undefined : `${text}\n`);
}

/** Ids of this build's server actions. */
async function readActionIds(): Promise<(id: string) => boolean> {
  const text = await readFile(dashboardPath("server/server-reference-manifest.json"), "utf8");
  const { node } = z.object({ node: z.record(z.string(), z.unknown()) }).parse(JSON.parse(text));
  return (id) => Object.hasOwn(node, id);
}

function deriveSecret(secret: string, purpose: string): string {
  return Buffer.from(hkdfSync("sha256", secret, "", purpose, 32)).toString("base64url");
}
