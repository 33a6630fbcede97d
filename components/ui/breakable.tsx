import { Fragment } from "react";

/** After what separates the parts of an address, but not after the two slashes of its scheme. */
const AFTER_SEPARATOR = /(?<=[@?&=_]|[^/:]\/|\.(?=\S))/;

/** An email or web address that breaks between its parts, so that a narrow column does not split a word of it. */
export function Breakable({ text }: { text: string }) {
  let offset = 0;
  return text.split(AFTER_SEPARATOR).map((part) => {
    const at = offset;
    offset += part.length;
    return (
      <Fragment key={at}>
        {at === 0 ? null : <wbr />}
        {part}
      </Fragment>
    );
  });
}
