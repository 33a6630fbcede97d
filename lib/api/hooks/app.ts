import { Hono } from "hono";
import { type BankWebhooks, createBankWebhook } from "@/lib/api/hooks/bank-webhook";
import { runHook } from "@/lib/api/hooks/run-hook";
import { notListed } from "@/lib/api/http/app";
import type { OutgoingResponse } from "@/lib/api/http/pipeline";
import { readBody } from "@/lib/api/http/read-body";
import type { OperationServices } from "@/lib/api/operations/run-operation";
import { newFacts, type RequestBindings } from "@/lib/platform/observe/request-facts";

export const HOOKS_BASE_PATH = "/hooks";

/**
 * The hooks: starts one rule for a program that has its secret, and is woken by the bank; plain-text 404 for everything
 * else.
 * @param banks whose webhooks are received
 */
export function createHooks(
  services: OperationServices,
  banks: BankWebhooks = new Map(),
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
    return toResponse(response);
  });
  const receive = createBankWebhook(services, banks);
  app.post(`${HOOKS_BASE_PATH}/bank/:bank`, async (c) => {
    const facts = c.env?.facts ?? newFacts();
    facts.route = `${HOOKS_BASE_PATH}/bank/:bank`;
    const response = await receive({
      bank: c.req.param("bank"),
      header: (name) => c.req.header(name),
      readBody: () => readBody(c.env?.incoming ?? c.req.raw),
      facts,
    });
    return response ? toResponse(response) : notListed(c);
  });
  app.notFound(notListed);
  return app;
}

function toResponse({ status, headers, body }: OutgoingResponse): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...headers, "Content-Type": "application/json", "Cache-Control": "no-store" },
  });
}
