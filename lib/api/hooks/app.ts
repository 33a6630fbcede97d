import { Hono } from "hono";
import { addIncreaseWebhook } from "@/lib/api/hooks/increase-webhook";
import { runHook } from "@/lib/api/hooks/run-hook";
import { notListed } from "@/lib/api/http/app";
import { readBody } from "@/lib/api/http/read-body";
import type { OperationServices } from "@/lib/api/operations/run-operation";
import { newFacts, type RequestBindings } from "@/lib/platform/observe/request-facts";

export const HOOKS_BASE_PATH = "/hooks";

/** What the banks sign their webhooks with; null: that bank is not in use. */
export interface BankSecrets {
  increase: string | null;
}

/**
 * The hooks: starts one rule for a program that has its secret, and hears from the bank; plain-text 404 for everything
 * else.
 */
export function createHooks(
  services: OperationServices,
  banks: BankSecrets = { increase: null },
): Hono<{ Bindings: RequestBindings }> {
  const app = new Hono<{ Bindings: RequestBindings }>();
  app.post(`${HOOKS_BASE_PATH}/rules/:ruleId`, async (c) => {
    const url = new URL(c.req.url);
    const facts = c.env?.facts ?? newFacts();
    facts.route = `${HOOKS_BASE_PATH}/rules/:ruleId`;
    const response = await runHook(services, {
      path: url.pathname,
      ruleId: c.req.param("ruleId"),
      query: url.searchParams,
      header: (name) => c.req.header(name),
      readBody: () => readBody(c.env?.incoming ?? c.req.raw),
      facts,
    });
    return new Response(JSON.stringify(response.body), {
      status: response.status,
      headers: { ...response.headers, "Content-Type": "application/json", "Cache-Control": "no-store" },
    });
  });
  if (banks.increase !== null) addIncreaseWebhook(app, services, banks.increase);
  app.notFound(notListed);
  return app;
}
