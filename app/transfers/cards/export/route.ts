import { downloadMovements } from "@/app/transfers/download-movements";

export function GET(request: Request): Promise<Response> {
  return downloadMovements("CARDS", request);
}
