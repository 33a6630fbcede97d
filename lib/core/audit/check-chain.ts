import { entryHash, genesisHash, sealHash } from "@/lib/core/audit/audit-digest";
import type { Seal } from "@/lib/core/audit/read-seals";

/** A head that was noted earlier, outside the database. */
export interface KnownHead {
  hash: string;
  /** How many entries there were; null: wherever in the chain the hash stands. */
  count: number | null;
}

export interface CheckedChain {
  count: number;
  /** The hash of the newest seal, or of the genesis. */
  head: string;
}

/**
 * Recomputes a chain from its beginning.
 * @param report gets one sentence for each thing that is wrong, and where
 */
export async function checkChain(
  organizationId: string,
  seals: AsyncIterable<Seal>,
  known: KnownHead | null,
  report: (problem: string) => void,
): Promise<CheckedChain> {
  let count = 0;
  let expected = 1;
  let head = genesisHash(organizationId);
  let isKnownHeadMet = known !== null && isMet(known, 0, head);
  for await (const seal of seals) {
    if (seal.sequence !== expected) report(missingSeals(expected, seal.sequence - 1));
    checkEntry(seal, report);
    if (sealHash(head, seal) !== seal.hash) {
      report(
        `sequence ${seal.sequence}: the seal does not follow from the one before it: it was altered, or what stood before it was altered, removed or exchanged`,
      );
    }
    count += 1;
    expected = seal.sequence + 1;
    head = seal.hash;
    isKnownHeadMet ||= known !== null && isMet(known, seal.sequence, head);
  }
  if (known && !isKnownHeadMet) report(missingHead(known, count));
  return { count, head };
}

const isMet = (known: KnownHead, sequence: number, hash: string) =>
  known.hash === hash && (known.count === null || known.count === sequence);

function checkEntry(seal: Seal, report: (problem: string) => void): void {
  if (seal.entry === null) {
    report(`sequence ${seal.sequence}: the entry ${seal.entryId} is missing`);
  } else if (entryHash(seal.entry) !== seal.entryHash) {
    report(`sequence ${seal.sequence}: the entry ${seal.entryId} is not the one that was sealed`);
  }
}

function missingSeals(first: number, last: number): string {
  return first === last
    ? `sequence ${first}: the seal is missing`
    : `sequences ${first} to ${last}: the seals are missing`;
}

function missingHead(known: KnownHead, count: number): string {
  return known.count === null
    ? `the known head ${known.hash} is not in this chain of ${count}: its end was cut off, or it was written anew`
    : `the known head ${known.hash} is not at sequence ${known.count} of ${count}: the end was cut off, or the chain was written anew`;
}
