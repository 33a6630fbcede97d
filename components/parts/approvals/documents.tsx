import { FileText, Flag } from "lucide-react";
import { Section } from "@/components/layout/section";
import { UploadDocument } from "@/components/parts/approvals/upload-document";
import { formatInSentence } from "@/components/time/format-instant";
import { LINK, MONO } from "@/components/ui/text-styles";
import { DOCUMENT_TYPE_WORDS } from "@/lib/contract/input/document-types";
import { MAXIMUM_DOCUMENTS } from "@/lib/contract/limits";
import type { TimeContext } from "@/lib/contract/time-context";
import type { DocumentView } from "@/lib/views/approvals/describe-documents";
import type { ApprovalView } from "@/lib/views/approvals/get-approval";

interface ProposalDocumentsProps {
  view: ApprovalView;
  /** Pictures at their full width, as on the proposal's own page; a review shows them small. */
  isWhole: boolean;
}

/** The documents of a proposal, beside its reason, and a way to add one while it waits. Nothing without either. */
export function ProposalDocuments({ view, isWhole }: ProposalDocumentsProps) {
  const { documents, time } = view;
  const mayAdd =
    view.kind === "TRANSFER" &&
    view.status === "WAITING" &&
    view.viewer.canDecide &&
    documents.length < MAXIMUM_DOCUMENTS;
  if (documents.length === 0 && !mayAdd) return null;
  return (
    <Section
      id="documents"
      title={documents.length > 1 ? "Documents" : "Document"}
      fact={documents.length === 0 ? "None attached" : adders(documents)}
    >
      {documents.length === 0 ? null : <DocumentList documents={documents} time={time} isWhole={isWhole} />}
      {mayAdd ? (
        <div className="mt-5">
          <UploadDocument path={`/documents/${view.id}`} label="Add a document" />
          <p className="mt-2 text-sm text-ink-3">
            PDF, JPEG or PNG, up to 5 MB. It becomes part of what is approved and can’t be removed.
          </p>
        </div>
      ) : null}
    </Section>
  );
}

/** `Attached by claude-bookkeeping` */
function adders(documents: readonly DocumentView[]): string {
  const names = [...new Set(documents.map(({ addedByName }) => addedByName))];
  return `Attached by ${names.join(" and ")}`;
}

interface DocumentListProps {
  documents: readonly DocumentView[];
  time: TimeContext;
  isWhole?: boolean;
}

const BESIDE_ITS_FACTS =
  "grid grid-cols-[132px_minmax(0,1fr)] gap-6 max-sm:grid-cols-[84px_minmax(0,1fr)] max-sm:gap-4";
const ABOVE_ITS_FACTS = "grid grid-cols-[minmax(0,448px)] gap-4";

/** Each with its facts: the sender's words, as the double rule says, which nobody checked. */
export function DocumentList({ documents, time, isWhole = false }: DocumentListProps) {
  return (
    <>
      <p className="grid grid-cols-[18px_1fr] gap-2 mt-4 text-sm/5 text-ink-2 [&_svg]:size-4 [&_svg]:mt-0.5">
        <Flag />
        <span>
          <b className="text-ink">
            Sluice has not checked what {documents.length === 1 ? "it says" : "they say"}.
          </b>{" "}
          Compare payee, account and amount yourself.
        </span>
      </p>
      <ul className="grid gap-5 mt-4">
        {documents.map((document) => (
          <li
            key={document.id}
            className={`${isWhole && document.isPicture ? ABOVE_ITS_FACTS : BESIDE_ITS_FACTS} pl-4.5 border-l-3 border-double border-rule-strong print:break-inside-avoid`}
          >
            <Sheet document={document} isWhole={isWhole} />
            <DocumentFacts document={document} time={time} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** White in both themes, as paper is. */
const SHEET = "grid place-items-center self-start w-full border border-rule-strong bg-[#fff] overflow-hidden";

interface SheetProps {
  document: DocumentView;
  isWhole: boolean;
}

function Sheet({ document: { isPicture, href, name }, isWhole }: SheetProps) {
  if (!isPicture) {
    return (
      <span className={`${SHEET} aspect-[210/297] text-[#66737a] [&_svg]:size-8`} aria-hidden="true">
        <span className="grid justify-items-center gap-2 text-sm">
          <FileText />
          PDF
        </span>
      </span>
    );
  }
  return (
    <a className={SHEET} href={href} target="_blank" rel="noreferrer">
      {/* biome-ignore lint/performance/noImgElement: no page uses the optimizer, which would fetch it again */}
      <img
        className={isWhole ? "block max-h-160 max-w-full" : "block w-full max-h-48 object-contain"}
        src={href}
        alt={name}
        loading="lazy"
      />
    </a>
  );
}

function DocumentFacts({ document, time }: { document: DocumentView; time: TimeContext }) {
  const { name, mediaType, sizeInBytes, sha256, addedByName, addedAt, isPicture, href } = document;
  return (
    <div className="min-w-0">
      <p className="font-semibold wrap-anywhere">
        <bdi>{name}</bdi>
      </p>
      <p className="mt-1 text-sm text-ink-3">
        {DOCUMENT_TYPE_WORDS[mediaType]} by its content, {formatSize(sizeInBytes)}
      </p>
      <p className="text-sm text-ink-3 wrap-anywhere">
        From {addedByName}, {formatInSentence(addedAt, time)}
      </p>
      <p className="text-sm text-ink-3">Kept encrypted, as long as the transfer</p>
      <p className="mt-2 text-sm text-ink-3 wrap-anywhere">
        SHA-256 <span className={MONO}>{sha256}</span>
      </p>
      <p className="mt-2.5 wrap-anywhere">
        {isPicture ? (
          <a className={LINK} href={href} target="_blank" rel="noreferrer">
            View <bdi>{name}</bdi> in a new tab
          </a>
        ) : (
          <a className={LINK} href={href} download>
            Download <bdi>{name}</bdi>
          </a>
        )}
      </p>
    </div>
  );
}

/** As the limits count: the largest file is 5 MB, not 5.2. */
const KILOBYTE = 1_024;

/** `184 kB`, `1.2 MB` */
export function formatSize(bytes: number): string {
  if (bytes < KILOBYTE) return `${bytes} B`;
  const kilobytes = bytes / KILOBYTE;
  if (kilobytes < KILOBYTE) return `${Math.round(kilobytes)} kB`;
  return `${(kilobytes / KILOBYTE).toFixed(1)} MB`;
}
