import { SHOWN_FIELD } from "@/lib/contract/shown";

/** The arguments of a server action as a page sends them that shows this: after its input, or as a field of its form. */
export function withShown([input, form]: readonly unknown[], shown: string): unknown[] {
  if (!(form instanceof FormData)) return form === undefined ? [input, shown] : [input, form];
  const sent = new FormData();
  for (const [name, value] of form) sent.append(name, value);
  sent.set(SHOWN_FIELD, shown);
  return [input, sent];
}
