import type { Pool } from "pg";
import { z } from "zod";
import type { Clock } from "@/lib/platform/clock";
import { askBank } from "@/lib/ports/bank/ask-bank";
import { BankRefusesKey, BankUnavailable } from "@/lib/ports/bank/bank-port";
import { bankWords } from "@/lib/ports/bank/bank-words";
import { eventIdSchema, eventTimeSchema } from "@/lib/ports/bank/listed-event";
import { centsOf, parseWithNumbersAsText } from "@/lib/ports/bank/mercury/dollars";
import { RetryAfter } from "@/lib/ports/bank/retry-after";

const ADDRESSES = {
  production: "https://api.mercury.com/api/v1",
  sandbox: "https://api-sandbox.mercury.com/api/v1",
} as const;

export interface MercurySetting {
  token: string;
  /** In the sandbox, Mercury moves no real money. */
  environment: "sandbox" | "production";
  /** The id of the account at Mercury that holds the money. */
  accountId: string;
  /** `REQUEST`: a person approves each payment at Mercury. `DIRECT`: it leaves at once. */
  send: "REQUEST" | "DIRECT";
  /** An emulator's address. Null: Mercury's own. */
  baseUrl: string | null;
  /** For tests: how long an answer is waited for. */
  timeoutMs?: number;
}

/** An answer of Mercury that decides something: every other one leaves the outcome unknown. */
export interface MercuryAnswer {
  status: 200 | 400 | 404 | 409;
  /** Every number is its text; see dollars.ts. */
  body: unknown;
}

interface MercuryRequest {
  method: "GET" | "POST";
  path: string;
  /** JSON, written by the caller because amounts are decimals. */
  body?: string;
}

export type CallMercury = (request: MercuryRequest) => Promise<MercuryAnswer>;

/** What every part of the adapter works with. */
export interface Mercury {
  call: CallMercury;
  pool: Pool;
  setting: MercurySetting;
}

/**
 * One request to Mercury. Nothing is repeated here: the product asks what became of a request first.
 * @throws BankUnavailable for no answer, and for one that decides nothing; neither names a number of an account
 */
export function createCallMercury(setting: MercurySetting, clock?: Clock): CallMercury {
  const base = setting.baseUrl ?? ADDRESSES[setting.environment];
  const rest = new RetryAfter("Mercury", clock);
  return async ({ method, path, body }) => {
    rest.assertMayAsk();
    const { response, text } = await askBank(
      "Mercury",
      `${base}${path}`,
      {
        method,
        headers: {
          authorization: `Bearer ${setting.token}`,
          accept: "application/json",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body }),
      },
      setting.timeoutMs,
    );
    rest.note(response);
    const status = DECIDING.get(response.status);
    // A bad token, an address that is not allowed, a rate limit: no transfer may fail because of them.
    if (!status) throw undecided(response.status, wordsOf({ body: parse(text) }));
    return { status, body: parse(text) };
  };
}

function undecided(status: number, words: string | null): BankUnavailable {
  const stated = words === null ? "" : `: ${words}`;
  if (status === 401) {
    return new BankRefusesKey(
      `Mercury refuses MERCURY_API_TOKEN (401${stated}): there is no such token in the environment of MERCURY_ENV.`,
    );
  }
  if (status === 403) {
    return new BankRefusesKey(
      `Mercury refuses MERCURY_API_TOKEN (403${stated}): it lacks a permission, or may not be used from the address of this server.`,
    );
  }
  return new BankUnavailable(`Mercury could not be reached (${status})${stated}`);
}

const errorSchema = z.object({
  errors: z.union([z.string(), z.object({ message: z.string() })]),
});

/** What Mercury says beside a status. The form of its errors is not documented; another one says nothing. */
export function wordsOf({ body }: Pick<MercuryAnswer, "body">): string | null {
  const errors = errorSchema.safeParse(body).data?.errors;
  return bankWords(typeof errors === "string" ? errors : errors?.message);
}

/** 201 is documented nowhere, but means the same. 422 is a 400 that names a field, 410 a 404 of what was there. */
const DECIDING = new Map<number, MercuryAnswer["status"]>([
  [200, 200],
  [201, 200],
  [400, 400],
  [422, 400],
  [404, 404],
  [410, 404],
  [409, 409],
]);

