import type { OpenedOrganization, Violation } from "@/proof/torture/checker/history";
import type { Database } from "@/proof/torture/checker/read-database";

const FOUND = "every difference between bank and books is found, and no other";

/**
 * The bank's mistakes were planted line by line, and the opening balances never came through the bank: exactly these are
 * open differences in the end, and together they explain every cent.
 */
export function checkReconciliation(database: Database, opened: readonly OpenedOrganization[]): Violation[] {
  return opened.flatMap((organization) => checkOrganization(database, organization));
}

function checkOrganization(
  { bankFaults, differences, reconciliations, entries, unknownLines, changedLines }: Database,
  { organizationId, openingTransferIds }: OpenedOrganization,
): Violation[] {
  const booked = new Set(
    entries.filter(({ kind }) => kind === "TRANSFER").map(({ transferId }) => transferId ?? ""),
  );
  const expected = openingTransferIds.map((id) => `MISSING_AT_BANK of transfer ${id}`);
  for (const line of unknownLines) {
    if (line.organizationId === organizationId) expected.push(`MISSING_HERE of line ${line.lineReference}`);
  }
  for (const line of changedLines) {
    if (line.organizationId === organizationId) expected.push(`LINE_CHANGED of line ${line.lineReference}`);
  }
  const undecided = new Set<string>();
  const faults = bankFaults.filter((one) => one.organizationId === organizationId);
  // Two equal lines: either of them may be the one too many.
  const twins = new Map(faults.map(({ lineReference, againReference }) => [lineReference, againReference]));
  for (const fault of faults) {
    const transferId = fault.transferId ?? "";
    // Settled after its own return: nothing was booked that the line could be compared with.
    if (!booked.has(transferId)) undecided.add(transferId);
    else if (fault.kind === "LOST") expected.push(`MISSING_AT_BANK of transfer ${transferId}`);
    else if (fault.kind === "DOUBLED") expected.push(`MISSING_HERE of line ${fault.againReference}`);
    else if (fault.kind === "CHANGED") {
      expected.push(
        fault.isReadBefore
          ? `LINE_CHANGED of line ${fault.lineReference}`
          : `DIFFERENT_AMOUNT of transfer ${transferId}`,
      );
    } else if (fault.kind === "DELAYED") expected.push(`DIFFERENT_DATE of transfer ${transferId}`);
  }
  const found = differences
    .filter((one) => one.organizationId === organizationId && one.state !== "RESOLVED")
    .filter(({ transferId, lineTransferId }) => !undecided.has(transferId ?? lineTransferId ?? "none"))
    .map(({ kind, transferId, lineReference }) =>
      transferId === null
        ? `${kind} of line ${twins.get(lineReference ?? "") ?? lineReference}`
        : `${kind} of transfer ${transferId}`,
    );
  const last = reconciliations.find((one) => one.organizationId === organizationId);
  return [
    ...without(expected, found).map((what) => ({ promise: FOUND, what: `${what} was not found` })),
    ...without(found, expected).map((what) => ({ promise: FOUND, what: `${what} was found and is none` })),
    ...(last?.unexplainedInCents === 0
      ? []
      : [
          {
            promise: FOUND,
            what: `organization ${organizationId} leaves ${last?.unexplainedInCents} cents unexplained`,
          },
        ]),
  ];
}

/** What is in the first list and not in the second, however often. */
function without(first: readonly string[], second: readonly string[]): string[] {
  const left = [...second];
  return first.filter((one) => {
    const place = left.indexOf(one);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
}
