import { findLookAlikes } from "@/lib/contract/input/look-alike";
import { scriptsOf } from "@/lib/words/look-alike-words";

/**
 * What a list to choose from calls each account, key or filter: one whose name looks the same as another of the list says
 * so, because a list shows homoglyphs as the same name twice.
 */
export function namesToChoose(choices: readonly { id: string; name: string }[]): (id: string) => string {
  const alike = findLookAlikes(choices.map(({ id, name }) => ({ id, name, kind: "ACCOUNT" })));
  const names = new Map(choices.map(({ id, name }) => [id, name]));
  return (id) => {
    const name = names.get(id) ?? "";
    return alike.has(id) ? `${name}${scriptsOf(name)}, another name looks the same` : name;
  };
}
