import { writeCents } from "@/lib/contract/format-cents";
import { type Html, html } from "@/lib/words/messages/html";

/** Never broken over two lines, where its cents would read as another number; so beyond a million it is smaller. */
export function largeAmount(amountInCents: number): Html {
  const amount = writeCents(amountInCents);
  const isLong = amount.length > "$999,999.99".length;
  const size = isLong
    ? "font-size:36px;line-height:48px"
    : "font-size:64px;line-height:70px;letter-spacing:-2px";
  const centsSize = isLong ? "font-size:24px" : "font-size:34px";
  return html`<span class="${isLong ? "" : "big"}" style="white-space:nowrap;${size}">${amount.slice(0, -3)}<span class="i2" style="${centsSize};color:#52676a;letter-spacing:0">${amount.slice(-3)}</span></span>`;
}
