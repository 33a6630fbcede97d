import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EMPTY_DRAFT, fixedDraft } from "@/app/settings/api-keys/_components/key-draft";
import { canList } from "@/app/settings/api-keys/_components/power-items";
import { worthKnowing } from "@/app/settings/api-keys/_components/worth-knowing";
import type { KeyAccountView, KeyRuleView } from "@/lib/contract/keys/key-facts";
import { type Permission, type PermissionInput, permissionsSchema } from "@/lib/contract/permissions";
import { phraseText } from "@/lib/words/keys/key-phrases";
import { keyPhrase, keySentence } from "@/lib/words/keys/key-sentence";

const ids: Record<string, string> = {};
const account = (name: string, isOutside = false): KeyAccountView => {
  const id = `00000000-0000-7000-8000-${String(Object.keys(ids).length).padStart(12, "0")}`;
  ids[name] = id;
  return {
    id,
    name,
    kind: isOutside ? "EXTERNAL_ACCOUNT" : "POD",
    isOutside,
    canBeSource: true,
    isClosed: false,
  };
};
const ACCOUNTS = [
  account("Operating"),
  account("Taxes"),
  account("Profit"),
  account("Payroll"),
  account("Checking", true),
];
const RULES: KeyRuleView[] = ["Payday", "Card payoff", "Sweep", "Top up"].map((name, index) => ({
  id: `10000000-0000-7000-8000-00000000000${index}`,
  name,
  isActive: true,
  sendsOutside: name === "Card payoff",
}));
const ruleIds = (...names: string[]) =>
  names.map((name) => RULES.find((rule) => rule.name === name)?.id ?? "10000000-0000-7000-8000-0000000000ff");
const id = (name: string) => ids[name] ?? name;

const route = (source: string, target: string, max_amount?: number) => ({
  source: id(source),
  target: id(target),
  ...(max_amount !== undefined && { max_amount }),
});
const moves = (entries: ReturnType<typeof route>[], required = true): PermissionInput => ({
  type: "MANUAL_TRANSFER",
  entries,
  approval: { required },
});
const runs = (required = true): PermissionInput => ({
  type: "TRIGGER_RULES",
  rules: "ALL",
  approval: { required },
});
const EVERYTHING: PermissionInput[] = [
  { type: "READ_ACCOUNTS", accounts: "ALL" },
  { type: "READ_TRANSFERS", accounts: "ALL" },
  { type: "READ_RULES", rules: "ALL" },
  { type: "READ_AUDIT_LOGS" },
];
const parse = (permissions: PermissionInput[]): Permission[] => permissionsSchema.parse(permissions);
const say = (permissions: PermissionInput[], canDecide = true) =>
  phraseText(
    keySentence({
      permissions: parse(permissions),
      accounts: ACCOUNTS,
      rules: RULES,
      dailyCapInCents: null,
      canDecide,
    }),
  );
const short = (permissions: PermissionInput[], canDecide = true) =>
  phraseText(
    keyPhrase({
      permissions: parse(permissions),
      accounts: ACCOUNTS,
      rules: RULES,
      dailyCapInCents: null,
      canDecide,
    }),
  );

