import { Configuration, PlaidApi, PlaidEnvironments } from "plaid";
import { z } from "zod";
import {
  AggregatorUnavailable,
  ConnectingRefused,
  SignInNeeded,
} from "@/lib/ports/aggregator/aggregator-port";

const TIMEOUT_MS = 30_000;
/** 500 transactions with all of Plaid's fields are about one megabyte. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
const MAX_MESSAGE_LENGTH = 300;

export interface PlaidOptions {
  clientId: string;
  secret: string;
  environment: "sandbox" | "production";
  /** For tests: an address other than Plaid's. */
  baseUrl?: string;
  timeoutMs?: number;
}

/** Makes one request to Plaid within its time limit and checks the shape of the response. */
export type CallPlaid = <Data>(
  schema: z.ZodType<Data>,
  ask: (api: PlaidApi, limits: { signal: AbortSignal }) => Promise<{ data: unknown }>,
) => Promise<Data>;

export function createCallPlaid(options: PlaidOptions): CallPlaid {
  const api = new PlaidApi(
    new Configuration({
      basePath: options.baseUrl ?? PlaidEnvironments[options.environment] ?? "",
      baseOptions: {
        headers: { "PLAID-CLIENT-ID": options.clientId, "PLAID-SECRET": options.secret },
        maxContentLength: MAX_RESPONSE_BYTES,
        // A redirect would carry the credentials to another address.
        maxRedirects: 0,
      },
    }),
  );
  return async (schema, ask) => {
    const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
    const answer = await ask(api, { signal }).catch((error: unknown) => {
      throw toPortError(error, signal);
    });
    const parsed = schema.safeParse(answer.data);
    if (parsed.success) return parsed.data;
    const where = parsed.error.issues[0]?.path.join(".") ?? "";
    throw new AggregatorUnavailable("UNEXPECTED_ANSWER", `Plaid's answer is not as documented at ${where}`);
  };
}

/** As documented under "Errors"; every error has a type and a code. */
const errorSchema = z.object({
  response: z.object({
    data: z.object({ error_type: z.string(), error_code: z.string(), error_message: z.string() }),
  }),
});

/** The customer must sign in (again) or consent: Plaid's "Item errors", and revoked access. */
const SIGN_IN_CODES = new Set([
  "ACCESS_NOT_GRANTED",
  "INSUFFICIENT_CREDENTIALS",
  "INVALID_ACCESS_TOKEN",
  "INVALID_CREDENTIALS",
  "INVALID_MFA",
  "INVALID_SEND_METHOD",
  "INVALID_UPDATED_USERNAME",
  "ITEM_LOCKED",
  "ITEM_LOGIN_REQUIRED",
  "ITEM_NOT_FOUND",
  "ITEM_NOT_SUPPORTED",
  "MFA_NOT_SUPPORTED",
  "NO_ACCOUNTS",
  "PASSWORD_RESET_REQUIRED",
  "USER_INPUT_TIMEOUT",
  "USER_PERMISSION_REVOKED",
  "USER_SETUP_REQUIRED",
]);

const REFUSED_CODES = new Set(["INVALID_PUBLIC_TOKEN", "EXPIRED_PUBLIC_TOKEN", "INVALID_LINK_TOKEN"]);

/**
 * Errors of the HTTP client carry the whole request, including credentials and access token: only Plaid's code and
 * message leave this file.
 */
function toPortError(error: unknown, signal: AbortSignal): Error {
  const reported = errorSchema.safeParse(error);
  if (!reported.success) return new AggregatorUnavailable(faultOf(error, signal), "Plaid did not answer");
  const { error_code: code, error_message } = reported.data.response.data;
  const message = `Plaid: ${error_message.slice(0, MAX_MESSAGE_LENGTH)}`;
  if (SIGN_IN_CODES.has(code)) return new SignInNeeded(code, message);
  if (REFUSED_CODES.has(code)) return new ConnectingRefused(code, message);
  return new AggregatorUnavailable(code, message);
}

function faultOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return "ETIMEDOUT";
  const status = z.object({ response: z.object({ status: z.number() }) }).safeParse(error);
  if (status.success) return `HTTP_${status.data.response.status}`;
  const code = z.object({ code: z.string().max(100) }).safeParse(error);
  return code.success ? code.data.code : "ENETWORK";
}
