import type { KeyAccountView, KeyFactsView } from "@/lib/contract/views/keys-view";
import { keyHref, keysHref, readKeyFacts } from "@/lib/core/keys/key-facts";

import { readKeyAccounts } from "@/lib/core/keys/read-key-accounts";
import { readKeyRules } from "@/lib/core/keys/read-key-rules";
import { settingOf, subjectsOf, type Teller, type Telling } from "@/lib/core/notifications/telling";
import type { Queryable } from "@/lib/db/transaction";
import { phraseText } from "@/lib/engine/words/key-phrases";
import { keySentence } from "@/lib/engine/words/key-sentence";
import { MAX_LISTED_LINES, renderToldTogether } from "@/lib/words/messages/digest";
import { renderKeyCreated } from "@/lib/words/messages/key-messages";
import { isolatedName } from "@/lib/words/messages/untrusted-text";

const KIND = "KEY_CREATED";

/** Keys that members made or replaced in the dashboard; those of an organization together. */
export const keyCreatedTeller: Teller = {
  one: async (telling, notice) => {
    const { organizationId, subjectId, now } = notice;
    const [key] = await readKeyFacts(telling.client, organizationId, now, { keyId: subjectId });
    if (!key) return null;
    const rendered = renderKeyCreated(
      {
        name: key.name,
        madeBy: key.madeByName,
        madeAt: new Date(key.madeAt),
        prefix: key.prefix,
        isReplacement: await isReplacement(telling.client, organizationId, subjectId),
        powers: await powersOf(telling, organizationId, key),
        keyUrl: `${telling.appUrl}${keyHref(key.id)}`,
      },
      settingOf(telling, notice),
    );
    return { kind: KIND, proposalIds: [], exceptUserId: null, ...rendered };
  },

  together: async (telling, notices) => {
    const [first] = notices;
    const { organizationId, ids } = subjectsOf(notices);
    const names = await readNames(telling.client, organizationId, ids);
    if (!first || names.length === 0) return null;
    const told = {
      count: names.length,
      subject: `${names.length} more API keys were made`,
      sentence: "If they should not be there, revoke them.",
      lines: names
        .slice(0, MAX_LISTED_LINES)
        .map(({ name, made_by }) => `${isolatedName(name)}, by ${isolatedName(made_by)}`),
      action: { label: "See the keys", url: `${telling.appUrl}${keysHref()}` },
      why: "SECURITY" as const,
      smsSentence: `Sluice: ${names.length} more API keys were made. If they should not be there, revoke them.`,
    };
    return {
      kind: KIND,
      proposalIds: [],
      exceptUserId: null,
      ...renderToldTogether(told, settingOf(telling, first)),
    };
  },
};

/** Said to somebody who may approve. */
async function powersOf(
  { client }: Telling,
  organizationId: string,
  { permissions, dailyCapInCents }: Pick<KeyFactsView, "permissions" | "dailyCapInCents">,
): Promise<string> {
  const accounts = await readKeyAccounts(client, organizationId);
  const rules = await readKeyRules(client, organizationId);
  // Each name by itself: one written right to left must not turn the amounts beside it.
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

async function readNames(
  client: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<{ name: string; made_by: string }[]> {
  const { rows } = await client.query<{ name: string; made_by: string }>(
    `select k.name, u.name as made_by from api_keys k join users u on u.id = k.created_by
      where k.organization_id = $1 and k.id = any ($2) order by k.id`,
    [organizationId, ids],
  );
  return rows;
}
