// Package pages serves the app host: what people see. Plain HTML forms that work without scripts, one stylesheet.
//
// Every page is rendered into memory from its own view struct, so a broken page is an error and never half a page.
// Answers to forms are 303; a refusal is a page that says what to do. No page can be framed, sends a referrer, or
// loads anything from elsewhere; browsers keep none, and drop what their back button holds when a session ends. Posts
// from other sites are stopped before they get here (wire.Front.Guard).
package pages
