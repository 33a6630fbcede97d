import { DENIAL_REASON_WORDS, type DenialReasonKind } from "@/lib/contract/approvals/denial";
import { AppError } from "@/lib/contract/error";

/** A request that a person denied and does not want again now, as PostgreSQL writes it in JSON. */
export interface DeniedRequest {
  kind: DenialReasonKind;
  text: string | null;
  /** Null: for good. */
  endsAt: string | null;
}

/**
 * SQL: the `DeniedRequest` that holds this request of a key back, or null. A denial that commits later than this is
 * read came later.
 * @param request as `hold_denied_request` writes it
 */
export const deniedRequest = (organizationId: string, keyId: string, request: string, now: string) => `(
  select json_build_object('kind', p.denial_reason, 'text', p.denial_text, 'endsAt', d.ends_at)
    from denied_requests d join proposals p on p.organization_id = d.organization_id and p.id = d.proposal_id
   where d.organization_id = ${organizationId} and d.api_key_id = ${keyId} and d.request = ${request}
     and (d.ends_at is null or d.ends_at > ${now}))`;

/** The refusal of a repeated request, with what the person said. */
export function repeatsDenial({ kind, text, endsAt }: DeniedRequest): AppError {
  const until =
    endsAt === null ? "" : ` The same request is refused until ${new Date(endsAt).toISOString()}.`;
  const words = text === null ? DENIAL_REASON_WORDS[kind] : `${DENIAL_REASON_WORDS[kind]}: ${text}`;
  return new AppError(
    "REPEATS_DENIAL",
    `A person denied this request and said: \u201c${words}\u201d.${until}`,
  );
}
