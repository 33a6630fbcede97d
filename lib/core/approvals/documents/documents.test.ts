import { createHash, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { MAXIMUM_DOCUMENT_BYTES } from "@/lib/contract/limits";
import { decideProposal } from "@/lib/core/approvals/decide-proposal";
import {
  addDraftDocument,
  addMemberDocument,
  addOwnDocument,
  removeDraftDocument,
} from "@/lib/core/approvals/documents/add-document";
import { getDocument, listDocuments, openMemberDocument } from "@/lib/core/approvals/documents/read-document";
import { expireProposals } from "@/lib/core/approvals/expire-proposals";
import { moveMoney } from "@/lib/core/approvals/move-money";
import type { CallerActor, Context, MemberActor } from "@/lib/core/shared/context";
import { forgetExpired } from "@/lib/core/work/forget-expired";
import { askTransfer, moveAnything, readEverything } from "@/lib/testing/api";
import { useTestDatabase } from "@/lib/testing/database";
import { sampleJpeg, samplePdf, samplePng } from "@/lib/testing/documents";
import { createTestOrganization } from "@/lib/testing/organization";
import { createTestServices } from "@/lib/testing/services";
import { getApproval } from "@/lib/views/approvals/get-approval";
import { previewMove } from "@/lib/views/transfers/read-move-page";

/**
 * Goal: a document is part of what is approved. Method: a key attaches files to its proposals; others try to attach, read,
 * exchange and remove them.
 */
const database = useTestDatabase();
const INVOICE = { name: "RP-2211.pdf", content: samplePdf("Invoice RP-2211") };

async function arrange() {
  const { services, clock } = createTestServices(database);
  const organization = await createTestOrganization(database, services);
  const operating = await organization.addAccount({
    name: "Operating",
    type: "POD",
    balanceInCents: 1_000_000,
  });
  const taxes = await organization.addAccount({ name: "Taxes", type: "POD" });
  const key = await organization.addKey([...readEverything, moveAnything(true)], "claude-bookkeeping");
  const propose = async () => {
    const body = { sourceAccountId: operating, destinationAccountId: taxes, amountInCents: 21_200 };
    return (await askTransfer(services, key.context, body)).id;
  };
  const now = <A extends CallerActor | MemberActor>(context: Context<A>): Context<A> => ({
    ...context,
    now: clock.now(),
  });
  const add = async (transferId: string, document = INVOICE, context: Context<CallerActor> = key.context) => {
    const result = await addOwnDocument(services, now(context), {
      transferId,
      document,
      sent: { method: "POST", path: "/documents", idempotencyKey: null, calledReason: null, body: null },
    });
    return (result.body as { data: { id: string } }).data;
  };
  const signedIn = (member: Context<MemberActor>) => ({
    ...now(member),
    actor: { ...member.actor, authenticatedAt: clock.now() },
  });
  const look = async (id: string) => {
    const time = { nowAt: clock.now().toISOString(), timeZone: "America/New_York", locale: "en-US" };
    const view = await getApproval({ services, context: signedIn(organization.owner), time }, id);
    if (!view) throw new Error("no such proposal");
    return view;
  };
  const decide = (proposalId: string, decision: "APPROVE" | "DENY", digest: string) =>
    decideProposal(services, signedIn(organization.owner), {
      proposalId,
      decision,
      digest,
      note: null,
      confirmation: { kind: "NONE" },
    });
  return { services, clock, organization, key, propose, add, look, decide, now };
}

describe("a document", () => {
  it("is shown with its hash, and read back as it was added", async () => {
    const { services, propose, add, key, now, organization } = await arrange();
    const transferId = await propose();
    const added = await add(transferId);
    const sha256 = createHash("sha256").update(INVOICE.content).digest("hex");
    expect(added).toMatchObject({
      transferId,
      name: "RP-2211.pdf",
      mediaType: "application/pdf",
      sizeInBytes: INVOICE.content.length,
      sha256,
      addedByName: "claude-bookkeeping",
    });
    expect(await listDocuments(services, now(key.context), transferId)).toEqual({ items: [added] });
    const read = await getDocument(services, now(key.context), { transferId, documentId: added.id });
    expect(Buffer.from(read.contentBase64, "base64")).toEqual(INVOICE.content);
    const opened = await openMemberDocument(services, now(organization.owner), {
      transferId,
      documentId: added.id,
    });
    expect(opened?.content).toEqual(INVOICE.content);
  });

  it("may have up to 5 MB, and comes back whole from its pieces", async () => {
    const { services, propose, add, key, now } = await arrange();
    const transferId = await propose();
    const content = sampleJpeg(MAXIMUM_DOCUMENT_BYTES);
    const { id: documentId } = await add(transferId, { name: "Photo.JPEG", content });
    const read = await getDocument(services, now(key.context), { transferId, documentId });
    expect(Buffer.from(read.contentBase64, "base64").equals(content)).toBe(true);
    const larger = { name: "Photo.jpg", content: sampleJpeg(MAXIMUM_DOCUMENT_BYTES + 1) };
    await expect(add(transferId, larger)).rejects.toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  });

  it("is part of the digest: one that comes after the page was loaded stops the approval and is named", async () => {
    const { propose, add, look, decide } = await arrange();
    const transferId = await propose();
    const before = await look(transferId);
    await add(transferId);
    expect(await decide(transferId, "APPROVE", before.digest)).toEqual({
      kind: "CHANGED",
      changes: ["A document was added since you looked: “RP-2211.pdf”."],
    });
    const after = await look(transferId);
    expect(after.version).not.toBe(before.version);
    expect(await decide(transferId, "APPROVE", after.digest)).toEqual({ kind: "DECIDED" });
  });

  it("leaves the digest of a proposal without any as it was", async () => {
    const { propose, look } = await arrange();
    const { digest } = await look(await propose());
    expect(Buffer.from(digest.split(".")[1] ?? "", "base64url").toString()).not.toContain("documentIds");
  });

  it("cannot be exchanged, removed or added to, even with the rights of the table's owner", async () => {
    const { organization, propose, add } = await arrange();
    const { id } = await add(await propose());
    const values = [organization.organizationId, id];
    for (const text of [
      "update transfer_documents set name = 'Other.pdf' where organization_id = $1 and id = $2",
      "update transfer_documents set sha256 = sha256(sha256) where organization_id = $1 and id = $2",
      "delete from transfer_documents where organization_id = $1 and id = $2",
      "update document_pieces set content = content || content where organization_id = $1 and document_id = $2",
      "delete from document_pieces where organization_id = $1 and document_id = $2",
    ]) {
      await expect(database.pool.query(text, values)).rejects.toMatchObject({ code: "42501" });
      await expect(database.ownerPool.query(text, values)).rejects.toThrow(/kept as it is/);
    }
    await expect(database.ownerPool.query("truncate transfer_documents cascade")).rejects.toThrow(/kept/);
  });

  it("is not answered when its bytes were swapped behind Sluice's back", async () => {
    const { services, organization, key, propose, add, now } = await arrange();
    const transferId = await propose();
    const first = await add(transferId);
    const second = await add(transferId, { name: "RP-9999.pdf", content: samplePdf("Invoice RP-9999") });
    const client = await database.ownerPool.connect();
    try {
      await client.query("alter table document_pieces disable trigger user");
      // The other document with its own key, under the id that was approved.
      await client.query(
        `update document_pieces p set content = o.content from document_pieces o
          where p.organization_id = $1 and p.document_id = $2 and o.organization_id = $1 and o.document_id = $3`,
        [organization.organizationId, first.id, second.id],
      );
    } finally {
      await client.query("alter table document_pieces enable trigger user");
      client.release();
    }
    await expect(
      getDocument(services, now(key.context), { transferId, documentId: first.id }),
    ).rejects.toThrow(/decrypt/);
  });

  it("is refused by name: as a fourth, after the decision, after its time, as another file than it says", async () => {
    const { services, clock, propose, add, look, decide } = await arrange();
    const transferId = await propose();
    await add(transferId);
    await add(transferId, { name: "Photo.png", content: samplePng(10) });
    await add(transferId, { name: "Photo.jpg", content: sampleJpeg(500) });
    const fourth = { name: "More.pdf", content: samplePdf("More") };
    await expect(add(transferId, fourth)).rejects.toMatchObject({ code: "TOO_MANY_DOCUMENTS" });
    await decide(transferId, "APPROVE", (await look(transferId)).digest);
    await expect(add(transferId, fourth)).rejects.toMatchObject({ code: "TRANSFER_NOT_WAITING" });
    const denied = await propose();
    await decide(denied, "DENY", "");
    await expect(add(denied, fourth)).rejects.toMatchObject({ code: "TRANSFER_NOT_WAITING" });
    const late = await propose();
    clock.advance(25 * 3_600_000);
    await expect(add(late, fourth)).rejects.toMatchObject({ code: "TRANSFER_NOT_WAITING" });
    await expireProposals(services, 10);
    await expect(add(late, fourth)).rejects.toMatchObject({ code: "TRANSFER_NOT_WAITING" });

    const html = { name: "Invoice.pdf", content: Buffer.from("<!doctype html><script>alert(1)</script>") };
    await expect(add(await propose(), html)).rejects.toMatchObject({ code: "INVALID_DOCUMENT" });
  });

  it.each([
    "../../etc/passwd.pdf",
    "C:\\invoice.pdf",
    "invoice.exe",
    "invoice.png",
    "invoice",
    "a\r\nSet-Cookie: b=c.pdf",
    "invoice\u202Efdp.exe.pdf",
    "in\u200Bvoice.pdf",
    "   ",
    `${"x".repeat(97)}.pdf`,
  ])("refuses the name %j", async (name) => {
    const { propose, add } = await arrange();
    await expect(add(await propose(), { ...INVOICE, name })).rejects.toMatchObject({
      code: "INVALID_PARAMETERS",
      details: [{ field: "name" }],
    });
  });

  it("is added once, however often it is sent", async () => {
    const { services, propose, add, key, now } = await arrange();
    const transferId = await propose();
    const [first, ...others] = await Promise.all(Array.from({ length: 5 }, () => add(transferId)));
    expect(new Set([first?.id, ...others.map(({ id }) => id)]).size).toBe(1);
    expect((await listDocuments(services, now(key.context), transferId)).items).toHaveLength(1);
  });

  it("is one of three at most, also when five arrive at once", async () => {
    const { services, propose, add, key, now } = await arrange();
    const transferId = await propose();
    const sent = await Promise.allSettled(
      Array.from({ length: 5 }, (_, index) =>
        add(transferId, { name: `${index}.pdf`, content: samplePdf(`Page ${index}`) }),
      ),
    );
    expect(sent.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
    expect((await listDocuments(services, now(key.context), transferId)).items).toHaveLength(3);
  });

  it("is not among the last hundred of a day without end", async () => {
    const { organization, key, propose, add } = await arrange();
    await add(await propose());
    await database.ownerPool.query(
      `insert into transfer_documents select organization_id, gen_random_uuid(), transfer_id, draft_id, expires_at, name,
          media_type, size_bytes, sha256, sealed_key, added_by_kind, added_by_id, added_by_name, added_at
         from transfer_documents, generate_series(2, 100) where organization_id = $1 and added_by_id = $2`,
      [organization.organizationId, key.context.actor.id],
    );
    const next = { name: "Next.pdf", content: samplePdf("Next") };
    await expect(add(await propose(), next)).rejects.toMatchObject({ code: "RATE_LIMIT_EXCEEDED" });
  });

  it("says when another transfer carries the same file", async () => {
    const { propose, add, look } = await arrange();
    const [first, second] = [await propose(), await propose()];
    await add(first);
    expect((await look(first)).checks).toContainEqual({
      kind: "SAME_DOCUMENT",
      outcome: "CLEAR",
      documentName: null,
      otherHref: null,
    });
    const seen = await look(first);
    await add(second, { ...INVOICE, name: "Renamed.pdf" });
    expect((await look(second)).checks).toContainEqual({
      kind: "SAME_DOCUMENT",
      outcome: "LOOK",
      documentName: "Renamed.pdf",
      otherHref: `/?approvalTransferId=${first}`,
    });
    // It was added to another one after this page was loaded, which changes what was shown.
    expect((await look(first)).digest).not.toBe(seen.digest);
  });
});

describe("a document of a member's move", () => {
  async function arrangeMove() {
    const scene = await arrange();
    const { services, organization, now } = scene;
    const [operating, taxes] = await Promise.all([
      organization.addAccount({ name: "Rent", type: "POD", balanceInCents: 500_000 }),
      organization.addAccount({ name: "Studio", type: "POD" }),
    ]);
    const member = () => {
      const context = now(organization.owner);
      return { ...context, actor: { ...context.actor, authenticatedAt: context.now } };
    };
    const draft = {
      draftId: randomUUID(),
      sourceAccountId: operating,
      destinationAccountId: taxes,
      amountInCents: 10_000,
      achLabel: null,
      note: null,
    };
    const time = () => ({ nowAt: scene.clock.now().toISOString(), timeZone: "UTC", locale: "en-US" });
    const preview = () => previewMove({ services, context: member(), time: time() }, draft);
    const move = (digest: string) =>
      moveMoney(services, member(), { ...draft, digest, confirmation: { kind: "NONE" } });
    const add = (document = INVOICE, context = member()) =>
      addDraftDocument(services, context, { draftId: draft.draftId, document });
    return { ...scene, draft, member, preview, move, add };
  }

  it("moves with the money, and is part of what is confirmed", async () => {
    const { services, add, preview, move, member } = await arrangeMove();
    const before = await preview();
    await add();
    expect(await move(before.digest)).toEqual({
      kind: "CHANGED",
      changes: ["A document was added since you looked: “RP-2211.pdf”."],
    });
    const after = await preview();
    expect(after.documents).toMatchObject([{ name: "RP-2211.pdf", sizeInBytes: INVOICE.content.length }]);
    const moved = await move(after.digest);
    if (moved.kind !== "MOVED") throw new Error(JSON.stringify(moved));
    const transferId = new URL(moved.href, "http://localhost").searchParams.get("approvalTransferId") ?? "";
    const documentId = after.documents[0]?.id ?? "";
    const opened = await openMemberDocument(services, member(), { transferId, documentId });
    expect(opened?.content).toEqual(INVOICE.content);
  });

  it("can be removed until then, by the member who added it, and not after", async () => {
    const { services, draft, organization, add, preview, move, member, now } = await arrangeMove();
    await add();
    const documentId = (await preview()).documents[0]?.id ?? "";
    const of = { draftId: draft.draftId, documentId };
    const other = await organization.addMember("CO_OWNER", "Jonas");
    await removeDraftDocument(services, now(other), of);
    expect((await preview()).documents).toHaveLength(1);
    await removeDraftDocument(services, member(), of);
    expect((await preview()).documents).toEqual([]);
    await add();
    const { digest, documents } = await preview();
    await move(digest);
    await removeDraftDocument(services, member(), { ...of, documentId: documents[0]?.id ?? "" });
    const { rows } = await database.pool.query<{ count: number }>(
      `select count(*)::int as count from transfer_documents d join document_pieces p
          on p.organization_id = d.organization_id and p.document_id = d.id
        where d.organization_id = $1 and d.transfer_id is not null`,
      [organization.organizationId],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });

  it("is forgotten with its pieces after a day, unless the money moved", async () => {
    const { services, clock, organization, add, preview } = await arrangeMove();
    await add();
    clock.advance(86_400_000 - 1);
    await forgetExpired(services, 100);
    expect((await preview()).documents).toHaveLength(1);
    clock.advance(1);
    await forgetExpired(services, 100);
    expect((await preview()).documents).toEqual([]);
    const pieces = await database.pool.query("select from document_pieces where organization_id = $1", [
      organization.organizationId,
    ]);
    expect(pieces.rowCount).toBe(0);
  });

  it("comes from no other member and organization", async () => {
    const { services, organization, add, preview, now } = await arrangeMove();
    const other = await organization.addMember("CO_OWNER", "Jonas");
    await add(INVOICE, { ...now(other), actor: { ...other.actor } });
    expect((await preview()).documents).toEqual([]);
    const stranger = await createTestOrganization(database, services);
    await add(INVOICE, now(stranger.owner));
    expect((await preview()).documents).toEqual([]);
  });
});

describe("a document's reach", () => {
  it("ends at the key that requested the transfer: no other key adds to it", async () => {
    const { organization, propose, add } = await arrange();
    const transferId = await propose();
    const other = await organization.addKey([...readEverything, moveAnything(true)], "other");
    await expect(add(transferId, INVOICE, other.context)).rejects.toMatchObject({ code: "ACCESS_DENIED" });
  });

  it("ends at the organization: another one neither adds nor reads", async () => {
    const { services, propose, add, now } = await arrange();
    const transferId = await propose();
    const { id: documentId } = await add(transferId);
    const stranger = await createTestOrganization(database, services);
    const key = await stranger.addKey([...readEverything, moveAnything(true)], "stranger");
    await expect(add(transferId, INVOICE, key.context)).rejects.toMatchObject({ code: "TRANSFER_NOT_FOUND" });
    const of = { transferId, documentId };
    await expect(listDocuments(services, now(key.context), transferId)).rejects.toMatchObject({
      code: "TRANSFER_NOT_FOUND",
    });
    await expect(getDocument(services, now(key.context), of)).rejects.toMatchObject({
      code: "TRANSFER_NOT_FOUND",
    });
    expect(await openMemberDocument(services, now(stranger.owner), of)).toBeNull();
    await expect(
      addMemberDocument(services, now(stranger.owner), { transferId, document: INVOICE }),
    ).rejects.toMatchObject({ code: "TRANSFER_NOT_FOUND" });
  });

  it("ends at its transfer: under another one it is not found", async () => {
    const { services, key, propose, add, now } = await arrange();
    const { id: documentId } = await add(await propose());
    const transferId = await propose();
    await expect(getDocument(services, now(key.context), { transferId, documentId })).rejects.toMatchObject({
      code: "DOCUMENT_NOT_FOUND",
    });
  });

  it("includes members who may decide, and not those who only read", async () => {
    const { services, organization, propose, look, now } = await arrange();
    const transferId = await propose();
    await addMemberDocument(services, now(organization.owner), { transferId, document: INVOICE });
    expect(await look(transferId)).toMatchObject({
      documents: [{ name: "RP-2211.pdf", addedByName: organization.owner.actor.name }],
    });
    const again = { ...INVOICE, name: "Again.pdf" };
    await expect(
      addMemberDocument(services, now(organization.owner), { transferId, document: again }),
    ).rejects.toMatchObject({
      code: "INVALID_DOCUMENT",
      message: expect.stringContaining("attached already"),
    });
    const viewer = await organization.addMember("VIEWER", "Vera");
    const document = { name: "Other.pdf", content: samplePdf("Other") };
    await expect(addMemberDocument(services, now(viewer), { transferId, document })).rejects.toMatchObject({
      code: "ACCESS_DENIED",
    });
  });
});
