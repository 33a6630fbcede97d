import { expect, it } from "vitest";
import { beginningOf, wholeTypeOf } from "@/lib/core/shared/document-type";
import { sampleJpeg, samplePdf, samplePng } from "@/lib/testing/documents";

/** Goal: a document is what its bytes show, from the first to the last, whatever its sender calls it. */
const pdf = samplePdf("Invoice RP-2211");
const png = samplePng(128);
const jpeg = sampleJpeg(300);
const after = (content: Buffer, more: string) => Buffer.concat([content, Buffer.from(more, "latin1")]);

it("knows a PDF, a JPEG and a PNG by their bytes", () => {
  expect(wholeTypeOf(pdf)).toBe("application/pdf");
  expect(wholeTypeOf(png)).toBe("image/png");
  expect(wholeTypeOf(jpeg)).toBe("image/jpeg");
});

it("takes line ends and zeros behind the end, and what phones of one maker write there", () => {
  expect(wholeTypeOf(after(pdf, "\r\n\n"))).toBe("application/pdf");
  expect(wholeTypeOf(after(jpeg, "\0\0"))).toBe("image/jpeg");
  expect(wholeTypeOf(after(jpeg, "SEFH facts of a phone SEFT"))).toBe("image/jpeg");
});

it.each([
  ["nothing", Buffer.alloc(0)],
  ["HTML", Buffer.from("<!doctype html><script>alert(1)</script>")],
  ["SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  ["a PDF that begins later", Buffer.concat([Buffer.from("<html>"), pdf])],
  ["a PDF that was cut", pdf.subarray(0, pdf.length - 8)],
  ["a PDF with an archive behind it", after(pdf, "PK\x03\x04 an archive")],
  ["a PDF with a page behind it", after(pdf, "<script>alert(1)</script>")],
  ["a PNG that was cut", png.subarray(0, png.length - 1)],
  ["a PNG with a PDF behind it", Buffer.concat([png, pdf])],
  ["a PNG without a header", Buffer.concat([png.subarray(0, 8), png.subarray(-12)])],
  ["a PNG whose chunk is longer than the file", after(png.subarray(0, 8), "\xff\xff\xff\xffIHDR....")],
  ["a JPEG that was cut", jpeg.subarray(0, -1)],
  ["a JPEG with a page behind it", after(jpeg, "<html>")],
])("takes %s for none of them", (_, content) => {
  expect(wholeTypeOf(content)).toBeNull();
});

it("tells the type by the beginning alone where the rest does not matter", () => {
  expect(beginningOf(after(jpeg, "<html>"))).toBe("image/jpeg");
  expect(beginningOf(Buffer.from("<html>"))).toBeNull();
});
