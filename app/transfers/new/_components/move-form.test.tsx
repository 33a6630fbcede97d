import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { MoveForm } from "@/app/transfers/new/_components/move-form";
import type { MoveAccountView } from "@/lib/views/transfers/read-move-page";

const account = (id: string, name: string, more: Partial<MoveAccountView> = {}): MoveAccountView => ({
  id,
  name,
  kind: "POD",
  isOutside: false,
  canGive: true,
  cannotGive: null,
  cannotTake: null,
  availableInCents: 100_000,
  balanceAt: null,
  connectionId: null,
  ...more,
});

test("sources and destinations say whose name looks the same as another one's", () => {
  const accounts = [
    account("1", "Operating"),
    account("2", "Оperating"),
    account("3", "Harbor Print Shop", { isOutside: true, canGive: false, kind: "EXTERNAL_ACCOUNT" }),
    account("4", "Harbor  Print Shop", { isOutside: true, canGive: false, kind: "EXTERNAL_ACCOUNT" }),
    account("5", "Taxes"),
  ];
  const fields = { amount: "", sourceId: "5", destinationId: "", label: "", note: "" };
  const form = renderToStaticMarkup(
    <MoveForm
      accounts={accounts}
      fields={fields}
      problems={{ amount: null, label: null }}
      time={{ nowAt: "2026-03-02T15:00:00.000Z", timeZone: "America/New_York", locale: "en-US" }}
      onChange={() => undefined}
    />,
  );
  const options = [...form.matchAll(/<option[^>]*>([^<]*)<\/option>/g)].map(([, text]) => text);
  const isMarked = "another name looks the same";
  expect(options).toEqual([
    "Choose an account",
    `Operating, ${isMarked}, $1,000.00`,
    `Оperating (with Cyrillic letters), ${isMarked}, $1,000.00`,
    "Taxes, $1,000.00",
    "Choose an account",
    `Operating, ${isMarked}`,
    `Оperating (with Cyrillic letters), ${isMarked}`,
    `Harbor Print Shop, ${isMarked}, outside`,
    `Harbor  Print Shop, ${isMarked}, outside`,
  ]);
});
