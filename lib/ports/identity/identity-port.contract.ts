import { v7 as uuidv7 } from "uuid";
import { describe, expect, test } from "vitest";
import type { IdentityApplication, IdentityPort, IdentitySubject } from "@/lib/ports/identity/identity-port";

export interface IdentityContractHarness {
  identity: IdentityPort;
  /** A business time to submit at. */
  startsAt: Date;
  /** Late enough after `startsAt` for every check to be over. */
  laterAt: Date;
  /** Tax numbers that lead to an outcome in the service's test environment. */
  taxIds: Record<"APPROVED" | "NEEDS_DOCUMENT" | "REFUSED", string>;
}

/** What the product relies on from any identity service; an adapter's test calls this with its own harness. */
export function describeIdentityPort(name: string, createHarness: () => IdentityContractHarness): void {
  const person = (taxId: string): IdentitySubject => ({
    kind: "PERSON",
    name: "Mara Okafor",
    ownsPercent: null,
    taxId,
    bornOn: "1988-04-02",
    address: { street: "12 Canal Street", city: "New York", state: "NY", postalCode: "10013" },
  });
  const applicationOf = (...taxIds: string[]): IdentityApplication => ({
    organizationId: uuidv7(),
    applicationId: uuidv7(),
    subjects: taxIds.map(person),
  });
  const idsOf = ({ organizationId, applicationId }: IdentityApplication) => ({
    organizationId,
    applicationId,
  });

  describe(`${name} as an IdentityPort`, () => {
    test("an application is checked, then every subject is approved", async () => {
      const { identity, startsAt, laterAt, taxIds } = createHarness();
      const application = applicationOf(taxIds.APPROVED, taxIds.APPROVED);
      const first = await identity.submit(application, { businessNow: startsAt });
      expect(first).toEqual({ state: "CHECKING", subjects: [{ state: "CHECKING" }, { state: "CHECKING" }] });
      expect(await identity.find({ ...idsOf(application), businessNow: laterAt })).toEqual({
        state: "APPROVED",
        subjects: [{ state: "APPROVED" }, { state: "APPROVED" }],
      });
    });

    test("a repeated application is the first one, whatever it contains", async () => {
      const { identity, startsAt, laterAt, taxIds } = createHarness();
      const application = applicationOf(taxIds.REFUSED);
      await identity.submit(application, { businessNow: startsAt });
      const again = { ...application, subjects: [person(taxIds.APPROVED)] };
      await identity.submit(again, { businessNow: startsAt });
      const state = await identity.find({ ...idsOf(application), businessNow: laterAt });
      expect(state?.state).toBe("REFUSED");
    });

    test("one refused subject refuses the application, with a reason", async () => {
      const { identity, startsAt, laterAt, taxIds } = createHarness();
      const application = applicationOf(taxIds.APPROVED, taxIds.REFUSED);
      await identity.submit(application, { businessNow: startsAt });
      const state = await identity.find({ ...idsOf(application), businessNow: laterAt });
      expect(state).toMatchObject({
        state: "REFUSED",
        subjects: [{ state: "APPROVED" }, { state: "REFUSED", reason: expect.stringMatching(/\.$/) }],
      });
    });

    test("a requested document, submitted twice, is checked once and decides the case", async () => {
      const { identity, startsAt, laterAt, taxIds } = createHarness();
      const application = applicationOf(taxIds.NEEDS_DOCUMENT);
      await identity.submit(application, { businessNow: startsAt });
      const asked = await identity.find({ ...idsOf(application), businessNow: laterAt });
      expect(asked?.subjects).toEqual([
        { state: "NEEDS_DOCUMENT", document: "PHOTO_ID", reason: expect.stringMatching(/\.$/) },
      ]);
      const document = {
        ...idsOf(application),
        subjectIndex: 0,
        documentId: uuidv7(),
        mediaType: "image/png" as const,
        content: new Uint8Array([0x89, 0x50, 0x4e, 0x47]),
      };
      const handed = await identity.addDocument(document, { businessNow: laterAt });
      expect(handed?.state).toBe("CHECKING");
      expect(await identity.addDocument(document, { businessNow: laterAt })).toEqual(handed);
      const afterwards = new Date(laterAt.getTime() + (laterAt.getTime() - startsAt.getTime()));
      expect(await identity.find({ ...idsOf(application), businessNow: afterwards })).toEqual({
        state: "APPROVED",
        subjects: [{ state: "APPROVED" }],
      });
    });

    test("an unrequested document changes nothing", async () => {
      const { identity, startsAt, taxIds } = createHarness();
      const application = applicationOf(taxIds.APPROVED);
      const state = await identity.submit(application, { businessNow: startsAt });
      const document = {
        ...idsOf(application),
        subjectIndex: 0,
        documentId: uuidv7(),
        mediaType: "image/png" as const,
        content: new Uint8Array([0x89]),
      };
      expect(await identity.addDocument(document, { businessNow: startsAt })).toEqual(state);
      expect(await identity.addDocument({ ...document, subjectIndex: 4 }, { businessNow: startsAt })).toEqual(
        state,
      );
    });

    test("an application that was never submitted, or by another organization, is unknown", async () => {
      const { identity, startsAt, taxIds } = createHarness();
      const application = applicationOf(taxIds.APPROVED);
      const asked = { ...idsOf(application), businessNow: startsAt };
      expect(await identity.find(asked)).toBeNull();
      await identity.submit(application, { businessNow: startsAt });
      expect(await identity.find({ ...asked, organizationId: uuidv7() })).toBeNull();
    });
  });
}
