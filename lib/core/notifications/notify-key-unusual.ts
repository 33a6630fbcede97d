import { type KeyAlert, keyAlertSchema } from "@/lib/contract/api-key";
import { writeCents } from "@/lib/contract/format-cents";
import { assistantsHref } from "@/lib/core/keys/assistant-facts";
import { keyHref, keysHref } from "@/lib/core/keys/key-facts";
import { type NoticeHandler, settingOf, subjectsOf } from "@/lib/core/notifications/notice-handler";
import type { Queryable } from "@/lib/db/transaction";
import { keyAlertWords } from "@/lib/engine/words/key-alert-words";
import { MAX_LISTED_LINES, renderDigest } from "@/lib/words/messages/digest";
import { renderKeyUnusual } from "@/lib/words/messages/key-messages";
import { isolatedName, sentenceText } from "@/lib/words/messages/untrusted-text";

const KIND = "KEY_UNUSUAL";

interface NoticedAlert {
  kind: "API_KEY" | "ASSISTANT";
  keyId: string;
  name: string;
  alert: KeyAlert;
  noticedAt: Date;
}

/** Unusual use of keys and assistants, in a digest per organization. */
export const keyUnusualHandler: NoticeHandler = {
  one: async (context, notice) => {
    const [use] = await readAlerts(context.client, notice.organizationId, [notice.subjectId]);
    if (!use) return null;
    const url = `${context.appUrl}${use.kind === "API_KEY" ? keyHref(use.keyId) : assistantsHref()}`;
    const rendered = renderKeyUnusual({ ...use, url }, settingOf(context, notice));
    return { kind: KIND, proposalIds: [], exceptUserId: null, ...rendered };
  },

  digest: async (context, notices) => {
    const [first] = notices;
    const { organizationId, ids } = subjectsOf(notices);
    const alerts = await readAlerts(context.client, organizationId, ids);
    if (!first || alerts.length === 0) return null;
    const digest = {
      count: alerts.length,
      subject: `${alerts.length} more signs of unusual use of keys`,
      sentence: "If you don't recognize it, revoke the keys or close all gates.",
      lines: alerts.slice(0, MAX_LISTED_LINES).map(lineOf),
      action: { label: "See the keys", url: `${context.appUrl}${keysHref()}` },
      why: "CHOSEN" as const,
      smsSentence: `Sluice: ${alerts.length} more signs of unusual use of keys. If you don't recognize it, revoke the keys.`,
    };
    const rendered = renderDigest(digest, settingOf(context, first));
    return { kind: KIND, proposalIds: [], exceptUserId: null, ...rendered };
  },
};

function lineOf({ name, kind, alert }: NoticedAlert): string {
  const { seen } = keyAlertWords(alert, kind === "API_KEY" ? "key" : "assistant", writeCents);
  return `${isolatedName(name)}: ${sentenceText(seen)}`;
}

interface AlertRow {
  keyId: string;
  name: string;
  isAssistant: boolean;
  kind: string;
  facts: object;
  noticedAt: Date;
}

async function readAlerts(
  client: Queryable,
  organizationId: string,
  ids: readonly string[],
): Promise<NoticedAlert[]> {
  const { rows } = await client.query<AlertRow>({
    name: "read_alerts_to_notify",
    text: `
      select k.id as "keyId", k.name, k.client_id is not null as "isAssistant", a.kind, a.facts,
          a.noticed_at as "noticedAt"
        from key_alerts a join api_keys k on k.organization_id = a.organization_id and k.id = a.api_key_id
       where a.organization_id = $1 and a.id = any ($2) order by a.id`,
    values: [organizationId, ids],
  });
  return rows.map((row) => ({
    kind: row.isAssistant ? "ASSISTANT" : "API_KEY",
    keyId: row.keyId,
    name: row.name,
    alert: keyAlertSchema.parse({ ...row.facts, kind: row.kind }),
    noticedAt: row.noticedAt,
  }));
}
