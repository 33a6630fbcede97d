/**
 * It is not certain that the member themself acts, so nothing was done. The message is one sentence for that member.
 * Apart from `AppError`, because programs never meet it: the API has no such code.
 */
export class NotConfirmed extends Error {
  override readonly name = "NotConfirmed";
}
