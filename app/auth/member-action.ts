import "server-only";
import { z } from "zod";
import { plainInput, UNREADABLE } from "@/app/auth/read-input";
import { runAsMember, runAsOwnPerson, runAsVisitor, type ToProblem } from "@/app/auth/run-as-member";
import { AppError, type ErrorDetail } from "@/lib/contract/error";
import type { MemberRole } from "@/lib/contract/members";
import type { Refused } from "@/lib/contract/refused";
import { SHOWN_FIELD } from "@/lib/contract/shown";
import type { TimeContext } from "@/lib/contract/time-context";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { checkInput } from "@/lib/core/shared/parse-input";
import type { CurrentSession } from "@/lib/core/sign-in/read-session";
import { type Declaration, declareAction, type MayAct } from "@/lib/next/declared-actions";
import type { Runtime } from "@/lib/next/runtime";

type Services = Runtime["services"];

interface Declaring<Input extends z.ZodType> {
  /** Of the action's argument; without it, the action takes none. */
  input?: Input;
  /** Says what is wrong beside the fields of a form. */
  toProblem?: ToProblem;
  /** What to say of input that the schema refuses, in place of its own words. */
  otherwise?: string | ((problem: ErrorDetail) => string);
}

interface DeclaringMember<Input extends z.ZodType> extends Declaring<Input> {
  may: MayAct;
}

/** Who acts, where and when. */
interface Acting {
  services: Services;
  context: Context<MemberActor>;
  time: TimeContext;
  member: CurrentSession;
}

type Done = { kind: "DONE" };
/** With `Kind`, an answer keeps its literal kind. */
// biome-ignore lint/suspicious/noConfusingVoidType: a command without a result returns nothing
type Answering<Kind extends string> = { kind: Kind } | void;
type Answer<Result> = [undefined] extends [Result] ? Done | Refused : Result | Refused;

/** @param shown what the page shows (`main[data-shown]`); `useAction` adds it */
type Action<Input extends z.ZodType, Result> = (
  input: z.input<Input>,
  shown: string,
) => Promise<Answer<Result>>;
/** For `useActionState`: works before the page's scripts run. */
type FormAction<Result> = (previous: unknown, form: FormData) => Promise<Answer<Result>>;

/**
 * A server action of a signed-in member. It runs only in the organization and for the person that the page showed, for a role that
 * may, and with input that its schema has parsed; everything else is answered with a refusal.
 */
export function memberAction<
  Result extends Answering<Kind>,
  Kind extends string,
  Input extends z.ZodType = z.ZodVoid,
>(
  declared: DeclaringMember<Input>,
  run: (acting: Acting, input: z.output<Input>) => Promise<Result>,
): Action<Input, Result> {
  return declare(declared, (given, shown) => actAsMember(declared, run, given, shown));
}

/** The same for a form that works without scripts: it carries what its page showed in a field. */
export function memberForm<Result extends Answering<Kind>, Kind extends string, Input extends z.ZodType>(
  declared: DeclaringMember<Input>,
  run: (acting: Acting, input: z.output<Input>) => Promise<Result>,
): FormAction<Result> {
  return declare(declared, (_previous, form) => {
    const { [SHOWN_FIELD]: shown, ...fields } = fieldsOf(form);
    return actAsMember(declared, run, fields, shown);
  });
}

/**
 * A server action of a member about their own sign-in, allowed before the second factor that their organization requires: this is how
 * they add one. Without a context, so that it reaches nothing of the organization.
 */
export function personAction<
  Result extends Answering<Kind>,
  Kind extends string,
  Input extends z.ZodType = z.ZodVoid,
>(
  declared: Declaring<Input>,
  run: (person: { services: Services; actor: MemberActor }, input: z.output<Input>) => Promise<Result>,
): Action<Input, Result> {
  return declare({ ...declared, may: "SELF" }, (given, shown) =>
    answered(
      runAsOwnPerson((services, actor) => run({ services, actor }, read(declared, given)), {
        shown,
        toProblem: declared.toProblem,
      }),
    ),
  );
}

/** A server action without a session: signing in and up, a reset, a link with a secret. */
export function visitorAction<
  Result extends Answering<Kind>,
  Kind extends string,
  Input extends z.ZodType = z.ZodVoid,
