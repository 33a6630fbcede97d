/**
 * The one style sheet of every email. The mailbox page shows emails in a frame that inherits the page's
 * Content-Security-Policy, which therefore names this text by its hash (lib/api/headers/set-page-headers.ts).
 */
export const EMAIL_STYLE =
  "@media (prefers-color-scheme:dark){.bg{background:#0f1a1c!important}.pp{background:#162326!important}.ink{color:#e9efe9!important}.i2{color:#b7c6c4!important}.ln{border-color:#2b3a3d!important}.bt{background:#7fd0cb!important;color:#0b2426!important}.wt{background:#1d4a50!important}} @media (max-width:620px){.pad{padding-left:24px!important;padding-right:24px!important}.big{font-size:52px!important;line-height:56px!important}}";
