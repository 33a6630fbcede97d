import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { TIME } from "@/app/design/_components/approval-examples";
import { DocumentList, formatSize } from "@/components/parts/approvals/documents";
import { MAXIMUM_DOCUMENT_BYTES } from "@/lib/contract/limits";
import type { DocumentView } from "@/lib/views/approvals/describe-documents";

const document: DocumentView = {
  id: "019a9743-e300-703b-a6ed-ec377a616648",
  name: "RP-2211.png",
  mediaType: "image/png",
  sizeInBytes: 188_416,
  sha256: "9f".repeat(32),
  addedByName: "claude-bookkeeping",
  addedAt: TIME.nowAt,
  isPicture: true,
  href: "/documents/a/b",
};
const drawn = (of: DocumentView, isWhole: boolean) =>
  renderToStaticMarkup(<DocumentList documents={[of]} time={TIME} isWhole={isWhole} />);

test("a picture is shown whole on its proposal, small in a review, and each link names its file", () => {
  const widths = (html: string) => html.match(/grid-cols-\[[^\]]+\]/g);
  expect(widths(drawn(document, true))).toContain("grid-cols-[minmax(0,448px)]");
  expect(widths(drawn(document, false))).toContain("grid-cols-[132px_minmax(0,1fr)]");
  expect(drawn(document, true)).toContain("View <bdi>RP-2211.png</bdi> in a new tab");
  const pdf: DocumentView = {
    ...document,
    name: "RP-2211.pdf",
    mediaType: "application/pdf",
    isPicture: false,
  };
  expect(widths(drawn(pdf, true))).toContain("grid-cols-[132px_minmax(0,1fr)]");
  expect(drawn(pdf, true)).toContain("Download <bdi>RP-2211.pdf</bdi>");
});

test("the largest file has the size that the limit names", () => {
  expect(formatSize(MAXIMUM_DOCUMENT_BYTES)).toBe("5.0 MB");
  expect(formatSize(188_416)).toBe("184 kB");
  expect(formatSize(591)).toBe("591 B");
});
