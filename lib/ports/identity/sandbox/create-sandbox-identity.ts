import type { Pool } from "pg";
import { z } from "zod";
import {
  type IdentityApplication,
  type IdentityDocument,
  type IdentityPort,
  type IdentityState,
  type IdentitySubject,
  IdentityUnavailable,
  MAXIMUM_SUBJECTS,
  type SubjectState,
} from "@/lib/ports/identity/identity-port";

const plannedSchema = z.array(
  z.object({
    kind: z.enum(["BUSINESS", "PERSON"]),
    outcome: z.enum(["APPROVED", "NEEDS_DOCUMENT", "REFUSED"]),
    /** Business time at which it is checked again with the document. */
    lookedAt: z.iso.datetime().nullable(),
  }),
);
type Planned = z.infer<typeof plannedSchema>;

interface Application {
  subjects: Planned;
  decidesAt: Date;
}

/** A real service takes minutes; long enough here to see the state "checking". */
const CHECK_MS = 4_000;

/**
 * An identity service that answers like a real one and knows nobody. It takes a pool, never a client, so that it cannot
 * join a transaction of the product. Its answers follow from the last digits of each tax number (sandbox-outcomes.ts);
 * it stores neither those nor documents.
 */
export function createSandboxIdentity(pool: Pool): IdentityPort {
  return {
    isSandbox: true,
    name: "Sandbox identity check",
    submit: async (application, { businessNow }) => {
      assertApplication(application);
      return await reached(() => submit(pool, application, businessNow));
    },
    find: async (input) => {
      const found = await reached(() => read(pool, input.organizationId, input.applicationId));
      return found && stateOf(found, input.businessNow);
    },
    addDocument: async (document, { businessNow }) =>
      await reached(() => addDocument(pool, document, businessNow)),
  };
}

async function submit(
  pool: Pool,
  application: IdentityApplication,
  businessNow: Date,
): Promise<IdentityState> {
  const hearing = hearingOf(application.subjects);
  if (hearing === "NOT_HEARD") throw new IdentityUnavailable("The sandbox identity check was not reached");
  const planned: Planned = application.subjects.map((subject) => ({
    kind: subject.kind,
    outcome: outcomeOf(subject),
    lookedAt: null,
  }));
  await pool.query({
    name: "sandbox_identity_submit",
    text: `insert into sandbox_identity_applications (organization_id, application_id, subjects, decides_at)
           values ($1, $2, $3, $4) on conflict do nothing`,
    values: [
      application.organizationId,
      application.applicationId,
      JSON.stringify(planned),
      new Date(businessNow.getTime() + CHECK_MS),
    ],
  });
  if (hearing === "ANSWER_LOST") throw new IdentityUnavailable("The sandbox identity check did not answer");
  const recorded = await read(pool, application.organizationId, application.applicationId);
  if (!recorded) throw new IdentityUnavailable("The sandbox identity check lost an application");
  return stateOf(recorded, businessNow);
}

async function addDocument(
  pool: Pool,
  { organizationId, applicationId, subjectIndex }: IdentityDocument,
  businessNow: Date,
): Promise<IdentityState | null> {
  const found = await read(pool, organizationId, applicationId);
  if (!found) return null;
  const subject = found.subjects[subjectIndex];
  const isAskedFor =
    subject && stateOf(found, businessNow).subjects[subjectIndex]?.state === "NEEDS_DOCUMENT";
  if (!subject || !isAskedFor) return stateOf(found, businessNow);
  subject.lookedAt = new Date(businessNow.getTime() + CHECK_MS).toISOString();
  await pool.query({
    name: "sandbox_identity_add_document",
    text: `update sandbox_identity_applications set subjects = jsonb_set(subjects, $3, to_jsonb($4::text))
            where organization_id = $1 and application_id = $2`,
    values: [organizationId, applicationId, [String(subjectIndex), "lookedAt"], subject.lookedAt],
  });
  return stateOf(found, businessNow);
}

