import type { KeyAccountView, KeyFactsView } from "@/lib/contract/keys/key-facts";
import { keyHref, readKeyFacts } from "@/lib/core/keys/key-facts";
import { readKeyAccounts } from "@/lib/core/keys/read-key-accounts";
import { readKeyRules } from "@/lib/core/keys/read-key-rules";
import { type NoticeContext, type NoticeHandler, settingOf } from "@/lib/core/notifications/notice-handler";
import type { Queryable } from "@/lib/db/transaction";
import { phraseText } from "@/lib/engine/words/key-phrases";
import { keySentence } from "@/lib/engine/words/key-sentence";
import { renderKeyCreated } from "@/lib/words/messages/key-messages";
import { isolatedName } from "@/lib/words/messages/untrusted-text";

const KIND = "KEY_CREATED";

/** Keys that members made or replaced in the dashboard, each by itself. */
export const keyCreatedHandler: NoticeHandler = {
  one: async (context, notice) => {
    const { organizationId, subjectId, now } = notice;
    const [key] = await readKeyFacts(context.client, organizationId, now, { keyId: subjectId });
    if (!key) return null;
    const rendered = renderKeyCreated(
      {
        name: key.name,
        createdBy: key.createdByName,
        createdAt: new Date(key.createdAt),
        prefix: key.prefix,
        isReplacement: await isReplacement(context.client, organizationId, subjectId),
        powers: await powersOf(context, organizationId, key),
        keyUrl: `${context.appUrl}${keyHref(key.id)}`,
      },
      settingOf(context, notice),
    );
    return { kind: KIND, proposalIds: [], exceptUserId: null, ...rendered };
  },
  digest: null,
};

/** Worded for a reader who may approve. */
async function powersOf(
  { client }: NoticeContext,
  organizationId: string,
  { permissions, dailyCapInCents }: Pick<KeyFactsView, "permissions" | "dailyCapInCents">,
): Promise<string> {
  const accounts = await readKeyAccounts(client, organizationId);
  const rules = await readKeyRules(client, organizationId);
  // Isolates each name: a right-to-left name must not reorder the amounts next to it.
  const isolate = <T extends Pick<KeyAccountView, "name">>(one: T): T => ({
    ...one,
    name: isolatedName(one.name),
  });
  return phraseText(
    keySentence({
      permissions,
      accounts: accounts.map(isolate),
      rules: rules.map(isolate),
      dailyCapInCents,
      canDecide: true,
    }),
  );
}

async function isReplacement(client: Queryable, organizationId: string, keyId: string): Promise<boolean> {
  const { rowCount } = await client.query(
    "select 1 from api_keys where organization_id = $1 and replaced_by = $2 limit 1",
    [organizationId, keyId],
  );
  return rowCount === 1;
}
