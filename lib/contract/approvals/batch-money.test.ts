import { describe, expect, it } from "vitest";
import { moneyDigest, moneyOf } from "@/lib/contract/approvals/batch-money";

const account = (
  id: string,
  availableInCents: number | null,
  floorInCents: number | null = null,
  isOutside = false,
) => ({
  id,
  name: id,
  availableInCents,
  floorInCents,
  isOutside,
});
const move = (
  line: number,
  sourceAccountId: string,
  destinationAccountId: string,
  amountInCents: number,
) => ({
  line,
  sourceAccountId,
  destinationAccountId,
  amountInCents,
});

describe("what lines do together", () => {
  it("names the first line for which there is not enough", () => {
    const money = moneyOf([account("A", 100)], null, [
      move(1, "A", "X", 60),
      move(2, "A", "X", 60),
      move(3, "A", "X", 1),
    ]);
    expect(money.sources).toMatchObject([{ outcome: "BLOCKS", shortAtLine: 2, takesInCents: 121 }]);
  });

  it("counts money that an earlier line moves inside Sluice, and none that comes from outside", () => {
    const accounts = [account("A", 100), account("B", 0), account("OUT", 500, null, true)];
    expect(
      moneyOf(accounts, null, [move(1, "A", "B", 50), move(2, "B", "A", 50)]).sources.map(
        ({ outcome }) => outcome,
      ),
    ).toEqual(["CLEAR", "CLEAR"]);
    expect(
      moneyOf(accounts, null, [move(1, "OUT", "B", 50), move(2, "B", "A", 50)]).sources[1]?.shortAtLine,
    ).toBe(2);
  });

  it("is short where the balance is unknown, and flags a floor and the cap on money out", () => {
    expect(moneyOf([account("A", null)], null, [move(1, "A", "X", 1)]).sources[0]?.outcome).toBe("BLOCKS");
    const money = moneyOf(
      [account("A", 100, 50), account("OUT", null, null, true)],
      { capInCents: 100, leftInCents: 59 },
      [move(1, "A", "OUT", 60)],
    );
    expect(money).toMatchObject({
      sources: [{ outcome: "LOOK", afterInCents: 40 }],
      outgoing: { outcome: "BLOCKS", leavesInCents: 60 },
    });
    expect(moneyDigest(money)).toBe("A LOOK,OUT BLOCKS");
  });
});
