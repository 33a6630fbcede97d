import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import {
  declarationOf,
  formFields,
  memberAction,
  memberForm,
  personAction,
  visitorAction,
  visitorForm,
} from "@/app/auth/member-action";
import { labeled } from "@/app/auth/run-as-member";
import { formatShown, SHOWN_FIELD } from "@/lib/contract/shown";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { setRuntime } from "@/lib/next/runtime";
import { type ActionScene, arrangeActions, testRuntime } from "@/lib/testing/action-scene";
import { useTestDatabase } from "@/lib/testing/database";

/** No request reaches what an action does unless session, page, role and input allow it. */
const browser = vi.hoisted(() => ({ sessionId: "", userId: "" }));
vi.mock("next/headers", () => ({ headers: async () => new Headers({ "user-agent": "Vitest" }) }));
vi.mock("@/app/auth/session-cookie", () => ({
  readSessionCookie: async () => (browser.sessionId === "" ? null : { ...browser }),
}));

const database = useTestDatabase();
let scene: ActionScene;
beforeAll(async () => {
  scene = await arrangeActions(database);
  setRuntime(testRuntime(scene));
});
beforeEach(() => signIn(scene.members.OWNER));

function signIn({ actor }: Context<MemberActor>): void {
  browser.sessionId = actor.sessionId;
  browser.userId = actor.id;
}

function shownBy({ actor, organizationId }: Context<MemberActor>): string {
  return formatShown({ userId: actor.id, organizationId, proposalId: null });
}

const ran = vi.fn();
beforeEach(() => ran.mockReset());
const input = z.object({ name: z.string().min(1).max(10), amount: z.string().transform(Number) });
const GIVEN = { name: "Taxes", amount: "7" };

const rename = memberAction(
  { may: "DECIDERS", input, toProblem: labeled({ name: "The name" }) },
  async ({ context }, given) => ran(context.actor.id, given),
);

/** As any session can: with whatever it likes. */
const call = (action: object, ...args: unknown[]): Promise<unknown> =>
  typeof action === "function" ? Reflect.apply(action, undefined, args) : Promise.reject(action);

describe("an action of a member", () => {
  it("runs as the member, with parsed input, and is done", async () => {
    expect(await rename(GIVEN, shownBy(scene.members.OWNER))).toEqual({ kind: "DONE" });
    expect(ran).toHaveBeenCalledExactlyOnceWith(scene.members.OWNER.actor.id, { name: "Taxes", amount: 7 });
  });

  it("answers what it returns, and takes no input unless it says so", async () => {
    const read = memberAction({ may: "MEMBERS" }, async () => ({ kind: "READ" as const, count: 7 }));
    expect(await read(undefined, shownBy(scene.members.OWNER))).toEqual({ kind: "READ", count: 7 });
    expect(await call(read, "something", shownBy(scene.members.OWNER))).toMatchObject({ kind: "REFUSED" });
  });

  it("refuses every role that may not, before its input is read", async () => {
    const sign = memberAction({ may: "OWNER" }, async () => ran());
    for (const role of ["ACCOUNTANT", "VIEWER"] as const) {
      signIn(scene.members[role]);
      expect(await call(rename, null, shownBy(scene.members[role]))).toMatchObject({
        code: "ACCESS_DENIED",
        message: "Only an owner or co-owner may do this. Nothing was changed.",
      });
    }
    signIn(scene.members.CO_OWNER);
    expect(await sign(undefined, shownBy(scene.members.CO_OWNER))).toMatchObject({ code: "ACCESS_DENIED" });
    expect(ran).not.toHaveBeenCalled();
    expect(await rename(GIVEN, shownBy(scene.members.CO_OWNER))).toEqual({ kind: "DONE" });
  });

  it("refuses a caller who is signed out", async () => {
    browser.sessionId = "";
    expect(await rename(GIVEN, shownBy(scene.members.OWNER))).toMatchObject({
      message: expect.stringMatching(/^You were signed out/),
    });
    expect(ran).not.toHaveBeenCalled();
  });

  it("refuses a page of another organization and of another person", async () => {
    const { actor } = scene.members.OWNER;
    const { organizationId } = scene.stranger;
    expect(
      await rename(GIVEN, formatShown({ userId: actor.id, organizationId, proposalId: null })),
    ).toMatchObject({ message: expect.stringMatching(/no longer belong to the organization/) });
    expect(await rename(GIVEN, shownBy(scene.members.CO_OWNER))).toMatchObject({
      message: "You are signed in as Mara now. Look again. Nothing was changed.",
    });
    expect(ran).not.toHaveBeenCalled();
  });

  it.each([undefined, null, "", 7, "x", {}, [], () => "x", "a~b"])(
    "refuses %j in place of what the page showed",
    async (shown) => {
      expect(await call(rename, GIVEN, shown)).toMatchObject({
        kind: "REFUSED",
        message: expect.stringMatching(/did not come from a page of Sluice/),
      });
      expect(ran).not.toHaveBeenCalled();
    },
  );

  it("refuses spoiled input beside the field of the form", async () => {
    const shown = shownBy(scene.members.OWNER);
    expect(await rename({ ...GIVEN, name: "" }, shown)).toMatchObject({
      code: "INVALID_PARAMETERS",
      problems: { name: expect.stringMatching(/^The name must/) },
    });
    for (const spoiled of [undefined, null, 7, "x", [], {}, { name: () => "x" }, new FormData()])
      expect(await call(rename, spoiled, shown)).toMatchObject({ code: "INVALID_PARAMETERS" });
    expect(ran).not.toHaveBeenCalled();
  });

  it("shows the words of a schema only where they are a sentence for a person", async () => {
    const shown = shownBy(scene.members.OWNER);
    const choose = memberAction(
      { may: "MEMBERS", input: z.object({ id: z.uuid(), name: z.string({ error: "Enter the payer." }) }) },
      async () => ran(),
    );
    const id = scene.organizationId;
    expect(await call(choose, { id, name: 7 }, shown)).toMatchObject({ message: "Enter the payer." });
    expect(await call(choose, { id: "x", name: "y" }, shown)).toMatchObject({
      message: "Sluice cannot read this request. Reload the page. Nothing was changed.",
    });
    const attach = memberAction({ may: "MEMBERS", input, otherwise: "Choose a file." }, async () => ran());
    expect(await call(attach, {}, shown)).toMatchObject({ message: "Choose a file." });
  });
});

