import type { AppError } from "@/lib/contract/error";

/** A refusal in words that say what to do about it. */
export function tellRefusal(error: AppError, requestId: string, _appUrl: string): string {
  const fields = error.details.map(({ field, message }) => `- ${field}: ${message}`);
  return [`Refused (${error.code}): ${error.message}`, ...fields, `Request id: ${requestId}.`].join("\n");
}
