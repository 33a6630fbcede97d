import "server-only";
import { redirect } from "next/navigation";

/** A GET form also sends the fields that were left empty; an address to share has only those that filter something. */
export function dropEmptyParameters(
  path: string,
  parameters: Record<string, string | string[] | undefined>,
): void {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  );
  const filled = pairs.filter(([, value]) => value.trim() !== "");
  if (filled.length === pairs.length) return;
  redirect(filled.length === 0 ? path : `${path}?${new URLSearchParams(filled)}`);
}