describe("a form", () => {
  const form = (fields: Record<string, string>) => {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) data.set(name, value);
    return data;
  };

  it("that works without scripts carries what its page showed, and only then is done", async () => {
    const send = memberForm({ may: "DECIDERS", input }, async (_acting, given) => ran(given));
    const shown = shownBy(scene.members.OWNER);
    expect(await send(null, form({ ...GIVEN, [SHOWN_FIELD]: shown }))).toEqual({ kind: "DONE" });
    expect(ran).toHaveBeenCalledExactlyOnceWith({ name: "Taxes", amount: 7 });
    for (const sent of [form(GIVEN), form({ ...GIVEN, [SHOWN_FIELD]: "x" }), null, "x"])
      expect(await call(send, null, sent)).toMatchObject({ kind: "REFUSED" });
    expect(ran).toHaveBeenCalledTimes(1);
  });

  it("that scripts send is parsed by its fields", async () => {
    const send = memberAction({ may: "MEMBERS", input: formFields(input) }, async (_acting, given) =>
      ran(given),
    );
    expect(await send(form(GIVEN), shownBy(scene.members.OWNER))).toEqual({ kind: "DONE" });
    expect(ran).toHaveBeenCalledExactlyOnceWith({ name: "Taxes", amount: 7 });
    expect(await call(send, GIVEN, shownBy(scene.members.OWNER))).toMatchObject({ kind: "REFUSED" });
  });

  it("of a visitor needs neither session nor page", async () => {
    browser.sessionId = "";
    const send = visitorForm({ input }, async (_services, given) => ran(given));
    const direct = visitorAction({ input }, async (_services, given) => ran(given));
    expect(await send(null, form(GIVEN))).toEqual({ kind: "DONE" });
    expect(await direct(GIVEN)).toEqual({ kind: "DONE" });
    expect(await call(direct, { name: 7 })).toMatchObject({ code: "INVALID_PARAMETERS" });
    expect(ran).toHaveBeenCalledTimes(2);
  });
});

describe("an action about a member's own sign-in", () => {
  const change = personAction({ input }, async ({ actor }) => ran(actor.id));

  it("runs before the required second factor, and for the person of the page alone", async () => {
    const { ownerPool } = database;
    await ownerPool.query("update organizations set requires_second_factor = true where id = $1", [
      scene.organizationId,
    ]);
    const shown = shownBy(scene.members.OWNER);
    expect(await rename(GIVEN, shown)).toMatchObject({ message: expect.stringMatching(/second factor/) });
    expect(await change(GIVEN, shown)).toEqual({ kind: "DONE" });
    expect(await change(GIVEN, shownBy(scene.members.VIEWER))).toMatchObject({ kind: "REFUSED" });
    expect(await call(change, GIVEN)).toMatchObject({ kind: "REFUSED" });
    await ownerPool.query("update organizations set requires_second_factor = false");
    expect(ran).toHaveBeenCalledExactlyOnceWith(scene.members.OWNER.actor.id);
  });
});

it("gives tests what it declares, and knows nothing of other functions", () => {
  expect(declarationOf(rename)).toEqual({ may: "DECIDERS", input });
  expect(declarationOf(() => undefined)).toBeUndefined();
});
