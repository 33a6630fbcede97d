import Increase from "increase";
import {
  BankOrderConflict,
  BankRefusesAccount,
  BankRefusesKey,
  BankUnavailable,
} from "@/lib/ports/bank/bank-port";
import { bankWords } from "@/lib/ports/bank/bank-words";

const OTHER_ENVIRONMENT = "it belongs to the other environment; compare it with INCREASE_ENV";

/** Of 401, as in Increase's OpenAPI document. */
const KEY_PROBLEM: ReadonlyMap<string, string> = new Map([
  ["wrong_environment", OTHER_ENVIRONMENT],
  ["deleted_credential", "it was deleted"],
  ["expired_credential", "it has expired"],
  ["ip_not_allowed", "it may not be used from the address of this server"],
  ["no_credential", "there is no such key"],
  ["no_api_access", "it may not use the API"],
]);

/** Whatever kept an answer from us leaves the outcome unknown. A bad key too: no transfer may fail because of it. */
export async function reached<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw toPortError(error);
  }
}

/** As an error of the port, whose message is for operators. */
export function toPortError(error: unknown): unknown {
  const isOfPort =
    error instanceof BankUnavailable ||
    error instanceof BankOrderConflict ||
    error instanceof BankRefusesAccount ||
    error instanceof RangeError;
  if (isOfPort) return error;
  if (!(error instanceof Increase.APIError)) return unreached(error);
  // Thrown below the SDK.
  if (error.cause instanceof BankUnavailable) return error.cause;
  const problem = keyProblem(error);
  if (problem !== null) return new BankRefusesKey(`Increase refuses INCREASE_API_KEY: ${problem}.`);
  if (error.status === undefined) return unreached(error);
  const words = wordsOf(error);
  return new BankUnavailable(
    `Increase could not be reached (${error.status})${words === null ? "" : `: ${words}`}`,
    { cause: new Error(`${error.name}: ${error.status}`) },
  );
}

const unreached = (cause: unknown) =>
  new BankUnavailable("Increase could not be reached (no answer)", { cause });

/** Null: the key is not what is wrong. */
function keyProblem(error: unknown): string | null {
  if (error instanceof Increase.EnvironmentMismatchError) return OTHER_ENVIRONMENT;
  if (error instanceof Increase.InsufficientPermissionsError) {
    return `it lacks a permission${ofWords(wordsOf(error))}`;
  }
  if (error instanceof Increase.AuthenticationError) {
    const reason = error instanceof Increase.InvalidAPIKeyError ? error.reason : "";
    return KEY_PROBLEM.get(reason) ?? "it is not accepted (401)";
  }
  return null;
}

const ofWords = (words: string | null) => (words === null ? "" : ` (${words})`);

/** `title` and `detail` of an error, bounded and without numbers of accounts. */
export function wordsOf(error: unknown): string | null {
  if (!(error instanceof Increase.APIError)) return null;
  const body: unknown = error.error;
  if (typeof body !== "object" || body === null) return null;
  return bankWords("title" in body ? body.title : null, "detail" in body ? body.detail : null);
}

/** The details of a request are not accepted. */
export const isInvalid = (error: unknown) =>
  error instanceof Increase.APIError && (error.status === 400 || error.status === 422);
