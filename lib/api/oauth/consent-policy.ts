import { interactionPolicy, type KoaContextWithOIDC } from "oidc-provider";

const { Check, Prompt } = interactionPolicy;

/**
 * Every request is decided by a person, each time: what was consented before counts for nothing, so that a program that
 * knows another's client id gets nothing unseen. `login` and `select_account` may be asked for and come to the same page,
 * which says who is signed in.
 */
export function consentPolicy(): interactionPolicy.Prompt[] {
  const undecided = new Check("undecided", "a member has to allow it", "consent_required", (ctx) =>
    grantIdOf(ctx) === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
  );
  return [
    new Prompt({ name: "consent", requestable: true }, undecided),
    new Prompt({ name: "login", requestable: true }),
    new Prompt({ name: "select_account", requestable: true }),
  ];
}

/** The consent to this very request; none is taken from an earlier one. */
export function grantIdOf(ctx: KoaContextWithOIDC): string | undefined {
  return ctx.oidc.result?.consent?.grantId;
}
