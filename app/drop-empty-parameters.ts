import "server-only";
import { redirect } from "next/navigation";

/** A GET form also sends empty fields. Redirects to an address without them, which is short enough to share. */
export function dropEmptyParameters(
  path: string,
  parameters: Record<string, string | string[] | undefined>,
): void {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    [value ?? []]
      .flat()
      // Next takes `?toString=1` for a second value besides the one that every object inherits.
      .filter((each) => typeof each === "string")
      .map((each): [string, string] => [name, each]),
  );
  const filled = pairs.filter(([, value]) => value.trim() !== "");
  if (filled.length === pairs.length) return;
  redirect(filled.length === 0 ? path : `${path}?${new URLSearchParams(filled)}`);
}
