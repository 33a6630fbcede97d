/**
 * The member's presence is not proven, so nothing was done. The message is one sentence for that member. Separate from
 * `AppError`, because programs never get it: the API has no such code.
 */
export class NotConfirmed extends Error {
  override readonly name = "NotConfirmed";
}
