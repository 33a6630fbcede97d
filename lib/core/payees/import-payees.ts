import type { z } from "zod";
import { AppError } from "@/lib/contract/error";
import type { newPayeeSchema } from "@/lib/contract/payee";
import type {
  ImportedLine,
  PayeeFileMatch,
  PayeeFilePreview,
  PreviewedPayee,
} from "@/lib/contract/payees/payee-file";
import { renderedName } from "@/lib/contract/plain-text";
import { addPayee, type GivingServices, requireAddress } from "@/lib/core/payees/give-details";
import { readTakenNames } from "@/lib/core/payees/payee-names";
import { announceImport } from "@/lib/core/payees/payee-record";
import { ownHeader, readPayeeFile } from "@/lib/core/payees/read-payee-file";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { requireDecider } from "@/lib/core/shared/roles";
import { SEND_NOTICES } from "@/lib/core/shared/work-names";
import type { Queryable } from "@/lib/db/transaction";
import { newId } from "@/lib/platform/ids";
import type { BankPort } from "@/lib/ports/bank/bank-port";

type NewPayee = z.output<typeof newPayeeSchema>;

/**
 * Adds the payees of a CSV file, line by line. A line that is wrong is reported and adds nothing; the others are added, so
 * that a corrected file can be sent again: what is there already is reported as such. Each payee waits for its own
 * confirmation; one notice to each owner and co-owner names all. No report repeats an account number, nor text of a line
 * that cannot be read.
 * @param how `match`: which column holds what; null: the file has the header `name,kind,email,account holder,account
 * kind,routing number,account number`, which `street,city,state,zip` may follow. `formId`: of the page from which the file
 * is sent; sent again from there, no account is registered twice
 * @throws AppError `ACCESS_DENIED` unless an owner or co-owner asks; `INVALID_PARAMETERS` for another header without a
 * match, a quote that does not close, no lines, or more than MAXIMUM_IMPORTED_LINES
 */
export async function importPayees(
  services: GivingServices,
  bank: BankPort,
  context: Context<MemberActor>,
  text: string,
  { match = null, formId }: { match?: PayeeFileMatch | null; formId?: string } = {},
): Promise<ImportedLine[]> {
  await requireDecider(services.pool, context, "import payees");
  const file = readPayeeFile(text, match, match === null ? ownHeader(bank.capabilities) : null);
  const importId = newId(context.now);
  const lines: ImportedLine[] = [];
  for (const { line, name, payee, problem } of file.lines) {
    lines.push({
      line,
      name,
      problem:
        payee === null ? problem : await importLine(services, bank, context, { ...payee, formId }, importId),
    });
  }
  await announceImport(services.pool, context, importId);
  services.wake(SEND_NOTICES);
  return lines;
}

/** @returns what is wrong with the line; null: its payee was added */
async function importLine(
  services: GivingServices,
  bank: BankPort,
  context: Context<MemberActor>,
  payee: NewPayee,
  importId: string,
): Promise<string | null> {
  try {
    await addPayee(services, bank, context, payee, { importId });
    return null;
  } catch (error) {
    if (error instanceof AppError && error.code === "INVALID_PARAMETERS") {
      return error.details[0]?.message ?? error.message;
    }
    throw error;
  }
}

/**
 * Shows what an import would do, line by line. Stores nothing and does not ask the bank, which may still refuse an
 * account.
 * @param match which column holds what; null: guesses, for a person to check
 * @throws AppError as `importPayees`, apart from the header
 */
export async function previewPayees(
  pool: Queryable,
  bank: Pick<BankPort, "capabilities">,
  context: Context<MemberActor>,
  text: string,
  match: PayeeFileMatch | null,
): Promise<PayeeFilePreview> {
  await requireDecider(pool, context, "import payees");
  const { lines, ...file } = readPayeeFile(text, match);
  const taken = await readTakenNames(pool, context.organizationId);
  const payees = lines.map((one): PreviewedPayee => {
    const { line, problem: wrong } = one;
    if (one.payee === null) return { line, name: one.name, email: null, account: null, problem: wrong };
    const { name, email, account } = one.payee;
    const problem = taken.has(renderedName(name)) ? NAME_TAKEN : addressProblem(bank, one.payee);
    // The second line of a name in the file is the one that is refused.
    if (problem === null) taken.add(renderedName(name));
    return { line, name, email, account: account && describeAccount(account), problem };
  });
  return { kind: "READ", ...file, payees };
}

const NAME_TAKEN = "A payee with this name already exists, or comes earlier in the file.";

function addressProblem(bank: Pick<BankPort, "capabilities">, { account }: NewPayee): string | null {
  if (account === null) return null;
  try {
    requireAddress(bank, account);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.details[0]?.message ?? error.message;
    throw error;
  }
}

function describeAccount({
  holderName,
  accountKind,
  accountNumber,
}: NonNullable<NewPayee["account"]>): string {
  return `${holderName}, ${accountKind === "CHECKING" ? "checking" : "savings"} ••••${accountNumber.slice(-4)}`;
}
