/** A file, written batch by batch while it is sent. */
export interface ExportedFile {
  fileName: string;
  lines: AsyncGenerator<string>;
}
