import { INTERNAL_ERROR, INVALID_REQUEST } from "@modelcontextprotocol/server";
import { CLOSES_CONNECTION } from "@/lib/api/http/read-body";
import { AppError, ERROR_STATUS } from "@/lib/contract/error";

/** JSON-RPC reserves -32000 to -32099 for servers: the request was valid but refused. */
const NOT_LET_THROUGH = -32_000;

/** Not a valid message; answered with JSON-RPC's own codes. */
export class MalformedMessage extends AppError {
  static override readonly kind = "MalformedMessage";

  constructor(
    readonly rpcCode: number,
    message: string,
  ) {
    super("INVALID_PARAMETERS", message);
  }
}

/** A refusal before any tool, prompt or resource was reached. */
export function answerRefusal(refusal: AppError): Response {
  const response = protocolError(ERROR_STATUS[refusal.code], rpcCodeOf(refusal), refusal.message);
  if (refusal.code !== "PAYLOAD_TOO_LARGE") return response;
  for (const [name, value] of Object.entries(CLOSES_CONNECTION)) response.headers.set(name, value);
  return response;
}

/** A JSON-RPC error without an id: the message is unknown, or does not matter. */
function protocolError(status: number, rpcCode: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code: rpcCode, message } }, { status });
}

/** Refuses the sender rather than the message. */
export function senderRefused(status: number, message: string): Response {
  return protocolError(status, NOT_LET_THROUGH, message);
}

function rpcCodeOf(refusal: AppError): number {
  if (refusal instanceof MalformedMessage) return refusal.rpcCode;
  if (refusal.code === "UNEXPECTED_ERROR") return INTERNAL_ERROR;
  return refusal.code === "INVALID_PARAMETERS" ? INVALID_REQUEST : NOT_LET_THROUGH;
}
