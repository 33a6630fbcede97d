/** The sandbox network made no such card. */
export class CardNotIssued extends Error {
  override readonly name = "CardNotIssued";
  constructor(readonly cardId: string) {
    super(`The sandbox card network has not issued card ${cardId}`);
  }
}
