import { type KeyAlert, keyAlertSchema } from "@/lib/contract/api-key";
import { writeCents } from "@/lib/contract/format-cents";
import { assistantsHref } from "@/lib/core/keys/assistant-facts";
import { keyHref, keysHref } from "@/lib/core/keys/key-facts";
import { type HandlersOf, noticeKind, type Reading } from "@/lib/core/notifications/notice-kind";
import { keyAlertWords } from "@/lib/words/keys/key-alert-words";
import { isolatedName, sentenceText } from "@/lib/words/messages/untrusted-text";

interface UnusualUse {
  keyId: string;
  /** Of the key or the assistant. */
  name: string;
  isAssistant: boolean;
  alert: KeyAlert;
  noticedAt: Date;
}

interface AlertRow extends Omit<UnusualUse, "alert"> {
  kind: string;
  facts: object;
}

async function readAlerts({ client, organizationId, ids }: Reading): Promise<UnusualUse[]> {
  const { rows } = await client.query<AlertRow>({
    name: "read_alerts_to_notify",
    text: `
      select k.id as "keyId", k.name, k.client_id is not null as "isAssistant", a.kind, a.facts,
          a.noticed_at as "noticedAt"
        from key_alerts a join api_keys k on k.organization_id = a.organization_id and k.id = a.api_key_id
       where a.organization_id = $1 and a.id = any ($2) order by a.id`,
    values: [organizationId, ids],
  });
  return rows.map(({ kind, facts, ...row }) => ({ ...row, alert: keyAlertSchema.parse({ ...facts, kind }) }));
}

/** Unusual use of a key or an assistant: what was seen, what is usual, what to do. In a digest per organization. */
export const keyUnusual = noticeKind({
  kind: "KEY_UNUSUAL",
  read: readAlerts,
  say: {
    headline: (use) => {
      const { title } = wordsOf(use);
      return `${isolatedName(use.name)}: ${title.charAt(0).toLowerCase()}${title.slice(1)}`;
    },
    lines: (use, moment) => {
      const { seen, usual } = wordsOf(use);
      return [sentenceText(seen), sentenceText(usual), `Noticed ${moment(use.noticedAt)}.`];
    },
    action: ({ isAssistant, keyId }) =>
      isAssistant
        ? { label: "See the assistants", href: assistantsHref() }
        : { label: "See the key", href: keyHref(keyId) },
    note: ({ isAssistant }) =>
      `If this was not intended, ${isAssistant ? "disconnect the assistant" : "revoke the key"} there. That denies its proposals and stops transfers that have not left yet. If more than this ${isAssistant ? "assistant" : "key"} may be affected, close all gates, in the sidebar of every page.`,
    sms: ({ isAssistant }) =>
      isAssistant
        ? "unusual use of an assistant. If this was not intended, disconnect it."
        : "unusual use of a key. If this was not intended, revoke it.",
    digest: {
      headline: (all) => `${all.length} more signs of unusual use of keys`,
      sentence: "If you don't recognize it, revoke the keys or close all gates.",
      line: (use) => `${isolatedName(use.name)}: ${sentenceText(wordsOf(use).seen)}`,
      action: () => ({ label: "See the keys", href: keysHref() }),
      sms: (all) =>
        `${all.length} more signs of unusual use of keys. If you don't recognize it, revoke the keys.`,
    },
  },
});

function wordsOf({ alert, isAssistant }: UnusualUse) {
  return keyAlertWords(alert, isAssistant ? "assistant" : "key", writeCents);
}

export const unusualUseNotices: HandlersOf<"UNUSUAL_USE"> = { KEY_UNUSUAL: keyUnusual };
