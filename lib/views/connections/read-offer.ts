import { AppError } from "@/lib/contract/error";
import type { OfferView } from "@/lib/contract/views/connect-view";
import { beginConnecting } from "@/lib/core/connections/begin-connecting";
import { providerText } from "@/lib/core/connections/provider-text";
import type { Context, MemberActor } from "@/lib/core/shared/context";
import type { Services } from "@/lib/platform/services";
import type { AggregatorPort } from "@/lib/ports/aggregator/aggregator-port";
import { PROVIDERS_DIALOG, reasonNotToConnect } from "@/lib/views/connections/read-connect-page";
import { readConnectedNames } from "@/lib/views/connections/read-connected-names";

/** The accounts that an institution offers to connect, with what is connected there already. */
export async function readOffer(
  services: Pick<Services, "pool">,
  aggregator: AggregatorPort,
  context: Context<MemberActor>,
  institutionId: string,
): Promise<OfferView> {
  const reason = reasonNotToConnect(aggregator, context);
  if (reason) return reason;
  try {
    const [step, connected] = await Promise.all([
      beginConnecting(services, aggregator, context, { institutionId, again: null }),
      readConnectedNames(services, aggregator, context),
    ]);
    if (step.kind !== "CHOOSE") return PROVIDERS_DIALOG;
    return {
      kind: "CHOOSE",
      institutionId: step.institution.id,
      institutionName: providerText(step.institution.name, 200),
      accounts: step.accounts.map(({ template, name, externalAccountType }) => ({
        template,
        name: providerText(name, 100),
        externalAccountType,
      })),
      connectedNames: connected.get(step.institution.id) ?? [],
    };
  } catch (error) {
    // An address that was typed, or an institution that is away: the page says so.
    if (error instanceof AppError) return { kind: "REFUSED", message: error.message };
    throw error;
  }
}
