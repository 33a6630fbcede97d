import { describe, expect, test } from "vitest";
import { Html, html } from "@/lib/words/messages/html";

describe("html", () => {
  test("text is escaped for elements and for both kinds of quoted attribute", () => {
    expect(html`<i title='${`<>&"'`}'></i>`.markup).toBe("<i title='&lt;&gt;&amp;&quot;&#39;'></i>");
  });

  test("what is markup already is not escaped twice, alone or in a list", () => {
    const item = html`<b>${"R&D"}</b>`;
    expect(item).toBeInstanceOf(Html);
    expect(html`${item}${[item, "<"]}${null}`.markup).toBe("<b>R&amp;D</b><b>R&amp;D</b>&lt;");
  });
});
