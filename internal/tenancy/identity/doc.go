// Package identity owns people and their sessions.
//
// Tables: users, sessions. A user is ACTIVE or SUSPENDED (by an operator) and may be under a processing restriction;
// both are asked at every use, so they act on the very next request. A session is a random token whose hash is the
// look-up key; the token itself is kept nowhere. It ends after idleLife without use, absoluteLife after sign-in, at
// sign-out, at a change of password and with the user's suspension.
//
// Invariants: one account per e-mail address, whatever its case; signing in always makes a new session and ends the
// one the browser had; an unknown address costs as much time as a wrong password and gives the same answer.
package identity
