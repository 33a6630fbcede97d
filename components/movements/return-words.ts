import { ACH_RETURNS, achReturnCodeSchema } from "@/lib/contract/ach-return";

/** A bank's return code in words: `R10, not authorized`; the code alone where it has none. */
export function returnWords(code: string): string {
  const known = achReturnCodeSchema.safeParse(code);
  return known.success ? `${code}, ${ACH_RETURNS[known.data]}` : code;
}
