import { isolatedName } from "@/lib/words/messages/untrusted-text";

/** Whoever asks for an approval. */
export interface Asker {
  name: string;
  /** Of an assistant: who connected it. Null: it is none. */
  connectedBy: string | null;
}

/**
 * `claude-bookkeeping`; `The assistant Claude, connected by Mara,`: at the start of a sentence. An assistant chose its
 * name itself, and might call itself like a member or a bank.
 */
export function askerInWords({ name, connectedBy }: Asker): string {
  if (connectedBy === null) return isolatedName(name);
  return `The assistant ${isolatedName(name)}, connected by ${isolatedName(connectedBy)},`;
}
