import { describer } from "@/lib/api/mcp/describe/answer-describer";
import { describePage } from "@/lib/api/mcp/describe/list-page";
import { describeWindow, quote, utcMoment } from "@/lib/api/mcp/describe/text";
import { auditLogEntrySchema } from "@/lib/contract/audit-log";
import { dateWindowSchema, pageOf } from "@/lib/contract/page";

const REASON_LENGTH = 160;
const PATH_LENGTH = 120;

/** A page of the audit log. Names, paths and reasons are whatever the callers sent. */
export const describeAuditLog = describer(
  pageOf(auditLogEntrySchema).extend({ window: dateWindowSchema }),
  ({ window, ...page }) =>
    [
      describePage(
        page,
        {
          one: "entry",
          many: "entries",
          empty:
            "No entries as you asked: no key or assistant called in this time. Leave filters out, or ask for an earlier from.",
          next: "Every call adds an entry, this one too: give the same to on each page, and the pages keep still.",
        },
        (entry) =>
          [
            `${utcMoment(entry.createdAt)}, ${quote(entry.apiKeyName)} (key ${entry.apiKeyId})`,
            `${entry.action ?? "another action"}, ${quote(entry.path, PATH_LENGTH)}`,
            entry.outcome === "SUCCESS" ? "done" : `refused (${entry.errorCode ?? "no code"})`,
            ...(entry.reason === null ? [] : [`reason given: ${quote(entry.reason, REASON_LENGTH)}`]),
            `request ${quote(entry.requestId)}`,
          ].join("; "),
      ),
      describeWindow(window),
    ].join("\n"),
);
