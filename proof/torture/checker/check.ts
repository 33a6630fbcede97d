import type pg from "pg";
import { type BankBooks, withBooks } from "@/proof/torture/checker/bank-books";
import { checkAcknowledged } from "@/proof/torture/checker/check-acknowledged";
import { checkActors, countSteps, type Steps } from "@/proof/torture/checker/check-actors";
import { checkBankBooks } from "@/proof/torture/checker/check-bank-books";
import { checkBooks } from "@/proof/torture/checker/check-books";
import { checkAudit, checkDecisions } from "@/proof/torture/checker/check-decisions";
import { checkEvents } from "@/proof/torture/checker/check-events";
import { checkMandates } from "@/proof/torture/checker/check-mandates";
import { checkReconciliation } from "@/proof/torture/checker/check-reconciliation";
import { checkRules } from "@/proof/torture/checker/check-rules";
import { checkCaps, checkStops } from "@/proof/torture/checker/check-stops";
import { eventsOf, type HistoryEvent, readHistory, type Violation } from "@/proof/torture/checker/history";
import { type Database, readDatabase } from "@/proof/torture/checker/read-database";

export interface Checked {
  violations: Violation[];
  summary: Summary;
}

/** How much was checked: a run in which nothing happened proves nothing. */
export interface Summary {
  answered: number;
  unanswered: number;
  decided: number;
  /** Attempts to decide that came second. */
  outrun: number;
  transfers: Record<string, number>;
  runs: number;
  deliveries: number;
  seals: number;
  /** Mistakes of the bank in its statement. */
  misreports: number;
  /** What became of the actors' attempts. */
  steps: Steps;
}

/**
 * Compares requests and answers, deliveries and the bank's actions with the final database. It shares no code with the
 * product: its statements, arithmetic, hashes and signatures are its own.
 * @param owner of a database in which everything has come to rest
 * @param books of a bank with its own; null: the sandbox bank keeps its orders in the database
 */
export async function check(historyPath: string, owner: pg.Pool, books: BankBooks | null): Promise<Checked> {
  const history = readHistory(historyPath);
  const read = await readDatabase(owner);
  const database = books ? withBooks(read, books) : read;
  const opened = eventsOf(history, "opened");
  const violations = [
    ...checkActors(countSteps(history)),
    ...checkBooks(database, opened),
    ...checkAcknowledged(history, database),
    ...checkDecisions(history, database, opened),
    ...checkMandates(history, database),
    ...checkCaps(database, opened),
    ...checkStops(history),
    ...checkRules(database, opened),
    ...checkEvents(history, database, opened),
    ...checkAudit(database),
    ...checkReconciliation(database, opened),
    ...(books ? checkBankBooks(books, database) : []),
  ];
  return { violations, summary: summarize(history, database) };
}

function summarize(
  history: readonly HistoryEvent[],
  { transfers, executions, seals, bankFaults, changedLines }: Database,
): Summary {
  const verdicts = eventsOf(history, "verdict");
  const statuses: Record<string, number> = {};
  for (const { status } of transfers) statuses[status] = (statuses[status] ?? 0) + 1;
  return {
    answered: eventsOf(history, "answered").length,
    unanswered: eventsOf(history, "unanswered").length,
    decided: verdicts.filter(({ result }) => result === "DECIDED").length,
    outrun: verdicts.filter(({ result }) => result === "ALREADY_DECIDED").length,
    transfers: statuses,
    runs: executions.length,
    deliveries: eventsOf(history, "received").length,
    seals: seals.length,
    misreports: bankFaults.length + changedLines.length,
    steps: countSteps(history),
  };
}