function parse(text: string): unknown {
  try {
    return parseWithNumbersAsText(text);
  } catch {
    // A refusal may be plain text; an object that is expected is missed by its schema.
    return null;
  }
}

/**
 * What Mercury answered, if it is what is documented.
 * @throws BankUnavailable otherwise: nothing is concluded from an answer that was not understood
 */
export function read<Data>(schema: z.ZodType<Data>, { status, body }: MercuryAnswer): Data {
  if (status !== 200) throw new BankUnavailable(`Mercury could not be reached (${status})`);
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]?.path.join(".") ?? "";
  throw new BankUnavailable(`Mercury's answer is not as documented at ${where}`);
}

/*
 * The fields that are read, as in Mercury's OpenAPI documents at docs.mercury.com (April to October 2026). Lists of
 * values are texts: one that Mercury adds must not stop everything else.
 */
const id = z.string().regex(/^[!-~]{1,100}$/);
const money = z.string().transform((text, context) => {
  const cents = centsOf(text);
  if (cents !== null) return cents;
  context.addIssue("not whole cents");
  return z.NEVER;
});
const time = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
/** In place of a time that is not as documented. */
export const UNREADABLE_TIME = new Date(Number.NaN);
const maybe = z.string().nullish();
/** Compared with what is stored: what cannot be stored makes its own object unreadable, not the page that it is on. */
const reference = z
  .string()
  .regex(/^[!-~]{0,100}$/)
  .nullish();
/** Words for a person: whatever else it is says nothing. */
const loose = z.unknown().transform((text) => (typeof text === "string" ? text : null));

export const accountSchema = z.object({
  id,
  accountNumber: z.string().regex(/[0-9]{4}$/),
  routingNumber: z.string().regex(/[0-9]{4}$/),
  availableBalance: money,
  currentBalance: money,
});

/** Of numbers, only the last four digits are kept. */
export const recipientSchema = z.object({
  id,
  nickname: maybe,
  status: z.string(),
});
export type MercuryRecipient = z.output<typeof recipientSchema>;

export const transactionSchema = z.object({
  id,
  accountId: id,
  amount: money,
  status: z.string(),
  /** Null, like a kind that Mercury adds, says nothing. */
  kind: z
    .string()
    .nullish()
    .transform((kind) => kind ?? "other"),
  createdAt: time,
  postedAt: time.nullish(),
  failedAt: time.nullish(),
  estimatedDeliveryDate: time.nullish(),
  counterpartyId: reference,
  counterpartyName: loose,
  bankDescription: loose,
  note: maybe,
  reasonForFailure: maybe,
  requestId: reference,
  relatedTransactions: z
    .array(z.object({ id, relationKind: z.string() }))
    .max(1_000)
    .nullish()
    .transform((related) => related ?? []),
});
export type MercuryTransaction = z.output<typeof transactionSchema>;

/** Of a transaction that needs to be read no further: each field by itself. */
export const postedSchema = z.object({
  id: id.nullable().catch(null),
  status: z.string().nullable().catch(null),
  postedAt: time.nullish().catch(UNREADABLE_TIME),
});

export const transactionsSchema = z.object({
  transactions: z.array(transactionSchema).max(1_000),
});

export const approvalSchema = z.object({
  requestId: id,
  accountId: id,
  recipientId: id,
  amount: money,
  /** `pendingApproval`, `approved`, `rejected`, `cancelled`. */
  status: z.string(),
  memo: maybe,
  createdAt: time,
});
export type MercuryApproval = z.output<typeof approvalSchema>;

/** The patch is not read: an event only says where to look. One that is not understood must not hide the others. */
export const eventsSchema = z.object({ events: z.array(z.unknown()).max(1_000) });
export const eventForm = {
  schema: z
    .object({ id: eventIdSchema, resourceType: z.string(), resourceId: id, occurredAt: eventTimeSchema })
    .transform((event) => ({
      id: event.id,
      createdAt: event.occurredAt,
      about: event.resourceType === "transaction" ? event.resourceId : null,
    })),
  timeField: "occurredAt",
};
