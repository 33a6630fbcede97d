import { describer } from "@/lib/api/mcp/describe/answer-describer";
import { quote } from "@/lib/api/mcp/describe/text";
import { documentSchema } from "@/lib/contract/approvals/document";
import { DOCUMENT_TYPE_WORDS } from "@/lib/contract/input/document-types";

/** One that was added. */
export const describeAddedDocument = describer(
  documentSchema,
  ({ name, mediaType, sizeInBytes, sha256, transferId }) =>
    [
      `Document ${quote(name)} (${DOCUMENT_TYPE_WORDS[mediaType]}, ${sizeInBytes} bytes, SHA-256 ${sha256}) is on transfer ${transferId}. Its approver sees it; it can be neither removed nor replaced.`,
      `Next: getTransfer with id: "${transferId}" says what the person decides.`,
    ].join("\n"),
);
