import { REFUSAL_ADVICE } from "@/lib/api/mcp/tell/refusal-advice";
import { ERROR_STATUS, type ErrorCode } from "@/lib/contract/error";
import { ERROR_HELP } from "@/lib/contract/error-help";

const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERROR_STATUS, text);

/** The reference speaks of headers; tools have arguments. */
const nameArguments = (text: string) => text.replaceAll("idempotency-key", "idempotencyKey");

/** Every code with what it means and what an agent does about it. */
export function errorTable(): string {
  const rows = Object.keys(ERROR_STATUS)
    .filter(isErrorCode)
    .map((code) => `| \`${code}\` | ${nameArguments(ERROR_HELP[code].meaning)} | ${REFUSAL_ADVICE[code]} |`);
  return [
    "# Refusals",
    "",
    "A tool that is refused answers with `isError: true`, and with `{ error: { code, message, details }, requestId }` as structured content. `details` names each argument that is wrong and what it must be. Waiting for approval (`APPROVAL_PENDING`) and a denial (`APPROVAL_DENIED`) are statuses of a transfer or a run, not refusals.",
    "",
    "| code | what it means | what to do |",
    "| --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}
