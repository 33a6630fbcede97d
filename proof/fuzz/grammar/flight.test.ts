import { expect, it } from "vitest";
import { encodeArguments } from "@/proof/fuzz/grammar/flight";
import { encodeArguments as encodeAsReact } from "@/proof/torture/actors/encode-arguments";

/** The entries of a body, whichever of the two encodings it has. */
async function entriesOf(
  body: string | FormData | Buffer,
  type: string,
): Promise<[string, unknown][] | string> {
  if (body instanceof FormData) return [...body];
  if (typeof body === "string") return body;
  if (!type.startsWith("multipart/")) return body.toString();
  return [...(await new Response(new Uint8Array(body), { headers: { "Content-Type": type } }).formData())];
}

/** Without it, each form that the fuzz sends is refused before any field is read. */
it.each([
  ["values", ["$money", { amountInCents: 5, note: null, label: undefined }, [true]]],
  ["a form", [formOf({ amount: "$5.00", payerName: "Halden" })]],
  ["a form after a value", [{ kind: "NONE" }, formOf({ minutes: "3" })]],
])("the fuzz encodes %s as React does", async (_name, args) => {
  const ours = encodeArguments(args);
  expect(await entriesOf(ours.body, ours.type)).toEqual(await entriesOf(await encodeAsReact(args), ""));
});

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}
