import { FORMER_MEMBER } from "@/lib/words/names";

/** A person whom a policy may name. */
export interface NamedPerson {
  id: string;
  name: string;
}

/** What a policy names, by its ids. */
export interface PolicyNames {
  /** As sentences call them: by the first name where that is enough. */
  people: Readonly<Record<string, string>>;
  accounts: Readonly<Record<string, string>>;
  /** Keys, assistants, members and rules that propose. */
  requesters: Readonly<Record<string, string>>;
}

/** First names where no two people share one; the whole name otherwise. */
export function callPeople(people: readonly NamedPerson[]): Record<string, string> {
  const first = (name: string) => name.trim().split(/\s+/)[0] ?? name;
  const counts = new Map<string, number>();
  for (const { name } of people) counts.set(first(name), (counts.get(first(name)) ?? 0) + 1);
  return Object.fromEntries(
    people.map(({ id, name }) => [id, counts.get(first(name)) === 1 ? first(name) : name.trim()]),
  );
}

export const personName = ({ people }: Pick<PolicyNames, "people">, id: string) =>
  people[id] ?? FORMER_MEMBER;
export const policyAccountName = ({ accounts }: PolicyNames, id: string) =>
  accounts[id] ?? "a removed account";
export const requesterName = ({ requesters, people }: PolicyNames, id: string) =>
  requesters[id] ?? people[id] ?? "a former requester";