>(
  declared: Declaring<Input>,
  run: (services: Services, input: z.output<Input>) => Promise<Result>,
): (input: z.input<Input>) => Promise<Answer<Result>> {
  return declare({ ...declared, may: "ANYONE" }, (given) => actAsVisitor(declared, run, given));
}

/** The same for a form that works without scripts. */
export function visitorForm<Result extends Answering<Kind>, Kind extends string, Input extends z.ZodType>(
  declared: Declaring<Input>,
  run: (services: Services, input: z.output<Input>) => Promise<Result>,
): FormAction<Result> {
  return declare({ ...declared, may: "ANYONE" }, (_previous, form) =>
    actAsVisitor(declared, run, fieldsOf(form)),
  );
}

/** The same for a form that only leaves the page: what is refused leaves it as it is. */
export function leavingForm<Input extends z.ZodType>(
  declared: Declaring<Input>,
  run: (services: Services, input: z.output<Input>) => Promise<never>,
): (form: FormData) => Promise<void> {
  return declare({ ...declared, may: "ANYONE" }, async (form) => {
    await actAsVisitor(declared, run, fieldsOf(form));
  });
}

/** The schema of a form that scripts send: its fields. */
export function formFields<Fields extends z.ZodType>(fields: Fields) {
  return z
    .instanceof(FormData)
    .transform((form): unknown => fieldsOf(form))
    .pipe(fields);
}

/** A direct call may send something else in place of a form; that has no fields. */
function fieldsOf(form: unknown): Record<string, unknown> {
  return form instanceof FormData ? Object.fromEntries(form) : {};
}

function declare<Act extends object>(
  { may, input = z.void() }: { may: Declaration["may"]; input?: z.ZodType },
  act: Act,
): Act {
  return declareAction({ may, input }, act);
}

function actAsMember<Result, Input extends z.ZodType>(
  declared: DeclaringMember<Input>,
  run: (acting: Acting, input: z.output<Input>) => Promise<Result>,
  given: unknown,
  shown: unknown,
): Promise<Answer<Result>> {
  return answered(
    runAsMember(
      (services, context, time, member) => {
        requireRole(declared.may, context.actor.role);
        return run({ services, context, time, member }, read(declared, given));
      },
      { shown, toProblem: declared.toProblem },
    ),
  );
}

function actAsVisitor<Result, Input extends z.ZodType>(
  declared: Declaring<Input>,
  run: (services: Services, input: z.output<Input>) => Promise<Result>,
  given: unknown,
): Promise<Answer<Result>> {
  return answered(runAsVisitor((services) => run(services, read(declared, given)), declared));
}

const WHO: Readonly<Record<MayAct, { roles: readonly MemberRole[]; words: string }>> = {
  OWNER: { roles: ["OWNER"], words: "an owner" },
  DECIDERS: { roles: ["OWNER", "CO_OWNER"], words: "an owner or co-owner" },
  MEMBERS: { roles: ["OWNER", "CO_OWNER", "ACCOUNTANT", "VIEWER"], words: "a member" },
};

function requireRole(may: MayAct, role: MemberRole): void {
  const { roles, words } = WHO[may];
  if (!roles.includes(role))
    throw new AppError("ACCESS_DENIED", `Only ${words} may do this. Nothing was changed.`);
}

/** A command without a result is done. */
function answered<Result>(ran: Promise<Result | Refused>): Promise<Answer<Result>>;
async function answered(ran: Promise<unknown>): Promise<unknown> {
  return (await ran) ?? { kind: "DONE" };
}

/** Bad input is not a server error: anyone can send anything. */
function read<Input extends z.ZodType>(declared: Declaring<Input>, given: unknown): z.output<Input>;
function read({ input = z.void(), otherwise }: Declaring<z.ZodType>, given: unknown): unknown {
  const checked = checkInput(input, plainInput(given));
  if ("data" in checked) return checked.data;
  const { problems } = checked;
  throw new AppError("INVALID_PARAMETERS", sayOf(problems, otherwise), problems);
}

function sayOf(problems: readonly ErrorDetail[], otherwise: Declaring<z.ZodType>["otherwise"]): string {
  const [first] = problems;
  if (typeof otherwise === "string") return otherwise;
  if (otherwise && first) return otherwise(first);
  // Words of a schema that form a sentence are meant for a person.
  return problems.find(({ message }) => !/^[a-z]/.test(message))?.message ?? UNREADABLE;
}