describe("the sentence says what a key may do", () => {
  it.each<[PermissionInput[], string]>([
    [
      [moves([route("Operating", "Taxes", 50_000), route("Profit", "Taxes", 100_000)])],
      "can ask you to move up to $500.00 from Operating to Taxes and up to $1,000.00 from Profit to Taxes. Nothing moves until you approve.",
    ],
    [
      [
        moves([
          route("Operating", "Taxes", 500_000),
          route("Profit", "Taxes", 500_000),
          route("Operating", "Payroll", 500_000),
        ]),
        { type: "CREATE_AND_EDIT_RULES", rules: "ALL" },
        ...EVERYTHING,
      ],
      "can ask you to move up to $5,000.00 at a time from Operating or Profit to Taxes and from Operating to Payroll. It reads everything and can change rules, which stay off until a person activates them. Nothing moves until you approve.",
    ],
    [
      [moves([route("Operating", "Profit", 2_500)], false)],
      "can move up to $25.00 at a time from Operating to Profit. Nobody is asked before it moves money.",
    ],
    [
      [moves([route("ANY", "ANY")])],
      "can ask you to move any amount between any two accounts. Nothing moves until you approve.",
    ],
    [
      [moves([route("ANY", "Taxes"), route("Profit", "ANY")])],
      "can ask you to move any amount from any account to Taxes and from Profit to any account. Nothing moves until you approve.",
    ],
    [
      [
        moves([
          route("Operating", "Taxes", 500),
          route("Operating", "Payroll", 500),
          route("Operating", "Profit", 500),
          route("Profit", "Checking", 500),
        ]),
      ],
      "can ask you to move up to $5.00 at a time from Operating to Taxes, Payroll or Profit and from Profit to Checking. Nothing moves until you approve.",
    ],
    [
      [
        { type: "READ_ACCOUNTS", accounts: "ALL" },
        { type: "READ_TRANSFERS", accounts: "ALL" },
      ],
      "reads the balances and transfers of all accounts.",
    ],
    [[runs()], "can ask you to run all rules. Nothing moves until you approve."],
    [
      [{ type: "TRIGGER_RULES", rules: ruleIds("Payday", "Sweep"), approval: { required: true } }],
      "can ask you to run the rules Payday and Sweep. Nothing moves until you approve.",
    ],
    [
      [
        { type: "READ_RULES", rules: ruleIds("Payday", "a deleted one") },
        { type: "CREATE_AND_EDIT_RULES", rules: ruleIds("Payday") },
      ],
      "reads the rule Payday and a deleted rule. It can change the rule Payday, in versions that stay off until a person activates them.",
    ],
    [[{ type: "READ_RULES", rules: RULES.map((rule) => rule.id) }], "reads 4 rules."],
    [
      [moves([route("Operating", "Taxes")]), runs(false)],
      "can ask you to move any amount from Operating to Taxes. It can run all rules. Nobody is asked before the rules it runs move money.",
    ],
    [
      [moves([route("Operating", "Taxes")], false), runs()],
      "can move any amount from Operating to Taxes. It can ask you to run all rules. Nobody is asked before its transfers move money.",
    ],
    [
      [
        { type: "READ_ACCOUNTS", accounts: [id("Taxes")] },
        { type: "READ_TRANSFERS", accounts: "ALL" },
      ],
      "reads the balances of 1 account and the transfers of all accounts.",
    ],
    [
      [{ type: "CREATE_ACCOUNTS" }, { type: "READ_AUDIT_LOGS" }],
      "can create accounts. It reads the audit log.",
    ],
    [EVERYTHING, "reads everything."],
    [[], "can only list your beneficiaries."],
  ])("%#", (permissions, sentence) => {
    expect(say(permissions)).toBe(sentence);
  });

  it("names a bounded number of routes and counts the rest", () => {
    const many = Array.from({ length: 9 }, (_, index) => route("Operating", "Taxes", 100 * (index + 1)));
    expect(say([moves(many)])).toContain("and on 5 more routes.");
  });

  it('says "ask you" only to members who may approve', () => {
    expect(say([moves([route("Operating", "Taxes")])], false)).toBe(
      "can ask for approval to move any amount from Operating to Taxes. Nothing moves until an owner or co-owner approves.",
    );
    expect(short([moves([route("Operating", "Taxes")])], false)).toBe(
      "Moves any amount from Operating to Taxes, with approval.",
    );
  });

  it("is short in the list", () => {
    expect(
      short([
        moves([
          route("Operating", "Taxes", 500_000),
          route("Profit", "Taxes", 100),
          route("Operating", "Payroll", 1),
        ]),
        { type: "CREATE_AND_EDIT_RULES", rules: "ALL" },
        ...EVERYTHING,
      ]),
    ).toBe("Moves up to $5,000.00 on 3 routes, with your approval. Changes rules, reads everything.");
    expect(short([moves([route("Operating", "Taxes"), route("Profit", "Taxes", 5_000)], false)])).toBe(
      "Moves any amount on 1 of 2 routes, up to $50.00 on the other, without asking.",
    );
    expect(
      short([
        moves([
          route("Operating", "Taxes"),
          route("Profit", "Taxes", 5_000),
          route("Operating", "Payroll", 100),
        ]),
      ]),
    ).toBe("Moves any amount on 1 of 3 routes, up to $50.00 on the others, with your approval.");
    // The highest matching limit counts, so the other limits nothing.
    expect(short([moves([route("ANY", "ANY"), route("Profit", "Taxes", 5_000)])])).toBe(
      "Moves any amount between any two accounts, with your approval.",
    );
    expect(short([runs(false), { type: "READ_TRANSFERS", accounts: "ALL" }])).toBe(
      "Runs all rules, without asking. Reads the transfers of all accounts.",
    );
    expect(short([])).toBe("Only lists beneficiaries.");
  });
});

