/** What a document may be, by its own bytes: a photo, or a PDF. */
export const DOCUMENT_MEDIA_TYPES = ["image/jpeg", "image/png", "application/pdf"] as const;
export type DocumentMediaType = (typeof DOCUMENT_MEDIA_TYPES)[number];

/** The endings that a file of each type may have; the first is the usual one. */
export const DOCUMENT_ENDINGS: Readonly<Record<DocumentMediaType, readonly [string, ...string[]]>> = {
  "application/pdf": [".pdf"],
  "image/jpeg": [".jpg", ".jpeg"],
  "image/png": [".png"],
};

/** What people call each type. */
export const DOCUMENT_TYPE_WORDS: Readonly<Record<DocumentMediaType, string>> = {
  "application/pdf": "PDF",
  "image/jpeg": "JPEG picture",
  "image/png": "PNG picture",
};

/** Carries the name of an uploaded document, percent-encoded. */
export const DOCUMENT_NAME_HEADER = "x-document-name";