async function read(pool: Pool, organizationId: string, applicationId: string): Promise<Application | null> {
  const { rows } = await pool.query<{ subjects: unknown; decidesAt: Date }>({
    name: "sandbox_identity_read",
    text: `select subjects, decides_at as "decidesAt" from sandbox_identity_applications
            where organization_id = $1 and application_id = $2`,
    values: [organizationId, applicationId],
  });
  const row = rows[0];
  return row ? { subjects: plannedSchema.parse(row.subjects), decidesAt: row.decidesAt } : null;
}

/** As a service decides: refused as soon as one is, and approved only when all are. */
function stateOf(application: Application, businessNow: Date): IdentityState {
  const subjects = application.subjects.map((subject) =>
    subjectState(subject, application.decidesAt, businessNow),
  );
  const has = (state: SubjectState["state"]) => subjects.some((subject) => subject.state === state);
  const state = (["REFUSED", "NEEDS_DOCUMENT", "CHECKING"] as const).find(has) ?? "APPROVED";
  return { state, subjects };
}

function subjectState(subject: Planned[number], decidesAt: Date, businessNow: Date): SubjectState {
  if (businessNow < decidesAt) return { state: "CHECKING" };
  if (subject.lookedAt === null) return decidedState(subject.kind, subject.outcome);
  return businessNow < new Date(subject.lookedAt) ? { state: "CHECKING" } : { state: "APPROVED" };
}

/** After a broken connection it is unclear whether anything was recorded: the port's unknown outcome. */
async function reached<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof IdentityUnavailable) throw error;
    throw new IdentityUnavailable("The sandbox identity check could not be reached", { cause: error });
  }
}

function assertApplication({ subjects }: IdentityApplication): void {
  if (subjects.length < 1 || subjects.length > MAXIMUM_SUBJECTS) {
    throw new RangeError(`An application has 1 to ${MAXIMUM_SUBJECTS} subjects, not ${subjects.length}`);
  }
  for (const { taxId } of subjects) {
    if (!/^[0-9]{9}$/.test(taxId)) throw new RangeError("A tax number has nine digits");
  }
}

/** The sandbox's decision about a subject, chosen by the last four digits of its tax number. */
type SandboxOutcome = "APPROVED" | "NEEDS_DOCUMENT" | "REFUSED";

/** What else the sandbox does: answers, fails to answer, or never receives the call. */
type SandboxHearing = "ANSWERS" | "ANSWER_LOST" | "NOT_HEARD";

function outcomeOf({ taxId }: Pick<IdentitySubject, "taxId">): SandboxOutcome {
  if (taxId.endsWith("0001")) return "NEEDS_DOCUMENT";
  return taxId.endsWith("0002") ? "REFUSED" : "APPROVED";
}

function hearingOf(subjects: readonly Pick<IdentitySubject, "taxId">[]): SandboxHearing {
  if (subjects.some(({ taxId }) => taxId.endsWith("0004"))) return "NOT_HEARD";
  return subjects.some(({ taxId }) => taxId.endsWith("0003")) ? "ANSWER_LOST" : "ANSWERS";
}

/** The answer about a subject once the check is over. */
function decidedState(kind: IdentitySubject["kind"], outcome: SandboxOutcome): SubjectState {
  if (outcome === "APPROVED") return { state: "APPROVED" };
  if (outcome === "REFUSED") {
    const reason =
      kind === "BUSINESS"
        ? "No business of this name is registered under this EIN."
        : "The social security number belongs to another person.";
    return { state: "REFUSED", reason };
  }
  return kind === "BUSINESS"
    ? {
        state: "NEEDS_DOCUMENT",
        document: "FORMATION",
        reason: "The register has a different address. Add the articles of organization or the EIN letter.",
      }
    : {
        state: "NEEDS_DOCUMENT",
        document: "PHOTO_ID",
        reason: "The details alone are not enough. Add a driver’s license or a passport.",
      };
}
