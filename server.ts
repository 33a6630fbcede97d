import { hkdfSync } from "node:crypto";
import { readFile } from "node:fs/promises";
import { getRequestListener } from "@hono/node-server";
import next from "next";
import { z } from "zod";
import { openForReader } from "@/lib/core/for-reader";
import { setRuntime } from "@/lib/core/runtime";
import { describeStart } from "@/lib/doors/describe-start";
import { API_BASE_PATH } from "@/lib/doors/http/app";
import { OPENAPI_PATH } from "@/lib/doors/http/openapi";
import { describeAssistants } from "@/lib/doors/mcp/describe-assistants";
import { buildOpenApiDocument } from "@/lib/doors/openapi/build-document";
import { describeReference } from "@/lib/doors/openapi/describe-reference";
import { operations } from "@/lib/doors/operations/table";
import { createStaticFiles, STATIC_FILES_PATH } from "@/lib/doors/static/create-static-files";
import { loadConfig } from "@/lib/platform/config";
import { projectPath } from "@/lib/platform/project-path";
import { mailWay } from "@/lib/ports/mail/create-mail";
import { smsWay } from "@/lib/ports/sms/create-sms";
import { type Handler, openProduct } from "@/open-product";

/**
 * Opens the doors: one process with the worker, the API and the dashboard, on the embedded database or yours.
 * @param say progress, for whoever waits at the terminal
 * @returns what to print once it answers requests.
 */
export async function serve(isDevelopment: boolean, say: (line: string) => void): Promise<string> {
  const config = loadConfig(process.env);
  const product = await openProduct(config, say);
  setRuntime({
    services: product.services,
    sessionSecret: deriveSecret(product.secret, "sluice sessions"),
    aggregator: product.ports.aggregator,
    cards: product.ports.cards,
    identity: product.ports.identity,
    webhooks: product.ports.webhooks,
    connections: product.connections,
    isSandbox: product.ports.bank.isSandbox,
    sandbox: product.sandbox,
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
  // next-auth takes its own address from the environment.
  process.env.NEXTAUTH_URL = config.appUrl;
  await product.listen(await openDashboard(config, isDevelopment));
  return describeStart(config, product.start);
}

async function openDashboard(
  { host, port }: { host: string; port: number },
  isDevelopment: boolean,
): Promise<Handler> {
  const dashboard = next({ dev: isDevelopment, hostname: host, port });
  await dashboard.prepare();
  const handle = dashboard.getRequestHandler();
  const forReader = openForReader();
  const toPages: Handler = (request, response) => forReader(request.headers, () => handle(request, response));
  // In development they are made when they are asked for.
  if (isDevelopment) return toPages;
  const staticFiles = createStaticFiles(projectPath(".next/static"));
  const toStaticFiles = getRequestListener(staticFiles.fetch, { overrideGlobalObjects: false });
  return (request, response) =>
    request.url?.startsWith(STATIC_FILES_PATH)
      ? toStaticFiles(request, response)
      : toPages(request, response);
}

async function readVersion(): Promise<string> {
  const text = await readFile(projectPath("package.json"), "utf8");
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}

function deriveSecret(secret: string, purpose: string): string {
  return Buffer.from(hkdfSync("sha256", secret, "", purpose, 32)).toString("base64url");
}
