import { Check, X } from "lucide-react";

const GETS = [
  "Names and balances",
  "A year of transactions, and each new one",
  "Transfers over ACH, when you ask",
];
const NEVER = ["Your password", "Moves inside that bank"];

/** What a connection gives and what it never gives. */
export function WhatSluiceGets() {
  return (
    <aside className="side">
      <div className="side-in">
        <section>
          <div className="sec-h">
            <h2 className="h2">What Sluice gets</h2>
          </div>
          <ul className="cans">
            {GETS.map((words) => (
              <li key={words}>
                <Check className="ic" />
                {words}
              </li>
            ))}
            {NEVER.map((words) => (
              <li key={words} className="no">
                <X className="ic" />
                <span className="vh">Not: </span>
                {words}
              </li>
            ))}
          </ul>
        </section>
        <section>
          <h2 className="h3">How fresh it is</h2>
          <p className="ink2">
            Most banks refresh once each banking day. A page always says how old a balance is, and an unknown
            balance is never taken for zero.
          </p>
        </section>
      </div>
    </aside>
  );
}
