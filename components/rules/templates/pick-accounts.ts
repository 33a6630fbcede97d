import type { EditorAccountView } from "@/lib/contract/views/rule-editor-view";

/** What an account is for in a template. */
export type AccountRole = "INCOME" | "OPERATING" | "TAXES" | "PROFIT" | "OWNER" | "PAYROLL" | "RENT" | "DEBT";

/** The accounts of an organization by what they are for; null where none fits, and the member chooses. */
export type Cast = Readonly<Record<AccountRole, EditorAccountView | null>> & {
  debts: readonly EditorAccountView[];
};

const NAMED = {
  OPERATING: /operat|checking|main|current/i,
  TAXES: /tax/i,
  PROFIT: /profit|saving|reserve/i,
  OWNER: /owner|draw|pay yourself|salary/i,
  PAYROLL: /payroll|wage|team/i,
  RENT: /rent|bill|lease|office/i,
} as const;

const MAXIMUM_DEBTS = 20;

/** Chooses by name and kind: pods by what they are called, the income source and debts by what they are. */
export function castAccounts(accounts: readonly EditorAccountView[]): Cast {
  const pods = accounts.filter(({ kind }) => kind === "POD");
  const debts = accounts.filter(({ kind }) => kind === "LIABILITY").slice(0, MAXIMUM_DEBTS);
  const named = (pattern: RegExp) => pods.find(({ name }) => pattern.test(name)) ?? null;
  const operating = named(NAMED.OPERATING) ?? pods[0] ?? null;
  return {
    INCOME: accounts.find(({ kind }) => kind === "INCOME_SOURCE") ?? operating,
    OPERATING: operating,
    TAXES: named(NAMED.TAXES),
    PROFIT: named(NAMED.PROFIT),
    OWNER: named(NAMED.OWNER),
    PAYROLL: named(NAMED.PAYROLL),
    RENT: named(NAMED.RENT),
    DEBT: debts[0] ?? null,
    debts,
  };
}

/** What a template calls an account before there is one. */
const CALLED = {
  INCOME: "your income source",
  OPERATING: "Operating",
  TAXES: "Taxes",
  PROFIT: "Profit",
  OWNER: "Owner’s pay",
  PAYROLL: "Payroll",
  RENT: "Rent",
  DEBT: "a card",
} as const satisfies Record<AccountRole, string>;

export function nameIn(cast: Cast, role: AccountRole): string {
  return cast[role]?.name ?? CALLED[role];
}
