import type { Pool } from "pg";
import { z } from "zod";
import type { Clock } from "@/lib/platform/clock";
import type { Config } from "@/lib/platform/config";
import { storeMessage } from "@/lib/ports/messages/mailbox";
import { MessageNotSent, type OutgoingSms, type SmsPort } from "@/lib/ports/messages/message-ports";

/** Where text messages go: to a provider, to the mailbox on this machine, or nowhere. */
export function smsWay(config: Pick<Config, "twilio" | "mailbox">): "PROVIDER" | "MAILBOX" | "NONE" {
  if (config.twilio) return "PROVIDER";
  return config.mailbox ? "MAILBOX" : "NONE";
}

/** SMS as configured: Twilio, else the mailbox on this machine, else an adapter that reports what is missing. */
export function createSms(config: Pick<Config, "twilio" | "mailbox">, pool: Pool, clock: Clock): SmsPort {
  if (config.twilio) return createTwilioSms(config.twilio);
  return config.mailbox ? createMailboxSms(pool, clock) : createUnconfiguredSms();
}

/** Every message fails with what to configure: silence would look like a sent message. */
export function createUnconfiguredSms(): SmsPort {
  return {
    send: async () => {
      throw new MessageNotSent(
        "PERMANENT",
        "UNCONFIGURED",
        "No SMS is sent: TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM are not set.",
      );
    },
  };
}

/** Text messages that end up in the mailbox at /mailbox: for a trial run on this machine. */
export function createMailboxSms(pool: Pool, clock: Clock): SmsPort {
  return {
    async send({ to, text }) {
      const message = { channel: "SMS", recipient: to, subject: null, text, html: null } as const;
      try {
        return { providerId: await storeMessage(pool, message, clock.now()) };
      } catch (error) {
        throw new MessageNotSent("TEMPORARY", "MAILBOX", "The mailbox could not be written", {
          cause: error,
        });
      }
    },
  };
}

const TWILIO_URL = "https://api.twilio.com";
const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 16 * 1024;
const MAX_REASON_LENGTH = 300;

/**
 * Refusals with status 400 that concern the sender or the account, not the message: no sender, one that is not theirs
 * or takes no SMS, a messaging service without one (212.., 216.., 217..), a disabled country (21408), a trial account
 * (21608), a full queue (21611).
 */
const CORRECTABLE_CODES: readonly number[] = [
  21212, 21408, 21603, 21606, 21608, 21611, 21659, 21660, 21661, 21703, 21704, 21705,
];

const takenSchema = z.object({ sid: z.string() });
const refusedSchema = z.object({ code: z.number().int(), message: z.string() });

interface TwilioOptions {
  accountSid: string;
  authToken: string;
  /** A number in E.164, or a messaging service (`MG…`). */
  from: string;
  baseUrl?: string;
  timeoutMs?: number;
}

/** SMS through Twilio's REST API (`POST /2010-04-01/Accounts/{Sid}/Messages.json`). */
export function createTwilioSms(options: TwilioOptions): SmsPort {
  const accountSid = encodeURIComponent(options.accountSid);
  const address = `${options.baseUrl ?? TWILIO_URL}/2010-04-01/Accounts/${accountSid}/Messages.json`;
  const credentials = Buffer.from(`${options.accountSid}:${options.authToken}`).toString("base64");
  return {
    async send(sms) {
      const response = await post(
        address,
        credentials,
        bodyOf(sms, options.from),
        options.timeoutMs ?? TIMEOUT_MS,
      );
      return await readAnswer(response);
    },
  };
}

function bodyOf({ to, text }: OutgoingSms, from: string): URLSearchParams {
  const senderField = from.startsWith("MG") ? "MessagingServiceSid" : "From";
  return new URLSearchParams([
    ["To", to],
    [senderField, from],
    ["Body", text],
  ]);
}

async function post(
  address: string,
  credentials: string,
  body: URLSearchParams,
  timeoutMs: number,
): Promise<Response> {
  try {
    return await fetch(address, {
      method: "POST",
      headers: { authorization: `Basic ${credentials}`, accept: "application/json" },
      body,
      // A redirect would carry the message, and with some clients the password, to another address.
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    });
  } catch (error) {
    throw new MessageNotSent("TEMPORARY", faultOf(error), "Twilio did not answer", { cause: error });
  }
}

async function readAnswer(response: Response): Promise<{ providerId: string | null }> {
  // A truncated body changes nothing about the status: an accepted message must not be sent again.
  const body = await readBoundedText(response, MAX_RESPONSE_BYTES).then(parseJson, () => null);
  if (response.ok) return { providerId: takenSchema.safeParse(body).data?.sid ?? null };
  const refusal = refusedSchema.safeParse(body).data;
  // Most 400s concern this message (a number that does not exist, a recipient who said STOP). 401, 403 and 404 concern
  // the account, which the operator can correct; 429 and 5xx pass.
  const isCorrectable = refusal !== undefined && CORRECTABLE_CODES.includes(refusal.code);
  const kind = response.status === 400 && !isCorrectable ? "PERMANENT" : "TEMPORARY";
  const reason = refusal ? `: ${refusal.message.slice(0, MAX_REASON_LENGTH)}` : "";
  throw new MessageNotSent(
    kind,
    String(refusal?.code ?? response.status),
    `Twilio answered ${response.status}${reason}`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON (a proxy's error page, or truncated at the bound): only the status decides.
    return null;
  }
}

function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return "UNKNOWN";
  if (error.name === "TimeoutError") return "ETIMEDOUT";
  const cause = error.cause;
  return cause instanceof Error && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : "ENETWORK";
}

/**
 * Reads at most `maxBytes` of a response as UTF-8 and drops the rest: an endless response must not fill this process's
 * memory.
 */
async function readBoundedText(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let left = maxBytes;
  try {
    while (left > 0) {
      const { done, value } = await reader.read();
      if (done) break;
      const chunk = value.subarray(0, left);
      left -= chunk.byteLength;
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } finally {
    // Closes the connection; a failure to do so does not affect what was read.
    await reader.cancel().catch(() => undefined);
  }
}
