/** The buttons at the end of a dialog. */
export const DIALOG_BUTTONS = "flex justify-end gap-2 mt-6";
/** The buttons at the end of a form. */
export const FORM_BUTTONS = "flex flex-wrap gap-2";