const anyPermissions = fc
  .record({
    moves: fc.option(
      fc.record({
        routes: fc.array(
          fc.tuple(
            fc.constantFrom("ANY", "Operating", "Profit"),
            fc.constantFrom("ANY", "Taxes", "Checking"),
            fc.option(fc.integer({ min: 1, max: 1e9 })),
          ),
          { minLength: 1, maxLength: 9 },
        ),
        required: fc.boolean(),
      }),
    ),
    runs: fc.option(fc.boolean()),
    others: fc.subarray<PermissionInput>([
      ...EVERYTHING,
      { type: "CREATE_ACCOUNTS" },
      { type: "CREATE_AND_EDIT_RULES", rules: "ALL" },
    ]),
  })
  .map(({ moves: transfers, runs: rules, others }) =>
    parse([
      ...(transfers
        ? [
            moves(
              transfers.routes.map(([from, to, cap]) => route(from, to, cap ?? undefined)),
              transfers.required,
            ),
          ]
        : []),
      ...(rules === null ? [] : [runs(rules)]),
      ...others,
    ]),
  );

describe("of every key", () => {
  it("the words mention approval exactly where it is needed", () => {
    fc.assert(
      fc.property(anyPermissions, (permissions) => {
        const text = phraseText(
          keySentence({
            permissions,
            accounts: ACCOUNTS,
            rules: RULES,
            dailyCapInCents: null,
            canDecide: true,
          }),
        );
        const starts = permissions.flatMap((permission) =>
          "approval" in permission ? [permission.approval] : [],
        );
        expect(text.includes("Nothing moves until")).toBe(
          starts.length > 0 && starts.every(({ required }) => required),
        );
        expect(text.includes("Nobody is asked")).toBe(starts.some(({ required }) => !required));
        expect(text).toMatch(/^[a-z].*\.$/);
        expect(text).not.toMatch(/undefined|null|\s\s|\.\.|, \./);
        const phrase = phraseText(
          keyPhrase({
            permissions,
            accounts: ACCOUNTS,
            rules: RULES,
            dailyCapInCents: null,
            canDecide: true,
          }),
        );
        expect(phrase.includes("without asking")).toBe(starts.some(({ required }) => !required));
        expect(phrase).toMatch(/^[A-Z].*\.$/);
        const alone = worthKnowing(permissions, ACCOUNTS, null).filter(({ id: hint }) =>
          hint.endsWith("_ALONE"),
        );
        expect(alone).toHaveLength(starts.filter(({ required }) => !required).length);
      }),
      { numRuns: 500 },
    );
  });

  it("the list has a line for each permission and for each missing one", () => {
    fc.assert(
      fc.property(anyPermissions, (permissions) => {
        const items = canList(permissions, ACCOUNTS, RULES);
        expect(items).toHaveLength(9);
        expect(new Set(items.map(({ text }) => text)).size).toBe(9);
        const powers = items.filter(({ can, text }) => can !== "NO" && !text.includes("outside"));
        expect(powers).toHaveLength(permissions.length);
      }),
    );
  });
});

