import { describe, expect, it } from "vitest";
import {
  draftPermissions,
  draftProblems,
  EMPTY_DRAFT,
  type KeyDraft,
} from "@/app/settings/api-keys/_components/key-draft";
import { permissionsSchema } from "@/lib/contract/permissions";

const A = "00000000-0000-7000-8000-00000000000a";
const B = "00000000-0000-7000-8000-00000000000b";
const ALL = { isOn: true, isAll: true, ids: [] };
const draft = (fields: Partial<KeyDraft>): KeyDraft => ({ ...EMPTY_DRAFT, name: "claude-taxes", ...fields });
const route = (source: string, target: string, limit = "", key = 0) => ({ key, source, target, limit });

describe("the form of a new key", () => {
  it("requires approval by default, and produces what the server's schema accepts", () => {
    const everything = draft({
      moves: true,
      routes: [route(A, B, "1,000.00"), route("ANY", "ANY", "", 1)],
      runs: { isOn: true, isAll: false, ids: [B] },
      runsWithApproval: false,
      readsAccounts: { isOn: true, isAll: false, ids: [A] },
      readsTransfers: { isOn: true, isAll: true, ids: [B] },
      readsRules: ALL,
      readsAudit: true,
      createsAccounts: true,
      editsRules: { isOn: true, isAll: false, ids: [A, B] },
    });
    expect(draftProblems(everything)).toEqual([]);
    const permissions = permissionsSchema.parse(draftPermissions(everything));
    expect(permissions).toEqual([
      {
        type: "MANUAL_TRANSFER",
        entries: [
          { source: A, target: B, max_amount: 100_000 },
          { source: "ANY", target: "ANY" },
        ],
        approval: { required: true },
      },
      { type: "TRIGGER_RULES", rules: [B], approval: { required: false } },
      { type: "READ_ACCOUNTS", accounts: [A] },
      { type: "READ_TRANSFERS", accounts: "ALL" },
      { type: "READ_RULES", rules: "ALL" },
      { type: "READ_AUDIT_LOGS" },
      { type: "CREATE_ACCOUNTS" },
      { type: "CREATE_AND_EDIT_RULES", rules: [A, B] },
    ]);
  });

  it.each<[string, Partial<KeyDraft>, DraftAt]>([
    ["no name", { name: " ", readsRules: ALL }, "name"],
    ["nothing picked", {}, "permissions"],
    ["a route without an end", { moves: true, routes: [route(A, "")] }, 0],
    ["a route to itself", { moves: true, routes: [route(A, A)] }, 0],
    ["a route twice", { moves: true, routes: [route(A, B), route(A, B, "5", 1)] }, 1],
    ["an unreadable limit", { moves: true, routes: [route(A, B, "lots")] }, 0],
    ["a limit below any transfer", { moves: true, routes: [route(A, B, "0.99")] }, 0],
    ["a list of no accounts", { readsAccounts: { isOn: true, isAll: false, ids: [] } }, "accounts"],
    ["a list of no accounts", { readsTransfers: { isOn: true, isAll: false, ids: [] } }, "transfers"],
    ["a list of no rules", { runs: { isOn: true, isAll: false, ids: [] } }, "runs"],
    ["a list of no rules", { readsRules: { isOn: true, isAll: false, ids: [] } }, "readsRules"],
    ["a list of no rules", { editsRules: { isOn: true, isAll: false, ids: [] } }, "editsRules"],
  ])("cannot be sent with %s, and says where", (_what, fields, at) => {
    expect(draftProblems(draft(fields))).toMatchObject([{ at }]);
  });

  it("never treats an unreadable limit as no limit", () => {
    const unreadable = draft({ moves: true, routes: [route(A, B, "5oo"), route(B, A, "1", 1)] });
    expect(draftPermissions(unreadable)).toMatchObject([{ entries: [{ source: B, max_amount: 100 }] }]);
  });

  it("forgets what was entered under a permission that was turned off", () => {
    expect(draftPermissions(draft({ moves: false, routes: [route(A, B)] }))).toEqual([]);
  });
});

type DraftAt = ReturnType<typeof draftProblems>[number]["at"];
