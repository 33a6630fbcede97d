import { z } from "zod";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import { newId } from "@/lib/platform/ids";
import {
  type ActionExample,
  makeBeneficiary,
  makeDevice,
  makeFilter,
  otherSessionOf,
  outside,
  waitingInvitation,
  waitingPayee,
} from "@/lib/testing/actions/action-examples";
import type { ActionScene } from "@/lib/testing/actions/action-scene";

type MakeSubject = (scene: ActionScene, caller: Context<MemberActor>) => Promise<string>;

/** A new subject of the organization or the caller, by the field that names it. */
const SUBJECTS: Readonly<Record<string, MakeSubject>> = {
  accountId: (scene) => scene.emptyPod(),
  beneficiaryId: (scene) => makeBeneficiary(scene),
  cardId: (scene) => scene.makeCard(),
  connectionId: async (scene) => (await outside(scene)).connectionId,
  deviceId: makeDevice,
  endpointId: (scene) => scene.makeEndpoint(),
  filterId: makeFilter,
  invitationId: (scene) => waitingInvitation(scene),
  keyId: (scene) => scene.makeKey(),
  payeeId: async (scene) => (await waitingPayee(scene)).payeeId,
  proposalId: (scene) => scene.propose(),
  ruleId: async (scene) => (await scene.makeRule(false)).id,
  sessionId: (scene, { actor }) => otherSessionOf(scene, actor),
  transferId: (scene) => scene.move(),
  userId: (scene) => scene.makeMember("VIEWER"),
};

/**
 * The example of an action without one of its own: its call names a new subject, has new values in its other
 * fields, and changes the organization.
 */
export function deriveExample(file: string, name: string, input: z.ZodType): ActionExample {
  return {
    file,
    name,
    does: "CHANGES",
    call: async (scene, caller) => {
      if (input instanceof z.ZodVoid) return [];
      try {
        return [
          isForm(input) ? toForm(await make(input.out, scene, caller)) : await make(input, scene, caller),
        ];
      } catch (error) {
        throw new Error(`${file} ${name} needs an example in lib/testing/actions/action-examples.ts`, {
          cause: error,
        });
      }
    },
  };
}

/** Made by `formFields`. */
function isForm(input: unknown): input is z.ZodPipe {
  return input instanceof z.ZodPipe && input.in instanceof z.ZodPipe && input.in.in instanceof z.ZodCustom;
}

function toForm(fields: unknown): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields ?? {})) form.set(name, String(value ?? ""));
  return form;
}

/** @throws Error for a schema whose values need an example */
async function make(schema: unknown, scene: ActionScene, caller: Context<MemberActor>): Promise<unknown> {
  if (schema instanceof z.ZodObject) {
    const fields: [string, unknown][] = [];
    for (const [name, field] of Object.entries(schema.shape)) {
      const subject = SUBJECTS[name];
      fields.push([name, subject ? await subject(scene, caller) : await make(field, scene, caller)]);
    }
    return Object.fromEntries(fields);
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return make(schema.unwrap(), scene, caller);
  if (schema instanceof z.ZodPipe)
    return make(schema.in instanceof z.ZodTransform ? schema.out : schema.in, scene, caller);
  if (schema instanceof z.ZodArray) return [await make(schema.element, scene, caller)];
  if (schema instanceof z.ZodUnion) return make(schema.options[0], scene, caller);
  return makeValue(schema, scene);
}

function makeValue(schema: unknown, scene: ActionScene): unknown {
  if (schema instanceof z.ZodUUID) return newId(scene.clock.now());
  if (schema instanceof z.ZodEmail) return `${scene.name("guest").replace(" ", "")}@example.com`;
  if (schema instanceof z.ZodURL) return `https://example.com/${encodeURIComponent(scene.name("page"))}`;
  if (schema instanceof z.ZodString) return scene.name("Text");
  if (schema instanceof z.ZodNumber) return Number(scene.name("").trim());
  if (schema instanceof z.ZodBoolean) return true;
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodLiteral) return schema.value;
  throw new Error("There is no value for this part of its input");
}