describe("the list says that money may leave", () => {
  it("also through a rule that the key runs, and only then", () => {
    const lines = (...names: string[]) =>
      canList(parse([{ type: "TRIGGER_RULES", rules: ruleIds(...names) }]), ACCOUNTS, RULES).flatMap(
        ({ can, text }) => (text.includes("outside") ? [`${can} ${text}`] : []),
      );
    expect(lines("Payday", "Card payoff")).toEqual(["ASKS Ask to run rules that send money outside Sluice"]);
    expect(lines("Payday")).toEqual(["NO Send money outside Sluice"]);
  });
});

describe("worth knowing", () => {
  const hints = (permissions: PermissionInput[]) => worthKnowing(parse(permissions), ACCOUNTS, null);
  const titles = (permissions: PermissionInput[]) => hints(permissions).map(({ title }) => title);
  const reads: PermissionInput = { type: "READ_TRANSFERS", accounts: [id("Taxes")] };
  const hintsAtBalances = "Its dry runs reveal balances it may not read";

  it("says that limits are per transfer, and which route has none", () => {
    expect(
      hints([reads, moves([route("Operating", "Taxes", 100), route("Profit", "Taxes", 200)])])[0],
    ).toEqual({
      id: "ALL_LIMITED",
      outcome: "CLEAR",
      title: "Both routes have a limit",
      text: "The limit is for each transfer, not for each day.",
    });
    expect(titles([reads, moves([route("Operating", "Taxes", 100), route("Profit", "Taxes")])])).toEqual([
      "Profit to Taxes has no limit",
      hintsAtBalances,
    ]);
    expect(titles([reads, moves([route("ANY", "Taxes")])])).toEqual([
      "Any account to Taxes has no limit",
      hintsAtBalances,
    ]);
  });

  it("says that dry runs hint at balances that the key may not read", () => {
    const balances = (accounts: "ALL" | string[]): PermissionInput => ({ type: "READ_ACCOUNTS", accounts });
    const runs: PermissionInput = { type: "TRIGGER_RULES", rules: "ALL", approval: { required: true } };
    const says = (permissions: PermissionInput[]) => titles(permissions).includes(hintsAtBalances);
    expect(says([runs])).toBe(true);
    expect(says([runs, balances([id("Taxes")])])).toBe(true);
    expect(says([runs, balances("ALL")])).toBe(false);
    const fromOperating = moves([route("Operating", "Taxes", 100)]);
    expect(says([fromOperating])).toBe(true);
    expect(says([fromOperating, balances([id("Taxes")])])).toBe(true);
    expect(says([fromOperating, balances([id("Operating")])])).toBe(false);
    expect(says([moves([route("ANY", "Taxes")]), balances([id("Operating")])])).toBe(true);
    expect(says([{ type: "READ_RULES", rules: "ALL" }])).toBe(false);
  });

  it("points out money that leaves, moves without approval or moves anywhere", () => {
    expect(titles([moves([route("ANY", "ANY")], false)])).toEqual([
      "Any account to any account has no limit",
      "It moves between any two accounts",
      "It moves money without approval",
      "It may send money outside Sluice",
      hintsAtBalances,
    ]);
    expect(titles([reads, moves([route("Checking", "Operating", 1)])])).toEqual([
      "The route has a limit",
      hintsAtBalances,
    ]);
    expect(titles([reads, moves([route("Operating", "Checking", 1)])])).toContain(
      "It may send money outside Sluice",
    );
  });

  it("offers to limit transfers to the same accounts, and the offer resolves the hint", () => {
    const few: PermissionInput[] = [
      { type: "READ_ACCOUNTS", accounts: [id("Taxes"), id("Profit"), id("Operating")] },
      { type: "READ_TRANSFERS", accounts: "ALL" },
    ];
    const [hint] = hints(few);
    expect(hint).toMatchObject({ id: "SEES_MORE_TRANSFERS", fix: "Use the same 3" });
    const readsAccounts = { isOn: true, isAll: false, ids: [id("Taxes")] };
    const wide = { ...EMPTY_DRAFT, readsAccounts, readsTransfers: { isOn: true, isAll: true, ids: [] } };
    expect(fixedDraft(wide).readsTransfers).toEqual(readsAccounts);
  });

  it("says nothing about a key that reads little", () => {
    expect(hints([reads])).toEqual([]);
  });
});
