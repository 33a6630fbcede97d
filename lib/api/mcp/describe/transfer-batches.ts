import { describer } from "@/lib/api/mcp/describe/answer-describer";
import { momentAfter } from "@/lib/api/mcp/describe/text";
import { type TransferBatch, transferBatchSchema } from "@/lib/contract/approvals/batch";
import { formatCents } from "@/lib/contract/format-cents";
import { APPROVAL_EXPIRY_MS } from "@/lib/contract/limits";

/** A batch, with what to do next. */
export const describeTransferBatch = describer(transferBatchSchema, (batch) =>
  [
    `Batch ${batch.id}: ${counted(batch.lines.length)}, ${formatCents(batch.totalInCents)} together. Status: ${batch.status}.`,
    ...describeStatus(batch),
    ...batch.lines.map(describeLine),
  ].join("\n"),
);

const counted = (count: number) => (count === 1 ? "1 transfer" : `${count} transfers`);

function describeStatus({
  id,
  status,
  approvalUrl,
  approvedInCents,
  createdAt,
  lines,
}: TransferBatch): string[] {
  if (status === "WAITING") {
    return [
      "Waiting for approval. Nothing has moved, and nothing will until an owner or co-owner approves. They may strike out lines.",
      ...(approvalUrl ? [`Next: give this address to an owner or co-owner: ${approvalUrl}`] : []),
      `Without a decision by ${momentAfter(createdAt, APPROVAL_EXPIRY_MS)} it counts as denied.`,
      `Next: then call getTransferBatch with id: "${id}" until the status is no longer WAITING: first after a minute, then with waits that double, up to an hour.`,
      "Do not propose it again while it waits.",
    ];
  }
  if (status !== "APPROVED") {
    return [
      "Nothing moved, and it will never run.",
      "Next: do not propose it again on your own. Tell the person, and ask what they want.",
    ];
  }
  const approved = lines.filter(({ decision }) => decision?.outcome === "APPROVED").length;
  const struckCount = lines.length - approved;
  return [
    `A person approved ${counted(approved)}, ${formatCents(approvedInCents)}${struckCount === 0 ? "" : `, and struck out ${struckCount}, which never run`}.`,
    "A line that fails at a bank fails alone: its status says so.",
  ];
}

function describeLine({
  line,
  transferId,
  amountInCents,
  destinationAccountId,
  status,
}: TransferBatch["lines"][number]) {
  return `- ${line}. ${formatCents(amountInCents)} to ${destinationAccountId}: ${status} (transfer ${transferId})`;
}
