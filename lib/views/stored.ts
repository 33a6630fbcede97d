/** A view as SQL selects it: its moments are dates, not yet text. */
export type Stored<View, Moments extends keyof View> = Omit<View, Moments> & {
  [Moment in Moments]: null extends View[Moment] ? Date | null : Date;
};
