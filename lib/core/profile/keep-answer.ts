import type { z } from "zod";
import type { Services } from "@/lib/platform/services";

/** What is quicker is worked out for everyone who looks, and never kept; nor is what is small. */
const KEPT_IF_SLOWER_MS = 1_000;
/** So long it is shown without another being made. */
export const FRESH_MS = 10 * 60_000;
/** A reader is noted this often at most: looking at a page seldom writes. */
const NOTED_EVERY_MS = 60_000;

interface Question<T> {
  organizationId: string;
  /** Business time. */
  now: Date;
  /** Tells it from the organization's other answers. */
  name: string;
  /** What is read back must still be what this version of Sluice shows. */
  schema: z.ZodType<T>;
  /** Up to this age it is shown while another is made ready; not before `FRESH_MS`. */
  staleMs: number;
  /** Whether it is about so much that it takes long by itself: a small one may only have been slow. */
  isBig: (answer: T) => boolean;
}

type Named = Pick<Question<unknown>, "organizationId" | "name">;
type Needs = Pick<Services, "pool" | "clock">;

interface Row {
  made_at: Date;
  looked_at: Date;
  answer: unknown;
}

/** One that is being worked out by this process, and the business time that it will be of. */
interface UnderWay {
  at: Date;
  answer: Promise<unknown>;
}

/**
 * Answers that take seconds, worked out once for all who look: by one process for all of them, as all show the same
 * moment. A member who reloads a page does not make the database sort a million rows each time.
 */
export class AnswerKeeper {
  readonly #underWay = new Map<string, UnderWay>();

  /** @param nowMs of a clock that only runs, to tell how long one takes; a parameter where that is tested */
  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  /**
   * The kept answer, where there is one that is young enough; else it is made, and kept where that took long.
   * @param make works it out as of `now`; what it answers is JSON
   */
  async get<T>(services: Needs, question: Question<T>, make: () => Promise<T>): Promise<T> {
    const kept = await readKept(services, question);
    if (kept) {
      const answer = readYoung(kept, question);
      if (answer !== null) {
        if (services.clock.now().getTime() - kept.looked_at.getTime() > NOTED_EVERY_MS) {
          await noteReader(services, question);
        }
        return answer;
      }
    }
    return await this.#makeOnce(services, question, make);
  }

  /** Works it out again whatever is kept: for what is made ready before anybody asks. */
  async renew<T>(services: Needs, question: Question<T>, make: () => Promise<T>): Promise<void> {
    await this.#makeAndKeep(services, question, make);
  }

  async #makeOnce<T>(services: Needs, question: Question<T>, make: () => Promise<T>): Promise<T> {
    const { organizationId, name, now, schema } = question;
    const key = `${organizationId} ${name}`;
    const other = this.#underWay.get(key);
    // Of a business time that was moved on since, it would be no answer.
    if (other && isYounger({ at: other.at, now }, FRESH_MS)) return schema.parse(await other.answer);
    const entry: UnderWay = { at: now, answer: this.#makeAndKeep(services, question, make) };
    this.#underWay.set(key, entry);
    try {
      return schema.parse(await entry.answer);
    } finally {
      if (this.#underWay.get(key) === entry) this.#underWay.delete(key);
    }
  }

  async #makeAndKeep<T>(services: Needs, question: Question<T>, make: () => Promise<T>): Promise<T> {
    const startedAt = this.nowMs();
    const answer = await make();
    const tookLong = this.nowMs() - startedAt >= KEPT_IF_SLOWER_MS;
    if (tookLong && question.isBig(answer)) return await keep(services, question, answer);
    await services.pool.query({
      name: "forget_kept_answer",
      text: "delete from kept_answers where organization_id = $1 and name = $2",
      values: [question.organizationId, question.name],
    });
    return answer;
  }
}

/** The one that all features of this process share. */
export const answers = new AnswerKeeper();

async function readKept({ pool }: Needs, { organizationId, name }: Named): Promise<Row | null> {
  const { rows } = await pool.query<Row>({
    name: "read_kept_answer",
    text: "select made_at, looked_at, answer from kept_answers where organization_id = $1 and name = $2",
    values: [organizationId, name],
  });
  return rows[0] ?? null;
}

function readYoung<T>(kept: Row, { now, schema, staleMs }: Question<T>): T | null {
  if (!isYounger({ at: kept.made_at, now }, Math.max(FRESH_MS, staleMs))) return null;
  return schema.safeParse(kept.answer).data ?? null;
}

/** Never of a moment to come: a sandbox may have been set back. */
function isYounger({ at, now }: { at: Date; now: Date }, maximumMs: number): boolean {
  const age = now.getTime() - at.getTime();
  return age >= 0 && age < maximumMs;
}

async function noteReader({ pool, clock }: Needs, { organizationId, name }: Named): Promise<void> {
  await pool.query({
    name: "note_reader_of_answer",
    text: "update kept_answers set looked_at = $3 where organization_id = $1 and name = $2 and looked_at < $3",
    values: [organizationId, name, clock.now()],
  });
}

/** Keeps it, unless another process kept one of nearly the same moment first: then that one counts, so that all show the same. */
async function keep<T>(services: Needs, question: Question<T>, answer: T): Promise<T> {
  const { organizationId, name, now, schema } = question;
  const { rowCount } = await services.pool.query({
    name: "keep_answer",
    text: `
      insert into kept_answers as k (organization_id, name, made_at, answer, worked_out_at, looked_at)
        values ($1, $2, $3, $4, $5, $5)
        on conflict (organization_id, name) do update
          set made_at = excluded.made_at, answer = excluded.answer, worked_out_at = excluded.worked_out_at,
              leased_until = null
          where abs(extract(epoch from k.made_at - excluded.made_at)) * 1000 >= $6`,
    values: [organizationId, name, now, JSON.stringify(answer), services.clock.now(), FRESH_MS],
  });
  const kept = rowCount === 0 ? await readKept(services, question) : null;
  return schema.safeParse(kept?.answer).data ?? answer;
}
