import { randomUUID } from "node:crypto";
import { z } from "zod";
import { createApi } from "@/lib/api/http/app";
import type { PermissionInput } from "@/lib/contract/permissions";
import type { CreateTransferBody, Transfer } from "@/lib/contract/transfer";
import { checkDraft } from "@/lib/core/approvals/checks-for-programs";
import { createAuditWriter } from "@/lib/core/audit/audit-writer";
import type { SandboxWorld } from "@/lib/core/sandbox/drive";
import type { CallerActor, Context } from "@/lib/core/shared/context";
import { createTransfer } from "@/lib/core/transfers/create-transfer";
import type { Services } from "@/lib/platform/services";

export interface ApiResponse {
  status: number;
  headers: Headers;
  // Tests inspect it with matchers, which fail on a wrong shape.
  body: unknown;
  text: string;
}

/** The HTTP API in this process, called with whole requests. */
export function createTestApi(services: Services, sandbox: SandboxWorld | null = null) {
  const api = createApi({ ...services, sandbox, audit: createAuditWriter(services) });
  return async function call(
    keyText: string | null,
    method: string,
    path: string,
    options: {
      body?: unknown;
      /** As sent over the network. */
      rawBody?: string | Uint8Array<ArrayBuffer>;
      headers?: Record<string, string>;
    } = {},
  ): Promise<ApiResponse> {
    const rawBody =
      options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const response = await api.request(`/platform/v1${path}`, {
      method,
      headers: {
        ...(keyText !== null && { Authorization: `Bearer ${keyText}` }),
        ...(rawBody !== undefined && { "Content-Type": "application/json" }),
        ...options.headers,
      },
      ...(rawBody !== undefined && { body: rawBody }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : null,
    };
  };
}

export const readEverything: PermissionInput[] = [
  { type: "READ_ACCOUNTS", accounts: "ALL" },
  { type: "READ_TRANSFERS", accounts: "ALL" },
];
export const moveAnything = (required: boolean): PermissionInput => ({
  type: "MANUAL_TRANSFER",
  entries: [{ source: "ANY", target: "ANY" }],
  approval: { required },
});

/** A transfer as a key requests it now, without an idempotency key. @throws what the command throws */
export async function askTransfer(
  services: Services,
  context: Context<CallerActor>,
  body: CreateTransferBody,
): Promise<Transfer> {
  const result = await createTransfer(
    services,
    { ...context, now: services.clock.now() },
    {
      body,
      sent: {
        method: "POST",
        path: "/platform/v1/transfers",
        idempotencyKey: null,
        calledReason: null,
        body,
      },
      auditAction: "CREATE_TRANSFER",
      idempotency: null,
      check: checkDraft,
    },
  );
  if (result.kind !== "CREATED") throw new Error("A transfer without an idempotency key was replayed");
  return result.body.data;
}

/**
 * The same, but left for the worker to book, as every transfer of an organization is while something else in its group is
 * refused: here a request of a key that does not exist. Alone, a move between own accounts is booked as it is accepted.
 * @throws what the command throws
 */
export function askUnbooked(
  services: Services,
  context: Context<CallerActor>,
  body: CreateTransferBody,
): Promise<Transfer> {
  const { pool } = services;
  const query = (sent: unknown) => {
    if (!isCreation(sent)) return Reflect.apply(pool.query, pool, [sent]);
    const [item] = JSON.parse(sent.values[0]);
    const refused = { ...item, apiKeyId: randomUUID(), idempotency: null };
    return pool.query({ ...sent, values: [JSON.stringify([item, refused])] });
  };
  const beside = new Proxy(pool, {
    get: (target, name) => (name === "query" ? query : Reflect.get(target, name, target)),
  });
  return askTransfer({ ...services, pool: beside }, context, body);
}

const creationSchema = z.object({ name: z.literal("create_transfers"), values: z.tuple([z.string()]) });

const isCreation = (sent: unknown): sent is { name: string; text: string; values: [string] } =>
  creationSchema.safeParse(sent).success;
